package scene

import (
	"fmt"
	"image"
	"math"
	"os"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"pica200/assets/imagefile"
	"pica200/assets/model"
	"pica200/assets/texture"
	"pica200/internal/files"
	"pica200/internal/mgl"
	"pica200/pica"
)

// named are the files that the scene may name.
func (s *Scene) named() *files.Named { return &files.Named{Dir: s.Dir, Roots: s.Roots, FS: s.FS} }

// Path returns a file's path; relative paths are relative to the scene's
// folder.
func (s *Scene) Path(file string) string {
	return (&files.Named{Dir: s.Dir}).Path(file)
}

// Within returns an error if a file is neither in the scene's folder nor in one
// of Roots.
func (s *Scene) Within(file string) error { return s.named().Within(file) }

// Read reads a regular file of the scene, of at most limit bytes.
func (s *Scene) Read(file string, limit int64) ([]byte, error) {
	if data, ok := s.Inline[file]; ok {
		if int64(len(data)) > limit {
			return nil, fmt.Errorf("%s has %d bytes; at most %d are read", file, len(data), limit)
		}
		return data, nil
	}
	return s.named().Read(file, limit)
}

// Files lists every file that the scene refers to, for programs that watch
// them.
func (s *Scene) Files() []string {
	seen := map[string]bool{}
	var out []string
	add := func(file string) {
		if _, given := s.Inline[file]; file != "" && !seen[file] && !given {
			seen[file] = true
			out = append(out, s.Path(file))
		}
	}
	for i := range s.Programs {
		add(s.Programs[i].File)
		for _, f := range s.Programs[i].Sources {
			add(f)
		}
	}
	for i := range s.Textures {
		t := &s.Textures[i]
		add(t.Image.File)
		if t.Raw != nil {
			add(t.Raw.File)
		}
		for _, im := range append(append([]Image(nil), t.Faces...), t.Levels...) {
			add(im.File)
		}
	}
	for i := range s.Models {
		add(s.Models[i].File)
		if v := s.Models[i].Vertices; v != nil {
			add(v.File)
			if v.Indices != nil {
				add(v.Indices.File)
			}
		}
	}
	return out
}

// maxImageFile bounds the image files that are read.
const maxImageFile = 64 << 20

// Make returns the picture, read from the scene's files or computed.
func (im *Image) Make(s *Scene) (*image.NRGBA, error) {
	if p := im.Pattern; p != nil {
		g := s.Gradient(p.Gradient)
		if g == nil && p.Gradient != "" {
			return nil, im.Errorf("the scene has no gradient %q", p.Gradient)
		}
		return p.make(g), nil
	}
	data, err := s.Read(im.File, maxImageFile)
	if err != nil {
		return nil, im.Errorf("image %s: %v", im.File, cause(err))
	}
	m, err := imagefile.Decode(data, model.MaxPixels)
	if err != nil {
		return nil, im.Errorf("image %s: %v", im.File, err)
	}
	return imagefile.NRGBA(m), nil
}

// Native returns the texels of a t3x file or of raw texels; nil for a texture
// made from pictures.
func (t *Texture) Native(s *Scene) (*texture.T3X, error) {
	switch {
	case t.Raw != nil:
		return t.raw(s)
	case !t.Image.isT3X():
		return nil, nil
	}
	im := &t.Image
	data, err := s.Read(im.File, maxImageFile)
	if err != nil {
		return nil, im.Errorf("texture %s: %v", im.File, cause(err))
	}
	file, err := texture.ParseT3X(data)
	if err != nil {
		return nil, im.Errorf("texture %s: %v", im.File, err)
	}
	if name, _ := pica.TextureFormats.NameOf(uint32(file.Format)); t.Format != "" && t.Format != name {
		return nil, im.Errorf("texture %s is %s, and format says %s; a t3x file has its own", im.File, name, t.Format)
	}
	return file, nil
}

func (t *Texture) raw(s *Scene) (*texture.T3X, error) {
	r := t.Raw
	data, err := s.Read(r.File, maxImageFile)
	if err != nil {
		return nil, r.Errorf("texels %s: %v", r.File, cause(err))
	}
	f, ok := pica.TextureFormats.Lookup(t.Format)
	if !ok {
		return nil, r.Errorf("texels %s: there is no texture format %q", r.File, t.Format)
	}
	out := &texture.T3X{Format: texture.Format(f), Width: r.Width, Height: r.Height, Levels: r.Levels, Cube: r.Cube}
	want := int64(out.FaceSize() * out.Faces())
	if left := int64(len(data)) - r.Offset; left < want {
		return nil, r.Errorf("texels %s: %d bytes from offset %d on; %d faces of %dx%d in %s with %d levels take %d",
			r.File, max(0, left), r.Offset, out.Faces(), r.Width, r.Height, t.Format, r.Levels, want)
	}
	out.Data = data[r.Offset : r.Offset+want]
	return out, nil
}

