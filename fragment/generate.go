package fragment

//go:generate go run -C ../internal/gen/avo ./fragment -out ../../../fragment/kernels_amd64.s -stubs ../../../fragment/kernels_avx2.go -pkg fragment
//go:generate go run -C ../internal/gen/avo ./light -out ../../../fragment/light_amd64.s -stubs ../../../fragment/light_avx2.go -pkg fragment
