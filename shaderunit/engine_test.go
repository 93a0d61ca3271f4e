package shaderunit

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pica200/tests/testkit"
)

// drawFloat draws random numbers, often edge cases of float24. Inputs must be valid for Batch; uniforms may be subnormal or -0.
func drawFloat(t *rapid.T, uniform bool) float32 {
	edges := []float32{0, 1, -1, 2, 0.5, inf(1), inf(-1), nan, math.Float32frombits(minNormalBits), -math.Float32frombits(minNormalBits),
		math.Float32frombits(overflowBits - 1<<7), 127, -128, 128, 95, 3}
	subnormals := []float32{math.Float32frombits(minNormalBits - 1<<7), -math.Float32frombits(minNormalBits >> 1), math.Float32frombits(signBit)}
	switch rapid.IntRange(0, 9).Draw(t, "kind") {
	case 0, 1:
		return rapid.SampledFrom(edges).Draw(t, "edge")
	case 2:
		if uniform {
			return rapid.SampledFrom(subnormals).Draw(t, "subnormal")
		}
		return 0
	case 3:
		return round24(math.Float32frombits(rapid.Uint32().Draw(t, "bits")))
	}
	return round24(float32(rapid.IntRange(-400000, 400000).Draw(t, "number")) / 1000)
}

func drawSetup(t *rapid.T, subnormals bool) *Setup {
	s := &Setup{OutMask: rapid.Uint16().Draw(t, "outputs"), Bool: rapid.Uint16().Draw(t, "bools")}
	for i := range s.desc {
		s.SetDesc(i, rapid.Uint32().Draw(t, "desc"))
	}
	for i := range s.Int {
		s.Int[i] = [4]uint8{uint8(rapid.IntRange(0, 3).Draw(t, "count")), rapid.Uint8().Draw(t, "start"), rapid.Uint8Range(0, 40).Draw(t, "step"), 0}
	}
	pool := make([]float32, 24)
	for i := range pool {
		pool[i] = drawFloat(t, subnormals)
	}
	for i := range s.Float {
		for c := range s.Float[i] {
			s.Float[i][c] = pool[(i*7+c*5+i/24)%len(pool)]
		}
	}
	return s
}

// computing lists the computing opcodes, common ones twice; CMP and MAD are listed by the first of their opcodes.
var computing = func() []Opcode {
	ops := []Opcode{OpMOV, OpADD, OpMUL, OpMAD, OpCMP}
	for _, info := range Instructions() {
		if info.Format.Sources() > 0 {
			ops = append(ops, info.Op)
		}
	}
	return ops
}

func drawComputing(t *rapid.T) Instr {
	op := rapid.SampledFrom(computing()).Draw(t, "op")
	info := op.Info()
	in := Instr{Op: op, Desc: uint8(rapid.IntRange(0, info.Format.DescLimit()-1).Draw(t, "d")), CmpX: CompareOp(rapid.IntRange(0, 7).Draw(t, "x")), CmpY: CompareOp(rapid.IntRange(0, 7).Draw(t, "y"))}
	// Few registers, so that instructions depend on each other.
	src := rapid.SampledFrom([]SrcReg{0, 1, 2, r(0), r(1), r(2), r(3)})
	for k := range info.Format.Sources() {
		in.Src[k] = src.Draw(t, "src")
		if k == info.Format.Wide() && rapid.Bool().Draw(t, "wide") {
			in.Src[k] = SrcUniform + SrcReg(rapid.IntRange(0, 95).Draw(t, "c"))
			in.Idx = AddrReg(rapid.IntRange(0, 3).Draw(t, "idx"))
		}
	}
	if info.Format.HasDst() {
		in.Dst = rapid.SampledFrom([]DstReg{0, 1, rd(0), rd(1), rd(2), rd(3)}).Draw(t, "dst")
	}
	return in
}

// generator writes structured programs: blocks of IF, LOOP, CALL and forward jumps, with some END and BREAKC.
type generator struct {
	geometry bool // emits vertices

	t     *rapid.T
	code  []Instr
	calls []int // positions of CALLs to the procedure after the program
}

