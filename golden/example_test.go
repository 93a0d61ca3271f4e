package golden_test

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"log"
	"os"
	"path/filepath"

	"pica200/golden"
)

// paint returns an 8x8 picture of colour c with one pixel of colour pixel.
func paint(c, pixel color.NRGBA) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, 8, 8))
	for i := range 64 {
		img.SetNRGBA(i%8, i/8, c)
	}
	img.SetNRGBA(3, 5, pixel)
	return img
}

// Compare compares two images exactly, or within a tolerance.
func ExampleCompare() {
	grey := color.NRGBA{100, 100, 100, 255}
	want, got := paint(grey, grey), paint(grey, color.NRGBA{102, 100, 100, 255})
	c := golden.Compare(want, got, golden.Tolerance{})
	fmt.Println(c.Match, c.Message)
	c = golden.Compare(want, got, golden.Tolerance{Delta: 2, Reason: "another rounding"})
	fmt.Println(c.Match, c.Different, "pixel differs by", c.Worst)
	// Output:
	// false 1 of 64 pixels differ (1.562%), worst 2 at (3, 5), inside (3, 5)-(3, 5)
	// true 1 pixel differs by 2
}

// A project with its own renderer passes it to RunDir. In tests, Run does the same with one subtest per case.
func ExampleRunDir() {
	dir, err := os.MkdirTemp("", "golden")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	err = os.WriteFile(filepath.Join(dir, "sky.case.yaml"), []byte(`about: One colour.
source: sky
images:
  - {target: color, expected: [{file: sky.png, from: self}]}
`), 0o644)
	if err != nil {
		log.Fatal(err)
	}
	blue := color.NRGBA{0, 0, 255, 255}
	renderer := golden.RendererFunc(func(ctx context.Context, job golden.Job) (map[string]image.Image, error) {
		return map[string]image.Image{"color": paint(blue, blue)}, nil
	})
	for _, update := range []bool{true, false} {
		r, err := golden.RunDir(context.Background(), dir, golden.Options{Renderer: renderer, Update: update})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(r.Cases[0].Name, r.Cases[0].Status, r.Passed())
	}
	// Output:
	// sky updated true
	// sky match true
}
