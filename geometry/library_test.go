package geometry

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"pica200/assets/patches"
	"pica200/assets/shbin"
	"pica200/pica"
	"pica200/shaderunit"
	"pica200/shaderunit/shaders"
	"pica200/shaderunit/trial"
	"pica200/tests/testkit"
)

// libraryDraw is a draw with a program from the shader library.
type libraryDraw struct {
	testDraw
	file *shbin.File
}

func newLibraryDraw(t testing.TB, name string) *libraryDraw {
	p := testkit.Must(shaders.Lookup(name))(t)
	f := testkit.Must(shaders.Load(name))(t)
	d := &libraryDraw{file: f}
	d.Regs = &d.regs
	d.Fixed = new([16][4]float32)
	d.Kind = Elements
	r := d.Regs
	vs, gs := &f.Executables[0], &f.Executables[1]
	d.Vertex, d.Geometry = testkit.Must(trial.Load(f, 0))(t).Setup, testkit.Must(trial.Load(f, 1))(t).Setup
	pica.PrimitiveConfigMode.Set(r, uint32(pica.PrimitiveGeometry))
	pica.ViewportWidth.SetFloat(r, 50)
	pica.ViewportHeight.SetFloat(r, 50)
	pica.GeostageMode.Set(r, uint32(pica.GeoStageOn))
	r[pica.RegShOutattrClock] = pica.AllClocks
	pica.ShInputMode.Set(r, uint32(pica.ShaderModeGeometry))
	r[pica.RegVshOutmapMask], r[pica.RegGshOutmapMask] = uint32(vs.OutputMask), uint32(gs.OutputMask)
	outputs := uint32(bits.OnesCount16(vs.OutputMask))
	pica.VshOutmapTotal1.Set(r, outputs-1)
	pica.GshMode.Set(r, uint32(gs.Geometry.Mode))
	pica.GshVariableMain.Set(r, uint32(gs.Geometry.VariableNum)-1)
	pica.GshFixedVertexNum.Set(r, uint32(gs.Geometry.FixedNum)-1)
	pica.GshStride.Set(r, outputs-1)
	pica.GshStartIndex.Set(r, uint32(gs.Geometry.FixedStart))
	pica.ShInputCount.Set(r, uint32(p.VerticesPerInvocation)*outputs-1)
	r[pica.RegGshAttributesPermutationLow] = 0x76543210
	r[pica.RegGshAttributesPermutationHigh] = 0xFEDCBA98
	pica.ShOutmapTotal.Set(r, uint32(bits.OnesCount16(gs.OutputMask)))
	for i, o := range gs.Outputs { // ordered by register, all of them used
		r[pica.RegShOutmapO0+pica.Reg(i)] = map[string]uint32{
			"position": 0x03020100, "normalquat": 0x07060504, "color": 0x0B0A0908, "texcoord0": 0x1F1F0D0C, "view": 0x1F141312,
		}[o.Type.String()]
	}
	identity := [4][4]float32{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}
	d.uniform("projection", identity[:]...)
	d.uniform("modelView", identity[:]...)
	d.uniform("normalMatrix", identity[:3]...)
	return d
}

// uniform sets a float uniform of both shaders.
func (d *libraryDraw) uniform(name string, v ...[4]float32) {
	for i, s := range []*shaderunit.Setup{d.Vertex, d.Geometry} {
		for _, u := range d.file.Executables[i].Uniforms {
			if u.Name == name {
				copy(s.Float[u.Start-shbin.UniformFloat:], v)
			}
		}
	}
}

// attributes makes the vertex array, four floats per attribute. inputs are the input registers.
func (d *libraryDraw) attributes(inputs []uint32, vertices ...[][4]float32) {
	r := d.Regs
	var components, formats, permutation uint32
	for i, reg := range inputs {
		components |= uint32(i) << (4 * i)
		formats |= (uint32(pica.AttribFloat) | 3<<2) << (4 * i)
		permutation |= reg << (4 * i)
	}
	r[pica.RegAttribbuffersFormatLow] = formats
	r[pica.RegAttribbuffer0Config1] = components
	pica.AttribbufferStride.Set(r, uint32(16*len(inputs)))
	pica.AttribbufferCount.Set(r, uint32(len(inputs)))
	pica.ShInputCount.At(pica.OffsetVsh).Set(r, uint32(len(inputs)-1))
	r[pica.RegVshAttributesPermutationLow] = permutation
	pica.AttribbuffersLoc.Set(r, testBase>>4)
	for _, v := range vertices {
		for _, a := range v {
			for _, x := range a {
				d.mem = binary.LittleEndian.AppendUint32(d.mem, math.Float32bits(x))
			}
		}
	}
}

