//go:build !amd64

package fragment

// The AVX2 kernels exist on amd64 only; elsewhere nothing calls them.

func combineReplaceAVX2(*uint8, *uint8, uint64, uint64, int) { panic("no AVX2") }
func combineModulateAVX2(*uint8, *uint8, *uint8, uint64, uint64, uint64, int) { panic("no AVX2") }
func combineAddAVX2(*uint8, *uint8, *uint8, uint64, uint64, uint64, int) { panic("no AVX2") }
func combineAddSignedAVX2(*uint8, *uint8, *uint8, uint64, uint64, uint64, int) { panic("no AVX2") }
func combineSubtractAVX2(*uint8, *uint8, *uint8, uint64, uint64, uint64, int) { panic("no AVX2") }
func combineInterpolateAVX2(*uint8, *uint8, *uint8, *uint8, uint64, uint64, uint64, uint64, int) { panic("no AVX2") }
func combineMultiplyAddAVX2(*uint8, *uint8, *uint8, *uint8, uint64, uint64, uint64, uint64, int) { panic("no AVX2") }
func combineAddMultiplyAVX2(*uint8, *uint8, *uint8, *uint8, uint64, uint64, uint64, uint64, int) { panic("no AVX2") }
func blendAddAVX2(*uint8, *uint8, *uint8, *uint8, *uint8, uint64, uint64, int) { panic("no AVX2") }
func toBytesAVX2(*float32, *uint8, int) { panic("no AVX2") }
func unpackAVX2(*uint32, *uint8, *uint8, *uint8, *uint8, int) { panic("no AVX2") }
func masksEqualAVX2(*uint8, uint64, *uint16, int) { panic("no AVX2") }
func masksAtLeastAVX2(*uint8, uint64, *uint16, int) { panic("no AVX2") }
func masksAtMostAVX2(*uint8, uint64, *uint16, int) { panic("no AVX2") }
func nearestAVX2(*float32, *float32, *uint8, *uint32, *uint32, *uint32, int) { panic("no AVX2") }
func nearestLevelsAVX2(*float32, *float32, *uint8, *uint32, *uint32, *uint32, int) { panic("no AVX2") }
func bilinearAVX2(*float32, *float32, *uint8, *uint32, *uint32, *uint32, int) { panic("no AVX2") }
func bilinearLevelsAVX2(*float32, *float32, *uint8, *uint32, *uint32, *uint32, int) { panic("no AVX2") }
func mixAVX2(*uint32, *uint32, *uint8, int) { panic("no AVX2") }
func levelsLinearAVX2(*float32, *float32, *float32, *uint8, *uint8, *uint8, *uint8, int) uint64 { panic("no AVX2") }
func levelsNearestAVX2(*float32, *float32, *float32, *uint8, *uint8, *uint8, *uint8, int) uint64 { panic("no AVX2") }
