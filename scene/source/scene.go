package source

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"pica200/fragment"
	"pica200/internal/files"
	"pica200/internal/yamldoc"
	"pica200/pipeline"
	"pica200/scene/scenebuild"
)

// Scene is a scene, or a model or shader, for which one is made.
type Scene struct {
	Stage *scenebuild.Stage // nil until it was read
	// Text, if not nil, gets the text of a scene file and returns the one to draw.
	Text func(read []byte) []byte

	path    string
	kind    *Kind
	options Options
	files   []string
	gpu     *pipeline.GPU
	strict  bool             // of gpu
	seen    *scenebuild.Seen // of the last drawing with Request.Watch, at time seenAt
	seenAt  float64
}

func newScene(path string, k *Kind, o Options) Source {
	return &Scene{path: path, kind: k, options: o}
}

// Reload implements Source.
func (s *Scene) Reload() (err error) {
	var st *scenebuild.Stage
	switch {
	case s.options.Data != nil:
		st, err = scenebuild.Parse(s.path, s.options.Data, s.options.Roots...)
	case s.Text != nil && s.kind.Name == "scene":
		var text []byte
		if text, err = files.ReadRegular(s.path, yamldoc.MaxBytes); err == nil {
			st, err = s.kind.LoadText(s.path, s.Text(text), s.options.Roots...)
		}
	default:
		st, err = s.kind.Load(s.path, s.options.Roots...)
	}
	s.files = s.needed(st)
	if err != nil {
		return err
	}
	s.seen = nil
	if s.Stage = st; s.strict != st.Strict() {
		s.Close()
	}
	return nil
}

// Info implements Source.
func (s *Scene) Info() Info {
	info := Info{Kind: s.kind.Name, Path: s.path, Files: s.files}
	if s.Stage != nil {
		sc := s.Stage.Scene
		info.Title, info.About, info.Time, info.Duration = sc.Name, sc.About, sc.Time, s.Stage.Duration()
	}
	return info
}

// GPU returns the GPU that Draw uses.
func (s *Scene) GPU() *pipeline.GPU {
	if s.gpu == nil {
		s.strict = s.Stage.Strict()
		s.gpu = s.Stage.NewGPU(s.stageOptions())
	}
	return s.gpu
}

func (s *Scene) stageOptions() scenebuild.Options {
	return scenebuild.Options{Workers: s.options.Workers, PlainKernels: s.options.PlainKernels}
}

// Close implements Source.
func (s *Scene) Close() {
	if s.gpu != nil {
		s.gpu.Close()
		s.gpu = nil
	}
}

// Warnings implements Source.
func (s *Scene) Warnings() []string { return slices.Concat(s.Stage.Warnings, s.Stage.Notes()) }

// Diagnose returns why draws at time t leave nothing visible
// (scenebuild.Stage.Diagnose).
func (s *Scene) Diagnose(ctx context.Context, t float64) ([]string, error) {
	var err error
	if s.seen != nil && s.seenAt == t {
		err = s.Stage.DiagnoseSeen(ctx, t, s.stageOptions(), s.seen)
	} else {
		err = s.Stage.Diagnose(ctx, t, s.stageOptions())
	}
	s.seen = nil
	return s.Stage.Remarks(), err
}

// Draw implements Source.
func (s *Scene) Draw(ctx context.Context, r *Request) (*Picture, error) {
	st, g := s.Stage, s.GPU()
	g.Reset()
	g.TakeStats()
	hooks := g.Hooks
	defer func() { st.Hooks, g.Hooks, g.View = nil, hooks, fragment.ViewFinal }()
	if st.Hooks = r.Hooks; r.Prepare != nil {
		if err := r.Prepare(g); err != nil {
			return nil, err
		}
	}
	var seen *scenebuild.Seen
	if r.Watch {
		seen, s.seen = st.Watch(ctx, g), nil
	}
	p := &Picture{GPU: g, stereo: st.Scene.Camera.Stereo != nil, screens: []Buffer{Color}}
	before := g.BeforeDraw
	g.BeforeDraw = func(info *pipeline.DrawInfo) error {
		if r.Draws > 0 && p.Draws == r.Draws {
			return scenebuild.ErrStop
		}
		p.Draws++
		if before != nil {
			return before(info)
		}
		return nil
	}
	var err error
	if p.Names, err = st.RenderOn(ctx, g, r.Time); err != nil {
		return nil, s.withLocation(err)
	}
	if r.Watch {
		seen.Names, s.seen, s.seenAt = p.Names, seen, r.Time
	}
	if p.Stats = g.TakeStats(); p.Draws < r.Draws {
		return nil, &pipeline.NoDrawError{Position: pipeline.Position{Draw: r.Draws - 1}, Draws: p.Draws}
	}
	for _, screen := range st.Screens() {
		p.screens = append(p.screens, bufferOf[screen])
	}
	if screen, ok := st.Screen(); ok && slices.Contains(p.screens, bufferOf[screen]) {
		p.main = bufferOf[screen]
	} else {
		p.turned = ok
	}
	return p, nil
}

// withLocation puts the file's name before an error that has no position of its own.
func (s *Scene) withLocation(err error) error {
	var at *yamldoc.Error
	if errors.As(err, &at) {
		return err
	}
	return fmt.Errorf("%s: %w", s.path, err)
}

// Record implements Source.
func (s *Scene) Record(ctx context.Context, times ...float64) (*Recording, error) {
	if len(times) == 0 {
		times = []float64{s.Stage.Scene.Time}
	}
	data, names, err := s.Stage.RecordNamed(ctx, times, s.stageOptions())
	if err != nil {
		return nil, s.withLocation(err)
	}
	rec := &Recording{Data: data, Names: names, path: s.path, options: s.options}
	return rec, rec.Reload()
}
