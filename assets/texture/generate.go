package texture

//go:generate go run -C ../../internal/gen/avo ./texture -out ../../../assets/texture/kernels_amd64.s -stubs ../../../assets/texture/kernels_amd64.go -pkg texture
