package lint_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/shbin"
	"pica200/shaderunit/asm"
	"pica200/shaderunit/link"
	"pica200/shaderunit/lint"
	"pica200/tests/testkit"
)

// Each rule, with a program that breaks it and a similar one that does not.
func TestLintRules(t *testing.T) {
	main := func(body string) string { return ".proc main\n" + body + "\n\tend\n.end\n" }
	// The colour is written for the first of four vertices; more is added after EMIT number at.
	bank := func(more string, at int) string {
		text := ".gsh point c0\n.out pos position\n.out clr color\n.proc main\n\tsetemit 0\n\tmov clr, v0\n"
		for i := range 4 {
			text += "\tmov pos, v0\n"
			if i%2 == 1 && i <= at {
				text += more
			}
			text += "\temit\n"
		}
		return strings.Replace(text, "\temit\n\tmov pos, v0\n", "\temit\n\tmov pos, v1\n", 1) + "\tend\n.end\n"
	}
	for _, c := range []struct {
		rule, bad, good string
		line            int // line of the finding in bad
	}{
		{"no-end", ".proc main\n\tnop\n.end", ".proc main\n\tend\n.end", 2},
		{"no-end", main("again:\n\tjmpu b0, again2\nagain2:\n\tjmpu b0, again\n\tjmpu !b0, again"), main("again:\n\tcmp c0, eq, eq, v0\n\tjmpc cmp.x, again"), 3},
		{"no-end", main("\tcmp c0, eq, eq, v0\nagain:\n\tjmpc cmp.x, again"), main("\tcmp c0, eq, eq, v0\nagain:\n\tlitp r0, r0\n\tjmpc cmp.x, again"), 4},
		{"no-end", ".proc main\n\tcall f\n\tnop\n.end\n.proc f\n\tnop\n.end", ".proc main\n\tcall f\n\tend\n.end\n.proc f\n\tnop\n.end", 2},
		{"mova-adjacent", main("\tmova a0.x, c0\n\tmova a0.y, c0"), main("\tmova a0.x, c0\n\tnop\n\tmova a0.y, c0"), 3},
		{"mova-adjacent", main("\tmova a0.x, c0\n\tcall f") + ".proc f\n\tnop\n\tmova a0.y, c0\n\tmova a0.x, c1\n.end", main("\tmova a0.x, c0\n\tcall f") + ".proc f\n\tmova a0.y, c0\n.end", 9},
		{"output-twice", main("\tmov o0, c0\n\tmov o0.x, c1"), main("\tmov o0.yzw, c0\n\tmov o0.x, c1"), 3},
		{"output-twice", main("\tifu b0\n\t\tmov o0, c0\n\t.end\n\tmov o0, c1"), main("\tifu b0\n\t\tmov o0, c0\n\t.else\n\t\tmov o0, c1\n\t.end"), 5},
		{"output-twice", main("\tfor i0\n\t\tmov o0, c0\n\t\tnop\n\t.end"), main("\tifu b0\n\t\tmov o0, c0\n\t.end\n\tifu b0\n\t\tnop\n\t.else\n\t\tmov o0, c1\n\t.end"), 3},
		// A tested flag keeps its value until the next CMP: the second JMPC is always taken.
		{"output-twice", main("\tcmp c0, eq, eq, v0\n\tjmpc cmp.x, b\n\tmov o0, c0\n\tjmpc !cmp.y, e\nb:\n\tmov o0, c1\ne:\n\tnop"), main("\tcmp c0, eq, eq, v0\n\tjmpc cmp.x, b\n\tmov o0, c0\n\tjmpc !cmp.x, e\nb:\n\tmov o0, c1\ne:\n\tnop"), 7},
		{"output-twice", main("\tcmp c0, eq, eq, v0\n\tifc cmp.x && cmp.y\n\t\tmov o0, c0\n\t.end\n\tifc !cmp.x\n\t\tmov o0.x, c1\n\t.else\n\t\tmov o0.y, c1\n\t.end"), main("\tcmp c0, eq, eq, v0\n\tifc cmp.x && cmp.y\n\t\tmov o0, c0\n\t.end\n\tifc !cmp.x || !cmp.y\n\t\tmov o0, c1\n\t.end"), 9},
		{"unreachable", main("\tcmp c0, eq, eq, v0\n\tifc cmp.x\n\t\tifc !cmp.x\n\t\t\tmov r0, c0\n\t\t.end\n\t\tnop\n\t.end"), main("\tcmp c0, eq, eq, v0\n\tifc cmp.x\n\t\tcmp c0, eq, eq, v1\n\t\tifc !cmp.x\n\t\t\tmov r0, c0\n\t\t.end\n\t\tnop\n\t.end"), 5},
		{"output-missing", ".out pos position\n.out t texcoord0.xy\n" + main("\tmov pos, c0\n\tmov t.x, c0"), ".out pos position\n.out t texcoord0.xy\n" + main("\tmov pos, c0\n\tmov t.xy, c0"), 6},
		{"output-missing", ".out pos position\n" + main("\tifu b0\n\t\tmov pos, c0\n\t.end"), ".out pos position\n" + main("\tifu b0\n\t\tmov pos, c0\n\t.else\n\t\tmov pos, c1\n\t.end"), 6},
		{"output-missing", ".out pos position\n" + main("\tcmp c0, eq, eq, v0\n\tifc cmp.x\n\t\tmov pos, c0\n\t.end"), ".out pos position\n" + main("\tcmp c0, eq, eq, v0\n\tmov pos, c1\n\tifc cmp.x\n\t\tnop\n\t.end"), 7},
		{"output-missing", ".gsh point c0\n.out pos position\n.out clr color\n" + main("\tmov pos, v0\n\tsetemit 0\n\temit"), ".gsh point c0\n.out pos position\n.out clr color\n" + main("\tmov pos, v0\n\tmov clr, v0\n\tsetemit 0\n\temit\n\tmov clr, v1\n\tmov pos, v1\n\temit"), 7},
		// Components that the rasterizer does not read may stay unwritten.
		{"output-missing", ".out t texcoord0\n" + main("\tmov t.x, c0"), ".out t texcoord0\n" + main("\tmov t.xy, c0"), 4},
		{"output-missing", ".out t texcoord0 o0.yzw\n" + main("\tmov o0.y, c0"), ".out t texcoord0 o0.yzw\n" + main("\tmov o0.yz, c0"), 4},
		{"output-missing", ".out v view\n" + main("\tmov v.xy, c0"), ".out v view\n" + main("\tmov v.xyz, c0"), 4},
		{"output-missing", ".out w texcoord0w\n" + main("\tmov w.y, c0"), ".out w texcoord0w\n.out d dummy\n" + main("\tmov w.x, c0"), 4},
		// A geometry shader's output bank has the values of two EMITs ago.
		{"output-bank", bank("", 1), bank("\tmov clr, v0\n", 1), 10},
		{"output-bank", bank("", 3), bank("\tmov clr, v0\n", 3), 10},
		{"output-bank", ".gsh point c0\n.out pos position\n" + main("\tmov pos, v0\n\tsetemit 0\n\tfor i0\n\t\temit\n\t.end"), ".gsh point c0\n.out pos position\n" + main("\tsetemit 0\n\tfor i0\n\t\tmov pos, v0\n\t\temit\n\t.end"), 7},
		{"output-undeclared", ".out pos position\n" + main("\tmov pos, c0\n\tmov o3.x, c0"), ".out pos position.xy\n.out t dummy o3.y\n" + main("\tmov pos, c0\n\tmov o3.x, c0"), 4},
		{"no-output", main("\tmov o0, c0"), ".out c color\n" + main("\tmov c, c0"), 0},
		{"no-position", ".out c color\n" + main("\tmov c, c0"), ".out c color\n.out p position\n" + main("\tmov c, c0\n\tmov p, c0"), 0},
		{"no-position", ".gsh point c0\n.out c color\n" + main("\tmov c, c0"), ".gsh point c0\n.out c color\n.out d dummy\n" + main("\tmov c, c0"), 0},
		{"no-position", ".out c color\n" + main("\tmov c, c0"), ".out c color\n.out d dummy\n" + main("\tmov c, c0"), 0},
		{"no-emit", ".gsh point c0\n" + main("\tsetemit 0"), ".gsh point c0\n" + main("\tsetemit 0\n\tifu b0\n\t\temit\n\t.end"), 3},
		{"array-index", ".fvec m[4]\n" + main("\tmov o0, m[4]"), ".fvec m[4]\n" + main("\tmov o0, m[3]"), 3},
		{"array-index", ".fvec u, v\n" + main("\tadd o0, -u[1].x, r0"), ".fvec u, v\n" + main("\tadd o0, -u[0].x, r0"), 3},
		{"array-index", ".constf o(1, 1, 1, 1)\n.constfa k[]\n.constfa (1, 2, 3, 4)\n.end\n" + main("\tmov o0, k[1]"), ".constfa k[2]\n.constfa (1, 2, 3, 4)\n.end\n" + main("\tmov o0, k[1]"), 6},
		{"array-index", ".bool f[2]\n" + main("\tifu f[2]\n\t\tnop\n\t.end"), ".bool f[2]\n" + main("\tifu f[1]\n\t\tnop\n\t.end"), 3},
		{"array-index", ".fvec m[4]\n.setf m[4](1, 2, 3, 4)\n" + main("\tnop"), ".fvec m[4]\n.alias n c4\n.setf n[4](1, 2, 3, 4)\n" + main("\tmov o0, c0[9]"), 2},
		{"array-index", ".fvec m[4]\n.consti n(3, 1, 1, 0)\n" + main("\tfor n\n\t\tmov r0, m[aL]\n\t\tnop\n\t.end"), ".fvec m[4]\n.consti n(3, 0, 1, 0)\n" + main("\tfor n\n\t\tmov r0, m[aL]\n\t\tnop\n\t.end"), 5},
		{"array-index", ".fvec m[4]\n.constf k(2, 0, 0, 0)\n" + main("\tmova a0.x, k\n\tmov r0, m[a0.x+2]"), ".fvec m[4]\n.constf k(1.5, 0, 0, 0)\n" + main("\tmova a0.x, k\n\tmov r0, m[a0.x+2]"), 5},
		{"constant-twice", ".constf k(1, 2, 3, 4)\n.setf k(1, 2, 3, 5)\n" + main("\tnop"), ".constf k(1, 2, 3, 4)\n.setf k(1, 2, 3, 4)\n" + main("\tnop"), 2},
		{"constant-twice", ".constfa k[]\n.constfa (1, 2, 3, 4)\n.constfa (5, 6, 7, 8)\n.end\n.setf k[1](1, 2, 3, 4)\n" + main("\tnop"), ".constfa k[]\n.constfa (1, 2, 3, 4)\n.constfa (5, 6, 7, 8)\n.end\n.setf c0(1, 2, 3, 4)\n" + main("\tnop"), 5},
		{"constant-twice", ".setb b3 true\n.seti i3(1, 2, 3, 4)\n.setb b3 false\n" + main("\tnop"), ".setb b3 true\n.seti i3(1, 2, 3, 4)\n.setf c3(1, 1, 1, 1)\n" + main("\tnop"), 3},
		{"block-too-long", main("\tcall f") + ".proc f\n" + strings.Repeat("\tnop\n", 256) + ".end", main("\tcall f") + ".proc f\n" + strings.Repeat("\tnop\n", 255) + ".end", 2},
		{"read-unwritten", main("\tmov r0.xy, c0\n\tmov o1, r0.xyz"), main("\tmov r0.xy, c0\n\tmov o1.xyz, r0.xyy"), 3},
		{"read-unwritten", main("\tmov r0.xy, c0\n\tdp3 o1, r0, r0"), main("\tmov r0.xyz, c0\n\tdp3 o1, r0, r0"), 3},
		{"read-unwritten", main("\tmov r0.y, c0\n\trcp o1, r0"), main("\tmov r0.y, c0\n\trcp o1, r0.y"), 3},
		{"read-unwritten", main("\tmov o1, c0[a0.y]"), main("\tmova a0.y, c1\n\tmov o1, c0[a0.y]"), 2},
		{"read-unwritten", main("\tmov o1, c0[aL]"), main("\tfor i0\n\t\tmov r1, c0[aL]\n\t\tnop\n\t.end\n\tmov o1, r1"), 2},
		// Reported only if the value is used: through temporaries, in addresses, in flags.
		{"read-unwritten", main("\tmov r1, r0\n\tadd r2.x, c0, r1.y\n\tmov o1, r2.x"), main("\tmov r1, r0\n\tadd r2, c0, r1\n\tmul r3, r2, r2"), 2},
		{"read-unwritten", main("\tadd r1, c0, r0\n\tmova a0.x, r1.w\n\tmov o1, c3[a0.x]"), main("\tadd r1, c0, r0\n\tmov r1.w, c0\n\tmova a0.x, r1.w\n\tmov o1, c3[a0.x]"), 2},
		{"read-unwritten", main("\tmov r0.x, c0\n\tmova a0.xy, r0\n\tmov o1, c3[a0.y]"), main("\tmov r0.x, c0\n\tmova a0.xy, r0\n\tmov o1, c3[a0.x]\n\tmov r5, c3[a0.y]"), 3},
		{"read-unwritten", main("\tadd r1, c0, r0\n\tcmp c0, eq, eq, r1\n\tjmpc cmp.x && !cmp.y, out\nout:"), main("\tadd r1, c0, r0\n\tmov r1.xy, c0\n\tcmp c0, eq, eq, r1\n\tjmpc cmp.x && !cmp.y, out\nout:"), 2},
		{"read-unwritten", main("\tmov r0.x, c0\n\tcmp c0, eq, eq, r0\n\tjmpc cmp.y, out\nout:"), main("\tmov r0.x, c0\n\tcmp c0, eq, eq, r0\n\tjmpc cmp.x, out\nout:"), 3},
		{"read-unwritten", main("\tmov r0.x, c0\n\tlitp r1, r0\n\tjmpc cmp.y, out\nout:"), main("\tmov r0.x, c0\n\tlitp r1, r0\n\tjmpc cmp.x, out\nout:"), 3},
		{"read-unwritten", main("\tmov r0.y, c0\n\tlitp o1, r0"), main("\tmov r0.xw, c0\n\tlitp o1.xzw, r0"), 3},
		{"read-unwritten", main("\tmov r1, r0\n\tifu b0\n\t\tmov r1, c0\n\t.end\n\tmov o1, r1"), main("\tmov r1, r0\n\tifu b0\n\t\tmov r1, c0\n\t.else\n\t\tmov r1, c1\n\t.end\n\tmov o1, r1"), 2},
		{"read-unwritten", main("\tfor i0\n\t\tmov o1, r2\n\t\tmov r2, r1\n\t.end"), main("\tmov r2, c0\n\tfor i0\n\t\tadd r1, c0, r1\n\t\tnop\n\t.end\n\tmov o1, r2"), 4},
		{"read-unwritten", main("\tfor i0\n\t\tcmp r0, eq, eq, r1\n\t\tbreakc cmp.x\n\t\tmov r0, c0\n\t.end"), main("\tmov r1, c0\n\tfor i0\n\t\tcmp r0, eq, eq, r1\n\t\tbreakc cmp.x\n\t\tmov r0, c0\n\t.end"), 3},
		{"read-unwritten", ".out t texcoord0.xy\n" + main("\tmov r0.x, c0\n\tmov t, r0"), ".out t texcoord0\n" + main("\tmov r0.xy, c0\n\tmov t, r0"), 4},
		{"read-unwritten", ".out d dummy\n" + main("\tmov d, r0"), ".out d dummy.xy\n" + main("\tmov r0.xy, c0\n\tmov d, r0"), 3},
		{"read-unwritten", main("\tifc cmp.x\n\t\tnop\n\t.end"), main("\tcmp c0, eq, eq, v0\n\tifc cmp.x\n\t\tnop\n\t.end"), 2},
		// Written after a test of a counter and read after the same test, also if only the writing path tests a bool uniform. The
		// read is on an excluded path.
		{"read-unwritten", main("\tmov r1, c0\n\tifu b0\n\t\tnop\n\t.else\n\t\tmov r0, c0\n\t.end\n\tifu b0\n\t\tmov o1, r0\n\t.end"),
			main("\tmov r1, c0\n\tcmp c1, eq, eq, v0\n\tjmpc cmp.x, past\n\tmov r0, c0\n\tadd r1, c0, r1\n\tjmpu b0, past\n\tnop\npast:\n\tcmp c1, eq, eq, r1\n\tjmpc cmp.x, done\n\tmov o1, r0\ndone:"), 9},
		{"read-unwritten", main("\tcall step\n\tmov o1, r0") + ".proc step\n\tcmp c1, eq, eq, v0\n\tjmpc cmp.x, past\n\tmov r0.xyz, c0\n\tjmpu b0, past\n\tnop\npast:\n\tnop\n.end\n",
			main("\tcall step\n\tmov o1, r0") + ".proc step\n\tcmp c1, eq, eq, v0\n\tjmpc cmp.x, past\n\tmov r0, c0\n\tjmpu b0, past\n\tnop\npast:\n\tnop\n.end\n", 3},
		{"uniform-range", ".constf k(16, 0, 0, 0)\n" + main("\tmova a0.x, k\n\tmov r0, c80[a0.x]"), ".constf k(15.9, 0, 0, 0)\n" + main("\tmova a0.x, k\n\tmov r0, c80[a0.x]"), 4},
		{"uniform-range", ".constf k(3, 0, 0, 0)\n" + main("\tmova a0.y, -k.x\n\tmov r0, c2[a0.y]"), ".constf k(3, 0, 0, 0)\n" + main("\tmova a0.y, -k.x\n\tmov r0, c3[a0.y]"), 4},
		{"uniform-range", ".constf k(999999, 0, 0, 0)\n" + main("\tmova a0.y, k.x\n\tmov r0, c2[a0.y]"), ".constf k(1000000, 0, 0, 0)\n" + main("\tmova a0.y, k.x\n\tmov r0, c2[a0.y]"), 4},
		{"uniform-range", ".constf k(999999, 0, 0, 0)\n" + main("\tmova a0.y, -k.x\n\tmov r0, c2[a0.y]"), ".constf k(1000000, 0, 0, 0)\n" + main("\tmova a0.y, -k.x\n\tmov r0, c2[a0.y]"), 4},
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
		// In the good programs the label is before the last instruction: a NOP, or the padding after a jump.
		{"jump-to-end", main("\tfor i0\n\t\tjmpu b0, l\n\t\tnop\nl:\n\t.end"), main("\tfor i0\n\t\tjmpu b0, l\nl:\n\t.end"), 3},
		{"jump-to-end", main("\tifu b1\n\t\tjmpu b0, l\n\t\tnop\nl:\n\t.end"), main("\tjmpu b0, l\n\tifu b1\n\t\tjmpu b0, m\n\t\tnop\nm:\t\tnop\nl:\n\t.end"), 3},
		{"jump-to-end", main("\tifu b1\n\t\tjmpu b0, l\n\t\tnop\nl:\n\t.else\n\t\tnop\n\t.end"), main("\tifu b1\n\t\tnop\n\t.else\n\t\tjmpu b0, l\n\t\tnop\nl:\n\t.end"), 3},
		{"jump-to-end", main("\tifu b1\n\t\tjmpu b0, l\n\t\tnop\n\t.else\n\t\tnop\nl:\n\t.end"), main("\tifu b1\n\t\tjmpu b0, l\n\t\tnop\nl:\t\tnop\n\t.else\n\t\tnop\n\t.end"), 3},
		{"jump-to-end", main("\tcall f\n\tifu b1\n\t\tnop\n\t.end") + ".proc f\n\tjmpu !b0, l\n\tnop\nl:\n.end\n.proc g\n\tend\n.end", main("\tcall f") + ".proc f\n\tjmpu !b0, l\nl:\n.end\n.proc g\n\tnop\n.end", 9},
		// An outer block is left as well; the condition decides on which ways the jump is taken.
		{"jump-to-end", main("\tfor i0\n\t\tifu b1\n\t\t\tjmpu b0, l\n\t\t\tnop\n\t\t.end\n\t\tnop\n\t.end\nl:"), main("\tifu b0\n\t\tifu b1\n\t\t\tjmpu !b0, l\n\t\t\tnop\n\t\t.end\n\t\tnop\nl:\n\t.end"), 4},
		{"emit-without-setemit", ".gsh point c0\n" + main("\temit"), ".gsh point c0\n" + main("\tsetemit 0\n\temit"), 3},
		{"emit-without-setemit", ".gsh point c0\n" + main("\tifu b0\n\t\tsetemit 0\n\t.end\n\temit"), ".gsh point c0\n" + main("\tifu b0\n\t\tsetemit 0\n\t.else\n\t\tsetemit 1\n\t.end\n\temit"), 6},
		{"emit-in-vertex-shader", main("\temit"), ".gsh point c0\n" + main("\tsetemit 0\n\temit"), 2},
		{"two-inputs", main("\tcmp v0, eq, eq, v1"), main("\tcmp v1, eq, eq, v1"), 2},
		{"unreachable", main("\tmov r0, c0") + ".proc f\n\tmov r0, c0\n.end", main("\tcall f") + ".proc f\n\tmov r0, c0\n.end", 6},
		{"unreachable", ".proc main\n\tend\n\tmov r0, c0\n.end", ".proc main\n\tend\n\tnop\n.end", 3},
		{"too-long", ".proc main\n" + strings.Repeat("\tnop\n", 512) + "\tend\n.end", ".proc main\n" + strings.Repeat("\tnop\n", 511) + "\tend\n.end", 514},
	} {
		lint := func(text string) (list []asm.Diagnostic) {
			src := asm.Source{Name: "x", Text: []byte(text)}
			prog, diags := asm.Assemble(asm.Options{Picasso: strings.HasSuffix(c.rule, "too-long")}, src)
			require.NoError(t, diags.Err(), text)
			for _, d := range lint.Program(prog, []asm.Source{src}) {
				if strings.HasPrefix(d.Rule, c.rule+":") {
					list = append(list, d)
				}
			}
			return list
		}
		found := lint(c.bad)
		require.NotEmpty(t, found, "%s in\n%s", c.rule, c.bad)
		require.Equal(t, c.line, found[0].Line, "%s in\n%s\n%v", c.rule, c.bad, found[0].Error())
		if c.line > 0 {
			require.Equal(t, strings.Split(c.bad, "\n")[c.line-1], found[0].Source)
		}
		require.Empty(t, lint(c.good), "%s in\n%s", c.rule, c.good)
	}
}

