package model

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

func read(t *testing.T, files map[string]string, name string) (*Model, error) {
	t.Helper()
	fsys := fstest.MapFS{}
	for n, s := range files {
		fsys[n] = &fstest.MapFile{Data: []byte(s)}
	}
	return Read(fsys, name, name)
}

func f32s(v ...float32) []byte {
	var b []byte
	for _, f := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
	}
	return b
}

func dataURI(b []byte) string {
	return "data:application/octet-stream;base64," + base64.StdEncoding.EncodeToString(b)
}

// triangle is a glTF file of one triangle; more is added to the document, then replacements are made.
func triangle(more string, replace ...string) string {
	buf := f32s(0, 0, 0, 1, 0, 0, 0, 1, 0)
	s := fmt.Sprintf(`{"asset":{"version":"2.0"},"buffers":[{"byteLength":36,"uri":%q}],
"bufferViews":[{"buffer":0,"byteLength":36}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"nodes":[{"mesh":0}]%s}`, dataURI(buf), more)
	return strings.NewReplacer(replace...).Replace(s)
}

// Joint numbers have at most 16 bits, whatever their type in the file.
func TestJointNumberLimit(t *testing.T) {
	for joint, fits := range map[uint32]bool{0: true, 0xFFFF: true, 0x10000: false} {
		buf := f32s(0, 0, 0, 1, 0, 0, 0, 1, 0)
		for range 3 {
			buf = append(binary.LittleEndian.AppendUint32(buf, joint), make([]byte, 12)...)
		}
		buf = append(buf, f32s(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)...)
		m, err := read(t, map[string]string{"a.gltf": fmt.Sprintf(`{"asset":{"version":"2.0"},"buffers":[{"byteLength":132,"uri":%q}],"bufferViews":[{"buffer":0,"byteLength":132}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},{"bufferView":0,"byteOffset":36,"componentType":5125,"count":3,"type":"VEC4"},
{"bufferView":0,"byteOffset":84,"componentType":5126,"count":3,"type":"VEC4"}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2}}]}],"nodes":[{"mesh":0}]}`, dataURI(buf))}, "a.gltf")
		if !fits {
			require.ErrorContains(t, err, fmt.Sprintf("joint %d", joint))
			continue
		}
		require.NoError(t, err)
		require.Equal(t, uint16(joint), m.Meshes[0].Parts[0].Joints[1][0])
	}
}

func TestReadTriangle(t *testing.T) {
	m := testkit.Must(read(t, map[string]string{"a.gltf": triangle("")}, "a.gltf"))(t)
	require.Equal(t, 1, m.Triangles())
	p := m.Meshes[0].Parts[0]
	require.Equal(t, []uint16{0, 1, 2}, p.Indices)
	require.Equal(t, mgl32.Vec3{0, 0, 1}, p.Normals[0], "a primitive without normals gets flat ones")
	require.Equal(t, -1, p.Material)
	require.True(t, m.Nodes[0].Shown)
}

