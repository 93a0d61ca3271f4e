package scene

import (
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"pica200/internal/schema"
	"pica200/internal/yamldoc"
)

// The contents of scene files: one description of each structure, with which
// package schema reads, checks and writes it, and makes docs/scene.schema.json
// and docs/SCENE-KEYS.md.

// Limits of a scene.
const (
	MaxSize  = 1024 // of a target's or texture's side
	MaxNames = 1024 // of each kind of named thing

	maxDraws      = 4096
	maxPasses     = 64
	maxRefine     = 5
	maxKeys       = 4096 // of a curve
	maxTransforms = 64
	maxComponents = 1024 // of a uniform
)

var sceneKind = schema.Object("a scene", func(s *Scene, f *schema.Fields) {
	schema.Key(f, "name", &s.Name, schema.Text, "for the gallery")
	schema.Key(f, "about", &s.About, schema.Text, "a line or two for the gallery")
	schema.Key(f, "time", &s.Time, schema.Number(-1e6, 1e6), "default animation time, seconds")
	schema.Key(f, "target", &s.Target, targetKind, "target of the main pass")
	schema.Key(f, "camera", &s.Camera, cameraKind, "viewpoint")
	schema.Key(f, "lights", &s.Lights, schema.List(lightKind, 0, 8, "lights (the PICA200 has 8)"), "lights of fragment lighting, in world space")
	schema.Key(f, "ambient", &s.Ambient, curve(3), "global ambient colour")
	schema.Key(f, "tables", &s.Tables, schema.Named(tableKind, "table", func(t *Table) *string { return &t.Name }), "for sampler uniforms (1D)")
	schema.Key(f, "gradients", &s.Gradients, schema.Named(gradientKind, "gradient", func(g *Gradient) *string { return &g.Name }), "colours from 0 to 1")
	schema.Key(f, "programs", &s.Programs, schema.Named(programKind, "program", func(p *Program) *string { return &p.Name }), "shaders")
	schema.Key(f, "textures", &s.Textures, schema.Named(textureKind, "texture", func(t *Texture) *string { return &t.Name }), "pictures for draws")
	schema.Key(f, "models", &s.Models, schema.Named(modelKind, "model", func(m *Model) *string { return &m.Name }), "meshes for draws")
	s.State.describe(f)
	f.Named("target", "main")
	schema.Key(f, "passes", &s.Passes, schema.List(passKind, 0, maxPasses, "passes"), "drawn before the main pass, in order, each to its own target")
	schema.Key(f.Required("the scene has no draws"), "draws", &s.Draws, schema.List(drawKind, 0, maxDraws, "draws"), "of the main pass, in order")
	if f.Sound() {
		s.checkTargets()
		s.checkStereo()
	}
})

var targetKind = schema.Object("a target", func(t *Target, f *schema.Fields) {
	tiles := schema.Int[int](1, MaxSize).Check(func(v int) error {
		if v%8 != 0 {
			return fmt.Errorf("%d is not a multiple of 8: render targets are made of tiles of 8x8 pixels", v)
		}
		return nil
	})
	schema.Key(f, "name", &t.Name, schema.Text, "name for textures and other targets; default for a pass: its name")
	schema.KeyOr(f.Always(), "width", &t.Width, tiles, 400, "pixels, a multiple of 8")
	schema.KeyOr(f.Always(), "height", &t.Height, tiles, 240, "pixels, a multiple of 8; the screens are 240x400 and 240x320 in memory")
	schema.Key(f, "viewport", &t.Viewport, rectangle, "[x, y, width, height] in pixels; default: the whole target")
	schema.KeyOr(f.Always(), "color", &t.Color, schema.Enum("color format", slices.Concat([]string{"none"}, colorFormats)), "rgba8", "format of the colour buffer")
	schema.KeyOr(f.Always(), "depth", &t.Depth, schema.Enum("depth format", slices.Concat([]string{"none"}, depthFormats)), "d24s8", "format of the depth buffer")
	schema.Key(f, "share_color", &t.ShareColor, schema.Text, "target of an earlier pass, to draw into its colour buffer")
	schema.Key(f, "share_depth", &t.ShareDepth, schema.Text, "target of an earlier pass, to use its depth buffer")
	schema.Key(f, "screen", &t.Screen, schema.Enum("screen", screens), "screen that shows it; 240x800 makes the top screen wide, `topright` is the right eye")
	schema.KeyOr(f, "clear", &t.Clear, clearKind, t.defaultClear(), "initial contents; default: opaque black, depth 1, stencil 0")
	if t.Clear.Stencil != nil && t.Depth != "d24s8" {
		f.Node("clear").Get("stencil").Errorf("a target with depth format %s has no stencil buffer; d24s8 has one", t.Depth)
	}
})

