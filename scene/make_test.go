package scene

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"pica200/assets/texture"
	"pica200/pica"
	"pica200/tests/testkit"
)

// made parses a scene whose files are in memory.
func made(t *testing.T, text string, files map[string][]byte) *Scene {
	s := testkit.Must(Parse("s.yaml", []byte(text)))(t)
	fsys := fstest.MapFS{}
	for name, data := range files {
		fsys[name] = &fstest.MapFile{Data: data}
	}
	s.FS = fsys
	return s
}

// Stored results for every pattern with default and with all parameters, and for every shape: a row of pixels or the first and last
// vertices, and a checksum of all.
func TestPatternsAndShapes(t *testing.T) {
	text := "gradients:\n  bark: [[0, 0.1, 0.2, 0.3], [0.5, 1, 1, 1, 0.5], [1, 0, 0.5, 1]]\ntextures:\n"
	for kind := range strings.FieldsSeq("checker stripes gradient disc glow bricks brick_normals bump_normals noise wood tiles solid") {
		text += fmt.Sprintf("  %[1]s: {pattern: %[1]s, size: 64}\n  %[1]s2: {pattern: %[1]s, size: [32, 8], scale: 3, seed: 5, relief: 2, colors: [[1, 0.5, 0.25, 0.75], [0, 0.1, 0.9]]}\n", kind)
		if !strings.HasSuffix(kind, "normals") {
			text += fmt.Sprintf("  %[1]s4: {pattern: %[1]s, size: 16, colors: [[0, 1, 0]]}\n", kind)
			if kind != "solid" {
				text += fmt.Sprintf("  %[1]s3: {pattern: %[1]s, size: [8, 32], scale: 1, gradient: bark, seed: 77}\n", kind)
			}
		}
	}
	text += "models:\n"
	for i, shape := range []string{"box", "sphere", "torus", "knot", "plane", "quad", "terrain", "cylinder", "cone"} {
		text += fmt.Sprintf("  %[1]s: {shape: %[1]s}\n  %[1]s1: {shape: %[1]s, size: 3, detail: 7, color: [1, 0.5, 0.25, 0.75]}\n  %[1]s3: {shape: %[1]s, size: [3, 0.5, 0.75], detail: [5, 4], seed: %[2]d}\n", shape, i)
	}
	text += "  points: {shape: points}\n  points3: {shape: points, count: 7, size: 0.25, seed: 4, spread: [1, 2, 3], color: [1, 0.5, 0.25, 0.75]}\ndraws: [{model: box}]\n"
	s := made(t, text, nil)
	var b strings.Builder
	for i := range s.Textures {
		im := testkit.Must(s.Textures[i].Image.Make(s))(t)
		y := im.Rect.Dy() / 3
		fmt.Fprintf(&b, "%s: %d x %d, CRC-32 %08x, %x\n", s.Textures[i].Name, im.Rect.Dx(), im.Rect.Dy(), crc32.ChecksumIEEE(im.Pix), im.Pix[y*im.Stride:][:4*min(im.Rect.Dx(), 16)])
	}
	for i := range s.Models {
		m := testkit.Must(s.Models[i].Shape.Make())(t)
		p := &m.Meshes[0].Parts[0]
		last := len(p.Positions) - 1
		lo, hi := p.Positions[0], p.Positions[0]
		for _, v := range p.Positions {
			for k := range v {
				lo[k], hi[k] = min(lo[k], v[k]), max(hi[k], v[k])
			}
		}
		fmt.Fprintf(&b, "%s: %d vertices, %d indices, %.3f to %.3f, last %.3f, CRC-32 %08x\n", s.Models[i].Name, last+1, len(p.Indices), lo, hi, p.Positions[last], crc32.ChecksumIEEE([]byte(testkit.Dump(m))))
	}
	testkit.Golden(t, "testdata/made.txt", []byte(strings.ReplaceAll(b.String(), "-0.000", "0.000")))
}

// The normals of a relief follow the slope given by its depth.
func TestReliefNormals(t *testing.T) {
	ramp := func(u, v float64) float64 { return 2*u - v }
	p := Pattern{Width: 64, Height: 16, Depth: 0.5, Scale: 4}
	k := 4 * 0.5 / 4 / 16.0 // 4 times the depth, over a sixteenth of a repetition
	n := mgl64.Vec3{-2 * k, k, 1}.Normalize()
	got := p.normal(0.3, 0.7, ramp)
	require.InDeltaSlice(t, []float64{0.5 + n[0]/2, 0.5 + n[1]/2, 0.5 + n[2]/2, 1}, got[:], 1e-9)
	require.Equal(t, 0.5, smooth(0.5))
	require.Equal(t, 0.0, smooth(-3))
	require.Equal(t, 1.0, smooth(3))
	require.InDelta(t, 3*0.0625-2*0.015625, smooth(0.25), 1e-15)
}

