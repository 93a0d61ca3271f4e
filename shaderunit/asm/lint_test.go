package asm

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/shbin"
)

// Each rule, with a program that breaks it and one beside it that does not.
func TestLintRules(t *testing.T) {
	main := func(body string) string { return ".proc main\n" + body + "\n\tend\n.end\n" }
	for _, c := range []struct {
		rule, bad, good string
		line            int // of the finding in bad
	}{
		{"no-end", ".proc main\n\tnop\n.end", ".proc main\n\tend\n.end", 2},
		{"no-end", main("again:\n\tjmpu b0, again2\nagain2:\n\tjmpu b0, again\n\tjmpu !b0, again"), main("again:\n\tjmpc cmp.x, again"), 3},
		{"no-end", ".proc main\n\tcall f\n\tnop\n.end\n.proc f\n\tnop\n.end", ".proc main\n\tcall f\n\tend\n.end\n.proc f\n\tnop\n.end", 2},
		{"mova-adjacent", main("\tmova a0.x, c0\n\tmova a0.y, c0"), main("\tmova a0.x, c0\n\tnop\n\tmova a0.y, c0"), 3},
		{"mova-adjacent", main("\tmova a0.x, c0\n\tcall f") + ".proc f\n\tnop\n\tmova a0.y, c0\n\tmova a0.x, c1\n.end", main("\tmova a0.x, c0\n\tcall f") + ".proc f\n\tmova a0.y, c0\n.end", 9},
		{"output-twice", main("\tmov o0, c0\n\tmov o0.x, c1"), main("\tmov o0.yzw, c0\n\tmov o0.x, c1"), 3},
		{"output-twice", main("\tifu b0\n\t\tmov o0, c0\n\t.end\n\tmov o0, c1"), main("\tifu b0\n\t\tmov o0, c0\n\t.else\n\t\tmov o0, c1\n\t.end"), 5},
		{"output-twice", main("\tfor i0\n\t\tmov o0, c0\n\t\tnop\n\t.end"), main("\tifu b0\n\t\tmov o0, c0\n\t.end\n\tifu b0\n\t\tnop\n\t.else\n\t\tmov o0, c1\n\t.end"), 3},
		{"output-missing", ".out pos position\n.out t texcoord0.xy\n" + main("\tmov pos, c0\n\tmov t.x, c0"), ".out pos position\n.out t texcoord0.xy\n" + main("\tmov pos, c0\n\tmov t.xy, c0"), 6},
		{"output-missing", ".out pos position\n" + main("\tifu b0\n\t\tmov pos, c0\n\t.end"), ".out pos position\n" + main("\tifu b0\n\t\tmov pos, c0\n\t.else\n\t\tmov pos, c1\n\t.end"), 6},
		{"output-missing", ".gsh point c0\n.out pos position\n.out clr color\n" + main("\tmov pos, v0\n\tsetemit 0\n\temit"), ".gsh point c0\n.out pos position\n.out clr color\n" + main("\tmov pos, v0\n\tmov clr, v0\n\tsetemit 0\n\temit\n\tmov pos, v1\n\temit"), 7},
		{"read-unwritten", main("\tmov r0.xy, c0\n\tmov r1, r0.xyz"), main("\tmov r0.xy, c0\n\tmov r1.xyz, r0.xyy"), 3},
		{"read-unwritten", main("\tmov r0.xy, c0\n\tdp3 r1, r0, r0"), main("\tmov r0.xyz, c0\n\tdp3 r1, r0, r0"), 3},
		{"read-unwritten", main("\tmov r0.y, c0\n\trcp r1, r0"), main("\tmov r0.y, c0\n\trcp r1, r0.y"), 3},
		{"read-unwritten", main("\tmov r1, c0[a0.y]"), main("\tmova a0.y, c1\n\tmov r1, c0[a0.y]"), 2},
		{"read-unwritten", main("\tmov r1, c0[aL]"), main("\tfor i0\n\t\tmov r1, c0[aL]\n\t\tnop\n\t.end"), 2},
		{"read-unwritten", main("\tifc cmp.x\n\t\tnop\n\t.end"), main("\tcmp c0, eq, eq, v0\n\tifc cmp.x\n\t\tnop\n\t.end"), 2},
		{"uniform-range", ".constf k(16, 0, 0, 0)\n" + main("\tmova a0.x, k\n\tmov r0, c80[a0.x]"), ".constf k(15.9, 0, 0, 0)\n" + main("\tmova a0.x, k\n\tmov r0, c80[a0.x]"), 4},
		{"uniform-range", ".constf k(3, 0, 0, 0)\n" + main("\tmova a0.y, -k.x\n\tmov r0, c2[a0.y]"), ".constf k(3, 0, 0, 0)\n" + main("\tmova a0.y, -k.x\n\tmov r0, c3[a0.y]"), 4},
		{"uniform-range", ".consti n(9, 2, 4, 0)\n" + main("\tfor n\n\t\tmov r0, c60[aL]\n\t\tnop\n\t.end"), ".consti n(8, 2, 4, 0)\n" + main("\tfor n\n\t\tmov r0, c60[aL]\n\t\tnop\n\t.end"), 4},
		{"int-range", main("\tfor i5\n\t\tnop\n\t.end"), main("\tfor i3\n\t\tnop\n\t.end"), 2},
		{"break-outside-loop", main("\tbreak"), main("\tfor i0\n\t\tbreak\n\t\tnop\n\t.end"), 2},
		{"break-outside-loop", main("\tcmp c0, eq, eq, v0\n\tbreakc cmp.x"), main("\tfor i0\n\t\tcall f\n\t\tnop\n\t.end") + ".proc f\n\tcmp c0, eq, eq, v0\n\tbreakc cmp.x\n.end", 3},
		{"break-nested", main("\tfor i0\n\t\tifu b0\n\t\t\tbreak\n\t\t.end\n\t\tnop\n\t.end"), main("\tifu b0\n\t\tfor i0\n\t\t\tbreak\n\t\t\tnop\n\t\t.end\n\t\tnop\n\t.end"), 4},
		{"break-nested", main("\tfor i0\n\t\tcall f\n\t\tnop\n\t.end") + ".proc f\n\tbreak\n.end", main("\tcall f") + ".proc f\n\tfor i0\n\t\tbreak\n\t\tnop\n\t.end\n.end", 9},
		{"stack-overflow", main("\tcall a") + ".proc a\n\tcall b\n.end\n.proc b\n\tcall c\n.end\n.proc c\n\tcall d\n.end\n.proc d\n\tcall e\n.end\n.proc e\n\tnop\n.end", main("\tcall a") + ".proc a\n\tcall b\n.end\n.proc b\n\tcall c\n.end\n.proc c\n\tcall d\n.end\n.proc d\n\tnop\n.end", 15},
		{"stack-overflow", main(strings.Repeat("\tfor i0\n", 5) + "\tnop\n" + strings.Repeat("\t.end\n", 5)), main(strings.Repeat("\tfor i0\n", 4) + "\tnop\n" + strings.Repeat("\t.end\n", 4)), 6},
		{"stack-overflow", main(strings.Repeat("\tifu b0\n", 9) + "\tnop\n" + strings.Repeat("\t.end\n", 9)), main(strings.Repeat("\tifu b0\n", 8) + "\tnop\n" + strings.Repeat("\t.end\n", 8)), 10},
		{"stack-overflow", main("\tcall f") + ".proc f\n\tcall f\n.end", main("\tcall f") + ".proc f\n\tnop\n.end", 6},
		{"emit-without-setemit", ".gsh point c0\n" + main("\temit"), ".gsh point c0\n" + main("\tsetemit 0\n\temit"), 3},
		{"emit-without-setemit", ".gsh point c0\n" + main("\tifu b0\n\t\tsetemit 0\n\t.end\n\temit"), ".gsh point c0\n" + main("\tifu b0\n\t\tsetemit 0\n\t.else\n\t\tsetemit 1\n\t.end\n\temit"), 6},
		{"emit-in-vertex-shader", main("\temit"), ".gsh point c0\n" + main("\tsetemit 0\n\temit"), 2},
		{"two-inputs", main("\tcmp v0, eq, eq, v1"), main("\tcmp v1, eq, eq, v1"), 2},
		{"unreachable", main("\tmov r0, c0") + ".proc f\n\tmov r0, c0\n.end", main("\tcall f") + ".proc f\n\tmov r0, c0\n.end", 6},
		{"unreachable", ".proc main\n\tend\n\tmov r0, c0\n.end", ".proc main\n\tend\n\tnop\n.end", 3},
		{"too-long", ".proc main\n" + strings.Repeat("\tnop\n", 512) + "\tend\n.end", ".proc main\n" + strings.Repeat("\tnop\n", 511) + "\tend\n.end", 514},
	} {
		lint := func(text string) (list []Diagnostic) {
			src := Source{"x", []byte(text)}
			prog, diags := Assemble(Options{}, src)
			require.NoError(t, diags.Err(), text)
			for _, d := range LintProgram(prog, []Source{src}) {
				if strings.HasPrefix(d.Rule, c.rule+":") {
					list = append(list, d)
				}
			}
			return list
		}
		found := lint(c.bad)
		require.NotEmpty(t, found, "%s in\n%s", c.rule, c.bad)
		require.Equal(t, c.line, found[0].Line, "%s in\n%s\n%v", c.rule, c.bad, found[0].Error())
		require.Equal(t, strings.Split(c.bad, "\n")[c.line-1], found[0].Source)
		require.Empty(t, lint(c.good), "%s in\n%s", c.rule, c.good)
	}
}

