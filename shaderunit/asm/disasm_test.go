package asm

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/shbin"
	"pica200/tests/testkit"
)

// requireRoundTrip disassembles a program and requires the same file from the source.
func requireRoundTrip(t *testing.T, name string, data []byte) *Disassembly {
	f := testkit.Must(shbin.Parse(data))(t, name)
	d := testkit.Must(Disassemble(f, DisasmOptions{Name: "x"}))(t, name)
	require.Empty(t, d.Notes, name)
	prog, diags := Assemble(d.Options, d.Sources...)
	require.NoError(t, diags.Err(), name)
	out := testkit.Must(prog.Bytes())(t)
	require.LessOrEqual(t, len(out), len(data), name)
	require.Equal(t, data[:len(out)], out, name) // extracted files are padded with zeros
	require.Empty(t, d.Layout, name)
	// The sources contain the options that they need.
	prog, diags = Assemble(Options{}, d.Sources...)
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
			require.Equal(t, Options{}, d.Options, c.name)
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

func TestFirstDifference(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", -1}, {"abc", "abc", -1}, {"abc", "axc", 1}, {"abc", "abx", 2}, {"xbc", "abc", 0}, {"ab", "ab\x00\x00", -1}, {"ab\x00", "ab", -1}, {"ab\x00\x00c", "ab", 4}, {"ab", "ab\x00d", 3}} {
		require.Equal(t, c.want, firstDifference([]byte(c.a), []byte(c.b)), "%q %q", c.a, c.b)
	}
}

// A descriptor chosen by number gets the bits that the next instruction needs and keeps those of the others.
func TestNumberedDescriptors(t *testing.T) {
	d := &descriptorTable{}
	_, err := d.find(0x0F, 0x0F)
	require.NoError(t, err)
	for _, c := range []struct {
		desc, needed, word uint32
		fits               bool
	}{{0x30, 0xF0, 0x3F, true}, {0x2F, 0xF0, 0x3F, false}, {0xA30, 0xF00 | 0x30, 0xA3F, true}, {0, 0x1000, 0xA3F, true}, {0x1000, 0x1000, 0xA3F, false}} {
		_, err := d.take(0, c.desc, c.needed, 1)
		require.Equal(t, c.fits, err == nil, "%x: %v", c.desc, err)
		require.Equal(t, c.word, d.words[0], "%x", c.desc)
	}
}

// A different number of executables is reported.
func TestFileDifferences(t *testing.T) {
	a, b := &shbin.File{Executables: make([]shbin.Executable, 2)}, &shbin.File{Executables: make([]shbin.Executable, 1)}
	require.Empty(t, differences(a, a))
	require.Equal(t, []string{"1 executables instead of 2"}, differences(a, b))
	require.Equal(t, []string{"2 executables instead of 1"}, differences(b, a))
}
