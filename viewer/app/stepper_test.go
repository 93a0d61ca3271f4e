package app

import (
	"fmt"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/cgfx"
	"pica200/explain/drawstate"
	"pica200/explain/rows"
	"pica200/pipeline"
	"pica200/scene/scenebuild"
	"pica200/serve/engine"
	"pica200/tests/testkit"
	"pica200/viewer/ui"
)

// recorded writes a recording of a scene or model and returns its path.
func recorded(t *testing.T, path string) string {
	t.Helper()
	st := testkit.Must(scenebuild.Load(path))(t)
	data, _, err := st.RecordNamed(t.Context(), []float64{st.Scene.Time}, scenebuild.Options{})
	require.NoError(t, err)
	out := filepath.Join(t.TempDir(), "scene.ctf")
	require.NoError(t, os.WriteFile(out, data, 0o644))
	return out
}

// stepping opens a recording at a draw with its shaders shown.
func stepping(t *testing.T, path string, draw int) (d *driver, p *statePanel) {
	t.Helper()
	d = drive(t, open(t, path), Options{})
	d.showDraw(draw)
	d.settle()
	d.Key('N', 0) // the first press only shows the shaders
	d.ran()
	return d, &d.state
}

// ran waits for the state of the draw and the run of its shader.
func (d *driver) ran() {
	d.settle()
	for range 5 { // the state of the previous draw, the state, the corners, the run
		d.jobs()
	}
}

// vertex types the number of a vertex or run.
func (d *driver) vertex(n int) {
	d.screen.Focus(&d.state.steps.field)
	d.state.steps.field.Set("")
	d.chars(fmt.Sprint(n))
	d.Key(KeyEnter, 0)
	d.ran()
}

// line returns the marked program lines.
func (p *statePanel) line() (text string) {
	for _, l := range p.views[tabShaders].Lines {
		if l.On {
			text += strings.TrimSpace(l.Text)
		}
	}
	return text
}

// register returns the row of a register, and whether it is marked as changed.
func (p *statePanel) register(name string) (cells []string, changed bool) {
	for _, l := range p.steps.values.Lines {
		if f := strings.Fields(l.Text); len(f) == 5 && f[0] == name {
			cells, changed = f[1:], l.Color == ui.Changed
		}
	}
	return cells, changed
}

