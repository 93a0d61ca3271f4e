package main

import (
	"context"
	"fmt"

	"pica200/scene/source"
)

// find finds an input that can be drawn, "-" for standard input, without reading
// all of it. load reads it.
func (con *console) find(path string, o source.Options) (source.Source, error) {
	if path == "-" {
		var err error
		if o.Data, err = con.read(path); err != nil {
			return nil, err
		}
	}
	return source.Find(inputName(path), o)
}

// load reads an input and prints what of it is not shown.
func (con *console) load(s source.Source, quiet bool) error {
	if err := s.Reload(); err != nil {
		return err
	}
	con.named(s.Info().Files...)
	if !quiet {
		warn(con, s.Warnings())
	}
	return nil
}

// open finds and loads an input.
func (con *console) open(path string, quiet bool, o source.Options) (source.Source, error) {
	s, err := con.find(path, o)
	if err == nil {
		err = con.load(s, quiet)
	}
	return s, err
}

// openRecording opens a recorded trace.
func (con *console) openRecording(path string, o source.Options) (*source.Recording, error) {
	s, err := con.find(path, o)
	if err != nil {
		return nil, err
	}
	rec, ok := s.(*source.Recording)
	if !ok {
		return nil, fmt.Errorf("%s: a recorded trace is expected; it looks like a %s (pica200 trace save records it)", inputName(path), s.Info().Kind)
	}
	return rec, con.load(rec, true)
}

// openReplay opens an input to go through its draws.
func (con *console) openReplay(ctx context.Context, path string, quiet bool, o source.Options) (*source.Recording, error) {
	s, err := con.find(path, o)
	if err != nil {
		return nil, err
	}
	return con.replay(ctx, s, quiet)
}

// replay loads an input to go through its draws: those of a recording, or of
// frames of a scene at some times, its own without any.
func (con *console) replay(ctx context.Context, s source.Source, quiet bool, times ...float64) (*source.Recording, error) {
	if err := con.load(s, quiet); err != nil {
		return nil, err
	}
	r, err := s.Record(ctx, times...)
	if err == nil {
		err = r.Start()
	}
	con.collectOften()
	return r, err
}

// collectOften makes the garbage collector run at a quarter more than what is kept, not at twice: the 128 MB of main memory
// count as kept, and most of it is never written.
func (con *console) collectOften() {
	if con.setGCPercent != nil {
		con.setGCPercent(25)
	}
}