func TestDamagedGLTF(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"not JSON", "{", "not valid glTF"},
		{"a number for a text", `{"asset":{"version":"2.0"},"animations":[{"samplers":[{"input":0,"output":0,"interpolation":9729}],"channels":[]}]}`,
			"not valid glTF: animations.samplers.interpolation is of the JSON type number, which glTF 2.0 does not have there"},
		{"version 1", triangle("", `"2.0"`, `"1.0"`), "version 2.0 is read"},
		{"version 1 as it is written", `{"asset":{"version":1.0},"meshes":{"m":{"primitives":[]}},"accessors":{"a":{}}}`, "this is glTF 1.0; version 2.0 is read"},
		{"Draco that nothing stands in for", triangle(`,"extensionsUsed":["KHR_draco_mesh_compression"]`, `"bufferView":0,"componentType"`, `"componentType"`, `{"attributes":{"POSITION":0}}`, `{"attributes":{"POSITION":0},"extensions":{"KHR_draco_mesh_compression":{"bufferView":0}}}`), "the meshes are compressed with Draco"},
		{"meshopt that is no such stream", triangle("", `"byteLength":36}]`, `"byteLength":36,"extensions":{"EXT_meshopt_compression":{"buffer":0,"byteLength":36,"byteStride":12,"count":3,"mode":"ATTRIBUTES"}}}]`), "bufferView 0: EXT_meshopt_compression: byte 0: no header of this mode"},
		{"meshopt from nowhere", triangle("", `"byteLength":36}]`, `"byteLength":36,"extensions":{"EXT_meshopt_compression":{"buffer":0,"byteLength":37,"byteStride":12,"count":3,"mode":"ATTRIBUTES"}}}]`), "bufferView 0: EXT_meshopt_compression: bytes 0+37 of buffer 0, which has 36"},
		{"meshopt that is no object", triangle("", `"byteLength":36}]`, `"byteLength":36,"extensions":{"EXT_meshopt_compression":3}}]`), "bufferView 0: EXT_meshopt_compression: json: "},
		{"meshopt of less than the view", triangle("", `"byteLength":36}]`, `"byteLength":36,"extensions":{"EXT_meshopt_compression":{"buffer":0,"byteLength":36,"byteStride":12,"count":0,"mode":"ATTRIBUTES"}}}]`, dataURI(f32s(0, 0, 0, 1, 0, 0, 0, 1, 0)), dataURI(append([]byte{0xA0}, make([]byte, 35)...))), "left over"},
		{"meshopt of another stride", triangle("", `"byteLength":36}]`, `"byteLength":36,"byteStride":16,"extensions":{"EXT_meshopt_compression":{"buffer":0,"byteLength":33,"byteStride":12,"count":0,"mode":"ATTRIBUTES"}}}]`, dataURI(f32s(0, 0, 0, 1, 0, 0, 0, 1, 0)), dataURI(append([]byte{0xA0}, make([]byte, 35)...))), "holds 0 elements of 12 bytes; the view says 36 bytes, 16 an element"},
		{"a stand-in that is read", triangle("", `"buffers":[`, `"buffers":[{"byteLength":4},`), "buffer 0: byteLength is 4, 0 bytes are there"},
		{"missing buffer file", triangle("", `"uri":"data:application`, `"uri":"gone.bin","x":"`), "buffer 0"},
		{"buffer outside", triangle("", `"uri":"data:application`, `"uri":"../../etc/passwd","x":"`), "buffer 0: ../../etc/passwd lies outside of the files"},
		{"buffer from the network", triangle("", `"uri":"data:application`, `"uri":"http://example.com/a","x":"`), "buffer 0"},
		{"short buffer", triangle("", `"byteLength":36,"uri"`, `"byteLength":3600,"uri"`), "byteLength is 3600, 36 bytes are there"},
		{"negative length", triangle("", `"byteLength":36,"uri"`, `"byteLength":-1,"uri"`), "byteLength is -1"},
		{"view past the end", triangle("", `"byteLength":36}]`, `"byteLength":37}]`), "bytes 0+37 of buffer 0"},
		{"view of no buffer", triangle("", `"buffer":0`, `"buffer":4`), "buffer 4 of 1"},
		{"absurd count", triangle("", `"count":3`, `"count":2000000000`), "at most"},
		{"count past the end", triangle("", `"count":3`, `"count":4`), "run past the end of bufferView 0"},
		{"count without bytes", triangle("", `"bufferView":0,"componentType"`, `"componentType"`, `"count":3`, `"count":4000000`), "without a bufferView"},
		{"wrong type", triangle("", `"VEC3"`, `"VEC2"`), "the type is VEC2, expected VEC3"},
		{"no such accessor", triangle("", `"POSITION":0`, `"POSITION":7`), "accessor 7 of 1"},
		{"negative accessor", triangle("", `"POSITION":0`, `"POSITION":-7`), "accessor -7 of 1"},
		{"normals too few", triangle("", `"POSITION":0`, `"POSITION":0,"NORMAL":1`, `"type":"VEC3"}]`, `"type":"VEC3"},{"bufferView":0,"componentType":5126,"count":2,"type":"VEC3"}]`), "2 elements for 3 vertices"},
		{"no such mesh", triangle("", `[{"mesh":0}]`, `[{"mesh":3}]`), "mesh 3 of 1"},
		{"null node", triangle("", `[{"mesh":0}]`, `[null]`), "node 0 is null"},
		{"null primitive", triangle("", `"primitives":[{"attributes":{"POSITION":0}}]`, `"primitives":[null]`), "primitive 0 is null"},
		{"node circle", triangle("", `[{"mesh":0}]`, `[{"mesh":0,"children":[1]},{"children":[0]}]`), "circle"},
		{"two parents", triangle("", `[{"mesh":0}]`, `[{"children":[2]},{"children":[2]},{}]`), "has a parent already"},
		{"no such scene", triangle(`,"scene":3,"scenes":[{}]`), "scene 3 of 1"},
		{"extension of textures", triangle(`,"extensionsRequired":["KHR_texture_basisu"]`), "the file requires the extension KHR_texture_basisu, which is not supported"},
		{"required extension", triangle(`,"extensionsRequired":["KHR_draco_mesh_compression"]`), "the meshes are compressed with Draco (KHR_draco_mesh_compression), which is not read: gltf-transform copy IN.glb OUT.glb writes the file without it"},
		{"no such material", triangle("", `{"POSITION":0}`, `{"POSITION":0},"material":1`), "material 1 of 0"},
		{"sparse past the end", triangle("", `"count":3`, `"count":3,"sparse":{"count":9,"indices":{"bufferView":0,"componentType":5121},"values":{"bufferView":0}}`), "sparse: 9 of 3"},
		{"sparse index", triangle("", `"count":3`, `"count":3,"sparse":{"count":1,"indices":{"bufferView":0,"byteOffset":14,"componentType":5121},"values":{"bufferView":0}}`), "sparse index 0 is element 128 of 3"},
		{"bad stride", triangle("", `"byteLength":36}]`, `"byteLength":36,"byteStride":4}]`), "byteStride 4 is less"},
		{"skin joint", triangle(`,"skins":[{"joints":[5]}]`), "joint node 5 of 1"},
		{"animation without keys", triangle(`,"animations":[{"channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}],"samplers":[{"input":0,"output":0}]}]`), "the type is VEC3, expected SCALAR"},
		{"image lies", triangle(`,"materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}],"textures":[{"source":0}],"images":[{"uri":"` + dataURI(lyingPNG(8000, 2000)) + `"}]`), "cannot hold"},
		{"image is nothing", triangle(`,"materials":[{"normalTexture":{"index":0}}],"textures":[{"source":0}],"images":[{"uri":"` + dataURI([]byte("hello hello hello hello")) + `"}]`), "not a PNG, JPEG, BMP, GIF or TGA"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			m, err := read(t, map[string]string{"a.gltf": tc.text}, "a.gltf")
			runtime.ReadMemStats(&after)
			if strings.HasPrefix(tc.name, "image ") {
				require.NoError(t, err)
				require.Contains(t, strings.Join(m.Notes, "\n"), tc.want)
			} else {
				require.ErrorContains(t, err, tc.want)
				require.ErrorContains(t, err, "a.gltf: ")
			}
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(4<<20), "allocated memory is bounded by the file's size")
		})
	}
}

