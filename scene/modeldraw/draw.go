package modeldraw

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"iter"
	"slices"
	"sync"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"pica200/assets/cgfx"
	"pica200/assets/model"
	"pica200/assets/shbin"
	"pica200/assets/texture"
	"pica200/frontend/dmp"
	"pica200/frontend/gl"
	"pica200/internal/mgl"
	"pica200/pica"
	"pica200/shaderunit/shaders"
)

// View is the camera for a drawing.
type View struct {
	Projection mgl64.Mat4 // view space to clip space
	ToView     mgl64.Mat4 // world space to view space
	Near, Far  float64
	Parallel   bool
}

// distance converts a depth d, 0..1, to the distance along the line of sight.
func (v *View) distance(d float64) float64 {
	if v.Parallel {
		return v.Near + float64(d*(v.Far-v.Near))
	}
	a := v.Near / (v.Near - v.Far)
	b := float64(v.Near*v.Far) / (v.Near - v.Far)
	return b / (d - 1 + a)
}

// Drawing is a set with everything that was uploaded to a device for it.
type Drawing struct {
	// Change, if not nil, says what is otherwise of a mesh; nil leaves the mesh out.
	Change func(m *Mesh) (*Change, error)
	// Before, if not nil, is called before each draw, after all its state is set.
	Before func(name string, p *gl.Program, projection, modelView mgl64.Mat4) error

	set      *Set
	c        *gl.Context
	library  *vertexProgram
	programs map[programKey]*vertexProgram
	view     View
	motion   *Motion // of the model that is drawn
	frames   float64
	textures map[*cgfx.Texture]*gl.Texture
	cubes    map[*cgfx.Texture]bool // those of textures that have six faces
	buffers  map[*byte]*gl.Buffer
	queued   []queued
	left     int // indices that may still be drawn of the model
}

// Change replaces how the file says that a mesh is drawn.
type Change struct {
	World    mgl64.Mat4     // from the model's space
	Motion   *Motion        // not nil
	Plain    bool           // without its material
	Textures [3]*gl.Texture // by unit, in place of the material's
	Color    *mgl32.Vec4    // in place of the vertices'
	// Apply, if not nil, is called when the material has set the state and the
	// uniforms of its program, which is nil if Draw is given. It may fill Tables.
	Apply func(p *gl.Program) error
	// Tables are lighting tables to be used instead of the file's.
	Tables map[pica.LightTable]bool
	// Draw, if not nil, draws the vertices with a program of its own. name is that of
	// the mesh, place leads to the world, and bones, nil if it has none, to the space
	// that place is for. Parts are the same for the same vertices.
	Draw func(name string, p *model.Part, place mgl64.Mat4, bones []mgl64.Mat4) error
}

// assembled gives the library's program, assembled once.
var assembled = sync.OnceValues(func() (*shbin.File, error) { return shaders.Load("resource") })

// New makes a drawing on a context.
func (s *Set) New(c *gl.Context) (*Drawing, error) {
	f, err := assembled()
	if err != nil {
		return nil, err
	}
	p, err := gl.NewProgram(f)
	if err != nil {
		return nil, err
	}
	return &Drawing{set: s, c: c, library: &vertexProgram{Program: p, own: true}, programs: map[programKey]*vertexProgram{}, textures: map[*cgfx.Texture]*gl.Texture{}, cubes: map[*cgfx.Texture]bool{}, buffers: map[*byte]*gl.Buffer{}}, nil
}

// item is a mesh in the order of drawing.
type item struct {
	*Change
	m        *cgfx.Mesh
	number   int
	material *cgfx.Material
}

// itemsOf yields the meshes of a model that have a shape: all, or those of a name.
func itemsOf(m *cgfx.Model, name string) iter.Seq[item] {
	return func(yield func(item) bool) {
		for i, s := range m.Meshes {
			if s == nil || int64(s.Shape) >= int64(len(m.Shapes)) || m.Shapes[s.Shape] == nil {
				continue
			}
			it := item{m: s, number: i, material: plain}
			if e := m.Materials.Entries; int64(s.Material) < int64(len(e)) && e[s.Material].Value != nil {
				it.material = e[s.Material].Value
			}
			if name != "" && name != m.Name && s.NodeName != name && s.Name != name {
				continue
			}
			if !yield(it) {
				return
			}
		}
	}
}

// Mesh is a mesh of a model.
type Mesh struct {
	Names    []string // of the mesh: its own, without one its number, and its model's
	Material string
	Textures []string
}

