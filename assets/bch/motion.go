package bch

import (
	"fmt"

	"pica200/assets/cgfx"
)

// paths are CGFX's names for targets, from the second on; %[1]s is the
// element's name. Source: SPICA, H3DTargetType.
var paths = [...]string{
	1: material("MaterialColor.Constant0"), material("MaterialColor.Constant1"), material("MaterialColor.Constant2"),
	material("MaterialColor.Constant3"), material("MaterialColor.Constant4"), material("MaterialColor.Constant5"),
	material("MaterialColor.Emission"), material("MaterialColor.Ambient"), material("MaterialColor.Diffuse"),
	material("MaterialColor.Specular0"), material("MaterialColor.Specular1"),
	material("TextureMappers[0].Sampler.BorderColor"), material("TextureMappers[0].Texture"),
	material("TextureMappers[1].Sampler.BorderColor"), material("TextureMappers[1].Texture"),
	material("TextureMappers[2].Sampler.BorderColor"), material("TextureMappers[2].Texture"),
	material("FragmentOperation.BlendOperation.BlendColor"),
	material("TextureCoordinators[0].Scale"), material("TextureCoordinators[0].Rotate"), material("TextureCoordinators[0].Translate"),
	material("TextureCoordinators[1].Scale"), material("TextureCoordinators[1].Rotate"), material("TextureCoordinators[1].Translate"),
	material("TextureCoordinators[2].Scale"), material("TextureCoordinators[2].Rotate"), material("TextureCoordinators[2].Translate"),
	"Transform", "Ambient", "Diffuse", "Specular0", "Specular1", "GroundColor", "SkyColor", "Direction",
	"DistanceAttenuationStart", "DistanceAttenuationEnd", "LerpFactor", "IsLightEnabled",
	"Transform", "ViewUpdater.TargetPosition", "ViewUpdater.Twist", "ViewUpdater.UpwardVector", "ViewUpdater.ViewRotate",
	"ProjectionUpdater.Near", "ProjectionUpdater.Far", "ProjectionUpdater.AspectRatio", "ProjectionUpdater.Height",
	`MeshNodeVisibilities[%[1]q].IsVisible`, "IsVisible", "Color",
}

func material(what string) string { return `Materials[%[1]q].` + what }

// animation converts an animation to CGFX.
func (r *resources) animation(a *Animation) *cgfx.Animation {
	x := &cgfx.Animation{Revision: 0x07000001, Name: a.Name, Loops: uint32(a.Flags & 1), Frames: a.Frames}
	for _, e := range cgfx.Each(a.Elements) {
		path := e.Name
		if int(e.target) >= len(paths) {
			r.note("animation %q moves what has the unknown number %d", a.Name, e.target)
			continue
		} else if e.target > 0 {
			path = paths[e.target]
			if e.target <= 27 || e.target == 49 {
				path = fmt.Sprintf(path, e.Name)
			}
		}
		m := &cgfx.Member{Path: path}
		if !r.member(a, e, m) {
			r.note("animation %q: %s is of the unknown type %d", a.Name, path, e.Type)
			continue
		}
		add(r, &x.Members, path, m)
	}
	return x
}

func (r *resources) member(a *Animation, e *Element, m *cgfx.Member) bool {
	n, _, _ := counts(e.Type)
	for i := range n {
		s := e.Slots[i]
		k := i
		if e.Type == typeTransform && i >= 6 {
			k++ // CGFX has a fourth rotation
		}
		m.Slots[k] = cgfx.Slot{Is: s.State, Constant: s.Value}
		if s.Curve == nil && s.State == cgfx.Curved {
			m.Slots[k].Is = cgfx.Missing
		} else if s.State == cgfx.Curved {
			m.Slots[k].Curve = s.Curve.resource()
		}
	}
	switch e.Type {
	case typeFloat:
		m.Type = cgfx.TargetFloat
	case typeInteger:
		m.Type = cgfx.TargetInt
	case typeVector2:
		m.Type = cgfx.TargetVector2
	case typeVector3:
		m.Type = cgfx.TargetVector3
	case typeTransform:
		m.Type = cgfx.TargetTransform
	case typeColor:
		m.Type = cgfx.TargetColor
	case typeTexture:
		m.Type = cgfx.TargetTexture
		for _, n := range a.textures {
			m.Textures = append(m.Textures, &cgfx.Texture{Object: cgfx.Object{Kind: cgfx.KindTextureRef}, Path: n})
		}
	case typeQuaternions:
		m.Type = cgfx.TargetBaked
		if b := e.baked[0].resource(); b != nil {
			m.Scales = &cgfx.Vectors{Baked: *b}
		}
		if b := e.baked[1].resource(); b != nil {
			m.Rotations = &cgfx.Rotations{Baked: *b}
		}
		if b := e.baked[2].resource(); b != nil {
			m.Translations = &cgfx.Vectors{Baked: *b}
		}
	case typeMatrices:
		m.Type = cgfx.TargetMatrix
		if b := e.baked[0].resource(); b != nil {
			m.Matrices = &cgfx.Matrices{Baked: *b}
		}
	case typeBool:
		m.Type = cgfx.TargetBool
		if e.bools != nil {
			m.Bool = &cgfx.BoolCurve{Span: e.bools.span(), Bits: make([]byte, len(e.bools.values)/8+1)}
			for i, v := range e.bools.values {
				if v {
					m.Bool.Bits[i/8] |= 1 << (i % 8)
				}
			}
		}
	default:
		return false
	}
	return true
}

func (s *Span) span() cgfx.Span {
	return cgfx.Span{Start: s.Start, End: s.End, Pre: cgfx.Repeat(s.Pre), Post: cgfx.Repeat(s.Post)}
}

func (u *Curve) resource() *cgfx.Curve {
	s := &cgfx.Segment{Start: u.Start, End: u.End, Flags: uint32(u.Interpolation&7)<<2 | uint32(u.Packing&7)<<5,
		Scale: u.ValueScale, Offset: u.ValueOffset, FrameScale: u.FrameScale, Keys: u.Keys}
	return &cgfx.Curve{Span: u.span(), Segments: []*cgfx.Segment{s}}
}

func (b *baked) resource() *cgfx.Baked {
	if b.width == 0 || len(b.Values) == 0 {
		return nil
	}
	out := &cgfx.Baked{Span: b.span(), Values: b.Values, Words: make([]uint32, len(b.Values)/b.width)}
	if len(b.Values) == b.width {
		out.Flags = 1
	} else if out.End == out.Start {
		out.End = out.Start + float32(len(b.Values)/b.width)
	}
	return out
}
