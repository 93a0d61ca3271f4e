package scenebuild

import (
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/stretchr/testify/require"

	"pica200/assets/model"
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

// vertexFiles makes the files of testdata/scenes/vertices: hills as CSV with triangles as bytes, a crystal as JSON, and a ribbon in
// a program's memory layout (16-bit numbers as a strip after a header).
func vertexFiles() map[string][]byte {
	const n = 21
	var hills strings.Builder
	hills.WriteString("# hills: a grid of 21 by 21 places\nx,y,z,r,g,b\n")
	var triangles []byte
	for j := range n {
		for i := range n {
			x, z := float64(i)/4-2.5, float64(j)/4-2.5
			y := float64(0.5*math.Sin(1.9*x)*math.Cos(1.6*z)) + float64(0.12*math.Sin(5*x+3*z))
			t := max(0, min(1, y+0.45))
			fmt.Fprintf(&hills, "%.2f,%.3f,%.2f,%.2f,%.2f,%.2f\n", x, y, z, 0.2+float64(0.7*t), 0.45+float64(0.4*t), 0.15+float64(0.6*t))
			if i > 0 && j > 0 {
				a := uint16(j*n + i)
				for _, v := range []uint16{a - n - 1, a - 1, a - n, a - n, a - 1, a} {
					triangles = binary.LittleEndian.AppendUint16(triangles, v)
				}
			}
		}
	}
	crystal := `{
  "position": [[0, 1.3, 0], [0.5, 0.1, 0], [0.25, 0, 0.43], [-0.25, 0.1, 0.43], [-0.5, 0, 0], [-0.25, 0.1, -0.43], [0.25, 0, -0.43], [0, -0.7, 0]],
  "color": [[0.9, 0.95, 1], [0.4, 0.7, 0.95], [0.4, 0.7, 0.95], [0.4, 0.7, 0.95], [0.4, 0.7, 0.95], [0.4, 0.7, 0.95], [0.4, 0.7, 0.95], [0.25, 0.4, 0.8]],
  "indices": [[0, 2, 1], [0, 3, 2], [0, 4, 3], [0, 5, 4], [0, 6, 5], [0, 1, 6], [7, 1, 2], [7, 2, 3], [7, 3, 4], [7, 4, 5], [7, 5, 6], [7, 6, 1]]
}
`
	ribbon := []byte("a ribbon, 12 bytes a vertex\n....")
	for i := range 60 {
		a := float64(i/2) / 29 * 4 * math.Pi
		r := 1.05 + float64(0.25*math.Sin(2.5*a))
		y := float64(i/2)/29*1.6 - 0.5
		if i&1 == 1 {
			y += 0.16
		}
		for _, v := range []float64{r * math.Cos(a), y, r * math.Sin(a)} {
			ribbon = binary.LittleEndian.AppendUint16(ribbon, uint16(int16(math.Round(v*1000))))
		}
		ribbon = append(ribbon, 0, 0, byte(255-i*3), byte(80+i*2), 40, 255)
	}
	return map[string][]byte{"hills.csv": []byte(hills.String()), "hills.bin": triangles, "crystal.json": []byte(crystal), "ribbon.bin": ribbon}
}

const vertexFolder = "../../testdata/scenes/vertices"

// The committed files equal the generated ones.
func TestVertexFilesAreGenerated(t *testing.T) {
	for name, data := range vertexFiles() {
		testkit.Golden(t, filepath.Join(vertexFolder, name), data)
	}
}

// The same quad from each kind of file gives the picture of the shape.
func TestVerticesDrawAsShapes(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, data []byte) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o666))
	}
	write("quad.csv", []byte("x,y,z,nx,ny,nz,u,v\n-0.5,-0.5,0,0,0,1,0,0\n0.5,-0.5,0,0,0,1,1,0\n-0.5,0.5,0,0,0,1,0,1\n0.5,0.5,0,0,0,1,1,1\n"))
	write("quad.json", []byte(`{"position": [-0.5, -0.5, 0, 0.5, -0.5, 0, -0.5, 0.5, 0, 0.5, 0.5, 0], "texcoord": [[0, 0], [1, 0], [0, 1], [1, 1]], "indices": [0, 1, 2, 2, 1, 3]}`))
	write("quad.bin", []byte("....\xFF\xFF\x00\x00\x01\xFF\x01\x00\xFF\x01\x00\x01\x01\x01\x01\x01\x00\x01\x02\x02\x01\x03"))
	write("strip.txt", []byte("0 1 2 3"))
	draw := func(models, more string) any {
		path := filepath.Join(dir, "x.yaml")
		require.NoError(t, os.WriteFile(path, []byte(`
target: {width: 64, height: 64}
camera: {eye: [0, 0, 1], height: 1.2}
lights: [{position: [0, 0, 2]}]
textures: {t: {pattern: bricks, size: 32, scale: 2}}
uniforms: {"dmp_TexEnv[0].srcRgb": [GL_TEXTURE0, fragment_primary_color, GL_TEXTURE0], "dmp_TexEnv[0].combineRgb": GL_MODULATE}
models: {q: `+models+`}
draws: [{model: q, textures: [t], material: false`+more+`}]
`), 0o666))
		st := testkit.Must(Load(path))(t, models)
		return lastPicture(t, st)
	}
	want := draw("{shape: quad}", "")
	const flat = "{vertices: quad.json, normals: flat}"
	require.Equal(t, want, draw("{vertices: quad.csv, indices: [0, 1, 2, 2, 1, 3]}", ""))
	require.Equal(t, want, draw(flat, ""))
	require.Equal(t, want, draw("{vertices: quad.json, normals: smooth}", ""))
	require.NotEqual(t, want, draw("{vertices: quad.json}", ""), "without normals the picture differs")
	require.Equal(t, want, draw("{vertices: {file: quad.bin, offset: 4, count: 4, layout: [{stream: position, type: byte, size: 2, scale: 0.5}, {stream: texcoord, type: ubyte}]}, indices: {file: quad.bin, type: ubyte, offset: 20}, normals: flat}", ""))
	require.Equal(t, want, draw("{vertices: quad.csv, indices: strip.txt}", ", primitive: strip"))
	require.Equal(t, want, draw("{vertices: {file: quad.csv, format: csv, layout: [position, normal, texcoord]}, indices: {file: strip.txt, count: 4}}", ", primitive: strip"))
}

