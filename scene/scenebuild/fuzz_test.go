package scenebuild

import (
	"bytes"
	"context"
	"errors"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/assets/texture"
	"pica200/scene"
)

// fuzzTime bounds a drawing; a scene may ask for work without end.
const fuzzTime = 5 * time.Second

// drawn draws a scene and requires that what was drawn can be read.
func drawn(t *testing.T, st *Stage) {
	ctx, cancel := context.WithTimeout(t.Context(), fuzzTime)
	defer cancel()
	g, _, err := st.Render(ctx, st.Scene.Time, Options{Workers: 1})
	if err != nil {
		require.NotEmpty(t, err.Error())
		return
	}
	_, err = g.LastTarget()
	require.NoError(t, err)
}

// FuzzBuild draws scenes of any text: they end with a picture or an error.
func FuzzBuild(f *testing.F) {
	seeds, err := filepath.Glob("../../testdata/scenes/*.yaml")
	require.NoError(f, err)
	require.NotEmpty(f, seeds)
	for _, path := range seeds {
		text, err := os.ReadFile(path)
		require.NoError(f, err)
		f.Add(text)
	}
	f.Add([]byte("models: {q: {shape: points, count: 10}}\ndraws: [{model: q, registers: [{reg: 0x11E, value: 0xFFFFFFFF}]}]\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := scene.Parse("../../testdata/scenes/fuzz.yaml", text)
		if err != nil {
			return
		}
		st, err := New(s)
		if err != nil {
			return
		}
		drawn(t, st)
	})
}

// FuzzTexture draws a quad with any bytes as its picture: a PNG, JPEG or TGA
// file, or a t3x one of which the first level is taken.
func FuzzTexture(f *testing.F) {
	for _, path := range []string{"../../testdata/golden/lit-color.png", "../../inspect/testdata/picture.t3x"} {
		data, err := os.ReadFile(path)
		require.NoError(f, err)
		f.Add(data, uint8(0))
	}
	tga := append([]byte{2: 2, 12: 8, 14: 8, 16: 32, 17: 8}, make([]byte, 8*8*4)...)
	f.Add(tga, uint8(3))
	f.Fuzz(func(t *testing.T, data []byte, format uint8) {
		if texture.IsT3X(data) {
			file, err := texture.ParseT3X(data)
			if err != nil {
				return
			}
			im, err := file.Image(0, 0)
			if err != nil {
				return
			}
			var b bytes.Buffer
			require.NoError(t, im.WritePNG(&b))
			_, err = png.DecodeConfig(bytes.NewReader(b.Bytes()))
			require.NoError(t, err)
			data = b.Bytes()
		}
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "t.png"), data, 0o666))
		name := scene.TextureFormats[int(format)%len(scene.TextureFormats)]
		s, err := scene.Parse(filepath.Join(dir, "s.yaml"), []byte(`
target: {width: 64, height: 64, clear: {color: [0, 0, 0, 1], depth: 1}}
textures: {a: {file: t.png, mipmaps: true, format: `+name+`}}
models: {q: {shape: quad}}
uniforms: {"dmp_TexEnv[0].srcRgb": [GL_TEXTURE0, GL_TEXTURE0, GL_TEXTURE0]}
draws: [{model: q, textures: [a]}]
`))
		require.NoError(t, err)
		st, err := New(s)
		if err != nil {
			require.False(t, errors.Is(err, os.ErrNotExist), err)
			return
		}
		drawn(t, st)
	})
}