// defaultClear returns what is cleared by default: all of the target's own
// buffers.
func (t *Target) defaultClear() (c Clear) {
	if t.ShareColor == "" {
		c.Color = &mgl64.Vec4{0, 0, 0, 1}
	}
	if t.ShareDepth == "" && t.Depth != "none" {
		one, zero := 1.0, 0
		if c.Depth = &one; t.Depth == "d24s8" {
			c.Stencil = &zero
		}
	}
	return c
}

var clearKind = schema.Object("a clear", func(c *Clear, f *schema.Fields) {
	f.Inline()
	schema.Key(f, "color", &c.Color, schema.Ptr(colour), "default: colours stay")
	schema.Key(f, "depth", &c.Depth, schema.Ptr(schema.Number(0, 1)), "default: depth stays")
	schema.Key(f, "stencil", &c.Stencil, schema.Ptr(schema.Int[int](0, 255)), "default: stencil stays")
})

var cameraKind = schema.Object("a camera", func(c *Camera, f *schema.Fields) {
	distance := schema.Number(1e-6, 1e9)
	schema.Key(f, "eye", &c.Eye, curve(3), "position; default: [0, 0, 4]")
	schema.Key(f, "at", &c.At, curve(3), "point to look at; default: the origin")
	schema.Key(f, "up", &c.Up, curve(3), "default: [0, 1, 0]")
	schema.Key(f, "fovy", &c.Fovy, curve(1).Check(each(func(v float64) error {
		if v <= 0 || v >= 180 {
			return fmt.Errorf("%g degrees are out of range; expected more than 0 and less than 180", v)
		}
		return nil
	})), "vertical field of view in degrees; default: 40")
	schema.Key(f, "height", &c.Height, curve(1), "height of a parallel projection in scene units, instead of `fovy`")
	schema.KeyOr(f.Always(), "near", &c.Near, distance, 0.1, "distance of the near plane")
	schema.KeyOr(f.Always(), "far", &c.Far, distance, 100, "distance of the far plane")
	schema.Key(f, "turntable", &c.Turntable, schema.Number(-1e6, 1e6), "degrees per second that the eye turns around `at`")
	schema.Key(f, "projection", &c.Projection, curve(16), "matrix row by row, instead of one from fovy, height, near and far")
	schema.Key(f, "rotated", &c.Rotated, schema.Bool, "rotated as the screens lie in memory, 240x400")
	schema.Key(f, "stereo", &c.Stereo, schema.Ptr(stereoKind), "two eyes; only for the scene's camera")
	if c.Fovy != nil && c.Height != nil {
		f.Node("height").Errorf("a camera has either fovy (perspective) or height (parallel), not both")
	}
	if c.Near >= c.Far {
		at := f.Node("far")
		if !at.Present() {
			at = f.Node("near")
		}
		at.Errorf("near (%g) must be less than far (%g)", c.Near, c.Far)
	}
	if c.Stereo == nil || !f.Sound() {
		return
	}
	switch {
	case c.Height != nil || c.Projection != nil:
		f.Node("stereo").Errorf("a stereo camera is one in perspective: it has neither height nor projection")
	case !c.Rotated:
		f.Node("stereo").Errorf("a stereo camera draws for the top screen, so it is rotated (rotated: true) and its target has 240x400 pixels")
	}
})

