package shaderunit

import (
	"fmt"
	"math"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// runOneByOne is the reference for RunGeometry: an interpreter that keeps its registers between runs.
func runOneByOne(s *Setup, b *Batch, n int, g *GeometryRun, maxSteps int) (log []string, err error) {
	own := *s
	lane := 0
	it := Interpreter{MaxSteps: maxSteps}
	it.Reset()
	it.Emit = func(e Emission) error {
		log = append(log, emissionText(s, lane, e))
		return nil
	}
	for lane = range n {
		for r := range it.In {
			for c := range it.In[r] {
				it.In[r][c] = b.In(r, c)[lane]
			}
		}
		for r := int(g.Lo); r < int(g.Hi); r++ {
			for c := range own.Float[r] {
				own.Float[r][c] = g.Uniforms[r][c][lane]
			}
		}
		if err := it.Run(&own); err != nil {
			return log, err
		}
		log = append(log, fmt.Sprint(lane, " ran out: ", it.RanOut))
	}
	return log, nil
}

// logText formats a log like runOneByOne.
func logText(s *Setup, log *EmitLog, g *GeometryRun, n int) (t []string) {
	for lane := range n {
		for i := range log.Len() {
			if log.Lanes(i)>>lane&1 == 0 {
				continue
			}
			e, rows := log.At(i, lane)
			var out [16]vec4
			for k, o := 0, g.Outputs; o != 0; k, o = k+1, o&(o-1) {
				c := bits.TrailingZeros64(o)
				out[c/4][c%4] = rows[k][lane]
			}
			e.Out = &out
			t = append(t, emissionText(s, lane, e))
		}
		t = append(t, fmt.Sprint(lane, " ran out: ", log.RanOut(lane)))
	}
	return t
}

func emissionText(s *Setup, lane int, e Emission) string {
	t := fmt.Sprint(lane, ": ", e.VertexID, e.PrimEmit, e.Winding)
	for r := range e.Out {
		if s.OutMask>>r&1 != 0 {
			for _, x := range e.Out[r] {
				t += " " + class(x)
			}
		}
	}
	return t
}

func TestGeometryLanes(t *testing.T) {
	e := NewEngine()
	ran, emissions, out := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s := drawSetup(t, false)
		s.SetDesc(127, uint32(plainDesc))
		s.OutMask &= 3
		g := &generator{t: t, geometry: true}
		// Programs that write their registers first can run in lanes.
		for i := range 4 {
			g.add(Instr{Op: OpMOV, Dst: rd(i), Src: [3]SrcReg{SrcReg(i % 3)}, Desc: 127})
		}
		g.add(Instr{Op: OpMOVA, Src: [3]SrcReg{1}, Desc: 127})
		g.add(Instr{Op: OpCMP, Src: [3]SrcReg{0, 1}, CmpX: CompareLT, CmpY: CompareGE, Desc: 127})
		g.body(0, 0)
		g.body(0, 0)
		if rapid.Bool().Draw(t, "ends") {
			g.add(end)
		}
		at := len(g.code)
		g.add(drawComputing(t))
		for _, c := range g.calls {
			g.code[c].Dest, g.code[c].Num = uint16(at), 1
		}
		g.write(s)
		run := &GeometryRun{Inputs: 7, Uniforms: new(LaneUniforms)}
		if rapid.Bool().Draw(t, "varying") {
			run.Lo = rapid.Uint8Range(0, 90).Draw(t, "lo")
			run.Hi = rapid.Uint8Range(run.Lo, 96).Draw(t, "hi")
		}
		for r := range 2 {
			run.Outputs |= uint64(s.OutMask>>r&1) * 0xF << (4 * r)
		}
		b := new(Batch)
		seed := make([]float32, 31)
		for i := range seed {
			seed[i] = drawFloat(t, false)
		}
		n := rapid.IntRange(1, Lanes).Draw(t, "lanes")
		for l := range Lanes {
			for c := range 4 {
				for r := range 3 {
					b.In(r, c)[l] = seed[(r*5+c*11+l*l)%len(seed)]
				}
				for r := range 96 {
					run.Uniforms[r][c][l] = seed[(r*3+c*7+l)%len(seed)]
				}
			}
		}
		e.MaxSteps = 3000 + 2*CodeWords
		log, _, ok := e.RunGeometry(s, b, n, run)
		if !ok {
			return
		}
		got := logText(s, log, run, n)
		want, err := runOneByOne(s, b, n, run, e.MaxSteps)
		if err != nil {
			t.Fatalf("the interpreter fails: %v", err)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("emissions\n%v\nwant\n%v\n%s", got, want, listing(s))
		}
		ran++
		emissions += len(got) - n
		out += bits.OnesCount64(log.out)
	})
	require.NotZero(t, ran)
	require.NotZero(t, emissions)
	require.NotZero(t, out)
}

