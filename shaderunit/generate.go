package shaderunit

//go:generate go run -C ../internal/gen/avo ./shaderunit -out ../../../shaderunit/kernels_amd64.s -stubs ../../../shaderunit/kernels_amd64.go -pkg shaderunit
