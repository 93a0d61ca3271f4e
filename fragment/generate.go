package fragment

//go:generate go run -C ../internal/gen/avo ./fragment -out ../../../fragment/kernels_amd64.s -stubs ../../../fragment/kernels_amd64.go -pkg fragment
//go:generate go run -C ../internal/gen/avo ./others ../../../fragment/kernels_amd64.go
//go:generate go run -C ../internal/gen/avo ./light -out ../../../fragment/light_amd64.s -stubs ../../../fragment/light_amd64.go -pkg fragment
//go:generate go run -C ../internal/gen/avo ./others ../../../fragment/light_amd64.go