// Keys and buttons step through a shader: forward, back, to both ends. The registers are those of the selected vertex, and at the
// end its outputs.
func TestStepThroughAShader(t *testing.T) {
	d, p := stepping(t, lights, 1)
	s := &p.steps
	require.Equal(t, tabShaders, p.tabs.At)
	require.Equal(t, 1, p.state.Input.Draw)
	require.Equal(t, -1, s.at)
	require.Equal(t, "0", s.field.Text)
	entry := p.line()
	require.NotEmpty(t, entry)
	require.NotContains(t, s.values.String(), "r0")

	columns, outputs, err := p.state.Outputs(t.Context())
	require.NoError(t, err)
	position := slices.IndexFunc(columns, func(c string) bool { return strings.HasPrefix(c, "o0.x") })
	colour := slices.IndexFunc(columns, func(c string) bool { return strings.HasPrefix(c, "o2.x") })
	require.NotEqual(t, -1, position)
	require.NotEqual(t, -1, colour)
	seen := map[string]bool{}
	apart := []int{} // vertices with distinct positions
	for n, v := range p.state.Vertices.Inputs[0] {
		if n%30 == 7 && !slices.ContainsFunc(apart, func(k int) bool { return p.state.Vertices.Inputs[0][k] == v }) {
			apart = append(apart, n)
		}
	}
	require.Greater(t, len(apart), 4)
	for _, n := range apart {
		d.vertex(n)
		require.Equal(t, n, s.run.Number)
		require.Equal(t, -1, s.at, "another vertex starts before its first step")
		cells, _ := p.register("v0")
		for k, c := range cells {
			require.Equal(t, fmt.Sprintf("%.6g", rows.Float(p.state.Vertices.Inputs[0][n][k])), c)
		}
		d.Key('K', 0)
		require.Equal(t, len(s.run.Steps)-1, s.at)
		require.Contains(t, s.run.Where(s.at), "the end")
		for reg, column := range map[string]int{"o0": position, "o2": colour} {
			cells, _ = p.register(reg)
			require.Len(t, cells, 4, "%s in %s", reg, s.values.String())
			for k, c := range cells {
				require.Equal(t, fmt.Sprintf("%.6g", rows.Float(outputs[n][column+k])), c, "%s of vertex %d", reg, n)
			}
		}
		cells, _ = p.register("o0")
		require.False(t, seen[fmt.Sprint(cells)], "vertex %d has values of its own: %v, %v", n, cells, seen)
		seen[fmt.Sprint(cells)] = true
	}

	// Stepping back shows the same values as stepping forward; the line and the written register are marked.
	d.Key('K', Shift)
	require.Equal(t, -1, s.at)
	var lines, values []string
	for i := range s.run.Steps {
		d.Key('N', 0)
		require.Equal(t, i, s.at)
		step := &s.run.Steps[i]
		for _, name := range s.run.Registers() {
			cells, changed := p.register(name)
			require.Equal(t, name == step.Dst, changed, "%s behind step %d", name, i)
			if changed {
				want := step.Value.Cells()
				require.Equal(t, want[:], cells)
			}
		}
		if step.Dst != "" {
			require.Regexp(t, `^\w+ `+step.Dst+`\b`, p.line())
		}
		lines, values = append(lines, p.line()), append(values, s.values.String())
	}
	d.Key('N', 0)
	require.Equal(t, len(lines)-1, s.at, "a step after the end stays at the end")
	require.Equal(t, lines[len(lines)-1], p.line())
	for i := len(lines) - 2; i >= 0; i-- {
		d.Key('N', Shift)
		require.Equal(t, lines[i], p.line())
		require.Equal(t, values[i], s.values.String())
	}
	d.Key('N', Shift)
	d.Key('N', Shift)
	require.Equal(t, -1, s.at)
	require.Equal(t, entry, p.line())

	// Buttons do the same; a line is reached by its address, and a breakpoint stops.
	d.clickJobs("next instruction of the shader (N)")
	d.clickJobs("next instruction of the shader (N)")
	d.clickJobs("instruction before (Shift+N)")
	require.Equal(t, 0, s.at)
	pc := s.run.Steps[10].PC
	p.toLine(0, pc)
	require.Equal(t, 10, s.at)
	d.Key('K', Ctrl)
	d.clickJobs("to the start of the shader (Shift+K)")
	require.Equal(t, -1, s.at)
	d.clickJobs("to the next breakpoint, or the end (K)")
	require.Equal(t, 10, s.at)
	side := p.views[tabShaders].Lines[slices.IndexFunc(p.views[tabShaders].Lines, func(l ui.Line) bool { return l.On })].Side
	require.Contains(t, side.Text, "●")
	side.Do(ui.Mouse{Button: ButtonRight}) // removes the breakpoint
	d.Key('K', Shift)
	d.Key('K', 0)
	require.Equal(t, len(lines)-1, s.at)
	d.Overlay()
	side = p.views[tabShaders].Lines[slices.IndexFunc(p.views[tabShaders].Lines, func(l ui.Line) bool { return l.Side != nil && strings.Contains(l.Side.Text, fmt.Sprintf("%03x", pc)) })].Side
	side.Do(ui.Mouse{Button: ButtonLeft})
	require.Equal(t, 10, s.at)

	// An unknown vertex gives a message; arrow keys in the field select others.
	d.vertex(99999)
	require.ErrorContains(t, s.err, "there is no vertex 99999; the draw has "+strconv.Itoa(p.state.Vertices.Count))
	d.Key('N', 0)
	d.vertex(5)
	require.NoError(t, s.err)
	d.screen.Focus(&s.field)
	d.Key(KeyUp, 0)
	d.ran()
	require.Equal(t, 6, s.run.Number)
	d.Key(KeyDown, 0)
	d.Key(KeyDown, 0)
	d.ran()
	require.Equal(t, 4, s.run.Number)
}

