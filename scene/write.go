package scene

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Write returns the text of a scene file with this scene, which Parse reads back
// to the same scene but for the places of things in the file. comment, which
// may have several lines, goes on top.
//
// Numbers are written with as many digits as tell them from their neighbours,
// and colours with their alpha.
func (s *Scene) Write(comment string) []byte {
	w := &writer{}
	if comment != "" {
		for _, line := range strings.Split(strings.TrimRight(comment, "\n"), "\n") {
			line = strings.Map(func(r rune) rune { // none may end the comment
				if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
					return ' '
				}
				return r
			}, line)
			w.b.WriteString(strings.TrimRight("# "+line, " ") + "\n")
		}
	}
	w.text("name", s.Name)
	w.text("about", s.About)
	w.number("time", s.Time, 0)
	w.target(&s.Target, "")
	w.camera(&s.Camera)
	if len(s.Lights) > 0 {
		w.open("lights")
		for i := range s.Lights {
			w.item(func() { w.light(&s.Lights[i]) })
		}
		w.close()
	}
	w.curve("ambient", s.Ambient)
	section(w, "tables", s.Tables, func(t *Table) { w.table(t) })
	section(w, "gradients", s.Gradients, func(g *Gradient) { w.gradient(g) })
	section(w, "programs", s.Programs, func(p *Program) { w.program(p) })
	section(w, "textures", s.Textures, func(t *Texture) { w.texture(t) })
	section(w, "models", s.Models, func(m *Model) { w.model(m) })
	w.state(&s.State)
	if len(s.Passes) > 0 {
		w.open("passes")
		for i := range s.Passes {
			w.item(func() { w.pass(&s.Passes[i]) })
		}
		w.close()
	}
	w.draws(s.Draws)
	return []byte(w.b.String())
}

// writer writes block mappings; the values that are short are flow ones.
type writer struct {
	b      strings.Builder
	indent int
	dash   bool // the next key begins an item of a list
}

// section writes a mapping from names.
func section[T any](w *writer, key string, list []T, one func(*T)) {
	if len(list) == 0 {
		return
	}
	w.open(key)
	for i := range list {
		one(&list[i])
	}
	w.close()
}

func (w *writer) line(key, value string) {
	if w.dash {
		w.b.WriteString(strings.Repeat("  ", w.indent-1) + "- ")
		w.dash = false
	} else {
		w.b.WriteString(strings.Repeat("  ", w.indent))
	}
	w.b.WriteString(key + ":")
	if value != "" {
		w.b.WriteString(" " + value)
	}
	w.b.WriteByte('\n')
}

// open begins a mapping or a list under a key.
func (w *writer) open(key string) {
	w.line(key, "")
	w.indent++
}

func (w *writer) close() { w.indent-- }

// item writes an item of a list that is a mapping.
func (w *writer) item(f func()) {
	w.dash = true
	w.indent++
	f()
	w.indent--
	w.dash = false
}

func (w *writer) text(key, v string) {
	if v != "" {
		w.line(key, quote(v))
	}
}

func (w *writer) number(key string, v, def float64) {
	if v != def {
		w.line(key, num(v))
	}
}

func (w *writer) flag(key string, v, def bool) {
	if v != def {
		w.line(key, strconv.FormatBool(v))
	}
}

