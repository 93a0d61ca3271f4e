package sceneexport

import (
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/shbin"
	"pica200/assets/texture"
	"pica200/fragment"
	"pica200/frontend/dmp"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/scene"
	"pica200/tests/testkit"
)

// Stored results for each value of each state field of a draw, as keys of its scene.
func TestDrawStateKeys(t *testing.T) {
	var b strings.Builder
	r := &recording{textures: textures{list: []scene.Texture{{Name: "flat"}, {Name: "cube", Faces: make([]scene.Image, 6)}, {Name: "dark", Shadow: true}}}}
	plain := pica.Regs{}
	pica.ColorOperationBlend.Set(&plain, uint32(pica.BlendModeBlend))
	pica.ScissortestMode.Set(&plain, uint32(pica.ScissorInclude))
	pica.StencilTestEnable.SetBool(&plain, true)
	pica.DepthTestEnable.SetBool(&plain, true)
	plain[pica.RegTexenv0Source], plain[pica.RegTexenv0Combiner] = 0x05430543, 0x00080008 // all three textures, multiplied and added
	describe := func(regs *pica.Regs, names [3]string, stages int) scene.Draw {
		d := &draw{regs: *regs, mesh: 4, textures: names}
		p := &shaderPair{name: "p", draws: []*draw{d}}
		for i := range stages {
			p.stages = append(p.stages, stage{code: &code{}, geometry: i > 0})
		}
		return r.describe(d, p, &tables{})
	}
	was := describe(&plain, [3]string{}, 1)
	fmt.Fprintf(&b, "plain: %s\n", testkit.Dump(was))
	require.Equal(t, "mesh4", was.Mesh)
	require.Equal(t, "triangles", was.Primitive)
	require.Equal(t, "geometry", describe(&plain, [3]string{}, 2).Primitive)
	lines := func(d scene.Draw) map[string]bool {
		set := map[string]bool{}
		for line := range strings.Lines(testkit.Dump(d)) {
			set[strings.TrimSpace(line)] = true
		}
		return set
	}
	before := lines(was)
	for _, f := range []pica.Field{
		pica.FacecullingMode, pica.FlatShading, pica.DepthTestFunc, pica.DepthTestEnable, pica.DepthWriteEnable, pica.ColorOperationBlend, pica.LogicOpFunc, pica.StencilTestEnable,
		pica.StencilTestFunc, pica.StencilOpFail, pica.StencilOpZFail, pica.StencilOpZPass, pica.StencilTestRef, pica.StencilTestMask, pica.StencilTestWriteMask,
		pica.ColorMaskR, pica.ColorMaskG, pica.ColorMaskB, pica.ColorMaskA, pica.ScissortestMode, pica.ScissortestX1, pica.ScissortestY1, pica.ScissortestX2, pica.ScissortestY2,
		pica.BlendRgbEquation, pica.BlendAlphaEquation, pica.BlendRgbSource, pica.BlendRgbDest, pica.BlendAlphaSource, pica.BlendAlphaDest,
		pica.BlendColorR, pica.BlendColorG, pica.BlendColorB, pica.BlendColorA,
	} {
		for v := range min(f.Max(), 15) + 1 {
			regs := plain
			f.Set(&regs, v)
			fmt.Fprintf(&b, "%v = %d:", f, v)
			for line := range strings.Lines(testkit.Dump(describe(&regs, [3]string{}, 1))) {
				if line = strings.TrimSpace(line); !before[line] {
					fmt.Fprintf(&b, " %s;", line)
				}
			}
			b.WriteByte('\n')
		}
	}
	for mask := range uint32(16) {
		regs := plain
		for i, f := range []pica.Field{pica.ColorMaskR, pica.ColorMaskG, pica.ColorMaskB, pica.ColorMaskA} {
			f.Set(&regs, mask>>i&1)
		}
		fmt.Fprintf(&b, "mask %d: %q\n", mask, describe(&regs, [3]string{}, 1).Write)
	}
	logic := plain
	pica.ColorOperationBlend.Set(&logic, 0)
	for v := range pica.LogicOpFunc.Max() + 1 {
		pica.LogicOpFunc.Set(&logic, v)
		d := describe(&logic, [3]string{}, 1)
		require.Nil(t, d.Blend)
		fmt.Fprintf(&b, "logic %d: %s\n", v, d.Logic)
	}
	for _, names := range [][3]string{{"flat"}, {"", "flat"}, {"cube", "", "flat"}, {"dark", "flat", ""}} {
		var list []string
		for _, n := range describe(&plain, names, 1).Textures {
			if n == nil {
				list = append(list, "none")
			} else {
				list = append(list, *n)
			}
		}
		fmt.Fprintf(&b, "textures %q: %v\n", names, list)
		for kind := range pica.TexunitType.Max() + 1 {
			regs := plain
			pica.TexunitType.Set(&regs, kind)
			pica.TexunitEnable0.SetBool(&regs, true)
			for _, u := range describe(&regs, names, 1).Uniforms {
				if strings.Contains(u.Name, "samplerType") {
					fmt.Fprintf(&b, "  type %d: %s %v\n", kind, u.Name, u.Values)
				}
			}
		}
	}

	// Tables that are read, selected by their switches, with their contents.
	rng := rand.New(rand.NewPCG(3, 4))
	all := &fragment.Tables{}
	for _, list := range [][]uint32{all.Fog[:], all.Gas[:], all.ProcNoise[:], all.ProcRGBMap[:], all.ProcAlphaMap[:], all.ProcColor[:], all.ProcColorDiff[:]} {
		for i := range list {
			list[i] = rng.Uint32()
		}
	}
	for i := range all.Light {
		for k := range all.Light[i] {
			all.Light[i][k] = rng.Uint32()
		}
	}
	for _, change := range []func(regs *pica.Regs){
		func(*pica.Regs) {}, func(regs *pica.Regs) { pica.LightingNoD0.SetBool(regs, true) }, func(regs *pica.Regs) { pica.LightingNoD1.SetBool(regs, true) },
		func(regs *pica.Regs) { pica.LightingNoFR.SetBool(regs, true) }, func(regs *pica.Regs) { pica.LightingNoRB.SetBool(regs, true) },
		func(regs *pica.Regs) { pica.LightingNoRG.SetBool(regs, true) }, func(regs *pica.Regs) { pica.LightingNoRR.SetBool(regs, true) },
		func(regs *pica.Regs) { pica.LightingNoSpot.Set(regs, 0xA5) }, func(regs *pica.Regs) { pica.LightingNoDistance.Set(regs, 0x5A) },
		func(regs *pica.Regs) { pica.LightingNumLights.Set(regs, 0) }, func(regs *pica.Regs) { pica.LightingNumLights.Set(regs, 7) },
		func(regs *pica.Regs) { pica.LightingEnable.SetBool(regs, false) }, func(regs *pica.Regs) { pica.LightingDisable.SetBool(regs, true) },
		func(regs *pica.Regs) { pica.TexenvUpdateFogMode.Set(regs, uint32(pica.FogModeOff)) }, func(regs *pica.Regs) { pica.TexenvUpdateFogMode.Set(regs, uint32(pica.FogModeGas)) },
		func(regs *pica.Regs) { pica.TexunitEnable3.SetBool(regs, false) },
	} {
		regs := &pica.Regs{}
		pica.LightingEnable.SetBool(regs, true)
		pica.LightingNumLights.Set(regs, 2)
		for k := range 8 {
			pica.LightingPermutation(k).Set(regs, uint32(k*3+1)%8)
		}
		pica.TexenvUpdateFogMode.Set(regs, uint32(pica.FogModeFog))
		pica.TexunitEnable3.SetBool(regs, true)
		change(regs)
		made := &tables{}
		for _, u := range made.uniforms(&draw{tables: all}, regs) {
			fmt.Fprintf(&b, "%s %v, ", u.Name, u.Values)
		}
		sum := crc32.NewIEEE()
		fmt.Fprint(sum, made.list)
		fmt.Fprintf(&b, "%d tables, CRC-32 %08x\n", len(made.list), sum.Sum32())
		list := rawTables(&draw{tables: all}, regs, &fragment.Tables{})
		sum.Reset()
		fmt.Fprint(sum, list)
		fmt.Fprintf(&b, "  %d writes, CRC-32 %08x\n", len(list), sum.Sum32())
	}
	testkit.Golden(t, "testdata/states.txt", []byte(b.String()))
	require.Equal(t, []float64{0, 5, -5, 127, -127}, []float64{signed(0, 7), signed(5, 7), signed(0x85, 7), signed(0x7F, 7), signed(0xFF, 7)})
}

