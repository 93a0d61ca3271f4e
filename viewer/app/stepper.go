package app

import (
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"strconv"
	"strings"

	"pica200/explain/drawstate"
	"pica200/explain/rows"
	"pica200/fragment"
	"pica200/geometry"
	"pica200/viewer/session"
	"pica200/viewer/ui"
)

// stepper steps through a shader of the state panel's draw. Window and browser take its texts from drawstate.
type stepper struct {
	want   bool   // use the geometry shader if there is one
	number [2]int // number of the vertex, and of the geometry shader's run
	breaks map[[2]int]bool
	corner *corner // corner to go to

	run     *drawstate.Run
	err     error
	of      runOf // identifies run and err
	busy    bool
	at      int            // index of the last executed step; -1 is before the first
	unit    int            // 0 for the vertex shader, 1 for the geometry shader
	results map[int]string // results of the executed instructions, by address

	field  ui.Field // the number's input field
	split  ui.Split // between program and values
	values ui.TextView
}

// runOf identifies a run.
type runOf struct {
	state        *drawstate.State
	unit, number int
}

// corner is a corner of a fragment's triangle.
type corner struct {
	draw     int
	fragment *fragment.Record
	number   int
}

// showVertex runs a draw's shader for a vertex of a fragment's triangle.
func (a *App) showVertex(draw int, f *fragment.Record, number int) {
	p := &a.state
	p.tabs.At, p.output, p.steps.corner = tabShaders, "", &corner{draw, f, number}
	a.showDraw(draw)
	a.setDock(dockState)
}

// stepShader moves the stepper; the first call only shows it.
func (a *App) stepShader(move func(s *stepper)) {
	p := &a.state
	switch s := &p.steps; {
	case a.info.Frames == 0:
		a.say("shaders are stepped through in recordings")
	case a.dock != dockState || p.tabs.At != tabShaders:
		p.tabs.At = tabShaders
		a.setDock(dockState)
	case s.run != nil && s.of.state == p.state:
		move(s)
		p.step(s.at)
	}
	a.dirty = true
}

// toBreak goes to the next breakpoint or the end.
func (s *stepper) toBreak() {
	for s.at++; s.at < len(s.run.Steps)-1 && !s.breaks[[2]int{s.unit, s.run.Steps[s.at].PC}]; {
		s.at++
	}
}

// stopAt sets or removes a breakpoint.
func (s *stepper) stopAt(unit, pc int) {
	if s.breaks == nil {
		s.breaks = map[[2]int]bool{}
	}
	at := [2]int{unit, pc}
	s.breaks[at] = !s.breaks[at]
}

// pc returns the address of the shown instruction: the last executed one, or the first.
func (s *stepper) pc() int {
	switch {
	case s.run == nil:
		return -1
	case s.at >= 0:
		return s.run.Steps[s.at].PC
	case s.unit == 1:
		return int(s.of.state.Input.Geometry.Entry)
	}
	return int(s.of.state.Input.Vertex.Entry)
}

// toLine goes to the next execution of an instruction, or to its first. An instruction of the other shader selects that shader.
func (p *statePanel) toLine(unit, pc int) {
	s := &p.steps
	if unit != s.unit {
		s.want = unit == 1
		return
	}
	if s.run == nil {
		return
	}
	steps := s.run.Steps
	n := slices.IndexFunc(steps[s.at+1:], func(x drawstate.Step) bool { return x.PC == pc })
	if n >= 0 {
		n += s.at + 1
	} else if n = slices.IndexFunc(steps, func(x drawstate.Step) bool { return x.PC == pc }); n < 0 {
		return
	}
	p.step(n)
}

// step shows the state after a step.
func (p *statePanel) step(at int) {
	s := &p.steps
	p.output = ""
	s.at = min(max(at, -1), len(s.run.Steps)-1)
	s.values.Set(s.registers())
	p.shaders()
}

const registerForm = "%-3v %11v %11v %11v %11v"

// count says how many runs of the unit there are.
func (s *stepper) count(current bool, v *geometry.Vertices) string {
	switch {
	case current && s.unit == 1:
		return fmt.Sprintf("of %d", s.run.Runs)
	case s.unit == 0 && v != nil:
		return fmt.Sprintf("of %d", v.Count)
	}
	return ""
}

// registers returns the lines of registers, flags and emitted vertices.
func (s *stepper) registers() (out []ui.Line) {
	var emitted []*drawstate.Emission
	for i := range s.at + 1 {
		if e := s.run.Steps[i].Emit; e != nil {
			emitted = append(emitted, e)
		}
	}
	if n := len(emitted); n > 0 {
		out = append(out, ui.Line{Text: emitted[n-1].Emitted(), Head: true, Color: ui.Accent})
		for _, e := range emitted[max(n-16, 0):] {
			row := e.Row()
			out = append(out, lineOf(&row, 1))
		}
	}
	out = append(out, ui.Line{Text: fmt.Sprintf(registerForm, "", "x", "y", "z", "w"), Color: ui.Dim})
	for _, r := range s.run.RegistersAfter(s.at) {
		if r.Mark == rows.Changed {
			s.values.Show(len(out))
		}
		out = append(out, ui.Line{Text: fmt.Sprintf(registerForm, r.Name(), r.Get("x"), r.Get("y"), r.Get("z"), r.Get("w")), Color: colorOf[r.Mark]})
	}
	if s.at >= 0 {
		list := s.run.Steps[s.at].Rows()
		for i := range list {
			out = append(out, lineOf(&list[i], 0))
		}
	}
	return out
}

