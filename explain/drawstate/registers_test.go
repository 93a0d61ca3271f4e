package drawstate

import (
	"image"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/explain/rows"
	"pica200/fragment"
	"pica200/frontend/dmp"
	"pica200/pica"
)

// Every state register is decoded by the register table. A difference from the previous draw marks the register and the field, and
// nothing else.
func TestRegistersAreDecoded(t *testing.T) {
	s := take(t, open(t, "lights"), 0, 1)
	list := s.Input.Registers(nil)
	n := 0
	for reg := range pica.Reg(pica.NumRegs) {
		if IsState(reg) {
			require.Equal(t, int(reg), list[n].Get("number"))
			require.Equal(t, s.Input.Regs[reg], list[n].Get("word"))
			require.Len(t, list[n].Rows, len(pica.Registers[reg].Fields))
			n++
		}
	}
	require.Len(t, list, n)
	require.False(t, slices.ContainsFunc(list, func(r rows.Row) bool { return r.Mark != "" }), "without a previous draw nothing is marked")

	before := s.Input
	pica.FacecullingMode.Set(&before.Regs, pica.FacecullingMode.Get(&s.Input.Regs)^1)
	mode := pica.FacecullingMode
	changed := func(r rows.Row) bool { return r.Mark == rows.Changed }
	for _, r := range s.Input.Registers(&before) {
		require.Equal(t, r.Get("what") == mode.Reg.String(), changed(r))
		for _, f := range r.Rows {
			require.Equal(t, changed(r) && f.Get("what") == mode.Name, changed(f))
			if changed(f) {
				require.Equal(t, mode.Format(mode.Get(&before.Regs)), f.Get("before"))
				require.Equal(t, mode.Format(mode.Get(&s.Input.Regs))+", was "+mode.Format(mode.Get(&before.Regs)), f.Text())
			}
		}
	}
	// Changes lists this field and nothing else.
	changes := Changes(&before, &s.Input)
	require.Len(t, changes, 1)
	require.Len(t, changes[0].Rows, 1)
	require.Equal(t, mode.Name+": "+mode.Format(mode.Get(&before.Regs))+" -> "+mode.Format(mode.Get(&s.Input.Regs)), changes[0].Rows[0].Line())
}

// Each uniform is listed at every field it sets bits of.
func TestFieldsNameTheirUniforms(t *testing.T) {
	named := map[string]map[string]bool{}
	for reg := range pica.Reg(pica.NumRegs) {
		for _, f := range pica.Registers[reg].Fields {
			for _, u := range UniformsOf(f) {
				if named[u] == nil {
					named[u] = map[string]bool{}
				}
				named[u][reg.String()] = true
			}
		}
	}
	for i := range dmp.Uniforms {
		u := &dmp.Uniforms[i]
		for _, f := range u.Fields {
			if IsState(f.Reg) && slices.ContainsFunc(pica.Registers[f.Reg].Fields, func(g pica.Field) bool { return g.Lo < f.Lo+f.Bits && f.Lo < g.Lo+g.Bits }) {
				require.True(t, named[u.Name][f.Reg.String()], "%s at %v", u.Name, f.Reg)
			}
		}
	}
	require.NotEmpty(t, named["dmp_TexEnv[0].srcRgb"])
}

func TestMatricesInUniforms(t *testing.T) {
	var u [96][4]float32
	require.Empty(t, Matrices(&u))
	put := func(at int, rows ...[4]float32) { copy(u[at:], rows) }
	put(0, [4]float32{1}, [4]float32{0, 1}, [4]float32{0, 0, 1}, [4]float32{0, 0, 0, 1})
	put(4, [4]float32{2}, [4]float32{0, 2}, [4]float32{0, 0, -1, -2}, [4]float32{0, 0, -1, 0})
	put(10, [4]float32{0, 1, 0, 5}, [4]float32{1, 0, 0, 5}, [4]float32{0, 0, 1, 5}, [4]float32{0, 0, 0, 1}, [4]float32{7})
	put(95, [4]float32{0, 0, 0, 9})
	list := Matrices(&u)
	require.Len(t, list, 5)
	var at []int
	var kinds []string
	rows := 0
	for _, m := range list {
		at, kinds, rows = append(at, m.First), append(kinds, m.Kind), rows+len(m.Rows)
	}
	require.Equal(t, []int{0, 4, 10, 14, 95}, at)
	require.Equal(t, []string{"identity", "perspective", "affine", "", ""}, kinds)
	require.Equal(t, 14, rows)
}

