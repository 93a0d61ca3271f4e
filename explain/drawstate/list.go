package drawstate

import (
	"cmp"
	"fmt"
	"image"
	"time"

	"pica200/explain"
	"pica200/explain/rows"
	"pica200/internal/plural"
	"pica200/pica"
	"pica200/pipeline"
)

// List is what a frame does, as shown in the lists of window and browser.
type List struct {
	Items  []Item
	Passes []Pass
	Draws  []pipeline.DrawRecord // one for each
	Thumbs [][]*image.RGBA       // of the textures of each draw, if Thumbs.Follow was called too

	gpu       *pipeline.GPU
	transfers []pipeline.Transfer
}

// Item is one operation of a frame; items are in execution order.
type Item struct {
	Kind  string `json:"kind"`            // list, draw, fill, transfer, copy, load; the last one is end
	Label string `json:"label,omitempty"` // its name
	Text  string `json:"text,omitempty"`  // its description

	Draw int `json:"draw"`           // number of the draw; for other items, the number of draws before
	Move int `json:"move,omitempty"` // of fills, transfers and copies: their number in the frame
	// Pass is the pass of a draw. Items between draws of one pass have it too, and
	// are Inside.
	Pass   int  `json:"pass,omitempty"`
	Inside bool `json:"inside,omitempty"`
	// Of draws: more columns, and the numbers by which lists are filtered and
	// sorted.
	Mark      rows.Mark `json:"mark,omitempty"`
	Name      string    `json:"name,omitempty"`
	Shader    string    `json:"shader,omitempty"` // its sources, or where the program begins
	Primitive string    `json:"primitive,omitempty"`
	Geometry  bool      `json:"geometry,omitempty"` // a geometry shader runs
	Mode      string    `json:"mode,omitempty"`     // if it is not the default
	Vertices  int       `json:"vertices,omitempty"`
	Triangles int       `json:"triangles,omitempty"` // that were assembled
	Drawn     int       `json:"drawn,omitempty"`     // triangles that reached the rasterizer
	Pixels    uint64    `json:"pixels,omitempty"`
	Textures  string    `json:"textures,omitempty"`
	Target    string    `json:"target,omitempty"` // colours of the target
	Micros    int64     `json:"us,omitempty"`     // measured time
	LeftOut   bool      `json:"left_out,omitempty"`

	Shown *Shown `json:"shown,omitempty"` // of a transfer: how a screen shows its output
}

// Pass is a run of draws to one target.
type Pass struct {
	Text   string `json:"text"`
	Draws  int    `json:"draws"`
	Pixels uint64 `json:"pixels"`
	Micros int64  `json:"us"`
	Shown  *Shown `json:"shown,omitempty"` // how a screen shows the target; nil if no transfer of the frame shows it
}

// Shown says how a screen shows a picture in memory, which lies on its side:
// its lines are columns of the screen, and its first pixels are at the bottom.
type Shown struct {
	Screen string `json:"screen,omitempty"` // "" if it is in no framebuffer of a screen at the end of the frame
	Line   int    `json:"line,omitempty"`   // the first line that is shown
	Width  int    `json:"width"`            // of what is shown, in pixels of the screen
	Height int    `json:"height"`
	Scale  [2]int `json:"scale"`          // columns and lines of the picture for one of the screen
	Flip   bool   `json:"flip,omitempty"` // the last line is the leftmost column, not the first
}

// Line is an item in a line.
func (i *Item) Line() string { return i.Label + ": " + i.Text }

// of fills in the fields of a draw.
func (i *Item) of(d *pipeline.DrawRecord, shader string) {
	r := explain.DrawRow(d)
	i.Label, i.Text, i.Mark, i.Name, i.Pass, i.Primitive, i.Geometry = r.Name(), r.Text(), r.Mark, d.Name, d.Pass, d.Primitive, d.GeometryEntry >= 0
	i.Vertices, i.Triangles, i.Drawn, i.Pixels, i.LeftOut = d.Vertices, d.Geometry.Primitives, d.Geometry.Triangles, d.Fragments, d.LeftOut
	i.Shader = "shader " + cmp.Or(shader, "at "+r.Get("entry").(string))
	i.Target, i.Textures = r.Get("target").(string), r.Get("textures").(string)
	if d.Mode != pica.FragmentModeDefault.String() {
		i.Mode = d.Mode
	}
}

// MaxItems bounds the items of a frame.
const MaxItems = 1 << 18

