// Package engine answers the questions of a debugger about recordings: their frames, the
// events of a frame, the input and the result of a draw, the reasons for a pixel's
// colour, and what a shader computes, instruction by instruction. Questions and answers
// are JSON, with pictures and lists of numbers as bytes behind it; docs/PROTOCOL.md
// describes them. The caller transports them: over HTTP, or as messages of a Web Worker.
//
// The package is our own and may change at any time.
package engine

import (
	"context"
	"errors"
	"fmt"
	"image"
	"runtime"
	"sync/atomic"

	"pica200/assets/picatrace"
	"pica200/pipeline"
	"pica200/replay/drawstate"
	"pica200/shaderunit/asm"
)

// Source is something that is looked into.
type Source struct {
	// Name is shown to who looks; it is not opened.
	Name string
	// Open reads the recording. Names are those of the draws of each frame, where
	// they have any. It is called when the file is first asked for, and again
	// after it was put away for others.
	Open func(ctx context.Context) (t *picatrace.Trace, names [][]string, err error)
	// Version, if not nil, says which state of the file is there now, "" for none; another one
	// than when it was opened means that it was replaced.
	Version func() string
	// Shaders, if not nil, gives the sources of programs, each with those that are
	// assembled together, for the listing. It is called after Open.
	Shaders func() [][]asm.Source
	// Micros, if not nil, gives what the draws of frame 0 took, which is told in place of what they
	// take here.
	Micros func() []int64
	// Remote, if not nil, answers what is asked about the file in the engine's place,
	// with the number of the file as it is here: another build that is compared with.
	Remote func(ctx context.Context, r *Request) (*Answer, error)
}

// Options say how much an Engine may use.
type Options struct {
	Workers         int   // goroutines that draw, 0 for one per CPU
	CacheBytes      int64 // of what was taken of draws, 0 for DefaultCacheBytes
	CheckpointBytes int64 // of each file, as of pipeline.ReplayerOptions
	openFiles       int   // that are held at a time, 0 for DefaultOpenFiles
	Strict          bool  // as of pipeline.Options
	// Progress, if not nil, is called while frames are replayed on the way to one, with how
	// many of those are done. Otherwise "progress" tells of it.
	Progress func(done, total int)

	// Scenes draws scenes from texts, for the playground; nil where that is not possible.
	Scenes Scenes
	// Blame compares a screenshot, a PNG file, with a frame (replay/blame); what is the
	// screen that it shows, "" where that is to be found out. nil where that is not possible.
	Blame func(ctx context.Context, r *pipeline.Replayer, shot []byte, frame int, what string) (report any, difference *image.NRGBA, err error)
}

// Scenes draws scenes from texts, one of them scene.yaml. Times are nil for the scene's own.
type Scenes interface {
	Draw(ctx context.Context, files map[string]string, t *float64) (*Answer, error)
	Make(ctx context.Context, what string, files map[string]string, t *float64) (*Answer, error)
	Trace(ctx context.Context, files map[string]string, t *float64) (*picatrace.Trace, [][]string, error)
	Shaders(files map[string]string) [][]asm.Source // as of Source
}

// The bounds of an Engine that is not told otherwise.
const (
	DefaultCacheBytes = 128 << 20
	DefaultOpenFiles  = 2
)

// Engine answers requests about its sources. Its methods may be called from
// several goroutines; requests are worked on one after the other.
type Engine struct {
	sources []Source
	options Options

	turn  turns
	done  atomic.Int64 // frames that are replayed for the request that is worked on
	total atomic.Int64
	files []*file // that are open, the one that was used last at the end
	cache cache
}

// New makes an engine. Nothing is read before it is asked for.
func New(o Options, sources ...Source) *Engine {
	if o.CacheBytes == 0 {
		o.CacheBytes = DefaultCacheBytes
	}
	if o.openFiles <= 0 {
		o.openFiles = DefaultOpenFiles
	}
	return &Engine{sources: sources, options: o, cache: cache{bound: o.CacheBytes}}
}

// file is an open source.
type file struct {
	*pipeline.Replayer
	index   int
	names   [][]string
	version string // of the source, when it was opened
}

