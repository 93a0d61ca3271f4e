package fragment

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
	"pica200/tests/testkit"
)

// fieldScene is a small draw through the whole stage: a quad with different attributes at its corners over 16x16 pixels of noise.
type fieldScene struct {
	regs   pica.Regs
	tables Tables
	memory sceneMemory
	target raster.Target
	corner [4]pica.ScreenVertex
	draws  int // how often the quad is drawn

	with     simd.Kernels
	warnings []string // of the program, after render
}

const (
	sceneSize   = 16
	sceneMemoff = 0x18000000
)

// sceneMemory maps one range of noise.
type sceneMemory []byte

func (m sceneMemory) Slice(addr, n uint32) ([]byte, error) {
	if addr < sceneMemoff || uint64(addr)+uint64(n) > sceneMemoff+uint64(len(m)) {
		return nil, fmt.Errorf("no memory at %#08x", addr)
	}
	return m[addr-sceneMemoff:][:n], nil
}
func (sceneMemory) Generation(addr, n uint32) uint64 { return 1 }

// sceneNoise is the memory of all scenes. Neighbouring bytes differ little: filtering shows, but pictures stay recognizable.
var sceneNoise = func() sceneMemory {
	m := make(sceneMemory, 1<<20)
	r := rand.New(rand.NewPCG(9, 9))
	for i := range m {
		m[i] = byte(r.Uint32())
	}
	return m
}()

// newFieldScene makes a scene that draws the vertex colour with all writes enabled, changed by setup.
func newFieldScene(setup func(s *fieldScene)) *fieldScene {
	s := &fieldScene{memory: sceneNoise, draws: 1}
	rng := rand.New(rand.NewPCG(7, 7))
	s.target = raster.Target{
		Width: sceneSize, Height: sceneSize, ColorFormat: pica.ColorFormatRGBA8, DepthFormat: pica.DepthFormatD24S8,
		Color: randomBytes(rng, sceneSize*sceneSize*4), Depth: randomBytes(rng, sceneSize*sceneSize*4),
	}
	for k := range s.corner {
		v := &s.corner[k]
		v.X, v.Y = int32(k&1)*sceneSize*16, int32(k>>1)*sceneSize*16
		v.Z, v.InvW = -0.1-0.25*float32(k), 1-0.2*float32(k)
		for i := range v.Vertex {
			v.Vertex[i] = rng.Float32()
		}
		// Quaternions that rotate the normal, and coordinates beyond the edges.
		for i := range 4 {
			v.Vertex[pica.SemQuatX+pica.Semantic(i)] = rng.Float32()*1.4 - 0.5
		}
		for _, sem := range []pica.Semantic{pica.SemTexCoord0U, pica.SemTexCoord1U, pica.SemTexCoord2U} {
			v.Vertex[sem] = -0.6 + 1.9*float32(k&1) + 0.1*float32(k)
			v.Vertex[sem+1] = -0.4 + 1.7*float32(k>>1) + 0.1*float32(k)
		}
	}
	r := &s.regs
	pica.FramebufferNoFlip.SetBool(r, true)
	for i := range numStages {
		s.stage(i, pica.CombineReplace, pica.SourcePrevious)
	}
	s.stage(0, pica.CombineReplace, pica.SourcePrimaryColor)
	r[pica.RegColorbufferWrite], r[pica.RegDepthbufferWrite] = 0xF, 3
	r[pica.RegColorbufferRead], r[pica.RegDepthbufferRead] = 0xF, 3
	for _, f := range []pica.Field{pica.ColorMaskR, pica.ColorMaskG, pica.ColorMaskB, pica.ColorMaskA, pica.DepthWriteEnable, pica.ColorOperationBlend} {
		f.SetBool(r, true)
	}
	pica.BlendRgbSource.Set(r, uint32(pica.FactorOne))
	pica.BlendAlphaSource.Set(r, uint32(pica.FactorOne))
	setup(s)
	return s
}

// stage sets the sources and the function of a combiner stage, for colour and alpha.
func (s *fieldScene) stage(i int, f pica.Combine, src ...pica.Source) {
	at := pica.TexenvOffset(i)
	for h := range 2 {
		for j, v := range src {
			texenvFields[h].source[j].At(at).Set(&s.regs, uint32(v))
		}
		texenvFields[h].function.At(at).Set(&s.regs, uint32(f))
	}
}

