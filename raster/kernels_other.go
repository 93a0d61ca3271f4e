//go:build !amd64

package raster

// The AVX2 kernels exist on amd64 only; elsewhere nothing calls them.

func weightsAVX2(*float32, *float32, *float32)                      { panic("no AVX2") }
func depthsAVX2(*float32, *float32)                                 { panic("no AVX2") }
func interpolateAVX2(*float32, *float32, *float32, *float32, int)   { panic("no AVX2") }
func compareDepthAVX2(*float32, *byte) uint32                       { panic("no AVX2") }
func storeDepthAVX2(*float32, *byte, uint32)                        { panic("no AVX2") }
func loadColorAVX2(*uint8, *uint8, *uint8, *uint8, *uint8)          { panic("no AVX2") }
func storeColorAVX2(*uint8, *uint8, *uint8, *uint8, *uint8, uint32) { panic("no AVX2") }
