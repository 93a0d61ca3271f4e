package raster

import (
	"flag"
	"math"
	mathbits "math/bits"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/pica"
)

var meshTriangles = flag.Int("mesh", 100_000, "triangles of the greatest meshes of TestClosedMeshesCoverFrontAndBackEqually, at most a million")

// torus is a torus, tilted so that it covers part of itself.
func torus(cells int) (triangles [][3][3]float64) {
	const great, small, tilt = 0.68, 0.27, 0.9
	at := func(i, j int) [3]float64 {
		a, b := 2*math.Pi*float64(i%cells)/float64(cells), 2*math.Pi*float64(j%cells)/float64(cells)
		r := great + small*math.Cos(b)
		x, y, z := r*math.Cos(a), r*math.Sin(a), small*math.Sin(b)
		return [3]float64{x, y*math.Cos(tilt) - z*math.Sin(tilt), y*math.Sin(tilt) + z*math.Cos(tilt)}
	}
	for i := range cells {
		for j := range cells {
			a, b, c, d := at(i, j), at(i+1, j), at(i, j+1), at(i+1, j+1)
			triangles = append(triangles, [3][3]float64{a, b, c}, [3][3]float64{b, d, c})
		}
	}
	return triangles
}

// sphere is an octahedron whose faces are divided into grids and projected onto the sphere.
func sphere(cells int) (triangles [][3][3]float64) {
	at := func(face, i, j int) (p [3]float64) {
		sign := func(bit int) float64 { return float64(1 - face>>bit&1*2) }
		p = [3]float64{sign(0) * float64(i), sign(1) * float64(j), sign(2) * float64(cells-i-j)}
		n := math.Sqrt(p[0]*p[0] + p[1]*p[1] + p[2]*p[2])
		return [3]float64{p[0] / n, p[1] / n, p[2] / n}
	}
	for face := range 8 {
		add := func(a, b, c [3]float64) {
			if mathbits.OnesCount(uint(face))%2 != 0 { // mirrored
				b, c = c, b
			}
			triangles = append(triangles, [3][3]float64{a, b, c})
		}
		for i := range cells {
			for j := range cells - i {
				add(at(face, i, j), at(face, i+1, j), at(face, i, j+1))
				if i+j+2 <= cells {
					add(at(face, i+1, j), at(face, i+1, j+1), at(face, i, j+1))
				}
			}
		}
	}
	return triangles
}

// meshRecorder counts how often each pixel is covered and keeps its light and depth.
type meshRecorder struct {
	side  int32
	hits  []int
	light []float32
	bad   int // pixels that are NaN or outside the range of their vertices
}

func (*meshRecorder) Prefetch() {}

func (r *meshRecorder) Shade(b *Batch, worker int) {
	var light Plane
	b.Interpolate(pica.SemColorR, &light)
	eachPixel(b, func(i int, pixel [2]int32, id [3]uint32) {
		at := pixel[1]*r.side + pixel[0]
		r.hits[at]++
		r.light[at] = light[i]
		between := func(a, b, c, got float32) bool {
			const hair = 4.0 / (1 << 24)
			return got >= min(a, b, c)-hair && got <= max(a, b, c)+hair
		}
		p, q, s := b.Vertex(id[0]), b.Vertex(id[1]), b.Vertex(id[2])
		if !between(p.Vertex[pica.SemColorR], q.Vertex[pica.SemColorR], s.Vertex[pica.SemColorR], light[i]) || !between(-p.Z, -q.Z, -s.Z, b.Depth[i]) {
			r.bad++
		}
	})
}

// TestClosedMeshesCoverFrontAndBackEqually draws closed surfaces of up to a million triangles, many smaller than a pixel. Each pixel is covered as often
// from the front as from behind, once where the surface has one layer. Its light is interpolated within its triangle's vertices.
func TestClosedMeshesCoverFrontAndBackEqually(t *testing.T) {
	const side = 512
	forms := []simd.Kernels{simd.Plain, simd.Best}
	for _, size := range []int{10_000, 100_000, 500_000, 1_000_000} {
		if size > *meshTriangles {
			break
		}
		for _, mesh := range []struct {
			name      string
			triangles [][3][3]float64
		}{{"sphere", sphere(int(math.Sqrt(float64(size) / 8)))}, {"torus", torus(int(math.Sqrt(float64(size) / 2)))}} {
			for _, kernels := range forms {
				var sides [2]*meshRecorder // front and back
				for back := range sides {
					r := &meshRecorder{side: side, hits: make([]int, side*side), light: make([]float32, side*side)}
					sides[back] = r
					q := Queue{Kernels: kernels}
					d := &Draw{
						Target: &Target{Width: side, Height: side}, Shader: r, Layout: pica.WholeVertex,
						Bounds: Rect{0, 0, side - 1, side - 1}, DepthScale: -1, Pack: true,
					}
					for _, tri := range mesh.triangles {
						var v [3]pica.ScreenVertex
						for k, p := range tri {
							// Perspective: w is 2 to 4, and greater z is nearer to the eye.
							w := 3 - p[2]
							v[k] = pica.ScreenVertex{
								X: int32(math.Round((side/2 + side*p[0]/w) * 16)), Y: int32(math.Round((side/2 + side*p[1]/w) * 16)),
								Z: float32(-0.5 + 0.4*p[2]/w), InvW: float32(1 / w),
							}
							v[k].Vertex[pica.SemColorR] = float32(0.5 + 0.3*p[0] - 0.2*p[1])
						}
						area := int64(v[1].X-v[0].X)*int64(v[2].Y-v[0].Y) - int64(v[2].X-v[0].X)*int64(v[1].Y-v[0].Y)
						if area == 0 || area < 0 != (back == 1) {
							continue
						}
						if back == 1 {
							v[1], v[2] = v[2], v[1]
						}
						n := uint32(len(q.Vertices))
						for k := range v {
							q.Add(&v[k])
						}
						q.Triangles = append(q.Triangles, Triangle{n, n + 1, n + 2})
						if n > 30_000 {
							q.Commit(d)
							q.Flush(1, serial)
						}
					}
					q.Commit(d)
					q.Flush(1, serial)
					require.Zero(t, r.bad, "%s of %d triangles: pixels beyond their vertices", mesh.name, size)
				}
				require.Equal(t, sides[1].hits, sides[0].hits, "%s of %d triangles", mesh.name, size)
				if mesh.name != "sphere" {
					continue
				}
				once := 0
				for i, hits := range sides[0].hits {
					// The intersection of the sphere with the ray through the pixel.
					x, y := (float64(i%side)+0.5-side/2)/side, (side/2-0.5-float64(i/side))/side
					a, c := 1+x*x+y*y, 9*(x*x+y*y)-1
					b := -3 * (x*x + y*y)
					root := b*b - a*c
					if root < 0.02 {
						continue // beside it or close to its outline
					}
					z := (-b + math.Sqrt(root)) / a
					once++
					require.Equal(t, 1, hits, "pixel %d,%d of %d triangles", i%side, i/side, size)
					light := 0.5 + 0.3*x*(3-z) - 0.2*y*(3-z)
					require.InDelta(t, light, sides[0].light[i], 0.004, "pixel %d,%d of %d triangles", i%side, i/side, size)
				}
				require.Greater(t, once, 50_000)
			}
		}
		forms = []simd.Kernels{simd.Best}
	}
}
