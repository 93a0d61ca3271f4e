package scene

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"pica200/internal/files"
	"pica200/internal/yamldoc"
	"pica200/pica"
)

// Limits of a scene.
const (
	MaxSize   = 1024 // of a target's or texture's side
	MaxDraws  = 4096
	MaxPasses = 64
	maxRefine = 5
	MaxNames  = 1024 // of each kind of named thing
)

// Load reads a scene file. Files that it names may lie in its folder and in
// roots.
func Load(path string, roots ...string) (*Scene, error) {
	data, err := files.Read(path, yamldoc.MaxBytes)
	if err != nil {
		return nil, err
	}
	s, err := Parse(path, data)
	if err != nil {
		return nil, err
	}
	s.Roots = roots
	return s, nil
}

// Is tells whether a file of this name and content is likely a scene.
func Is(name string, data []byte) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".yaml", ".yml":
	default:
		return false
	}
	return !strings.HasSuffix(name, ".case.yaml")
}

// Parse parses the text of a scene file. file is its path: messages name it,
// and paths in the scene count from its folder. The error lists every mistake
// that was found with its line.
func Parse(file string, src []byte) (*Scene, error) {
	doc, root, err := yamldoc.Parse(file, src)
	if err != nil {
		return nil, err
	}
	s := &Scene{File: file, Dir: filepath.Dir(file)}
	p := &parser{s: s, targets: map[string]bool{"main": true}}
	p.scene(root)
	if err := doc.Err(); err != nil {
		return nil, err
	}
	p.references()
	if err := doc.Err(); err != nil {
		return nil, err
	}
	return s, nil
}

// topKeys are the keys at the top of a scene.
var topKeys = []string{"name", "about", "time", "target", "camera", "lights", "ambient", "tables", "gradients", "programs",
	"textures", "models", "uniforms", "registers", "procedural_colors", "gas_colors", "passes", "draws"}

// Looks tells a scene by its keys, whatever it is called: each line that begins at the left
// edge and is no comment must be a key of a scene, and one of those that say what is drawn
// must be there.
func Looks(data []byte) bool {
	if !files.IsText(data) {
		return false
	}
	keys, draws := 0, false
	for t := range bytes.Lines(data) {
		if len(bytes.TrimSpace(t)) == 0 || t[0] == '#' || t[0] == ' ' || t[0] == '-' {
			continue
		}
		key, _, ok := bytes.Cut(t, []byte(":"))
		if !ok || !slices.Contains(topKeys, string(key)) {
			return false
		}
		keys++
		draws = draws || string(key) == "draws" || string(key) == "passes"
	}
	return keys > 0 && draws
}

type parser struct {
	s       *Scene
	targets map[string]bool // named so far
	refs    []reference     // checked at the end, when all names are known
}

type reference struct {
	node yamldoc.Node
	kind string
	name string
}

func (p *parser) scene(root yamldoc.Node) {
	s := p.s
	m := root.Keys("a scene", topKeys...)
	s.Name, s.About = m["name"].Str(), m["about"].Str()
	s.Time = m["time"].Float(0, -1e6, 1e6)
	s.Camera = p.camera(m["camera"])
	if lights := m["lights"].List(); len(lights) > 8 {
		lights[8].Errorf("a ninth light; the PICA200 has 8")
	} else {
		for _, n := range lights {
			s.Lights = append(s.Lights, p.light(n))
		}
	}
	s.Ambient = p.curve(m["ambient"], 3)
	for _, f := range p.named(m["tables"]) {
		s.Tables = append(s.Tables, p.table(f))
	}
	for _, f := range p.named(m["gradients"]) {
		s.Gradients = append(s.Gradients, p.gradient(f))
	}
	for _, f := range p.named(m["programs"]) {
		s.Programs = append(s.Programs, p.program(f))
	}
	for _, f := range p.named(m["textures"]) {
		s.Textures = append(s.Textures, p.texture(f))
	}
	for _, f := range p.named(m["models"]) {
		s.Models = append(s.Models, p.model(f))
	}
	s.State = p.state(m)
	passes := m["passes"].List()
	if len(passes) > MaxPasses {
		passes[MaxPasses].Errorf("more than %d passes", MaxPasses)
		return
	}
	for _, n := range passes {
		s.Passes = append(s.Passes, p.pass(n))
	}
	s.Target = p.target(m["target"], "") // after the passes, whose buffers it can share
	p.checkStereo()
	s.Draws = p.draws(m["draws"])
	if !m["draws"].Present() {
		root.Errorf("the scene has no draws")
	}
}

