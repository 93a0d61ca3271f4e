package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"path/filepath"
	"slices"

	"pica200/assets/picatrace"
	"pica200/golden"
	"pica200/internal/plural"
	"pica200/pipeline/retrace"
)

type traceVerifyCmd struct {
	traceFlags
	Out string `short:"o" placeholder:"DIR" help:"Folder for the worst pictures: what is stored, what is shown, and the difference."`
	workerFlags
	JSON bool `name:"json" help:"Print the comparison as JSON."`
	quietFlags
	toleranceFlags
}

func (traceVerifyCmd) Help() string {
	return `Replays a recording and compares the screens at the end of each frame
with the pictures stored in it by an emulator's recorder or by trace pack
--screens, exactly or with the given tolerance. If pictures differ it prints the
five worst with their frames and screens, -o writes them, and the exit status is
1. A recording without pictures also gives status 1.

Examples:

  pica200 trace pack game.picatrace --screens -o shown.picatrace && pica200 trace verify shown.picatrace
  pica200 trace pack game.ctf --screens -o g.picatrace && pica200 trace verify g.picatrace --delta 2 --share 0.1 -o worst`
}

// worstShown is how many of the differing pictures are printed and written.
const worstShown = 5

func (c traceVerifyCmd) Run(ctx context.Context, con *console) error {
	tol, err := c.tolerance()
	if err != nil {
		return err
	}
	in, err := c.read(con, c.Quiet)
	if err != nil {
		return err
	}
	bar := newBar(con, c.Quiet, in.Frames(), "frames")
	defer bar.done()
	v := verified{tol: tol}
	frame := 0
	err = retrace.Pictures(ctx, in.Trace, c.Workers, func(stored []retrace.Stored) error {
		v.add(stored)
		frame++
		bar.step(frame)
		return nil
	})
	bar.done()
	if errors.Is(err, retrace.ErrNoPictures) {
		err = fmt.Errorf("%w; pica200 trace pack --screens stores what this version shows", err)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", inputName(c.Trace), err)
	}
	if c.JSON {
		err = printJSON(con.out, v.result())
	}
	if err == nil && v.differ > 0 {
		err = v.report(con, inputName(c.Trace), c.Out)
	}
	if err != nil || c.JSON {
		return err
	}
	if !c.Quiet {
		fmt.Fprintf(con.out, "%s: %s of %s are as stored%s\n", inputName(c.Trace),
			plural.Of(v.compared, "picture"), plural.Of(in.Frames(), "frame"), v.within())
	}
	return nil
}

// verified is the result of comparing a recording's pictures.
type verified struct {
	tol              golden.Tolerance
	compared, differ int
	close            int // pictures within the tolerance that are not equal
	worst            []differing
}

// differing is a picture beyond the tolerance.
type differing struct {
	retrace.Stored
	golden.Comparison
}

func (v *verified) add(stored []retrace.Stored) {
	for _, s := range stored {
		v.compared++
		if s.Differs() == "" {
			continue
		}
		d := differing{s, golden.Compare(rgbImage(s.Want), rgbImage(s.Got), v.tol)}
		if d.Match {
			v.close++
			continue
		}
		v.differ++
		v.worst = append(v.worst, d)
		slices.SortStableFunc(v.worst, func(a, b differing) int {
			return cmp.Or(cmp.Compare(b.Exceeding, a.Exceeding), cmp.Compare(b.Worst, a.Worst))
		})
		v.worst = v.worst[:min(len(v.worst), worstShown)]
	}
}

// verdict is the output as JSON.
type verdict struct {
	Compared int           `json:"compared"` // pictures
	Differ   int           `json:"differ"`
	Within   int           `json:"within"` // the tolerance, and not equal
	Worst    []worstVerify `json:"worst"`
}

type worstVerify struct {
	Frame  int    `json:"frame"`
	Screen string `json:"screen"`
	golden.Comparison
}

func (v *verified) result() *verdict {
	r := &verdict{v.compared, v.differ, v.close, []worstVerify{}}
	for _, d := range v.worst {
		r.Worst = append(r.Worst, worstVerify{d.Frame, fmt.Sprint(d.Screen), d.Comparison})
	}
	return r
}

// within says how many pictures match only because of the tolerance.
func (v *verified) within() string {
	if v.close == 0 {
		return ""
	}
	return fmt.Sprintf(", %d of them within the tolerance", v.close)
}

// report writes the worst pictures, and returns an error that names them.
func (v *verified) report(con *console, name, out string) error {
	text := fmt.Sprintf("%s: %d of %s differ from what is stored", name, v.differ, plural.Of(v.compared, "picture"))
	if len(v.worst) < v.differ {
		text += fmt.Sprintf("; the worst %d", len(v.worst))
	}
	for i := range v.worst {
		d := &v.worst[i]
		why := d.Stored.String() + ": " + d.Message
		if v.tol.Exact() {
			why = d.Differs() // with the colours
		}
		text += "\n  " + why
	}
	if out == "" {
		return errors.New(text)
	}
	if err := con.makeFolder(out); err != nil {
		return err
	}
	for i := range v.worst {
		d := &v.worst[i]
		want, got := rgbImage(d.Want), rgbImage(d.Got)
		base := filepath.Join(out, fmt.Sprintf("frame%04d-%v-", d.Frame, d.Screen))
		for end, img := range map[string]image.Image{"stored": want, "shown": got, "difference": golden.Difference(want, got, v.tol)} {
			if err := con.writePNG(base+end+".png", img); err != nil {
				return err
			}
		}
	}
	return fmt.Errorf("%s\nthe pictures are in %s", text, out)
}

// rgbImage makes an image of a stored picture.
func rgbImage(s picatrace.Shown) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, s.Width, s.Height))
	for i := range s.Width * s.Height {
		copy(img.Pix[4*i:], s.RGB[3*i:3*i+3])
		img.Pix[4*i+3] = 255
	}
	return img
}
