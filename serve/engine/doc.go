// Package engine answers the questions of a debugger about recordings: their frames, the
// events of a frame, the input and the result of a draw, the reasons for a pixel's
// colour, and what a shader computes, instruction by instruction. Questions and answers
// are JSON, with pictures and lists of numbers as bytes behind it; docs/PROTOCOL.md
// describes them. The caller transports them: over HTTP, or as messages of a Web Worker.
//
// The package is internal to pica200 and may change at any time.
package engine

import (
	"context"
	"errors"
	"fmt"
	"image"
	"runtime"
	"sync/atomic"

	"pica200/assets/picatrace"
	"pica200/explain/drawstate"
	"pica200/pipeline"
	"pica200/shaderunit/asm"
)

// Source is a file that can be examined.
type Source struct {
	// Name is shown to users; it is not opened.
	Name string
	// Open reads the recording. names are those of the draws of each frame, if they
	// have any. It is called when the file is first needed, and again after it was
	// closed to make room for others.
	Open func(ctx context.Context) (t *picatrace.Trace, names [][]string, err error)
	// Version, if not nil, returns an identifier of the file's current contents, ""
	// if there is none. If it differs from that at opening, the file was replaced.
	Version func() string
	// Shaders, if not nil, returns the sources of programs, grouped by programs
	// that are assembled together, for listings. It is called after Open.
	Shaders func() [][]asm.Source
	// Micros, if not nil, returns the times of the draws of frame 0, which are
	// reported in place of measured ones.
	Micros func() []int64
	// Remote, if not nil, answers requests about the file in place of the engine,
	// with the file's number in this engine. It is used for another build to
	// compare with.
	Remote func(ctx context.Context, r *Request) (*Answer, error)
}

// Options configure an Engine.
type Options struct {
	Workers         int   // goroutines that draw, 0 for one per CPU
	CacheBytes      int64 // bound of cached results, 0 for defaultCacheBytes
	CheckpointBytes int64 // for each file, as in pipeline.ReplayerOptions
	openFiles       int   // number of files that stay open, 0 for defaultOpenFiles
	Strict          bool  // as in pipeline.Options
	// Progress, if not nil, is called while frames are replayed for a request, with
	// the number done. Otherwise the request "progress" returns it.
	Progress func(done, total int)

	// Scenes draws scenes from texts, for the playground; may be nil.
	Scenes Scenes
	// Blame compares a screenshot, a PNG file, with a frame (package blame); what
	// is the screen that it shows, "" to detect it. It may be nil.
	Blame func(ctx context.Context, r *pipeline.Replayer, shot []byte, frame int, what string) (report any, difference *image.NRGBA, err error)
}

// Scenes draws scenes from texts, one of which is scene.yaml. A nil time means
// the scene's own.
type Scenes interface {
	Draw(ctx context.Context, files map[string]string, t *float64) (*Answer, error)
	Make(ctx context.Context, what string, files map[string]string, t *float64) (*Answer, error)
	Trace(ctx context.Context, files map[string]string, t *float64) (*picatrace.Trace, [][]string, error)
	Shaders(files map[string]string) [][]asm.Source // as in Source
}

// Default bounds of an Engine.
const (
	defaultCacheBytes = 128 << 20
	defaultOpenFiles  = 2
)

// Engine answers requests about its sources. Its methods may be called
// concurrently; requests are executed one after the other.
type Engine struct {
	sources []Source
	options Options

	gate  requestGate
	done  atomic.Int64 // frames replayed for the current request
	total atomic.Int64
	files []*file // open files, the most recently used last
	cache cache
}

// New makes an engine. Sources are read when they are needed.
func New(o Options, sources ...Source) *Engine {
	if o.CacheBytes == 0 {
		o.CacheBytes = defaultCacheBytes
	}
	if o.openFiles <= 0 {
		o.openFiles = defaultOpenFiles
	}
	return &Engine{sources: sources, options: o, cache: cache{bound: o.CacheBytes}}
}

// file is an open source.
type file struct {
	*pipeline.Replayer
	index   int
	names   [][]string
	version string // Source.Version when it was opened
}

// version returns the current Version of a source.
func (e *Engine) version(index int) string {
	if of := e.sources[index].Version; of != nil {
		return of()
	}
	return ""
}

// replaced reports whether the contents of a file differ from those that are
// open.
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

// drop closes open file i.
func (e *Engine) drop(i int) {
	gone := e.files[i]
	e.files = append(e.files[:i], e.files[i+1:]...)
	e.cache.forget(gone.index)
	gone.GPU.Close()
	runtime.GC() // its checkpoints may be hundreds of megabytes
}

// name returns the name of a draw in a scene.
func (f *file) name(frame, draw int) string {
	if frame < len(f.names) && draw < len(f.names[frame]) {
		return f.names[frame][draw]
	}
	return ""
}

// open returns the file of a request, and opens it if needed.
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
		return nil, badf("%s cannot answer this request", e.sources[index].Name)
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

// frame checks the frame number of a request.
func (f *file) frame(n int) error {
	if err := picatrace.CheckFrame(n, f.Frames()); err != nil {
		return badf("%v", err)
	}
	return nil
}

// The error codes of the protocol.
const (
	CodeRequest = "request" // the request is invalid: no such file, frame, draw, name
	CodeFailed  = "failed"  // an error of the recording or of the work
	CodeYielded = "yielded" // background work made room for other work; ask again
	CodeStopped = "stopped" // the client has gone
)

// Error is an error with a code.
type Error struct {
	Code string `json:"code"`
	Text string `json:"error"`
}

func (e *Error) Error() string { return e.Text }

func badf(format string, args ...any) error {
	return &Error{CodeRequest, fmt.Sprintf(format, args...)}
}

// errYielded is the cause with which contexts of background work are cancelled
// to make room.
var errYielded = &Error{CodeYielded, "other work came first; repeat the request"}

// ErrorOf converts any error of Do to one of the protocol.
func ErrorOf(err error) *Error {
	var e *Error
	var none *pipeline.NoDrawError
	var noMove *drawstate.NoMoveError
	var noRun *drawstate.NoRunError
	switch {
	case errors.As(err, &e):
		return e
	case errors.As(err, &none):
		return &Error{CodeRequest, none.Error()}
	case errors.As(err, &noMove):
		return &Error{CodeRequest, noMove.Error()}
	case errors.As(err, &noRun):
		return &Error{CodeRequest, noRun.Error()}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return &Error{CodeStopped, "the work was cancelled"}
	}
	return &Error{CodeFailed, err.Error()}
}
