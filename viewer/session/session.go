// Package session is the viewer without its window, and needs no display. Open opens
// what package scene/source can draw, or a golden case, as a Source, whose Render shows a
// Picture for a Request: a time or frame, a camera (Orbit), a view and edits.
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

	"pica200/explain"
	"pica200/explain/drawstate"
	"pica200/fragment"
	"pica200/pipeline"
)

// Request describes what to render.
type Request struct {
	Serial int     // identifies the request for the caller
	Time   float64 // time of a scene's animation in seconds
	Frame  int     // for a trace: the frame, from 0
	Draw   int     // for a trace: the last draw to show, from 0; -1 for the whole frame
	View   fragment.View
	// Screens shows the console's screens instead of the render target: Screens of
	// a trace.
	Screens Screens
	Orbit   Orbit
	Edits   map[string]Edit // changed uniforms, by Edit.Key
	Target  string          // the draw whose values the panel shows, of Picture.Names, or Part.Target; "" for all draws
	Rows    bool            // fill Picture.Rows
	Outline bool            // fill Picture.Outlined
	Alpha   bool            // keep the target's alpha, in Picture.Raw
	Room    image.Point     // of a scene: its target is drawn as large as fits; zero for its own size
	Depth   DepthRange      // range for the view of depths
	Golden  GoldenRequest   // for a golden case
	Note    string          // set by a Writer: what to say of the saved file
	// Progress, if not nil, is called by the rendering goroutine with the number of
	// frames replayed so far before the one that is shown.
	Progress func(done, total int)
	Now      func() time.Time // the clock of List; nil means time.Now
}

// Edit is a changed uniform, or a component of one.
type Edit struct {
	Name   string // name of the uniform; for one component of a vector with named components followed by "#" and its number
	Draw   string // of Picture.Names, or Part.Target; "" for all draws
	Values []any  // a value for each component; nil for one that stays as it is
}

// Key identifies what an edit changes: a later edit with the same key replaces
// an earlier one.
func (e *Edit) Key() string { return e.Draw + "/" + e.Name }

// Picture is a rendered picture.
type Picture struct {
	Image       *image.RGBA
	Raw         *image.NRGBA // with alpha, if requested
	Request     Request
	Target      bool         // the image is a render target
	orientation orientation  // orientation of the target in the image
	size        image.Point  // size of the target, in its own orientation
	main        image.Point  // of the scene's main target
	Own         image.Point  // size of the image without Request.Room; zero if that changed nothing
	parts       []screenPart // the screens in the image, if it is not a target
	right       int          // for a scene in stereo: the last draw of the right eye
	draws       int          // number of draws shown
	Frame       int          // number of draws of the whole frame
	// Added marks the image's pixels that the last draw shown has changed; nil if
	// the whole frame is shown.
	Added     *image.Alpha
	Outlined  *image.Alpha         // the image's pixels that the draws of Request.Target in the main pass have changed, if Request.Outline
	shown     *pipeline.DrawRecord // the last draw shown, if not the whole frame is shown
	drawNames []string             // names of the executed draws, if they have names
	Locations [][]Location         // for each executed draw: the lines of files that define it
	Names     []string             // names of the draws that can be edited, no two alike: of each pass, then of the main pass
	Which     []string             // for each executed draw: its name in Names, or ""
	Parts     [][]string           // for each executed draw: the targets of its material on its mesh, its mesh, its material and its draw
	Note      string
	Warnings  []string // warnings of the source
	// Distance of the camera to its target point, and the tangent of half its
	// vertical angle; 0 without a perspective camera.
	Distance, Slope float64
	Eye, LookAt     mgl64.Vec3     // of the camera as moved by the request, in the scene's coordinates
	Stats           pipeline.Stats // of the frame up to the last draw shown
	Took            time.Duration  // time to draw the frame
	Seeking         time.Duration  // time to reach the frame in a trace
	DepthRange      mgl64.Vec2     // the range of the view of depths, if not all
	Rows            []Uniform      // uniforms in use, for the panel
	Golden          *GoldenPicture // for a golden case
	Use             ViewUse        // which views have something to show
	World           *Projection    // with Request.Rows: how the main camera shows the world
	Lights          []PlacedLight  // with Request.Rows: the lights that can be placed
	Placement       *Placement     // place of the draw of Request.Target; nil for all draws, and if the image does not show the draw
}

