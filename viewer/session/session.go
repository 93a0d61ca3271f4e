// Package session is the viewer without its window: what is shown (a model, a
// scene, a recorded trace or a shader), from where, at what time, and how that
// is rendered. All of it runs without a display.
package session

import (
	"image"
	"time"

	"pica200/fragment"
	"pica200/pipeline"
)

// Request says what is to be rendered.
type Request struct {
	Time  float64 // animation parameter of a scene, seconds
	Frame int     // of a trace, from 0
	Draw  int     // of a trace: the last draw to be shown, from 0; -1 for the whole frame
	View  fragment.View
	// Screens shows what the console's screens show instead of the render
	// target: Screens of a trace.
	Screens Screens
	Orbit   Orbit
	Edits   map[string]Edit // changed uniforms, by key
}

// Screens chooses how the console's screens are shown.
type Screens uint8

const (
	NoScreens   Screens = iota // the render target drawn to last
	BothScreens                // top above bottom
	SideBySide                 // the top screen's left and right picture
	Anaglyph                   // both in one, red and cyan
	numScreens
)

func (s Screens) String() string {
	return [...]string{"render target", "both screens", "stereo side by side", "stereo anaglyph"}[s]
}

// Next is the screens setting after s.
func (s Screens) Next() Screens { return (s + 1) % numScreens }

// Edit is a changed uniform.
type Edit struct {
	Name   string
	Values []any
}

// Picture is what was rendered.
type Picture struct {
	Image   *image.RGBA
	Request Request
	Target  bool // the image is the render target: its pixels can be explained
	Draws   int  // draws in the frame
	Note    string
	Stats   pipeline.Stats
	Took    time.Duration
	Rows    []Uniform // uniforms in use, for the panel
}

// Uniform is one value for the panel.
type Uniform struct {
	Group   string
	Key     string
	Name    string
	Type    string // bool, enum, number, color, text
	Text    string
	Choices []string
	Values  []float64
	Min     float64
	Max     float64
	Changed bool
}

// Source is something that can be shown. Its methods are called by one
// goroutine at a time.
type Source interface {
	// Name is what the window's title says.
	Name() string
	// Files lists what the source was read from, to be watched for changes.
	Files() []string
	// Reload reads the files again. After an error the source shows what it
	// showed before.
	Reload() error
	// Render draws a picture.
	Render(r *Request) (*Picture, error)
	// Explain reports everything that touched a pixel of the picture that the
	// same request renders.
	Explain(r *Request, x, y int, events func(pipeline.Event)) error
	// Frames is the number of frames of a trace, 0 for what has a running time.
	Frames() int
	// Animated reports whether the picture depends on Request.Time.
	Animated() bool
}