// Every rule has a row above or its own test in this file.
func TestEveryLintRuleIsTested(t *testing.T) {
	self := testkit.Read(t, "lint_test.go")
	for _, r := range lint.Rules() {
		require.Contains(t, string(self), `"`+r.ID+`"`)
	}
}

func TestLintTooManyDescriptors(t *testing.T) {
	for n, want := range map[int]bool{128: false, 129: true} {
		f := testkit.Must(shbin.Build([]uint32{0x22 << 26}, make([]uint32, min(n, 128)), []shbin.Executable{{EndMain: 1}}))(t)
		f.Program.Descriptors = make([]shbin.Descriptor, n)
		found := false
		for _, x := range lint.Check(f, nil) {
			found = found || x.Rule.ID == "too-many-descriptors"
		}
		require.Equal(t, want, found)
	}
}

// A comment suppresses a rule: after a statement for its line, alone for the whole source.
func TestLintAllow(t *testing.T) {
	lint := func(text string) (rules []string, diags asm.Diagnostics) {
		src := asm.Source{Name: "x", Text: []byte(text)}
		prog, diags := asm.Assemble(asm.Options{}, src)
		require.NoError(t, diags.Err())
		for _, d := range lint.Program(prog, []asm.Source{src}) {
			rules = append(rules, d.RuleID())
		}
		return rules, diags
	}
	const head, tail = ".out pos position\n.proc main\n\tmov pos, c0\n", "\tend\n.end\n"
	two := []string{"mova-adjacent", "mova-adjacent"}
	for _, c := range []struct {
		text string
		want []string
	}{
		{head + "\tmova a0.x, c0\n\tmova a0.x, c0\n\tmova a0.x, c0\n" + tail, two},
		{head + "\tmova a0.x, c0\n\tmova a0.x, c0 ; lint: allow mova-adjacent\n\tmova a0.x, c0\n" + tail, two[:1]},
		{head + "\tmova a0.x, c0\n\tmova a0.x, c0\n\tmova a0.x, c0\n ; lint: allow two-inputs, mova-adjacent\n" + tail, nil},
		{head + "\tmova a0.x, c0\n\tmova a0.x, c0 ; lint: allow two-inputs\n\tmova a0.x, c0\n" + tail, two},
		{"; lint: allow no-output\n.proc main\n" + tail, nil},
		{".fvec a\n; lint: allow array-index\n" + head + "\tmov r0, a[1]\n" + tail, nil},
		{".fvec a\n" + head + "\tmov r0, a[1] ; lint: allow array-index\n\tmov r1, a[2]\n" + tail, []string{"array-index"}},
		{".setf c0(1, 2, 3, 4)\n.setf c0(1, 2, 3, 5); lint: allow constant-twice\n.setf c0(1, 2, 3, 6)\n" + head + tail, []string{"constant-twice"}},
	} {
		got, diags := lint(c.text)
		require.Empty(t, diags, c.text)
		require.Equal(t, c.want, got, c.text)
	}
	for text, want := range map[string]string{
		"; lint: allow two-imputs": `x:1:15: warning: no lint rule "two-imputs" (did you mean two-inputs?)`,
		"; lint: allow":            `x:1:9: warning: this comment says nothing to the linter (; lint: allow RULE, RULE)`,
		"nop; lint: off two":       `x:1:12: warning: this comment says nothing to the linter (; lint: allow RULE, RULE)`,
	} {
		_, diags := asm.Assemble(asm.Options{}, asm.Source{Name: "x", Text: []byte(text + "\n.proc main\n\tend\n.end\n")})
		found := ""
		for _, d := range diags {
			if d.Severity == asm.Warning {
				found = d.Error()
			}
		}
		require.Equal(t, want, found)
	}
}

