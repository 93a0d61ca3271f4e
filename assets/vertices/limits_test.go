package vertices

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/stretchr/testify/require"

	"pica200/assets/model"
	"pica200/tests/testkit"
)

// The separator is the one in the first line with content: comma before semicolon before tab.
func TestCSVSeparators(t *testing.T) {
	for text, want := range map[string]rune{
		"a,b": ',', "a;b": ';', "a\tb": '\t', "a;b,c": ',', "a\tb;c": ';', ";": ';', ",": ',', ";a\tb": ';', ",a;b": ',', "a b": ',', "": ',',
		"# a;b\n\n  \na\tb\n1,2\n": '\t', "a\n1;2\n": ',', "  #x,y\n;": ';',
	} {
		require.Equal(t, want, separator([]byte(text)), "%q", text)
	}
}

// Index lists as text: separators, invalid indices, and the limit.
func TestIndicesAsText(t *testing.T) {
	list := testkit.Must(textIndices([]byte("1,2;3 4\t5\r\n# 9\n6 # 7\n\n4294967295")))(t)
	require.Equal(t, []uint32{1, 2, 3, 4, 5, 6, 4294967295}, list)
	for text, want := range map[string]string{"1\n-1": `line 2: "-1" is not an index; expected an integer from 0`, "4294967296": "line 1: ", "1.5": "is not an index", "a": `"a" is not an index`} {
		_, err := textIndices([]byte(text))
		require.ErrorContains(t, err, want)
	}
	most := bytes.Repeat([]byte("7 "), MaxIndices)
	list = testkit.Must(textIndices(most))(t)
	require.Len(t, list, MaxIndices)
	_, err := textIndices(append(most, "\n8"...))
	require.EqualError(t, err, fmt.Sprintf("line 2: more than %d indices", MaxIndices))
	for v, want := range map[float64]bool{0: true, 4294967295: true, 4294967296: false, -1: false, 1.5: false} {
		n, err := index(v)
		require.Equal(t, want, err == nil, v)
		require.True(t, !want || float64(n) == v)
	}
}

// Missing components of a stream are 0, or 1 where that is neutral: colour, tangent, position.
func TestMissingComponentDefaults(t *testing.T) {
	for text, want := range map[string]func(p *model.Part) any{
		`"color": [[9, 8]]`:         func(p *model.Part) any { return p.Colors[0] == mgl32.Vec4{9, 8, 1, 1} },
		`"color": [[9]]`:            func(p *model.Part) any { return p.Colors[0] == mgl32.Vec4{9, 1, 1, 1} },
		`"color": [[9, 8, 7, 6]]`:   func(p *model.Part) any { return p.Colors[0] == mgl32.Vec4{9, 8, 7, 6} },
		`"weights": [[9]]`:          func(p *model.Part) any { return p.Weights[0] == mgl32.Vec4{9} },
		`"tangent": [[9]]`:          func(p *model.Part) any { return p.Tangents[0] == mgl32.Vec4{9, 0, 0, 1} },
		`"size": [[9]]`:             func(p *model.Part) any { return p.Sizes[0] == mgl32.Vec4{9, 9, 1, 0} },
		`"size": [[9, 8]]`:          func(p *model.Part) any { return p.Sizes[0] == mgl32.Vec4{9, 8, 1, 0} },
		`"size": [[9, 8, 7]]`:       func(p *model.Part) any { return p.Sizes[0] == mgl32.Vec4{9, 8, 7, 0} },
		`"joints": [[9, 8]]`:        func(p *model.Part) any { return p.Joints[0] == [4]uint16{9, 8} },
		`"v7": [[9, 8]]`:            func(p *model.Part) any { return p.Generic[7][0] == mgl32.Vec4{9, 8, 0, 1} },
		`"normal": [[9, 8]]`:        func(p *model.Part) any { return p.Normals[0] == mgl32.Vec3{9, 8} },
		`"texcoord2": [[9]]`:        func(p *model.Part) any { return p.UV[2][0] == mgl32.Vec2{9} },
		`"v15": [[9]], "v0": [[8]]`: func(p *model.Part) any { return p.Generic[15][0] == mgl32.Vec4{9, 0, 0, 1} && p.Generic[0][0][0] == 8 },
	} {
		p, _ := part(t, `{"position": [[1, 2, 3]], `+text+`}`, JSON, Layout{})
		require.Equal(t, true, want(&p), text)
		require.Equal(t, []mgl32.Vec3{{1, 2, 3}}, p.Positions)
	}
	p, _ := part(t, `{"position": [[4]]}`, JSON, Layout{})
	require.Equal(t, []mgl32.Vec3{{4}}, p.Positions)
}

// Exactly count binary indices are read.
func TestBinaryIndexCount(t *testing.T) {
	for count, want := range map[int][]uint32{1: {0x0201}, 2: {0x0201, 0x0403}} {
		list := testkit.Must(binaryIndices([]byte{9, 1, 2, 3, 4}, "ushort", 1, count))(t)
		require.Equal(t, want, list)
	}
	_, err := binaryIndices([]byte{9, 1, 2, 3, 4}, "ushort", 1, 3)
	require.EqualError(t, err, "4 bytes from offset 1 on are 2 indices; 3 are wanted")
}
