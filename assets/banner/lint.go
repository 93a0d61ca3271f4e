package banner

import (
	"fmt"
	"slices"
	"strings"

	"pica200/assets/bch"
	"pica200/assets/cgfx"
	"pica200/assets/texture"
	"pica200/assets/tree"
)

// Rule is a property of a file that freezes or breaks the HOME Menu, or is
// suspected to.
type Rule struct {
	ID       string
	Title    string
	Evidence string // who reports it, and what contradicts it
	// Hardware is true for rules of the hardware, not of the menu; they apply to
	// other models too.
	Hardware bool
}

// Rules lists the rules.
func Rules() []Rule { return rules }

var rules = []Rule{ // in the order of Lint's findings for a model
	{"banner-image-alignment", "the texels of a texture lie at no multiple of 128 bytes in the file",
		"console rounds of a public project: all at 0 modulo 64 held, all at 32 and 48 froze; every banner at hand that is known to work has 128", false},
	{"banner-size", "the model has more than 0x80000 bytes unpacked", "3dbrew, CBMD", false},
	{"banner-no-common", "there is no model COMMON", "3dbrew's page and all banners at hand that work name it so; one that does not is known not to show", false},
	{"banner-node-name", "a mesh names no node, or one whose name is empty",
		"console rounds of a public project; the template of bannertool, which shows, points to an empty name and to no node, so that is not reported", false},
	{"banner-smooth", "a mesh is skinned smoothly", "console rounds of a public project; pycgfx writes such meshes and shows one that moves", false},
	{"banner-no-indices", "a mesh has no index stream", "console rounds of a public project; every banner at hand has one", true},
	{"banner-index-range", "an index counts a vertex that is not there", "the hardware fetches what lies at base plus index times stride, whatever it is: 3dbrew, GPU/Internal Registers (vertex buffers)", true},
	{"banner-border-color", "an animation moves the border colour of a texture", "pycgfx leaves it out since it crashed at times; that animations could move it, as their groups say in banners that work, does no harm", false},
	{"banner-unsigned-short", "a vertex component is an unsigned short, which the hardware does not have", "pycgfx; 3dbrew, GPU/Internal Registers (attribute formats)", true},
	{"banner-texture-size", "a texture has sides that the hardware cannot have", "3dbrew, GPU/Internal Registers", true},
	{"banner-animation", "there are animations, but none is named COMMON", "all banners at hand with animations name them so", false},
}

// Finding is a violation of a rule.
type Finding struct {
	Rule    string
	Offset  int64 // in the file; tree.NoOffset without a position, or inside of packed data
	Message string
}

// Lint finds what is known to freeze or break the menu in a resource file or
// banner. A file without models is no banner and has no findings. The menu does
// not use BCH files; for these Lint reports only what the hardware does not
// support.
func Lint(data []byte) ([]Finding, error) {
	if bch.Is(data) {
		b, err := bch.Parse(data)
		if err != nil {
			return nil, err
		}
		return lintBCH(b), nil
	}
	if !cgfx.IsBanner(data) {
		return lint(data, "", true)
	}
	b, err := cgfx.ParseBanner(data)
	if err != nil {
		return nil, err
	}
	var out []Finding
	for i, p := range cgfx.Each(b.Models[:]) {
		list, err := lint(p.Data, cgfx.Regions[i]+": ", i == 0)
		if err != nil {
			return out, fmt.Errorf("%s: %w", cgfx.Regions[i], err)
		}
		for _, f := range list {
			f.Offset = int64(p.Offset)
			out = append(out, f)
		}
	}
	return out, nil
}

// lintBCH checks the CGFX structures made from a BCH file. They have no offsets
// in it.
func lintBCH(b *bch.File) []Finding {
	f, _ := b.Resources()
	l := &linter{f: f}
	for _, t := range f.Textures.Values() {
		l.texture(t)
	}
	for _, m := range f.Models.Values() {
		l.model(m)
	}
	hardware := map[string]bool{}
	for _, r := range rules {
		hardware[r.ID] = r.Hardware
	}
	return slices.DeleteFunc(l.list, func(x Finding) bool { return !hardware[x.Rule] })
}

// linter collects findings.
type linter struct {
	f    *cgfx.File
	who  string
	list []Finding
}

func (l *linter) add(rule string, at int, format string, args ...any) {
	if len(l.list) < 1000 {
		l.list = append(l.list, Finding{rule, int64(at), l.who + fmt.Sprintf(format, args...)})
	}
}

