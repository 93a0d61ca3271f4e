package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"pica200/explain/drawstate"
	"pica200/pipeline"
)

// DrawRef is a draw of another file, to compare with.
type DrawRef struct {
	File  int `json:"file"`
	Frame int `json:"frame"`
	Draw  int `json:"draw"`
}

// sub makes another request within a request; the source may answer it itself.
func (e *Engine) sub(ctx context.Context, r *Request) (*Answer, error) {
	if remote := e.remote(r); remote != nil {
		return remote(ctx, r)
	}
	return opByName[r.Op].run(e, ctx, r)
}

// remote returns the function that answers requests for a file in place of the
// engine, nil for none.
func (e *Engine) remote(r *Request) func(context.Context, *Request) (*Answer, error) {
	op := opByName[r.Op]
	if op == nil || op.own || r.File < 0 || r.File >= len(e.sources) {
		return nil
	}
	return e.sources[r.File].Remote
}

// as returns the value of an answer as a type; sources that answer themselves
// return JSON.
func as[T any](a *Answer) (v T, err error) {
	if v, ok := a.Value.(T); ok {
		return v, nil
	}
	data, err := json.Marshal(a.Value)
	if err == nil {
		err = json.Unmarshal(data, &v)
	}
	return v, err
}

// compared is the value of the answer to "compare".
type compared struct {
	Picture
	Different int `json:"different"` // pixels
	Largest   int `json:"largest"`   // difference of a channel
}

// opCompare shows where a picture of a draw differs from that of another.
func (e *Engine) opCompare(ctx context.Context, r *Request) (*Answer, error) {
	if r.Other == nil {
		return nil, badf("what to compare with (other) is missing")
	}
	var sides [2]*Answer
	var heads [2]Picture
	for i, at := range []DrawRef{{r.File, r.Frame, r.Draw}, *r.Other} {
		one := &Request{Op: "picture", File: at.File, Frame: at.Frame, Draw: at.Draw, What: r.What, Count: 256}
		if i == 0 {
			one.Edits = r.Edits
		}
		var err error
		if sides[i], err = e.sub(ctx, one); err != nil {
			return nil, err
		}
		if heads[i], err = as[Picture](sides[i]); err != nil {
			return nil, err
		}
	}
	a, b := heads[0], heads[1]
	if a.Width != b.Width || a.Height != b.Height || a.Format != b.Format {
		return nil, badf("the pictures are of different kinds: %dx%d (%s) and %dx%d (%s)", a.Width, a.Height, a.Format, b.Width, b.Height, b.Format)
	}
	if size := 4 * a.Width * a.Height; a.Format != "rgba8" || len(sides[0].Data) != size || len(sides[1].Data) != size {
		return nil, badf("pictures of the format %s are not compared; colours are", a.Format)
	}
	out := compared{Picture: Picture{Width: a.Width, Height: a.Height, Format: "rgba8", Max: 255, Name: "difference"}}
	data := difference(sides[0].Data, sides[1].Data, &out)
	return &Answer{Value: out, Data: data}, nil
}

// difference draws the differences of two pictures of equal size, in red over a
// darkened first picture.
func difference(a, b []byte, out *compared) []byte {
	data := make([]byte, len(a))
	for i := 0; i+4 <= len(a); i += 4 {
		worst := 0
		for c := range 4 {
			worst = max(worst, int(a[i+c])-int(b[i+c]), int(b[i+c])-int(a[i+c]))
		}
		grey := uint8((int(a[i]) + int(a[i+1]) + int(a[i+2])) / 12)
		data[i], data[i+1], data[i+2], data[i+3] = grey, grey, grey, 255
		if worst > 0 {
			out.Different++
			out.Largest = max(out.Largest, worst)
			data[i] = uint8(max(96, worst))
		}
	}
	return data
}

// sumsInfo is the answer to "sums".
type sumsInfo struct {
	Sums []string `json:"sums"` // by draw: SHA-256 of colours and depth after it; "" if it was left out
}