// The depth range gives the registers that it was read from.
func TestDepthRangeOfRegisters(t *testing.T) {
	for _, c := range []struct {
		mode          pica.DepthMode
		scale, offset float32
		want          [2]float64
	}{
		{pica.DepthModeZ, 1, 1, [2]float64{0, 1}},
		{pica.DepthModeZ, -1, 0, [2]float64{1, 0}}, // as citro3d sets it
		{pica.DepthModeZ, -0.75, 0.5, [2]float64{1.25, 0.5}},
		{pica.DepthModeW, 0.125, 0.125, [2]float64{0, 1}},
		{pica.DepthModeW, -1, 0, [2]float64{1, 0}},
		{pica.DepthModeZ, 1 << 21, 0, [2]float64{0, 1}}, // not in a scene
	} {
		var r pica.Regs
		pica.DepthmapMode.Set(&r, uint32(c.mode))
		pica.DepthmapScale.SetFloat(&r, c.scale)
		pica.DepthmapOffset.SetFloat(&r, c.offset)
		got := depthRange(&r)
		require.Equal(t, c.want, got)
		if c.scale > scene.MaxDepth {
			continue
		}
		back := dmp.Recover(&r, float32(got[1]), float32(got[0]), 0).Regs
		for _, reg := range []pica.Reg{pica.RegDepthmapEnable, pica.RegDepthmapScale, pica.RegDepthmapOffset} {
			require.Equal(t, r[reg], back[reg], "%v %+v", reg, c)
		}
	}
}