// Texels, pictures, vertices and indices are read from files; bad files give errors with the position in the scene.
func TestFilesReadByScenes(t *testing.T) {
	var img bytes.Buffer
	require.NoError(t, png.Encode(&img, image.NewNRGBA(image.Rect(0, 0, 3, 2))))
	texels := make([]byte, 4+2*(64*32+32*16)*6)
	for i := range texels {
		texels[i] = byte(i * 7)
	}
	t3x := testkit.Must((&texture.T3X{Format: texture.Format(pica.TextureFormatRGBA8), Width: 8, Height: 8, Levels: 1, Data: texels[:256]}).Encode())(t)
	files := map[string][]byte{"a.png": img.Bytes(), "bad.png": []byte("nothing"), "a.t3x": t3x, "bad.t3x": t3x[:9], "z.bin": texels, "short.bin": texels[:len(texels)-1],
		"v.csv": []byte("x,y,z\n0,0,0\n1,0,0\n0,1,0\n0,0,2\n"), "n.csv": []byte("x,y,z,nx,ny,nz\n0,0,0,0,0,1\n1,0,0,0,0,1\n0,1,0,0,0,1\n"), "bad.csv": []byte("x,y,z\n1,2\n"),
		"i.txt": []byte("0 1 2 0 3 1\n"), "i.bin": {9, 0, 1, 2, 0, 3, 1, 8}, "bad.txt": []byte("0 x\n"), "j.json": []byte(`{"position":[[0,0,0],[1,0,0],[0,1,0]],"indices":[2,1,0]}`)}
	s := made(t, `
programs: {p: {sources: [p.pica, q.pica]}, b: {file: p.shbin}}
textures:
  ok: {file: a.png}
  none: {file: gone.png}
  bad: {file: bad.png}
  out: {file: ../a.png}
  t3x: {file: a.t3x}
  t3x same: {file: a.t3x, format: rgba8}
  t3x la8: {file: a.t3x, format: ia8}
  t3x none: {file: gone.t3x}
  t3x bad: {file: bad.t3x}
  raw: {raw: {file: z.bin, size: [64, 32], offset: 4, levels: 2, cube: true}, format: ia8}
  raw one: {raw: {file: z.bin, size: [64, 32], offset: 3}, format: i8}
  raw short: {raw: {file: short.bin, size: [64, 32], offset: 4, levels: 2, cube: true}, format: ia8}
  raw behind: {raw: {file: z.bin, size: [64, 32], offset: 60000000}, format: i8}
  raw none: {raw: {file: gone.bin, size: [64, 32]}, format: i8}
  faces: {faces: [a.png, f1.png, f2.png, f3.png, f4.png, a.png]}
  levels: {levels: [a.png, l1.png]}
models:
  v: {vertices: v.csv}
  flat: {vertices: {file: v.csv}, indices: {file: i.txt}, normals: flat}
  smooth: {vertices: {file: v.csv}, indices: [0, 1, 2, 0, 3, 1], normals: smooth}
  bytes: {vertices: {file: v.csv}, indices: {file: i.bin, type: ubyte, offset: 1, count: 6}}
  own: {vertices: {file: n.csv}, normals: flat}
  json: {vertices: j.json}
  said: {vertices: {file: n.csv, format: csv}}
  gone: {vertices: gone.csv}
  bad: {vertices: bad.csv}
  no indices: {vertices: {file: v.csv}, indices: {file: gone.txt}}
  bad indices: {vertices: {file: v.csv}, indices: {file: bad.txt}}
  wild indices: {vertices: {file: v.csv}, indices: [0, 1, 4]}
  no triangles: {vertices: {file: v.csv}, normals: flat}
draws: [{model: v}]
`, files)
	s.Inline = map[string][]byte{"f4.png": nil}
	var b strings.Builder
	for i := range s.Textures {
		x := &s.Textures[i]
		native, err := x.Native(s)
		if err == nil && native == nil && x.Image.File != "" {
			var im *image.NRGBA
			if im, err = x.Image.Make(s); err == nil {
				fmt.Fprintf(&b, "%s: picture of %v\n", x.Name, im.Rect.Max)
			}
		}
		if native != nil {
			fmt.Fprintf(&b, "%s: %v, %d x %d, levels %d, cube %v, %d bytes, CRC-32 %08x\n", x.Name, native.Format, native.Width, native.Height, native.Levels, native.Cube, len(native.Data), crc32.ChecksumIEEE(native.Data))
		}
		if err != nil {
			fmt.Fprintf(&b, "%s: %v\n", x.Name, err)
		}
	}
	for i := range s.Models {
		m, numbers, err := s.Models[i].Vertices.Make(s, s.Models[i].Name)
		if err != nil {
			fmt.Fprintf(&b, "%s: %v\n", s.Models[i].Name, err)
			continue
		}
		fmt.Fprintf(&b, "%s: of %d numbers\n%s\n", m.Name, numbers, testkit.Dump(m))
	}
	fmt.Fprintf(&b, "files: %v\n", s.Files())
	testkit.Golden(t, "testdata/files.txt", []byte(b.String()))

	im := Image{Pattern: &Pattern{Kind: "solid", Width: 8, Height: 8, Gradient: "gone"}}
	_, err := im.Make(s)
	require.ErrorContains(t, err, `the scene has no gradient "gone"`)
	_, err = (&Shape{Kind: "what"}).Make()
	require.ErrorContains(t, err, `no shape "what"`)
	_, err = (&Texture{Raw: &Raw{File: "z.bin", Width: 8, Height: 8, Levels: 1}, Format: "what"}).Native(s)
	require.ErrorContains(t, err, `there is no texture format "what"`)
}