func num(v float64) string {
	if f := float32(v); float64(f) == v {
		return strconv.FormatFloat(v, 'g', -1, 32)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// quote writes a text plainly if nobody can take it for something else.
func quote(s string) string {
	plain := s != ""
	for i, c := range s {
		switch {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_':
		case i > 0 && (c >= '0' && c <= '9' || strings.ContainsRune("./[]-", c)):
		default:
			plain = false
		}
	}
	switch strings.ToLower(s) {
	case "true", "false", "yes", "no", "on", "off", "null", "y", "n":
		plain = false
	}
	if plain {
		return s
	}
	return strconv.Quote(s)
}

// inQuotes is quote for texts inside of flow lists, where brackets count.
func inQuotes(s string) string {
	if strings.ContainsAny(s, "[]{},") {
		return strconv.Quote(s)
	}
	return quote(s)
}

func list(v []float64) string {
	parts := make([]string, len(v))
	for i, x := range v {
		parts[i] = num(x)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func (w *writer) floats(key string, v []float64) { w.line(key, list(v)) }

func (w *writer) names(key string, v []string) {
	parts := make([]string, len(v))
	for i, s := range v {
		parts[i] = inQuotes(s)
	}
	w.line(key, "["+strings.Join(parts, ", ")+"]")
}

func (w *writer) curve(key string, c *Curve) {
	if c == nil || len(c.Keys) == 0 {
		return
	}
	if len(c.Keys) == 1 && c.Keys[0].T == 0 && !c.Loop {
		if v := c.Keys[0].V; len(v) == 1 {
			w.line(key, num(v[0]))
		} else {
			w.floats(key, v)
		}
		return
	}
	keys := make([]string, len(c.Keys))
	for i, k := range c.Keys {
		keys[i] = list(append([]float64{k.T}, k.V...))
	}
	loop := ""
	if c.Loop {
		loop = ", loop: true"
	}
	w.line(key, "{keys: ["+strings.Join(keys, ", ")+"]"+loop+"}")
}

// target writes a target; name is what it is called by default.
func (w *writer) target(t *Target, name string) {
	w.open("target")
	if t.Name != name {
		w.text("name", t.Name)
	}
	w.line("width", strconv.Itoa(t.Width))
	w.line("height", strconv.Itoa(t.Height))
	if t.Viewport != [4]int{} {
		w.line("viewport", ints(t.Viewport))
	}
	w.line("color", t.Color)
	w.line("depth", t.Depth)
	w.text("share_color", t.ShareColor)
	w.text("share_depth", t.ShareDepth)
	w.text("screen", t.Screen)
	var parts []string
	if c := t.Clear.Color; c != nil {
		parts = append(parts, "color: "+list(c[:]))
	}
	if d := t.Clear.Depth; d != nil {
		parts = append(parts, "depth: "+num(*d))
	}
	if s := t.Clear.Stencil; s != nil {
		parts = append(parts, "stencil: "+strconv.Itoa(*s))
	}
	w.line("clear", "{"+strings.Join(parts, ", ")+"}")
	w.close()
}

func ints(v [4]int) string { return fmt.Sprintf("[%d, %d, %d, %d]", v[0], v[1], v[2], v[3]) }

func (w *writer) camera(c *Camera) {
	w.open("camera")
	w.curve("eye", c.Eye)
	w.curve("at", c.At)
	w.curve("up", c.Up)
	w.curve("fovy", c.Fovy)
	w.curve("height", c.Height)
	w.line("near", num(c.Near))
	w.line("far", num(c.Far))
	w.number("turntable", c.Turntable, 0)
	w.curve("projection", c.Projection)
	w.flag("rotated", c.Rotated, false)
	if s := c.Stereo; s != nil {
		w.open("stereo")
		w.curve("eyes", s.Eyes)
		w.curve("convergence", s.Convergence)
		w.close()
	}
	w.close()
}

func (w *writer) light(l *Light) {
	w.curve("position", l.Position)
	w.curve("direction", l.Direction)
	w.curve("ambient", l.Ambient)
	w.curve("diffuse", l.Diffuse)
	w.curve("specular0", l.Specular0)
	w.curve("specular1", l.Specular1)
	w.curve("spot", l.Spot)
	w.uniforms(l.Uniforms)
}

func (w *writer) program(p *Program) {
	w.open(quote(p.Name))
	w.text("library", p.Library)
	if len(p.Sources) > 0 {
		w.names("sources", p.Sources)
	}
	w.text("file", p.File)
	w.text("vertex", p.Vertex)
	w.text("geometry", p.Geometry)
	if len(p.Attributes) > 0 {
		w.open("attributes")
		for _, k := range sortedKeys(p.Attributes) {
			w.line(quote(k), quote(p.Attributes[k]))
		}
		w.close()
	}
	if p.Guess != "unsaid" {
		w.text("guess", p.Guess)
	}
	if p.PerRun > 0 {
		w.line("per_run", strconv.Itoa(p.PerRun))
	}
	w.close()
}

func (w *writer) image(im *Image) {
	w.text("file", im.File)
	p := im.Pattern
	if p == nil {
		return
	}
	w.line("pattern", p.Kind)
	w.line("size", fmt.Sprintf("[%d, %d]", p.Width, p.Height))
	if len(p.Colors) > 0 {
		parts := make([]string, len(p.Colors))
		for i := range p.Colors {
			parts[i] = list(p.Colors[i][:])
		}
		w.line("colors", "["+strings.Join(parts, ", ")+"]")
	}
	w.text("gradient", p.Gradient)
	w.line("scale", num(p.Scale))
	w.line("seed", strconv.FormatInt(p.Seed, 10))
	w.line("relief", num(p.Depth))
}

func (w *writer) texture(t *Texture) {
	w.open(quote(t.Name))
	images := func(key string, list []Image) {
		if len(list) == 0 {
			return
		}
		w.open(key)
		for i := range list {
			w.item(func() { w.image(&list[i]) })
		}
		w.close()
	}
	w.image(&t.Image)
	images("faces", t.Faces)
	images("levels", t.Levels)
	w.text("from", t.From)
	if r := t.Raw; r != nil {
		w.open("raw")
		w.text("file", r.File)
		w.line("size", fmt.Sprintf("[%d, %d]", r.Width, r.Height))
		w.line("offset", strconv.FormatInt(r.Offset, 10))
		w.line("levels", strconv.Itoa(r.Levels))
		w.flag("cube", r.Cube, false)
		w.close()
	}
	w.text("format", t.Format)
	w.flag("mipmaps", t.Mipmaps, false)
	w.names("wrap", t.Wrap[:])
	w.line("mag", t.Mag)
	w.line("min", t.Min)
	w.text("mip", t.Mip)
	w.number("bias", t.Bias, 0)
	if t.MaxLod >= 0 {
		w.line("max_lod", strconv.Itoa(t.MaxLod))
	}
	if t.Border != [4]float64{} {
		w.floats("border", t.Border[:])
	}
	w.flag("shadow", t.Shadow, false)
	w.close()
}

func (w *writer) model(m *Model) {
	w.open(quote(m.Name))
	w.text("file", m.File)
	if s := m.Shape; s != nil {
		w.line("shape", s.Kind)
		if len(s.Size) > 0 {
			w.floats("size", s.Size)
		}
		if len(s.Detail) > 0 {
			parts := make([]string, len(s.Detail))
			for i, d := range s.Detail {
				parts[i] = strconv.Itoa(d)
			}
			w.line("detail", "["+strings.Join(parts, ", ")+"]")
		}
		w.line("count", strconv.Itoa(s.Count))
		w.line("seed", strconv.FormatInt(s.Seed, 10))
		w.floats("color", s.Color[:])
		if s.Spread != nil {
			w.floats("spread", s.Spread)
		}
	}
	w.vertices(m.Vertices)
	w.close()
}

func (w *writer) state(s *State) {
	w.uniforms(s.Uniforms)
	w.text("procedural_colors", s.ProceduralColors)
	w.text("gas_colors", s.GasColors)
	if len(s.Registers) == 0 {
		return
	}
	w.open("registers")
	for i := 0; i < len(s.Registers); {
		r := s.Registers[i]
		n := 1
		for i+n < len(s.Registers) && s.Registers[i+n].Reg == r.Reg && s.Registers[i+n].Mask == r.Mask {
			n++
		}
		mask := ""
		if r.Mask != 15 {
			mask = fmt.Sprintf(", mask: %d", r.Mask)
		}
		value := fmt.Sprintf("value: 0x%08X", r.Value)
		if n > 1 {
			parts := make([]string, n)
			for k := range parts {
				parts[k] = fmt.Sprintf("0x%08X", s.Registers[i+k].Value)
			}
			value = "data: [" + strings.Join(parts, ", ") + "]"
		}
		w.b.WriteString(strings.Repeat("  ", w.indent) + fmt.Sprintf("- {reg: %s%s, %s}\n", registerName(r.Reg), mask, value))
		i += n
	}
	w.close()
}

func (w *writer) uniforms(list []Uniform) {
	if len(list) == 0 {
		return
	}
	w.open("uniforms")
	for i := range list {
		u := &list[i]
		if u.Curve != nil {
			w.movingCurve(quote(u.Name), u.Curve)
			continue
		}
		parts := make([]string, len(u.Values))
		for k, v := range u.Values {
			switch x := v.(type) {
			case float64:
				parts[k] = num(x)
			case string:
				parts[k] = inQuotes(x)
			default:
				parts[k] = fmt.Sprint(x)
			}
		}
		value := "[" + strings.Join(parts, ", ") + "]"
		if len(parts) == 1 {
			value = parts[0]
		}
		w.line(quote(u.Name), value)
	}
	w.close()
}

// movingCurve writes a curve with its keys, which tells it from numbers.
func (w *writer) movingCurve(key string, c *Curve) {
	if len(c.Keys) == 1 && c.Keys[0].T == 0 && !c.Loop {
		w.line(key, "{keys: ["+list(append([]float64{0}, c.Keys[0].V...))+"]}")
		return
	}
	w.curve(key, c)
}

func (w *writer) pass(p *Pass) {
	w.line("name", quote(p.Name))
	w.target(&p.Target, p.Name)
	if p.Camera != nil {
		w.camera(p.Camera)
	}
	w.line("mode", p.Mode)
	w.state(&p.State)
	w.draws(p.Draws)
}

func (w *writer) draws(list []Draw) {
	if len(list) == 0 {
		w.line("draws", "[]")
		return
	}
	w.open("draws")
	for i := range list {
		w.item(func() { w.draw(&list[i]) })
	}
	w.close()
}

func (w *writer) draw(d *Draw) {
	w.text("name", d.Name)
	w.line("model", quote(d.Model))
	w.text("mesh", d.Mesh)
	w.text("program", d.Program)
	if len(d.Textures) > 0 {
		names := make([]string, len(d.Textures))
		for i, t := range d.Textures {
			if names[i] = "none"; t != nil {
				names[i] = *t
			}
		}
		w.names("textures", names)
	}
	w.curve("at", d.At)
	w.curve("rotate", d.Rotate)
	w.curve("scale", d.Scale)
	if d.Spin != nil {
		w.floats("spin", d.Spin[:])
	}
	w.curve("matrix", d.Matrix)
	if d.Transform != nil {
		w.open("transform")
		for i := range d.Transform {
			w.item(func() { w.curve(d.Transform[i].Kind, d.Transform[i].Value) })
		}
		w.close()
	}
	w.text("animation", d.Animation)
	w.flag("material", d.Material, true)
	if d.Lit != nil {
		w.line("lit", strconv.FormatBool(*d.Lit))
	}
	w.curve("color", d.Color)
	w.flag("bump", d.Bump, false)
	w.text("cull", d.Cull)
	if t := d.Depth; t != nil {
		w.line("depth", fmt.Sprintf("{test: %v, func: %s, write: %v}", t.Test, t.Func, t.Write))
	}
	if b := d.Blend; b != nil {
		w.line("blend", blendText(b))
	}
	if s := d.Stencil; s != nil {
		w.line("stencil", fmt.Sprintf("{func: %s, ref: %d, mask: %d, write: %d, fail: %s, zfail: %s, zpass: %s}",
			s.Func, s.Ref, s.Mask, s.Write, s.Fail, s.ZFail, s.ZPass))
	}
	if d.Write != "" {
		w.line("write", strconv.Quote(d.Write))
	}
	w.text("logic", d.Logic)
	if d.Scissor != nil {
		w.line("scissor", ints(*d.Scissor))
	}
	w.text("primitive", d.Primitive)
	w.text("patches", d.Patches)
	if d.Refine != 0 {
		w.line("refine", strconv.Itoa(d.Refine))
	}
	w.state(&d.State)
}

func blendText(b *Blend) string {
	for _, name := range presetNames {
		if *b == BlendPresets[name] {
			return strconv.Quote(name)
		}
	}
	return fmt.Sprintf("{equation: %s, equation_alpha: %s, src: %s, dst: %s, src_alpha: %s, dst_alpha: %s, color: %s}",
		b.EquationRgb, b.EquationAlpha, b.SrcRgb, b.DstRgb, b.SrcAlpha, b.DstAlpha, list(b.Color[:]))
}