// Relevant bits of registers, and the defaults of the others, in random states.
func TestRelevantBitsOfRandomStates(t *testing.T) {
	var b strings.Builder
	rng := rand.New(rand.NewPCG(5, 6))
	for block := range 16 {
		bits, defaults := crc32.NewIEEE(), crc32.NewIEEE()
		for range 24 {
			var regs pica.Regs
			for i := range regs {
				regs[i] = rng.Uint32()
			}
			for _, f := range []pica.Field{pica.LightingDisable, pica.TexenvUpdateFogMode, pica.ColorOperationMode, pica.StencilTestEnable, pica.DepthTestEnable} {
				if rng.IntN(2) == 0 {
					f.Set(&regs, 0)
				}
			}
			fmt.Fprintln(bits, *relevant(&regs))
			fmt.Fprintln(defaults, *withDefaults(&regs))
		}
		fmt.Fprintf(&b, "%d: bits %08x, with defaults %08x\n", block, bits.Sum32(), defaults.Sum32())
	}
	testkit.Golden(t, "testdata/relevant.txt", []byte(b.String()))
}

// Texture units: types, sizes, formats, levels, sampling and faces.
func TestTextureUnitKeys(t *testing.T) {
	var b strings.Builder
	for i := range 3 {
		at := pica.TexunitOffset(i)
		set := func(kind pica.TextureType, format pica.TextureFormat, w, h, levels uint32) *pica.Regs {
			regs := &pica.Regs{}
			pica.TexunitType.Set(regs, uint32(kind))
			pica.TexunitFormat(i).Set(regs, uint32(format))
			pica.TexunitWidth.At(at).Set(regs, w)
			pica.TexunitHeight.At(at).Set(regs, h)
			pica.TexunitLodMax.At(at).Set(regs, levels)
			regs[pica.TexunitAddr.At(at).Reg] = 0x03001000 + uint32(i)
			return regs
		}
		look := func(regs *pica.Regs) {
			u, err := unitOf(regs, i)
			fmt.Fprintf(&b, "unit %d: %+v, cube %v, %x: %v\n", i, u, u.cube(), u.faces(regs), err)
		}
		for kind := range pica.TextureType(8) {
			regs := set(kind, pica.TextureFormatRGBA8, 64, 32, 3)
			for face := range pica.Reg(5) {
				regs[pica.TexunitAddrFace.At(face).Reg] = uint32(face)*0x111 + 1
			}
			look(regs)
		}
		for format := range pica.TextureFormat(16) {
			look(set(0, format, 16, 8, 15))
		}
		for _, side := range []uint32{0, 4, 8, 9, 512, 1024, 2047} {
			look(set(0, pica.TextureFormatI4, side, 16, 1))
			look(set(0, pica.TextureFormatI4, 16, side, 1))
		}
		regs := set(pica.TextureShadow2D, pica.TextureFormatRGBA8, 64, 32, 3)
		for k, f := range []pica.Field{pica.TexunitWrapS, pica.TexunitWrapT, pica.TexunitMagFilter, pica.TexunitMinFilter, pica.TexunitMipFilter, pica.TexunitLodBias, pica.TexunitBorderR, pica.TexunitBorderG, pica.TexunitBorderB, pica.TexunitBorderA} {
			for v := range min(f.Max(), 3) + 1 {
				changed := *regs
				f.At(at).Set(&changed, v*uint32(k+1))
				u := testkit.Must(unitOf(&changed, i))(t)
				fmt.Fprintf(&b, "%d, %v %d: %+v\n", i, f, v, u.sampling(&changed, i))
			}
		}
	}
	testkit.Golden(t, "testdata/units.txt", []byte(b.String()))

	im := &texture.Image{Width: 8, Height: 8, Pix: make([]uint32, 64)}
	for format := range pica.TextureFormatETC1A4 + 1 {
		data := make([]byte, texture.Size(format, 8, 8))
		require.NoError(t, texture.Encode(data, im.Pix, format, 8, 8))
		lossy := format == pica.TextureFormatETC1 || format == pica.TextureFormatETC1A4
		require.Equal(t, !lossy, encodes(im, data, format), "%v", format)
		data[5] ^= 0x40
		require.False(t, encodes(im, data, format), "%v", format)
	}
	full := textures{texels: maxTexels - 5}
	require.NoError(t, full.room(5))
	require.ErrorContains(t, full.room(6), "different texels")
	full.list = make([]scene.Texture, scene.MaxNames-1)
	require.NoError(t, full.room(5))
	full.list = make([]scene.Texture, scene.MaxNames)
	require.ErrorContains(t, full.room(0), fmt.Sprintf("a scene can have %d textures", scene.MaxNames))
}