// named returns the entries of a mapping from names to things.
func (p *parser) named(n yamldoc.Node) []yamldoc.Field {
	f := n.Fields()
	if len(f) > MaxNames {
		f[MaxNames].Pos.Errorf("more than %d entries", MaxNames)
		return nil
	}
	return f
}

func (p *parser) target(n yamldoc.Node, name string) Target {
	t := Target{Place: Place{n}, Name: name, Width: 400, Height: 240, Color: "rgba8", Depth: "d24s8"}
	m := n.Keys("a target", "name", "width", "height", "viewport", "color", "depth", "share_color", "share_depth", "screen", "clear")
	if m["name"].Present() {
		t.Name = m["name"].Str()
	}
	t.Width = int(m["width"].Int(400, 1, MaxSize))
	t.Height = int(m["height"].Int(240, 1, MaxSize))
	for _, k := range []string{"width", "height"} {
		if v := m[k].Int(8, 1, MaxSize); v%8 != 0 {
			m[k].Errorf("%d is not a multiple of 8: render targets are made of tiles of 8x8 pixels", v)
		}
	}
	if v := m["viewport"]; v.Present() {
		t.Viewport = ints4(v, 0, MaxSize)
	}
	if m["color"].Present() {
		t.Color = m["color"].Enum("color format", append([]string{"none"}, ColorFormats...)...)
	}
	if m["depth"].Present() {
		t.Depth = m["depth"].Enum("depth format", append([]string{"none"}, DepthFormats...)...)
	}
	t.ShareColor, t.ShareDepth = m["share_color"].Str(), m["share_depth"].Str()
	for _, k := range []string{"share_color", "share_depth"} {
		if s := m[k].Str(); s != "" && !p.targets[s] {
			m[k].Unknown("target", s, "the passes before this one", keys(p.targets))
		}
	}
	t.Screen = m["screen"].Enum("screen", Screens...)
	c := m["clear"].Keys("a clear", "color", "depth", "stencil")
	if c["color"].Present() {
		v := rgba(c["color"])
		t.Clear.Color = &v
	}
	if c["depth"].Present() {
		v := c["depth"].Float(1, 0, 1)
		t.Clear.Depth = &v
	}
	if c["stencil"].Present() {
		v := int(c["stencil"].Int(0, 0, 255))
		t.Clear.Stencil = &v
		if t.Depth != "d24s8" {
			c["stencil"].Errorf("a target with depth format %s has no stencil buffer; d24s8 has one", t.Depth)
		}
	}
	if !m["clear"].Present() {
		black, one, zero := [4]float64{0, 0, 0, 1}, 1.0, 0
		if t.ShareColor == "" {
			t.Clear.Color = &black
		}
		if t.ShareDepth == "" && t.Depth != "none" {
			t.Clear.Depth = &one
			if t.Depth == "d24s8" {
				t.Clear.Stencil = &zero
			}
		}
	}
	return t
}

func (p *parser) camera(n yamldoc.Node) Camera {
	m := n.Keys("a camera", "eye", "at", "up", "fovy", "height", "near", "far", "turntable", "projection", "rotated", "stereo")
	c := Camera{Place: Place{n}, Eye: p.curve(m["eye"], 3), At: p.curve(m["at"], 3), Up: p.curve(m["up"], 3),
		Fovy: p.curve(m["fovy"], 1), Height: p.curve(m["height"], 1), Projection: p.curve(m["projection"], 16),
		Near: m["near"].Float(0.1, 1e-6, 1e9), Far: m["far"].Float(100, 1e-6, 1e9),
		Turntable: m["turntable"].Float(0, -1e6, 1e6), Rotated: m["rotated"].Bool(false)}
	c.Stereo = p.stereo(m["stereo"], &c)
	if c.Fovy != nil && c.Height != nil {
		m["height"].Errorf("a camera has either fovy (perspective) or height (parallel), not both")
	}
	if c.Near >= c.Far {
		at := m["far"]
		if !at.Present() {
			at = m["near"]
		}
		at.Errorf("near (%g) must be less than far (%g)", c.Near, c.Far)
	}
	if c.Fovy != nil {
		for _, k := range c.Fovy.Keys {
			if k.V[0] <= 0 || k.V[0] >= 180 {
				m["fovy"].Errorf("%g degrees are out of range; expected more than 0 and less than 180", k.V[0])
			}
		}
	}
	return c
}

