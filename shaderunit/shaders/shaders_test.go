package shaders

import (
	"path"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/shbin"
	"pica200/shaderunit/asm"
	"pica200/shaderunit/lint"
	"pica200/tests/testkit"
)

func TestEverySourceBelongsToAProgram(t *testing.T) {
	var used []string
	for _, p := range Programs() {
		used = append(used, p.Sources...)
	}
	entries := testkit.Must(files.ReadDir("pica"))(t)
	for _, e := range entries {
		require.Contains(t, used, e.Name())
		text := testkit.Must(files.ReadFile("pica/" + e.Name()))(t)
		require.Equal(t, string(asm.Format(text)), string(text), "%s is laid out as fmt does", e.Name())
	}
	require.True(t, slices.IsSorted(names()), "the library is ordered by name")
}

// The documented interface matches the assembled program.
func TestInterfaceIsDocumented(t *testing.T) {
	for _, p := range Programs() {
		t.Run(p.Name, func(t *testing.T) {
			f := testkit.Must(Load(p.Name))(t)
			require.Len(t, f.Executables, len(p.Sources))
			vertex := f.Executables[0]
			require.Equal(t, shbin.VertexShader, vertex.Type)
			inputs := map[string]string{}
			uniforms := map[string]int{}
			for i, e := range f.Executables {
				for _, u := range e.Uniforms {
					if u.Start < shbin.UniformFloat {
						if i == 0 {
							inputs[u.Name] = shbin.RegisterName(u.Start)
						}
						continue
					}
					uniforms[u.Name] = int(u.End-u.Start) + 1
				}
			}
			for _, v := range p.Inputs {
				require.Equal(t, v.reg, inputs[v.Name], "input %s", v.Name)
				delete(inputs, v.Name)
			}
			require.Empty(t, inputs, "all inputs are documented")
			for _, v := range p.uniforms {
				require.Equal(t, v.size, uniforms[v.Name], "uniform %s", v.Name)
				delete(uniforms, v.Name)
			}
			require.Empty(t, uniforms, "all uniforms are documented")
			var outputs []string
			for _, o := range f.Executables[len(f.Executables)-1].Outputs {
				outputs = append(outputs, o.Type.String())
			}
			var documented []string
			for _, v := range p.outputs {
				documented = append(documented, v.Name)
			}
			require.Equal(t, documented, outputs)
			if len(f.Executables) == 2 {
				require.Equal(t, shbin.GeometryShader, f.Executables[1].Type)
				require.Equal(t, p.VerticesPerInvocation > 0, f.Executables[1].Geometry.Mode == shbin.GeometryPoint)
			}
		})
	}
}

func TestLibraryHasNoWarnings(t *testing.T) {
	for _, p := range Programs() {
		var sources []asm.Source
		for _, file := range p.Sources {
			require.Equal(t, ".pica", path.Ext(file))
			text := testkit.Must(Source(file))(t)
			sources = append(sources, asm.Source{Name: file, Text: text})
		}
		prog, diags := asm.Assemble(asm.Options{}, sources...)
		require.Empty(t, diags, p.Name)
		require.Empty(t, lint.Program(prog, sources), p.Name)
	}
}

func TestUnknownProgramNames(t *testing.T) {
	_, err := Load("nothing")
	require.ErrorContains(t, err, "basic")
	_, err = Source("nothing.pica")
	require.ErrorContains(t, err, "nothing.pica")
}