// Images larger than a texture are scaled down, and their scaled size counts.
func TestLargeImagesAreScaledDown(t *testing.T) {
	pix := image.NewNRGBA(image.Rect(0, 0, 2048, 16))
	for i := range pix.Pix {
		pix.Pix[i] = uint8(255 - i%4*50)
	}
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, pix))
	var k source
	got := testkit.Must(k.decode("a", b.Bytes()))(t)
	require.Equal(t, image.Pt(1024, 16), got.Rect.Size())
	require.Equal(t, pix.Pix[:4], got.Pix[:4])
	require.Equal(t, work{costPixels: 2048 * 16, costTexels: 1024 * 16}, k.work)
	k.work[costTexels] = MaxPixels - 1024*16
	_, err := k.decode("a", b.Bytes())
	require.NoError(t, err)
	_, err = k.decode("a", b.Bytes())
	require.EqualError(t, err, "the model has more than 16777216 pixels in images at the sides of textures")
}

func TestDamagedGLB(t *testing.T) {
	text := triangle("")
	for len(text)%4 != 0 {
		text += " "
	}
	good := append([]byte("glTF\x02\x00\x00\x00"), binary.LittleEndian.AppendUint32(nil, uint32(20+len(text)))...)
	good = binary.LittleEndian.AppendUint32(good, uint32(len(text)))
	good = append(append(good, "JSON"...), text...)
	m := testkit.Must(read(t, map[string]string{"a.glb": string(good)}, "a.glb"))(t)
	require.Equal(t, 1, m.Triangles())
	for n := range len(good) {
		_, err := read(t, map[string]string{"a.glb": string(good[:n])}, "a.glb")
		require.Error(t, err, "cut at %d", n)
	}
	bad := append([]byte(nil), good...)
	binary.LittleEndian.PutUint32(bad[12:], 0xFFFFFFF0)
	_, err := read(t, map[string]string{"a.glb": string(bad)}, "a.glb")
	require.ErrorContains(t, err, "offset 12: a chunk of 4294967280 bytes")
}

