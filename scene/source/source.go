// Package source opens every file that can be drawn, and draws it. Commands, the
// golden suite, the debugger and the window all go this way:
//
//	s, err := source.Open("knight.glb", source.Options{}) // finds the kind of the file (Kinds) and reads it
//	p, err := s.Draw(ctx, &source.Request{Time: 0.5})     // draws a frame
//	img, err := p.Image(source.Color)                     // reads a buffer of it
//
// A source of a *Recording or *Scene has more: single draws, hooks, animations,
// cameras. Record makes a Recording of what a source draws.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
package source

import (
	"context"

	"pica200/pipeline"
	"pica200/scene/scenebuild"
)

// Options say how a file is opened and drawn.
type Options struct {
	Roots []string // folders, besides the file's own, that may contain files it refers to
	// Data are the contents, if not nil; the name is then only for messages, and
	// files that the data refer to are in the working directory or in Roots.
	Data []byte
	// Named says that the name comes from another file, so that only a regular file
	// is opened.
	Named bool

	Strict       bool // of a recording: where the console would skip an invalid draw, fetch or copy is an error
	Workers      int  // threads that draw; 0 for one per CPU
	PlainKernels bool // draw without vector instructions (pipeline.Options)
	// CheckpointBytes bounds what a recording keeps to go back fast
	// (pipeline.ReplayerOptions); below 0 for frames that are drawn in order.
	CheckpointBytes int64
}

// Info describes a source.
type Info struct {
	Kind  string   // name of the kind (Kinds)
	Path  string   // the name that was opened
	Files []string // the files that were read or, after an error, were needed as far as known; to watch for changes
	Title string   // of a scene or model; may be empty
	About string   // of a scene, or what is known of a texture; may be empty

	Frames   int     // of a recording; 0 for sources with a time
	Time     float64 // of a scene: its own time in seconds, where its animation is shown if the user names none
	Duration float64 // of a scene: after which its animation repeats or stops, in seconds; 0 if it does not move
}

// Source is an open file. Only one goroutine at a time may call its methods. A
// method returns the error of its context when that is cancelled; the next call
// starts again.
type Source interface {
	Info() Info
	// Reload reads the files again. After an error the source keeps the old
	// content, if it had any.
	Reload() error
	// Draw draws a frame. It returns a *pipeline.NoDrawError or the error of
	// picatrace.CheckFrame for a frame that does not exist.
	Draw(ctx context.Context, r *Request) (*Picture, error)
	// Record returns a recording of the frames at some times in seconds, or of one
	// at the source's own time. A *Recording returns itself. The caller closes both.
	Record(ctx context.Context, times ...float64) (*Recording, error)
	// Warnings returns sentences about parts of the files that are not drawn, and
	// about what the last frame skipped as the console would: invalid draws,
	// texture fetches and copies.
	Warnings() []string
	// Close frees the GPU. The next call that needs one makes it again.
	Close()
}

// Last is the last frame of a recording.
const Last = -1

// Request says what to draw. The zero Request is frame 0, or time 0.
type Request struct {
	Time  float64 // of a scene, in seconds; any finite number
	Frame int     // of a recording: from 0, or Last
	Draws int     // how many draws of the frame to execute, from 1; 0 for all
	Hooks *scenebuild.Hooks
	Watch bool // of a scene: note what draws do, so that Diagnose of this time need not draw again
	// Prepare, if not nil, is called before the frame. It may set the hooks and the
	// View of the GPU, which are removed after the frame.
	Prepare func(g *pipeline.GPU) error
	// Progress, if not nil, is called with the number of frames of a recording that
	// are done, and of those that are needed to reach the frame.
	Progress func(done, total int)
}

// Open finds out what kind of file path names, and reads it. The errors name the
// file, and the line if it is a text.
func Open(path string, o Options) (Source, error) {
	s, err := Find(path, o)
	if err == nil {
		err = s.Reload()
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}