// With flat shading a triangle has the colour of its last vertex.
func TestFlatKey(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.yaml")
	require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(path), "quad.csv"), []byte("x,y,z,r,g,b\n-1,-1,0,1,0,0\n1,-1,0,0,0,1\n-1,1,0,1,1,0\n1,1,0,0,1,0\n"), 0o666))
	for keys, want := range map[string][2]color.NRGBA{
		"":                               {{191, 64, 64, 255}, {64, 191, 64, 255}},
		", flat: true":                   {{255, 255, 0, 255}, {0, 255, 0, 255}},
		", flat: true, primitive: strip": {{255, 255, 0, 255}, {0, 255, 0, 255}},
		", flat: true, registers: [{reg: 0x058, value: 0}]": {{191, 64, 64, 255}, {64, 191, 64, 255}},
	} {
		indices := "[0, 1, 2, 2, 1, 3]"
		if strings.Contains(keys, "strip") {
			indices = "[0, 1, 2, 3]"
		}
		require.NoError(t, os.WriteFile(path, []byte("target: {width: 64, height: 64}\ncamera: {eye: [0, 0, 1], height: 2}\nmodels: {q: {vertices: quad.csv, indices: "+indices+"}}\ndraws: [{model: q, material: false"+keys+"}]"), 0o666))
		img := lastPicture(t, testkit.Must(Load(path))(t))
		got := [2]color.NRGBA{img.NRGBAAt(16, 48), img.NRGBAAt(48, 16)}
		for i := range want {
			require.InDeltaSlice(t, []uint8{want[i].R, want[i].G, want[i].B}, []uint8{got[i].R, got[i].G, got[i].B}, 10, keys)
		}
	}
}