func (d *libraryDraw) indices(idx []uint16) {
	pica.IndexbufferOffset.Set(d.Regs, uint32(len(d.mem)))
	pica.IndexbufferType.Set(d.Regs, uint32(pica.IndexShort))
	for _, i := range idx {
		d.mem = binary.LittleEndian.AppendUint16(d.mem, i)
	}
	d.Memory = d.mem
	pica.Numvertices.Set(d.Regs, uint32(len(idx)))
}

// subdivisionDraw draws a stream of a mesh within the view volume.
func subdivisionDraw(t testing.TB, program string, m *patches.Mesh, s *patches.Stream) *libraryDraw {
	d := newLibraryDraw(t, program)
	var vertices [][][4]float32
	for i, v := range s.Vertices {
		p := m.Positions[v]
		pos := [4]float32{float32(p[0]), float32(p[1]), float32(p[2]), 1}
		vertices = append(vertices, [][4]float32{pos, {float32(p[0]), float32(p[1])}, {float32(p[0]+1) / 2, float32(p[1]+1) / 2, 0, 1}, {float32(s.Valence[i])}, {0.6, 0, 0.8}})
	}
	d.attributes([]uint32{0, 2, 3, 7, 1}, vertices...)
	d.indices(s.Indices)
	return d
}

// boxMesh is a cube in the view volume.
func boxMesh(triangles bool) *patches.Mesh {
	m := &patches.Mesh{Faces: [][]uint32{{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}}
	for _, p := range [][3]float64{{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}} {
		m.Positions = append(m.Positions, [3]float64{p[0] * 0.8, p[1] * 0.7, p[2]*0.4 - 0.5})
	}
	if triangles {
		quads := m.Faces
		m.Faces = nil
		for _, q := range quads {
			m.Faces = append(m.Faces, q[:3:3], []uint32{q[0], q[2], q[3]})
		}
	}
	return m
}

// Every triangle of a subdivision shader has its corners at vertices of the mesh refined in float64, on the right face.
func TestSubdivisionShaders(t *testing.T) {
	for _, tc := range []struct {
		program   string
		mesh      *patches.Mesh
		stream    func(*patches.Mesh) ([]*patches.Stream, error)
		refine    func(*patches.Mesh) (*patches.Mesh, error)
		triangles int // of a face
	}{
		{"loop", boxMesh(true), patches.Loop, patches.RefineLoop, 4},
		{"loop", &patches.Mesh{ // tetrahedron: valence 3
			Positions: []mgl64.Vec3{{0.5, 0.5, -0.2}, {-0.5, -0.5, -0.2}, {-0.5, 0.5, -0.8}, {0.5, -0.5, -0.8}},
			Faces:     [][]uint32{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}},
		}, patches.Loop, patches.RefineLoop, 4},
		{"loop_lit", boxMesh(true), patches.Loop, patches.RefineLoop, 4},
		{"catmull_clark_lit", boxMesh(false), patches.CatmullClark, patches.RefineCatmullClark, 8},
		{"catmull_clark", boxMesh(false), patches.CatmullClark, patches.RefineCatmullClark, 8},
	} {
		t.Run(tc.program, func(t *testing.T) {
			m := tc.mesh
			for level := range 3 {
				fine := testkit.Must(tc.refine(m))(t)
				streams := testkit.Must(tc.stream(m))(t)
				require.Len(t, streams, 1)
				d := subdivisionDraw(t, tc.program, m, streams[0])
				out := d.draw(t)
				require.Equal(t, len(m.Faces), out.Stats.Invocations)
				require.Equal(t, tc.triangles*len(m.Faces), out.Stats.Primitives)

				// The centre of each triangle is the centre of a triangle of the refined mesh, with the same winding.
				type key [3]int
				grid := func(p [3]float64) key {
					return key{int(math.Round(p[0] * 500)), int(math.Round(p[1] * 500)), int(math.Round(p[2] * 500))}
				}
				offsets := map[key]bool{}
				for _, p := range fine.Positions {
					k := grid(p)
					for dx := -1; dx <= 1; dx++ {
						for dy := -1; dy <= 1; dy++ {
							for dz := -1; dz <= 1; dz++ {
								offsets[key{k[0] + dx, k[1] + dy, k[2] + dz}] = true
							}
						}
					}
				}
				seen := map[key]bool{}
				for _, v := range whole(&out, 0) {
					p := [3]float64{float64(v.Vertex[0]), float64(v.Vertex[1]), float64(v.Vertex[2])}
					require.True(t, offsets[grid(p)], "level %d: no vertex of the finer mesh at %v", level, p)
					seen[grid(p)] = true
				}
				if strings.HasSuffix(tc.program, "_lit") {
					// The rotation from +z to the normal (0.6, 0, 0.8) is about y.
					v := out.vertex(uint32(len(out.Vertices) / 2)).Vertex
					require.InDelta(t, math.Sqrt(0.1), v[pica.SemQuatY], 1e-3)
					require.InDelta(t, math.Sqrt(0.9), v[pica.SemQuatW], 1e-3)
					require.Equal(t, -v[pica.SemPositionX], v[pica.SemViewX])
				}
				require.GreaterOrEqual(t, len(seen), len(fine.Positions)*9/10)
				m = fine
			}
		})
	}
}