func (g *generator) add(in Instr) int {
	g.code = append(g.code, in)
	return len(g.code) - 1
}

func (g *generator) body(depth, loops int) {
	n := rapid.IntRange(1, 5).Draw(g.t, "length")
	for range n {
		kind := rapid.IntRange(0, 11).Draw(g.t, "statement")
		if depth >= 3 && kind >= 6 {
			kind = 0
		}
		u := uint8(rapid.IntRange(0, 15).Draw(g.t, "uniform"))
		cond := Instr{Cond: CondOp(rapid.IntRange(0, 3).Draw(g.t, "cond")), RefX: u&1 != 0, RefY: u&2 != 0, Uniform: u}
		if g.geometry && rapid.IntRange(0, 3).Draw(g.t, "emit") == 0 {
			g.add(Instr{Op: OpSETEMIT, VertexID: u & 3, PrimEmit: u&4 != 0, Winding: u&8 != 0})
			for o := range DstReg(2) {
				g.add(Instr{Op: OpMOV, Dst: o, Src: [3]SrcReg{r(int(u & 3))}, Desc: 127})
			}
			g.add(Instr{Op: OpEMIT})
		}
		switch kind {
		default:
			g.add(drawComputing(g.t))
		case 6, 7:
			cond.Op = OpIFC
			if kind == 7 {
				cond.Op, cond.Cond, cond.RefX, cond.RefY = OpIFU, 0, false, false
			}
			at := g.add(cond)
			g.body(depth+1, loops)
			g.code[at].Dest = uint16(len(g.code))
			if rapid.Bool().Draw(g.t, "else") {
				g.body(depth+1, loops)
			}
			g.code[at].Num = uint8(len(g.code) - int(g.code[at].Dest))
		case 8:
			at := g.add(Instr{Op: OpLOOP, Uniform: u & 3})
			g.body(depth+1, loops+1)
			g.add(Instr{Op: OpNOP})
			g.code[at].Dest = uint16(len(g.code) - 1)
		case 9:
			cond.Op = rapid.SampledFrom([]Opcode{OpCALL, OpCALLC, OpCALLU}).Draw(g.t, "call")
			g.calls = append(g.calls, g.add(cond))
			g.add(Instr{Op: OpNOP})
		case 10:
			cond.Op = OpJMPC
			at := g.add(cond)
			g.body(depth+1, loops)
			g.code[at].Dest = uint16(len(g.code))
			g.add(Instr{Op: OpNOP})
		case 11:
			if loops > 0 {
				cond.Op = OpBREAKC
				g.add(cond)
			} else if depth > 0 {
				g.add(Instr{Op: OpEND})
			}
		}
	}
}

func drawProgram(t *rapid.T, s *Setup) {
	g := &generator{t: t}
	g.body(0, 0)
	g.body(0, 0)
	g.add(end)
	at := len(g.code)
	g.add(drawComputing(t))
	g.add(drawComputing(t))
	for _, c := range g.calls {
		g.code[c].Dest, g.code[c].Num = uint16(at), uint8(len(g.code)-at)
	}
	g.write(s)
}

func (g *generator) write(s *Setup) {
	for i, in := range g.code {
		if info := in.Info(); info.Format == Format3 {
			in.Cond, in.RefX, in.RefY = 0, false, false
		}
		w, err := in.Encode()
		if err != nil {
			g.t.Fatalf("%v", err)
		}
		s.SetCode(i, w)
	}
}

