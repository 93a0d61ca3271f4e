package main

import (
	"context"
	"fmt"

	"pica200/assets/picatrace"
	"pica200/explain/inspect"
	"pica200/pipeline"
	"pica200/scene"
	"pica200/scene/scenebuild"
)

// source is the input of a replay: a trace, or a scene or model, which is drawn
// into one.
type source struct {
	path, as string // the format, "" to detect it
	roots    []string
	times    []float64 // of a scene's frames; nil is one frame at the scene's time
	workers  int
	strict   bool
	quiet    bool
	flag     string // option that needs draws, for messages
}

// traceOf reads a trace, or draws a scene or a model into one. names are those
// of the draws of each frame, if they have any.
func traceOf(ctx context.Context, con *console, s *source) (t *picatrace.Trace, names [][]string, err error) {
	trace, err := s.isTrace(con)
	if err != nil {
		return nil, nil, err
	}
	var data []byte
	if trace {
		if data, err = con.read(s.path); err != nil {
			return nil, nil, err
		}
	} else {
		st, err := openStage(con, s.path, s.roots, s.quiet)
		if err != nil {
			return nil, nil, err
		}
		times := s.times
		if times == nil {
			times = []float64{st.Scene.Time}
		}
		if data, names, err = st.RecordNamed(ctx, times, scenebuild.Options{Workers: s.workers}); err != nil {
			return nil, nil, err
		}
	}
	t, err = picatrace.Parse(data)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", inputName(s.path), err)
	}
	return t, names, nil
}

// isTrace reports whether the input is a trace or can be drawn into one;
// otherwise it returns an error.
func (s *source) isTrace(con *console) (bool, error) {
	as := s.as
	switch {
	case as != "":
	case con.isTrace(s.path):
		return true, nil
	case s.path == "-" || scene.Is(s.path, nil) || scenebuild.IsModel(s.path) || scenebuild.IsShader(s.path):
		return false, nil // its reader will report the error
	default:
		data, err := con.read(s.path)
		if err != nil {
			return false, err
		}
		f, err := inspect.Recognise(data)
		if err != nil {
			return false, fmt.Errorf("%s: %w", inputName(s.path), err)
		}
		as = f.Name
	}
	switch as {
	case "ctf", "picatrace":
		return true, nil
	case "scene", "glb", "gltf", "obj", "cgfx", "cbmd", "bch", "shbin":
		return false, nil
	}
	return false, usagef("%s is for the draws of traces, scenes, models and shaders; %s is of the format %s", s.flag, inputName(s.path), as)
}

// replayed is a trace with a Replayer.
type replayed struct {
	*pipeline.Replayer
	path  string
	names [][]string
}

func openReplay(ctx context.Context, con *console, s *source) (*replayed, error) {
	t, names, err := traceOf(ctx, con, s)
	if err != nil {
		return nil, err
	}
	r, err := pipeline.NewReplayer(t, pipeline.ReplayerOptions{Options: pipeline.Options{Workers: s.workers, Strict: s.strict}})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", inputName(s.path), err)
	}
	return &replayed{r, s.path, names}, nil
}

// name returns the name of a draw in a scene.
func (r *replayed) name(frame, draw int) string {
	if frame < len(r.names) && draw < len(r.names[frame]) {
		return r.names[frame][draw]
	}
	return ""
}

// frame checks a frame number from an option; -1 is the last.
func (r *replayed) frame(n int) (int, error) {
	if n < 0 {
		n = max(0, r.Frames()-1)
	}
	if err := picatrace.CheckFrame(n, r.Frames()); err != nil {
		return 0, fmt.Errorf("%s: %w", inputName(r.path), err)
	}
	return n, nil
}

// draws lists the draws of a frame with their names. With an error it also
// returns the draws before it.
func (r *replayed) draws(ctx context.Context, frame int) ([]pipeline.DrawRecord, error) {
	list, err := r.Draws(ctx, frame)
	for i := range list {
		list[i].Name = r.name(frame, i)
	}
	return list, err
}

// checkDraw checks the number of a draw.
func checkDraw(draw *int) error {
	if draw != nil && *draw < 0 {
		return usagef("--draw must not be negative; draws count from 0")
	}
	return nil
}
