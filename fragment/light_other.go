//go:build !amd64

package fragment

// These AVX2 kernels exist on amd64 only; elsewhere nothing calls them.

func unitQuaternionAVX2(*float32, int)                                              { panic("no AVX2") }
func rotateNormalAVX2(*float32, *float32, int)                                      { panic("no AVX2") }
func rotateTangentAVX2(*float32, *float32, int)                                     { panic("no AVX2") }
func rotateAVX2(*float32, *float32, int)                                            { panic("no AVX2") }
func perturbAVX2(*float32, *uint8, int)                                             { panic("no AVX2") }
func recalculateZAVX2(*float32, int)                                                { panic("no AVX2") }
func unitAVX2(*float32, *float32, int)                                              { panic("no AVX2") }
func towardsAVX2(*float32, *float32, float32, float32, float32, *float32, int)      { panic("no AVX2") }
func halfVectorAVX2(*float32, *float32, *float32, *float32, int)                    { panic("no AVX2") }
func halfVectorToAVX2(*float32, *float32, float32, float32, float32, *float32, int) { panic("no AVX2") }
func dotAVX2(*float32, *float32, *float32, int)                                     { panic("no AVX2") }
func dotConstAVX2(*float32, *float32, float32, float32, float32, int)               { panic("no AVX2") }
func dotProjectedAVX2(*float32, *float32, *float32, *float32, int)                  { panic("no AVX2") }
func lookupUnsignedAVX2(*float32, *float32, *float32, float32, int)                 { panic("no AVX2") }
func lookupSignedAVX2(*float32, *float32, *float32, float32, int)                   { panic("no AVX2") }
func lookup128AVX2(*float32, *float32, *float32, int)                               { panic("no AVX2") }
func oneSidedAVX2(*float32, *float32, int)                                          { panic("no AVX2") }
func twoSidedAVX2(*float32, *float32, int)                                          { panic("no AVX2") }
func scaleBiasAVX2(*float32, *float32, float32, float32, int)                       { panic("no AVX2") }
func mulAVX2(*float32, *float32, *float32, int)                                     { panic("no AVX2") }
func fillAVX2(*float32, float32, int)                                               { panic("no AVX2") }
func geometricFactorAVX2(*float32, *float32, *float32, int)                         { panic("no AVX2") }
func clampHighlightAVX2(*float32, *float32, *float32, int)                          { panic("no AVX2") }
func shadowFactorAVX2(*float32, *uint8, uint32, int)                                { panic("no AVX2") }
func toByteAVX2(*uint8, *float32, int)                                              { panic("no AVX2") }
func addDiffuseAVX2(*float32, *float32, *float32, float32, float32, float32, float32, float32, float32, int) {
	panic("no AVX2")
}
func addDiffuseShadowedAVX2(*float32, *float32, *float32, *float32, float32, float32, float32, float32, float32, float32, int) {
	panic("no AVX2")
}
func addSpecular0AVX2(*float32, *float32, *float32, float32, float32, float32, int) { panic("no AVX2") }
func addSpecularAVX2(*float32, *float32, *float32, *float32, *float32, *float32, float32, float32, int) {
	panic("no AVX2")
}
func fogMixAVX2(*uint8, *uint8, *float32, float32, int)                           { panic("no AVX2") }
func procClampZeroAVX2(*float32, int)                                             { panic("no AVX2") }
func procClampEdgeAVX2(*float32, int)                                             { panic("no AVX2") }
func procClampRepeatAVX2(*float32, int)                                           { panic("no AVX2") }
func procClampMirrorAVX2(*float32, int)                                           { panic("no AVX2") }
func procClampPulseAVX2(*float32, int)                                            { panic("no AVX2") }
func procRadiusAVX2(*float32, *float32, *float32, int)                            { panic("no AVX2") }
func procTexNearestAVX2(*uint8, *float32, *uint32, float32, uint32, int)          { panic("no AVX2") }
func procTexLinearAVX2(*uint8, *float32, *uint32, *uint32, float32, uint32, int)  { panic("no AVX2") }
func shadowReferenceAVX2(*uint32, *float32, int32, int)                           { panic("no AVX2") }
func projectAVX2(*float32, *float32, *float32, *float32, *float32, int)           { panic("no AVX2") }
func shadowSampleAVX2(*float32, *float32, *uint32, *uint32, *uint32, *uint8, int) { panic("no AVX2") }