// opSums returns for each draw of a frame a checksum of its target afterwards,
// so that equal targets have equal checksums.
func (e *Engine) opSums(ctx context.Context, r *Request) (*Answer, error) {
	f, err := e.frame(ctx, r)
	if err != nil {
		return nil, err
	}
	key := cacheKey{r.File, r.Frame, 0, "sums"}
	if cached, ok := e.cache.get(key).(*sumsInfo); ok {
		return &Answer{Value: cached}, nil
	}
	info := &sumsInfo{Sums: []string{}}
	err = f.Visit(ctx, pipeline.Position{Frame: r.Frame, Draw: pipeline.FrameEnd}, func(g *pipeline.GPU) error {
		g.BeforeDraw = func(d *pipeline.DrawInfo) error {
			for len(info.Sums) <= d.Index && len(info.Sums) < drawstate.MaxItems {
				info.Sums = append(info.Sums, "")
			}
			return ctx.Err()
		}
		g.AfterDraw = func(d *pipeline.DrawInfo) error {
			t, err := g.LastTarget()
			if err != nil || d.Index >= len(info.Sums) {
				return err
			}
			h := sha256.New()
			_, _ = h.Write(fmt.Appendf(nil, "%dx%d %v %v ", t.Width, t.Height, t.ColorFormat, t.DepthFormat))
			_, _ = h.Write(t.Color) // as it lies in memory
			_, _ = h.Write(t.Depth)
			info.Sums[d.Index] = hex.EncodeToString(h.Sum(nil)[:16])
			return nil
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	e.cache.put(key, info, int64(64+64*len(info.Sums)))
	return &Answer{Value: info}, nil
}

// pair is a draw of one frame and the matching draw of another; -1 for none.
type pair struct {
	Draw  int    `json:"draw"`
	Other int    `json:"other"`
	Name  string `json:"name,omitempty"`
	Same  bool   `json:"same"` // both targets are equal
}

// opPairs matches the draws of two frames.
func (e *Engine) opPairs(ctx context.Context, r *Request) (*Answer, error) {
	if r.Other == nil {
		return nil, badf("what to compare with (other) is missing")
	}
	var draws [2][]drawstate.Item
	var sums [2][]string
	for i, at := range []DrawRef{{r.File, r.Frame, 0}, *r.Other} {
		a, err := e.sub(ctx, &Request{Op: "frame", File: at.File, Frame: at.Frame, Draw: -1})
		if err != nil {
			return nil, err
		}
		frame, err := as[*frameInfo](a)
		if err != nil {
			return nil, err
		}
		for _, item := range frame.Items {
			if item.Kind == "draw" {
				draws[i] = append(draws[i], item)
			}
		}
	}
	places := [2]DrawRef{{r.File, r.Frame, 0}, *r.Other}
	for i := range places {
		var err error
		if sums[i], err = e.sumsOf(ctx, places[i]); err == nil {
			continue
		}
		if said := new(Error); !errors.As(err, &said) || said.Code != CodeRequest {
			return nil, err
		}
		// A build without checksums: compare pictures instead.
		for k := range places {
			if sums[k], err = e.pictureSums(ctx, places[k], draws[k]); err != nil {
				return nil, err
			}
		}
		break
	}
	list, first, different := []pair{}, -1, 0
	for _, p := range align(draws[0], draws[1]) {
		if p.Draw >= 0 && p.Other >= 0 {
			p.Same = p.Draw < len(sums[0]) && p.Other < len(sums[1]) && sums[0][p.Draw] == sums[1][p.Other]
		}
		if !p.Same {
			different++
			if first < 0 {
				first = len(list)
			}
		}
		list = append(list, p)
	}
	return &Answer{Value: map[string]any{"pairs": list, "first": first, "different": different}}, nil
}

// sumsOf asks for the sums of a frame.
func (e *Engine) sumsOf(ctx context.Context, at DrawRef) ([]string, error) {
	a, err := e.sub(ctx, &Request{Op: "sums", File: at.File, Frame: at.Frame, Draw: -1})
	if err != nil {
		return nil, err
	}
	if cached, ok := a.Value.(*sumsInfo); ok {
		return cached.Sums, nil
	}
	info, err := as[sumsInfo](a)
	return info.Sums, err
}

// pictureSums returns sums of what the draws of a frame leave, of their pictures.
func (e *Engine) pictureSums(ctx context.Context, at DrawRef, draws []drawstate.Item) (list []string, err error) {
	for i := range draws {
		sum := ""
		if !draws[i].LeftOut {
			a, err := e.sub(ctx, &Request{Op: "picture", File: at.File, Frame: at.Frame, Draw: draws[i].Draw, What: "after"})
			if err != nil {
				return nil, err
			}
			h := sha256.Sum256(a.Data)
			sum = hex.EncodeToString(h[:16])
		}
		list = append(list, sum)
	}
	return list, nil
}

// maxAligned bounds the draws of frames that are matched by what they draw; in
// larger frames they are matched by number.
const maxAligned = 3000

// align matches draws that draw the same kind of thing, in order: the longest
// common subsequence of their kinds.
func align(a, b []drawstate.Item) (list []pair) {
	kind := func(i *drawstate.Item) string {
		return fmt.Sprint(i.Primitive, i.Vertices, i.Mode, i.Textures, i.Geometry)
	}
	name := func(i *drawstate.Item) string {
		if i.Name != "" {
			return i.Name
		}
		return i.Text
	}
	if len(a) > maxAligned || len(b) > maxAligned {
		for i := range max(len(a), len(b)) {
			p := pair{Draw: -1, Other: -1}
			if i < len(b) {
				p.Other, p.Name = b[i].Draw, name(&b[i])
			}
			if i < len(a) {
				p.Draw, p.Name = a[i].Draw, name(&a[i])
			}
			list = append(list, p)
		}
		return list
	}
	kinds := [2][]string{make([]string, len(a)), make([]string, len(b))}
	for i := range a {
		kinds[0][i] = kind(&a[i])
	}
	for i := range b {
		kinds[1][i] = kind(&b[i])
	}
	// length[i][j] of the longest common sequence of a[i:] and b[j:]
	width := len(b) + 1
	length := make([]uint16, (len(a)+1)*width)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if kinds[0][i] == kinds[1][j] {
				length[i*width+j] = length[(i+1)*width+j+1] + 1
			} else {
				length[i*width+j] = max(length[(i+1)*width+j], length[i*width+j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && kinds[0][i] == kinds[1][j]:
			list = append(list, pair{Draw: a[i].Draw, Other: b[j].Draw, Name: name(&a[i])})
			i, j = i+1, j+1
		case j >= len(b) || i < len(a) && length[(i+1)*width+j] >= length[i*width+j+1]:
			list = append(list, pair{Draw: a[i].Draw, Other: -1, Name: name(&a[i])})
			i++
		default:
			list = append(list, pair{Draw: -1, Other: b[j].Draw, Name: name(&b[j])})
			j++
		}
	}
	return list
}

// opBlame compares a screenshot from elsewhere with a frame, and finds the
// draws that may be the cause of differences.
func (e *Engine) opBlame(ctx context.Context, r *Request) (*Answer, error) {
	if e.options.Blame == nil {
		return nil, badf("this engine compares no screenshots; that of a running program does")
	}
	f, err := e.frame(ctx, r)
	if err != nil {
		return nil, err
	}
	if len(r.Data) == 0 {
		return nil, badf("the screenshot (data) is missing: a PNG file, in base64")
	}
	report, img, err := e.options.Blame(ctx, f.Replayer, r.Data, r.Frame, r.What)
	if err != nil {
		return nil, err
	}
	size := img.Rect.Size()
	return &Answer{Value: struct {
		Picture
		Report any `json:"report"`
	}{Picture{Width: size.X, Height: size.Y, Format: "rgba8", Max: 255, Name: "screenshot"}, report}, Data: img.Pix}, nil
}