// Files are read up to a size limit, and only from the scene's folders.
func TestFileFoldersAndSizeLimit(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"in/s.yaml", "in/a", "root/b", "out/c"} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("draws: []\n"), 0o666))
	}
	s := testkit.Must(Load(filepath.Join(dir, "in/s.yaml"), filepath.Join(dir, "root")))(t)
	s.Inline = map[string][]byte{"given": []byte("12345")}
	inMemory := &Scene{FS: os.DirFS(filepath.Join(dir, "in")), Inline: s.Inline}
	for _, c := range []struct {
		s     *Scene
		file  string
		limit int64
		want  string
	}{
		{s, "a", 10, ""}, {s, "a", 9, "the file has 10 bytes, at most 9 are read"}, {s, "../root/b", 10, ""}, {s, filepath.Join(dir, "root/b"), 10, ""},
		{s, "../out/c", 10, "../out/c lies outside of the folder " + filepath.Join(dir, "in") + "; --root allows another"},
		{s, "gone", 10, "no such file"}, {s, "given", 5, ""}, {s, "given", 4, "given has 5 bytes; at most 4 are read"},
		{inMemory, "a", 10, ""}, {inMemory, "a", 9, "read a: "}, {inMemory, "../root/b", 10, "../root/b lies outside of the files that are given"},
		{inMemory, "gone", 10, "gone"}, {inMemory, "given", 5, ""},
	} {
		data, err := c.s.Read(c.file, c.limit)
		if c.want == "" {
			require.NoError(t, err, c.file)
			require.NotEmpty(t, data)
			continue
		}
		require.ErrorContains(t, err, c.want, c.file)
		require.Nil(t, data)
	}
	require.Equal(t, filepath.Join(dir, "in/a"), s.Path("a"))
	require.Equal(t, filepath.Join(dir, "x"), s.Path(filepath.Join(dir, "x")))
	_, err := Load(filepath.Join(dir, "gone.yaml"))
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "bad.yaml"), []byte("draws: [{}]\n"), 0o666))
	_, err = Load(filepath.Join(dir, "bad.yaml"))
	require.ErrorContains(t, err, "bad.yaml")
}

// Is and Looks recognize scenes by file name and by keys.
func TestSceneIsRecognized(t *testing.T) {
	for name, want := range map[string]bool{"a.yaml": true, "a.YML": true, "x/a.case.yaml": false, "a.json": false, "yaml": false} {
		require.Equal(t, want, Is(name, nil), name)
	}
	for text, want := range map[string]bool{
		"draws: []\n": true, "# a\n\nname: x\npasses:\n  - whatever: 1\n- more\ntime: 2\n": true, "name: x\n": false, "": false,
		"draws: []\nwhat: 1\n": false, "draws\n": false, "draws: []\x00": false, "\tdraws: []\n": false, " draws: []\n": false,
	} {
		require.Equal(t, want, Detect([]byte(text)), "%q", text)
	}
	moving := &Curve{Keys: []Key{{0, []float64{1, 2, 3, 4}}, {2, []float64{3, 6, 9, 12}}}}
	require.Equal(t, mgl64.Vec3{2, 4, 6}, moving.Vec3(1, mgl64.Vec3{9, 9, 9}))
	require.Equal(t, 2.0, moving.Scalar(1, 9))
	short := &Curve{Keys: []Key{{0, []float64{1, 2}}}}
	require.Equal(t, mgl64.Vec3{9, 8, 7}, short.Vec3(1, mgl64.Vec3{9, 8, 7}))
	require.Equal(t, 9.0, (*Curve)(nil).Scalar(1, 9))
}
