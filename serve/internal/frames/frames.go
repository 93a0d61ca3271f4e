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
	var out bytes.Buffer
	w, err := picatrace.NewWriter(&out, base.Meta, base.Initial, picatrace.WriterOptions{})
	if err != nil {
		return nil, err
	}
	f, err := base.Frame(0)
	if err != nil {
		return nil, err
	}
	for _, e := range f.Events {
		if err := w.Add(e); err != nil {
			return nil, err
		}
	}
	var list pica.CommandWriter
	list.Write(pica.RegNumvertices, 1)
	for range draws {
		list.Write(pica.RegDrawelements, 1)
	}
	list.Finish()
	data := list.Bytes()
	if err := w.Load(at, data); err != nil {
		return nil, err
	}
	if err := w.Add(picatrace.Event{Kind: picatrace.List, Words: [7]uint32{at, uint32(len(data))}}); err != nil {
		return nil, err
	}
	if err := w.EndFrame(); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}
