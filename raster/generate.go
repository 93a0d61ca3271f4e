package raster

//go:generate go run -C ../internal/avo ./raster -out ../../raster/kernels_amd64.s -stubs ../../raster/kernels_amd64.go -pkg raster
//go:generate go run -C ../internal/avo ./others ../../raster/kernels_amd64.go ../../raster/kernels_other.go
