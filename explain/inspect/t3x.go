package inspect

import (
	"fmt"
	"math"

	"pica200/assets/texture"
	"pica200/assets/tree"
	"pica200/internal/plural"
)

func f32(w uint32) float32 { return math.Float32frombits(w) }

func isT3X(data []byte) bool { return texture.IsT3X(data) }

func openT3X(data []byte) (*tree.Node, func() tree.Findings, error) {
	t, at, err := texture.ParseT3XHeader(data)
	if err != nil {
		return nil, nil, err
	}
	c, size, header, err := texture.PackedHeader(data[at:])
	if err != nil {
		return nil, nil, fmt.Errorf("t3x: offset 0x%x: %w", at, err)
	}
	f := fields{data}
	kind := "texture"
	if t.Cube {
		kind = "cube map"
	}
	top := []*tree.Node{
		f.half("subtextures", 0, "%d"),
		tree.Fieldf("size", 2, 1, data[2], "%dx%d, %s", t.Width, t.Height, kind),
		tree.Fieldf("format", 3, 1, data[3], "%v", t.Format),
		tree.Fieldf("further levels", 4, 1, data[4], "%d", data[4]),
		tree.List("subtextures", 5, 12*int64(len(t.SubTextures)), "", len(t.SubTextures), func(i int) *tree.Node {
			return subTextureNode(f, i, t.SubTextures[i], 5+12*int64(i))
		}),
		tree.Group("texels", int64(at), int64(len(data)-at), fmt.Sprintf("%v, %d bytes unpacked", c, size),
			tree.Fieldf("compression", int64(at), 1, data[at], "%v", c),
			tree.Field("unpacked size", int64(at)+1, int64(header)-1, size, ""),
			tree.Field("packed data", int64(at+header), int64(len(data)-at-header), nil, fmt.Sprintf("%d bytes", len(data)-at-header)),
			levelsNode(t)),
	}
	root := tree.Group("", 0, 0, fmt.Sprintf("%s %dx%d, %v, %s, %s", kind, t.Width, t.Height, t.Format, plural.Of(t.Levels, "level"), plural.Of(len(t.SubTextures), "subtexture")), top...)
	return root, func() tree.Findings { return checkT3X(data) }, nil
}

func subTextureNode(f fields, i int, s texture.SubTexture, at int64) *tree.Node {
	text := fmt.Sprintf("%dx%d", s.Width, s.Height)
	if s.Rotated() {
		text += ", stored turned"
	}
	edge := func(name string, off int64) *tree.Node {
		v := f.u16(at + off)
		return tree.Fieldf(name, at+off, 2, v, "%g", float64(v)/1024)
	}
	return tree.Group(fmt.Sprint(i), at, 12, text,
		f.half("width", at, "%d"), f.half("height", at+2, "%d"),
		edge("left", 4), edge("top", 6), edge("right", 8), edge("bottom", 10))
}

// levelsNode lists the places of the levels of each face in the unpacked
// texels.
func levelsNode(t *texture.T3X) *tree.Node {
	return tree.List("unpacked", tree.NoOffset, 0, "", t.Faces()*t.Levels, func(i int) *tree.Node {
		face, level := i/t.Levels, i%t.Levels
		at := face*t.FaceSize() + texture.SizeLevels(t.Format, t.Width, t.Height, level)
		w, h := max(t.Width>>level, texture.MinSize), max(t.Height>>level, texture.MinSize)
		name := fmt.Sprintf("level %d", level)
		if t.Cube {
			name = fmt.Sprintf("%s of face %s", name, [...]string{"+x", "-x", "+y", "-y", "+z", "-z"}[face])
		}
		return &tree.Node{Name: name, Offset: tree.NoOffset, Text: fmt.Sprintf("%dx%d, %d bytes from 0x%x on", w, h, texture.Size(t.Format, w, h), at)}
	})
}

func checkT3X(data []byte) tree.Findings {
	t, err := texture.ParseT3X(data)
	if err != nil {
		return tree.Findings{{Level: tree.Problem, Offset: tree.NoOffset, Message: err.Error()}}
	}
	return t.Findings
}