// Repeated subdivision of a cube converges to its limit surface and keeps the winding.
func TestSubdivisionConverges(t *testing.T) {
	m := boxMesh(true)
	limit := m
	for range 7 {
		limit = testkit.Must(patches.RefineLoop(limit))(t)
	}
	last := math.Inf(1)
	for level := range 4 {
		streams := testkit.Must(patches.Loop(m))(t)
		d := subdivisionDraw(t, "loop", m, streams[0])
		pica.FacecullingMode.Set(d.Regs, uint32(pica.CullBack))
		out := d.draw(t)
		// The cube is seen along z without perspective: the half that faces the eye is drawn.
		require.InDelta(t, 0.5, float64(out.Stats.Triangles)/float64(out.Stats.Primitives), 0.15)
		// The first vertex of each refinement is the first corner of the cube.
		want := limit.Positions[0]
		best := math.Inf(1)
		for _, v := range whole(&out, 0) {
			dist := math.Hypot(float64(v.Vertex[0])-want[0], math.Hypot(float64(v.Vertex[1])-want[1], float64(v.Vertex[2])-want[2]))
			best = min(best, dist)
		}
		require.Less(t, best, last*0.6, "level %d", level)
		last = best
		m = testkit.Must(patches.RefineLoop(m))(t)
	}
	require.Less(t, last, 0.01)
}

func TestSilhouetteShader(t *testing.T) {
	m := boxMesh(false)
	idx := testkit.Must(patches.Silhouette(m))(t)
	d := newLibraryDraw(t, "silhouette")
	d.uniform("outlineWidth", [4]float32{0.1, 0.1})
	d.uniform("outlineColor", [4]float32{1, 0.5, 0, 1})
	// The cube is turned a little, so that three faces are visible.
	s, c := math.Sincos(0.5)
	var vertices [][][4]float32
	for _, p := range m.Positions {
		x, y, z := p[0]*0.6, p[1]*0.6, (p[2]+0.5)*0.6
		x, z = x*c+z*s, z*c-x*s
		y, z = y*c+z*s, z*c-y*s
		n := math.Sqrt(x*x + y*y + z*z)
		vertices = append(vertices, [][4]float32{{float32(x), float32(y), float32(z*0.5 - 0.5), 1}, {float32(x / n), float32(y / n), float32(z / n)}})
	}
	d.attributes([]uint32{0, 1}, vertices...)
	d.indices(idx)
	out := d.draw(t)
	require.Equal(t, 12, out.Stats.Invocations)
	require.Equal(t, 6*2, out.Stats.Primitives, "the outline of a cube seen from a corner has six edges")
	require.Equal(t, float32(0.5), out.vertex(0).Vertex[pica.SemColorG])
}

func TestParticlesShader(t *testing.T) {
	d := newLibraryDraw(t, "particles")
	d.Geometry.Int[0] = [4]uint8{9, 0, 1, 0}
	d.uniform("phase", [4]float32{0.05, 0.1, 0, 0})
	point := func(x, y float32) [][4]float32 {
		return [][4]float32{{x, y, -0.5, 1}, {1, x + 0.5, 0, 1}, {0.01, 0.02, 0}}
	}
	// A straight line as a curve: t = 0.05, 0.15, ..., 0.95 gives x = -0.45 ... 0.45.
	d.attributes([]uint32{0, 3, 7}, point(-0.5, 0), point(-0.5+1.0/3, 0), point(0.5-1.0/3, 0), point(0.5, 0))
	d.indices([]uint16{0, 1, 2, 3, 0, 1, 2, 3, 0})
	out := d.draw(t)
	require.Equal(t, Stats{Indices: 9, Fetched: 4, Shaded: 4, CacheHits: 5, Invocations: 2, Emitted: 80, Primitives: 40, Triangles: 40, Incomplete: 1}, out.Stats)
	for k := range 10 {
		lowerLeft := out.vertex(uint32(4 * k)).Vertex
		x := -0.45 + 0.1*float64(k)
		require.InDelta(t, x-0.01, lowerLeft[pica.SemPositionX], 1e-3)
		require.InDelta(t, -0.02, lowerLeft[pica.SemPositionY], 1e-3)
		require.InDelta(t, x+0.5, lowerLeft[pica.SemColorG], 1e-3)
	}
}