// lyingPNG is a PNG whose header claims w x h pixels, with hardly any data.
func lyingPNG(w, h uint32) []byte {
	var b bytes.Buffer
	_ = png.Encode(&b, image.NewNRGBA(image.Rect(0, 0, 1, 1)))
	data := b.Bytes()
	binary.BigEndian.PutUint32(data[16:], w)
	binary.BigEndian.PutUint32(data[20:], h)
	binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
	return data
}

func picture() *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, 5, 3))
	for i := range m.Pix {
		m.Pix[i] = uint8(i * 17)
		if i%4 == 3 {
			m.Pix[i] = 255
		}
	}
	return m
}

func TestToTexture(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 100, 30))
	for i := 0; i < len(m.Pix); i += 4 {
		copy(m.Pix[i:], []byte{200, 100, 50, 255})
	}
	got := ToTexture(m, defaultSampler)
	require.Equal(t, image.Pt(128, 32), got.Rect.Size())
	require.Equal(t, color.NRGBA{200, 100, 50, 255}, got.NRGBAAt(77, 31))
	require.Equal(t, image.Pt(1024, 8), ToTexture(image.NewNRGBA(image.Rect(0, 0, 3000, 2)), Sampler{}).Rect.Size())
	same := image.NewNRGBA(image.Rect(0, 0, 64, 8))
	require.Same(t, same, ToTexture(same, Sampler{}))
}

// sampled is how a renderer reads an image, with sides of any length.
func sampled(m *image.NRGBA, how Sampler, u, v float64) (out [4]float64) {
	at := func(i, n int, w Wrap) int {
		switch k := (i%(2*n) + 2*n) % (2 * n); w {
		case Repeat:
			return k % n
		case MirroredRepeat:
			return min(k, 2*n-1-k)
		}
		return min(max(i, 0), n-1)
	}
	w, h := m.Rect.Dx(), m.Rect.Dy()
	x, y := u*float64(w), v*float64(h)
	if how.MagLinear {
		x, y = x-0.5, y-0.5
	}
	for k := range 4 {
		i, j := int(math.Floor(x))+k&1, int(math.Floor(y))+k>>1
		part := (1 - math.Abs(x-float64(i))) * (1 - math.Abs(y-float64(j)))
		if !how.MagLinear {
			part = float64(1 - min(k, 1))
		}
		p := m.NRGBAAt(at(i, w, how.WrapU), at(j, h, how.WrapV))
		for c, value := range [4]uint8{p.R, p.G, p.B, p.A} {
			out[c] += part * float64(value)
		}
	}
	return out
}

// An image with less than 8 texels on a side looks as a texture like the image itself, in and beyond 0 to 1, with each filter and wrap mode.
func TestSmallImagesKeepTheirLooks(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, size := range []image.Point{{1, 1}, {2, 2}, {4, 2}, {1, 16}, {3, 5}, {6, 7}} {
		m := image.NewNRGBA(image.Rectangle{Max: size})
		for i := range m.Pix {
			m.Pix[i] = uint8(random.Uint32())
		}
		for how := range 12 {
			s := Sampler{WrapU: Wrap(how % 3), WrapV: Wrap(how / 2 % 3), MagLinear: how >= 6}
			got := ToTexture(m, s)
			for range 500 {
				u, v := random.Float64()*4-1.5, random.Float64()*4-1.5
				allowed := 255.0/64 + 0.5
				if !s.MagLinear {
					allowed = 0
					u, v = (math.Floor(u*float64(size.X))+0.5)/float64(size.X), (math.Floor(v*float64(size.Y))+0.5)/float64(size.Y)
				}
				want, is := sampled(m, s, u, v), sampled(got, s, u, v)
				for c := range want {
					require.InDelta(t, want[c], is[c], 2*allowed+1e-9, "%v %v at %g %g", size, s, u, v)
				}
			}
		}
	}
}