// cause removes the path from an error whose message already has it.
func cause(err error) error {
	if p, ok := err.(*os.PathError); ok {
		return p.Err
	}
	return err
}

// Make computes the mesh.
func (s *Shape) Make() (*model.Model, error) {
	size := func(i int, def float64) float64 {
		if i < len(s.Size) {
			return s.Size[i]
		}
		if len(s.Size) == 1 && (s.Kind == "box" || s.Kind == "plane" || s.Kind == "quad" || s.Kind == "terrain") {
			return s.Size[0]
		}
		return def
	}
	detail := func(i, def int) int {
		if i < len(s.Detail) {
			return s.Detail[i]
		}
		return def
	}
	var p model.Part
	var err error
	switch s.Kind {
	case "box":
		p, err = model.Box(size(0, 1), size(1, 1), size(2, 1), detail(0, 1))
	case "sphere":
		p, err = model.Sphere(size(0, 1), detail(0, 48), detail(1, 24))
	case "torus":
		p, err = model.Torus(size(0, 1), size(1, 0.4), detail(0, 64), detail(1, 32))
	case "knot":
		p, err = model.Knot(size(0, 1), size(1, 0.28), detail(0, 160), detail(1, 24))
	case "plane":
		p, err = model.Plane(size(0, 1), size(1, 1), detail(0, 1), detail(1, 1))
	case "quad":
		p, err = model.Quad(size(0, 1), size(1, 1), detail(0, 1), detail(1, 1))
	case "terrain":
		p, err = model.Terrain(size(0, 4), size(1, 4), size(2, 1), detail(0, 48), detail(1, 48), uint32(s.Seed))
	case "cylinder":
		p, err = model.Cylinder(size(0, 0.5), size(1, 0.5), size(2, 1), detail(0, 32))
	case "cone":
		p, err = model.Cylinder(size(0, 0.5), 0, size(1, 1), detail(0, 32))
	case "points":
		spread := mgl64.Vec3{1, 1, 1}
		copy(spread[:], s.Spread)
		p, err = model.Points(s.Count, spread, size(0, 0.1), mgl.Narrow4(s.Color), uint32(s.Seed))
	default:
		err = fmt.Errorf("no shape %q", s.Kind)
	}
	if err != nil {
		return nil, s.Errorf("shape %s: %v", s.Kind, err)
	}
	if s.Kind != "points" && s.Color != (mgl64.Vec4{1, 1, 1, 1}) {
		p.Colors = make([]mgl32.Vec4, len(p.Positions))
		for i := range p.Colors {
			p.Colors[i] = mgl.Narrow4(s.Color)
		}
	}
	return &model.Model{Name: s.Kind, Meshes: []model.Mesh{{Name: s.Kind, Parts: []model.Part{p}}},
		Nodes: []model.Node{{Name: s.Kind, Parent: -1, TRS: model.Identity, Mesh: 0, Skin: -1, Shown: true}}}, nil
}

// make computes the picture. Patterns repeat at their edges. The point (0, 0)
// is the bottom left, as in texture coordinates. g, which may be nil, has the
// colours; without it they are interpolated between the pattern's own.
func (p *Pattern) make(g *Gradient) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, p.Width, p.Height))
	for y := range p.Height {
		for x := range p.Width {
			u, v := (float64(x)+0.5)/float64(p.Width), (float64(p.Height-1-y)+0.5)/float64(p.Height)
			c := p.at(u, v, g)
			o := m.Pix[m.PixOffset(x, y):]
			for k := range 4 {
				o[k] = uint8(math.Floor(float64(math.Min(1, math.Max(0, c[k]))*255) + 0.5))
			}
		}
	}
	return m
}

var defaultColors = map[string][]mgl64.Vec4{
	"checker": {{0.9, 0.9, 0.88, 1}, {0.25, 0.3, 0.38, 1}}, "stripes": {{0.95, 0.95, 0.9, 1}, {0.75, 0.2, 0.2, 1}},
	"gradient": {{0, 0, 0, 1}, {1, 1, 1, 1}}, "disc": {{1, 1, 1, 1}, {1, 1, 1, 0}}, "glow": {{1, 1, 1, 1}, {1, 1, 1, 0}},
	"bricks": {{0.65, 0.3, 0.22, 1}, {0.75, 0.72, 0.68, 1}}, "noise": {{0, 0, 0, 1}, {1, 1, 1, 1}},
	"wood": {{0.72, 0.5, 0.3, 1}, {0.42, 0.26, 0.14, 1}}, "tiles": {{0.3, 0.45, 0.6, 1}, {0.85, 0.85, 0.82, 1}}, "solid": {{1, 1, 1, 1}},
}