// sameRun compares engine and interpreter on random inputs.
func sameRun(t *rapid.T, e *Engine, s *Setup) {
	got, want := new(Batch), new(Batch)
	n := rapid.IntRange(1, Lanes).Draw(t, "lanes")
	seed := make([]float32, 37)
	for i := range seed {
		seed[i] = drawFloat(t, false)
	}
	for r := range 3 {
		for c := range 4 {
			for l := range Lanes {
				got.In(r, c)[l] = seed[(r*5+c*11+l*l+l/7)%len(seed)]
			}
		}
	}
	want.rows = got.rows
	for r := range got.rows[rowOut:rowScratch] { // leftovers of an earlier batch
		for l := range Lanes {
			got.rows[rowOut+r][l] = 12345
		}
	}
	got.a0[0][3], got.cmp[0] = 7, 0x5555
	e.MaxSteps = 3000
	errGot := e.RunVertices(s, got, n)
	errWant := e.runScalar(s, want, n)
	if fmt.Sprint(errGot) != fmt.Sprint(errWant) {
		t.Fatalf("error %v, want %v", errGot, errWant)
	}
	if errWant != nil {
		return
	}
	for r := range 16 {
		for c := range 4 {
			for l := range n {
				if s.OutMask>>r&1 == 0 {
					continue
				}
				g, w := got.Out(r, c)[l], want.Out(r, c)[l]
				if math.Float32bits(g) != math.Float32bits(w) && !(g != g && w != w) {
					t.Fatalf("lane %d of %d, o%d.%c = %v, want %v\n%s", l, n, r, "xyzw"[c], class(g), class(w), listing(s))
				}
			}
		}
	}
}

func listing(s *Setup) string {
	out := ""
	for i, w := range s.code {
		if w == 0 && i > 2 && s.code[i-1] == 0 {
			break
		}
		in := Decode(w)
		out += fmt.Sprintf("%3d  %s\n", i, in.Text(OpDesc(s.desc[in.Desc])))
	}
	return out
}

func TestEngineStructuredPrograms(t *testing.T) {
	e := NewEngine()
	compiled := 0
	rapid.Check(t, func(t *rapid.T) {
		s := drawSetup(t, rapid.Bool().Draw(t, "subnormals"))
		drawProgram(t, s)
		sameRun(t, e, s)
		if !e.cache.program(s).scalar {
			compiled++
		}
	})
	require.NotZero(t, compiled)
}

// Operations without row kernels run lane by lane: every operation with a kernel gives the same results that way.
func TestEngineWithoutRowForms(t *testing.T) {
	was := slices.Clone(table)
	defer copy(table, was)
	for i := range table {
		if table[i].kernel != nil && table[i].flags == nil {
			table[i].lower = nil
		}
	}
	e := NewEngine()
	rapid.Check(t, func(t *rapid.T) {
		s := drawSetup(t, rapid.Bool().Draw(t, "subnormals"))
		drawProgram(t, s)
		sameRun(t, e, s)
	})
}

// Single instructions find wrong kernels faster.
func TestEngineSingleInstructions(t *testing.T) {
	e := NewEngine()
	rapid.Check(t, func(t *rapid.T) {
		s := drawSetup(t, rapid.Bool().Draw(t, "subnormals"))
		g := &generator{t: t}
		g.add(Instr{Op: OpMOVA, Src: [3]SrcReg{1}})
		for range rapid.IntRange(1, 4).Draw(t, "count") {
			g.add(drawComputing(t))
		}
		g.add(end)
		g.write(s)
		sameRun(t, e, s)
	})
}

// Random words: most of these programs fail, with the same error in both engines.
func TestEngineRandomWords(t *testing.T) {
	e := NewEngine()
	rapid.Check(t, func(t *rapid.T) {
		s := drawSetup(t, false)
		ops := computing()
		for _, info := range Instructions() {
			if info.Format.Sources() == 0 && !info.GeometryOnly() {
				ops = append(ops, info.Op)
			}
		}
		n := rapid.IntRange(1, 24).Draw(t, "length")
		for i := range n {
			in := Decode(rapid.Uint32().Draw(t, "word"))
			in.Op = rapid.SampledFrom(ops).Draw(t, "op")
			in.Dest, in.Num, in.Desc, in.Unused = uint16(rapid.IntRange(0, n).Draw(t, "dest")), in.Num&7, in.Desc&31, 0
			for k := range in.Src {
				if k != in.Info().Format.Wide() {
					in.Src[k] &= 0x1F
				}
			}
			w, err := in.Encode()
			if err != nil {
				t.Fatalf("%v", err)
			}
			s.SetCode(i, w)
		}
		s.SetCode(n, uint32(OpEND)<<26)
		sameRun(t, e, s)
	})
}

