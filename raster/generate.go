package raster

//go:generate go run -C ../internal/gen/avo ./raster -out ../../../raster/kernels_amd64.s -stubs ../../../raster/kernels_amd64.go -pkg raster
//go:generate go run -C ../internal/gen/avo ./others ../../../raster/kernels_amd64.go
