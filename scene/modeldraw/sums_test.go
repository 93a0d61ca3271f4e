package modeldraw

import (
	"context"
	"fmt"
	"hash/crc32"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"pica200/frontend/gl"
	"pica200/tests/testkit"
)

// given returns what the GPU receives for drawing a set after the given number of frames of an animation.
func given(ctx context.Context, set *Set, animation string, frames float64) (string, error) {
	dev := &testkit.Device{}
	c, err := gl.New(dev)
	if err != nil {
		return "", err
	}
	target, err := c.NewTarget(96, 64, gl.TargetOptions{})
	if err != nil {
		return "", err
	}
	if err := c.SetTarget(ctx, target); err != nil {
		return "", err
	}
	d, err := set.New(c)
	if err != nil {
		return "", err
	}
	motion, err := set.Animation(animation)
	if err != nil {
		return "", err
	}
	draws := 0
	for _, m := range set.Models() {
		n, err := d.Draw(ctx, m, menu, mgl64.Translate3D(1, 2, 3), motion, frames, "")
		draws += n
		if err != nil {
			return "", err
		}
	}
	err = c.Flush(ctx)
	return fmt.Sprintf("%d draws, %v", draws, dev), err
}

// Stored results for each of our models at several times: GPU input, camera positions, and exported models.
func TestModelDrawChecksums(t *testing.T) {
	var b strings.Builder
	for _, name := range []string{"arm.cgfx", "arm.bnr", "arm.bch", "kit.cgfx", "more.cgfx", "shapes.cgfx", "textures.cgfx"} {
		data := testkit.Read(t, "../../testdata/models/"+name)
		set := testkit.Must(Open(data))(t)
		lo, hi, ok := set.Bounds()
		fmt.Fprintf(&b, "%s: %s\nanimations %q, bounds %.5g to %.5g (%v)\n", name, set.Contents(), set.Animations(), lo, hi, ok)
		for _, a := range append(set.Animations(), "none") {
			for _, frames := range []float64{7.5, 61, 200} {
				r := testkit.Must(given(t.Context(), set, a, frames))(t)
				motion := testkit.Must(set.Animation(a))(t)
				fmt.Fprintf(&b, "%s of %g, frame %g: %s\n", a, motion.Frames(), frames, r)
				for i, name := range set.Cameras() {
					c, ok := set.Camera(i, motion, frames)
					fmt.Fprintf(&b, "  camera %s: %v %.5v, %g frames, loops %v\n", name, ok, c, set.CameraFrames(i, motion), set.CameraLoops(i, motion))
				}
			}
		}
		for i, m := range set.Models() {
			out, notes := set.Export(m)
			dump := testkit.Dump(out)
			fmt.Fprintf(&b, "model %d exported: %d bytes, CRC-32 %08x, %q\n", i, len(dump), crc32.ChecksumIEEE([]byte(dump)), notes)
		}
		fmt.Fprintf(&b, "notes %q\n\n", set.Notes)
	}
	testkit.Golden(t, "testdata/models.txt", []byte(b.String()))
}

// Stored results of drawing with one number of the file's structures changed.
func TestChangedModelNumbersChecksums(t *testing.T) {
	data := testkit.Read(t, "../../testdata/models/more.cgfx")
	first := testkit.Must(Open(data))(t)
	look := func() string {
		set := &Set{File: first.File, Size: len(data), parts: map[partKey]*primitives{}, noted: map[string]bool{}}
		text := testkit.Must(given(t.Context(), set, "", 7))(t)
		return fmt.Sprintf("%s %q", text[strings.LastIndex(text, " ")+1:], set.Notes)
	}
	as := look()
	// Tree nodes, values filled in by the console, and all but the first number of a vector are left out; of the rest a sample is
	// taken, because a drawing takes milliseconds.
	out := regexp.MustCompile(`Root|\.Branch|\.(Bit|Left|Right)$|Bounds|Runtime|Revision|Slots$|World|Local|Matrix|Inverse|\[[1-9]\d*\]$`)
	var b strings.Builder
	n := 0
	testkit.Numbers(first.File, func(path string, v reflect.Value) {
		if n++; out.MatchString(path) || strings.HasPrefix(path, ".Models") && n%37 != 0 || n%3 == 0 {
			return
		}
		old := reflect.New(v.Type()).Elem()
		old.Set(v)
		testkit.SetNumber(v, n%4)
		if text := look(); text != as {
			fmt.Fprintf(&b, "%s = %d: %s\n", path, n%4, text)
		}
		v.Set(old)
	})
	testkit.Golden(t, "testdata/numbers.txt", []byte(b.String()))
}
