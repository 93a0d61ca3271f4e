package fragment

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/raster"
)

// refCube is OpenGL's table of cube faces: the face a direction meets, and
// where (s, t in 0..1), with the PICA200's orientation of t.
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
	// Edges and corners: z wins over y over x, and 0 counts as negative.
	x[0], y[0], z[0] = 1, 1, 1
	x[1], y[1], z[1] = 1, 1, 0.5
	x[2], y[2], z[2] = 0, 0, 0
	var face Bytes
	seen := cubeFace(&face, &x, &y, &z, raster.Lanes)
	require.Equal(t, uint8(0x3F), seen)
	require.Equal(t, []uint8{4, 2, 5}, face[:3])
	for f := range cubeFaces {
		cubeCoordinates(&u, &v, f, &x, &y, &z, raster.Lanes)
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

// A batch that looks at all faces reads each lane from its own.
func TestCubeSampling(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 13))
	for _, linear := range []bool{false, true} {
		var faces [cubeFaces]*sampler
		for i := range faces {
			faces[i] = randomSampler(rng, 1)
			faces[i].magLinear, faces[i].minLinear, faces[i].needLevel = linear, linear, false
			faces[i].wrapS, faces[i].wrapT = pica.WrapClampToEdge, pica.WrapClampToEdge
		}
		var m machine
		m.n = raster.Lanes
		for i := range m.n {
			for k := range 3 {
				m.f[fTex0U+k][i] = float32(rng.NormFloat64())
			}
		}
		sampleCube(&m, &faces)
		for i := range m.n {
			f, u, v := refCube(float64(m.f[fTex0U][i]), float64(m.f[fTex0V][i]), float64(m.f[fTex0W][i]))
			if linear {
				want := refBilinear(faces[f], 0, u, v)
				for ch := range 4 {
					require.InDelta(t, want[ch], m.c[cTex0][ch][i], 3)
				}
				continue
			}
			l := &faces[f].level[0]
			word := faces[f].texels[int(l.offset)+int(v*float64(l.h))*int(l.w)+int(u*float64(l.w))]
			for ch := range 4 {
				require.Equal(t, uint8(word>>(8*ch)), m.c[cTex0][ch][i], "lane %d face %d", i, f)
			}
		}
	}
}
