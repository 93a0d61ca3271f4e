package scenebuild

import (
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/texture"
	"pica200/pica"
	"pica200/scene"
	"pica200/tests/testkit"
)

const nativeFolder = "../../testdata/scenes/native"

// nativeFiles makes the files of testdata/scenes/native from patterns: bricks in ETC1 with five levels, a sky as a cube map with
// three, and tiles as raw texels after a header of 16 bytes.
func nativeFiles(t *testing.T) map[string][]byte {
	s := testkit.Must(scene.Parse("x.yaml", []byte(`
gradients:
  side: [[0, 0.25, 0.2, 0.16], [0.45, 0.4, 0.35, 0.28], [0.5, 0.95, 0.85, 0.7], [0.7, 0.55, 0.7, 0.9], [1, 0.15, 0.3, 0.65]]
textures:
  bricks: {pattern: bricks, size: 128, scale: 6}
  tiles: {pattern: tiles, size: 64, scale: 4, colors: [[0.25, 0.4, 0.5], [0.8, 0.82, 0.8]]}
  sky:
    faces:
      - {pattern: gradient, gradient: side, size: 32}
      - {pattern: gradient, gradient: side, size: 32}
      - {pattern: glow, colors: [[1, 0.95, 0.8], [0.15, 0.3, 0.65]], size: 32}
      - {pattern: checker, colors: [[0.3, 0.24, 0.2], [0.22, 0.18, 0.14]], scale: 4, size: 32}
      - {pattern: gradient, gradient: side, size: 32}
      - {pattern: gradient, gradient: side, size: 32}
draws: []
`)))(t)
	picture := func(im *scene.Image) *texture.Image {
		pix := testkit.Must(im.Make(s))(t)
		return texture.FromImage(pix)
	}
	t3x := func(f pica.TextureFormat, levels int, faces ...*texture.Image) []byte {
		file := testkit.Must(texture.NewT3X(f, levels, faces...))(t)
		data := testkit.Must(file.Encode())(t)
		return data
	}
	var faces []*texture.Image
	for i := range s.Textures[2].Faces {
		faces = append(faces, picture(&s.Textures[2].Faces[i]))
	}
	tiles := make([]byte, 16+64*64*2)
	copy(tiles, "pica200 texels\n")
	require.NoError(t, texture.Encode(tiles[16:], picture(&s.Textures[1].Image).Pix, pica.TextureFormatRGBA4, 64, 64))
	return map[string][]byte{
		"bricks.t3x": t3x(pica.TextureFormatETC1, 5, picture(&s.Textures[0].Image)),
		"sky.t3x":    t3x(pica.TextureFormatRGB565, 3, faces...),
		"tiles.bin":  tiles,
	}
}

// The committed files equal the generated ones.
func TestNativeTextureFilesAreGenerated(t *testing.T) {
	for name, data := range nativeFiles(t) {
		testkit.Golden(t, filepath.Join(nativeFolder, name), data)
	}
}

// A t3x file and raw texels draw the same as the source picture, with levels and with all faces.
func TestNativeTexturesDrawAsPictures(t *testing.T) {
	dir := t.TempDir()
	draw := func(texture, name string) *image.NRGBA {
		path := filepath.Join(dir, "x.yaml")
		require.NoError(t, os.WriteFile(path, []byte(`
target: {width: 64, height: 64}
camera: {eye: [0, 0, 1], height: 1}
models: {q: {shape: quad, size: 0.9}}
uniforms: {"dmp_TexEnv[0].srcRgb": [GL_TEXTURE0, GL_TEXTURE0, GL_TEXTURE0]}
textures: {t: `+texture+`}
draws: [{model: q, textures: [t]}]
`), 0o666))
		st := testkit.Must(Load(path))(t, name)
		return lastPicture(t, st)
	}
	files := nativeFiles(t)
	for name, data := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o666))
	}
	bricks := testkit.Must(texture.ParseT3X(files["bricks.t3x"]))(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "bricks.bin"), bricks.Data, 0o666))
	sky := testkit.Must(texture.ParseT3X(files["sky.t3x"]))(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "sky.bin"), append(make([]byte, 5), sky.Data...), 0o666))

	// The quad has half the size of level 0, so level 1 is read.
	want := draw("{pattern: bricks, size: 128, scale: 6, format: etc1, mipmaps: true, mip: nearest}", "picture")
	require.NotEqual(t, want, draw("{pattern: bricks, size: 128, scale: 6, format: etc1}", "without levels"))
	require.Equal(t, want, draw("{file: bricks.t3x, mip: nearest}", "t3x"))
	require.Equal(t, want, draw("{file: bricks.t3x, mip: nearest, format: etc1}", "t3x that says its format"))
	require.Equal(t, want, draw("{raw: {file: bricks.bin, size: 128, levels: 5}, format: etc1, mip: nearest}", "raw"))
	require.NotEqual(t, want, draw("{raw: {file: bricks.bin, size: 128}, format: etc1, mip: nearest}", "level 0 alone"))
	require.Equal(t, draw("{pattern: tiles, size: 64, scale: 4, colors: [[0.25, 0.4, 0.5], [0.8, 0.82, 0.8]], format: rgba4}", "picture"),
		draw("{raw: {file: tiles.bin, size: [64, 64], offset: 16}, format: rgba4}", "raw"))
	// The coordinates of a quad lie in the faces +x and +y.
	cube := draw("sky.t3x", "cube")
	require.Equal(t, cube, draw("{raw: {file: sky.bin, size: 32, offset: 5, levels: 3, cube: true}, format: rgb565}", "raw cube"))
	require.NotEqual(t, cube.NRGBAAt(40, 15), cube.NRGBAAt(15, 15), "the two sides of the diagonal show different cube faces")
}

