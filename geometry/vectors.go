package geometry

import (
	"pica200/internal/simd"
	"pica200/pica"
	"pica200/shaderunit"
)

// Calls of the AVX2 twins of the loops over vertices. They process eight
// vertices at a time.

// eight is the number of vertices of a step of the kernels.
const eight = 8

// fetchParts has, by the number of components in memory, a mask of the loaded
// bits of each component and the bits that are set in addition: components that
// the array does not have are 0, 0, 1.
type fetchParts struct {
	cut, fill [4][eight]uint32
}

var partsOf = func() (parts [5]fetchParts) {
	const one = 0x3F800000 // 1 as a float32
	for count := range parts {
		for c := range 4 {
			for i := range eight {
				switch {
				case c < count:
					parts[count].cut[c][i] = 1<<32 - 1
				case c == 3:
					parts[count].fill[c][i] = one
				}
			}
		}
	}
	return parts
}()

// fetchVector fills the four rows with an attribute of up to 64 vertices, like
// fetch. The length of ids is a multiple of 8; the last vertices may repeat. It
// returns false, with undefined rows, if plain Go is needed: where reading four
// components would exceed the array, and for floats that are not float24 after
// truncation.
func (l *layout) fetchVector(a *attribute, rows *[4]shaderunit.Row, ids []uint32, first uint32) bool {
	ld := &l.loaders[a.loader]
	if !simd.Vectors || int(a.offset) >= len(ld.data) || len(ids) > shaderunit.Lanes || len(ids)%eight != 0 || len(ids) == 0 {
		return false
	}
	data := ld.data[a.offset:]
	whole := 4 * componentSize(a.format)
	if uint32(len(data)) < whole {
		return false
	}
	// The highest vertex for which four components can be read.
	top := uint32(1<<32 - 1)
	if ld.stride > 0 {
		top = first + (uint32(len(data))-whole)/ld.stride
	}
	kernel := fetchFloatVector
	switch a.format {
	case pica.AttribShort:
		kernel = fetchShortVector
	case pica.AttribUByte:
		kernel = fetchUByteVector
	case pica.AttribByte:
		kernel = fetchByteVector
	}
	return kernel(&rows[0][0], &data[0], ld.stride, first, top, &ids[0], len(ids), &partsOf[a.count].cut[0][0]) == 0
}

// placing holds the parameters of a draw for the kernel that locates vertices.
type placing struct {
	halfW, halfH, x, y float32
	user               [4]float32
	userOn             uint32 // all bits if there is a user plane
}

func (a *assembler) placing() placing {
	p := placing{halfW: a.view.halfW, halfH: a.view.halfH, x: a.view.x, y: a.view.y, user: a.user.coef}
	if a.user.enabled {
		p.userOn = 1<<32 - 1
	}
	return p
}

// locateAll computes position and window coordinates of the vertices whose x,
// y, z and w are in the rows.
func (a *assembler) locateAll(k simd.Kernels, at *[4]*shaderunit.Row, v []pica.ScreenPosition, p []position) {
	done := 0
	if simd.Vectors && k.Vector() && len(v) >= eight {
		done = len(v) &^ (eight - 1)
		p, numbers := p[:len(v)], a.placing()
		locateVector(&at[0][0], &at[1][0], &at[2][0], &at[3][0], &numbers.halfW, &v[0].X, &p[0].x, done)
	}
	for i := done; i < len(v); i++ {
		a.locate(&[4]float32{at[0][i], at[1][i], at[2][i], at[3][i]}, &v[i], &p[i])
	}
}

// storeAll writes the outputs of a batch as rows of n components, like store.
func (m *outputMap) storeAll(k simd.Kernels, b *shaderunit.Batch, rows []float32, n int, scratch *[4]shaderunit.Row) {
	done := 0
	if k.Vector() {
		done = m.storeVector(b, rows, n, scratch)
	}
	m.store(b, done, rows, n)
}

// storeVector is store for the first vertices of a batch, a multiple of 8, and
// returns their number. It leaves rows of fewer than four components to store.
func (m *outputMap) storeVector(b *shaderunit.Batch, rows []float32, n int, scratch *[4]shaderunit.Row) int {
	const together = 4
	done := min(len(rows)/max(1, n), shaderunit.Lanes) &^ (eight - 1)
	if !simd.Vectors || n < together || done == 0 {
		return 0
	}
	for k := 0; k < n; k += together {
		k := min(k, n-together) // the last group overlaps the one before
		var src [together]*shaderunit.Row
		for c := range src {
			var color bool
			if src[c], color = m.source(b, k+c); color {
				saturateVector(&scratch[c][0], &src[c][0])
				src[c] = &scratch[c]
			}
		}
		storeRowsVector(&rows[k], 4*n, &src[0][0], &src[1][0], &src[2][0], &src[3][0], done)
	}
	return done
}