// version is the state of a source that is there now, "" for none that is known.
func (e *Engine) version(index int) string {
	if of := e.sources[index].Version; of != nil {
		return of()
	}
	return ""
}

// replaced reports whether there is another state of a file than the one that is open.
func (e *Engine) replaced(f *file) bool {
	now := e.version(f.index)
	return now != "" && now != f.version
}

// Close closes the files that are open; no request may be under way. The engine opens
// a file again when it is asked about it.
func (e *Engine) Close() {
	for len(e.files) > 0 {
		e.drop(0)
	}
}

// drop closes a file that is open, number i of them.
func (e *Engine) drop(i int) {
	gone := e.files[i]
	e.files = append(e.files[:i], e.files[i+1:]...)
	e.cache.forget(gone.index)
	gone.GPU.Close()
	runtime.GC() // its checkpoints may be hundreds of megabytes
}

// name is what a scene calls a draw.
func (f *file) name(frame, draw int) string {
	if frame < len(f.names) && draw < len(f.names[frame]) {
		return f.names[frame][draw]
	}
	return ""
}

// open gives the file of a request.
func (e *Engine) open(ctx context.Context, index int) (*file, error) {
	if index < 0 || index >= len(e.sources) {
		return nil, badf("there is no file %d; there are %d, from 0 on", index, len(e.sources))
	}
	for i, f := range e.files {
		if f.index == index {
			e.files = append(append(e.files[:i:i], e.files[i+1:]...), f)
			return f, nil
		}
	}
	if len(e.files) >= e.options.openFiles {
		e.drop(0)
	}
	if e.sources[index].Open == nil {
		return nil, badf("%s is not asked about that here", e.sources[index].Name)
	}
	version := e.version(index)
	t, names, err := e.sources[index].Open(ctx)
	if err != nil {
		return nil, err
	}
	r, err := pipeline.NewReplayer(t, pipeline.ReplayerOptions{
		Options:         pipeline.Options{Workers: e.options.Workers, Strict: e.options.Strict},
		CheckpointBytes: e.options.CheckpointBytes,
	})
	if err != nil {
		return nil, err
	}
	r.Progress = func(done, total int) {
		e.done.Store(int64(done))
		e.total.Store(int64(total))
		if e.options.Progress != nil {
			e.options.Progress(done, total)
		}
	}
	f := &file{r, index, names, version}
	e.files = append(e.files, f)
	return f, nil
}

// frame checks the frame of a request.
func (f *file) frame(n int) error {
	switch total := f.Frames(); {
	case total == 0:
		return badf("there is no frame %d: the recording has none", n)
	case n < 0 || n >= total:
		return badf("there is no frame %d; the recording has %d, 0 to %d", n, total, total-1)
	}
	return nil
}

// The kinds of errors, as the protocol has them.
const (
	CodeRequest = "request" // the request is wrong: no such file, frame, draw, name
	CodeFailed  = "failed"  // the recording or the work is at fault
	CodeYielded = "yielded" // work in the background made room for other work; ask again
	CodeStopped = "stopped" // who asked has gone
)

// Error is an error with its kind.
type Error struct {
	Code string `json:"code"`
	Text string `json:"error"`
}

func (e *Error) Error() string { return e.Text }

func badf(format string, args ...any) error {
	return &Error{CodeRequest, fmt.Sprintf(format, args...)}
}

// errYielded is the cause of a context of background work that had to make room.
var errYielded = &Error{CodeYielded, "other work came first; ask again"}

// ErrorOf gives any error of Do as one of the protocol.
func ErrorOf(err error) *Error {
	var e *Error
	var none *pipeline.NoDrawError
	var noMove *drawstate.NoMoveError
	switch {
	case errors.As(err, &e):
		return e
	case errors.As(err, &none):
		return &Error{CodeRequest, none.Error()}
	case errors.As(err, &noMove):
		return &Error{CodeRequest, noMove.Error()}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return &Error{CodeStopped, "the work was ended before it was done"}
	}
	return &Error{CodeFailed, err.Error()}
}