// Meshes lists the meshes of all models, or those of a name.
func (s *Set) Meshes(name string) (list []Mesh) {
	for _, m := range s.Models() {
		for it := range itemsOf(m, name) {
			list = append(list, *s.meshOf(m, it))
		}
	}
	return list
}

func (s *Set) meshOf(m *cgfx.Model, it item) *Mesh {
	out := &Mesh{Names: []string{meshName(m, it)}, Material: it.material.Name}
	for _, name := range []string{it.m.Name, m.Name} {
		if name != "" && !slices.Contains(out.Names, name) {
			out.Names = append(out.Names, name)
		}
	}
	for _, t := range it.material.Mappers {
		if t != nil && t.Texture != nil && !slices.Contains(out.Textures, t.Texture.Name) {
			out.Textures = append(out.Textures, t.Texture.Name)
		}
	}
	return out
}

// Draw draws a model of the set, animated by motion after that many frames.
// world is the transformation from the model's space to the world; the model's
// own transform is included. mesh, if not empty, selects the mesh node to draw.
// It returns the number of draws.
func (d *Drawing) Draw(ctx context.Context, m *cgfx.Model, view View, world mgl64.Mat4, motion *Motion, frames float64, mesh string) (int, error) {
	d.view, d.frames = view, frames
	if motion == nil {
		motion = &Motion{}
	}
	poses := map[*Motion]*pose{}
	var items []item
	for it := range itemsOf(m, mesh) {
		it.Change = &Change{World: world, Motion: motion}
		if d.Change != nil {
			of, err := d.Change(d.set.meshOf(m, it))
			if err != nil {
				return 0, err
			}
			if it.Change = of; of == nil {
				continue
			}
		}
		if !d.set.visible(m, it.m, it.number, it.Motion.parts[moveVisibility], frames) {
			continue
		}
		if it.Plain {
			it.material = plain
		} else if it.material == plain {
			d.set.note("model %s, mesh %d: material %d of %d; it is drawn white", m.Name, it.number, it.m.Material, len(m.Materials.Entries))
		}
		items = append(items, it)
	}
	// Layers, then priorities; the file's order among equals. Source: 3dbrew says nothing;
	// SPICA draws by layer.
	slices.SortStableFunc(items, func(a, b item) int {
		return cmp.Or(cmp.Compare(a.material.Translucency, b.material.Translucency), cmp.Compare(a.m.Priority, b.m.Priority))
	})
	type animated struct {
		*cgfx.Material
		*Motion
	}
	states := map[animated]*materialState{}
	draws := 0
	d.left = maxIndices
	for i, it := range items {
		if draws >= maxDraws || d.left <= 0 {
			d.set.note("model %s: %d meshes are left out: it has more than %d draws or %d indices", m.Name, len(items)-i, maxDraws, maxIndices)
			break
		}
		d.motion = it.Motion
		l, ok := states[animated{it.material, it.Motion}]
		if !ok {
			l = d.set.stateOf(it.material, it.Motion.parts[moveMaterials], frames)
			states[animated{it.material, it.Motion}] = l
		}
		p := poses[it.Motion]
		if p == nil {
			p = newPose(m.Skeleton, it.Motion.parts[moveBones], frames)
			poses[it.Motion] = p
		}
		root := mgl.Mul(it.World, d.set.transform(m, it.Motion.parts[moveBones], frames))
		n, err := d.mesh(ctx, m, it, l.without(&it.Textures), p, mgl.Mul(view.ToView, root))
		draws += n
		if err != nil {
			return draws, fmt.Errorf("model %s, mesh %d: %w", m.Name, it.number, err)
		}
	}
	return draws, nil
}

// Bounds of what is drawn for a model. A file can refer to a mesh any number of
// times; the largest known models are a hundredth of this.
const (
	maxDraws   = 1 << 12
	maxIndices = 1 << 22
)

// plain is the material of meshes without one.
var plain = &cgfx.Material{Object: cgfx.Object{Name: "(none)"}, DepthFlags: 3,
	CullCommand: [2]uint32{0, 0x00010040}, DepthCommand: [4]uint32{0x41, 0x00010107, 0x03000000, 0x00080126},
	BlendCommand: [6]uint32{0x00E40100, 0x803F0100, 0x01010000, 0, 0, 0}}

// transform is the model's own transformation, which the skeletal animation may
// change.
func (s *Set) transform(m *cgfx.Model, a *cgfx.Animation, f float64) mgl64.Mat4 {
	t := m.Transform
	if m.Skeleton == nil {
		moved(&t, a, f)
	}
	out := srt(&t)
	if !mgl.Finite(out) {
		s.note("model %s: its transform is not finite; it is left out", m.Name)
		return mgl64.Ident4()
	}
	return out
}

