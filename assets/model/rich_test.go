package model

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"image"
	"image/jpeg"
	"image/png"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// rich is a glTF file with every feature: strip and fan, every component type, a sparse accessor, morphs, a skin, animations of
// every interpolation, nodes with matrices and with components, different materials, textures and samplers.
func rich(t testing.TB) string {
	var buf []byte
	var views, accessors []string
	add := func(kind string, component int, count int, data []byte, more string) int {
		for len(buf)%4 != 0 {
			buf = append(buf, 0)
		}
		views = append(views, fmt.Sprintf(`{"buffer":0,"byteOffset":%d,"byteLength":%d}`, len(buf), len(data)))
		buf = append(buf, data...)
		accessors = append(accessors, fmt.Sprintf(`{"bufferView":%d,"componentType":%d,"count":%d,"type":%q%s}`, len(views)-1, component, count, kind, more))
		return len(accessors) - 1
	}
	positions := add("VEC3", 5126, 5, f32s(0, 0, 0, 1, 0, 0.5, 0, 1, 0.25, 1, 1, 0, 2, 1, -1), `,"min":[0,0,-1],"max":[2,1,0.5]`)
	normals := add("VEC3", 5120, 5, bytes.Repeat([]byte{0, 0, 127, 0}, 5)[:15], `,"normalized":true`)
	tangents := add("VEC4", 5126, 5, f32s(1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, -1, 0, 1, 0, 1, 1, 0, 0, 1), "")
	uv0 := add("VEC2", 5123, 5, []byte{0, 0, 0xFF, 0xFF, 0, 0x80, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}, `,"normalized":true`)
	uv1 := add("VEC2", 5126, 5, f32s(0, 0, 1, 0, 0, 1, 1, 1, 0.5, 0.25), "")
	colors := add("VEC4", 5121, 5, []byte{255, 0, 0, 255, 0, 255, 0, 128, 0, 0, 255, 64, 1, 2, 3, 4, 5, 6, 7, 8}, `,"normalized":true`)
	joints := add("VEC4", 5121, 5, []byte{0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}, "")
	weights := add("VEC4", 5126, 5, f32s(0.5, 0.5, 0, 0, 1, 0, 0, 0, 0.75, 0.25, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0), "")
	indices := add("SCALAR", 5123, 5, []byte{0, 0, 1, 0, 2, 0, 3, 0, 4, 0}, "")
	wide := add("SCALAR", 5125, 3, []byte{2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}, "")
	morph := add("VEC3", 5126, 5, f32s(0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0, 5), "")
	inverse := add("MAT4", 5126, 2, f32s(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 3, 4, 5, 1), "")
	times := add("SCALAR", 5126, 3, f32s(0.5, 1, 2.5), `,"min":[0.5],"max":[2.5]`)
	moves := add("VEC3", 5126, 3, f32s(1, 2, 3, 4, 5, 6, 7, 8, 9), "")
	turns := add("VEC4", 5122, 3, []byte{0, 0, 0, 0, 0, 0, 0xFF, 0x7F, 0xFF, 0x7F, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0x7F, 0, 0, 0, 0}, `,"normalized":true`)
	cubic := add("VEC3", 5126, 9, f32s(0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 2, 2, 2, 0, 0, 1, 1, 1, 1, 3, 3, 3, 0, 0, 0), "")
	amounts := add("SCALAR", 5126, 3, f32s(0, 0.5, 1), "")
	at := len(views)
	views = append(views, fmt.Sprintf(`{"buffer":0,"byteOffset":%d,"byteLength":4}`, len(buf)), fmt.Sprintf(`{"buffer":0,"byteOffset":%d,"byteLength":24}`, len(buf)+4),
		fmt.Sprintf(`{"buffer":0,"byteOffset":%d,"byteLength":68,"byteStride":16}`, len(buf)+28))
	buf = append(append(append(buf, 1, 0, 3, 0), f32s(9, 8, 7, 6, 5, 4)...), f32s(0, 0, 0, 99, 1, 0, 0, 99, 0, 1, 0, 99, 1, 1, 1, 99, 2)...)
	accessors = append(accessors, fmt.Sprintf(`{"componentType":5126,"count":5,"type":"VEC3","sparse":{"count":2,"indices":{"bufferView":%d,"componentType":5123},"values":{"bufferView":%d}}}`, at, at+1),
		fmt.Sprintf(`{"bufferView":%d,"byteOffset":4,"componentType":5126,"count":4,"type":"VEC3"}`, at+2))
	var img, jpg bytes.Buffer
	require.NoError(t, png.Encode(&img, picture()))
	require.NoError(t, jpeg.Encode(&jpg, image.NewGray(image.Rect(0, 0, 8, 16)), nil))
	return fmt.Sprintf(`{"asset":{"version":"2.0"},"scene":1,"scenes":[{"nodes":[0]},{"name":"shown","nodes":[0,3]}],
"buffers":[{"byteLength":%d,"uri":%q}],
"bufferViews":[%s],
"accessors":[%s],
"images":[{"uri":"a.png","name":"first"},{"uri":%q}],
"samplers":[{"magFilter":9728,"minFilter":9728,"wrapS":33071,"wrapT":33648},{"minFilter":9987},{"minFilter":9985},{"minFilter":9984},{"minFilter":9986},{"minFilter":9729,"magFilter":9729}],
"textures":[{"source":0,"sampler":0},{"source":1,"sampler":1},{"source":0,"sampler":2},{"source":0,"sampler":3},{"source":0,"sampler":4},{"source":0,"sampler":5},{"sampler":1}],
"materials":[{"name":"one","doubleSided":true,"alphaMode":"MASK","alphaCutoff":0.25,"emissiveFactor":[0.1,0.2,0.3],"pbrMetallicRoughness":{"baseColorFactor":[0.9,0.8,0.7,0.6],"metallicFactor":0.3,"roughnessFactor":0.4,"baseColorTexture":{"index":0,"texCoord":1},"metallicRoughnessTexture":{"index":1}},"normalTexture":{"index":1},"emissiveTexture":{"index":2},"occlusionTexture":{"index":3}},
{"name":"two","alphaMode":"BLEND","extensions":{"KHR_materials_unlit":{}},"pbrMetallicRoughness":{"baseColorTexture":{"index":3}},"normalTexture":{"index":4},"emissiveTexture":{"index":5}},{"emissiveTexture":{"index":6}}],
"meshes":[{"name":"body","weights":[0.5],"primitives":[{"mode":5,"material":0,"indices":%d,"attributes":{"POSITION":%d,"NORMAL":%d,"TANGENT":%d,"TEXCOORD_0":%d,"TEXCOORD_1":%d,"COLOR_0":%d,"JOINTS_0":%d,"WEIGHTS_0":%d},"targets":[{"POSITION":%d,"NORMAL":%d}]}]},
{"primitives":[{"mode":6,"material":1,"attributes":{"POSITION":%d,"TEXCOORD_0":%d}},{"material":2,"indices":%d,"attributes":{"POSITION":%d}},{"mode":1,"attributes":{"POSITION":%d}},{"mode":0,"attributes":{"POSITION":%d}}]}],
"skins":[{"joints":[1,2],"inverseBindMatrices":%d,"skeleton":1}],
"nodes":[{"name":"root","children":[1,4],"translation":[1,2,3],"rotation":[0,0.6,0,0.8],"scale":[2,1,0.5]},{"name":"joint","children":[2]},{"translation":[0,1,0]},{"mesh":0,"skin":0,"name":"skinned"},{"mesh":1,"matrix":[1,0,0,0,0,0,1,0,0,-1,0,0,5,6,7,1]},{"mesh":1,"name":"not in the scene"}],
"animations":[{"name":"walk","samplers":[{"input":%d,"output":%d,"interpolation":"STEP"},{"input":%d,"output":%d},{"input":%d,"output":%d,"interpolation":"CUBICSPLINE"},{"input":%d,"output":%d}],
"channels":[{"sampler":0,"target":{"node":1,"path":"translation"}},{"sampler":1,"target":{"node":2,"path":"rotation"}},{"sampler":2,"target":{"node":0,"path":"scale"}},{"sampler":3,"target":{"node":3,"path":"weights"}},{"sampler":0,"target":{"path":"translation"}}]}]}`,
		len(buf), dataURI(buf), strings.Join(views, ","), strings.Join(accessors, ","), "data:image/jpeg;base64,"+dataURI(jpg.Bytes())[len("data:application/octet-stream;base64,"):],
		indices, positions, normals, tangents, uv0, uv1, colors, joints, weights, morph, morph,
		len(accessors)-2, uv1, wide, len(accessors)-1, positions, positions, inverse, times, moves, times, turns, times, cubic, times, amounts)
}

