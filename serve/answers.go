package serve

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"pica200/explain/drawstate"
	"pica200/serve/engine"
)

// maxAnswers bounds the unpacked size of the answers in an exported page.
const maxAnswers = 64 << 20

// includedAnswer is a request whose answer an exported page contains. The page finds it
// by its JSON (page/kept.js).
type includedAnswer struct {
	Op     string        `json:"op"`
	Frame  int           `json:"frame"`
	Draw   int           `json:"draw"`
	Move   int           `json:"move"` // -1 for none
	What   string        `json:"what"`
	X      int           `json:"x"`
	Y      int           `json:"y"`
	Vertex int           `json:"vertex"`
	Count  int           `json:"count"`
	Edits  []engine.Edit `json:"edits"`
}

// asked makes a request whose answer is kept, for a draw or without one.
func asked(op string, draw int, what string) includedAnswer {
	return includedAnswer{Op: op, Draw: draw, Move: -1, What: what, Count: 256, Edits: []engine.Edit{}}
}

// answers asks an engine what the page will ask first, and then for the input
// and result of each draw, so that an exported page shows its first picture
// before its own engine runs, and draws at a click. first is what the page
// needs at the start, rest everything else. Both are packed with gzip. A record
// is the length of the request and of the answer as little-endian 32-bit
// numbers (1<<31 is set for an answer with bytes), the request as JSON, and the
// answer as encoded by engine.Answer.Encode. If a picture has the same length
// as the one before, its bytes are xored with it. known receives what is known
// about the frame.
func answers(ctx context.Context, b *Bug, known *engine.Known) (first, rest []byte, err error) {
	e := engine.New(engine.Options{}, engine.Recorded(b.Name, b.Recording, known))
	defer e.Close()
	p := &packer{ctx: ctx, engine: e}
	for _, op := range []string{"files", "registers", "open", "frame", "thumb", "step"} {
		p.add(asked(op, -1, ""))
	}
	p.add(asked("picture", -1, "screens"))
	frame, err := frameOf(ctx, e)
	if err != nil {
		return nil, nil, err
	}
	for _, i := range frame.Items {
		if i.Kind == "draw" {
			known.Micros = append(known.Micros, i.Micros)
		}
	}
	if err := known.Used(ctx, e, frame.Draws); err != nil {
		return nil, nil, err
	}
	begin, shader := b.begin()
	for _, k := range begin {
		p.add(k)
	}
	run := func(shader includedAnswer) {
		program := shader
		program.Op, program.Vertex, program.Count = "program", 0, 256
		p.add(program)
		p.add(shader)
	}
	if shader.Draw >= 0 {
		run(shader)
	}
	if first, err = p.pack(); err != nil {
		return nil, nil, err
	}
	for draw := 0; draw < frame.Draws; draw += engine.MaxSmall {
		p.add(asked("textures", draw, ""))
	}
	for _, i := range slices.Backward(frame.Items) {
		if p.bytes >= maxAnswers {
			break
		}
		switch i.Kind {
		case "draw":
			p.add(asked("draw", i.Draw, ""))
			p.add(asked("picture", i.Draw, "after"))
		case "fill", "transfer", "copy":
			for _, k := range []includedAnswer{asked("step", -1, ""), asked("picture", -1, "after")} {
				k.Move = i.Move
				p.add(k)
			}
		}
	}
	for _, i := range slices.Backward(frame.Items) { // their shaders, run on the first vertex
		if i.Kind == "draw" && !i.LeftOut && p.bytes < maxAnswers {
			k := asked("run", i.Draw, "vertex")
			k.Count = 65536
			run(k)
		}
	}
	rest, err = p.pack()
	return first, rest, err
}

// edits returns the edits of the frame that the page begins with.
func (b *Bug) edits() []engine.Edit {
	at, _ := url.ParseQuery(b.At)
	edits := map[string][]engine.Edit{}
	if json.Unmarshal([]byte(at.Get("edits")), &edits) != nil || edits["0"] == nil {
		return []engine.Edit{}
	}
	return edits["0"]
}

// begin returns what the page asks for at the position where it begins, and the
// run of a shader there. Invalid parts of the address are ignored, as in the
// page.
func (b *Bug) begin() (list []includedAnswer, shader includedAnswer) {
	at, _ := url.ParseQuery(b.At)
	number := func(name string, none int) int {
		if n, err := strconv.Atoi(at.Get(name)); err == nil {
			return n
		}
		return none
	}
	edits := b.edits()
	draw := number("draw", -1)
	ask := func(op string, draw int, what string) includedAnswer {
		k := asked(op, draw, what)
		k.Move, k.Edits = number("move", -1), edits
		return k
	}
	shader = ask("run", draw, "vertex")
	shader.Vertex, shader.Count = number("vertex", 0), 65536
	if at.Get("unit") == "geometry" {
		shader.What, shader.Vertex = "geometry", number("run", 0)
	}
	if b.At == "" {
		return nil, shader
	}
	if len(edits) > 0 {
		k := ask("frame", -1, "")
		k.Move = -1
		list = append(list, k)
	}
	list = append(list, ask("picture", draw, at.Get("picture")), ask(map[bool]string{true: "draw", false: "step"}[draw >= 0], draw, ""))
	pixel := strings.Split(at.Get("pixel"), ",")
	if n := len(pixel); n == 2 || n == 3 {
		k := ask("history", draw, strings.Join(pixel[:n-2], ""))
		k.Count, k.Move = 1000, -1
		var errX, errY error
		k.X, errX = strconv.Atoi(pixel[n-2])
		if k.Y, errY = strconv.Atoi(pixel[n-1]); errX == nil && errY == nil {
			list = append(list, k)
		}
	}
	return list, shader
}

// frameOf is the answer to "frame" of the first frame.
func frameOf(ctx context.Context, e *engine.Engine) (frame struct {
	Draws int
	Items []drawstate.Item
}, err error) {
	return frame, read(ctx, e, &engine.Request{Op: "frame"}, &frame)
}

// read asks the engine as a page does.
func read(ctx context.Context, e *engine.Engine, r *engine.Request, to any) error {
	a, err := e.Do(ctx, r)
	if err != nil {
		return err
	}
	data, err := json.Marshal(a.Value)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, to)
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
func (p *packer) add(k includedAnswer) {
	if p.err != nil {
		return
	}
	r := &engine.Request{Op: k.Op, Frame: k.Frame, Draw: k.Draw, What: k.What, X: k.X, Y: k.Y, Vertex: k.Vertex, Count: k.Count, Edits: k.Edits}
	if k.Move >= 0 {
		r.Move = &k.Move
	}
	a, err := p.engine.Do(p.ctx, r)
	if err != nil {
		p.err = p.ctx.Err()
		return
	}
	var key bytes.Buffer
	enc := json.NewEncoder(&key)
	enc.SetEscapeHTML(false) // as the page writes it
	if err := enc.Encode(k); err != nil {
		p.err = err
		return
	}
	key.Truncate(key.Len() - 1)
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
	p.out.Write(binary.LittleEndian.AppendUint32(nil, uint32(key.Len())))
	p.out.Write(binary.LittleEndian.AppendUint32(nil, length))
	p.out.Write(key.Bytes())
	p.out.Write(data)
	p.bytes += len(data)
}

// pack returns what was added since the last time.
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
