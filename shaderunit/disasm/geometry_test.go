package disasm

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/shbin"
)

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
