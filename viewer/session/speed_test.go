package session

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/model"
	"pica200/tests/testkit"
)

// torus writes a torus as a Wavefront file: rings x sides quads of two triangles, with normals.
func torus(t testing.TB, rings, sides int) string {
	path := filepath.Join(t.TempDir(), "torus.obj")
	f := testkit.Must(os.Create(path))(t)
	w := bufio.NewWriter(f)
	for i := range rings {
		for k := range sides {
			a, b := 2*math.Pi*float64(i)/float64(rings), 2*math.Pi*float64(k)/float64(sides)
			// Waves, so that the torus does not look like a plain disc.
			r := 0.35 + 0.04*math.Sin(9*a)*math.Cos(7*b)
			x, y, z := math.Cos(b)*math.Cos(a), math.Sin(b), math.Cos(b)*math.Sin(a)
			fmt.Fprintf(w, "v %.6f %.6f %.6f\nvn %.5f %.5f %.5f\n", math.Cos(a)+r*x, r*y, math.Sin(a)+r*z, x, y, z)
		}
	}
	for i := range rings {
		for k := range sides {
			at := func(i, k int) int { return i%rings*sides + k%sides + 1 }
			a, b, c, d := at(i, k), at(i, k+1), at(i+1, k+1), at(i+1, k)
			fmt.Fprintf(w, "f %d//%d %d//%d %d//%d %d//%d\n", a, a, b, b, c, c, d, d)
		}
	}
	require.NoError(t, w.Flush())
	require.NoError(t, f.Close())
	return path
}

// BenchmarkTurn turns a lit model like the viewer's turntable, one picture of 400x240 per step.
func BenchmarkTurn(b *testing.B) {
	for _, c := range []struct {
		name         string
		rings, sides int
	}{{"10k", 100, 50}, {"100k", 400, 125}, {"500k", 1000, 250}} {
		b.Run(c.name, func(b *testing.B) {
			s := testkit.Must(Open(torus(b, c.rings, c.sides), Options{}))(b)
			r := request()
			o := func() {
				r.Orbit.Yaw += 0.01
				p := testkit.Must(s.Render(b.Context(), r))(b)
				require.Equal(b, 2*c.rings*c.sides, int(p.Stats.Geometry.Primitives))
			}
			o()
			o()
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				o()
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "pictures/s")
		})
	}
}

// Opening reads a model once: it allocates less than reading it twice would.
func TestModelIsReadOnce(t *testing.T) {
	path := torus(t, 200, 100)
	taken := func(f func()) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	once := taken(func() {
		testkit.Must(model.Load(path))(t)
	})
	opening := taken(func() {
		s := open(t, path)
		s.Close()
	})
	require.Less(t, opening, 2*once, "opening takes %d bytes, reading %d", opening, once)
}