func TestDiagnosticsWithout(t *testing.T) {
	ds := asm.Diagnostics{{Msg: "a"}, {Msg: "b", Rule: "two-inputs: x"}, {Msg: "c", Rule: "no-end: y"}}
	kept := ds.Without("two-inputs", "")
	require.Len(t, kept, 2)
	require.Equal(t, "a", kept[0].Msg)
	require.Equal(t, "no-end", kept[1].RuleID())
}

// Without padding, lint finds bad block ends; padding avoids them.
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
			prog, diags := asm.Assemble(asm.Options{NoNop: noNop}, asm.Source{Name: "x", Text: []byte(text)})
			require.NoError(t, diags.Err())
			n := 0
			for _, f := range lint.Check(prog.File, nil) {
				if f.Rule.ID == "block-end" {
					n++
				}
			}
			require.Equal(t, noNop, n > 0, "%s", text)
		}
	}
}

func TestLintCallPops(t *testing.T) {
	// Each procedure ends with a call of the next, so that all four, or three, return at once. The assembler pads such procedures.
	for last, want := range map[uint32]bool{0x24<<26 | 5<<10 | 1: true, 0x21 << 26: false} {
		f := testkit.Must(shbin.Build([]uint32{
			0x24<<26 | 2<<10 | 1, 0x22 << 26,
			0x24<<26 | 3<<10 | 1, 0x24<<26 | 4<<10 | 1, last, 0x21 << 26,
		}, nil, []shbin.Executable{{Main: 0, EndMain: 2}}))(t)
		rules := map[string]bool{}
		for _, x := range lint.Check(f, nil) {
			rules[x.Rule.ID] = true
		}
		require.Equal(t, want, rules["call-pops"])
	}
}

