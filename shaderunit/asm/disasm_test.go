package asm

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/shbin"
	"pica200/tests/testkit"
)

// requireRoundTrip disassembles a program and expects the same file from the source.
func requireRoundTrip(t *testing.T, name string, data []byte) *Disassembly {
	f, err := shbin.Parse(data)
	require.NoError(t, err, name)
	d, err := Disassemble(f, DisasmOptions{Name: "x"})
	require.NoError(t, err, name)
	require.Empty(t, d.Notes, name)
	prog, diags := Assemble(d.Options, d.Sources...)
	require.NoError(t, diags.Err(), name)
	out, err := prog.Bytes()
	require.NoError(t, err)
	require.LessOrEqual(t, len(out), len(data), name)
	require.Equal(t, data[:len(out)], out, name) // carved files are padded with zeros
	require.Empty(t, d.Layout, name)
	// The sources say themselves what they need.
	prog, diags = Assemble(Options{}, d.Sources...)
	require.NoError(t, diags.Err(), name)
	again, err := prog.Bytes()
	require.NoError(t, err)
	require.Equal(t, out, again, name)
	return d
}

func TestDisassembleCorpus(t *testing.T) {
	list := externalCorpus(t)
	for _, c := range list {
		if !c.rejected {
			d := requireRoundTrip(t, c.name, c.want)
			require.Equal(t, Options{}, d.Options, c.name)
		}
	}
	t.Logf("%d programs come back from their disassembly", len(list))
}

func TestDisassembleRealFiles(t *testing.T) {
	for _, name := range testkit.Corpus(t, "shbin/*.shbin") {
		data := testkit.Read(t, name)
		d := requireRoundTrip(t, name, data)
		// One was made by another assembler, which sets fields of its own.
		foreign := strings.Contains(name, "LovePotion.3dsx")
		require.Equal(t, foreign, d.Options.Extended, name)
	}
}

func TestFirstDifference(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", -1}, {"abc", "abc", -1}, {"abc", "axc", 1}, {"abc", "abx", 2}, {"xbc", "abc", 0}, {"ab", "ab\x00\x00", -1}, {"ab\x00", "ab", -1}, {"ab\x00\x00c", "ab", 4}, {"ab", "ab\x00d", 3}} {
		require.Equal(t, c.want, firstDifference([]byte(c.a), []byte(c.b)), "%q %q", c.a, c.b)
	}
}