// follow runs the shader of the current draw.
func (s *stepper) follow(a *App, p *statePanel) {
	if s.busy || p.busy || p.state == nil || a.inFlight > 0 {
		return
	}
	st := p.state
	if c := s.corner; c != nil && c.draw == st.Input.Draw {
		s.findCorner(a, st)
		return
	}
	want := runOf{state: st}
	if s.want && st.GeometryOn() {
		want.unit = 1
	} else if st.Vertices != nil && s.of.state != st { // the draw may have fewer vertices
		s.number[0] = min(s.number[0], max(st.Vertices.Count-1, 0))
	}
	if want.number = s.number[want.unit]; s.of == want {
		return
	}
	s.do(a, func(ctx context.Context, w session.Stater) func() error {
		run, err := w.Run(ctx, st, want.unit == 1, want.number)
		return func() error {
			if errors.Is(err, context.Canceled) {
				return nil
			}
			s.run, s.err, s.of, s.unit, s.at, s.results = run, nil, want, want.unit, -1, map[int]string{}
			if err == nil {
				for i := range run.Steps {
					s.results[run.Steps[i].PC] = run.Steps[i].Result()
				}
				s.values.Set(s.registers())
			}
			s.field.Set(strconv.Itoa(want.number))
			if p.state == st {
				p.shaders()
			}
			return err
		}
	})
}

// findCorner finds the vertex of the wanted corner.
func (s *stepper) findCorner(a *App, st *drawstate.State) {
	c := s.corner
	s.do(a, func(ctx context.Context, w session.Stater) func() error {
		list, err := w.Corners(ctx, st, c.fragment)
		return func() error {
			if s.corner != c {
				return nil // another one was requested since
			}
			s.corner = nil
			switch {
			case err != nil:
				a.say("%v", err)
			case list[c.number].Vertex < 0:
				a.say("this corner is %s, not a vertex of the draw", list[c.number].Text)
			default:
				s.want = st.GeometryOn()
				unit := 0
				if s.want {
					unit = 1
				}
				s.number[unit] = list[c.number].Vertex
			}
			return nil
		}
	})
}

// do runs job on the worker and its result on this goroutine.
func (s *stepper) do(a *App, job func(ctx context.Context, w session.Stater) func() error) {
	s.busy = true
	a.worker.do(func(ctx context.Context, source session.Source) func() {
		w, ok := source.(session.Stater)
		if !ok {
			return func() { s.busy = false }
		}
		done := job(ctx, w)
		return func() {
			s.busy, a.dirty = false, true
			s.err = done()
		}
	})
}

// choose applies the typed number.
func (s *stepper) choose() {
	if n, err := strconv.Atoi(s.field.Text); err == nil {
		unit := 0
		if s.want && s.of.state != nil && s.of.state.GeometryOn() {
			unit = 1
		}
		s.number[unit] = n
	}
}