// Values that are equal in all draws of a program become constants, the others uniforms; consecutive registers form one uniform.
func TestProgramConstantsAndUniforms(t *testing.T) {
	for _, geo := range []bool{false, true} {
		p := &shaderPair{}
		s := stage{code: &code{}, geometry: geo}
		for _, i := range []int{0, 1, 2, 5, 6, 90} {
			s.reads.floats[i] = true
		}
		s.reads.ints = [4]bool{true, false, true, true}
		s.reads.bools = 0b1011
		for n := range 3 {
			d := &draw{}
			sh := s.of(d)
			for i := range sh.floats {
				sh.floats[i] = [4]float32{float32(i), 1, 2, 3}
				if i == 1 || i == 2 || i == 6 {
					sh.floats[i][i%4] = float32(10*n + i)
				}
			}
			sh.ints = [4][4]uint8{{1, 2, 3, 4}, {uint8(n)}, {5, uint8(n), 6, 7}, {9, 8, 7, 6}}
			sh.bools = 0b1001 | uint16(n&1)<<1
			p.draws = append(p.draws, d)
		}
		p.stages = []stage{s}
		prefix := map[bool]string{true: "g"}[geo]
		constants, floats, bools, ints := p.split(&p.stages[0], true)
		require.Equal(t, []run{{prefix + "u1", 1, 2}, {prefix + "u6", 6, 6}}, floats)
		require.Equal(t, []int{1}, bools)
		require.Equal(t, []int{2}, ints)
		word := func(i int) (w [4]uint32) {
			for k, x := range []float32{float32(i), 1, 2, 3} {
				w[k] = pica.Float24.Encode(x)
			}
			return w
		}
		require.Equal(t, []shbin.Constant{shbin.FloatConstant(0, word(0)), shbin.FloatConstant(5, word(5)), shbin.FloatConstant(90, word(90)),
			shbin.IntConstant(0, [4]uint8{1, 2, 3, 4}), shbin.IntConstant(3, [4]uint8{9, 8, 7, 6}), shbin.BoolConstant(0, true), shbin.BoolConstant(3, true)}, constants)
		_, floats, _, _ = p.split(&p.stages[0], false)
		require.Equal(t, []run{{prefix + "u0", 0, 2}, {prefix + "u5", 5, 6}, {prefix + "u90", 90, 90}}, floats)
		require.Equal(t, []scene.Uniform{
			{Name: prefix + "u1", Values: []any{1.0, 21.0, 2.0, 3.0, 2.0, 1.0, 22.0, 3.0}}, {Name: prefix + "u6", Values: []any{6.0, 1.0, 26.0, 3.0}},
			{Name: prefixOf(&s) + "count2", Values: []any{5.0, 2.0, 6.0, 7.0}}, {Name: prefixOf(&s) + "flag1", Values: []any{false}},
		}, p.uniforms(p.draws[2]))
	}
}