const cubeOBJ = `# a unit square and a triangle
mtllib cube.mtl
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
vt 0 0
vt 1 0
vt 1 1
vt 0 1
usemtl red
f 1/1 2/2 3/3 4/4
usemtl blue
s 1
f -4//  -3// -2//
`

func TestOBJ(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, picture()))
	m := testkit.Must(read(t, map[string]string{"a.obj": strings.ReplaceAll(cubeOBJ, "//", ""), "cube.mtl": "newmtl red\nKd 1 0 0\nKs 0.5 0.5 0.5\nNs 30\nmap_Kd -s 1 1 1 tex/a.png\nnewmtl blue\nKd 0 0 1\nd 0.5\n", "tex/a.png": b.String()}, "a.obj"))(t)
	require.Len(t, m.Meshes[0].Parts, 2)
	red := m.Meshes[0].Parts[0]
	require.Equal(t, []uint16{0, 1, 2, 0, 2, 3}, red.Indices)
	require.Equal(t, mgl32.Vec2{1, 1}, red.UV[0][2])
	require.Equal(t, mgl32.Vec3{0, 0, 1}, red.Normals[0])
	require.Equal(t, 0, m.Materials[red.Material].Base.Image)
	require.Equal(t, mgl32.Vec4{1, 0, 0, 1}, m.Materials[red.Material].BaseColor)
	require.InDelta(t, 2.0/(30+2), math.Pow(float64(m.Materials[red.Material].Roughness), 4), 1e-6)
	blue := m.Materials[m.Meshes[0].Parts[1].Material]
	require.Equal(t, Blend, blue.Alpha)
	require.Len(t, m.Images, 1)
	// More than three coordinates are ignored.
	m = testkit.Must(read(t, map[string]string{"b.obj": "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0.5 0.25 0 more\nf 1/1 2/1 3/1\n"}, "b.obj"))(t)
	require.Equal(t, mgl32.Vec2{0.5, 0.25}, m.Meshes[0].Parts[0].UV[0][0])
}

// Libraries may be several, statements of any case; textures are moved and scaled as three.js does; what is left out gives a note.
func TestOBJOfOtherPrograms(t *testing.T) {
	m := testkit.Must(read(t, map[string]string{"a.obj": "mtllib none.mtl a.mtl b c.mtl\nmtllib b c.mtl\nvw 1 0 1\nnewmtl x\nv 0 0 0\nv 1 0 0\nv 0 1 0\nt crease 1/1/0 0 3\nusemtl one\nf 1/1/1 2/2/2 3/3/3\nusemtl two\nf 1 2 3\n",
		"a.mtl": "NEWMTL one\nkd 0.25 0.5 0.75\nMap_Kd -colorspace sRGB -o 0.1 0.2 0.4 -s 2 3 x.png\n", "b c.mtl": "newmtl two\nmap_Kd -s 4 x.png\n"}, "a.obj"))(t)
	one, two := m.Materials[0], m.Materials[1]
	require.Equal(t, [2]string{"one", "two"}, [2]string{one.Name, two.Name})
	require.EqualValues(t, [4]float32{0.25, 0.5, 0.75, 1}, one.BaseColor)
	require.Equal(t, [2]float64{2, 3}, one.Base.Transform.Scale)
	require.InDeltaSlice(t, []float64{0.1, 1 - 3 - 0.2}, one.Base.Transform.Offset[:], 1e-9)
	require.Equal(t, Transform{Scale: [2]float64{4, 1}}, *two.Base.Transform)
	for i, want := range []string{"none.mtl", "x.png", "b: ", "c.mtl: ", "x.png", "vw: weights", "materials in the file itself", "t: weights and creases", "texture coordinates, of which", "normals, of which"} {
		require.Contains(t, m.Notes[i], want)
	}
}

