package scenebuild

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/assets/cgfx"
	"pica200/assets/texture"
	"pica200/scene"
	"pica200/tests/testkit"
)

// A model's draw that the hardware rejects is left out with a note; in a scene with draws of its own it is an error.
func TestRejectedModelDrawsAreSkipped(t *testing.T) {
	data := testkit.Read(t, "../../testdata/models/kit.cgfx")
	f := testkit.Must(cgfx.Parse(data))(t)
	f.Models.Get("COMMON").Materials.Get("skin").Fragment.Combiners[0].Command[3] = 12
	data = testkit.Must(f.Encode())(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "kit.cgfx")
	require.NoError(t, os.WriteFile(path, data, 0o666))
	st := testkit.Must(Load(path))(t)
	g, _, err := st.Render(t.Context(), 0, Options{Workers: 1})
	require.NoError(t, err)
	g.Close()
	require.Len(t, st.Notes(), 1)
	require.Contains(t, st.Notes()[0], "combiner stage 0: function 12 does not exist")
	g, _, err = st.Render(t.Context(), 1, Options{Workers: 1})
	require.NoError(t, err)
	g.Close()
	require.Len(t, st.Notes(), 1, "notes are those of the last picture only")
	require.NoError(t, st.Diagnose(t.Context(), 0, Options{Workers: 1}))
	_, err = st.Record(t.Context(), []float64{0}, Options{Workers: 1})
	require.NoError(t, err)

	scene := filepath.Join(dir, "own.yaml")
	require.NoError(t, os.WriteFile(scene, []byte("models: {kit: {file: kit.cgfx}, box: {shape: box}}\ndraws: [{model: kit}, {model: box}]\n"), 0o666))
	st = testkit.Must(Load(scene))(t)
	_, _, err = st.Render(t.Context(), 0, Options{Workers: 1})
	require.ErrorContains(t, err, "function 12 does not exist")
}

// A file in which no mesh has indices is refused with the names of the meshes.
func TestModelsWithoutIndices(t *testing.T) {
	data := testkit.Read(t, "../../testdata/models/kit.cgfx")
	f := testkit.Must(cgfx.Parse(data))(t)
	for _, m := range f.Models.Values() {
		for _, s := range m.Shapes {
			for _, set := range s.Sets {
				for _, p := range set.Primitives {
					p.Streams = nil
				}
			}
		}
	}
	data = testkit.Must(f.Relayout())(t)
	path := filepath.Join(t.TempDir(), "kit.cgfx")
	require.NoError(t, os.WriteFile(path, data, 0o666))
	st := testkit.Must(Load(path))(t)
	_, _, err := st.Render(t.Context(), 0, Options{Workers: 1})
	require.ErrorContains(t, err, "nothing is drawn: ")
	require.ErrorContains(t, err, " has no index stream: nothing says which vertices make its triangles")
}

// fuzzTime limits a drawing, because a scene may ask for endless work.
const fuzzTime = 5 * time.Second

// drawn draws a scene and requires that its target can be read.
func drawn(t *testing.T, st *Stage) {
	ctx, cancel := context.WithTimeout(t.Context(), fuzzTime)
	defer cancel()
	g, _, err := st.Render(ctx, st.Scene.Time, Options{Workers: 1})
	if err != nil {
		require.NotEmpty(t, err.Error())
		return
	}
	defer g.Close()
	_, err = g.LastTarget()
	require.NoError(t, err)
}

// FuzzBuild draws arbitrary scenes: the result is a picture or an error.
func FuzzBuild(f *testing.F) {
	seeds := testkit.Must(filepath.Glob("../../testdata/scenes/*.yaml"))(f)
	require.NotEmpty(f, seeds)
	for _, path := range seeds {
		text := testkit.Must(os.ReadFile(path))(f)
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

// FuzzTexture draws a quad with arbitrary bytes as its texture: PNG, JPEG, TGA, t3x, or raw texels.
func FuzzTexture(f *testing.F) {
	for _, path := range []string{"../../testdata/golden/lit-color.png", "../../explain/inspect/testdata/picture.t3x", nativeFolder + "/sky.t3x"} {
		data := testkit.Must(os.ReadFile(path))(f)
		f.Add(data, uint8(0), uint8(0), uint16(0))
	}
	tga := append([]byte{2: 2, 12: 8, 14: 8, 16: 32, 17: 8}, make([]byte, 8*8*4)...)
	f.Add(tga, uint8(3), uint8(0), uint16(0))
	f.Add(tga, uint8(10), uint8(1), uint16(18))
	f.Add(tga, uint8(12), uint8(0xE9), uint16(1))
	f.Fuzz(func(t *testing.T, data []byte, format, shape uint8, offset uint16) {
		dir := t.TempDir()
		name := scene.TextureFormats[int(format)%len(scene.TextureFormats)]
		text := "{file: t.png, mipmaps: true, format: " + name + "}"
		switch {
		case texture.IsT3X(data):
			text = "t.t3x"
		case shape != 0:
			text = fmt.Sprintf("{raw: {file: t.png, size: [%d, %d], levels: %d, cube: %v, offset: %d}, format: %s}",
				8<<(shape&3), 8<<(shape>>2&3), 1+shape>>4&3, shape&0x80 != 0, offset, name)
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, "t.png"), data, 0o666))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "t.t3x"), data, 0o666))
		s, err := scene.Parse(filepath.Join(dir, "s.yaml"), []byte(`
target: {width: 64, height: 64, clear: {color: [0, 0, 0, 1], depth: 1}}
textures: {a: `+text+`}
models: {q: {shape: quad}}
uniforms: {"dmp_TexEnv[0].srcRgb": [GL_TEXTURE0, GL_TEXTURE0, GL_TEXTURE0]}
draws: [{model: q, textures: [a]}]
`))
		if err != nil {
			require.ErrorContains(t, err, "levels") // the only possible mistake in the text
			return
		}
		st, err := New(s)
		if err != nil {
			require.False(t, errors.Is(err, os.ErrNotExist), err)
			return
		}
		drawn(t, st)
	})
}
