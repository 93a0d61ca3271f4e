package asm_test

import (
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pica200/assets/shbin"
	"pica200/pica"
	"pica200/shaderunit"
	"pica200/shaderunit/asm"
	"pica200/shaderunit/disasm"
	"pica200/shaderunit/link"
	"pica200/shaderunit/lint"
	"pica200/tests/testkit"
)

// sourceGen draws the text of a valid program: structured, so that it ends, with procedures that call only later ones.
type sourceGen struct {
	t     *rapid.T
	out   strings.Builder
	loops int
	ifs   int
	proc  int
	last  int // the last procedure's number
	lines int
	label int
}

func (g *sourceGen) pick(list ...string) string { return rapid.SampledFrom(list).Draw(g.t, "choice") }
func (g *sourceGen) upTo(n int) int             { return rapid.IntRange(0, n).Draw(g.t, "number") }

func (g *sourceGen) components(n int) string {
	s := "."
	for range n {
		s += g.pick("x", "y", "z", "w")
	}
	return s
}

func (g *sourceGen) swizzle() string {
	if n := g.upTo(4); n > 0 {
		return g.components(n)
	}
	return ""
}

func (g *sourceGen) mask() string {
	return g.pick("", ".x", ".y", ".z", ".w", ".xy", ".xyz", ".yw", ".zw", ".xw")
}

func (g *sourceGen) dest() string {
	if g.upTo(4) == 0 {
		return fmt.Sprintf("o%d", g.upTo(3)) + g.mask()
	}
	return fmt.Sprintf("r%d", g.upTo(5)) + g.mask()
}

func (g *sourceGen) narrow() string {
	// Only one input register, so that no instruction reads two.
	return g.pick("", "-") + g.pick("v1", "r0", "r1", "r2", "r3", "r4", "r5") + g.swizzle()
}

func (g *sourceGen) wide() string {
	base := g.pick("c0", "c5", "table[2]", "table[a0.x]", "table[a0.y+1]", "k", "ks[1]", "r1", "v1", "c94", "c3[aL]", "table[aL+2]", "c95[a0.x]")
	return g.pick("", "-") + base + g.swizzle()
}

func (g *sourceGen) line(format string, args ...any) {
	g.lines++
	fmt.Fprintf(&g.out, "\t"+format+"\n", args...)
}

func (g *sourceGen) condition() string {
	flag := func(f string) string { return g.pick("", "!") + f }
	switch g.upTo(3) {
	case 0:
		return flag("cmp.x")
	case 1:
		return flag("cmp.y")
	case 2:
		return flag("cmp.x") + " && " + flag("cmp.y")
	}
	return flag("cmp.y") + " || " + flag("cmp.x")
}

func (g *sourceGen) statement() {
	kind := g.upTo(19)
	if g.lines > 60 && kind > 11 {
		kind = 0
	}
	switch kind {
	default:
		g.line("%s %s, %s, %s", g.pick("add", "mul", "dp3", "dp4", "max", "min", "sge", "slt", "dph", "dst"), g.dest(), g.wide(), g.narrow())
	case 5:
		g.line("%s %s, %s, %s", g.pick("sge", "slt", "dph", "dst", "sgei", "dsti"), g.dest(), g.narrow(), g.wide())
	case 6, 7:
		g.line("%s %s, %s", g.pick("mov", "flr", "rcp", "rsq", "ex2", "lg2", "litp"), g.dest(), g.wide())
	case 8:
		g.line("mad %s, %s, %s, %s", g.dest(), g.narrow(), g.wide(), g.narrow())
	case 9:
		g.line("mad %s, %s, %s, %s", g.dest(), g.narrow(), g.narrow(), g.wide())
	case 10:
		g.line("cmp %s, %s, %s, %s", g.wide(), g.pick(asm.Comparisons()...), g.pick(asm.Comparisons()...), g.narrow())
	case 11:
		g.line("mova %s, %s", g.pick("a0.x", "a0.y", "a0.xy"), g.wide())
		g.line("nop") // a second mova right after it would hang
	case 12, 13:
		if g.ifs == 2 {
			return
		}
		g.ifs++
		if g.upTo(1) == 0 {
			g.line("ifu b%d", g.upTo(3))
		} else {
			g.line("ifc %s", g.condition())
		}
		g.block()
		if g.upTo(1) == 0 {
			g.line(".else")
			g.block()
		}
		g.line(".end")
		g.ifs--
	case 14, 15:
		if g.loops == 2 {
			return
		}
		g.loops++
		g.line("for i%d", g.upTo(3))
		g.block()
		if g.upTo(2) == 0 {
			g.line("breakc %s", g.condition())
		}
		g.line(".end")
		g.loops--
	case 16, 17:
		if g.proc == g.last || g.loops > 0 { // keeps within the call and loop stacks
			return
		}
		target := fmt.Sprintf("p%d", g.proc+1)
		switch g.upTo(2) {
		case 0:
			g.line("call %s", target)
		case 1:
			g.line("callu b%d, %s", g.upTo(3), target)
		default:
			g.line("callc %s, %s", g.condition(), target)
		}
	case 18, 19:
		// A forward jump over a few instructions of the same block.
		g.label++
		label := fmt.Sprintf("l%d", g.label)
		if g.upTo(1) == 0 {
			g.line("jmpc %s, %s", g.condition(), label)
		} else {
			g.line("jmpu %sb%d, %s", g.pick("", "!"), g.upTo(3), label)
		}
		g.line("mul r%d, %s, %s", g.upTo(5), g.wide(), g.narrow())
		fmt.Fprintf(&g.out, "%s:\n", label)
		g.line("nop")
	}
}