// Selecting another draw while stepping starts at the beginning of its shader, with an existing vertex.
func TestStepperFollowsSelectedDraw(t *testing.T) {
	d, p := stepping(t, lights, 1)
	s := &p.steps
	last := p.state.Vertices.Count - 1
	d.vertex(last)
	d.Key('N', 0)
	d.Key('N', 0)
	was := s.run
	d.showDraw(0)
	d.Key('N', 0) // while the draw is loading
	d.ran()
	require.Equal(t, 0, p.state.Input.Draw)
	require.NotSame(t, was, s.run)
	require.Same(t, p.state, s.of.state)
	require.Equal(t, -1, s.at)
	require.Equal(t, min(last, p.state.Vertices.Count-1), s.run.Number)
	require.Equal(t, fmt.Sprint(s.run.Number), s.field.Text)
	cells, _ := p.register("v0")
	require.Equal(t, fmt.Sprintf("%.6g", rows.Float(p.state.Vertices.Inputs[0][s.run.Number][0])), cells[0])
	d.Key('N', 0)
	require.Equal(t, 0, s.at)

	// If the shaders are hidden, the first key press only shows them.
	d.Key(KeyEscape, 0)
	require.Equal(t, dockNone, d.dock)
	d.Key('N', 0)
	d.ran()
	require.Equal(t, dockState, d.dock)
	require.Equal(t, 0, s.at)
	d.o.Open = openFile
	d.load(window)
	require.Equal(t, dockNone, d.dock, "scenes have no such state")
}

// If no shader can be stepped through, a note gives the reason.
func TestStepperReasonWithoutShader(t *testing.T) {
	scene := drive(t, open(t, window), Options{})
	scene.Key('N', 0)
	require.Contains(t, scene.message.text, "stepped through in recordings")
	require.Equal(t, dockNone, scene.dock)
	for _, it := range scene.menuItems("Frame") {
		require.Equal(t, it.Off, it.Note == "no recording", it.Text)
	}

	// A draw that is left out has no vertices; the next one has.
	f := testkit.Must(cgfx.Parse(testkit.Read(t, "../../testdata/models/kit.cgfx")))(t)
	f.Models.Get("COMMON").Materials.Get("skin").Fragment.Combiners[0].Command[3] = 12
	bad := testkit.Must(f.Encode())(t)
	path := filepath.Join(t.TempDir(), "kit.cgfx")
	require.NoError(t, os.WriteFile(path, bad, 0o644))
	d := drive(t, open(t, recorded(t, path)), Options{})
	d.keyJobs('L')
	out := slices.IndexFunc(d.drawList.list.Draws, func(r pipeline.DrawRecord) bool { return r.LeftOut })
	require.NotEqual(t, -1, out)
	d.showDraw(out)
	d.settle()
	d.Key('N', 0)
	d.ran()
	p := &d.state
	require.True(t, p.state.Record.LeftOut)
	if p.state.Vertices == nil {
		require.ErrorContains(t, p.steps.err, "cannot be read")
	}
	for _, key := range []Key{'N', 'K'} { // must not panic
		d.Key(key, 0)
		d.Key(key, Shift)
	}
	d.Overlay()
	p.state.Vertices, p.steps.of = nil, runOf{}
	d.dirty = true
	d.ran()
	require.Nil(t, p.steps.run)
	require.ErrorContains(t, p.steps.err, "the vertices of the draw cannot be read")
	d.Key('N', 0)
	d.Key('K', Ctrl)
	d.Overlay()
	d.showDraw((out + 1) % len(d.drawList.list.Draws))
	d.ran()
	require.NoError(t, p.steps.err)
	require.NotNil(t, p.steps.run)
}