// The upper screen shows the pass of the right eye in stereo, and if its framebuffer is not that of the left eye.
func TestPassesOfTheScreens(t *testing.T) {
	const left, right, bottom = pica.FCRAMBase, pica.FCRAMBase + 0x80000, pica.FCRAMBase + 0x100000
	for _, c := range []struct {
		format, second uint32
		want           []string
	}{{0x40, right, []string{"top", "bottom", ""}}, {0x20, right, []string{"top", "bottom", "topright"}}, {0x20, left, []string{"top", "bottom", ""}}} {
		r := &recording{gpu: pipeline.New(pipeline.Options{Workers: 1})}
		t.Cleanup(r.gpu.Close)
		for at, v := range map[uint32]uint32{pica.ExtPdcFormat: c.format, pica.ExtPdcAddrA0: left, pica.ExtPdcAddrB0: c.second, pica.ExtPdcAddrA0 + pica.StridePdc: bottom} {
			require.NoError(t, r.gpu.WriteRegister(t.Context(), at, uint64(v), 4))
		}
		for i, to := range []uint32{left, bottom, right} {
			tr := pipeline.Transfer{Src: uint32(i), Dst: to}
			tr.InWidth, tr.OutWidth, tr.InHeight = 240, 240, []uint32{400, 320, 400}[i]
			r.passes = append(r.passes, &pass{color: surface{addr: tr.Src, bytes: 1, width: 240, height: int(tr.InHeight)}})
			r.transfers = append(r.transfers, tr)
		}
		require.Empty(t, r.present())
		for i, want := range c.want {
			require.Equal(t, want, r.passes[i].screen, "%+v", c)
		}
	}
}