// The summary agrees with the registers and omits what is disabled; each row links to a register or a texture.
func TestDrawSummary(t *testing.T) {
	s := take(t, open(t, "lights"), 0, 2)
	lines := func() map[string]string {
		m := map[string]string{}
		for _, r := range s.Summary() {
			require.NotContains(t, r.Line(), "<nil>")
			require.NotContains(t, r.Line(), "%!")
			require.NotContains(t, m, r.Name())
			require.NotNil(t, r.Link, r.Name())
			if r.Link.To == rows.ToRegister {
				require.Contains(t, r.Link.Register, "GPUREG_")
			}
			m[r.Name()] = r.Text()
		}
		return m
	}
	m := lines()
	require.Equal(t, "2 triangles, coloured by vertex colours and texture 0, in fog, tested by alpha, stencil and depth, blended with what was there", m["in words"])
	require.Regexp(t, `^\d+ pixels, in \d+x\d+ from \d+,\d+ on$`, m["changed"])
	require.Regexp(t, `^from 0x000 on`, m["vertex shader"])
	require.Equal(t, "2 triangles, 6 indices, 0:32x32 ia4", m["draws"])
	require.Equal(t, "primary_color * texture0", m["stage 0 rgb"])
	require.Equal(t, "primary_color.a * texture0.a", m["stage 0 alpha"])
	require.Equal(t, "add, source * src_alpha and target * one_minus_src_alpha", m["blend rgb"])
	require.Equal(t, "add, source * one and target * one_minus_src_alpha", m["blend alpha"])
	require.Equal(t, "alpha greater 51", m["alpha test"])
	require.Equal(t, "7 not_equal stencil, under the mask FF; then keep, keep behind, keep before", m["stencil test"])
	require.Equal(t, "depth less buffer", m["depth test"])
	for _, off := range []string{"culled", "scissor", "lighting", "stage 1 rgb", "written", "logic op", "geometry shader"} {
		require.NotContains(t, m, off)
	}

	r := &s.Input.Regs
	pica.FacecullingMode.Set(r, uint32(pica.CullBack))
	pica.StencilTestEnable.SetBool(r, false)
	pica.DepthWriteEnable.SetBool(r, false)
	pica.ColorMaskG.SetBool(r, false)
	pica.ColorOperationBlend.Set(r, 0)
	pica.LogicOpFunc.Set(r, uint32(pica.LogicOpXor))
	at := pica.TexenvOffset(1)
	pica.TexenvRgbSource0.At(at).Set(r, uint32(pica.SourceConstant))
	pica.TexenvRgbSource1.At(at).Set(r, uint32(pica.SourcePrevious))
	pica.TexenvRgbCombine.At(at).Set(r, uint32(pica.CombineAddSigned))
	pica.TexenvRgbScale.At(at).Set(r, 1)
	pica.TexenvColorR.At(at).Set(r, 9)
	pica.TexenvUpdateFogMode.Set(r, uint32(pica.FogModeOff))
	s.Sources[0], s.Changed = "lit.v.pica", &Changed{}
	m = lines()
	require.Equal(t, "2 triangles, coloured by vertex colours, texture 0 and a constant, tested by alpha and depth, combined bit by bit with what was there", m["in words"])
	require.Equal(t, "nothing", m["changed"])
	require.Equal(t, "lit.v.pica, from 0x000 on", m["vertex shader"])
	require.Equal(t, "back faces", m["culled"])
	require.NotContains(t, m, "stencil test")
	require.Equal(t, "depth less buffer, not written", m["depth test"])
	require.Equal(t, "rba alone", m["written"])
	require.Equal(t, "xor", m["logic op"])
	require.NotContains(t, m, "blend rgb")
	require.Regexp(t, `^\(constant \+ previous - 0\.5\) \* 2; the constant is   9 `, m["stage 1 rgb"])
	for _, mask := range []pica.Field{pica.ColorMaskR, pica.ColorMaskB, pica.ColorMaskA} {
		mask.SetBool(r, false)
	}
	require.Equal(t, "no colour: all channels are masked", lines()["written"])
	pica.ColorOperationMode.Set(r, uint32(pica.FragmentModeShadow))
	require.Equal(t, "2 triangles, written as shadow", lines()["in words"])
	s.Record.LeftOut = true
	require.Equal(t, "nothing: it is left out, as a warning says", lines()["in words"])
	require.Greater(t, len(s.Combiners()), 1)
	pica.TexenvRgbCombine.At(at).Set(r, 15)
	list := s.Combiners()
	require.Len(t, list, 1)
	require.Contains(t, list[0].Line(), "15 does not exist")
	require.Equal(t, rows.Failed, list[0].Mark)
}

// Changed counts the pixels that differ in any one buffer and gives their bounding box.
func TestChangedPixels(t *testing.T) {
	r := open(t, "lights")
	for draw := range 3 {
		s := take(t, r, 0, draw)
		differs := func(x, y int) bool {
			return fragment.ReadPixel(s.Old, int32(x), int32(y)) != fragment.ReadPixel(s.Target, int32(x), int32(y))
		}
		box, n := image.Rectangle{}, 0
		for y := range int(s.Target.Height) {
			for x := range int(s.Target.Width) {
				if differs(x, y) {
					n++
					box = box.Union(image.Rect(x, y, x+1, y+1))
				}
			}
		}
		require.Positive(t, n)
		require.Equal(t, box, s.Changed.Box)
		require.Equal(t, n, s.Changed.Pixels)
		for i := range box.Dx() * box.Dy() {
			require.Equal(t, differs(box.Min.X+i%box.Dx(), box.Min.Y+i/box.Dx()), s.Changed.Bits[i/8]>>(7-i%8)&1 != 0)
		}
	}
}