// lint checks a model. If common is false it is a region's model, which adds to
// the common one.
func lint(data []byte, who string, common bool) ([]Finding, error) {
	f, err := cgfx.Parse(data)
	if err != nil {
		return nil, err
	}
	l := &linter{f: f, who: who}
	if len(f.Models.Entries) == 0 && len(f.Textures.Entries) == 0 {
		return nil, nil
	}
	if len(data) > cgfx.BannerLimit {
		l.add("banner-size", tree.NoOffset, "the model has 0x%x bytes unpacked; the HOME Menu takes 0x%x", len(data), cgfx.BannerLimit)
	}
	if common && f.Models.Get(Common) == nil {
		l.add("banner-no-common", tree.NoOffset, "there is no model COMMON; there are %s", strings.Join(f.Models.Names(), ", "))
	}
	for _, t := range f.Textures.Values() {
		l.texture(t)
	}
	for _, m := range f.Models.Values() {
		l.model(m)
	}
	any, named := false, false
	for _, d := range []*cgfx.Dict[cgfx.Animation]{&f.SkeletalAnimations, &f.MaterialAnimations, &f.VisibilityAnimations} {
		for _, a := range d.Values() {
			any = true
			named = named || a.Name == Common
			for i := range a.Members.Entries {
				if m := a.Members.Entries[i].Value; m != nil && strings.HasSuffix(m.Path, ".Sampler.BorderColor") {
					l.add("banner-border-color", cgfx.OffsetOf(f, m), "animation %s moves %s", a.Name, m.Path)
				}
			}
		}
	}
	if common && any && !named {
		l.add("banner-animation", tree.NoOffset, "no animation is named COMMON, so the menu plays none")
	}
	return l.list, nil
}

func (l *linter) texture(t *cgfx.Texture) {
	at := cgfx.OffsetOf(l.f, t)
	if t.Kind == cgfx.KindTextureRef {
		return
	}
	if t.Width > texture.MaxSize || t.Height > texture.MaxSize || t.Width < 8 || t.Height < 8 || t.Width&(t.Width-1) != 0 || t.Height&(t.Height-1) != 0 {
		l.add("banner-texture-size", at, "texture %s has %dx%d texels; the sides must be powers of two from 8 to %d", t.Name, t.Width, t.Height, texture.MaxSize)
	}
	for _, im := range cgfx.Each(t.Images) {
		switch off := l.f.OffsetOf(im.Data); {
		case off < 0:
		case off%64 != 0:
			l.add("banner-image-alignment", off, "the texels of texture %s lie at 0x%x, which is %d modulo 64: such banners froze", t.Name, off, off%64)
		case off%128 != 0:
			l.add("banner-image-alignment", off, "the texels of texture %s lie at 0x%x, which is 64 modulo 128: such banners held, but tools use multiples of 128", t.Name, off)
		}
	}
}

func (l *linter) model(m *cgfx.Model) {
	for i, s := range cgfx.Each(m.Meshes) {
		at := cgfx.OffsetOf(l.f, s)
		if !l.f.NamesNode(s) {
			l.add("banner-node-name", at, "model %s: mesh %d names no node", m.Name, i)
		} else if int(s.Node) < len(m.NodeVisibilities.Entries) && (s.NodeName == "" || m.NodeVisibilities.Entries[s.Node].Name == "") {
			l.add("banner-node-name", at, "model %s: mesh %d names node %d, whose name is empty", m.Name, i, s.Node)
		}
		if int64(s.Shape) >= int64(len(m.Shapes)) || m.Shapes[s.Shape] == nil {
			continue
		}
		l.shape(m, i, m.Shapes[s.Shape])
	}
}

func (l *linter) shape(m *cgfx.Model, mesh int, s *cgfx.Shape) {
	at := cgfx.OffsetOf(l.f, s)
	streams, outside := 0, 0
	vertices, err := s.Vertices()
	if err != nil {
		vertices = 0 // the file's own check says more
	}
	for _, set := range cgfx.Each(s.Sets) {
		if set.Skinning == cgfx.Smooth {
			l.add("banner-smooth", cgfx.OffsetOf(l.f, set), "model %s: mesh %d is skinned smoothly", m.Name, mesh)
		}
		for _, p := range cgfx.Each(set.Primitives) {
			for _, st := range p.Streams {
				if st != nil && len(st.Data) > 0 {
					streams++
					for i := range st.Len() {
						if st.Index(i) >= vertices {
							outside++
						}
					}
				}
			}
		}
	}
	if streams == 0 {
		l.add("banner-no-indices", at, "model %s: mesh %d has no index stream", m.Name, mesh)
	}
	if outside > 0 && err == nil {
		l.add("banner-index-range", at, "model %s: mesh %d: %d indices count vertices that are not there; there are %d", m.Name, mesh, outside, vertices)
	}
	for _, a := range cgfx.Each(s.Attributes) {
		for _, e := range append([]*cgfx.Attribute{a}, a.Streams...) {
			if e != nil && e.Kind == cgfx.AttributeStream && e.Format == cgfx.UnsignedShort {
				l.add("banner-unsigned-short", cgfx.OffsetOf(l.f, e), "model %s: mesh %d: %v is of unsigned shorts", m.Name, mesh, e.Usage)
			}
		}
	}
}
