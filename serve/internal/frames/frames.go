// Package frames makes recordings for the tests of serve that are too large to be files.
package frames

import (
	"bytes"

	"pica200/assets/picatrace"
	"pica200/pica"
)

// ManyDraws makes a recording of one frame: the first of base, followed by that many draws of
// one vertex each, which draw nothing.
func ManyDraws(base *picatrace.Trace, draws int) ([]byte, error) {
	const at = 0x20400000 // where base has nothing
	return repeated(base, 1, func(w *picatrace.Writer) error {
		var list pica.CommandWriter
		list.Write(pica.RegNumvertices, 1)
		for range draws {
			list.Write(pica.RegDrawelements, 1)
		}
		list.Finish()
		data := list.Bytes()
		if err := w.Load(at, data); err != nil {
			return err
		}
		return w.Add(picatrace.Event{Kind: picatrace.List, Words: [7]uint32{at, uint32(len(data))}})
	})
}

// ManyFrames makes a recording that repeats the first frame of base count times.
func ManyFrames(base *picatrace.Trace, count int) ([]byte, error) {
	return repeated(base, count, func(*picatrace.Writer) error { return nil })
}

// repeated writes frames: the first of base, and what more adds.
func repeated(base *picatrace.Trace, count int, more func(*picatrace.Writer) error) ([]byte, error) {
	var out bytes.Buffer
	w, err := picatrace.NewWriter(&out, base.Meta, base.Initial, picatrace.WriterOptions{})
	if err != nil {
		return nil, err
	}
	f, err := base.Frame(0)
	if err != nil {
		return nil, err
	}
	for range count {
		for _, e := range f.Events {
			if err := w.Add(e); err != nil {
				return nil, err
			}
		}
		if err := more(w); err != nil {
			return nil, err
		}
		if err := w.EndFrame(); err != nil {
			return nil, err
		}
	}
	err = w.Close()
	return out.Bytes(), err
}