func (g *sourceGen) block() {
	for range 1 + g.upTo(3) {
		g.statement()
	}
}

func drawSource(t *rapid.T) string {
	g := &sourceGen{t: t}
	g.out.WriteString(".fvec table[8], more[2]\n.constf k(0.5, -1.5, 3.0, 100.25)\n.constfa ks[]\n.constfa (1.0, 2.0, -0.25, 0.0)\n.constfa (7.0, 0.001, 1.0, -64.0)\n.end\n")
	g.out.WriteString(".out a position\n.out b color\n.out c texcoord0\n.out d texcoord1\n.in first\n.in second\n")
	g.last = g.upTo(3)
	for g.proc = 0; g.proc <= g.last; g.proc++ {
		name := fmt.Sprintf("p%d", g.proc)
		if g.proc == 0 {
			name = "main"
		}
		fmt.Fprintf(&g.out, ".proc %s\n", name)
		for range 1 + g.upTo(7) {
			g.statement()
		}
		if g.proc == 0 {
			g.line("end")
		}
		g.out.WriteString(".end\n")
		g.lines = 0
	}
	return g.out.String()
}

// load loads a program and uniforms into a shader unit.
func load(s *shaderunit.Setup, f *shbin.File, floats [96][4]float32, ints [4][4]uint8, bools uint16) {
	*s = shaderunit.Setup{Float: floats, Int: ints, Bool: bools, OutMask: 0xFFFF}
	s.Load(f.Program.Code, f.Program.DescriptorWords())
	s.Entry = uint16(f.Executables[0].Main)
	for _, c := range f.Executables[0].Constants {
		if c.Kind == shbin.ConstantFloat {
			s.Float[c.Reg] = pica.Float24.Decode4(c.Float())
		}
	}
}