func TestCacheVariants(t *testing.T) {
	s := newSetup(t,
		Instr{Op: OpIFU, Uniform: 2, Dest: 2, Num: 1},
		Instr{Op: OpMOV, Src: [3]SrcReg{c(0)}},
		Instr{Op: OpMOV, Src: [3]SrcReg{c(1)}},
		end)
	s.Float[0], s.Float[1] = splat(5), splat(6)
	e := NewEngine()
	b := new(Batch)
	for i := range 8 {
		s.Bool = uint16(i) // only bit 2 counts
		require.NoError(t, e.RunVertices(s, b, 3))
		want := float32(6)
		if i&4 != 0 {
			want = 5
		}
		require.Equal(t, want, b.Out(0, 0)[2])
	}
	require.Len(t, e.cache.last.variants, 2)
	// Running another program and the first again: the cache finds it by content.
	old := s.code[1]
	s.SetCode(1, old+1<<12)
	require.NoError(t, e.RunVertices(s, b, 3))
	require.Equal(t, float32(6), b.Out(0, 0)[0])
	s.SetCode(1, old)
	require.NoError(t, e.RunVertices(s, b, 3))
	require.Equal(t, float32(5), b.Out(0, 0)[0])
	require.Equal(t, 2, e.cache.count)
	require.Equal(t, e.cache.ops*int(unsafe.Sizeof(microOp{}))+2*codeBytes, e.Footprint(), "Footprint is the size of both programs")
	require.Greater(t, e.Footprint(), 2*codeBytes)
}

// The cache of programs is bounded.
func TestProgramCacheBound(t *testing.T) {
	var code []Instr
	for i := range 200 {
		code = append(code, Instr{Op: OpMAD, Dst: rd(i % 16), Src: [3]SrcReg{0, 1, 2}})
	}
	loop := append([]Instr{{Op: OpLOOP, Dest: 200}}, append(code, end)...)
	s := newSetup(t, loop...)
	e, b := NewEngine(), new(Batch)
	for i := range 10 {
		s.Int[0] = [4]uint8{99 + uint8(i), 0, 0}
		require.NoError(t, e.RunVertices(s, b, 8))
		held := 0
		for _, p := range e.cache.last.variants {
			for k := range p.blocks {
				held += len(p.blocks[k].ops)
			}
		}
		require.LessOrEqual(t, held, maxCachedOps)
	}
}

func TestEngineAllocatesNothing(t *testing.T) {
	s := skinning(t)
	e, b := NewEngine(), new(Batch)
	skinningInputs(b)
	require.NoError(t, e.RunVertices(s, b, Lanes))
	require.Zero(t, testing.AllocsPerRun(100, func() { _ = e.RunVertices(s, b, Lanes) }))
}

func TestBatchSize(t *testing.T) {
	e, b := NewEngine(), new(Batch)
	s := newSetup(t, end)
	require.Error(t, e.RunVertices(s, b, Lanes+1))
	require.Error(t, e.RunVertices(s, b, -1))
	require.NoError(t, e.RunVertices(s, b, 0))
}

