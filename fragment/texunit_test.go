package fragment

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
	"pica200/tests/testkit"
)

// flatTextures draws unit 0 unchanged on a quad whose texture coordinate 0 runs from 0 to 1 over 16 pixels, t upwards.
func flatTextures(s *fieldScene) {
	r := &s.regs
	s.stage(0, pica.CombineReplace, pica.SourceTexture0)
	unitEnable[0].SetBool(r, true)
	pica.TexunitWrapS.Set(r, uint32(pica.WrapClampToEdge))
	pica.TexunitWrapT.Set(r, uint32(pica.WrapClampToEdge))
	pica.TexunitAddr.Set(r, sceneMemoff>>3)
	for k := range s.corner {
		v := &s.corner[k]
		v.InvW = 1
		v.Vertex[pica.SemTexCoord0U], v.Vertex[pica.SemTexCoord0V] = float32(k&1), float32(k>>1)
	}
}

// Textures and levels with sides below 8 texels lie at the start of a tile: its top left corner.
func TestTexturesSmallerThanATile(t *testing.T) {
	// Texels in memory order, each with its number as red.
	memory := make(sceneMemory, 4096)
	for i := range len(memory) / 4 {
		memory[4*i], memory[4*i+3] = 255, uint8(i)
	}
	morton := func(x, y int) (m int) {
		for b := range 3 {
			m |= x>>b&1<<(2*b) | y>>b&1<<(2*b+1)
		}
		return m
	}
	for _, c := range []struct{ w, h, level, tiles int }{
		{4, 4, 0, 0}, {8, 4, 0, 0}, {4, 8, 0, 0}, {2, 1, 0, 0}, {16, 4, 0, 0}, {4, 16, 0, 0},
		{8, 8, 1, 1}, {16, 8, 1, 2}, {8, 8, 2, 2}, {8, 8, 3, 3}, {8, 8, 9, 3},
	} {
		t.Run(fmt.Sprintf("%dx%d level %d", c.w, c.h, c.level), func(t *testing.T) {
			s := newFieldScene(flatTextures)
			s.memory = memory
			r := &s.regs
			pica.TexunitWidth.Set(r, uint32(c.w))
			pica.TexunitHeight.Set(r, uint32(c.h))
			pica.TexunitLodMin.Set(r, uint32(c.level))
			pica.TexunitLodMax.Set(r, uint32(c.level))
			out := testkit.Must(s.render())(t)
			require.Empty(t, s.warnings)
			target := raster.Target{Width: sceneSize, Height: sceneSize, ColorFormat: pica.ColorFormatRGBA8, Color: out}
			w, h := max(c.w>>min(c.level, 3), 1), max(c.h>>min(c.level, 3), 1)
			for y := range sceneSize { // from the top
				for x := range sceneSize {
					tx, ty := x*w/sceneSize, y*h/sceneSize // texel from the top left
					tile := ty/8*((w+7)/8) + tx/8
					want := uint8(64*(c.tiles+tile) + morton(tx%8, ty%8))
					require.Equal(t, want, ReadPixel(&target, int32(x), int32(y)).Color[0], "pixel %d,%d", x, y)
				}
			}
		})
	}
	require.Equal(t, 1, levelSize(8, 5))
}

// TestUnitWithoutTexture reads units without a texture.
func TestUnitWithoutTexture(t *testing.T) {
	for _, c := range []struct {
		name string
		unit pica.Source
		set  func(r *pica.Regs)
	}{
		{"address 0", pica.SourceTexture0, func(r *pica.Regs) { pica.TexunitAddr.Set(r, 0) }},
		{"a cube at address 0", pica.SourceTexture0, func(r *pica.Regs) {
			pica.TexunitAddr.Set(r, 0)
			pica.TexunitType.Set(r, uint32(pica.TextureCube))
		}},
		{"disabled", pica.SourceTexture0, func(r *pica.Regs) { pica.TexunitType.Set(r, uint32(pica.TextureDisabled)) }},
		{"unit 0 off", pica.SourceTexture0, func(r *pica.Regs) { pica.TexunitEnable0.SetBool(r, false) }},
		{"unit 1 at address 0", pica.SourceTexture1, func(r *pica.Regs) { pica.TexunitEnable1.SetBool(r, true) }},
		{"unit 2 off", pica.SourceTexture2, func(*pica.Regs) {}},
		{"unit 3 off", pica.SourceTexture3, func(*pica.Regs) {}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newFieldScene(flatTextures)
			pica.TexunitWidth.Set(&s.regs, 8)
			pica.TexunitHeight.Set(&s.regs, 8)
			s.stage(0, pica.CombineReplace, c.unit)
			c.set(&s.regs)
			out := testkit.Must(s.render())(t)
			require.Empty(t, s.warnings)
			for i := range sceneSize * sceneSize {
				require.Equal(t, []byte{0, 0, 0, 0}, out[4*i:4*i+4], "transparent")
			}
		})
	}
}

// refCube is OpenGL's table of cube faces: the face and s, t (0..1) of a direction, with the PICA200's orientation of t.
func refCube(x, y, z float64) (face int, s, t float64) {
	ax, ay, az := math.Abs(x), math.Abs(y), math.Abs(z)
	var sc, tc, ma float64
	switch {
	case ax > ay && ax > az && x > 0:
		face, sc, tc, ma = 0, -z, -y, ax
	case ax > ay && ax > az:
		face, sc, tc, ma = 1, z, -y, ax
	case ay > az && y > 0:
		face, sc, tc, ma = 2, x, z, ay
	case ay > az:
		face, sc, tc, ma = 3, x, -z, ay
	case z > 0:
		face, sc, tc, ma = 4, x, -y, az
	default:
		face, sc, tc, ma = 5, -x, -y, az
	}
	return face, (sc/ma + 1) / 2, (tc/ma + 1) / 2
}

