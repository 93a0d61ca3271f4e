package modeldraw

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/cgfx"
	"pica200/shaderunit/asm"
	"pica200/tests/testkit"
)

// A shader with meaningless uniform names is used if its code shows their meaning: the square has the same position as with known
// names.
func TestShadersWithMeaninglessNames(t *testing.T) {
	const head = ".constf const(0.0, 1.0, 0.5, 0.0)\n.in first v0\n.in texcoord v4\n.out outPosition position\n.out outColor color\n"
	const tail = "\tmov r3.xyz, texcoord.xyxx\n\tmov r3.w, const.y\n\tmov outColor, r3\n\tend\n.end\n"
	product := func(to, matrix, from string) (s string) {
		for i, c := range "xyzw" {
			s += "\tdp4 " + to + "." + string(c) + ", " + matrix + "[" + string(rune('0'+i)) + "], " + from + "\n"
		}
		return s
	}
	one := head + ".fvec foo[4]\n.proc main\n\tmov r0.xyz, first\n\tmov r0.w, const.y\n" + product("outPosition", "foo", "r0") + tail
	two := head + ".fvec foo[4]\n.fvec bar[4]\n.proc main\n\tmov r0.xyz, first\n\tmov r0.w, const.y\n" + product("r1", "bar", "r0") + product("outPosition", "foo", "r1") + tail
	run := func(source string, names ...string) ([][3]int, []string) {
		p, diagnostics := asm.Assemble(asm.Options{}, asm.Source{Name: "a.v.pica", Text: []byte(source)})
		require.NoError(t, diagnostics.Err())
		symbols := p.File.Executables[0].Uniforms
		for i := range symbols { // names that no source can have
			symbols[i].Name = strings.NewReplacer(names...).Replace(symbols[i].Name)
		}
		binary := testkit.Must(p.File.Write())(t)
		img, notes := shot(t, more(t, func(f *cgfx.File) {
			f.Shaders.Values()[0].Binary = binary
			f.Models.Get(Common).Materials.Get("own").Parameters = nil
		}), 0)
		var out [][3]int
		for _, d := range [][2]int{{-13, 0}, {-11, -11}, {11, -11}, {-11, 11}, {11, 11}, {0, 0}} {
			out = append(out, at(img, squares[0]+d[0], 60+d[1]))
		}
		return out, notes
	}
	known := strings.NewReplacer("foo", "projection", "bar", "modelView", "first", "aPosition").Replace(two)
	want, notes := run(known)
	moved, _ := run(strings.Replace(known, "texcoord v4", "texcoord v1", 1))
	require.Equal(t, want, moved, "the name of an input counts, not its register")
	require.Empty(t, notes)
	require.NotEqual(t, want[1], want[4])
	// Names with components, and an input without any that is known: its register tells.
	for _, name := range []string{"aPosition.xyz", "what", "aPosition.x.y"} {
		got, notes := run(known, "aPosition", name, "texcoord", "aTexCoord0.xy")
		require.Empty(t, notes, name)
		require.Equal(t, want, got, name)
	}
	// A shader that gives all vertices one position is not used.
	got, notes := run(strings.Replace(known, "mov r0.xyz, aPosition", "mul r0.xyz, const.x, aPosition", 1))
	require.Equal(t, []string{"material own: its shader puts all vertices of own_0 into one point; it is drawn with the library's program"}, notes)
	require.NotEqual(t, want[0], got[1])
	require.Equal(t, got[1], got[4], "the library's program draws the square in one colour")
	for name, source := range map[string]string{"one": one, "two": two} {
		got, notes := run(source)
		require.Equal(t, want, got, name)
		require.Len(t, notes, 1, name)
		require.Contains(t, notes[0], "was found in its code: ", name)
		require.Contains(t, notes[0], "foo", name)
	}
	// A shader whose meaning stays unclear is not used.
	_, notes = run(head + ".fvec foo[4]\n.proc main\n\tmov r0.xyz, first\n\tmov r0.w, const.y\n\tadd r0, foo[0], r0\n\tmov outPosition, r0\n" + tail)
	require.Contains(t, notes[0], "its code does not show which is")
	require.Contains(t, notes[0], "library's program")
}
