package fragment

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
	"pica200/tests/testkit"
)

// lightBenchState is a common set-up: optional bump mapping, D0 at N.H, n lights with diffuse, ambient and specular colour.
func lightBenchState(n int, bump bool) *lightingState {
	s := &lightingState{enabled: true}
	if bump {
		s.bump, s.recalculateZ = pica.BumpNormal, true
	}
	s.tables[tableD0] = tableState{enabled: true, input: pica.LutInputNH, scale: 1}
	for i := range n {
		s.lights = append(s.lights, lightState{
			number: i, position: [3]float32{float32(i) - 3, 2, 1}, directional: i%2 == 1,
			diffuse: [3]float32{0.5, 0.25, 0.1}, ambient: [3]float32{0.01, 0, 0}, specular: [2][3]float32{{0.5, 0.5, 0.5}},
		})
	}
	return s
}

// BenchmarkLighting reports the time of the lighting ops per fragment.
func BenchmarkLighting(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	tables := randomTables(r)
	for _, n := range []int{1, 4, 8} {
		for _, bump := range []bool{false, true} {
			name := fmt.Sprintf("lights=%d", n)
			if bump {
				name += ",bump"
			}
			b.Run(name, func(b *testing.B) {
				var m machine
				randomFragments(r, &m)
				ops, v := lightOps(lightBenchState(n, bump), tables, allOutputs)
				m.v = v
				runOps(b, &m, ops)
			})
		}
	}
}

// runOps runs the ops over full batches and reports ns per fragment.
func runOps(b *testing.B, m *machine, ops []op) {
	b.ReportAllocs()
	for b.Loop() {
		for i := range ops {
			ops[i].run(m)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(m.n), "ns/fragment")
}

func BenchmarkProcTex(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	tables := randomProcTables(r)
	for _, noise := range []bool{false, true} {
		b.Run(fmt.Sprintf("noise=%v", noise), func(b *testing.B) {
			var m machine
			randomFragments(r, &m)
			s := &procTexState{noise: noise, color: pica.ProcMapSqrt2, clamp: [2]pica.ProcClamp{1, 1}, linear: true, width: 128, frequency: [2]float32{1, 1}, amplitude: [2]float32{1, 1}}
			ops, v := procTexOps(s, tables, true, true)
			m.v = v
			runOps(b, &m, ops)
		})
	}
}

// gasBench makes a full batch for a 16x16 target.
func gasBench(r *rand.Rand, e *Engine) (*machine, *raster.Target) {
	m := e.machine(0)
	m.b = new(raster.Batch)
	for i := range m.b.Block {
		m.b.Block[i] = raster.Block{X: int32(i%4) * 4, Y: int32(i/4) * 4}
		m.b.Mask[i] = 0xFFFF
	}
	m.b.Blocks = raster.BatchBlocks
	m.n = raster.Lanes
	for i := range m.n {
		m.b.Depth[i] = r.Float32()
		m.c[cPrimary][red][i], m.c[cPrimary][green][i] = uint8(r.IntN(3)), uint8(r.IntN(256))
	}
	return m, &raster.Target{Width: 16, Height: 16, DepthFormat: pica.DepthFormatD24S8, Color: make([]byte, 1024), Depth: randomBytes(r, 1024)}
}

func BenchmarkGas(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 3))
	b.Run("accumulate", func(b *testing.B) {
		e := NewEngine(1)
		m, target := gasBench(r, e)
		regs := new(pica.Regs)
		pica.ColorbufferWrite.Set(regs, 0xF)
		regs[pica.RegDepthbufferRead] = 3
		pica.GasDeltaz.SetFloat(regs, 4)
		pica.GasDeltazFunc.Set(regs, uint32(pica.GasDepthLess))
		st := &State{Regs: regs, Target: target}
		c := compilerOf(st)
		out := testkit.Must(c.gasOutput(wholeRef(cPrimary)))(b)
		m.v = c.valuesOf(st)
		runOps(b, m, []op{{name: "gas", run: out.run}})
	})
	b.Run("shade", func(b *testing.B) {
		e := NewEngine(1)
		m, _ := gasBench(r, e)
		regs := gasRegs(r)
		pica.GasLutInputSelect.Set(regs, 1)
		st := &State{Regs: regs, Tables: randomGasTables(r)}
		c := compilerOf(st)
		stages := testkit.Must(compileStages(regs))(b)
		f := testkit.Must(c.compileFog(stages))(b)
		m.v = c.valuesOf(st)
		runOps(b, m, []op{*f.before})
	})
}

func BenchmarkShadow(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 4))
	b.Run("read", func(b *testing.B) {
		var m machine
		randomFragments(r, &m)
		s := randomSampler(r, 1)
		s.magLinear, s.powerOfTwo = true, true
		s.wrapS, s.wrapT = pica.WrapClampToBorder, pica.WrapClampToBorder
		s.vectorizeShadow()
		runOps(b, &m, []op{{name: "shadow", run: func(m *machine) {
			shadowReference(simd.Best, &m.shadowZ, &m.f[fQuatZ], 0, m.n)
			s.sampleShadow(simd.Best, m.n, &m.f[fQuatX], &m.f[fQuatY], &m.shadowZ, &m.c[cTex0][red])
			spreadRed(&m.c[cTex0])
		}}})
	})
	b.Run("write", func(b *testing.B) {
		e := NewEngine(1)
		m, target := gasBench(r, e)
		regs := new(pica.Regs)
		pica.ColorbufferWrite.Set(regs, 0xF)
		pica.FragopShadowConstant.SetFloat(regs, 1)
		st := &State{Regs: regs, Target: target}
		c := compilerOf(st)
		out := testkit.Must(c.shadowOutput(wholeRef(cPrimary)))(b)
		m.v = c.valuesOf(st)
		runOps(b, m, []op{{name: "shadow", run: out.run}})
	})
}

func BenchmarkFog(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 5))
	e := NewEngine(1)
	m, _ := gasBench(r, e)
	regs := new(pica.Regs)
	pica.TexenvUpdateFogMode.Set(regs, uint32(pica.FogModeFog))
	st := &State{Regs: regs, Tables: randomGasTables(r)}
	c := compilerOf(st)
	f := testkit.Must(c.compileFog(&combiner{out: wholeRef(cPrimary)}))(b)
	m.v = c.valuesOf(st)
	runOps(b, m, []op{*f.after})
}

// BenchmarkCompileLighting compiles a draw with changed lights, as games do for every object.
func BenchmarkCompileLighting(b *testing.B) {
	s := newFieldScene(sceneLightsBump)
	e := NewEngine(1)
	b.ReportAllocs()
	for b.Loop() {
		s.regs[pica.RegLight0Diffuse]++
		if _, err := e.Draw(&State{Regs: &s.regs, Tables: &s.tables, Memory: s.memory, Target: &s.target}); err != nil {
			b.Fatal(err)
		}
	}
}