// drawShaders draws the bar of steps, the program and the values in r.
func (p *statePanel) drawShaders(a *App, r image.Rectangle) {
	s, st, c := &p.steps, p.state, a.screen
	s.follow(a, p)
	pad, h := c.Units(4), c.Line()+c.Units(6)
	current := s.run != nil && s.of.state == st
	top, bottom := r.Min.Y+c.Units(2), r.Min.Y+h
	x := r.Max.X - pad
	for _, b := range slices.Backward([]struct {
		text, word, key string
		move            func(s *stepper)
	}{
		{"│◄", drawstate.Words.Start, "Shift+K", func(s *stepper) { s.at = -1 }}, {"◄", drawstate.Words.Back, "Shift+N", func(s *stepper) { s.at-- }},
		{"►", drawstate.Words.Forward, "N", func(s *stepper) { s.at++ }}, {"►│", drawstate.Words.Stop, "K", (*stepper).toBreak},
	}) {
		w := max(c.ButtonWidth(b.text), c.Units(24))
		x -= w
		c.Button(image.Rect(x, top, x+w, bottom), b.text, ui.ButtonStyle{Tip: fmt.Sprintf("%s (%s)", b.word, b.key), Off: !current}, func() { a.stepShader(b.move) })
	}
	units := []string{"vertex", "geometry"}
	names := units[:1]
	if st.GeometryOn() {
		names = units
	}
	w := c.Width("geometry") + c.Units(24)
	c.Choice(image.Rect(r.Min.X+pad, top, r.Min.X+pad+w, bottom), units[s.unit], "shader unit", func() (list []ui.Item) {
		for i, name := range names {
			list = append(list, ui.Item{Text: name, On: i == s.unit, Do: func() { s.want = i == 1 }})
		}
		return list
	})
	s.field.Only, s.field.Hint = "0123456789", []string{"vertex", "run"}[s.unit]
	s.field.OnEnter = func() { s.choose(); c.Focus(p.keys()) }
	s.field.OnEscape = func() { c.Focus(p.keys()) }
	s.field.OnArrow = func(k ui.Key) {
		if by := map[ui.Key]int{KeyUp: 1, KeyDown: -1}[k]; by != 0 {
			n := max(s.number[s.unit]+by, 0)
			s.field.Set(strconv.Itoa(n))
			s.choose()
		}
	}
	of, left := s.count(current, st.Vertices), r.Min.X+pad+w+pad
	room := c.Width(of) + 2*pad
	s.field.Draw(c, image.Rect(left, top, max(x-room, left), bottom))
	c.Text(x-room+pad, top+c.Units(2), of, ui.Dim)
	r.Min.Y += h + c.Units(2)

	where, col := "", ui.Dim
	switch {
	case s.err != nil && s.of.state == st:
		where, col = s.err.Error(), ui.Bad
	case current:
		where = s.run.Where(s.at)
	}
	r.Min.Y = c.Lines(image.Rect(r.Min.X+c.Units(6), r.Min.Y, r.Max.X-c.Units(6), r.Max.Y), where, 4, col).Min.Y
	v := &p.views[tabShaders]
	if !current || s.err != nil {
		v.Draw(c, r)
		return
	}
	program, values := s.split.Draw(c, r)
	v.Draw(c, program)
	s.values.Indent = rows.Indent
	s.values.Draw(c, values)
}

// shaders lists the shaders' programs with the rasterizer inputs that lines write and the results of executed instructions. It
// scrolls to the last executed instruction, or to the last line that writes the wanted output.
func (p *statePanel) shaders() {
	if p.state == nil {
		return // a line of a state that is gone
	}
	v, s, last, now := &p.views[tabShaders], &p.steps, -1, -1
	var out []ui.Line
	for unit, name := range []string{"Vertex shader", "Geometry shader"} {
		if unit == 1 && p.programs[1].lines == nil && p.programs[1].err == nil {
			break
		}
		if from := p.state.Sources[unit]; from != "" {
			name += ", " + from
		}
		out = append(out, ui.Line{Text: name, Head: true, Color: ui.Accent})
		prog := &p.programs[unit]
		if prog.err != nil {
			out = append(out, ui.Line{Text: prog.err.Error(), Color: ui.Bad})
		}
		follows := s.run != nil && s.of.state == p.state && s.unit == unit
		for _, l := range prog.lines {
			line := ui.Line{Text: "    " + l.Text}
			if l.Outputs != nil {
				line.Text = fmt.Sprintf("%-36s ; %s", line.Text, strings.Join(l.Outputs, ", "))
			}
			if slices.Contains(l.Outputs, p.output) {
				line.Color, last = ui.Changed, len(out)
			}
			if l.PC < 0 {
				out = append(out, line)
				continue
			}
			side := &ui.Side{Text: fmt.Sprintf(" %03x", l.PC), Color: ui.Dim, Tip: drawstate.Words.To + "; right button: breakpoint", Do: func(m ui.Mouse) {
				if m.Button == ButtonRight {
					s.stopAt(unit, l.PC)
					p.shaders()
				} else {
					p.toLine(unit, l.PC)
				}
			}}
			if s.breaks[[2]int{unit, l.PC}] {
				side.Text, side.Color = "●"+side.Text[1:], ui.Bad
			}
			if line.Side = side; follows && l.PC == s.pc() {
				line.On, now = true, len(out)
			}
			out = append(out, line)
			if result := s.results[l.PC]; follows && result != "" {
				out = append(out, ui.Line{Text: "          " + result, Color: ui.Dim})
			}
			for _, found := range prog.findings[l.PC] {
				out = append(out, ui.Line{Text: "        ! " + found, Color: ui.Bad})
			}
		}
	}
	v.Indent = 12
	v.Set(out)
	if last >= 0 {
		v.Show(last)
	} else if now >= 0 {
		v.Show(now)
	}
}

// listing is the source of a shader of the draw.
type listing struct {
	lines    []drawstate.ProgramLine
	findings map[int][]string // linter findings by address
	err      error
}

// readPrograms disassembles the draw's programs.
func (p *statePanel) readPrograms() {
	for unit := range p.programs {
		prog := &p.programs[unit]
		*prog = listing{}
		if unit == 1 && p.state.Record.GeometryEntry < 0 {
			break
		}
		setup := &p.state.Input.Vertex
		if unit == 1 {
			setup = &p.state.Input.Geometry
		}
		if prog.lines, prog.err = p.state.Program(unit == 1); prog.err == nil {
			prog.findings = drawstate.Findings(setup, unit == 1)
		}
	}
}
