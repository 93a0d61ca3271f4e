package geometry

//go:generate go run -C ../internal/gen/avo ./geometry -out ../../../geometry/kernels_amd64.s -stubs ../../../geometry/kernels_avx2.go -pkg geometry