// visible reports whether a mesh is drawn: by its own flag, its node's, and the
// animation.
func (s *Set) visible(m *cgfx.Model, mesh *cgfx.Mesh, number int, a *cgfx.Animation, f float64) bool {
	shown := animatedBool(mesh.Visible != 0, a, fmt.Sprintf("Meshes[%d].IsVisible", number), f) && animatedBool(m.Visible&1 != 0, a, "IsVisible", f)
	if int(mesh.Node) < len(m.NodeVisibilities.Entries) {
		if n := m.NodeVisibilities.Entries[mesh.Node].Value; n != nil {
			shown = shown && animatedBool(n.Visible&0xFF != 0, a, fmt.Sprintf("MeshNodeVisibilities[%q].IsVisible", n.Name), f)
		}
	}
	return shown
}

// animatedBool is a value, or what an animation makes of it.
func animatedBool(v bool, a *cgfx.Animation, path string, f float64) bool {
	x := member(a, path)
	if x == nil || x.Type != cgfx.TargetBool || x.Bool == nil {
		return v
	}
	return x.Bool.At(frame(a, f))
}

// mesh draws a mesh, a draw for each index stream.
func (d *Drawing) mesh(ctx context.Context, m *cgfx.Model, it item, l *materialState, p *pose, toView mgl64.Mat4) (draws int, err error) {
	sh := m.Shapes[it.m.Shape]
	name := meshName(m, it)
	for piece, err := range d.set.sets(sh, name) {
		if err != nil {
			// Continue with the rest of the file.
			d.set.note("%s: %v; it is left out", name, err)
			return draws, nil
		}
		for _, ix := range piece.draws {
			if err := d.draw(ctx, name, it.Change, sh, l, piece, ix, p, toView); err != nil {
				return draws, err
			}
			draws++
			d.left -= ix.n
		}
	}
	if !hasIndices(sh) {
		d.set.note("%s has no index stream: nothing says which vertices make its triangles, and a console draws nothing of it either", name)
	}
	return draws, nil
}

func hasIndices(sh *cgfx.Shape) bool {
	return slices.ContainsFunc(sh.Sets, func(set *cgfx.PrimitiveSet) bool {
		return set != nil && slices.ContainsFunc(set.Primitives, func(p *cgfx.Primitive) bool { return p != nil && len(p.Streams) > 0 })
	})
}

func meshName(m *cgfx.Model, it item) string {
	return cmp.Or(it.m.NodeName, it.m.Name, fmt.Sprintf("%s, mesh %d", m.Name, it.number))
}

// draw makes one draw.
func (d *Drawing) draw(ctx context.Context, name string, of *Change, sh *cgfx.Shape, l *materialState, p *primitives, ix indices, ps *pose, toView mgl64.Mat4) error {
	d.queued = d.queued[:0]
	d.reset()
	lights := d.set.lights(l.LightSet, d.motion, d.frames)
	if err := d.units(ctx, l, &of.Textures); err != nil {
		return err
	}
	if err := d.lightFragments(l, lights); err != nil {
		return err
	}
	if err := d.fog(l); err != nil {
		return err
	}
	var program *gl.Program
	modelView := toView
	if of.Draw == nil {
		var err error
		if program, modelView, err = d.program(ctx, name, of, sh, l, p, ps, toView, lights); err != nil {
			return err
		}
	}
	if err := d.set.commands(d.c, l); err != nil {
		return err
	}
	if of.Apply != nil {
		if err := of.Apply(program); err != nil {
			return err
		}
	}
	if err := d.sendTables(of); err != nil {
		return err
	}
	if of.Draw != nil {
		for i, t := range l.textures {
			if m := l.coords[i].Mapping; t != nil && m != cgfx.MapUV {
				d.set.note("material %s: the program in the scene gets no coordinates for texture %d, whose mapping is %v", l.Name, i, m)
			}
		}
		if d.lightVertices(l, lights, &values{floats: map[string][]mgl32.Vec4{}}) {
			d.set.note("material %s: the program in the scene gets no light by vertex", l.Name)
		}
		return d.changed(name, of, sh, l, p, ix, ps, toView)
	}
	if d.Before != nil {
		if err := d.Before(name, program, d.view.Projection, modelView); err != nil {
			return err
		}
	}
	b, err := d.buffer(ctx, ix.data)
	if err != nil {
		return err
	}
	return d.c.DrawElements(ctx, ix.mode, ix.n, ix.typ, b, 0)
}

