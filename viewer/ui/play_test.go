package ui

import (
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"math/rand/v2"
	"strings"
	"testing"

	"pica200/tests/testkit"
)

// player sends random keys, characters and mouse events to a widget and logs the result of each: whether it was handled, the
// widget's text, the clickable zones, and a checksum of the picture.
type player struct {
	*Screen
	draw  func(s *Screen, r image.Rectangle)
	says  func() string
	log   strings.Builder
	heard []string // reported events
}

// picker returns a colour picker that logs its changes.
func (p *player) picker(values []float64, at image.Rectangle) *picker {
	l := NewList(p.Screen)
	out := newPicker(values, at, func(text string, values []float64) ([]float64, error) {
		return l.numbers(&Row{Kind: Color, Values: values}, 0, text)
	})
	out.onEdit = func(done bool) { p.hear("%v", done) }
	return out
}

func (p *player) hear(format string, args ...any) {
	p.heard = append(p.heard, fmt.Sprintf(format, args...))
}

func (p *player) picture(w, h int, scale float64, what string) {
	p.Begin(w, h, scale)
	p.draw(p.Screen, image.Rect(3, 2, w-4, h-5))
	p.End()
	zones := crc32.NewIEEE()
	for _, z := range p.zones {
		fmt.Fprintln(zones, z.Rect, z.Tip, z.Press != nil, z.Drag != nil, z.Release != nil, z.Wheel != nil)
	}
	fmt.Fprintf(&p.log, "%s: %s %q, %d zones %08x, %08x %q\n", what, p.says(), p.heard, len(p.zones), zones.Sum32(), crc32.ChecksumIEEE(p.Img.Pix), p.Tip())
	p.heard = nil
}

func (p *player) play(name string, steps int, focus Keys, keys string) string {
	const w, h = 220, 130
	r := rand.New(rand.NewPCG(7, uint64(len(name))))
	fmt.Fprintf(&p.log, "%s\n", name)
	p.Copy("kept")
	p.Focus(focus)
	special := []Key{KeyUp, KeyDown, KeyDown, KeyLeft, KeyRight, KeyHome, KeyEnd, KeyPageUp, KeyPageDown, KeyEnter, KeyEscape, KeyBackspace, KeyDelete, KeyTab, ' ', 'N', 'A', 'C', 'V', 'X'}
	mods := []Mods{0, 0, 0, Shift, Ctrl}
	p.picture(w, h, 1, "at first")
	// After the first steps, the log has one checksum for every ten steps.
	logged := 0
	for step := range 4 * steps {
		if step >= steps && step%10 == 0 {
			sum := crc32.ChecksumIEEE([]byte(p.log.String()[logged:]))
			text := p.log.String()[:logged]
			if step == steps {
				text = p.log.String()
			} else {
				text += fmt.Sprintf("%d: %08x\n", step, sum)
			}
			p.log.Reset()
			p.log.WriteString(text)
			logged = len(text)
		}
		what, scale := "", 1.0
		switch at := image.Pt(r.IntN(w), r.IntN(h)); r.IntN(8) {
		case 0, 1, 2:
			k, m := special[r.IntN(len(special))], mods[r.IntN(len(mods))]
			what = fmt.Sprintf("%v%v %v", m, k, p.Key(k, m))
		case 3:
			c := rune(keys[r.IntN(len(keys))])
			what = fmt.Sprintf("%q %v", c, p.Char(c))
		case 4, 5:
			taken := p.Press(Button(r.IntN(2)), mods[r.IntN(len(mods))], at)
			to := at.Add(image.Pt(r.IntN(60)-30, r.IntN(40)-20))
			if r.IntN(2) == 0 {
				p.Move(to)
			} else {
				to = at
			}
			p.Release(to)
			what = fmt.Sprintf("mouse %v to %v %v", at, to, taken)
		case 6:
			what = fmt.Sprintf("mouse at %v %v", at, p.Move(at))
			scale = 1.5
		case 7:
			by := float64(r.IntN(5) - 2)
			what = fmt.Sprintf("wheel %g %v", by, p.Wheel(by))
		}
		p.picture(w, h, scale, what)
	}
	return p.log.String()[:logged] + "\n"
}