// Follow sets hooks of a GPU that list what is done from now on in the frame.
// Call it in the function given to Replayer.Visit. names returns the name of a
// draw and of its programs, "" if unknown; now is the clock, nil for the usual
// one. Call End at the end of the frame.
func (l *List) Follow(g *pipeline.GPU, frame int, names func(draw int) (name, shader string), now func() time.Time) {
	if now == nil {
		now = time.Now
	}
	was := g.Hooks
	add := func(i Item) {
		if len(l.Items) < MaxItems {
			l.Items = append(l.Items, i)
		}
	}
	loads, loaded, at := 0, 0, -1
	g.BeforeLoad = func(addr uint32, n int) {
		// Changed memory comes in hundreds of pages; a run of them becomes one item.
		if loads == 0 || at != len(l.Items)-1 {
			loads, loaded, at = 0, 0, len(l.Items)
			add(Item{Kind: "load", Label: "memory", Draw: len(l.Draws)})
		}
		loads, loaded = loads+1, loaded+n
		if at < len(l.Items) {
			l.Items[at].Text = plural.Of(loaded, "byte") + " in " + plural.Of(loads, "piece")
		}
		if was.BeforeLoad != nil {
			was.BeforeLoad(addr, n)
		}
	}
	g.BeforeList = func(addr, n uint32) {
		add(Item{Kind: "list", Label: "list", Text: fmt.Sprintf("%s at 0x%08X", plural.Of(int(n), "byte"), addr), Draw: len(l.Draws)})
		if was.BeforeList != nil {
			was.BeforeList(addr, n)
		}
	}
	l.gpu = g
	moves := 0
	onMove(g, func(m pipeline.Move) {
		row := explain.MoveRow(m)
		add(Item{Kind: row.Label, Label: row.Label, Text: row.Text(), Draw: len(l.Draws), Move: moves})
		moves++
		if t, ok := m.(pipeline.Transfer); ok && len(l.transfers) < MaxItems {
			l.transfers = append(l.transfers, t)
		}
	})

	// The item of a draw is filled in before it is drawn, and again after it.
	pipeline.ListDraws(g, frame, &l.Draws)
	before, after, index, shader := g.BeforeDraw, g.AfterDraw, -1, ""
	var start time.Time
	fill := func() *Item {
		if index < 0 {
			return &Item{}
		}
		l.Items[index].of(&l.Draws[len(l.Draws)-1], shader)
		return &l.Items[index]
	}
	g.BeforeDraw = func(d *pipeline.DrawInfo) error {
		err := before(d)
		n := len(l.Draws) - 1
		l.Draws[n].Name, shader = names(n)
		if index = -1; len(l.Items) < MaxItems {
			index = len(l.Items)
		}
		add(Item{Kind: "draw", Draw: d.Index})
		fill()
		start = now()
		return err
	}
	g.AfterDraw = func(d *pipeline.DrawInfo) error {
		took := now().Sub(start).Microseconds()
		err := after(d)
		fill().Micros = took
		return err
	}
}

// moved returns a hook that reports a move and calls the previous hook.
func moved[M pipeline.Move](tell func(pipeline.Move), was func(M)) func(M) {
	return func(m M) {
		if tell(m); was != nil {
			was(m)
		}
	}
}

// SetMicros sets the times of the draws, if they were measured elsewhere.
func (l *List) SetMicros(took []int64) {
	for i := range l.Items {
		if one := &l.Items[i]; one.Kind == "draw" && one.Draw < len(took) {
			one.Micros = took[one.Draw]
		}
	}
}

// End adds the end of the frame, and assigns items to passes.
func (l *List) End() {
	last := map[int]int{} // draws of each pass, by their positions in Items
	for i := range l.Items {
		one := &l.Items[i]
		if one.Kind != "draw" {
			continue
		}
		for len(l.Passes) <= one.Pass {
			l.Passes = append(l.Passes, Pass{})
		}
		p := &l.Passes[one.Pass]
		if p.Draws++; p.Draws == 1 {
			p.Text = fmt.Sprintf("pass %d: %v", one.Pass, l.Draws[one.Draw].Target)
		} else {
			for k := last[one.Pass] + 1; k < i; k++ {
				l.Items[k].Pass, l.Items[k].Inside = one.Pass, true
			}
		}
		p.Pixels, p.Micros = p.Pixels+one.Pixels, p.Micros+one.Micros
		last[one.Pass] = i
	}
	l.show()
	l.Items = append(l.Items, Item{Kind: "end", Label: "end", Text: "what the screens show", Draw: len(l.Draws)})
}

// show finds out which transfers show targets on screens: those with linear
// output. Of several that read a target the last counts that reads its begin.
func (l *List) show() {
	targets := make([]*pipeline.DrawTarget, len(l.Passes))
	for i := range l.Draws {
		if p := l.Draws[i].Pass; p < len(targets) {
			targets[p] = &l.Draws[i].Target
		}
	}
	surfaces := []surface{}
	if len(l.transfers) > 0 {
		surfaces = screenSurfaces(l.gpu)
	}
	n := 0
	for i := range l.Items {
		if l.Items[i].Kind != "transfer" {
			continue
		}
		t := l.transfers[n]
		n++
		if t.OutTiled {
			continue
		}
		width, height := t.Size()
		s := Shown{Width: int(width), Height: int(height), Scale: [2]int{int(t.OutWidth / max(width, 1)), int(t.OutHeight / max(height, 1))}, Flip: t.Flip}
		if addr, bytes := t.Writes(); bytes > 0 {
			if p := largest(surfaces, addr, bytes); p != nil {
				s.Screen = p.screen
			}
		}
		out := s
		out.Scale = [2]int{1, 1}
		l.Items[i].Shown = &out
		for p, target := range targets {
			if target == nil || t.Src < target.Color || t.InWidth == 0 || uint64(t.Src) >= uint64(target.Color)+uint64(target.Width*target.Height*t.InFormat.Bytes()) {
				continue
			}
			one := s
			one.Line = int((t.Src - target.Color) / (t.InWidth * uint32(t.InFormat.Bytes())))
			if was := l.Passes[p].Shown; was == nil || one.Line <= was.Line {
				l.Passes[p].Shown = &one
			}
		}
	}
}