func TestCubeFacesAndCoordinates(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 12))
	var x, y, z, u, v raster.Plane
	for i := range x {
		x[i], y[i], z[i] = float32(rng.NormFloat64()), float32(rng.NormFloat64()), float32(rng.NormFloat64())
	}
	// Edges and corners: z takes precedence over y over x, and 0 counts as negative.
	x[0], y[0], z[0] = 1, 1, 1
	x[1], y[1], z[1] = 1, 1, 0.5
	x[2], y[2], z[2] = 0, 0, 0
	var face Bytes
	seen := cubeFace(simd.Best, &face, &x, &y, &z, raster.Lanes)
	require.Equal(t, uint8(0x3F), seen)
	require.Equal(t, []uint8{4, 2, 5}, face[:3])
	for f := range cubeFaces {
		cubeCoordinates(simd.Best, &u, &v, f, &x, &y, &z, raster.Lanes)
		for i := range x {
			want, s, tt := refCube(float64(x[i]), float64(y[i]), float64(z[i]))
			require.Equal(t, want, int(face[i]))
			if want == f && i != 2 {
				require.InDelta(t, s, u[i], 1e-5, "lane %d", i)
				require.InDelta(t, tt, v[i], 1e-5, "lane %d", i)
			}
		}
	}
}

// In a batch that reads all faces, each lane reads its own.
func TestCubeSampling(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 13))
	for _, linear := range []bool{false, true} {
		const first = 1 // slot
		s := randomSampler(rng, 1)
		s.magLinear, s.minLinear, s.needLevel = linear, linear, false
		s.wrapS, s.wrapT = pica.WrapClampToEdge, pica.WrapClampToEdge
		m := machine{n: raster.Lanes, v: &values{samplers: [3]*sampler{s.sampler}}}
		for face := range cubeFaces {
			data := make([]uint32, len(s.texels))
			for i := range data {
				data[i] = rng.Uint32()
			}
			m.v.texels[first+face] = &texels{data: data}
		}
		for i := range m.n {
			for k := range 3 {
				m.f[fTex0U+k][i] = float32(rng.NormFloat64())
			}
		}
		sampleCube(&m, first)
		for i := range m.n {
			f, u, v := refCube(float64(m.f[fTex0U][i]), float64(m.f[fTex0V][i]), float64(m.f[fTex0W][i]))
			face := m.bound(0, first+f)
			if linear {
				want := refBilinear(face, 0, u, v)
				for ch := range 4 {
					require.InDelta(t, want[ch], m.c[cTex0][ch][i], 3)
				}
				continue
			}
			l := &face.level[0]
			x, y := u*float64(l.w), v*float64(l.h)
			if onBoundary(x) || onBoundary(y) {
				continue
			}
			word := face.texels[int(l.offset)+int(y)*int(l.w)+int(x)]
			for ch := range 4 {
				require.Equal(t, uint8(word>>(8*ch)), m.c[cTex0][ch][i], "lane %d face %d", i, f)
			}
		}
	}
}

// faceMemory maps six faces at different addresses.
type faceMemory map[uint32][]byte

func (m faceMemory) Slice(addr, n uint32) ([]byte, error) {
	if p, ok := m[addr]; ok && int(n) <= len(p) {
		return p[:n], nil
	}
	return nil, fmt.Errorf("no memory at %#08x", addr)
}
func (faceMemory) Generation(addr, n uint32) uint64 { return 1 }

// The address registers of faces 1 to 5 hold 22 bits; the upper bits are those of face 0.
func TestCubeAddresses(t *testing.T) {
	regs := new(pica.Regs)
	pica.TexunitWidth.Set(regs, 8)
	pica.TexunitHeight.Set(regs, 8)
	pica.TexunitType.Set(regs, uint32(pica.TextureCube))
	mem := faceMemory{}
	const base = 0x20000000
	for i := range cubeFaces {
		mem[base+uint32(i)*0x1000] = make([]byte, 256)
		if i > 0 {
			pica.TexunitAddrFace.At(pica.Reg(i-1)).Set(regs, uint32(i)*0x1000>>3)
		}
	}
	pica.TexunitAddr.Set(regs, base>>3)
	// The last stage passes the texture on.
	texenvFields[0].source[0].At(pica.TexenvOffset(5)).Set(regs, uint32(pica.SourceTexture0))
	pica.TexunitEnable0.SetBool(regs, true)
	regs[pica.RegDepthColorMask], regs[pica.RegColorbufferWrite] = 0xF00, 0xF
	st := &State{Regs: regs, Tables: new(Tables), Memory: mem, Target: &raster.Target{Width: 8, Height: 8, Color: make([]byte, 256)}}
	d := testkit.Must(NewEngine(1).Draw(st))(t)
	var addrs []uint32
	for _, r := range d.Textures {
		addrs = append(addrs, r.Addr-base)
	}
	require.Equal(t, []uint32{0, 0x1000, 0x2000, 0x3000, 0x4000, 0x5000}, addrs)

	delete(mem, base+0x3000)
	d = testkit.Must(NewEngine(1).Draw(st))(t)
	require.Len(t, d.Warnings, 1)
	require.Contains(t, d.Warnings[0], "cube face -y: texture unit 0: texture of 8x8")
	require.Empty(t, d.Textures, "a cube map with an unreadable face is no texture")
	pica.TexunitType.Set(regs, 6)
	d = testkit.Must(NewEngine(1).Draw(st))(t)
	require.Contains(t, d.Warnings[0], "type 6")
}
