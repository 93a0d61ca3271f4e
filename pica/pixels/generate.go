package pixels

//go:generate go run -C ../../internal/gen/avo ./pixels -out ../../../pica/pixels/kernels_amd64.s -stubs ../../../pica/pixels/kernels_avx2.go -pkg pixels
