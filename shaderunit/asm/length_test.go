package asm_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/shaderunit"
	"pica200/shaderunit/asm"
	"pica200/tests/testkit"
)

func nops(n int) string { return strings.Repeat("\tnop\n", n) }

// lengths are programs with a block of n instructions counted by a NUM field.
var lengths = []struct {
	name, what string
	text       func(n int) string
	word       int // index of the word with the NUM
	line       int // of the block
}{
	{"call", `the procedure "f"`, func(n int) string {
		return ".proc main\n\tcall f\n\tend\n.end\n.proc f\n" + nops(n) + ".end\n"
	}, 0, 5},
	{"callc", `the procedure "f"`, func(n int) string {
		return ".proc f\n" + nops(n) + ".end\n.proc main\n\tcallc cmp.x, f\n\tend\n.end\n"
	}, -2, 1},
	{"callu", `the procedure "f"`, func(n int) string {
		return ".proc f\n" + nops(n) + ".end\n.proc main\n\tcallu b3, f\n\tend\n.end\n"
	}, -2, 1},
	{"ifu", "the .else part", func(n int) string {
		return ".gsh point c0\n.proc main\n\tifu b0\n" + nops(300) + "\t.else\n" + nops(n) + "\t.end\n\tend\n.end\n"
	}, 0, 3},
	{"ifc", "the .else part", func(n int) string {
		return ".proc main\n\tnop\n\tifc cmp.x\n\tnop\n\tnop\n\t.else\n" + nops(n) + "\t.end\n\tend\n.end\n"
	}, 1, 3},
}

// NUM has eight bits: a longer block is an error, or a warning under the picasso option.
func TestBlocksTooLongForNUM(t *testing.T) {
	for _, c := range lengths {
		at := func(p *asm.Program) shaderunit.Instr {
			if c.word < 0 {
				return shaderunit.Decode(p.File.Program.Code[len(p.File.Program.Code)+c.word])
			}
			return shaderunit.Decode(p.File.Program.Code[c.word])
		}
		prog, diags := asm.Assemble(asm.Options{}, asm.Source{"x", []byte(c.text(255))})
		require.Empty(t, diags, c.name)
		require.Equal(t, uint8(255), at(prog).Num, c.name)
		for _, n := range []int{256, 257, 300, 500} {
			prog, diags = asm.Assemble(asm.Options{}, asm.Source{"x", []byte(c.text(n))})
			require.Nil(t, prog, c.name)
			require.Len(t, diags, 1, c.name)
			require.Equal(t, c.line, diags[0].Line)
			require.Contains(t, diags[0].Error(), c.what)
			require.Contains(t, diags[0].Error(), fmt.Sprintf("has %d instructions, ", n))
			require.Contains(t, diags[0].Error(), fmt.Sprintf("would run %d; expected at most 255", n%256))
			prog, diags = asm.Assemble(asm.Options{Picasso: true}, asm.Source{"x", []byte(c.text(n))})
			require.NotNil(t, prog, c.name)
			require.Len(t, diags, 1, c.name)
			require.Equal(t, asm.Warning, diags[0].Severity)
			require.Equal(t, uint8(n), at(prog).Num, c.name)
			data := testkit.Must(prog.Bytes())(t)
			d := requireRoundTrip(t, c.name, data)
			require.True(t, d.Options.Picasso)
			require.Contains(t, string(d.Sources[0].Text), ".options picasso\n")
		}
	}
}

// A long procedure that is only an entry point needs no NUM.
func TestLongEntryProcedure(t *testing.T) {
	_, diags := asm.Assemble(asm.Options{}, asm.Source{"x", []byte(".proc main\n" + nops(300) + "\tend\n.end\n")})
	require.Empty(t, diags)
}

// A procedure that is too long is reported once, at the procedure, not per call.
func TestLongProcedureIsReportedOnce(t *testing.T) {
	_, diags := asm.Assemble(asm.Options{}, asm.Source{"x", []byte(".proc main\n\tcall f\n\tcall f\n\tend\n.end\n.proc f\n" + nops(256) + ".end\n")})
	require.Len(t, diags, 1)
	require.Equal(t, 6, diags[0].Line)
	require.Contains(t, diags[0].Hint, "called at x:2:7")
}

// Under the picasso option, blocks that are too long give the reference assembler's bytes.
func TestReferenceOnLongBlocks(t *testing.T) {
	program := os.Getenv(referenceEnv)
	if program == "" {
		t.Skipf("%s is not set: it names the program of the reference assembler", referenceEnv)
	}
	for _, c := range lengths {
		for _, n := range []int{255, 256, 300, 1023, 1024, 1500} {
			want, _ := reference(t, program, t.TempDir(), nil, [][]byte{[]byte(c.text(n))})
			prog, _ := asm.Assemble(asm.Options{Picasso: true}, asm.Source{"x", []byte(c.text(n))})
			if prog == nil {
				require.Nil(t, want, "%s %d", c.name, n)
				continue
			}
			got := testkit.Must(prog.Bytes())(t)
			require.Equal(t, want, got, "%s %d", c.name, n)
		}
	}
}
