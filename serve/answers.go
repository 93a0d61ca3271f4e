package serve

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"encoding/json"

	"pica200/assets/picatrace"
	"pica200/serve/engine"
)

// maxAnswers bounds the bytes of answers that an exported page carries, unpacked.
const maxAnswers = 64 << 20

// kept is a request whose answer an exported page carries. Its JSON is what the page
// finds it by (page/kept.js).
type kept struct {
	Op    string `json:"op"`
	Frame int    `json:"frame"`
	Draw  int    `json:"draw"`
	What  string `json:"what"`
}

// answers asks an engine, here and now, what a page will ask first, and then what each
// draw is given and leaves, so that an exported page shows its first picture before its
// own engine runs, and draws at a click. first is what the page begins with. Both are
// records packed with gzip: the lengths of the request, as little-endian 32-bit
// numbers, and of the answer with 1<<31 for one that has bytes, the request as JSON, and
// the answer as engine.Answer.Encode has it; the bytes of a picture that is as long as
// the one before are given as the difference to it, by exclusive or.
func answers(ctx context.Context, name string, recording []byte) (first, rest []byte, err error) {
	e := engine.New(engine.Options{CacheBytes: -1}, engine.Source{Name: name, Open: func(context.Context) (*picatrace.Trace, [][]string, error) {
		t, err := picatrace.Parse(recording)
		return t, nil, err
	}})
	p := &packer{ctx: ctx, engine: e}
	begin := []kept{{"files", 0, -1, ""}, {"registers", 0, -1, ""}, {"open", 0, -1, ""}, {"frame", 0, -1, ""}, {"thumb", 0, -1, ""}}
	for _, r := range begin {
		p.add(r)
	}
	frame, err := frameOf(ctx, e)
	if err != nil {
		return nil, nil, err
	}
	last := -1
	var draws []int
	for _, i := range frame.Items {
		if i.Kind == "draw" {
			draws = append(draws, i.Draw)
			if !i.LeftOut {
				last = i.Draw
			}
		}
	}
	of := func(draw int) {
		p.add(kept{"draw", 0, draw, ""})
		p.add(kept{"picture", 0, draw, "after"})
	}
	if last >= 0 {
		of(last)
	}
	if first, err = p.pack(); err != nil {
		return nil, nil, err
	}
	for i := len(draws) - 1; i >= 0 && p.bytes < maxAnswers; i-- {
		if draws[i] != last {
			of(draws[i])
		}
	}
	rest, err = p.pack()
	return first, rest, err
}

// frameOf is the answer to "frame" of the first frame.
func frameOf(ctx context.Context, e *engine.Engine) (frame struct{ Items []engine.Item }, err error) {
	a, err := e.Do(ctx, &engine.Request{Op: "frame"})
	if err != nil {
		return frame, err
	}
	data, err := json.Marshal(a.Value)
	if err != nil {
		return frame, err
	}
	return frame, json.Unmarshal(data, &frame)
}

// packer packs answers.
type packer struct {
	ctx    context.Context
	engine *engine.Engine

	out   bytes.Buffer
	bytes int    // of all answers
	last  []byte // of the picture before, in this pack
	err   error
}

// add asks and packs. What cannot be answered is left to the page's own engine.
func (p *packer) add(k kept) {
	if p.err != nil {
		return
	}
	a, err := p.engine.Do(p.ctx, &engine.Request{Op: k.Op, Frame: k.Frame, Draw: k.Draw, What: k.What})
	if err != nil {
		p.err = p.ctx.Err()
		return
	}
	key, err := json.Marshal(k)
	if err != nil {
		p.err = err
		return
	}
	data, binaryToo, err := a.Encode()
	if err != nil {
		p.err = err
		return
	}
	length := uint32(len(data))
	if binaryToo {
		length |= 1 << 31
		picture := bytes.Clone(a.Data)
		if len(p.last) == len(picture) {
			at := data[len(data)-len(picture):]
			for i, b := range p.last {
				at[i] ^= b
			}
		}
		p.last = picture
	}
	p.out.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(key))))
	p.out.Write(binary.LittleEndian.AppendUint32(nil, length))
	p.out.Write(key)
	p.out.Write(data)
	p.bytes += len(data)
}

// pack gives what was added since the last time.
func (p *packer) pack() ([]byte, error) {
	if p.err != nil {
		return nil, p.err
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(p.out.Bytes()); err != nil {
		return nil, err
	}
	p.out.Reset()
	p.last = nil
	err = w.Close()
	return packed.Bytes(), err
}
