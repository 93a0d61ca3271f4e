package texture_test

import (
	"fmt"

	"pica200/assets/texture"
	"pica200/pica"
)

// Encode and Decode convert a picture to the GPU's layout and back.
func ExampleDecode() {
	im := texture.NewImage(8, 8)
	im.Pix[0] = 0xFF0000FF // the bottom left texel: opaque red
	const format = pica.TextureFormatRGB565
	texels := make([]byte, texture.Size(format, 8, 8))
	if err := texture.Encode(texels, im.Pix, format, 8, 8); err != nil {
		fmt.Println(err)
		return
	}
	// The bottom left texel has index 42 in its tile.
	fmt.Printf("%d bytes, texel 42: %02x%02x\n", len(texels), texels[85], texels[84])
	back := make([]uint32, 64)
	if err := texture.Decode(back, texels, format, 8, 8); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%08x\n", back[0])
	// Output:
	// 128 bytes, texel 42: f800
	// ff0000ff
}

// NewT3X makes a t3x file with all mipmap levels.
func ExampleNewT3X() {
	x, err := texture.NewT3X(pica.TextureFormatETC1, texture.MaxLevels(64, 64), texture.NewImage(64, 64))
	if err != nil {
		fmt.Println(err)
		return
	}
	file, err := x.Encode()
	if err != nil {
		fmt.Println(err)
		return
	}
	back, err := texture.ParseT3X(file)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%dx%d %v, %d levels, %v\n", back.Width, back.Height, back.Format, back.Levels, back.Compression)
	// Output:
	// 64x64 etc1, 4 levels, LZ11
}