// Without padding the ends of blocks are found; the padding heals them.
func TestLintBlockEnds(t *testing.T) {
	for _, body := range []string{
		"\tifu b0\n\t\tjmpu b1, out\n\t.end\nout:",
		"\tcall f",
		"\tfor i0\n\t\tcmp c0, eq, eq, v0\n\t\tbreakc cmp.x\n\t.end",
		"\tifu b0\n\t\tifu b1\n\t\t\tmov r0, c0\n\t\t.end\n\t.end",
		"\tfor i0\n\t\tifu b1\n\t\t\tmov r0, c0\n\t\t.end\n\t.end",
		"\tifu b0\n\t\tfor i0\n\t\t\tmov r0, c0\n\t\t.end\n\t.else\n\t\tnop\n\t.end",
		"\tifu b0\n\t.end",
		"\tfor i0\n\t.end",
	} {
		text := ".proc main\n" + body + "\n\tnop\n\tend\n.end\n.proc f\n\tcall g\n.end\n.proc g\n\tnop\n.end"
		for _, noNop := range []bool{true, false} {
			prog, diags := Assemble(Options{NoNop: noNop}, Source{"x", []byte(text)})
			require.NoError(t, diags.Err())
			n := 0
			for _, f := range Lint(prog.File, nil) {
				if f.Rule.ID == "block-end" {
					n++
				}
			}
			require.Equal(t, noNop, n > 0, "%s", text)
		}
	}
}

