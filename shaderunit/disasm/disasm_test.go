package disasm

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/shbin"
)

func TestFirstDifference(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", -1}, {"abc", "abc", -1}, {"abc", "axc", 1}, {"abc", "abx", 2}, {"xbc", "abc", 0}, {"ab", "ab\x00\x00", -1}, {"ab\x00", "ab", -1}, {"ab\x00\x00c", "ab", 4}, {"ab", "ab\x00d", 3}} {
		require.Equal(t, c.want, firstDifference([]byte(c.a), []byte(c.b)), "%q %q", c.a, c.b)
	}
}

// A different number of executables is reported.
func TestFileDifferences(t *testing.T) {
	a, b := &shbin.File{Executables: make([]shbin.Executable, 2)}, &shbin.File{Executables: make([]shbin.Executable, 1)}
	require.Empty(t, differences(a, a))
	require.Equal(t, []string{"1 executables instead of 2"}, differences(a, b))
	require.Equal(t, []string{"2 executables instead of 1"}, differences(b, a))
}

// A geometry shader of an old assembler, recognised by a uniform that includes b15 or a dummy output, shares the vertex
// shaders' uniforms.
func TestGeometryShadersOfOldAssemblers(t *testing.T) {
	last := shbin.UniformBool + 15
	of := func(from, to int) shbin.Uniform {
		return shbin.Uniform{Name: "u", Start: uint16(from), End: uint16(to)}
	}
	for _, c := range []struct {
		e    shbin.Executable
		want bool
	}{
		{shbin.Executable{Type: shbin.GeometryShader, Uniforms: []shbin.Uniform{of(int(last), int(last))}}, true},
		{shbin.Executable{Type: shbin.GeometryShader, Uniforms: []shbin.Uniform{of(int(last)-1, int(last)-1)}}, false},
		{shbin.Executable{Type: shbin.GeometryShader, Uniforms: []shbin.Uniform{of(int(last)-3, int(last))}}, true},
		{shbin.Executable{Type: shbin.GeometryShader, Uniforms: []shbin.Uniform{of(int(shbin.UniformFloat), int(shbin.UniformFloat)+95)}}, false},
		{shbin.Executable{Type: shbin.VertexShader, Uniforms: []shbin.Uniform{of(int(last), int(last))}}, false},
		{shbin.Executable{Type: shbin.GeometryShader, Outputs: []shbin.Output{{Type: shbin.OutDummy}}}, true},
		{shbin.Executable{Type: shbin.GeometryShader, Outputs: []shbin.Output{{Type: shbin.OutPosition}}}, false},
	} {
		require.Equal(t, c.want, legacyGeometry(&c.e), "%+v", c.e)
		require.Equal(t, c.want || c.e.Type == shbin.VertexShader, sharesUniforms(&c.e))
	}
}
