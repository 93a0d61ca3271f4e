package asm_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/shaderunit/asm"
	"pica200/tests/testkit"
)

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