func TestDamagedOBJ(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"", "no faces"},
		{"v 1 2\n", "line 1: v needs 3 numbers"},
		{"v 1 2 x\n", `"x" is not a finite number`},
		{"v 1 2 nan\n", "not a finite number"},
		{"v 0 0 0\n\nf 1 2 3\n", "line 3: corner \"2\": vertex 2 of 1"},
		{"v 0 0 0\nf 1 1\n", "a face of 2 corners"},
		{"v 0 0 0\nvt 0 0\nf 1/2 1 1\n", "texture coordinate 2 of 1"},
		{"v 0 0 0\nvn 0 0 1\nf 1//5 1 1\n", "normal 5 of 1"},
		{"v 0 0 0\nf / 1 1\n", "has no vertex"},
		{"v 0 0 0\nf -2 1 1\n", "vertex -2 of 1"},
		{"bogus 1\n", `unknown statement "bogus"`},
		{"v 0 0 0 \\\n", "no faces"},
	} {
		_, err := read(t, map[string]string{"a.obj": tc.text}, "a.obj")
		require.ErrorContains(t, err, tc.want, tc.text)
	}
	for _, tc := range []struct{ mtl, want string }{
		{"Kd 1 1 1\n", "before the first newmtl"},
		{"newmtl a\nKd x\n", "cube.mtl: line 2"},
		{"newmtl a\nd -halo\n", "cube.mtl: line 2"},
		{"newmtl a\nNs x\n", "cube.mtl: line 2"},
		{"newmtl a\nPr x\n", "cube.mtl: line 2"},
		{"newmtl a\nPm x\n", "cube.mtl: line 2"},
		{"newmtl a\nmap_Kd\n", "names no file"},
		{"newmtl a\nmap_Kd -what x.png\n", "unknown option"},
	} {
		_, err := read(t, map[string]string{"a.obj": cubeOBJ, "cube.mtl": tc.mtl, "a.png": "no image, but long enough"}, "a.obj")
		require.ErrorContains(t, err, tc.want, tc.mtl)
	}
}

func TestOBJWithoutItsLibrary(t *testing.T) {
	text := "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
	for i := range 30 {
		text += fmt.Sprintf("usemtl m%d\nf 1 2 3\n", i)
	}
	many := testkit.Must(read(t, map[string]string{"a.obj": text}, "a.obj"))(t)
	require.Len(t, many.Notes, 20)
	m := testkit.Must(read(t, map[string]string{"a.obj": strings.ReplaceAll(cubeOBJ, "//", "")}, "a.obj"))(t)
	require.Contains(t, strings.Join(m.Notes, "; "), "line 2: cube.mtl: file does not exist; default materials are used")
}

func TestLargeMeshIsSplit(t *testing.T) {
	var b big
	const n = 100000
	for i := range n {
		b.Positions = append(b.Positions, mgl32.Vec3{float32(i), 0, 0})
	}
	for i := 0; i+2 < n; i++ {
		b.indices = append(b.indices, uint32(i), uint32(i+1), uint32(i+2))
	}
	parts := b.split()
	require.Len(t, parts, 2)
	at := 0
	for _, p := range parts {
		require.LessOrEqual(t, len(p.Positions), maxPartVertices)
		for _, i := range p.Indices {
			require.Equal(t, b.Positions[b.indices[at]], p.Positions[i])
			at++
		}
	}
	require.Equal(t, len(b.indices), at)
}

func TestRoundTripGLB(t *testing.T) {
	m := testkit.Must(read(t, map[string]string{"a.obj": strings.ReplaceAll(cubeOBJ, "//", ""), "cube.mtl": "newmtl red\nKd 1 0 0\nmap_Kd a.png\nnewmtl blue\nd 0.5\n", "a.png": func() string { var b bytes.Buffer; _ = png.Encode(&b, picture()); return b.String() }()}, "a.obj"))(t)
	data := testkit.Must(EncodeGLB(m))(t)
	got := testkit.Must(read(t, map[string]string{"b.glb": string(data)}, "b.glb"))(t)
	require.Equal(t, m.Meshes[0].Parts, got.Meshes[0].Parts)
	require.Equal(t, m.Images[0].Pix, got.Images[0].Pix)
	require.Equal(t, m.Materials[1].Alpha, got.Materials[1].Alpha)
	require.Equal(t, m.Materials[0].BaseColor, got.Materials[0].BaseColor)
}