func TestLintOfBinaryNamesInstruction(t *testing.T) {
	prog, _ := asm.Assemble(asm.Options{}, asm.Source{Name: "x", Text: []byte(".out p position\n.proc main\n\tmova a0.x, c0\n\tmova a0.y, c1\n\tmov p, c0\n\tend\n.end")})
	ds := lint.File("x.shbin", prog.File, nil)
	require.Len(t, ds, 1)
	require.Equal(t, "x.shbin: warning: instruction 0x001, mova a0.y, c1.y: mova right after another mova [mova-adjacent: picasso manual, PICA200 Caveats & Errata]", ds[0].Error())
}

// Every rule has a title and cites a source.
func TestLintRulesCiteSources(t *testing.T) {
	for _, r := range lint.Rules() {
		require.NotEmpty(t, r.Source)
		require.NotEmpty(t, r.Title)
	}
}

// Lint terminates on programs that no assembler made, with the same findings each time.
func TestLintManyBools(t *testing.T) {
	body := ""
	for i := range 16 {
		body += "\tifu b" + string(rune('0'+i/10)) + string(rune('0'+i%10)) + "\n\t\tmov r0, c0\n\t.end\n"
	}
	body = strings.NewReplacer("b00", "b0", "b01", "b1", "b02", "b2", "b03", "b3", "b04", "b4", "b05", "b5", "b06", "b6", "b07", "b7", "b08", "b8", "b09", "b9").Replace(body)
	prog, diags := asm.Assemble(asm.Options{}, asm.Source{Name: "x", Text: []byte(".out p dummy\n.proc main\n" + body + "\tmova a0.x, c0\n\tmova a0.y, c0\n\tend\n.end")})
	require.NoError(t, diags.Err())
	first := lint.Check(prog.File, nil)
	require.Len(t, first, 1, "beyond the limit bool uniforms are merged, and the rest is still checked")
	require.Equal(t, first, lint.Check(prog.File, nil))
}