// each is a condition for all numbers of a curve of one.
func each(check func(v float64) error) func(c *Curve) error {
	return func(c *Curve) error {
		if c != nil {
			for _, k := range c.Keys {
				if err := check(k.V[0]); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

var stereoKind = schema.Object("a stereo camera", func(s *Stereo, f *schema.Fields) {
	const both = "a stereo camera has eyes (how far apart they are) and convergence (the distance at which both see the same), in units of the scene"
	schema.Key(f.Required(both), "eyes", &s.Eyes, curve(1), "distance between the eyes in scene units")
	schema.Key(f.Required(both), "convergence", &s.Convergence, curve(1).Check(each(func(v float64) error {
		if v <= 0 {
			return fmt.Errorf("%g is out of range; expected more than 0", v)
		}
		return nil
	})), "distance at which both pictures agree")
})

var lightKind = schema.Object("a light", func(l *Light, f *schema.Fields) {
	f.One("position", "direction")
	schema.Key(f, "position", &l.Position, curve(3), "where it is")
	schema.Key(f, "direction", &l.Direction, curve(3), "direction to a distant light")
	schema.Key(f, "ambient", &l.Ambient, curve(3), "colour; default: black")
	schema.Key(f, "diffuse", &l.Diffuse, curve(3), "colour; default: white")
	schema.Key(f, "specular0", &l.Specular0, curve(3), "colour; default: white")
	schema.Key(f, "specular1", &l.Specular1, curve(3), "colour; default: black")
	schema.Key(f, "spot", &l.Spot, curve(3), "direction of a spot light, any length but 0")
	schema.Key(f, "uniforms", &l.Uniforms, lightUniforms, "named without `dmp_FragmentLightSource[i].`")
})

var programKind = schema.Object("a program", func(p *Program, f *schema.Fields) {
	f.Short(yamldoc.Node.IsText, "library")
	f.One("library", "sources", "file")
	schema.Key(f, "library", &p.Library, schema.Text, "a program of the project's library")
	schema.Key(f, "sources", &p.Sources, schema.List(schema.Text, 1, MaxNames, "files"), ".pica files, the vertex shader first")
	schema.Key(f, "file", &p.File, schema.Text, "a .shbin")
	schema.Key(f, "vertex", &p.Vertex, schema.Text, "number or entry point of the executable; default: the first vertex shader")
	schema.Key(f, "geometry", &p.Geometry, schema.Text, "the same of the geometry shader, or `none`; default: the first, if any")
	schema.Key(f, "attributes", &p.Attributes, schema.Dict(schema.Enum("stream", streams)), "input (its declared name, its alias in the source, or v0 to v15): stream of the mesh")
	schema.KeyOr(f, "guess", &p.Guess, schema.Enum("guess", guesses), "unsaid", "which inputs and uniforms are guessed")
	schema.Key(f, "per_run", &p.PerRun, schema.Int[int](1, 16), "vertices per run of a geometry shader in point mode; default: as many as it reads")
})

var passKind = schema.Object("a pass", func(p *Pass, f *schema.Fields) {
	schema.Key(f.Required("the pass has no name"), "name", &p.Name, schema.Text, "also names its target")
	if f.Writing() && p.Target.Name == p.Name {
		p.Target.Name = ""
	}
	schema.Key(f, "target", &p.Target, targetKind, "render target")
	if p.Target.Name == "" {
		p.Target.Name = p.Name
	}
	f.Named("target", p.Target.Name)
	schema.Key(f, "camera", &p.Camera, schema.Ptr(cameraKind), "default: the scene's")
	schema.KeyOr(f, "mode", &p.Mode, schema.Enum("pass mode", passModes), "color", "`shadow` writes depth and intensity for a texture with `shadow: true`, `gas` adds densities")
	p.State.describe(f)
	schema.Key(f, "draws", &p.Draws, schema.List(drawKind, 0, maxDraws, "draws"), "in order")
})

// describe declares the keys of a state, for a scene, a pass and a draw.
func (s *State) describe(f *schema.Fields) {
	schema.Key(f, "uniforms", &s.Uniforms, uniforms, "of the fixed functions (`dmp_*`: docs/UNIFORMS.md), and of the shaders")
	schema.Key(f, "procedural_colors", &s.ProceduralColors, schema.Ref("gradient", ""), "fills the four colour tables of the procedural texture")
	schema.Key(f, "gas_colors", &s.GasColors, schema.Ref("gradient", ""), "fills the three colour tables of gas")
	schema.Key(f, "registers", &s.Registers, registers, "raw writes, sent right before a draw")
}

// checkTargets checks that targets have different names and share buffers only
// with earlier passes.
func (s *Scene) checkTargets() {
	names := []string{"main"}
	for i := range s.Passes {
		p := &s.Passes[i]
		p.Target.checkShared(names)
		if slices.Contains(names, p.Target.Name) {
			p.node.Get("name").Errorf("there is a target named %q already", p.Target.Name)
		}
		names = append(names, p.Target.Name)
	}
	s.Target.checkShared(names)
}

func (t *Target) checkShared(names []string) {
	for key, name := range map[string]string{"share_color": t.ShareColor, "share_depth": t.ShareDepth} {
		if name != "" && !slices.Contains(names, name) {
			t.node.Get(key).Unknown("target", name, "the passes before this one", names)
		}
	}
}

// checkStereo checks that the pictures of both eyes can be shown.
func (s *Scene) checkStereo() {
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

// numbers is a list of n numbers.
func numbers(n int) schema.Kind[[]float64] { return schema.List(schema.Finite, n, n, "numbers") }

var rectangle = schema.Fixed[[4]int](schema.List(schema.Int[int](0, MaxSize), 4, 4, "numbers"))

// colour is three or four numbers from 0 to 1; alpha is 1 by default.
var colour = func() schema.Kind[mgl64.Vec4] {
	k := schema.Via(schema.List(schema.Number(0, 1), 3, 4, "numbers (a colour)"),
		func(v []float64) mgl64.Vec4 { c := mgl64.Vec4{3: 1}; copy(c[:], v); return c },
		func(v mgl64.Vec4) []float64 { return v[:] })
	k.Words = "colour"
	return k
}()

// spread returns how many numbers a curve has: width, or any from 1 to 16 for a
// width of 0.
func spread(width int) (least, most int, words string) {
	switch width {
	case 0:
		return 1, 16, "numbers"
	case 1:
		return 1, 1, "number"
	}
	return width, width, fmt.Sprintf("%d numbers", width)
}

// moving is a curve with its keys.
func moving(width int) schema.Kind[Curve] {
	least, most, words := spread(width)
	rows := schema.Rows(schema.Finite, maxKeys, 1+least, 1+most, "times", "time, "+words)
	rows.Words = "list of [time, numbers]"
	keys := schema.Each(rows, func(row []float64) Key { return Key{row[0], row[1:]} }, func(k Key) []float64 { return append([]float64{k.T}, k.V...) })
	return schema.Object("a curve", func(c *Curve, f *schema.Fields) {
		f.Inline()
		f.Variant(fmt.Sprint(width))
		schema.Key(f.Required("a curve has keys, each a list of a time and numbers"), "keys", &c.Keys, keys, "linear between keys; times in seconds, ascending")
		schema.Key(f, "loop", &c.Loop, schema.Bool, "time wraps at the last key")
		for i, k := range c.Keys {
			if len(k.V) != len(c.Keys[0].V) && f.Reading() {
				f.Node("keys").List()[i].Errorf("expected a time and %d numbers, found %d numbers", len(c.Keys[0].V), 1+len(k.V))
			}
		}
	})
}

// curve is a curve with its keys, or as it stays.
func curve(width int) schema.Kind[*Curve] {
	steady := numbers(width)
	_, most, words := spread(width)
	if most != width || width == 1 {
		one := schema.Via(schema.Finite, func(v float64) []float64 { return []float64{v} }, func(v []float64) float64 { return v[0] })
		if steady = one; width == 0 {
			steady = schema.Either(yamldoc.Node.IsNumber, one, schema.List(schema.Finite, 1, most, "numbers"), func(v []float64) bool { return len(v) == 1 })
		}
	}
	either := schema.Either(yamldoc.Node.IsMap, moving(width),
		schema.Via(steady, func(v []float64) Curve { return *Const(v...) }, func(c Curve) []float64 { return c.Keys[0].V }),
		func(c Curve) bool { return len(c.Keys) != 1 || c.Keys[0].T != 0 || c.Loop })
	k := schema.Ptr(either)
	k.Words = words + ", or a curve"
	k.JSON = func(p *schema.Published) schema.JSON {
		return p.Def(fmt.Sprintf("numbers%d", width), func() schema.JSON { return either.JSON(p) })
	}
	write := k.Write
	k.Write = func(c *Curve) any {
		if c == nil || len(c.Keys) == 0 {
			return nil
		}
		return write(c)
	}
	return k
}