// A geometry shader without END runs through the words of 0 behind it, which add v0 to v0, and stops where the memory ends; the steps
// count as if each were done. A vertex shader hangs.
func TestRunsOutOfMemory(t *testing.T) {
	add := Instr{Op: OpADD, Dst: rd(1), Src: [3]SrcReg{1, 1}}
	for name, c := range map[string]struct {
		entry uint16
		code  []Instr
		steps int
		o0    float32 // of an input of 3
	}{
		"zeros":              {0, []Instr{add}, CodeWords, 6},
		"jump into zeros":    {0, []Instr{{Op: OpJMPU, Num: 1, Dest: 4000}}, 1 + CodeWords - 4000, 6},
		"jump to the last":   {0, []Instr{{Op: OpJMPU, Num: 1, Dest: CodeWords - 1}}, 2, 6},
		"entry in zeros":     {CodeWords - 2, []Instr{add}, 2, 6},
		"a loop over zeros":  {0, []Instr{{Op: OpLOOP, Dest: 100}}, 1 + 2*100 + CodeWords - 101, 6}, // i0 is 1: two iterations
		"ends after a block": {0, []Instr{{Op: OpIFU, Dest: 2, Num: 1}, add, add, end}, 3, 0},
	} {
		s := newSetup(t, c.code...)
		s.SetDesc(0, uint32(plainDesc))
		s.Entry, s.Int[0], s.OutMask = c.entry, [4]uint8{1}, 1
		it := Interpreter{Emit: func(Emission) error { return nil }}
		it.Reset()
		it.In[0] = vec4{3, 3, 3, 3}
		require.NoError(t, it.Run(s), name)
		require.Equal(t, c.o0 != 0, it.RanOut, name)
		require.Equal(t, c.steps, it.Steps, name)
		require.Equal(t, c.o0, it.Out()[0][0], name)
		it.MaxSteps = c.steps
		require.NoError(t, it.Run(s), name)
		it.MaxSteps--
		require.ErrorContains(t, it.Run(s), "never reaches END: stopped", name)

		log, steps, ok := NewEngine().RunGeometry(s, new(Batch), 3, &GeometryRun{Inputs: 3, Outputs: 0xF, Uniforms: new(LaneUniforms)})
		require.True(t, ok, name)
		require.Equal(t, []bool{c.o0 != 0, c.o0 != 0, false}, []bool{log.RanOut(0), log.RanOut(2), log.RanOut(3)}, name)
		require.Equal(t, c.steps, steps, name)
		if it.Emit = nil; c.o0 != 0 {
			it.MaxSteps = 0
			require.ErrorContains(t, it.Run(s), "it runs out of the code memory", name)
			require.ErrorContains(t, NewEngine().RunVertices(s, new(Batch), 3), "it runs out of the code memory", name)
		}
	}
	// What was code is no longer followed after it was set to 0, and is again after it was loaded.
	s := newSetup(t, add, add, end)
	require.Equal(t, 3, s.used)
	s.SetCode(2, 0)
	require.Equal(t, 2, s.used)
	s.SetCode(0, 0)
	require.Equal(t, 2, s.used)
	s.SetCode(1, 0)
	require.Equal(t, 0, s.used)
	s.SetCode(7, 1)
	require.Equal(t, 8, s.used)
	s.Load([]uint32{1, 2}, nil)
	require.Equal(t, 8, s.used)
}