// Lint gives up on a file made to keep it busy, and reports it.
func TestLintGivesUpOnHugeFlow(t *testing.T) {
	var code []uint32
	for i := range 4095 {
		code = append(code, 0x27<<26|uint32(i%16)<<22|uint32(i+1)<<10) // ifu over nothing
	}
	code = append(code, 0x22<<26)
	var executables []shbin.Executable
	for i := range 40 {
		executables = append(executables, shbin.Executable{Main: uint32(i), EndMain: 4096})
	}
	f := testkit.Must(shbin.Build(code, nil, executables))(t)
	unchecked := 0
	for _, x := range lint.Check(f, nil) {
		if x.Rule.ID == "unchecked" {
			unchecked++
		}
		require.NotEqual(t, "unreachable", x.Rule.ID)
	}
	require.NotZero(t, unchecked)
}

// A cause found at several positions is one finding with their number. Other causes and rules are separate; suppressed positions do not
// count.
func TestLintMergesFindingsOfOneCause(t *testing.T) {
	const text = ".out pos position\n.out clr color\n.proc main\n\tmov pos, r1\n\tadd r2, r1, r1\n\tadd r3, r1, r2\n\tmul clr, r3, r2\n\tcmp v0, eq, eq, v1\n\tcmp v0, eq, eq, v1\n\tend\n.end\n"
	for _, c := range []struct {
		at, allow string
		want      []string
	}{
		{"", "", []string{
			"x:4:2: warning: r1.xyzw is read, but nothing wrote it, in 3 places, the last in line 6 [read-unwritten: follows from the instruction set]",
			"x:8:2: warning: v0 and v1 in one instruction; only one input register can be read at a time [two-inputs: picasso manual, PICA200 Caveats & Errata]",
			"x:9:2: warning: v0 and v1 in one instruction; only one input register can be read at a time [two-inputs: picasso manual, PICA200 Caveats & Errata]",
		}},
		{"mov pos, r1", " ; lint: allow read-unwritten", []string{
			"x:5:2: warning: r1.xyzw is read, but nothing wrote it, in 2 places, the last in line 6 [read-unwritten: follows from the instruction set]", "", "",
		}},
		{"add r3, r1, r2", " ; lint: allow read-unwritten", []string{
			"x:4:2: warning: r1.xyzw is read, but nothing wrote it, in 2 places, the last in line 5 [read-unwritten: follows from the instruction set]", "", "",
		}},
	} {
		src := asm.Source{Name: "x", Text: []byte(strings.Replace(text, c.at, c.at+c.allow, 1))}
		if c.at == "" {
			src.Text = []byte(text)
		}
		prog, diags := asm.Assemble(asm.Options{}, src)
		require.NoError(t, diags.Err())
		found := lint.Program(prog, []asm.Source{src})
		require.Len(t, found, len(c.want))
		for i, want := range c.want {
			if want != "" {
				require.Equal(t, want, found[i].Error())
			}
		}
		if c.at == "" {
			require.Equal(t, []asm.Pos{{File: "x", Line: 5, Col: 2, Len: 3}, {File: "x", Line: 6, Col: 2, Len: 3}}, found[0].Again)
			require.Contains(t, printed(lint.File("x.shbin", prog.File, nil)), "instruction 0x000, mov o0, r1: r1.xyzw is read, but nothing wrote it, in 3 places, the last at 0x002")
		}
	}
}

