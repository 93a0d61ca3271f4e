package pixels

//go:generate go run -C ../gen/avo ./pixels -out ../../pixels/kernels_amd64.s -stubs ../../pixels/kernels_amd64.go -pkg pixels
//go:generate go run -C ../gen/avo ./others ../../pixels/kernels_amd64.go
