// Package viewer is the window of "pica200 view". It passes events to viewer/app, which
// decides what keys and mouse do, and draws the picture and the overlay that viewer/app
// returns as two textured rectangles with OpenGL 4.1. It needs cgo; in a build without
// it, Run returns an error that says so.
//
// The package is our own and may change at any time.
package viewer

import "pica200/viewer/app"

// Options say how the window begins.
type Options struct {
	app.Options
	Width, Height int  // of the window, in units of the screen
	Hidden        bool // the window is not shown, for tests
	// Frame, if not nil, is called after each time that the window was drawn.
	Frame func(a *app.App) (quit bool)
	// Each, if not nil, is called each time that events were handled. wake, which
	// any goroutine may call, makes that happen.
	Each func(a *app.App, wake func())
	// Resize, if not nil, is asked after each drawing for a new size.
	Resize func() (w, h int, ok bool)
}