// texture binds a 16x16 RGBA8 texture of noise to a unit.
func (s *fieldScene) texture(i int) {
	r, at := &s.regs, pica.TexunitOffset(i)
	unitEnable[i].SetBool(r, true)
	pica.TexunitWidth.At(at).Set(r, 16)
	pica.TexunitHeight.At(at).Set(r, 16)
	pica.TexunitMagFilter.At(at).Set(r, 1)
	pica.TexunitMinFilter.At(at).Set(r, 1)
	pica.TexunitWrapS.At(at).Set(r, uint32(pica.WrapClampToBorder))
	pica.TexunitWrapT.At(at).Set(r, uint32(pica.WrapClampToBorder))
	pica.TexunitAddr.At(at).Set(r, sceneMemoff>>3+uint32(i)*0x1000)
	r[pica.RegTexunit0BorderColor+at] = 0x80A04060
}

// addQuad queues the two triangles of a quad.
func addQuad(q *raster.Queue, corner *[4]pica.ScreenVertex) {
	n := uint32(len(q.Vertices))
	for i := range corner {
		q.Add(&corner[i])
	}
	q.Triangles = append(q.Triangles, raster.Triangle{n, n + 1, n + 2}, raster.Triangle{n + 1, n + 3, n + 2})
}

// draw draws the scene in a view. The pixels of alone, if any, are shaded in a batch of their own.
func (s *fieldScene) draw(e *Engine, view View, alone *raster.Rect) error {
	e.Kernels, s.target.Kernels = s.with, s.with
	p, err := e.Draw(&State{Regs: &s.regs, Tables: &s.tables, Memory: s.memory, Target: &s.target, View: view})
	if err != nil {
		return err
	}
	s.warnings = p.Warnings
	d := &raster.Draw{
		Layout: pica.WholeVertex, Target: &s.target, Shader: p, Bounds: raster.Rect{X1: s.target.Width - 1, Y1: s.target.Height - 1}, DepthScale: -1,
	}
	if alone != nil {
		d.Alone, d.HasAlone = *alone, true
	}
	q := raster.Queue{Kernels: s.with}
	for range s.draws {
		addQuad(&q, &s.corner)
		q.Commit(d)
	}
	q.Flush(1, inTurn)
	return nil
}

// render draws the scene and returns all output bytes: colour buffer, depth buffer and gas feedback.
func (s *fieldScene) render() ([]byte, error) {
	c, e := s.clone(), NewEngine(1)
	if err := c.draw(e, ViewFinal, nil); err != nil {
		return nil, err
	}
	s.warnings = c.warnings
	top := e.TakeGasMaximum()
	return append(append(c.target.Color, c.target.Depth...), byte(top>>8), byte(top)), nil
}

// picture shows the colour buffer on the left and the depth buffer, with its stencil as alpha, on the right.
func (s *fieldScene) picture(out []byte) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, 2*sceneSize, sceneSize))
	for y := range int32(sceneSize) {
		for x := range int32(sceneSize) {
			i := s.target.PixelIndex(x, y) * 4
			c, d := out[i:], out[sceneSize*sceneSize*4+i:]
			img.SetNRGBA(int(x), int(y), color.NRGBA{c[3], c[2], c[1], c[0]})
			img.SetNRGBA(int(x)+sceneSize, int(y), color.NRGBA{d[2], d[1], d[0], d[3]})
		}
	}
	return img
}

// Each scene equals its stored picture exactly.
func TestScenesEqualTheirPictures(t *testing.T) {
	for _, sc := range fieldScenes {
		t.Run(sc.name, func(t *testing.T) {
			s := newFieldScene(sc.setup)
			out := testkit.Must(s.render())(t)
			got := s.picture(out)
			name := filepath.Join("testdata", "scenes", sc.name+".png")
			if testkit.Updating() {
				require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
				f := testkit.Must(os.Create(name))(t)
				require.NoError(t, png.Encode(f, got))
				require.NoError(t, f.Close())
				return
			}
			f := testkit.Must(os.Open(name))(t)
			defer f.Close()
			img := testkit.Must(png.Decode(f))(t)
			want, ok := img.(*image.NRGBA)
			require.True(t, ok, "%s is not an RGBA picture", name)
			require.Equal(t, want.Pix, got.Pix)
		})
	}
}

// inTurn runs f for each of n bins in order.
func inTurn(n int, f func(i, worker int)) {
	for i := range n {
		f(i, 0)
	}
}
