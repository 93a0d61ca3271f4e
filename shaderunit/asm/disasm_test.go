package asm_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/shbin"
	"pica200/shaderunit/asm"
	"pica200/shaderunit/disasm"
	"pica200/tests/testkit"
)

// requireRoundTrip disassembles a program and requires the same file from the source.
func requireRoundTrip(t *testing.T, name string, data []byte) *disasm.Result {
	f := testkit.Must(shbin.Parse(data))(t, name)
	d := testkit.Must(disasm.File(f, disasm.Options{Name: "x"}))(t, name)
	require.Empty(t, d.Notes, name)
	prog, diags := asm.Assemble(d.Options, d.Sources...)
	require.NoError(t, diags.Err(), name)
	out := testkit.Must(prog.Bytes())(t)
	require.LessOrEqual(t, len(out), len(data), name)
	require.Equal(t, data[:len(out)], out, name) // extracted files are padded with zeros
	require.Empty(t, d.Layout, name)
	// The sources contain the options that they need.
	prog, diags = asm.Assemble(asm.Options{}, d.Sources...)
	require.NoError(t, diags.Err(), name)
	again := testkit.Must(prog.Bytes())(t)
	require.Equal(t, out, again, name)
	return d
}

func TestDisassembleCorpus(t *testing.T) {
	list := externalCorpus(t)
	for _, c := range list {
		if !c.rejected {
			d := requireRoundTrip(t, c.name, c.want)
			require.Equal(t, asm.Options{}, d.Options, c.name)
		}
	}
	t.Logf("%d programs come back from their disassembly", len(list))
}

func TestDisassembleRealFiles(t *testing.T) {
	for _, name := range testkit.Corpus(t, "shbin/*.shbin") {
		data := testkit.Read(t, name)
		d := requireRoundTrip(t, name, data)
		// One file is from another assembler, which sets additional fields.
		foreign := strings.Contains(name, "LovePotion.3dsx")
		require.Equal(t, foreign, d.Options.Extended, name)
	}
}
