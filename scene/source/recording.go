package source

import (
	"context"
	"fmt"
	"image"

	"pica200/assets/picatrace"
	"pica200/internal/files"
	"pica200/pipeline"
)

// Recording is a recorded trace: a file, or what Record made of another source.
type Recording struct {
	*pipeline.Replayer // goes to any frame and draw; nil before Start or Draw
	Trace              *picatrace.Trace
	// Data is the trace as a CiTrace file, if Record made it.
	Data []byte
	// Names are those of the draws of each frame, if they have any.
	Names [][]string

	path    string
	options Options
	sent    map[uint32]bool // addresses that transfers and copies wrote to since the start
}

func newRecording(path string, _ *Kind, o Options) Source {
	return &Recording{path: path, options: o, Data: o.Data}
}

// inMemory is the size of the largest recording that is read into memory, in bytes.
// Of a longer one the frames are read when they are needed; it fails once its file
// changes. Tests set it.
var inMemory int64 = 32 << 20

// ReadTrace opens a recorded trace and returns its size in bytes. named says that
// the name comes from another file.
func ReadTrace(path string, named bool) (*picatrace.Trace, int64, error) {
	read := files.Read
	if named {
		read = files.ReadRegular
	}
	at, err := files.OpenAt(path)
	head, _ := files.Head(path, int64(len(picatrace.Magic)))
	if err != nil || at.Size() <= inMemory || !picatrace.Is(head) {
		data, err := read(path, files.Max)
		if err != nil {
			return nil, 0, err
		}
		return parseTrace(path, data)
	}
	t, err := picatrace.Open(at, at.Size())
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", path, err)
	}
	return t, at.Size(), nil
}

func parseTrace(path string, data []byte) (*picatrace.Trace, int64, error) {
	t, err := picatrace.Parse(data)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", path, err)
	}
	return t, int64(len(data)), nil
}

// Reload implements Source.
func (s *Recording) Reload() (err error) {
	var t *picatrace.Trace
	if s.Data != nil {
		t, _, err = parseTrace(s.path, s.Data)
	} else {
		t, _, err = ReadTrace(s.path, s.options.Named)
	}
	if err != nil {
		return err
	}
	s.Close()
	s.Trace = t
	return nil
}

// Info implements Source.
func (s *Recording) Info() Info {
	info := Info{Kind: Kinds[0].Name, Path: s.path, Files: []string{s.path}}
	if s.Data != nil {
		info.Files = nil
	}
	if s.Trace != nil {
		info.Frames = s.Trace.Frames()
	}
	return info
}

// Start makes the Replayer, at the start of the recording.
func (s *Recording) Start() error {
	if s.Replayer != nil {
		return nil
	}
	o := pipeline.Options{Workers: s.options.Workers, Strict: s.options.Strict, PlainKernels: s.options.PlainKernels}
	r, err := pipeline.NewReplayer(s.Trace, pipeline.ReplayerOptions{Options: o, CheckpointBytes: s.options.CheckpointBytes})
	if err != nil {
		return fmt.Errorf("%s: %w", s.path, err)
	}
	s.Replayer, s.sent = r, map[uint32]bool{}
	return nil
}

// Close implements Source.
func (s *Recording) Close() {
	if s.Replayer != nil {
		s.GPU.Close()
		s.Replayer = nil
	}
}

// Warnings implements Source.
func (s *Recording) Warnings() (list []string) {
	if s.Replayer != nil {
		for _, w := range s.GPU.Warnings() {
			list = append(list, w.String())
		}
	}
	return list
}

// FrameAt checks the number of a frame, which may be Last.
func (s *Recording) FrameAt(n int) (int, error) {
	frames := s.Trace.Frames()
	if n < 0 {
		n = max(0, frames-1)
	}
	if err := picatrace.CheckFrame(n, frames); err != nil {
		return 0, fmt.Errorf("%s: %w", s.path, err)
	}
	return n, nil
}

// Draw implements Source.
func (s *Recording) Draw(ctx context.Context, r *Request) (*Picture, error) {
	frame, err := s.FrameAt(r.Frame)
	if err == nil {
		err = s.Start()
	}
	if err != nil {
		return nil, err
	}
	if at, ok := s.Position(); !ok || at.Frame > frame {
		clear(s.sent)
	}
	s.GPU.BeforeTransfer = func(t pipeline.Transfer) { s.sent[t.Dst] = true }
	s.GPU.BeforeCopy = func(c pipeline.TextureCopy) { s.sent[c.Dst] = true }
	s.Progress = r.Progress
	if pos := (pipeline.Position{Frame: frame, Draw: r.Draws - 1}); r.Prepare == nil {
		err = s.Seek(ctx, pos)
	} else {
		err = s.Visit(ctx, pos, r.Prepare)
	}
	s.Progress, s.GPU.Hooks = nil, pipeline.Hooks{}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.path, err)
	}
	p := &Picture{GPU: s.GPU, Frame: frame, Stats: s.Stats(), Unsent: s.unsent(), main: Top}
	p.Draws = p.Stats.Draws
	if p.Unsent {
		p.main = Color
	}
	return p, nil
}

// unsent reports whether the top screen is black because nothing was ever sent to
// it, although there is a render target to show instead.
func (s *Recording) unsent() bool {
	shown, other := s.GPU.Framebuffers(pipeline.ScreenTop)
	for at := range s.sent {
		for _, start := range []uint32{shown, other} {
			if at >= start && at-start < screenBytes {
				return false
			}
		}
	}
	_, err := s.GPU.LastTarget()
	return err == nil && black(s.GPU.Screen(pipeline.ScreenTop))
}

// screenBytes is the greatest size of a framebuffer: 800 lines of 240 pixels.
const screenBytes = 800 * 240 * 4

func black(img *image.RGBA) bool {
	for i := 0; i < len(img.Pix); i += 4 {
		if img.Pix[i]|img.Pix[i+1]|img.Pix[i+2] != 0 {
			return false
		}
	}
	return true
}

// Record implements Source.
func (s *Recording) Record(context.Context, ...float64) (*Recording, error) { return s, nil }

// Name returns the name of a draw; "" if it has none.
func (s *Recording) Name(frame, draw int) string {
	if frame < len(s.Names) && draw < len(s.Names[frame]) {
		return s.Names[frame][draw]
	}
	return ""
}

// NamedDraws is pipeline.Replayer.Draws with the names of the draws.
func (s *Recording) NamedDraws(ctx context.Context, frame int) ([]pipeline.DrawRecord, error) {
	list, err := s.Draws(ctx, frame)
	for i := range list {
		list[i].Name = s.Name(frame, i)
	}
	return list, err
}