// Compiled programs belong to the content of a Setup, not to the variable: an assigned or changed copy runs its current content.
func TestCopiedSetups(t *testing.T) {
	mov := func(uniform SrcReg) []uint32 {
		w := testkit.Must((&Instr{Op: OpMOV, Dst: 0, Src: [3]SrcReg{SrcUniform + uniform}}).Encode())(t)
		return []uint32{w, uint32(OpEND) << 26}
	}
	made := func(uniform SrcReg) Setup {
		s := Setup{OutMask: 1}
		s.Load(mov(uniform), []uint32{uint32(plainDesc)})
		s.Float[0], s.Float[1] = splat(5), splat(6)
		return s
	}
	e, b, it := NewEngine(), new(Batch), Interpreter{}
	it.Reset()
	run := func(s *Setup) [2]float32 {
		require.NoError(t, e.RunVertices(s, b, 1))
		require.NoError(t, it.Run(s))
		return [2]float32{b.Out(0, 0)[0], it.Out()[0][0]}
	}
	s := made(0)
	require.Equal(t, [2]float32{5, 5}, run(&s))
	s = made(1)
	require.Equal(t, [2]float32{6, 6}, run(&s), "assigned")
	other := s
	require.Equal(t, [2]float32{6, 6}, run(&other), "copied")
	other.SetCode(0, mov(0)[0])
	require.Equal(t, [2]float32{5, 5}, run(&other), "the changed copy runs its own code")
	require.Equal(t, [2]float32{6, 6}, run(&s), "the original is unchanged")
	s.SetDesc(0, uint32(plainDesc)|1<<4) // negates the source
	require.Equal(t, [2]float32{-6, -6}, run(&s))
	s = Setup{}
	require.Error(t, it.Run(&s), "an empty unit has no END")
}

// The same code with two entry points is two programs.
func TestCacheEntryPoint(t *testing.T) {
	s := newSetup(t, Instr{Op: OpMOV, Src: [3]SrcReg{c(0)}}, end, Instr{Op: OpMOV, Src: [3]SrcReg{c(1)}}, end)
	s.Float[0], s.Float[1] = splat(5), splat(6)
	e, b := NewEngine(), new(Batch)
	for i := range 4 {
		s.Entry = uint16(i % 2 * 2)
		require.NoError(t, e.RunVertices(s, b, 3))
		require.Equal(t, float32(5+i%2), b.Out(0, 0)[2])
	}
}

// An instruction that writes one of its source registers reads all components before it writes any, for every swizzle.
func TestEngineReadsBeforeItWrites(t *testing.T) {
	e := NewEngine()
	for sel := range 256 {
		mask := uint8(1 + sel*7%15)
		if sel%3 == 0 {
			mask = MaskXYZW
		}
		for _, in := range []Instr{
			{Op: OpMOV, Src: [3]SrcReg{r(1)}}, {Op: OpADD, Src: [3]SrcReg{r(1), r(1)}}, {Op: OpMAD, Src: [3]SrcReg{r(1), r(1), r(1)}}, {Op: OpFLR, Src: [3]SrcReg{r(1)}},
		} {
			in.Dst, in.Desc = rd(1), 1
			s := newSetup(t, Instr{Op: OpMOV, Dst: rd(1), Src: [3]SrcReg{0}}, in, Instr{Op: OpMOV, Dst: 0, Src: [3]SrcReg{r(1)}}, end)
			s.OutMask = 1
			s.SetDesc(1, uint32(MakeOpDesc(mask, [3]uint8{uint8(sel), uint8(sel * 5), uint8(sel*11 + 3)}, [3]bool{sel&1 != 0, false, sel&2 != 0})))
			got, want := new(Batch), new(Batch)
			for c := range 4 {
				for l := range Lanes {
					got.In(0, c)[l] = float32(l+1) * []float32{1, 16, -256, 4096}[c] / 8
				}
			}
			want.rows = got.rows
			const n = 5
			require.NoError(t, e.RunVertices(s, got, n))
			require.NoError(t, e.runScalar(s, want, n))
			for c := range 4 {
				require.Equal(t, want.Out(0, c)[:n], got.Out(0, c)[:n], "%v of %08b, mask %04b, component %d", in.Op, sel, mask, c)
			}
		}
	}
}

