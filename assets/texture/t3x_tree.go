package texture

import (
	"fmt"

	"pica200/assets/tree"
	"pica200/internal/plural"
)

func (t *T3X) kind() string {
	if t.Cube {
		return "cube map"
	}
	return "texture"
}

// OpenT3X shows a t3x file without unpacking it. The function checks it.
func OpenT3X(data []byte) (*tree.Node, func() tree.Findings, error) {
	t, end, err := ParseT3XHeader(data)
	if err != nil {
		return nil, nil, err
	}
	c, size, header, err := PackedHeader(data[end:])
	if err != nil {
		return nil, nil, fmt.Errorf("t3x: offset 0x%x: %w", end, err)
	}
	at, packed := int64(end), int64(len(data)-end-header)
	top := append(t3xHeader.Show(0, data),
		t3xSubTexture.List("subtextures", int64(t3xHeader.Size), t.SubTextures, func(i int, s *SubTexture) (string, string) {
			text := fmt.Sprintf("%dx%d", s.Width, s.Height)
			if s.Rotated() {
				text += ", stored turned"
			}
			return fmt.Sprint(i), text
		}),
		tree.Group("texels", at, int64(len(data)-end), fmt.Sprintf("%v, %d bytes unpacked", c, size),
			tree.Fieldf("compression", at, 1, data[end], "%v", c),
			tree.Field("unpacked size", at+1, int64(header)-1, size, ""),
			tree.Field("packed data", at+int64(header), packed, nil, fmt.Sprintf("%d bytes", packed)),
			levelsNode(t)))
	text := fmt.Sprintf("%s %dx%d, %v, %s, %s", t.kind(), t.Width, t.Height, t.Format, plural.Of(t.Levels, "level"), plural.Of(len(t.SubTextures), "subtexture"))
	return tree.Group("", 0, 0, text, top...), func() tree.Findings { return checkT3X(data) }, nil
}

// levelsNode lists the positions of the levels of each face in the unpacked
// texels.
func levelsNode(t *T3X) *tree.Node {
	return tree.List("unpacked", tree.NoOffset, 0, "", t.Faces()*t.Levels, func(i int) *tree.Node {
		face, level := i/t.Levels, i%t.Levels
		at := face*t.FaceSize() + SizeLevels(t.Format, t.Width, t.Height, level)
		w, h := max(t.Width>>level, MinSize), max(t.Height>>level, MinSize)
		name := fmt.Sprintf("level %d", level)
		if t.Cube {
			name = fmt.Sprintf("%s of face %s", name, CubeFaces[face])
		}
		return &tree.Node{Name: name, Offset: tree.NoOffset, Text: fmt.Sprintf("%dx%d, %d bytes from 0x%x on", w, h, Size(t.Format, w, h), at)}
	})
}

func checkT3X(data []byte) tree.Findings {
	t, err := ParseT3X(data)
	if err != nil {
		return tree.Findings{{Level: tree.Problem, Offset: tree.NoOffset, Message: err.Error()}}
	}
	return t.Findings
}