// program uses the material's program with its uniforms and attributes, or the library's where the material's puts all vertices into one
// point. It returns the matrix of the part's first bone, too.
func (d *Drawing) program(ctx context.Context, name string, of *Change, sh *cgfx.Shape, l *materialState, p *primitives, ps *pose, toView mgl64.Mat4, lights *set) (*gl.Program, mgl64.Mat4, error) {
	for program := d.programFor(l.Material); ; program = d.library {
		d.c.UseProgram(program.Program)
		streams := p.streams
		if program.own {
			streams = l.streams(p)
		}
		if of.Color != nil {
			streams[cgfx.Color] = stream{constant: *of.Color, scale: 1}
		}
		modelView, err := d.uniforms(program, sh, l, p, &streams, ps, toView, lights)
		if err == nil && program.collapses(&streams, p.count) {
			d.set.note("material %s: its shader puts all vertices of %s into one point; it is drawn with the library's program", l.Name, name)
			continue
		}
		if err == nil {
			err = d.attributes(ctx, program, &streams)
		}
		return program.Program, modelView, err
	}
}

// streams are a part's streams for the library's program: its coordinate i is
// that of unit i, whichever of the vertex's it takes.
func (l *materialState) streams(p *primitives) [usages]stream {
	streams := p.streams
	for i := range l.coords {
		if c := &l.coords[i]; c.Mapping == cgfx.MapUV && c.Source < 3 {
			streams[cgfx.TexCoord0+cgfx.Usage(i)] = p.streams[cgfx.TexCoord0+cgfx.Usage(c.Source)]
		}
	}
	return streams
}

// without is the state with textures given for some units.
func (l *materialState) without(given *[3]*gl.Texture) *materialState {
	out := *l
	for i, t := range given {
		if t != nil {
			out.textures[i] = nil
		}
	}
	return &out
}

// reset sets the uniforms that a material can change to their defaults, so that
// a draw does not depend on the one before.
func (d *Drawing) reset() {
	c := d.c
	c.Uniforms.Reset()
	c.CullFace(pica.CullNone)
	c.DepthTest(true, pica.CompareLess)
	c.DepthMask(true)
	c.ColorMask(true, true, true, true)
	c.FlatShading(false)
	c.StencilTest(false, pica.CompareAlways, 0, 0xFF)
	c.StencilMask(0xFF)
	c.StencilOp(pica.StencilKeep, pica.StencilKeep, pica.StencilKeep)
	c.BlendFunc(pica.FactorOne, pica.FactorZero)
	c.BlendColor(0, 0, 0, 0)
	c.Scissor(0, 0, 0, 0)
}

// units binds the material's textures, or the given ones.
func (d *Drawing) units(ctx context.Context, l *materialState, given *[3]*gl.Texture) error {
	u := d.c.Uniforms
	for i, t := range l.textures {
		if given[i] != nil {
			if err := d.c.BindTexture(i, given[i]); err != nil {
				return err
			}
		}
		if t == nil {
			continue
		}
		g, err := d.texture(ctx, t)
		if err != nil {
			return err
		}
		if err := d.c.BindTexture(i, g); err != nil {
			return err
		}
		l.cubes[i] = d.cubes[t]
		if err := u.SetAt(dmp.Texture0SamplerType.At(i), l.kindOf(i)); err != nil {
			return err
		}
	}
	c := texcoords[min(int(l.TexCoordConfig), len(texcoords)-1)]
	return u.SetAll(dmp.Texture2Texcoord, c.unit2, dmp.Texture3Texcoord, c.unit3)
}

// texcoords are the texture coordinates of units 2 and 3 by a material's
// TexCoordConfig. Units 0 and 1 have their own.
var texcoords = [...]struct {
	unit2 pica.Texcoord2
	unit3 pica.Texcoord3
}{
	{pica.Texcoord2From2, pica.Texcoord3From0}, {pica.Texcoord2From1, pica.Texcoord3From0}, {pica.Texcoord2From1, pica.Texcoord3From1},
	{pica.Texcoord2From1, pica.Texcoord3From2}, {pica.Texcoord2From2, pica.Texcoord3From1}, {pica.Texcoord2From2, pica.Texcoord3From2},
}

// levels returns how many levels of a texture can be drawn.
func levels(t *cgfx.Texture) int {
	if t.Width&(t.Width-1) != 0 || t.Height&(t.Height-1) != 0 {
		return 1
	}
	return t.MipLevels()
}