// screenPart is the part of an image that shows a screen.
type screenPart struct {
	screen pipeline.Screen
	rect   image.Rectangle
}

// Uniform is one value of the panel.
type Uniform struct {
	Group   string
	Key     string
	Name    string
	Also    []string // other names of it
	About   string   // description
	Parts   string   // a letter for each of Values; "" means the usual letters
	Type    string   // bool, enum, steps (fixed numbers), number, color, table or text
	Text    string
	Choices []string
	Values  []float64
	Min     float64
	Max     float64
	Mixed   []bool   // which of Values, or whether Text, differs from draw to draw; nil if none does
	Unsaid  bool     // the file says nothing of it, and the value is the one in effect
	Changed bool     // by an edit of the request
	Was     *Uniform // the value before the edits; nil if it has no edit
}

// Info describes a source.
type Info struct {
	Name     string   // for the window's title
	Path     string   // the opened file
	Files    []string // the files read, to watch for changes
	Frames   int      // number of frames of a trace, 0 for sources with a time
	Animated bool     // the picture depends on Request.Time
	Duration float64  // length of the animation in seconds
	Camera   bool     // Request.Orbit moves a camera
	Scene    bool     // a scene file, which WriteBack can change
	Base     int      // counts how often the scene was read with another text than WriteBack wrote
	Start    float64  // initial value of Request.Time
	Golden   bool     // it is a golden case
	// Screens lists the possible values of Request.Screens; nil if there is only
	// one picture.
	Screens []Screens
	Parts   []Part // what a scene draws
	// Names for Chooser.Choose.
	Animations, Cameras []string
}

// Source is a file that the viewer can show. Only one goroutine at a time may
// call its methods. A method returns the error of its context when that is
// cancelled; the next call starts again.
type Source interface {
	Info() Info
	// Reload reads the files again. After an error the source keeps showing the old
	// content.
	Reload() error
	// Render draws a picture.
	Render(ctx context.Context, r *Request) (*Picture, error)
	// ExplainPixel reports everything that touched the pixel at column x and row y
	// of a picture from Render. The report is about the render target that the
	// pixel comes from, in the target's own orientation.
	ExplainPixel(ctx context.Context, p *Picture, x, y int) (*explain.History, error)
	// List lists all draws of the requested frame, with their targets and the
	// pixels that they write. If the frame ends in an error, List returns the draws
	// before it together with the error.
	List(ctx context.Context, r *Request) (*drawstate.List, error)
	// Warnings lists the parts of the files that cannot be shown. After Render or
	// ExplainPixel it also lists the invalid draws, fetches and copies that were left
	// out, as the console does.
	Warnings() []string
	// Close closes the source, which must not be used afterwards; its pictures stay
	// valid. Its GPU may serve the next source.
	Close()
}

// ViewStencil shows the stencil buffer, 0 black to 255 white. Unlike the other
// views it is read back after drawing, not produced by the fragment stage.
const ViewStencil = fragment.View(0xFF)

// Views returns all views in order.
func Views() []fragment.View { return append(fragment.Views(), ViewStencil) }

// ViewName returns the name of a view.
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

// gpuView returns the fragment stage's view for a request. Stencil and a range
// of depths are read back after drawing instead.
func gpuView(r *Request) fragment.View {
	if r.View == ViewStencil || r.View == fragment.ViewDepth && r.Depth != (DepthRange{}) {
		return fragment.ViewFinal
	}
	return r.View
}