// Random programs stay the same through assembly, disassembly, object and linker, and give the same bits in interpreter and
// batches.
func TestToolchainKeepsRandomPrograms(t *testing.T) {
	engine := shaderunit.NewEngine()
	batch := new(shaderunit.Batch)
	setup := new(shaderunit.Setup)
	rapid.Check(t, func(t *rapid.T) {
		text := drawSource(t)
		prog, diags := asm.Assemble(asm.Options{}, asm.Source{"random.pica", []byte(text)})
		require.NoError(t, diags.Err(), text)
		want := testkit.Must(prog.Bytes())(t)

		f := testkit.Must(shbin.Parse(want))(t)
		d := testkit.Must(disasm.File(f, disasm.Options{}))(t)
		require.Empty(t, d.Notes, text)
		require.Equal(t, asm.Options{}, d.Options)
		again, diags := asm.Assemble(asm.Options{}, d.Sources...)
		require.NoError(t, diags.Err())
		got := testkit.Must(again.Bytes())(t)
		require.Equal(t, want, got, text)

		object, diags := asm.Assemble(asm.Options{Object: true}, asm.Source{"random.pica", []byte(text)})
		require.NoError(t, diags.Err())
		o := testkit.Must(object.Object())(t)
		linked := testkit.Must(link.Objects(link.Options{}, link.Input{Name: "random", Object: o}))(t)
		require.Equal(t, f.Program.Code, linked.Program.Code)
		for _, finding := range lint.Check(f, nil) {
			switch finding.Rule.ID {
			case "output-twice", "output-missing", "read-unwritten", "unreachable", "uniform-range", "array-index":
				// Findings about random data flow are expected.
			default:
				t.Fatalf("%s at 0x%X: %s in\n%s", finding.Rule.ID, finding.Addr, finding.Msg, text)
			}
		}

		var floats [96][4]float32
		number := func() float32 {
			return shaderunit.ToFloat24(float32(rapid.IntRange(-4000, 4000).Draw(t, "float")) / 256)
		}
		pool := [12]float32{0, 1, -1, float32(math.Inf(1))}
		for i := 4; i < len(pool); i++ {
			pool[i] = number()
		}
		for i := range floats {
			for c := range floats[i] {
				floats[i][c] = pool[(i*5+c*7)%len(pool)]
			}
		}
		var ints [4][4]uint8
		for i := range ints {
			ints[i] = [4]uint8{uint8(rapid.IntRange(0, 3).Draw(t, "count")), uint8(rapid.IntRange(0, 9).Draw(t, "start")), uint8(rapid.IntRange(0, 3).Draw(t, "step"))}
		}
		load(setup, again.File, floats, ints, rapid.Uint16().Draw(t, "bools"))
		const lanes = 5
		var inputs [lanes][16][4]float32
		for lane := range inputs {
			for reg := range 2 {
				for c := range 4 {
					inputs[lane][reg][c] = number()
					batch.In(reg, c)[lane] = inputs[lane][reg][c]
				}
			}
		}
		require.NoError(t, engine.RunVertices(setup, batch, lanes), text)
		var it shaderunit.Interpreter
		for lane := range inputs {
			it.Reset()
			it.In = inputs[lane]
			require.NoError(t, it.Run(setup), text)
			for reg := range 4 {
				for c := range 4 {
					a, b := it.Out()[reg][c], batch.Out(reg, c)[lane]
					require.Equal(t, math.Float32bits(a), math.Float32bits(b), "lane %d, o%d component %d: %v, batch %v, in\n%s", lane, reg, c, a, b, text)
				}
			}
		}
	})
}

// linked are sources of one program: executables of both shaders, with shared and separate uniforms and constants, gaps between
// them, and procedures that all of them call.
var linked = [][]asm.Source{{
	{"first", []byte(`.fvec shared[3]
.fvec first
.ivec turns
.bool way, mirror
.constf k(1, -0.5, 0.1, 3)
.constfa steps[]
.constfa (1, 2, 3, 4)
.constfa (5, 6, 7, 8)
.end
.setf c40(1, 0, 0, 9)
.consti twice(1, 2, 3, 0)
.seti i1(4, 5, 6, 0)
.setb b9 true
.in place
.in tint v5
.out p position
.out t color o3.xyz
.out u texcoord0 o3.w
.proc main
	mov r0, place
	for twice
		add r0, steps[aL], r0
		call common
	.end
	ifu way
		mov r0, shared[2]
	.else
		mov r0.xy, first.zw
		mov r0.zw, k
	.end
	for turns
		mad r0, r0, r1, c40
		nop
	.end
	mov p, r0
	mov t, tint
	callu mirror, common
	end
.end
`)}, {"second", []byte(`.fvec other
.fvec shared[3]
.constf k(1, -0.5, 0.1, 3)
.constf own(9, 9, 9, 9)
.entry start
.in place v1
.out p position
.out - dummy o2
.proc start
	mov r0, k
	add r0, own, r0
	mul r0, shared[1], r0
	add r1, other, r0
	call common
	mov p, r1
	mov o2, r1
	end
	nop
.end
`)}, {"library", []byte(`.nodvle
.fvec shared[3]
.setb b9 true
.alias base r4
.proc common
	mov r1, shared[0]
	mova a0.x, r1.x
	ifu b9
		mov r1, c0[a0.x]
		add base, r1, base
	.end
	call deeper
.end
.proc deeper
	mov r1.x, -r1.y
	nop
.end
`)}}, {{"points", []byte(`.gsh variable c5 2
.fvec far[2], near
.bool last
.constf half(0.5, 0.5, 0, 1)
.setb b14 false
.out p position
.out c color o1
.proc main
	mov p, v0
	mov c, far[1]
	setemit 0
	emit
	ifu last
		mul r0, half, v1
		mov p, r0
		mov c, near
		setemit 1, prim inv
		emit
		call common
	.end
	end
.end
`)}, {"fixed", []byte(`.gsh fixed c20 c2 4
.entry fixed
.fvec weights[4]
.consti all(3, 0, 1, 0)
.out p position o0.xyz
.out w color o1.x
.out v view o4
.proc fixed
	for all
		add r0, c2[aL], r0
		mov r1, weights[aL]
	.end
	mov p, r0
	mov w, r1
	mov v, weights[3]
	setemit 2, prim
	emit
	call common
	end
.end
`)}, {"vertex", []byte(`.entry vertex
.fvec matrix[4]
.fvec weights[4]
.in a
.in b
.in c v9
.out p position
.out n normalquat
.out d dummy o6
.proc vertex
	dp4 r0.x, matrix[0], a
	dp4 r0.y, matrix[1], a
	mov p, r0
	mov n, b
	mov d, c
	call common
	jmpc cmp.x, over
	mov d, weights[1]
over:	end
.end
`)}, {"library", []byte(`.nodvle
.proc common
	cmp r0.xy, eq, gt, r1.yx
	nop
.end
`)}}, {{"alone", []byte(`.opdesc 0x8000036F, 0xF
.dvle version 0x1003
.dvle inputs 0x0103
.dvle outputs 0x0005
.dvle merge 1
.dvle outputs_unknown 3
.dvle program_version 2
.label inside, 1, 2, 0x001, 0x2
.label outside, 7, 1, 0x900, 0xFFFFFFFF
.fvec one, two[2]
.ivec counts
.constf k(2, 4, 6, 8)
.in v_a
.out o_a position
.out o_b texcoord1 o5.xy
.proc main
	mov r0, v_a
	ifc cmp.x || !cmp.y
		mov o_a, two[1]
		end
	.else
		for counts
			mov r1, k
			breakc !cmp.x
		.end
	.end
	mov o_b, r1
	mov o_a, one
	end
.end
`)}}}