// stereo is the distance of two eyes and where their lines of sight meet.
func (p *parser) stereo(n yamldoc.Node, c *Camera) *Stereo {
	if !n.Present() {
		return nil
	}
	m := n.Keys("a stereo camera", "eyes", "convergence")
	for _, k := range []string{"eyes", "convergence"} {
		if !m[k].Present() {
			n.Errorf("a stereo camera has eyes (how far apart they are) and convergence (the distance at which both see the same), in units of the scene")
			return nil
		}
	}
	s := &Stereo{Place{n}, p.curve(m["eyes"], 1), p.curve(m["convergence"], 1)}
	if s.Convergence != nil {
		for _, k := range s.Convergence.Keys {
			if k.V[0] <= 0 {
				m["convergence"].Errorf("%g is out of range; expected more than 0", k.V[0])
			}
		}
	}
	switch {
	case c.Height != nil || c.Projection != nil:
		n.Errorf("a stereo camera is one in perspective: it has neither height nor projection")
	case !c.Rotated:
		n.Errorf("a stereo camera draws for the top screen, so it is rotated (rotated: true) and its target has 240x400 pixels")
	}
	return s
}

// checkStereo sees that the pictures of both eyes can be shown.
func (p *parser) checkStereo() {
	s := p.s
	for i := range s.Passes {
		if c := s.Passes[i].Camera; c != nil && c.Stereo != nil {
			c.Stereo.node.Errorf("the camera of a pass has one eye; only the scene's has stereo")
		}
	}
	if s.Camera.Stereo == nil {
		return
	}
	bad := s.Camera.Stereo.node.Errorf
	t := &s.Target
	switch {
	case !(t.Width == 240 && t.Height == 400 || t.Width == 480 && t.Height == 800):
		bad("a stereo camera draws for the top screen: the target has 240x400 pixels, or 480x800; it has %dx%d", t.Width, t.Height)
	case t.Screen != "" && t.Screen != "top":
		bad("a stereo camera draws for the top screen; the target says screen: %s", t.Screen)
	case t.ShareColor != "" || t.ShareDepth != "":
		bad("with a stereo camera each eye has a target of its own, which shares nothing with a pass")
	}
	for i := range s.Passes {
		if screen := s.Passes[i].Target.Screen; screen == "top" || screen == "topright" {
			bad("pass %s has the screen %s, on which a stereo camera shows its pictures", s.Passes[i].Name, screen)
		}
	}
}

func (p *parser) light(n yamldoc.Node) Light {
	m := n.Keys("a light", "position", "direction", "ambient", "diffuse", "specular0", "specular1", "spot", "uniforms")
	l := Light{Place: Place{n}, Position: p.curve(m["position"], 3), Direction: p.curve(m["direction"], 3),
		Ambient: p.curve(m["ambient"], 3), Diffuse: p.curve(m["diffuse"], 3), Specular0: p.curve(m["specular0"], 3),
		Specular1: p.curve(m["specular1"], 3), Spot: p.curve(m["spot"], 3), Uniforms: p.uniforms(m["uniforms"])}
	if (l.Position == nil) == (l.Direction == nil) {
		n.Errorf("a light has either a position or a direction")
	}
	return l
}

func (p *parser) program(f yamldoc.Field) Program {
	g := Program{Place: Place{f.Pos}, Name: f.Key, Guess: "unsaid"}
	if f.Value.IsText() { // the short form: a program of the library
		g.Library = f.Value.Str()
		return g
	}
	m := f.Value.Keys("a program", "library", "sources", "file", "vertex", "geometry", "attributes", "guess", "per_run")
	g.Library, g.File = m["library"].Str(), m["file"].Str()
	g.Vertex, g.Geometry = m["vertex"].Str(), m["geometry"].Str()
	if m["guess"].Present() {
		g.Guess = m["guess"].Enum("guess", Guesses...)
	}
	g.PerRun = int(m["per_run"].Int(0, 1, 16))
	for _, n := range m["sources"].List() {
		g.Sources = append(g.Sources, n.Str())
	}
	given := 0
	for _, b := range []bool{g.Library != "", len(g.Sources) > 0, g.File != ""} {
		if b {
			given++
		}
	}
	if given != 1 {
		f.Pos.Errorf("a program has exactly one of library, sources and file")
	}
	for _, a := range m["attributes"].Fields() {
		if g.Attributes == nil {
			g.Attributes = map[string]string{}
		}
		g.Attributes[a.Key] = a.Value.Enum("stream", Streams...)
	}
	return g
}

