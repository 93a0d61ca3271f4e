package asm

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/shbin"
)

// As many uniforms are declared as there may be in all files together, and no more.
func TestMostUniforms(t *testing.T) {
	text := ""
	for i := range 80 {
		text += fmt.Sprintf(".fvec f%d\n", i)
	}
	for i := range 12 {
		text += fmt.Sprintf(".bool b%d\n", i)
	}
	for i := range 4 {
		text += fmt.Sprintf(".ivec i%d\n", i)
	}
	rest := ".out pos position\n.proc main\n\tmov pos, f79\n\tend\n.end\n"
	prog, diags := Assemble(Options{}, Source{"most.v.pica", []byte(text + rest)})
	require.Zero(t, diags.Errors(), diags)
	require.NotNil(t, prog)
	prog, diags = Assemble(Options{}, Source{"more.v.pica", []byte(text + ".bool more\n" + rest)})
	require.Nil(t, prog)
	require.Contains(t, diags.Error(), "too many uniforms")
}

// Boolean b15 is the geometry unit's own in files of old assemblers alone: a uniform that reaches it makes a file one.
func TestFilesOfOldAssemblers(t *testing.T) {
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

// One object keeps its descriptors as they are, the same ones twice too; of several each is there once.
func TestLinkKeepsDescriptorsOfOne(t *testing.T) {
	d := shbin.Descriptor{Word: 0x36F}
	o := &shbin.Object{Code: []uint32{0x4C000000, 0x4C000001, 0x4C000002, 0x88000000}, Descriptors: []shbin.Descriptor{d, {Word: 0x361}, d}}
	all, numbers, err := linkDescriptors([]NamedObject{{Name: "a", Object: o}})
	require.NoError(t, err)
	require.Equal(t, o.Descriptors, all)
	require.Equal(t, [][]int{{0, 1, 2}}, numbers)
	all, numbers, err = linkDescriptors([]NamedObject{{Name: "a", Object: o}, {Name: "b", Object: o}})
	require.NoError(t, err)
	require.Equal(t, o.Descriptors[:2], all)
	require.Equal(t, [][]int{{0, 1, 0}, {0, 1, 0}}, numbers)
}

// A range of one register is one; a range goes upwards.
func TestRangesOfRegisters(t *testing.T) {
	for text, want := range map[string]string{"c5-c5": "", "c5-c8": "", "c5-c4": "is not a range of registers", "c5-r6": "is not a range of registers", "c95-c95": ""} {
		_, diags := Assemble(Options{}, Source{"x.nihstro", []byte(".alias pos o0 as position\n.alias world " + text + "\nmain:\n\tmov pos, world\n\tend\n")})
		if want == "" {
			require.Zero(t, diags.Errors(), "%s: %v", text, diags)
		} else {
			require.Contains(t, diags.Error(), want, text)
		}
	}
}

// Integers of a file are constants with names, be they all that there are.
func TestIntegersOfAFile(t *testing.T) {
	for n := range 5 {
		text := ".out pos position\n"
		for i := range n {
			text += fmt.Sprintf(".consti n%d(%d, 1, 2, 3)\n", i, i)
		}
		text += ".proc main\n"
		for i := range n {
			text += fmt.Sprintf("\tfor n%d\n\t\tnop\n\t\tnop\n\t.end\n", i)
		}
		prog, diags := Assemble(Options{}, Source{"x.v.pica", []byte(text + "\tmov pos, v0\n\tend\n.end\n")})
		require.Zero(t, diags.Errors(), diags)
		d, err := Disassemble(prog.File, DisasmOptions{})
		require.NoError(t, err)
		all := ""
		for _, s := range d.Sources {
			all += string(s.Text)
		}
		require.Equal(t, n, strings.Count(all, ".consti "), all)
		require.NotContains(t, all, ".seti")
	}
}