func (p *Pattern) color(i int) mgl64.Vec4 {
	if i < len(p.Colors) {
		return p.Colors[i]
	}
	if d := defaultColors[p.Kind]; i < len(d) {
		return d[i]
	}
	return mgl64.Vec4{1, 1, 1, 1}
}

func (p *Pattern) mix(t float64, g *Gradient) mgl64.Vec4 {
	if g != nil {
		return g.Color(t)
	}
	a, b := p.color(0), p.color(1)
	var c mgl64.Vec4
	for k := range c {
		c[k] = a[k] + float64(t*(b[k]-a[k]))
	}
	return c
}

func (p *Pattern) at(u, v float64, g *Gradient) mgl64.Vec4 {
	s := p.Scale
	switch p.Kind {
	case "checker":
		return p.mix(float64((int(math.Floor(u*s))+int(math.Floor(v*s)))&1), g)
	case "stripes":
		return p.mix(float64(int(math.Floor(v*s))&1), g)
	case "gradient":
		return p.mix(v, g)
	case "disc":
		r := math.Hypot(u-0.5, v-0.5) * 2
		return p.mix(smooth((r-0.85)/0.12), g)
	case "glow":
		r := math.Hypot(u-0.5, v-0.5) * 2
		return p.mix(1-float64(smooth(1-r)*smooth(1-r)), g)
	case "bricks":
		joint, tint := brick(u, v, s, uint32(p.Seed))
		c := p.mix(joint, g)
		for k := range 3 {
			c[k] *= 0.8 + float64(0.2*tint)
		}
		return c
	case "brick_normals":
		return p.normal(u, v, func(u, v float64) float64 { j, _ := brick(u, v, s, 0); return 1 - j })
	case "bump_normals":
		return p.normal(u, v, func(u, v float64) float64 {
			a, b := float64(u*s)-math.Floor(u*s)-0.5, float64(v*s)-math.Floor(v*s)-0.5
			return smooth(1 - float64(2.2*math.Hypot(a, b)))
		})
	case "noise":
		return p.mix(model.Fractal(u*s, v*s, 4, max(1, int(s)), uint32(p.Seed)), g)
	case "wood":
		n := model.Fractal(u*4, v*4, 3, 4, uint32(p.Seed))
		r := float64((u+float64(0.15*n))*s) * 2
		return p.mix(smooth(math.Abs(r-math.Floor(r)-0.5)*2), g)
	case "tiles":
		a, b := float64(u*s)-math.Floor(u*s), float64(v*s)-math.Floor(v*s)
		edge := math.Min(math.Min(a, 1-a), math.Min(b, 1-b))
		return p.mix(1-smooth((edge-0.04)*20), g)
	}
	return p.color(0)
}

func smooth(t float64) float64 {
	t = math.Min(1, math.Max(0, t))
	return float64(t*t) * (3 - float64(2*t))
}

// brick returns how far a point is in a joint (0 brick, 1 joint), and the
// brick's tint.
func brick(u, v, s float64, seed uint32) (joint, tint float64) {
	rows := s * 2
	row := math.Floor(v * rows)
	x := float64(u * s)
	if int(row)&1 == 1 {
		x += 0.5
	}
	fx, fy := x-math.Floor(x), float64(v*rows)-row
	edge := math.Min(math.Min(fx, 1-fx)*2, math.Min(fy, 1-fy))
	col := int(math.Floor(x)) % max(1, int(s))
	tint = model.Noise(float64(float64(col)*7.3)+0.5, float64(row*3.1)+0.5, 0, seed+11)
	return 1 - smooth((edge-0.06)*14), tint
}

// normal returns the tangent-space normal of a relief as a colour: 0..1 for
// -1..1.
func (p *Pattern) normal(u, v float64, height func(u, v float64) float64) mgl64.Vec4 {
	e := 1 / float64(max(p.Width, p.Height))
	k := 4 * p.Depth / p.Scale
	dx := float64((height(u+e, v)-height(u-e, v))/(2*e)) * k / 16
	dy := float64((height(u, v+e)-height(u, v-e))/(2*e)) * k / 16
	n := math.Sqrt(float64(dx*dx) + float64(dy*dy) + 1)
	return mgl64.Vec4{0.5 - float64(0.5*dx/n), 0.5 - float64(0.5*dy/n), 0.5 + 0.5/n, 1}
}