// forms are sources with a position for a word.
var forms = func() (list []string) {
	for _, line := range []string{"mov r0, %[1]s\n\tmov %[1]s, v0", "add r1.xy, %[1]s, v1\n\tadd r1, v1, %[1]s", "ifc %[1]s\n\tnop\n\t.end\n\tjmpc %[1]s, main",
		"ifu %[1]s\n\tnop\n\t.end\n\tcallu %[1]s, main", "for %[1]s\n\tnop\n\t.end\n\tsetemit %[1]s", "cmp v0, %[1]s, gt, r1\n\tmova a0.%[1]s, v0", "%s\n\t%[1]s r0, v0"} {
		list = append(list, ".proc main\n\t"+line+"\n\tend\n.end\n")
	}
	for _, line := range []string{".fvec %[1]s\n.bool %[1]s[3]\n.ivec x[%[1]s]", ".constf k(%[1]s, 1, 2, 3)\n.constf %[1]s(0, 1, 2, 3)", ".consti i(%[1]s, 1, 2, 3)\n.setb %[1]s true\n.setb b2 %[1]s",
		".in %[1]s\n.in n %[1]s", ".out o %[1]s\n.out - position %[1]s", ".alias a %[1]s\n.alias %[1]s v1", ".constfa %[1]s\n.constfa (1, %[1]s, 2, 3)\n.end", ".entry %[1]s\n.options %[1]s\n.gsh %[1]s", ".setf %[1]s(1, 2, 3, 4)\n.seti %[1]s(1, 2, 3, 4)\n.word %[1]s"} {
		list = append(list, line+"\n.out p position\n.proc main\n\tmov p, v0\n\tend\n.end\n")
	}
	return list
}()

// randomWords is a program of random words: mostly instructions, with targets mostly inside it.
func randomWords(t *testing.T, rng *rand.Rand, rows []shaderunit.OpInfo) *shbin.File {
	r := disasm.Raw{Geometry: rng.Intn(2) == 0}
	for range 1 + rng.Intn(40) {
		r.Descriptors = append(r.Descriptors, rng.Uint32())
	}
	n := 1 + rng.Intn(40)
	for range n {
		w := rng.Uint32()
		if rng.Intn(10) > 0 {
			w = w&0x03FFFFFF | uint32(rows[rng.Intn(len(rows))].Op)<<26
			if rng.Intn(4) > 0 {
				w = w&^0x3FFFFF | uint32(rng.Intn(n+1))<<10 | uint32(rng.Intn(4))
			}
		}
		r.Code = append(r.Code, w)
	}
	f := testkit.Must(r.File())(t)
	return f
}