func TestAnimationChannels(t *testing.T) {
	c := Channel{Path: Translation, Times: []float32{1, 3}, Values: []float32{0, 0, 0, 2, 4, 6}}
	require.Equal(t, []float32{0, 0, 0}, c.Sample(0))
	require.Equal(t, []float32{1, 2, 3}, c.Sample(2))
	require.Equal(t, []float32{2, 4, 6}, c.Sample(9))
	c.Interp = Step
	require.Equal(t, []float32{0, 0, 0}, c.Sample(2.9))
	s := float32(math.Sqrt(0.5))
	r := Channel{Path: Rotation, Times: []float32{0, 1}, Values: []float32{0, 0, 0, 1, 0, 0, s, s}}
	got := r.Sample(0.5)
	require.InDelta(t, math.Sin(math.Pi/8), got[2], 1e-6)
	require.InDelta(t, math.Cos(math.Pi/8), got[3], 1e-6)
	cube := Channel{Path: Translation, Interp: CubicSpline, Times: []float32{0, 1}, Values: []float32{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0}}
	require.InDelta(t, 0.5, cube.Sample(0.5)[0], 1e-6)
}

func TestCorpus(t *testing.T) {
	for name, triangles := range map[string]int{
		"assimp__assimp__BoxTextured.glb": 12, "assimp__assimp__simple_skin.gltf": 8, "donmccurdy__glTF-Transform__Box.glb": 12,
		"donmccurdy__glTF-Transform__BoxVertexColors.glb": 12, "donmccurdy__glTF-Transform__chr_knight.glb": -1, "syoyo__tinygltf__singleBlendshapeCube_sparse.glb": 12,
	} {
		t.Run(name, func(t *testing.T) {
			m := testkit.Must(Load(testkit.Corpus(t, "models/"+name)[0]))(t)
			if triangles >= 0 {
				require.Equal(t, triangles, m.Triangles())
			}
			require.NotZero(t, m.Triangles())
			anim := -1
			if len(m.Animations) > 0 {
				anim = 0
			}
			a := testkit.Must(m.Pose(anim, 0))(t)
			_, _, ok := m.Bounds(a)
			require.True(t, ok)
			if anim == 0 && m.Animations[0].Duration > 0 {
				moved := false
				for i := range 20 {
					b := testkit.Must(m.Pose(anim, float64(m.Animations[0].Duration)*float64(i)/20))(t)
					moved = moved || !assert.ObjectsAreEqual(a, b)
				}
				require.True(t, moved, "the animation moves something")
			}
			if strings.Contains(name, "Blendshape") {
				a.Weights[1] = []float32{1}
				_, hi, _ := m.Bounds(a)
				require.InDelta(t, 0.02, hi[0], 1e-6, "the sparse morph target moves the cube's side by 0.015")
			}
		})
	}
}

func FuzzGLTF(f *testing.F) {
	f.Add([]byte(triangle("")))
	f.Add([]byte("glTF\x02\x00\x00\x00\x20\x00\x00\x00\x04\x00\x00\x00JSON{}  "))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Read(fstest.MapFS{"a.gltf": &fstest.MapFile{Data: data}}, "a.gltf", "a.gltf")
		if err != nil {
			require.Nil(t, m)
			require.NotEmpty(t, err.Error())
			return
		}
		p := testkit.Must(m.Pose(-1, 0))(t)
		m.Bounds(p)
	})
}

func FuzzOBJ(f *testing.F) {
	f.Add([]byte(cubeOBJ), []byte("newmtl red\nKd 1 0 0\n"))
	f.Fuzz(func(t *testing.T, obj, mtl []byte) {
		m, err := Read(fstest.MapFS{"a.obj": &fstest.MapFile{Data: obj}, "cube.mtl": &fstest.MapFile{Data: mtl}}, "a.obj", "a.obj")
		if err != nil {
			require.Nil(t, m)
			require.NotEmpty(t, err.Error())
			return
		}
		for _, mesh := range m.Meshes {
			for i := range mesh.Parts {
				p := &mesh.Parts[i]
				require.LessOrEqual(t, len(p.Positions), 65535)
				require.Less(t, p.Material, len(m.Materials))
				for _, n := range []int{len(p.Normals), len(p.UV[0]), len(p.Colors)} {
					require.Contains(t, []int{0, len(p.Positions)}, n, "a stream is empty or has one entry for each vertex")
				}
				for _, index := range p.Indices {
					require.Less(t, int(index), len(p.Positions))
				}
			}
		}
	})
}
