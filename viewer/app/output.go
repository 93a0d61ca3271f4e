package app

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"strings"
	"unicode"

	xdraw "golang.org/x/image/draw"

	"pica200/internal/files"
	"pica200/internal/film"
	"pica200/viewer/session"
)

// Format is the file format of recordings.
type Format = film.Format

// cleanName makes a file name from a title, in any script: it removes a scene's extension and replaces characters that some systems
// refuse.
func cleanName(s string) string {
	s = strings.TrimSuffix(strings.TrimSuffix(s, ".yaml"), ".yml")
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == unicode.ReplacementChar || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '-'
		}
		return r
	}, s)
	if strings.Trim(s, ". -") == "" {
		return "pica200"
	}
	return s
}

// Window draws the window's contents without OpenGL.
func (a *App) Window() *image.RGBA {
	over, _ := a.Overlay()
	out := image.NewRGBA(image.Rect(0, 0, a.win.w, a.win.h))
	draw.Draw(out, out.Rect, image.NewUniform(a.Background()), image.Point{}, draw.Src)
	if img, _, dest, smooth := a.Scene(); img != nil {
		var s xdraw.Scaler = xdraw.NearestNeighbor
		if smooth {
			s = xdraw.BiLinear
		}
		clip := out.SubImage(a.win.area).(*image.RGBA)
		s.Scale(clip, dest, img, img.Rect, draw.Src, nil)
	}
	draw.Draw(out, out.Rect, over, image.Point{}, draw.Over)
	return out
}

// shown returns the image for a screenshot or recording.
func (a *App) shown(window bool) *image.RGBA {
	if window {
		return a.Window()
	}
	return a.picture.Image
}

// screenshot writes the picture, or the whole window, as a PNG file.
func (a *App) screenshot(window bool) {
	if a.picture == nil {
		return
	}
	what := session.ViewName(a.picture.Request.View)
	if what == "final" {
		what = ""
	}
	if window {
		what = "window"
	}
	img, base := a.shown(window), a.outBase(what)
	a.worker.do(func(context.Context, session.Source) func() {
		path, err := files.WriteFree(base, ".png", func(path string) error { return writePNG(path, img) })
		return func() {
			if err != nil {
				a.say("no screenshot: %v", err)
				return
			}
			a.say("saved %s", path)
		}
	})
}

func writePNG(path string, img image.Image) error {
	return files.Write(path, func(w io.Writer) error { return png.Encode(w, img) })
}

// Background returns the colour around the picture.
func (a *App) Background() color.RGBA {
	if a.prefer.Light {
		return color.RGBA{0xC6, 0xCC, 0xD3, 0xFF}
	}
	return color.RGBA{0x0B, 0x0D, 0x10, 0xFF}
}

// ParseSize parses the size of a window: "1280x720".
func ParseSize(s string) (w, h int, err error) {
	const least, most = 200, 8192
	if n, err := fmt.Sscanf(s+"|", "%dx%d|", &w, &h); err != nil || n != 2 || w < least || h < least || w > most || h > most {
		return 0, 0, fmt.Errorf("%q is not a size: expected WIDTHxHEIGHT with %d to %d each", s, least, most)
	}
	return w, h, nil
}
