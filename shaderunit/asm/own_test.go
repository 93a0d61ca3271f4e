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

func TestFormat(t *testing.T) {
	in := "; head\r\n.fvec  projection [4] ,modelView[4]   ;  matrices\n.CONSTF k( 0.0,1.0 ,-1.0, 0.5 )\n\n\n  .constfa ramp [ 2 ]\n.constfa ( 1,2,3,4)\n.end\n" +
		".alias   zeros\tk.xxxx ; a name\n.out outpos   position\n.proc main\n; at the margin\n   ; inside\nMOV r0.xyz,inpos;short\n" +
		"\tmov  r0.w ,  k   ; longer\n   ifc  cmp.x && !cmp.y\nloop:add r1,r1,r1\nagain:\n.else\nfor i0\nnop\n.end\n.end\n# 12 \"a b\"  \n end  \n.end\n\n\n"
	want := "; head\n.fvec projection [4], modelView[4] ;  matrices\n.constf k(0.0, 1.0, -1.0, 0.5)\n\n\n.constfa ramp [ 2 ]\n\t.constfa (1, 2, 3, 4)\n.end\n" +
		".alias zeros k.xxxx ; a name\n.out outpos position\n.proc main\n; at the margin\n\t; inside\n\tmov r0.xyz, inpos ;short\n" +
		"\tmov r0.w, k       ; longer\n\tifc cmp.x && !cmp.y\nloop:\tadd r1, r1, r1\nagain:\n\t.else\n\t\tfor i0\n\t\t\tnop\n\t\t.end\n\t.end\n# 12 \"a b\"\n\tend\n.end\n"
	require.Equal(t, want, string(asm.Format([]byte(in))))
	require.Empty(t, asm.Format([]byte("\n \n\t\n")))
	for _, same := range []string{"", "nop\x00  x", ".end\n", ".proc a\v b\n"} {
		require.Equal(t, same, string(asm.Format([]byte(same))))
	}
}

// requireSameProgram requires that Format changes neither findings nor object and lines, and is idempotent.
func requireSameProgram(t *testing.T, text []byte) {
	tidy := asm.Format(text)
	require.Equal(t, string(tidy), string(asm.Format(tidy)), "formatted again, %q", text)
	for _, opt := range []asm.Options{{}, {Object: true, Extended: true, Picasso: true, NoNop: true}} {
		before, diags := asm.Assemble(opt, asm.Source{"x", text})
		after, again := asm.Assemble(opt, asm.Source{"x", tidy})
		require.Equal(t, before == nil, after == nil, "%q\n%s\n%q\n%s", text, diags.Error(), tidy, again.Error())
		if before == nil {
			continue
		}
		require.Equal(t, len(diags), len(again), "%q", text)
		a := testkit.Must(before.Bytes())(t)
		b := testkit.Must(after.Bytes())(t)
		require.Equal(t, a, b, "%q, then %q", text, tidy)
		require.Equal(t, before.Header(), after.Header())
		for i := range before.Lines {
			require.Equal(t, before.Lines[i].Line, after.Lines[i].Line)
			require.Equal(t, before.Lines[i].File, after.Lines[i].File)
		}
	}
}

func TestFormatKeepsTheProgram(t *testing.T) {
	for _, c := range readCorpus(t, "testdata") {
		requireSameProgram(t, c.text)
	}
	names := testkit.Must(filepath.Glob("../../shaderunit/shaders/pica/*.pica"))(t)
	require.NotEmpty(t, names)
	for _, n := range names {
		text := testkit.Read(t, n)
		requireSameProgram(t, text)
		// Format restores the text after its layout is removed.
		flat := strings.NewReplacer("\n\t", "\n", "\n\t\t", "\n", ", ", " ,").Replace(string(asm.Format(text)))
		require.Equal(t, nocomments(asm.Format(text)), nocomments(asm.Format([]byte(flat))), n)
	}
}

func nocomments(text []byte) string {
	var lines []string
	for _, l := range strings.Split(string(text), "\n") {
		l, _, _ = strings.Cut(l, ";")
		lines = append(lines, strings.TrimRight(l, " \t"))
	}
	return strings.Join(lines, "\n")
}

// FuzzFormat formats any text: the program stays the same, and formatting again changes nothing.
func FuzzFormat(f *testing.F) {
	seedSources(f)
	f.Add([]byte("a: b : .constf k ( 1,2 , 3 ,4 ) x ; c\n#1 \"f\" ; x\n.out - dummy, o1\n"))
	f.Fuzz(func(t *testing.T, text []byte) { requireSameProgram(t, text) })
}