// Arithmetic treats subnormal uniforms as 0; moves keep them, also with relative addressing.
func TestEngineSubnormalUniforms(t *testing.T) {
	small := math.Float32frombits(minNormalBits - 1<<7)
	e := NewEngine()
	for _, op := range []Opcode{OpMOV, OpADD, OpMUL, OpMAX, OpMIN, OpRCP, OpRSQ, OpEX2, OpFLR, OpSGE, OpSLT, OpDP3, OpDP4, OpDPH, OpMAD, OpDST, OpLITP} {
		for wide := range 2 {
			in := Instr{Op: op, Dst: rd(1), Src: [3]SrcReg{1, 1, 1}}
			info := op.Info()
			if wide = info.Format.Wide(); wide >= info.Format.Sources() {
				continue
			}
			in.Src[wide] = c(5)
			for _, idx := range []AddrReg{AddrNone, AddrA0X} {
				in.Idx = idx
				s := newSetup(t, Instr{Op: OpMOVA, Desc: 1, Src: [3]SrcReg{0}}, in, Instr{Op: OpMOV, Dst: 0, Src: [3]SrcReg{r(1)}}, end)
				s.SetDesc(1, uint32(MakeOpDesc(MaskXYZW, [3]uint8{SwizzleXYZW}, [3]bool{})))
				s.OutMask = 1
				for i := range s.Float {
					s.Float[i] = vec4{1, 2, 3, 4}
				}
				s.Float[5], s.Float[6] = vec4{small, -small, 2, small}, vec4{small, 1, -small, small}
				got, want := new(Batch), new(Batch)
				const n = 3
				for l := range n {
					for k := range 4 {
						got.In(0, k)[l] = float32(l % 2)
						got.In(1, k)[l] = float32(l+k) * 1e15
					}
				}
				want.rows = got.rows
				require.NoError(t, e.RunVertices(s, got, n))
				require.NoError(t, e.runScalar(s, want, n))
				for k := range 4 {
					for l := range n {
						g, w := math.Float32bits(got.Out(0, k)[l]), math.Float32bits(want.Out(0, k)[l])
						require.Equal(t, w, g, "%v with index %v, component %d of lane %d", op, idx, k, l)
					}
				}
			}
		}
	}
}

// Encoded words have no unused bits.
func TestEncodedWordsHaveNoUnusedBits(t *testing.T) {
	for _, info := range Instructions() {
		in := Instr{Op: info.Op, Desc: 3, Dst: 31, Idx: 3, Src: [3]SrcReg{31, 31, 31}, CmpX: 7, CmpY: 7, RefX: true, RefY: true, Cond: 3, Uniform: 3, Dest: 0xFFF, Num: 0xFF, VertexID: 3, PrimEmit: true, Winding: true}
		w := testkit.Must(in.Encode())(t, info.Name)
		require.Zero(t, Decode(w).Unused, "%s: 0x%08X", info.Name, w)
	}
	in := Instr{Op: OpMOV, Dst: 32}
	_, err := in.Encode()
	require.EqualError(t, err, "MOV: destination register 32, expected 0-31")
}

// An engine that gave up with some lanes waiting runs the next program from its start, with all lanes.
func TestEngineAfterAnEndlessProgram(t *testing.T) {
	endless := newSetup(t, Instr{Op: OpCMP, Src: [3]SrcReg{c(0), 0}, CmpX: CompareGT, CmpY: CompareGT}, Instr{Op: OpJMPC, Cond: CondX, RefX: true, Dest: 1},
		Instr{Op: OpMOV, Src: [3]SrcReg{0}}, end)
	endless.Float[0] = splat(2)
	good := newSetup(t, Instr{Op: OpADD, Src: [3]SrcReg{c(0), 0}}, end)
	good.Float[0] = splat(7)
	for _, waiting := range []bool{true, false} {
		e, b := NewEngine(), new(Batch)
		e.MaxSteps = 3000
		for run := range 3 {
			for lane := range Lanes {
				b.In(0, 0)[lane] = float32(lane)
				if !waiting {
					b.In(0, 0)[lane] = 1
				}
			}
			require.ErrorContains(t, e.RunVertices(endless, b, Lanes), "shader never reaches END")
			require.NoError(t, e.RunVertices(good, b, Lanes))
			for lane := range Lanes {
				require.Equal(t, b.In(0, 0)[lane]+7, b.Out(0, 0)[lane], "run %d, lane %d", run, lane)
			}
		}
	}
}
