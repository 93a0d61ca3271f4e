package pixels

//go:generate go run -C ../../internal/gen/avo ./pixels -out ../../../pica/pixels/kernels_amd64.s -stubs ../../../pica/pixels/kernels_amd64.go -pkg pixels
//go:generate go run -C ../../internal/gen/avo ./others ../../../pica/pixels/kernels_amd64.go