// everything is an OBJ file with every statement; its material library too.
const everything = `# everything
mtllib a.mtl
o first thing
v 0 0 0 1 0 0
v 1 0 0 0 1 0
v 1 1 0.5 0 0 1
v 0 1 0 1 1 1
v 2 2 2
vn 0 0 1
vn 0 1 0
vt 0 0
vt 1 0.5
vt 1 1 0
usemtl one
s 1
f 1/1/1 2/2/1 3/3/2
f 1/1 3/3 4/2
g arm leg
s off
usemtl two
f -1 -2 -3 \
 -4
f 1//1 2//2 5//1
s 2
f 1 2 5
usemtl three
f 2 3 5
l 1 2
p 1
usemtl one
o other
f 3/1 2/2 1/3
`

const library = `newmtl one
Kd 0.1 0.2 0.3
Ks 0.4
Ke 0.5 0.6 0.7
Ka 1 1 1
Ns 20
d 0.75
illum 2
Pr 0.3
Pm 0.4
map_Kd -s 2 2 -clamp on a.png
map_Ke -bm 1 a.png
norm a.png
map_d a.png
map_Bump a.png
what 1
newmtl two
Tr 0.25
illum 0
Kd spectral file 1
map_Kd -o 1 a.png
newmtl three
Kd xyz 1 1 1
d -halo 0.5
map_Kd no.png
`

