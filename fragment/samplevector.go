//go:build !(goexperiment.simd && (arm64 || wasm))

package fragment

import (
	"math"
	"unsafe"

	"pica200/raster"
)

// fetchVector is fetch by the AVX2 kernels.
func (s bound) fetchVector(linear bool, from, to int, u, v *raster.Plane, level *[quads]uint8, out *packed) {
	p := (*uint32)(unsafe.Pointer(s.vector))
	pu, pv, pl, po, n := &u[from], &v[from], &level[from/4], &out[from], to-from
	t, border, levels := &s.texels[0], uint64(s.border), s.maxLevel > 0
	flip := uint64(0)
	if s.flip {
		flip = math.MaxUint64
	}
	switch {
	case s.cells != nil && linear && s.readsCells():
		alpha := uint64(0)
		if alphaOnly(s.format) {
			alpha = 1
		}
		bilinearCellsVector(pu, pv, pl, p, t, po, &s.cells[0], alpha, n)
	case s.vector.all && linear && levels:
		bilinearLevelsBorderVector(pu, pv, pl, p, t, po, border, n)
	case s.vector.all && linear:
		bilinearBorderVector(pu, pv, pl, p, t, po, border, n)
	case s.vector.outside && levels:
		nearestLevelsOutsideVector(pu, pv, pl, p, t, po, border, flip, n)
	case s.vector.outside:
		nearestOutsideVector(pu, pv, pl, p, t, po, border, flip, n)
	case s.vector.all && levels:
		nearestLevelsBorderVector(pu, pv, pl, p, t, po, border, flip, n)
	case s.vector.all:
		nearestBorderVector(pu, pv, pl, p, t, po, border, flip, n)
	case s.vector.mirrors && linear && levels:
		bilinearLevelsMirrorVector(pu, pv, pl, p, t, po, n)
	case s.vector.mirrors && linear:
		bilinearMirrorVector(pu, pv, pl, p, t, po, n)
	case s.vector.mirrors && levels:
		nearestLevelsMirrorVector(pu, pv, pl, p, t, po, flip, n)
	case s.vector.mirrors:
		nearestMirrorVector(pu, pv, pl, p, t, po, flip, n)
	case linear && levels:
		bilinearLevelsVector(pu, pv, pl, p, t, po, n)
	case linear:
		bilinearVector(pu, pv, pl, p, t, po, n)
	case levels:
		nearestLevelsVector(pu, pv, pl, p, t, po, flip, n)
	default:
		nearestVector(pu, pv, pl, p, t, po, flip, n)
	}
}