// texture uploads a texture unchanged. If the hardware cannot have it, it is
// replaced: other sizes are resampled, missing texels are white.
func (d *Drawing) texture(ctx context.Context, t *cgfx.Texture) (*gl.Texture, error) {
	if g, ok := d.textures[t]; ok {
		return g, nil
	}
	g, err := d.uploadTexture(ctx, t)
	if err != nil {
		d.set.note("texture %q: %v; white is used instead", t.Name, err)
		white := &image.NRGBA{Pix: bytes.Repeat([]byte{0xFF}, 8*8*4), Stride: 8 * 4, Rect: image.Rect(0, 0, 8, 8)}
		g, err = d.c.NewTexture(ctx, white, pica.TextureFormatRGBA8, 1)
	}
	if err == nil {
		d.textures[t] = g
	}
	return g, err
}

func (d *Drawing) uploadTexture(ctx context.Context, t *cgfx.Texture) (*gl.Texture, error) {
	w, h := int(t.Width), int(t.Height)
	if len(t.Images) == 0 {
		return nil, errors.New("it has no texels")
	}
	if t.Width > 4096 || t.Height > 4096 || texture.Bits(t.Format) == 0 {
		return nil, fmt.Errorf("it has %dx%d texels of format %d", t.Width, t.Height, uint32(t.Format))
	}
	n := levels(t)
	size := texture.SizeLevels(t.Format, w, h, max(n, 1))
	cube := t.Kind == cgfx.KindTextureCube
	if n > 0 && w&(w-1) == 0 && h&(h-1) == 0 && w <= texture.MaxSize && h <= texture.MaxSize {
		var data []byte
		for _, im := range t.Images {
			if im == nil || len(im.Data) < size {
				return nil, fmt.Errorf("it has too few bytes for %dx%d texels, %v", w, h, t.Format)
			}
			if !cube {
				data = im.Data[:size]
				break
			}
			data = append(data, im.Data[:size]...)
		}
		d.cubes[t] = cube
		return d.c.NewTextureData(ctx, t.Format, w, h, n, cube, data)
	}
	im, err := t.Decode(0)
	if err != nil {
		return nil, err
	}
	pix := model.ToTexture(im.NRGBA(), model.Sampler{})
	d.set.note("texture %q has %dx%d texels, which the hardware cannot have; it is drawn as %dx%d", t.Name, w, h, pix.Rect.Dx(), pix.Rect.Dy())
	return d.c.NewTexture(ctx, pix, pica.TextureFormatRGBA8, 1)
}

// buffer uploads bytes once.
func (d *Drawing) buffer(ctx context.Context, data []byte) (*gl.Buffer, error) {
	key := &data[0]
	if b, ok := d.buffers[key]; ok && b.Len() == len(data) {
		return b, nil
	}
	b, err := d.c.NewBuffer(ctx, data)
	if err == nil {
		d.buffers[key] = b
	}
	return b, err
}

// attributes binds the streams to the program's inputs.
func (d *Drawing) attributes(ctx context.Context, p *vertexProgram, streams *[usages]stream) error {
	for _, in := range p.bound() {
		i := slices.Index(inputs[:], in[1])
		if i < 0 {
			d.c.AttributeConst(in[0], mgl32.Vec4{0, 0, 0, 1})
			continue
		}
		t := &streams[i]
		if len(t.data) == 0 {
			d.c.AttributeConst(in[0], t.constant)
			continue
		}
		b, err := d.buffer(ctx, t.data)
		if err != nil {
			return err
		}
		if err := d.c.Attribute(in[0], b, gl.Attrib{Type: t.typ, Size: t.size, Stride: t.stride, Offset: t.offset}); err != nil {
			return err
		}
	}
	return nil
}

// bone is the matrix from a vertex to view space.
func (d *Drawing) bone(number uint32, skin cgfx.Skinning, ps *pose, toView mgl64.Mat4) mgl64.Mat4 {
	if len(ps.bones) == 0 {
		return toView
	}
	i := -1
	if number < 1<<31 {
		i = ps.numbered(int32(number))
	}
	if i < 0 {
		d.set.note("a mesh names bone %d of %d; the model moves it", number, len(ps.bones))
		return toView
	}
	b := ps.bones[i]
	m := billboard(b.Billboard, mgl.Mul(toView, ps.world[i]), d.view.ToView)
	if skin == cgfx.Smooth && b.InverseBind != (cgfx.Matrix{}) {
		m = mgl.Mul(m, b.InverseBind.Mat4())
	}
	if !mgl.Finite(m) {
		return toView
	}
	return m
}
