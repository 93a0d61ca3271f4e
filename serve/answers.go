package serve

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"encoding/json"
	"slices"

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
	Move  int    `json:"move"` // -1 for none
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
	for _, op := range []string{"files", "registers", "open", "frame", "thumb", "step"} {
		p.add(kept{op, 0, -1, -1, ""})
	}
	p.add(kept{"picture", 0, -1, -1, "screens"})
	frame, err := frameOf(ctx, e)
	if err != nil {
		return nil, nil, err
	}
	if first, err = p.pack(); err != nil {
		return nil, nil, err
	}
	for _, i := range slices.Backward(frame.Items) {
		if p.bytes >= maxAnswers {
			break
		}
		switch i.Kind {
		case "draw":
			p.add(kept{"draw", 0, i.Draw, -1, ""})
			p.add(kept{"picture", 0, i.Draw, -1, "after"})
		case "fill", "transfer", "copy":
			p.add(kept{"step", 0, -1, i.Move, ""})
			p.add(kept{"picture", 0, -1, i.Move, "after"})
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
	r := &engine.Request{Op: k.Op, Frame: k.Frame, Draw: k.Draw, What: k.What}
	if k.Move >= 0 {
		r.Move = &k.Move
	}
	a, err := p.engine.Do(p.ctx, r)
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