func (p *parser) pass(n yamldoc.Node) Pass {
	m := n.Keys("a pass", "name", "target", "camera", "mode", "uniforms", "registers", "procedural_colors", "gas_colors", "draws")
	a := Pass{Place: Place{n}, Name: m["name"].Str(), Mode: "color"}
	if a.Name == "" {
		n.Errorf("the pass has no name")
	}
	a.Target = p.target(m["target"], a.Name)
	if p.targets[a.Target.Name] {
		m["name"].Errorf("there is a target named %q already", a.Target.Name)
	}
	if m["mode"].Present() {
		a.Mode = m["mode"].Enum("pass mode", PassModes...)
	}
	if m["camera"].Present() {
		c := p.camera(m["camera"])
		a.Camera = &c
	}
	a.State = p.state(m)
	a.Draws = p.draws(m["draws"])
	p.targets[a.Target.Name] = true
	return a
}

func (p *parser) state(m map[string]yamldoc.Node) State {
	s := State{Uniforms: p.uniforms(m["uniforms"]), Registers: p.registers(m["registers"]),
		ProceduralColors: m["procedural_colors"].Str(), GasColors: m["gas_colors"].Str()}
	for _, key := range []string{"procedural_colors", "gas_colors"} {
		p.refer(m[key], "gradient")
	}
	return s
}

func (p *parser) uniforms(n yamldoc.Node) []Uniform {
	var out []Uniform
	for _, f := range n.Fields() {
		u := Uniform{Place: Place{f.Pos}, Name: f.Key, Value: Place{f.Value}}
		switch v := f.Value; {
		case v.IsMap():
			u.Curve = p.curve(v, -1)
		case v.IsList():
			for _, item := range v.List() {
				u.Values = append(u.Values, scalar(item))
			}
			if len(u.Values) == 0 || len(u.Values) > 1024 {
				v.Errorf("%s has %d components; expected 1 to 1024", f.Key, len(u.Values))
			}
		default:
			u.Values = []any{scalar(v)}
		}
		out = append(out, u)
	}
	return out
}

// scalar is a bool, a number or a text.
func scalar(n yamldoc.Node) any {
	switch {
	case n.IsBool():
		return n.Bool(false)
	case n.IsNumber():
		return n.Float(0, -3.5e38, 3.5e38)
	case n.IsText():
		return n.Str()
	}
	n.Errorf("expected a number, true, false or the name of a value")
	return 0.0
}

func (p *parser) registers(n yamldoc.Node) []Register {
	var out []Register
	for _, item := range n.List() {
		m := item.Keys("a register write", "reg", "value", "mask", "data")
		r := Register{Place: Place{item}, Mask: uint8(m["mask"].Int(15, 1, 15))}
		switch reg := m["reg"]; {
		case !reg.Present():
			item.Errorf("the register write has no reg")
		case reg.IsText():
			known, ok := pica.Lookup(reg.Str())
			if !ok {
				reg.Unknown("register", reg.Str(), "", registerNames())
				continue
			}
			r.Reg = uint16(known.Reg)
		default:
			r.Reg = uint16(reg.Int(0, 0, pica.NumRegs-1))
		}
		if d := m["data"]; d.Present() { // several words to one register
			for _, w := range d.List() {
				r.Value = uint32(w.Int(0, 0, 0xFFFFFFFF))
				out = append(out, r)
			}
			continue
		}
		if !m["value"].Present() {
			item.Errorf("the register write has no value")
		}
		r.Value = uint32(m["value"].Int(0, 0, 0xFFFFFFFF))
		out = append(out, r)
	}
	return out
}

// refer notes that a text names something of the scene.
func (p *parser) refer(n yamldoc.Node, kind string) {
	if name := n.Str(); name != "" {
		p.refs = append(p.refs, reference{n, kind, name})
	}
}

func registerNames() []string {
	var names []string
	for _, r := range pica.Registers {
		if r.Known() {
			names = append(names, r.Name)
		}
	}
	return names
}

func registerName(reg uint16) string {
	if r := pica.Registers[reg%pica.NumRegs]; r.Known() {
		return r.Name
	}
	return fmt.Sprintf("0x%03X", reg)
}

func sortedKeys(m map[string]string) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

func keys(m map[string]bool) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}