func TestLintCallPops(t *testing.T) {
	// Each procedure is one call of the next, so that all four return at once. The
	// assembler pads such procedures.
	f, err := shbin.Build([]uint32{
		0x24<<26 | 2<<10 | 1, 0x22 << 26,
		0x24<<26 | 3<<10 | 1, 0x24<<26 | 4<<10 | 1, 0x24<<26 | 5<<10 | 1, 0x21 << 26,
	}, nil, []shbin.Executable{{Main: 0, EndMain: 2}})
	require.NoError(t, err)
	rules := map[string]bool{}
	for _, x := range Lint(f, nil) {
		rules[x.Rule.ID] = true
	}
	require.True(t, rules["call-pops"])
}

func TestLintOfABinaryNamesTheInstruction(t *testing.T) {
	prog, _ := Assemble(Options{}, Source{"x", []byte(".proc main\n\tmova a0.x, c0\n\tmova a0.y, c1\n\tend\n.end")})
	ds := LintFile("x.shbin", prog.File, nil)
	require.Len(t, ds, 1)
	require.Equal(t, "x.shbin: warning: instruction 0x001, mova a0.y, c1.y: mova right after another mova [mova-adjacent: picasso manual, PICA200 Caveats & Errata]", ds[0].Error())
}

// Every rule cites a source, and has a test above or in this file.
func TestLintRulesCiteSources(t *testing.T) {
	for _, r := range LintRules() {
		require.NotEmpty(t, r.Source)
		require.NotEmpty(t, r.Title)
		require.Equal(t, r, lintRule(r.ID))
	}
}

// The linter comes to an end on programs that no assembler made, and says the same
// each time.
func TestLintManyBools(t *testing.T) {
	body := ""
	for i := range 16 {
		body += "\tifu b" + string(rune('0'+i/10)) + string(rune('0'+i%10)) + "\n\t\tmov r0, c0\n\t.end\n"
	}
	body = strings.NewReplacer("b00", "b0", "b01", "b1", "b02", "b2", "b03", "b3", "b04", "b4", "b05", "b5", "b06", "b6", "b07", "b7", "b08", "b8", "b09", "b9").Replace(body)
	prog, diags := Assemble(Options{}, Source{"x", []byte(".proc main\n" + body + "\tmova a0.x, c0\n\tmova a0.y, c0\n\tend\n.end")})
	require.NoError(t, diags.Err())
	first := Lint(prog.File, nil)
	require.Len(t, first, 1, "beyond the bound, bool uniforms are not told apart, but the rest is checked")
	require.Equal(t, first, Lint(prog.File, nil))
}

// A file made to keep the linter busy is given up on, and said so.
func TestLintGivesUp(t *testing.T) {
	var code []uint32
	for i := range 4095 {
		code = append(code, 0x27<<26|uint32(i%16)<<22|uint32(i+1)<<10) // ifu over nothing
	}
	code = append(code, 0x22<<26)
	var executables []shbin.Executable
	for i := range 40 {
		executables = append(executables, shbin.Executable{Main: uint32(i), EndMain: 4096})
	}
	f, err := shbin.Build(code, nil, executables)
	require.NoError(t, err)
	unchecked := 0
	for _, x := range Lint(f, nil) {
		if x.Rule.ID == "unchecked" {
			unchecked++
		}
		require.NotEqual(t, "unreachable", x.Rule.ID)
	}
	require.NotZero(t, unchecked)
}