func printed(ds asm.Diagnostics) string {
	var b strings.Builder
	ds.Print(&b)
	return b.String()
}

// lintObject lints a source as an object, from the source and from its file.
func lintObject(t *testing.T, text string) (rules []string) {
	src := asm.Source{Name: "x", Text: []byte(text)}
	prog, diags := asm.Assemble(asm.Options{Object: true}, src)
	require.NoError(t, diags.Err(), text)
	for _, d := range append(diags, lint.Program(prog, []asm.Source{src})...) {
		rules = append(rules, d.Rule[:len(d.Rule)-len(lintRuleSource(d.Rule))])
	}
	o := testkit.Must(prog.Object())(t)
	file, unlinked, err := link.Alone(link.Input{Name: "x", Object: o})
	require.NoError(t, err)
	require.Len(t, lint.File("x.dvoj", file, unlinked), len(rules), text)
	return rules
}

func lintRuleSource(rule string) string {
	for _, r := range lint.Rules() {
		if len(rule) >= len(r.ID)+2 && rule[:len(r.ID)+2] == r.ID+": " {
			return rule[len(r.ID):]
		}
	}
	return ""
}

// A call to another object may have any effect: lint reports nothing that depends on it.
func TestLintAssumesNothingOfOtherObjects(t *testing.T) {
	for _, text := range []string{
		".fvec u\n.out pos position\n.proc main\n\tmov r0, u\n\tcall f\n\tmov pos, r3\n\tend\n.end\n",
		".out pos position\n.proc main\n\tcall writes_pos\n\tend\n.end\n",
		".out pos position\n.proc main\n\tcall ends\n\tjmpc cmp.x, on\n\tnop\non:\n\tmov pos, c0[a0.x]\n\tcall ends_too\n\tnop\n.end\n.proc other\n\tadd r1, c3[aL], r2\n.end\n",
		".out d dummy\n.proc main\n\tcall f\nagain:\n\tcallc cmp.x, f\n\tjmpu b0, again2\nagain2:\n\tjmpu !b0, again\n\tend\n.end\n",
		".gsh point c0\n.out d dummy\n.proc main\n\tcall f\n\temit\n\tend\n.end\n",
		".nodvle\n.proc f\n\tmov r3, r0\n\tcall elsewhere\n\tnop\n.end\n",
		".nodvle\n.proc f\n\tcall g\n\tend\n.end\n.proc g\n\tmov o0, r1\n.end\n",
		".nodvle\n.gsh point c0\n.proc f\n\temit\n.end\n",
	} {
		require.Empty(t, lintObject(t, text), text)
	}
}