// Invalid vertex files and settings are refused with the position in the scene.
func TestVertexErrors(t *testing.T) {
	dir := t.TempDir()
	for name, data := range vertexFiles() {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o666))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "bad.csv"), []byte("x,y,z\n1,2,huh\n"), 0o666))
	for text, want := range map[string]string{
		"{vertices: none.csv}":                                                     "vertices none.csv: no such file",
		"{vertices: bad.csv}":                                                      `vertices bad.csv: line 2, column 5: expected a number for position, found "huh"`,
		"{vertices: ../bad.csv}":                                                   "lies outside of the folder",
		"{vertices: /dev/zero}":                                                    "lies outside of the folder",
		"{vertices: ribbon.bin}":                                                   "a binary file needs a layout",
		"{vertices: {layout: [position]}}":                                         "a list of vertices has a file",
		"{vertices: {file: ribbon.bin, layout: [position]}}":                       "bytes follow the last of",
		"{vertices: {file: ribbon.bin, layout: [positoin]}}":                       `the nearest valid name is "position"`,
		"{vertices: {file: ribbon.bin, layout: [{size: 2}]}}":                      "an element of a layout has exactly one of stream and skip, found 0",
		"{vertices: {file: ribbon.bin, layout: [position, position]}}":             "position appears twice",
		"{vertices: {file: ribbon.bin, layout: [{stream: position, scale: 0}]}}":   "the scale must not be 0",
		"{vertices: {file: ribbon.bin, layout: [{stream: position, type: half}]}}": "valid are byte, ubyte, short",
		"{vertices: {file: ribbon.bin, stride: -12, layout: [position]}}":          "-12 is out of range; expected 1 to 65536",
		"{vertices: {file: ribbon.bin, count: 99999999, layout: [position]}}":      "99999999 is out of range",
		"{vertices: {file: hills.csv, stride: 12}}":                                "stride is for bytes, and the file is csv",
		"{vertices: {file: hills.csv, format: xml}}":                               `unknown value "xml" in format; valid are csv, json, binary`,
		"{vertices: crystal.json, indices: [0, 1, 8]}":                             "index 2 is 8; there are 8 vertices",
		"{vertices: crystal.json, indices: [0, 1], normals: flat}":                 "2 indices are not whole triangles",
		"{vertices: crystal.json, indices: []}":                                    "expected a list of 1 to 4194304 indices, found 0",
		"{vertices: crystal.json, indices: {type: ubyte}}":                         "a list of indices has a file",
		"{vertices: crystal.json, indices: {file: hills.bin, type: float}}":        "valid are ubyte, ushort, uint",
		"{vertices: crystal.json, indices: none.bin}":                              "indices none.bin: no such file",
		"{vertices: crystal.json, indices: bad.csv}":                               `indices bad.csv: line 1: "x" is not an index`,
		"{vertices: crystal.json, normals: round}":                                 "valid are none, flat, smooth",
		"{shape: box, normals: flat}":                                              "normals goes with vertices",
		"{shape: box, indices: [0]}":                                               "indices goes with vertices",
		"{shape: box, vertices: crystal.json}":                                     "a model has exactly one of file, shape and vertices",
	} {
		path := filepath.Join(dir, "x.yaml")
		require.NoError(t, os.WriteFile(path, []byte("draws: [{model: m}]\nmodels: {m: "+text+"}\n"), 0o666))
		_, err := Load(path)
		require.ErrorContains(t, err, want, text)
		require.True(t, strings.HasPrefix(err.Error(), path+":2:"), err)
	}
	s := testkit.Must(scene.Parse(filepath.Join(dir, "x.yaml"), []byte("models: {m: {vertices: hills.csv, indices: hills.bin}, n: {vertices: crystal.json, indices: {file: hills.bin, count: 3}}}\ndraws: [{model: m}]")))(t)
	require.ElementsMatch(t, []string{"hills.csv", "hills.bin", "crystal.json"}, func() (names []string) {
		for _, f := range s.Files() {
			names = append(names, filepath.Base(f))
		}
		return names
	}())
	_, err := New(s)
	require.ErrorContains(t, err, "index 1 is 21; there are 8 vertices")
}

// More vertices than a part can hold are split into several parts.
func TestPartsAreSplitAtVertexLimit(t *testing.T) {
	p := model.Part{Positions: make([]mgl32.Vec3, 70000*3)}
	for i := range p.Positions {
		p.Positions[i] = mgl32.Vec3{float32(i % 3), float32(i % 2), 0}
	}
	parts := testkit.Must(model.NewParts(p, nil, model.NoNormals))(t)
	require.Len(t, parts, 4)
	_, err := model.NewParts(model.Part{Positions: make([]mgl32.Vec3, 70000)}, nil, model.NoNormals)
	require.ErrorContains(t, err, "70000 indices are not whole triangles")
}