// Programs that read what an earlier run left cannot run in lanes.
func TestGeometryReadingLeftoversRunsScalar(t *testing.T) {
	set := Instr{Op: OpSETEMIT}
	emit := Instr{Op: OpEMIT}
	for name, code := range map[string][]Instr{
		"register":       {{Op: OpADD, Dst: rd(0), Src: [3]SrcReg{0, r(0)}}, end},
		"emit setting":   {emit, end},
		"output":         {set, {Op: OpMOV, Dst: 0}, emit, emit, end}, // in the second bank
		"flag":           {{Op: OpJMPC, Dest: 1}, end},
		"address":        {{Op: OpMOV, Dst: rd(0), Src: [3]SrcReg{c(0)}, Idx: AddrA0X}, end},
		"loop counter":   {{Op: OpMOV, Dst: rd(0), Src: [3]SrcReg{c(0)}, Idx: AddrAL}, end},
		"one way only":   {{Op: OpCMP}, {Op: OpIFC, Cond: CondX, RefX: true, Dest: 3, Num: 0}, {Op: OpMOV, Dst: rd(0)}, {Op: OpMOV, Dst: rd(1), Src: [3]SrcReg{r(0)}}, end},
		"input":          {{Op: OpMOV, Dst: rd(0), Src: [3]SrcReg{3}}, end},
		"opcode unknown": {{Op: 0x10}},
	} {
		s := newSetup(t, code...)
		_, _, ok := NewEngine().RunGeometry(s, new(Batch), 3, &GeometryRun{Inputs: 1, Outputs: 0xF, Uniforms: new(LaneUniforms)})
		require.False(t, ok, name)
	}
}

// Alternating draws of two programs, in batches where possible, emit what the interpreter emits and leave the same registers, also
// if programs read registers of an earlier run.
func TestAlternatingGeometryDraws(t *testing.T) {
	e := NewEngine()
	uniforms := new(LaneUniforms)
	batched, remembered := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		var programs [2]*Setup
		for i := range programs {
			s := drawSetup(t, false)
			s.SetDesc(127, uint32(plainDesc))
			s.OutMask &= 3
			g := &generator{t: t, geometry: true}
			first := rapid.Uint8().Draw(t, "written first")
			for i := range 4 {
				if first>>i&1 != 0 {
					g.add(Instr{Op: OpMOV, Dst: rd(i), Src: [3]SrcReg{SrcReg(i % 3)}, Desc: 127})
				}
			}
			if first>>4&3 != 0 {
				g.add(Instr{Op: OpMOVA, Src: [3]SrcReg{1}, Desc: 127})
			}
			if first>>6&3 != 0 {
				g.add(Instr{Op: OpCMP, Src: [3]SrcReg{0, 1}, CmpX: CompareLT, CmpY: CompareGE, Desc: 127})
			}
			g.body(1, 0)
			if rapid.IntRange(0, 3).Draw(t, "ends") > 0 {
				g.add(end)
			}
			at := len(g.code)
			g.add(drawComputing(t))
			for _, c := range g.calls {
				g.code[c].Dest, g.code[c].Num = uint16(at), 1
			}
			g.write(s)
			programs[i] = s
		}
		var one, other Interpreter
		one.Reset()
		other.Reset()
		for range 4 {
			s := programs[rapid.IntRange(0, 1).Draw(t, "program")]
			run := &GeometryRun{Inputs: 7, Uniforms: uniforms, Registers: &other}
			for r := range 2 {
				run.Outputs |= uint64(s.OutMask>>r&1) * 0xF << (4 * r)
			}
			for range rapid.IntRange(1, 2).Draw(t, "runs") {
				b := new(Batch)
				var in [3]vec4
				for r := range in {
					for c := range in[r] {
						in[r][c] = drawFloat(t, false)
						b.In(r, c)[0] = in[r][c]
					}
				}
				byInterpreter := func(it *Interpreter) (log []string, err error) {
					it.MaxSteps = 2000 + CodeWords
					it.Emit = func(e Emission) error { log = append(log, emissionText(s, 0, e)); return nil }
					copy(it.In[:], in[:])
					err = it.Run(s)
					return append(log, fmt.Sprint("0 ran out: ", it.RanOut)), err
				}
				want, err := byInterpreter(&one)
				if err != nil {
					return
				}
				e.MaxSteps = 2000 + CodeWords
				var got []string
				if log, _, ok := e.RunGeometry(s, b, 1, run); ok {
					got = logText(s, log, run, 1)
					batched++
					if e.GeometryProgram(s, run).Remembers() {
						remembered++
					}
				} else if got, err = byInterpreter(&other); err != nil {
					t.Fatal(err)
				}
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Fatalf("emissions\n%v\nwant\n%v\n%s", got, want, listing(s))
				}
			}
			e.Leave(s, run, &one)
			e.Leave(s, run, &other)
			a, b := one.State(), other.State()
			want, got := a.Words(), b.Words()
			for i := range want {
				x, y := math.Float32frombits(want[i]), math.Float32frombits(got[i])
				if want[i] != got[i] && !(x != x && y != y) {
					t.Fatalf("word %d of the state is %08X, want %08X\n%s", i, got[i], want[i], listing(s))
				}
			}
		}
	})
	require.NotZero(t, batched)
	require.NotZero(t, remembered)
}
