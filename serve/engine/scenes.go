package engine

import (
	"context"

	"pica200/assets/picatrace"
	"pica200/shaderunit/asm"
)

// scenes returns Options.Scenes, or an error if there is none.
func (e *Engine) scenes() (Scenes, error) {
	if e.options.Scenes == nil {
		return nil, badf("this engine draws no scenes from texts; that of the playground does")
	}
	return e.options.Scenes, nil
}

// opScene draws a scene from texts.
func (e *Engine) opScene(ctx context.Context, r *Request) (*Answer, error) {
	s, err := e.scenes()
	if err != nil {
		return nil, err
	}
	return s.Draw(ctx, r.Files, r.Time)
}

// opMake makes a file of a scene.
func (e *Engine) opMake(ctx context.Context, r *Request) (*Answer, error) {
	s, err := e.scenes()
	if err != nil {
		return nil, err
	}
	return s.Make(ctx, r.What, r.Files, r.Time)
}

// opRecord makes a recording of a scene file 0.
func (e *Engine) opRecord(ctx context.Context, r *Request) (*Answer, error) {
	s, err := e.scenes()
	if err != nil {
		return nil, err
	}
	t, names, err := s.Trace(ctx, r.Files, r.Time)
	if err != nil {
		return nil, err
	}
	e.put(Source{Name: "scene.yaml", Open: func(context.Context) (*picatrace.Trace, [][]string, error) { return t, names, nil },
		Shaders: func() [][]asm.Source { return s.Shaders(r.Files) }})
	draws := 0
	for _, n := range names {
		draws += len(n)
	}
	return &Answer{Value: map[string]any{"frames": len(names), "draws": draws}}, nil
}

// put makes a source file 0, replacing the old one.
func (e *Engine) put(s Source) {
	for i, f := range e.files {
		if f.index == 0 {
			f.GPU.Close()
			e.files = append(e.files[:i], e.files[i+1:]...)
			break
		}
	}
	e.cache.forget(0)
	if len(e.sources) == 0 {
		e.sources = make([]Source, 1)
	}
	e.sources[0] = s
}