// Runs of a geometry shader are stepped through with their emitted vertices; without a geometry shader the vertex shader is shown.
func TestStepThroughAGeometryShader(t *testing.T) {
	d, p := stepping(t, recorded(t, "../../serve/examples/shards.yaml"), 0)
	s := &p.steps
	require.Equal(t, 0, s.unit)
	d.clickJobs("shader unit")
	d.Overlay()
	d.Key(KeyDown, 0)
	d.Key(KeyEnter, 0)
	d.ran()
	require.Equal(t, 1, s.unit)
	require.Equal(t, 1800, s.run.Runs)
	require.Equal(t, "of 1800", s.count(true, nil))
	require.Empty(t, s.count(false, nil))
	first, _ := p.register("v0")
	d.vertex(70)
	require.Equal(t, 70, s.run.Number)
	other, _ := p.register("v0")
	require.NotEqual(t, first, other)
	require.Contains(t, p.views[tabShaders].String(), "emits slot 2, a triangle")
	d.Key('K', 0)
	require.Contains(t, s.values.String(), "Emitted: 3 vertices, 1 triangle\n")
	require.Contains(t, s.values.String(), "slot 2, triangle")
	// Stepping back before the last EMIT removes its vertex.
	for s.run.Steps[s.at].Emit == nil {
		d.Key('N', Shift)
	}
	d.Key('N', Shift)
	require.Contains(t, s.values.String(), "Emitted: 2 vertices, 0 triangles\n")
	// Of many emitted vertices the last 16 are listed.
	many := stepper{run: &drawstate.Run{}, at: 19}
	for i := range many.at + 1 {
		many.run.Steps = append(many.run.Steps, drawstate.Step{Emit: &drawstate.Emission{Slot: i}})
	}
	list := many.registers()
	require.Equal(t, [2]string{"slot 4", "slot 19"}, [2]string{strings.TrimSpace(list[1].Text), strings.TrimSpace(list[16].Text)})
	// Going to an instruction of the other shader selects that shader.
	p.toLine(0, 0)
	d.ran()
	require.Equal(t, 0, s.unit)
	require.Equal(t, 0, s.run.Number)
	d.vertex(3)
	s.want = true
	d.dirty = true
	d.ran()
	require.Equal(t, 70, s.run.Number, "each shader keeps its run number")
	d.vertex(1800)
	require.ErrorContains(t, s.err, "there is no run 1800; the geometry shader ran 1800 times")

	d.OpenFile(lights)
	require.True(t, s.want)
	e, q := stepping(t, lights, 1)
	q.steps.want = true
	e.ran()
	require.Equal(t, 0, q.steps.unit, "without a geometry shader the vertex shader is shown")
}

// A pixel leads to the vertices of its triangle, and to the geometry shader run that emitted them.
func TestPixelLinksToVertices(t *testing.T) {
	for _, c := range []struct {
		path     string
		at       image.Point
		geometry bool
	}{{lights, image.Pt(200, 90), false}, {recorded(t, "../../serve/examples/shards.yaml"), image.Pt(100, 120), true}} {
		d := drive(t, open(t, c.path), Options{})
		if c.geometry {
			d.showDraw(0) // the target instead of a screen
			d.settle()
		}
		for d.explain(c.at); ; d.explain(c.at) {
			if d.settle(); d.inspector.last != nil || c.at.X > 390 {
				break
			}
			c.at.X += 7 // looks for a drawn pixel further right
		}
		last := d.inspector.last
		require.NotNil(t, last, c.path)
		numbers := map[int]bool{}
		for corner := range 3 {
			var links []ui.Line
			for _, l := range d.inspector.view.Lines {
				if l.Tip == drawstate.Words.Follow {
					links = append(links, l)
				}
			}
			require.GreaterOrEqual(t, len(links), 3)
			links[corner].Do()
			d.ran()
			p := &d.state
			require.Equal(t, tabShaders, p.tabs.At)
			require.Equal(t, last.Draw, p.state.Input.Draw)
			require.Equal(t, c.geometry, p.steps.unit == 1)
			numbers[p.steps.run.Number] = true
			if !c.geometry {
				// The vertex lies at the corner.
				at, _, err := p.state.Positions(t.Context())
				require.NoError(t, err)
				w := at[p.steps.run.Number][3]
				require.InEpsilon(t, 1/float64(last.Fragment.Vertices[corner].InvW), float64(w), 1e-3)
			}
			d.inspect(d.inspector.pixel)
		}
		require.Len(t, numbers, map[bool]int{false: 3, true: 1}[c.geometry], "links to three vertices, or to the run that emitted the triangle")
	}
}