// Findings that depend only on the object itself are still reported.
func TestLintFindsFaultsInsideObjects(t *testing.T) {
	for rule, text := range map[string]string{
		"read-unwritten":        ".proc main\n\tmov o0, r1\n\tcall f\n\tend\n.end\n",
		"mova-adjacent":         ".nodvle\n.proc f\n\tmova a0.x, c0\n\tmova a0.y, c0\n.end\n",
		"output-twice":          ".proc main\n\tmov o0, c0\n\tcall f\n\tmov o0, c1\n\tend\n.end\n",
		"block-end":             ".nodvle\n.proc f\n\tcall g\n.end\n",
		"unreachable":           ".proc main\n\tcall f\n\tend\n\tmov r0, c0\n.end\n",
		"break-outside-loop":    ".nodvle\n.proc f\n\tbreak\n\tnop\n.end\n",
		"emit-in-vertex-shader": ".nodvle\n.proc f\n\temit\n.end\n",
		"no-end":                ".nodvle\n.proc f\nagain:\n\tjmpu b0, again2\nagain2:\n\tjmpu !b0, again\n\tjmpu b0, again\n\tnop\n.end\n",
	} {
		prog, _ := asm.Assemble(asm.Options{Object: true, NoNop: rule == "block-end"}, asm.Source{Name: "x", Text: []byte(text)})
		require.NotNil(t, prog, rule)
		var found []string
		for _, f := range lint.Check(prog.File, prog.Unlinked()) {
			found = append(found, f.Rule.ID)
		}
		require.Contains(t, found, rule, text)
	}
}
