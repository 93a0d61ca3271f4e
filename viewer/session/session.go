// Package session is the viewer without its window: the file that is shown (a model, a
// scene, a recording or a shader), the camera, the time, and the rendering of all that.
// It runs without a display.
//
// The package is our own and may change at any time.
package session

import (
	"context"
	"fmt"
	"image"
	"strings"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"pica200/fragment"
	"pica200/pipeline"
	"pica200/replay/drawstate"
)

// Request says what is to be rendered.
type Request struct {
	Serial int     // tells requests apart; nothing depends on it
	Time   float64 // animation parameter of a scene, seconds
	Frame  int     // of a trace, from 0
	Draw   int     // of a trace: the last draw to be shown, from 0; -1 for the whole frame
	View   fragment.View
	// Screens shows what the console's screens show instead of the render
	// target: Screens of a trace.
	Screens Screens
	Orbit   Orbit
	Edits   map[string]Edit // changed uniforms, by key
	Target  int             // whose uniforms the panel shows: 0 for those of the last draw, else of draw Target-1
	Rows    bool            // fill Picture.Rows
	Alpha   bool            // keep the target's alpha, in Picture.Raw
	Depth   DepthRange      // of the view of depths
	Golden  GoldenRequest   // of a golden case
	// Progress, if not nil, is told by the goroutine that renders how many frames of
	// a trace were replayed, of those that lie before the one that is shown.
	Progress func(done, total int)
	Now      func() time.Time // by which List measures; nil is time.Now
}

// Edit is a changed uniform, or a component of one.
type Edit struct {
	Name   string // of the uniform; one component of a vector of names has "#" and its number behind
	Draw   int    // of Picture.Names; -1 for all
	Values []any
}

// Key tells edits apart: a later one of the same key takes the place of an
// earlier one.
func (e *Edit) Key() string { return fmt.Sprintf("%d/%s", e.Draw, e.Name) }

// Picture is what was rendered.
type Picture struct {
	Image   *image.RGBA
	Raw     *image.NRGBA // with alpha, if the request asks for it
	Request Request
	Target  bool         // the image is a render target
	turn    turn         // how the target lies in the image
	size    image.Point  // of the target, in its own orientation
	parts   []screenPart // the screens in the image, where it is none
	right   int          // the last draw of the right eye, of a scene in stereo
	draws   int          // draws shown
	Frame   int          // draws of the whole frame
	// Added marks the pixels that the last draw shown has changed, in the image; nil
	// where the whole frame is shown.
	Added     *image.Alpha
	shown     *pipeline.DrawRecord // the last draw shown, where not all of the frame is
	drawNames []string             // of the draws made, if they have names
	Places    [][]FilePlace        // of the draws made: lines of files that say what they are
	Names     []string             // of the draws that edits can be for: of each pass, then of the main one
	Which     []int                // of the draws made: of which of Names; -1 of none
	Note      string
	Warnings  []string // those of the source
	// Distance of the camera to what it looks at, and the tangent of half its
	// vertical angle; 0 without a camera in perspective.
	Distance, Slope float64
	Eye, LookAt     mgl64.Vec3     // of the camera, as the request moved it; in the scene's coordinates
	Stats           pipeline.Stats // of the frame, up to the last draw shown
	Took            time.Duration  // for the frame, up to the picture
	Seeking         time.Duration  // to get to the frame, in a trace
	DepthRange      mgl64.Vec2     // that the view of depths shows, if it is not all
	Rows            []Uniform      // uniforms in use, for the panel
	Golden          *GoldenPicture // of a golden case
	Use             ViewUse        // which views have something to show
	Placed          *Placed        // where the draw of Request.Target is; nil of all draws, and of those that the image does not show
}

// screenPart is the part of an image that shows a screen.
type screenPart struct {
	screen pipeline.Screen
	rect   image.Rectangle
}

// Uniform is one value for the panel.
type Uniform struct {
	Group   string
	Key     string
	Name    string
	Also    []string // other names that it is known by
	About   string   // what it is
	Parts   string   // a letter for each of Values; "" is the usual
	Type    string   // bool, enum, steps (numbers to choose from), number, color, table, text
	Text    string
	Choices []string
	Values  []float64
	Min     float64
	Max     float64
	Changed bool
	Was     *Uniform // as it was before the edits of its kind; nil where the request has none
}

// Info says what a source is.
type Info struct {
	Name     string   // for the window's title
	Path     string   // of the file that was opened
	Files    []string // what it was read from, to be watched for changes
	Frames   int      // of a trace, 0 for what has a running time
	Animated bool     // the picture depends on Request.Time
	Duration float64  // of the animation, seconds
	Camera   bool     // Request.Orbit moves a camera
	Scene    bool     // it is a scene file, into which changes can be written
	Start    float64  // Request.Time to begin with
	Golden   bool     // it is a golden case
	// Screens are what Request.Screens chooses from; nil where there is one picture.
	Screens []Screens
	// Names that a Chooser takes.
	Animations, Cameras []string
}

// Source is something that can be shown. Its methods are called by one
// goroutine at a time. Those with a context return its error when it is
// cancelled; the next call starts anew.
type Source interface {
	Info() Info
	// Reload reads the files again. After an error the source shows what it
	// showed before.
	Reload() error
	// Render draws a picture.
	Render(ctx context.Context, r *Request) (*Picture, error)
	// ExplainPixel reports everything that touched a pixel of a picture that Render
	// made, at column x and row y of its image. What is said is of the render target
	// that the pixel comes from, in the target's own orientation.
	ExplainPixel(ctx context.Context, p *Picture, x, y int) (*pipeline.Explained, error)
	// List lists the draws of the frame that a request is for, all of them, with
	// their targets and the pixels that they write. Where the frame ends in an
	// error it comes with the draws up to there.
	List(ctx context.Context, r *Request) (*drawstate.List, error)
	// Warnings says what of the files is not shown, and, after Render or
	// Explain, what their drawing met that the console gets over with a draw, a
	// fetch or a copy left out.
	Warnings() []string
	// Save writes what is shown, with the changes of the request, as a scene
	// file beside the one that was opened, and returns its path.
	Save(ctx context.Context, r *Request) (path string, err error)
	// Close ends the source, which is not to be used after it; pictures that it made
	// stay. What it drew with serves the next one.
	Close()
}

// ViewStencil shows the stencil buffer, 0 black to 255 white. It is not made
// by the fragment stage, as the other views are, but read back after it.
const ViewStencil = fragment.View(0xFF)

// Views lists all views in order.
func Views() []fragment.View { return append(fragment.Views(), ViewStencil) }

// ViewName is the name of a view.
func ViewName(v fragment.View) string {
	if v == ViewStencil {
		return "stencil"
	}
	return v.String()
}

// ParseView finds a view by its name.
func ParseView(name string) (fragment.View, error) {
	var names []string
	for _, v := range Views() {
		if ViewName(v) == name {
			return v, nil
		}
		names = append(names, ViewName(v))
	}
	return 0, fmt.Errorf("there is no view %q; the views are %s", name, strings.Join(names, ", "))
}

// gpuView is what the fragment stage is to show for a request. Stencil and depths in
// a range are read back after it.
func gpuView(r *Request) fragment.View {
	if r.View == ViewStencil || r.View == fragment.ViewDepth && r.Depth != (DepthRange{}) {
		return fragment.ViewFinal
	}
	return r.View
}