// Textures that do not match the scene are refused with the position in the scene.
func TestNativeTextureErrors(t *testing.T) {
	dir := t.TempDir()
	files := nativeFiles(t)
	for name, data := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o666))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "short.t3x"), files["sky.t3x"][:40], 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "none.t3x"), nil, 0o666))
	for text, want := range map[string]string{
		"{file: bricks.t3x, format: rgba8}": "texture bricks.t3x is etc1, and format says rgba8; a t3x file has its own",
		"{file: bricks.t3x, mipmaps: true}": "bring their own",
		"short.t3x":                         "texture short.t3x: not a valid t3x file: offset",
		"none.t3x":                          "0 bytes, want a header of 5",
		"other.t3x":                         "no such file",
		"{levels: [bricks.t3x]}":            "a whole texture",
		"{faces: [a.png, b.png, c.png, d.png, e.png, bricks.t3x]}":           "a whole texture",
		"{raw: {file: tiles.bin, size: 64}}":                                 "raw texels have no format of their own; format says it, one of rgba8",
		"{raw: {size: 64}, format: i4}":                                      "raw texels have no file",
		"{raw: {file: tiles.bin}, format: i4}":                               "raw texels have no size",
		"{raw: {file: tiles.bin, size: 24}, format: i4}":                     "24x24: the sides of a texture are powers of two from 8 to 1024",
		"{raw: {file: tiles.bin, size: [64, 2048]}, format: i4}":             "2048 is out of range",
		"{raw: {file: tiles.bin, size: [64, 8], levels: 2}, format: i4}":     "2 levels; a texture of 64x8 has at most 1",
		"{raw: {file: tiles.bin, size: 64, offset: 17}, format: rgba4}":      "texels tiles.bin: 8191 bytes from offset 17 on; 1 faces of 64x64 in rgba4 with 1 levels take 8192",
		"{raw: {file: tiles.bin, size: 64, offset: 9000}, format: rgba4}":    "texels tiles.bin: 0 bytes from offset 9000 on",
		"{raw: {file: tiles.bin, size: 64, offset: -1}, format: rgba4}":      "-1 is out of range",
		"{raw: {file: tiles.bin, size: 64, cube: true}, format: rgba4}":      "6 faces of 64x64 in rgba4 with 1 levels take 49152",
		"{raw: {file: tiles.bin, size: 8}, format: rgba4, file: bricks.t3x}": "exactly one of file, pattern, faces, levels, raw and from",
		"{raw: {file: ../tiles.bin, size: 8}, format: rgba4}":                "lies outside of the folder",
		"../bricks.t3x": "lies outside of the folder",
		"{raw: {file: /dev/zero, size: 8}, format: rgba4}":            "lies outside of the folder",
		"{raw: {file: tiles.bin, size: 8, stride: 3}, format: rgba4}": `unknown key "stride" in raw texels`,
	} {
		path := filepath.Join(dir, "x.yaml")
		require.NoError(t, os.WriteFile(path, []byte("models: {q: {shape: quad}}\ntextures: {t: "+text+"}\ndraws: [{model: q, textures: [t]}]"), 0o666))
		_, err := Load(path)
		require.ErrorContains(t, err, want, text)
		require.True(t, strings.HasPrefix(err.Error(), path+":2:"), err)
	}
}

// The total size of a scene's textures is limited, however small the files are.
func TestTextureTotalSizeLimit(t *testing.T) {
	var text strings.Builder
	text.WriteString("models: {q: {shape: quad}}\ntextures:\n")
	for i := range 33 { // 4 MiB each
		fmt.Fprintf(&text, "  t%d: {raw: {file: x.bin, size: 1024}, format: rgba8}\n", i)
	}
	text.WriteString("draws: [{model: q}]")
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "x.bin"), make([]byte, 4<<20), 0o666))
	s := testkit.Must(scene.Parse(filepath.Join(dir, "x.yaml"), []byte(text.String())))(t)
	_, err := New(s)
	require.ErrorContains(t, err, "the textures of the scene take more than 128 MiB")
}
