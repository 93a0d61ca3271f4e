package asm_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/shbin"
	"pica200/shaderunit"
	"pica200/shaderunit/asm"
	"pica200/shaderunit/disasm"
	"pica200/tests/testkit"
)

func TestSplitSources(t *testing.T) {
	list := asm.SplitSources("x", []byte(asm.SourceMark+"a.v.pica\nnop\n"+asm.SourceMark+"b.g.pica\nend\n"))
	require.Len(t, list, 2)
	require.Equal(t, "a.v.pica", list[0].Name)
	require.Equal(t, "nop", string(list[0].Text))
	require.Equal(t, "b.g.pica", list[1].Name)
	require.Equal(t, "end\n", string(list[1].Text))
	require.Len(t, asm.SplitSources("x", []byte("nop\n")), 1)
}

// Our sources assemble to the reference assembler's files in testdata.
func TestOwnSourcesEqualReferenceFiles(t *testing.T) {
	list := readCorpus(t, "testdata")
	require.Greater(t, len(list), 150)
	testAgainstReference(t, list)
}

func TestOwnSourcesRoundTrip(t *testing.T) {
	for _, c := range readCorpus(t, "testdata") {
		require.NotContains(t, asm.Findings(string(c.text)), "this looks like", c.name)
		if !c.rejected {
			requireRoundTrip(t, c.name, c.want)
		}
	}
}

// Every instruction and directive occurs in a source that assembles.
func TestOwnSourcesCoverTheLanguage(t *testing.T) {
	words := map[shaderunit.Opcode]bool{}
	used := map[string]bool{}
	directive := regexp.MustCompile(`(?m)^\s*\.([a-z]+)`)
	for _, c := range readCorpus(t, "testdata") {
		if c.rejected {
			continue
		}
		prog, _ := asm.Assemble(c.opt, asm.Source{c.name, c.text})
		require.NotNil(t, prog, c.name)
		for _, w := range prog.File.Program.Code {
			words[shaderunit.Decode(w).Op] = true
		}
		for _, m := range directive.FindAllStringSubmatch(strings.ToLower(string(c.text)), -1) {
			used[m[1]] = true
		}
	}
	used["nodvle"] = true  // in testdata/link
	used["options"] = true // in options_test.go: the reference assembler does not support it
	for _, row := range shaderunit.Instructions() {
		require.True(t, words[row.Op], "some source assembles to %s", row.DocName())
	}
	for _, name := range asm.Directives() {
		require.True(t, used[name[1:]], "some source uses %s", name)
	}
}

func readSources(t *testing.T, names ...string) (list []asm.Source) {
	for _, n := range names {
		text := testkit.Read(t, filepath.Join("testdata", n))
		list = append(list, asm.Source{n, text})
	}
	return list
}

func TestLinkedSources(t *testing.T) {
	for _, c := range []struct {
		want, header string
		opt          asm.Options
		sources      []string
	}{
		{"abg.shbin", "abg.h", asm.Options{}, []string{"a.v.pica", "b.v.pica", "shared.pica", "g.g.pica"}},
		{"ba.shbin", "ba.h", asm.Options{}, []string{"shared.pica", "b.v.pica", "a.v.pica"}},
		{"nonop.shbin", "", asm.Options{NoNop: true}, []string{"a.v.pica", "shared.pica"}},
	} {
		var names []string
		for _, s := range c.sources {
			names = append(names, "link/"+s)
		}
		prog, diags := asm.Assemble(c.opt, readSources(t, names...)...)
		require.NoError(t, diags.Err())
		out := testkit.Must(prog.Bytes())(t)
		want := testkit.Read(t, filepath.Join("testdata/link", c.want))
		require.Equal(t, want, out, c.want)
		if c.header != "" {
			header := testkit.Read(t, filepath.Join("testdata/link", c.header))
			require.Equal(t, string(header), prog.Header())
		}
		requireRoundTrip(t, c.want, want)
	}
}

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
