package retrace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"slices"

	"pica200/assets/picatrace"
	"pica200/pipeline"
)

// PackOptions configure Pack.
type PackOptions struct {
	Options
	// Read replays the trace and leaves out memory that the replay does not read:
	// for commands, for what draws keep of their targets, and for what the screens
	// show.
	Read bool
	// Screens replays the trace and stores what the screens show at the end of each
	// frame, replacing the pictures of the trace.
	Screens bool
	// Frame, which may be nil, is called after each frame.
	Frame func(index int)
}

// Pack writes a trace as a recording, compressed and with an index. It reads one
// frame at a time.
func Pack(ctx context.Context, t *picatrace.Trace, w io.Writer, o PackOptions) error {
	c := &cutter{trace: t, last: t.Frames() - 1, whole: true, meta: t.Meta, state: t.Initial, pictures: t.Shown}
	if o.Read {
		c.tracker = newTracker()
		c.tracker.targetRest = true
		if err := c.replay(ctx, o.Options); err != nil {
			return err
		}
	}
	if o.Screens {
		p, err := pipeline.NewPlayer(t, pipeline.Options{Workers: o.Workers})
		if err != nil {
			return err
		}
		defer p.GPU.Close()
		c.pictures = func(int) ([]picatrace.Shown, error) { return nextShown(ctx, p) }
	}
	pictures := c.pictures
	c.pictures = func(i int) ([]picatrace.Shown, error) {
		if o.Frame != nil {
			defer o.Frame(i)
		}
		return pictures(i)
	}
	return c.write(ctx, w, o.Options)
}

// nextShown replays a frame and returns what the screens show at its end.
func nextShown(ctx context.Context, p *pipeline.Player) (shown []picatrace.Shown, err error) {
	if _, err = p.NextFrame(ctx); err != nil {
		return nil, err
	}
	for _, s := range screens(p.GPU) {
		shown = append(shown, picture(s, p.GPU.Screen(s)))
	}
	return shown, nil
}

// shownAs maps a screen to the number of its stored picture.
var shownAs = [...]int{pipeline.ScreenTop: 0, pipeline.ScreenTopRight: 1, pipeline.ScreenBottom: 2}

// screens returns the screens with their own picture.
func screens(g *pipeline.GPU) []pipeline.Screen {
	all := []pipeline.Screen{pipeline.ScreenTop, pipeline.ScreenBottom}
	if g.Stereo() {
		all = append(all, pipeline.ScreenTopRight)
	}
	return all
}

// picture converts what a screen shows to its stored form.
func picture(s pipeline.Screen, img *image.RGBA) picatrace.Shown {
	b := img.Bounds()
	p := picatrace.Shown{Screen: shownAs[s], Width: b.Dx(), Height: b.Dy(), RGB: make([]byte, 0, 3*b.Dx()*b.Dy())}
	for y := range p.Height {
		row := img.Pix[y*img.Stride:][:4*p.Width]
		for x := 0; x < len(row); x += 4 {
			p.RGB = append(p.RGB, row[x], row[x+1], row[x+2])
		}
	}
	return p
}

// ErrNoPictures is returned by Verify for a trace without stored pictures.
var ErrNoPictures = errors.New("the trace holds no pictures of its screens to compare with")

// Stored is a picture that a trace holds, and what a replay shows in its place.
type Stored struct {
	Frame     int
	Screen    pipeline.Screen
	Want, Got picatrace.Shown
}

// Differs describes how the pictures differ, "" if they are equal.
func (s *Stored) Differs() string {
	if why := differs(s.Want, s.Got); why != "" {
		return fmt.Sprintf("%v: %s", s, why)
	}
	return ""
}

func (s *Stored) String() string { return fmt.Sprintf("frame %d, %v screen", s.Frame, s.Screen) }

// Verify replays a trace and compares the screens with its stored pictures. It
// returns the number compared, and an error that names the first difference.
func Verify(ctx context.Context, t *picatrace.Trace, workers int) (compared int, err error) {
	err = Pictures(ctx, t, workers, func(stored []Stored) error {
		for i := range stored {
			if why := stored[i].Differs(); why != "" {
				return errors.New(why)
			}
		}
		compared += len(stored)
		return nil
	})
	return compared, err
}

// Pictures replays a trace and calls frame at the end of each frame with its
// stored pictures. It returns ErrNoPictures if there were none.
func Pictures(ctx context.Context, t *picatrace.Trace, workers int, frame func([]Stored) error) error {
	p, err := pipeline.NewPlayer(t, pipeline.Options{Workers: workers})
	if err != nil {
		return err
	}
	defer p.GPU.Close()
	any := false
	for i := range t.Frames() {
		if _, err := p.NextFrame(ctx); err != nil {
			return err
		}
		shown, err := t.Shown(i)
		if err != nil {
			return err
		}
		stored := make([]Stored, len(shown))
		for k, want := range shown {
			s := pipeline.Screen(slices.Index(shownAs[:], want.Screen))
			stored[k] = Stored{i, s, want, picture(s, p.GPU.Screen(s))}
		}
		any = any || len(stored) > 0
		if err := frame(stored); err != nil {
			return err
		}
	}
	if !any {
		return ErrNoPictures
	}
	return nil
}

// differs describes how a picture differs from want, "" if it does not.
func differs(want, got picatrace.Shown) string {
	if want.Width != got.Width || want.Height != got.Height {
		return fmt.Sprintf("it has %dx%d pixels, the stored picture %dx%d", got.Width, got.Height, want.Width, want.Height)
	}
	if bytes.Equal(want.RGB, got.RGB) {
		return ""
	}
	count, first := 0, -1
	for i := 0; i < len(want.RGB); i += 3 {
		if !bytes.Equal(want.RGB[i:i+3], got.RGB[i:i+3]) {
			if count++; first < 0 {
				first = i / 3
			}
		}
	}
	x, y := first%want.Width, first/want.Width
	return fmt.Sprintf("%d of %d pixels differ, first at (%d, %d): #%x is shown, #%x is stored",
		count, want.Width*want.Height, x, y, got.RGB[3*first:3*first+3], want.RGB[3*first:3*first+3])
}
