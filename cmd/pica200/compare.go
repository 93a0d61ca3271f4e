package main

import (
	"fmt"
	"image"
	"strings"

	"pica200/golden"
)

type compareCmd struct {
	Want string `arg:"" help:"Expected picture (PNG, JPEG, BMP, GIF, TGA) or texture (.t3x); - for standard input."`
	Got  string `arg:"" help:"Picture or texture to compare with it; - for standard input."`
	Out  string `short:"o" ends:".png" placeholder:"FILE" help:"PNG file to write with the differences: grey is equal, blue within the tolerance, yellow to red beyond it, magenta and cyan only in the first or the second picture; - for standard output."`

	toleranceFlags
	JSON  bool `help:"Print the comparison as JSON."`
	Quiet bool `short:"q" help:"Print nothing; only set the exit status."`
}

// maxCompared bounds the pixels of a picture.
const maxCompared = 64 << 20

// toleranceFlags are the options for the tolerance of comparisons.
type toleranceFlags struct {
	Delta      int     `placeholder:"N" help:"Tolerance for each channel in steps: of 255, or of 65535 for a picture with 16 bits."`
	Share      float64 `placeholder:"PERCENT" help:"Percentage of pixels that may differ by more."`
	Border     int     `placeholder:"N" help:"Ignore this many pixels along the edges."`
	Perceptual float64 `placeholder:"D" help:"Tolerance for each pixel in perceived colour difference, 0 to 1."`
	FLIP       float64 `name:"flip" placeholder:"E" help:"Greatest mean error by NVIDIA FLIP at which the pictures count as equal, 0 to 1."`
}

// tolerance converts the flags; without any it is exact.
func (f *toleranceFlags) tolerance() (golden.Tolerance, error) {
	tol := golden.Tolerance{Delta: f.Delta, Share: f.Share, Border: f.Border, Perceptual: f.Perceptual, FLIP: f.FLIP, Reason: "the command line"}
	if err := tol.Check(); err != nil {
		return tol, usagef("--%s", strings.TrimPrefix(err.Error(), "tolerance "))
	}
	return tol, nil
}

func (compareCmd) Help() string {
	return `Compares two pictures, including alpha, exactly or with the given
tolerance. It prints how many pixels differ, where the worst one is, and the
mean error by FLIP: how visible the difference is when one alternates between
the two, 0 to 1.

Exit status: 0 equal or within the tolerance, 1 different or not to be read, 2
wrong command line.

Examples:

  pica200 compare expected.png actual.png
  pica200 compare expected.png actual.png -o difference.png
  pica200 compare expected.png actual.png --delta 2 --share 0.5
  pica200 render scene.yaml -o - | pica200 compare expected.png - --flip 0.01`
}

func (c compareCmd) Run(con *console) error {
	tol, err := c.tolerance()
	if err != nil {
		return err
	}
	if c.Want == "-" && c.Got == "-" {
		return usagef("standard input (-) is named twice; it can be read once")
	}
	var pictures [2]image.Image
	for i, name := range []string{c.Want, c.Got} {
		data, err := con.read(name)
		if err != nil {
			return err
		}
		if pictures[i], err = decodePicture(data, maxCompared); err != nil {
			return fmt.Errorf("%s: %w", inputName(name), err)
		}
	}
	cmp := golden.Compare(pictures[0], pictures[1], tol)
	if c.Out != "" {
		if err := con.writePNG(c.Out, golden.Difference(pictures[0], pictures[1], tol)); err != nil {
			return err
		}
	}
	switch {
	case c.Quiet || c.Out == "-":
	case c.JSON:
		if err := printJSON(con.out, cmp); err != nil {
			return err
		}
	case cmp.Match && cmp.Different == 0:
		fmt.Fprintln(con.out, "equal")
	case cmp.Match:
		fmt.Fprintf(con.out, "within the tolerance: %d of %d pixels are not identical, worst %d at (%d, %d), FLIP %.6f\n",
			cmp.Different, cmp.Compared, cmp.Worst, cmp.WorstAt.X, cmp.WorstAt.Y, cmp.FLIP)
	case cmp.SizeWant != cmp.SizeGot || cmp.Compared == 0 || c.FLIP > 0:
		fmt.Fprintln(con.out, cmp.Message)
	default:
		fmt.Fprintf(con.out, "%s, FLIP %.6f\n", cmp.Message, cmp.FLIP)
	}
	if !cmp.Match {
		return errFound
	}
	return nil
}