// A transfer to a screen that a scene cannot express gives a reason.
func TestInexpressibleScreenTransfers(t *testing.T) {
	r := &recording{}
	for _, c := range []struct {
		w, h    int
		scaling pica.TransferScale
		screen  pipeline.Screen
		change  func(p *pass, t *pipeline.Transfer)
		want    string
	}{
		{240, 400, 0, pipeline.ScreenTop, nil, ""}, {240, 400, 0, pipeline.ScreenTopRight, nil, ""}, {240, 320, 0, pipeline.ScreenBottom, nil, ""},
		{240, 320, 0, pipeline.ScreenTop, nil, "240x320 pixels"}, {240, 400, 0, pipeline.ScreenBottom, nil, "240x400 pixels"}, {256, 400, 0, pipeline.ScreenTop, nil, "256x400 pixels"},
		{240, 800, 0, pipeline.ScreenTop, nil, ""}, {240, 800, 0, pipeline.ScreenTopRight, nil, "240x800 pixels"}, {240, 640, 0, pipeline.ScreenBottom, nil, "240x640 pixels"},
		{480, 800, pica.TransferScale2x2, pipeline.ScreenTop, nil, ""}, {480, 640, pica.TransferScale2x2, pipeline.ScreenBottom, nil, ""}, {480, 800, 0, pipeline.ScreenTop, nil, "480x800 pixels"},
		{240, 400, pica.TransferScale2x2, pipeline.ScreenTop, nil, "240x400 pixels"}, {240, 800, pica.TransferScale2x2, pipeline.ScreenTop, nil, "240x800 pixels"}, {240, 800, pica.TransferScale2x2, pipeline.ScreenTop, nil, "240x800 pixels"},
		{480, 400, pica.TransferScale2x2, pipeline.ScreenTop, nil, "480x400 pixels"}, {240, 800, pica.TransferScale2x1, pipeline.ScreenTop, nil, "240x800 pixels"},
		{240, 400, 0, pipeline.ScreenTop, func(_ *pass, t *pipeline.Transfer) { t.InWidth++ }, "the transfer takes 241x400 pixels of its 240x400"},
		{240, 400, 0, pipeline.ScreenTop, func(_ *pass, t *pipeline.Transfer) { t.OutWidth-- }, "the transfer takes 240x400 pixels of its 240x400"},
		{240, 400, 0, pipeline.ScreenTop, func(_ *pass, t *pipeline.Transfer) { t.InHeight-- }, "the transfer takes 240x399 pixels of its 240x400"},
		{240, 400, 0, pipeline.ScreenTop, func(_ *pass, t *pipeline.Transfer) { t.Flip = true }, "the transfer turns it upside down"},
		{240, 400, 0, pipeline.ScreenTop, func(p *pass, _ *pipeline.Transfer) { p.screen = "bottom" }, "it is on another screen too"},
	} {
		p := &pass{color: surface{width: c.w, height: c.h}}
		tr := pipeline.Transfer{Scaling: c.scaling}
		tr.InWidth, tr.OutWidth, tr.InHeight, tr.OutHeight = uint32(c.w), uint32(c.w), uint32(c.h), uint32(c.h)
		if c.change != nil {
			c.change(p, &tr)
		}
		got := r.presentable(p, tr, c.screen)
		require.Equal(t, c.want == "", got == "", "%+v: %s", c, got)
		require.Contains(t, got, c.want)
	}
	// The displayed pass comes last, the top screen's before others; one in the middle continues in an extra pass.
	for _, c := range []struct {
		screens []string
		want    string
	}{{[]string{"", "", ""}, "0: 1: 2:"}, {[]string{"", "", "top"}, "0: 1: 2:top"}, {[]string{"bottom", "", "top"}, "0:bottom 1: 2:top"}, {[]string{"", "top", ""}, "0: 1: 2: pass3:top of 1"},
		{[]string{"top", "", "bottom"}, "0: 1: 2:bottom pass3:top of 0"}, {[]string{"", "bottom", ""}, "0: 1: 2: pass3:bottom of 1"}} {
		for _, depth := range []uint32{0, 64} {
			r := &recording{}
			for i, s := range c.screens {
				r.passes = append(r.passes, &pass{name: fmt.Sprint(i), screen: s, depth: surface{bytes: depth}, color: surface{bytes: uint32(i + 1)}, shareColor: -1, shareDepth: -1, at: uint32(i)})
			}
			r.mainLast()
			var list []string
			for i, p := range r.passes {
				text := p.name + ":" + p.screen
				if i >= len(c.screens) {
					text += fmt.Sprintf(" of %d", p.shareColor)
					require.Equal(t, map[bool]int{true: p.shareColor, false: -1}[depth != 0], p.shareDepth)
					require.Equal(t, r.passes[p.shareColor].color, p.color)
					require.EqualValues(t, p.shareColor, p.at)
				}
				list = append(list, text)
			}
			require.Equal(t, c.want, strings.Join(list, " "))
		}
	}
}

// A transfer keeps the colour buffer that it reads, which programs may clear after it.
func TestTransferKeepsClearedInput(t *testing.T) {
	g := pipeline.New(pipeline.Options{Workers: 1})
	defer g.Close()
	of := func(addr, bytes uint32) *pass { return &pass{color: surface{addr: addr, bytes: bytes}} }
	read, other, none, outside := of(pica.VRAMBase, 4), of(pica.VRAMBase+4, 4), of(pica.VRAMBase, 0), of(pica.VRAMBase, pica.VRAMSize+1)
	r := &recording{gpu: g, passes: []*pass{read, other, none, outside}}
	require.NoError(t, g.Load(t.Context(), pica.VRAMBase, []byte{1, 2, 3, 4, 5, 6, 7, 8}))
	r.transfer(pipeline.Transfer{Src: pica.VRAMBase, Dst: 1})
	r.transfer(pipeline.Transfer{Src: pica.VRAMBase + 8, Dst: 2})
	require.NoError(t, g.Load(t.Context(), pica.VRAMBase, make([]byte, 8)))
	require.Equal(t, []byte{1, 2, 3, 4}, read.shown)
	require.Equal(t, [][]byte{nil, nil, nil}, [][]byte{other.shown, none.shown, outside.shown})
	require.Equal(t, []pipeline.Transfer{{Src: pica.VRAMBase, Dst: 1}}, r.transfers)
}