// Window and browser show the same values at each step of a vertex.
func TestStepperAgreesWithBrowser(t *testing.T) {
	for _, c := range []struct {
		path         string
		unit         string
		draw, number int
	}{{lights, "vertex", 1, 42}, {lights, "vertex", 0, 1}, {recorded(t, "../../serve/examples/shards.yaml"), "geometry", 0, 70}, {recorded(t, "../../testdata/scenes/geometry-loop.yaml"), "geometry", 0, 0}} {
		t.Run(c.unit, func(t *testing.T) {
			var told struct {
				Begin     string
				Registers []string
				Given     map[string][4]string
				Steps     []struct {
					PC                          int
					Where, Result, Dst, Emitted string
					Cells                       [4]string
					Rows, Row                   []rows.View
				}
			}
			browser(t, c.path)(&engine.Request{Op: "run", Draw: c.draw, What: c.unit, Vertex: c.number, Count: 65536}, &told)
			require.NotEmpty(t, told.Steps)

			d, p := stepping(t, c.path, c.draw)
			s := &p.steps
			if s.want = c.unit == "geometry"; s.want {
				d.dirty = true
				d.ran()
			}
			d.vertex(c.number)
			require.Equal(t, told.Begin, s.run.Where(-1))
			require.Len(t, s.run.Steps, len(told.Steps))
			held, emitted := told.Given, []string{}
			for i, b := range told.Steps {
				d.Key('N', 0)
				require.Equal(t, b.Where, s.run.Where(s.at))
				require.Equal(t, b.PC, s.pc())
				if b.Dst != "" {
					held[b.Dst] = b.Cells
				}
				var want []string
				if b.Row != nil {
					emitted = append(emitted, fmt.Sprintf("  %-14s %s", b.Row[0].Label, b.Row[0].Text))
					require.Equal(t, b.Emitted, s.values.Lines[0].Text)
				}
				if len(emitted) > 0 {
					want = append([]string{s.values.Lines[0].Text}, emitted[max(len(emitted)-16, 0):]...)
				}
				want = append(want, fmt.Sprintf("%-3s %11s %11s %11s %11s", "", "x", "y", "z", "w"))
				for _, name := range told.Registers {
					if v, ok := held[name]; ok {
						want = append(want, fmt.Sprintf("%-3s %11s %11s %11s %11s", name, v[0], v[1], v[2], v[3]))
					}
				}
				for _, r := range b.Rows {
					want = append(want, fmt.Sprintf("%-16s %s", r.Label, r.Text))
				}
				require.Equal(t, strings.Join(want, "\n")+"\n", s.values.String(), "step %d", i)
				last := told.Steps[lastOf(len(told.Steps), func(k int) bool { return told.Steps[k].PC == b.PC })]
				if last.Result != "" {
					require.Contains(t, p.views[tabShaders].String(), "          "+last.Result+"\n")
				}
			}
		})
	}
}

// lastOf returns the largest k below n with is(k).
func lastOf(n int, is func(k int) bool) int {
	for n--; !is(n); n-- {
	}
	return n
}