// Every widget's content and behaviour under random input equals the stored log.
func TestWidgetsUnderRandomInput(t *testing.T) {
	start := func(draw func(s *Screen, r image.Rectangle), says func() string) *player {
		s := NewScreen()
		s.zones = nil
		return &player{Screen: s, draw: draw, says: says}
	}
	var out strings.Builder

	p := start(nil, nil)
	l := NewList(p.Screen)
	all := append(rows(), Row{Kind: Table, Label: "curve", Key: "curve", Values: []float64{0, 0.5, 1, -1}, Min: -1, Max: 1},
		Row{Kind: Numbers, Label: "three numbers", Key: "three", Values: []float64{1, 22.5, -3e-5}, Changed: true, Tip: "what they are"},
		Row{Kind: Color, Label: "light", Key: "light", Values: []float64{0.2, 0.4, 0.6}}, Row{Kind: Table, Label: "no table", Key: "notable", Text: "off"},
		Row{Kind: Switch, Label: "on", Key: "on", Values: []float64{1}, Changed: true})
	l.SetRows(all)
	l.OnEdit = func(r *Row, done bool) { p.hear("%s %.4v %s %v", r.Key, r.Values, r.Text, done) }
	l.OnRevert = func(r *Row) { p.hear("revert %s", r.Key) }
	p.draw, p.says = l.Draw, func() string { return fmt.Sprintf("%q %q", l.String(), l.Search.Text) }
	out.WriteString(p.play("list", 150, l, "nol/1-.5e~"))

	p = start(nil, nil)
	tree := &Tree{OnSelect: func(k string) { p.hear("select %s", k) }, OnOpen: func(k string) { p.hear("open %s", k) }, Roots: []Node{
		{Key: "a", Text: "pass one", Note: "3", Children: []Node{{Key: "b", Text: "draw with a long name that does not fit"}, {Key: "c", Text: "draw", Note: "12 px", Color: color.RGBA{255, 0, 0, 255}, Children: []Node{{Key: "d", Text: "part"}}}}},
		{Key: "e", Text: "pass two", Children: []Node{{Key: "f", Text: "six"}, {Key: "g", Text: "seven"}, {Key: "h", Text: "eight"}}}, {Key: "i", Text: "last"}}}
	p.draw, p.says = tree.Draw, func() string { return tree.Selected }
	out.WriteString(p.play("tree", 70, tree, "x"))

	p = start(nil, nil)
	v := &TextView{}
	v.Set([]Line{{Text: "first event", Head: true}, {Text: "  a value that is long enough to be wrapped at the edge of it, twice even"}, {Text: "  sky", Swatch: color.RGBA{1, 2, 3, 255}},
		{Text: "second event", Head: true}, {Text: "  go there", Do: func() { p.hear("went") }, Tip: "link"}, {Text: ""}, {Text: "third", Head: true}, {Text: "  one"}, {Text: "  two"}, {Text: "  three"}, {Text: "  four"}})
	p.draw, p.says = v.Draw, func() string { return fmt.Sprintf("%q %q", v.selection(), p.Screen.text) }
	out.WriteString(p.play("text", 90, v, "x"))

	p = start(nil, nil)
	f := &Field{Hint: "a name", OnChange: func() { p.hear("change") }, OnAccept: func() { p.hear("accept") }, OnEnter: func() { p.hear("enter") }, OnEscape: func() { p.hear("escape") }}
	f.Complete = func(s string) (list []string) {
		for _, n := range []string{"abc", "abd", "b", "cab", "öl", "a long name that is longer than the field is wide, by far"} {
			if strings.HasPrefix(n, s) {
				list = append(list, n)
			}
		}
		return list
	}
	p.draw = func(s *Screen, r image.Rectangle) {
		f.Draw(s, image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+20))
		f.DrawMatches(s, image.Rect(r.Min.X, r.Min.Y+22, r.Max.X, r.Max.Y))
	}
	p.says = func() string { return fmt.Sprintf("%q %d %d %q", f.Text, f.caret, f.mark, p.Screen.text) }
	out.WriteString(p.play("field", 120, f, "ab c"))

	p = start(nil, nil)
	items := func() (list []Item) {
		for i, s := range []string{"one", "two", "", "three", "twenty", "off", "dull", "a long one that is as wide as the window", "end"} {
			list = append(list, Item{Text: s, Note: []string{"", "Ctrl+T", "why it is off"}[i%3], On: i == 3, Off: s == "off", Dull: s == "dull", Line: s == "", Do: func() { p.hear("do %d", i) }})
		}
		return list
	}
	p.draw = func(s *Screen, r image.Rectangle) {
		s.Choice(image.Rect(r.Min.X, r.Min.Y, r.Min.X+80, r.Min.Y+18), "three", "choose", items)
		s.Choice(image.Rect(r.Max.X-60, r.Max.Y-40, r.Max.X, r.Max.Y-22), "low", "choose below", items)
		s.Button(image.Rect(r.Min.X, r.Max.Y-20, r.Min.X+s.ButtonWidth("Press"), r.Max.Y), "Press", ButtonStyle{}, func() {
			m := s.OpenMenu(image.Rect(40, 40, 90, 50), items())
			m.Side = func(d int) { p.hear("side %d", d) }
		})
	}
	p.says = func() string { return fmt.Sprint(len(p.popups)) }
	out.WriteString(p.play("menus", 120, nil, "tode "))

	p = start(nil, nil)
	values, three := []float64{0.5, 0.25, 0.75, 0.5}, []float64{0.1, 0.9, 0.3}
	p.draw = func(s *Screen, r image.Rectangle) {
		for i, v := range [][]float64{values, three} {
			at := image.Rect(r.Min.X+100*i, r.Min.Y+60*i, r.Min.X+100*i+30, r.Min.Y+60*i+12)
			s.Add(Zone{Rect: at, Tip: "colour", Press: func(Mouse) { s.Open(p.picker(v, at)) }})
		}
		if len(s.popups) == 0 {
			s.Open(p.picker(values, image.Rect(10, 10, 40, 20)))
		}
	}
	p.says = func() string { return fmt.Sprintf("%.3f %.3f %d", values, three, len(p.popups)) }
	out.WriteString(p.play("colours", 60, nil, "x"))

	p = start(nil, nil)
	turn := 0
	curves := []*Curve{{Values: []float64{0, 0.5, 1, -1, 0.25, 0.75}, Min: -1, Max: 1}, {Values: []float64{3}, Min: 2, Max: 4}, {Values: []float64{1, 2, 3}, ReadOnly: true, Max: 3}, {}}
	tabs := &Tabs{Names: []string{"one", "two", "and three"}, OnSelect: func() { p.hear("turn") }}
	split := &Split{Size: 60, Least: 30}
	down := &Split{Size: 40, Least: 20, Below: true}
	picture := image.NewRGBA(image.Rect(0, 0, 5, 3))
	for i := range picture.Pix {
		picture.Pix[i] = byte(i * 17)
	}
	p.draw = func(s *Screen, r image.Rectangle) {
		if turn++; turn%50 == 0 {
			tabs.Select(tabs.At + 1)
		}
		in := tabs.Draw(s, r)
		a, b := split.Draw(s, in)
		c, d := down.Draw(s, a)
		curves[tabs.At].Draw(s, c)
		curves[3-tabs.At].Draw(s, d)
		p.hear("%v", s.Picture(b, picture))
		if tabs.At == 2 {
			p.hear("%v", s.Dialog(50, 30))
			p.hear("%v", s.Box(20, 30, []string{"two lines", "of text"}, Accent))
		}
	}
	p.says = func() string {
		return fmt.Sprintf("%d %d %d %.4v", tabs.At, split.Size, down.Size, curves[0].Values)
	}
	out.WriteString(p.play("parts", 90, nil, "x"))
	testkit.Golden(t, "testdata/play.txt", []byte(out.String()))
}
