package raster

//go:generate go run -C ../internal/gen/avo ./raster -out ../../../raster/kernels_amd64.s -stubs ../../../raster/kernels_avx2.go -pkg raster
