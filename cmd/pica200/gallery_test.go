package main

import (
	"fmt"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/texture"
	"pica200/pica"
	"pica200/tests/testkit"
)

// TestGallery draws the scenes of make run: each has a name and a description, and its picture is on the page.
func TestGallery(t *testing.T) {
	dir := t.TempDir()
	require.Contains(t, ok(t, "gallery", "../../testdata/scenes", "-o", dir), filepath.Join(dir, "index.html"))
	page := testkit.Read(t, filepath.Join(dir, "index.html"))
	scenes := testkit.Must(filepath.Glob("../../testdata/scenes/*.yaml"))(t)
	require.GreaterOrEqual(t, len(scenes), 6)
	for _, s := range scenes {
		base := strings.TrimSuffix(filepath.Base(s), ".yaml")
		require.FileExists(t, filepath.Join(dir, base+".png"))
		require.Contains(t, string(page), `src="`+base+`.png"`)
		require.NotContains(t, string(page), "<h2>"+base+"</h2>", "scene %s has no name", base)
	}
	require.Equal(t, len(scenes), strings.Count(string(page), "<p>"), "each scene has a description, models have none")
	require.NotContains(t, string(page), "<p></p>")

	fails(t, exitFailed, "holds no scene", "gallery", dir, "-o", dir)
}

// A folder of mixed files: models with textures, shaders and textures have pictures; files used by a scene are not listed alone;
// damaged files are left out with a warning.
func TestGalleryOfMixedFiles(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	from := map[string]string{"textures.cgfx": "../../testdata/models/textures.cgfx", "arm.bch": "../../testdata/models/arm.bch", "arm.bnr": "../../testdata/models/arm.bnr",
		"arm.gltf": "../../testdata/scenes/arm.gltf", "skin.yaml": "../../testdata/scenes/skin.yaml", "lone.v.pica": "../../shaderunit/shaders/pica/basic.v.pica"}
	for name, path := range from {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), testkit.Read(t, path), 0o666))
	}
	texels := texture.NewImage(16, 8)
	texels.Pix[0] = 0xFF0000FF // bottom left is red
	data := make([]byte, texture.Size(pica.TextureFormatRGBA8, 16, 8))
	require.NoError(t, texture.Encode(data, texels.Pix, pica.TextureFormatRGBA8, 16, 8))
	t3x := texture.T3X{Format: pica.TextureFormatRGBA8, Width: 16, Height: 8, Levels: 1, Data: data, Compression: texture.LZ11}
	packed := testkit.Must(t3x.Encode())(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "dot.t3x"), packed, 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "short.cgfx"), []byte("CGFX"), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("nothing to see"), 0o666))
	sheet := filepath.Join(out, "sheet.png")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "bad.yaml"), []byte("draws: [{model: <none>}]\n"), 0o666))
	_, stderr := ends(t, exitFailed, "gallery", dir, "-o", out, "--textures", "--sheet", sheet)
	require.Contains(t, stderr, "2 files of "+dir+" could not be drawn")
	require.Equal(t, 2, strings.Count(stderr, "warning: "), stderr)
	html := mustRead(t, filepath.Join(out, "index.html"))
	require.Contains(t, html, "bad.yaml:1:")
	require.Contains(t, html, "&lt;none&gt;")
	require.Contains(t, html, filepath.Join(dir, "short.cgfx")+": ")
	require.NoFileExists(t, filepath.Join(out, "bad.png"))
	require.Contains(t, stderr, filepath.Join(dir, "short.cgfx")+": ")
	var want []string
	for _, name := range []string{"arm.bch", "arm.bnr", "dot.t3x", "lone.v.pica", "skin", "textures.cgfx"} {
		want = append(want, name+".png")
	}
	for i := range 21 {
		want = append(want, fmt.Sprintf("textures.cgfx-texture%d.png", i))
	}
	require.ElementsMatch(t, append([]string{"index.html", "sheet.png"}, want...), listFiles(t, out))
	page := testkit.Read(t, filepath.Join(out, "index.html"))
	for _, name := range want {
		require.Contains(t, string(page), `src="`+name+`"`)
	}
	require.Contains(t, string(page), "<p>rgba8, 16x8 texels, 1 levels, 0 subtextures</p>")
	dot := pixels(t, filepath.Join(out, "dot.t3x.png"))
	require.Equal(t, image.Rect(0, 0, 16, 8), dot.Bounds())
	require.Equal(t, color.NRGBA{255, 0, 0, 255}, color.NRGBAModel.Convert(dot.At(0, 7)))
	require.Equal(t, image.Rect(0, 0, 48, 8), pixels(t, filepath.Join(out, "textures.cgfx-texture19.png")).Bounds(), "the six faces of a cube map side by side")
	all := pixels(t, sheet)
	require.Equal(t, image.Rect(0, 0, 6*208+8, 5*146+8), all.Bounds(), "the sheet has room for 27 pictures")
	require.Equal(t, color.NRGBA{255, 0, 0, 255}, color.NRGBAModel.Convert(all.At(8+2*208+92, 8+56+7)), "the third picture, one red pixel, is centred in its cell")

	ends(t, exitUsage, "gallery", dir, "-o", out, "--sheet", filepath.Join(dir, "dot.t3x"))
}