func richFiles(t testing.TB) map[string]string {
	var img bytes.Buffer
	require.NoError(t, png.Encode(&img, picture()))
	return map[string]string{"a.gltf": rich(t), "a.obj": everything, "a.mtl": library, "a.png": img.String(), "b.gltf": triangle("")}
}

// Golden file: everything read from models in every format, and from what is written of them.
func TestModelContents(t *testing.T) {
	all := richFiles(t)
	text := ""
	for _, name := range []string{"a.gltf", "a.obj"} {
		m := testkit.Must(read(t, all, name))(t)
		text += fmt.Sprintf("%s: %d triangles\n%s\n", name, m.Triangles(), testkit.Dump(m))
		still := *m
		still.Animations, still.Skins, still.Nodes = nil, nil, slices.Clone(m.Nodes)
		for i := range still.Nodes {
			still.Nodes[i].Skin = -1
		}
		glb := testkit.Must(EncodeGLB(&still))(t)
		again := testkit.Must(read(t, map[string]string{"b.glb": string(glb)}, "b.glb"))(t)
		text += fmt.Sprintf("written: %08x\n", crc32.ChecksumIEEE([]byte(testkit.Dump(again))))
		for i := range m.Animations {
			for _, c := range m.Animations[i].Channels {
				for _, at := range []float32{0, 0.5, 0.7, 1, 1.75, 2.5, 3} {
					text += fmt.Sprintf(" %.4f", c.Sample(at))
				}
				text += "\n"
			}
		}
	}
	data := testkit.Read(t, "../../testdata/scenes/arm.gltf")
	m := testkit.Must(Parse("arm.gltf", data, "../../testdata/scenes"))(t)
	text += fmt.Sprintf("arm: %08x\n", crc32.ChecksumIEEE([]byte(testkit.Dump(m))))
	for _, size := range []image.Point{{8, 8}, {5, 9}, {33, 2}, {100, 64}} {
		im := image.NewNRGBA(image.Rectangle{Max: size})
		for i := range im.Pix {
			im.Pix[i] = byte(i * 37)
		}
		text += fmt.Sprintf("%v: %08x %08x\n", size, crc32.ChecksumIEEE([]byte(testkit.Dump(ToTexture(im, Sampler{})))), crc32.ChecksumIEEE(Resample(im, 7, 11).Pix))
	}
	testkit.Golden(t, "testdata/read.txt", []byte(text))
}

// Golden file: notes, errors and contents of models and pictures with one damaged position.
func TestDamagedModelFindings(t *testing.T) {
	all := richFiles(t)
	text := ""
	say := func(m *Model, err error) ([]string, string) {
		if err != nil {
			return []string{err.Error()}, ""
		}
		return m.Notes, testkit.Dump(m)
	}
	whole := all["a.gltf"]
	from := strings.Index(whole, `"bufferViews"`)
	// Each number of the glTF document is changed.
	head, document := whole[:from], whole[from:]
	for _, at := range regexp.MustCompile(`[:,\[]-?[0-9.]+`).FindAllStringIndex(document, -1) {
		values := [][]string{{"-1", "3"}, {"0", "70000"}}[at[0]&1]
		if n, err := strconv.Atoi(document[at[0]+1 : at[1]]); err == nil {
			values = append(values, strconv.Itoa(n+1-2*(at[1]&1))) // one above or below
		}
		for _, v := range values {
			sentences, found := say(read(t, map[string]string{"a.png": all["a.png"], "a.gltf": head + document[:at[0]+1] + v + document[at[1]:]}, "a.gltf"))
			said, _, _ := strings.Cut(fmt.Sprintf("%q", sentences), "not valid glTF")
			if found != "" {
				said = fmt.Sprintf("%d notes", len(sentences))
			}
			text += fmt.Sprintf("%s %s: %s %08x\n", document[max(at[0]-12, 0):at[1]], v, said, crc32.ChecksumIEEE([]byte(found)))
		}
	}
	for _, c := range []struct {
		name, open     string
		from, to, step int
	}{{"a.obj", "a.obj", 0, len(everything), 7}, {"a.mtl", "a.obj", 0, len(library), 7}} {
		text += c.name + "\n" + testkit.Damage([]byte(all[c.name]), c.from, c.to, c.step, func(data []byte) ([]string, string) {
			with := maps.Clone(all)
			with[c.name] = string(data)
			return say(read(t, with, c.open))
		})
	}
	testkit.Golden(t, "testdata/damage.txt", []byte(text))
}
