package cgfx

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/texture"
	"pica200/assets/tree"
	"pica200/pica"
	"pica200/tests/testkit"
)

// A texture with sides that are no multiples of 8 decodes to the top left part of the stored picture, whether its rows are padded
// to a power of two or to whole tiles.
func TestTexturesWithPaddedRows(t *testing.T) {
	for _, size := range []struct{ w, h, wide, tall int }{
		{20, 11, 32, 16}, {20, 11, 32, 32}, {20, 11, 24, 16}, {1, 1, 8, 8}, {24, 11, 24, 16}, {24, 8, 24, 8}, {500, 281, 512, 288}, {65, 8, 72, 8},
	} {
		stored := texture.NewImage(size.wide, size.tall)
		for i := range stored.Pix {
			x, y := i%size.wide, size.tall-1-i/size.wide // from the top
			stored.Pix[i] = 0xFF000000 | uint32(x&0xFF) | uint32(y&0xFF)<<8 | uint32(x>>8|y>>8<<4)<<16
		}
		data := make([]byte, texture.Size(pica.TextureFormatRGBA8, size.wide, size.tall))
		require.NoError(t, texture.Encode(data, stored.Pix, pica.TextureFormatRGBA8, size.wide, size.tall))
		x := &Texture{Width: uint32(size.w), Height: uint32(size.h), Format: pica.TextureFormatRGBA8, Images: []*Image{{Data: data}}}
		im := testkit.Must(x.Decode(0))(t, size)
		require.Equal(t, size.w, im.Width)
		require.Equal(t, size.h, im.Height)
		for i, v := range im.Pix {
			x, y := i%size.w, size.h-1-i/size.w
			require.Equal(t, 0xFF000000|uint32(x&0xFF)|uint32(y&0xFF)<<8|uint32(x>>8|y>>8<<4)<<16, v, "%v: %d, %d", size, x, y)
		}
		x.Images[0].Data = data[:texture.Size(pica.TextureFormatRGBA8, (size.w+7)&^7, (size.h+7)&^7)-1]
		_, err := x.Decode(0)
		require.Error(t, err, size)
	}
}

// A texture format is one byte; a greater number in the file is a problem.
func TestTextureFormatIsOneByte(t *testing.T) {
	data := testkit.Read(t, "../../testdata/models/textures.cgfx")
	f := testkit.Must(Parse(data))(t)
	x := f.Textures.Values()[0]
	said := 0
	for at := 0; at < len(data)-4; at += 4 {
		if le.Uint32(data[at:]) != uint32(x.Format) || said > 0 {
			continue
		}
		bad := bytes.Clone(data)
		bad[at+1] = 1
		if f, err := Parse(bad); err == nil && slices.Contains(f.Findings, tree.Finding{Offset: int64(at), Level: tree.Problem,
			Message: fmt.Sprintf("texture %q has the format %d", x.Name, 0x100+uint32(x.Format))}) {
			said++
		}
	}
	require.Equal(t, 1, said)
}

// A last section beyond the end is a note if the file has the length in its header; a truncated file has a problem.
func TestSectionBeyondFileEnd(t *testing.T) {
	data := testkit.Read(t, "../../testdata/models/kit.cgfx")
	f := testkit.Must(Parse(data))(t)
	require.Empty(t, f.Check().Problems())
	last := f.sections[len(f.sections)-1]
	le.PutUint32(data[last.offset+4:], last.size+0x40)
	f = testkit.Must(Parse(data))(t)
	require.Empty(t, f.Findings)
	require.Empty(t, f.Check().Problems())
	require.Contains(t, f.Check(), tree.Finding{Offset: int64(last.offset + 4), Level: tree.Note,
		Message: `section "IMAG" ends 0x40 bytes beyond the end of the file, which has the size of its header`})
	back := testkit.Must(f.Encode())(t)
	require.Equal(t, data, back)
	f = testkit.Must(Parse(data[:len(data)-8]))(t)
	require.NotEmpty(t, f.Check().Problems())
}
