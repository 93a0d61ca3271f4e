package model

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// packBytes encodes at most 16 elements of attributes as uncompressed differences.
func packBytes(data []byte, stride int) []byte {
	out := []byte{0xA0}
	for b := range stride {
		out = append(out, 3)
		var group [16]byte
		for e, last := 0, byte(0); e < len(data)/stride; e++ {
			d := int8(data[e*stride+b] - last)
			last = data[e*stride+b]
			group[e] = byte(d<<1) ^ byte(d>>7)
		}
		out = append(out, group[:]...)
	}
	return append(out, make([]byte, max(32, stride))...)
}

// A file with compressed vertices and indices and a placeholder buffer, with floats and with quantized numbers.
func TestReadCompressed(t *testing.T) {
	positions := packBytes(f32s(0, 0, 0, 1, 0, 0, 0, 1, 0), 12)
	small := packBytes([]byte{0, 0, 0, 9, 127, 0, 0, 9, 0, 129, 0, 9}, 4) // -127 is -1
	indices := []byte{0xE1, 0xFE, 0xF0, 2, 0}                             // the third corner by its difference
	indices[2] = 0x0F
	indices = append(indices[:4], make([]byte, 16)...)
	for _, c := range []struct {
		extension, accessor string
		data                []byte
		stride              int
		want                mgl32.Vec3
	}{
		{meshoptEXT, `"componentType":5126`, positions, 12, mgl32.Vec3{0, 1, 0}},
		{meshoptKHR, `"componentType":5126`, positions, 12, mgl32.Vec3{0, 1, 0}},
		{meshoptEXT, `"componentType":5120,"normalized":true`, small, 4, mgl32.Vec3{0, -1, 0}},
		{meshoptEXT, `"componentType":5120`, small, 4, mgl32.Vec3{0, -127, 0}},
	} {
		buf := append(append([]byte(nil), c.data...), indices...)
		text := fmt.Sprintf(`{"asset":{"version":"2.0"},"extensionsUsed":[%q],"extensionsRequired":[%q,"KHR_mesh_quantization"],
"buffers":[{"byteLength":%d,"uri":%q},{"byteLength":44,"extensions":{%q:{"fallback":true}}}],
"bufferViews":[{"buffer":1,"byteLength":%d,"byteStride":%d,"extensions":{%q:{"buffer":0,"byteLength":%d,"byteStride":%d,"count":3,"mode":"ATTRIBUTES"}}},
{"buffer":1,"byteOffset":36,"byteLength":6,"extensions":{%q:{"buffer":0,"byteOffset":%d,"byteLength":%d,"byteStride":2,"count":3,"mode":"TRIANGLES"}}}],
"accessors":[{"bufferView":0,%s,"count":3,"type":"VEC3"},{"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0,"NORMAL":0},"indices":1}]}],"nodes":[{"mesh":0}]}`, c.extension, c.extension, len(buf), dataURI(buf), c.extension,
			3*c.stride, c.stride, c.extension, len(c.data), c.stride, c.extension, len(c.data), len(indices), c.accessor)
		m := testkit.Must(read(t, map[string]string{"a.gltf": text}, "a.gltf"))(t)
		require.Equal(t, []uint16{0, 1, 1}, m.Meshes[0].Parts[0].Indices)
		require.Equal(t, c.want, m.Meshes[0].Parts[0].Positions[2])
	}
}

// Sparse accessors with index types of every kind, for vertices and indices, over values and over zeros.
func TestSparseAccessors(t *testing.T) {
	for kind, place := range map[int]string{5121: "\x02", 5123: "\x02\x00", 5125: "\x02\x00\x00\x00"} {
		buf := append(f32s(0, 0, 0, 1, 0, 0, 0, 1, 0), place+strings.Repeat("\x00", 4-len(place))...)
		buf = append(buf, f32s(5, 6, 7)...)
		buf = append(buf, 0, 0, 1, 0, 1, 0, 1, 0) // the indices and the replacement of the third
		buf[len(buf)-2] = 2
		for _, over := range []struct {
			view  string
			first mgl32.Vec3
			index uint16
		}{{`"bufferView":%d,`, mgl32.Vec3{1, 0, 0}, 1}, {"", mgl32.Vec3{}, 0}} {
			view := func(i int) string {
				if over.view == "" {
					return ""
				}
				return fmt.Sprintf(over.view, i)
			}
			text := fmt.Sprintf(`{"asset":{"version":"2.0"},"buffers":[{"byteLength":%d,"uri":%q}],
"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":4},{"buffer":0,"byteOffset":40,"byteLength":12},{"buffer":0,"byteOffset":52,"byteLength":6},{"buffer":0,"byteOffset":58,"byteLength":2}],
"accessors":[{%s"componentType":5126,"count":3,"type":"VEC3","sparse":{"count":1,"indices":{"bufferView":1,"componentType":%d},"values":{"bufferView":2}}},
{%s"componentType":5123,"count":3,"type":"SCALAR","sparse":{"count":1,"indices":{"bufferView":1,"componentType":%d},"values":{"bufferView":4}}}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0,"NORMAL":0},"indices":1}]}],"nodes":[{"mesh":0}]}`, len(buf), dataURI(buf), view(0), kind, view(3), kind)
			m := testkit.Must(read(t, map[string]string{"a.gltf": text}, "a.gltf"))(t)
			p := m.Meshes[0].Parts[0]
			require.Equal(t, []mgl32.Vec3{{}, over.first, {5, 6, 7}}, p.Positions)
			require.Equal(t, []uint16{0, over.index, 2}, p.Indices)
		}
	}
}

// Each texture of a material has its image, its set of coordinates (that of KHR_texture_transform first), its transformation and its
// sampler. They are written as they were read.
func TestMaterialTextures(t *testing.T) {
	text := triangle(`,"extensionsRequired":["KHR_texture_transform"],"materials":[{"doubleSided":true,"alphaMode":"MASK","alphaCutoff":0.25,"emissiveFactor":[0,1,0],
"pbrMetallicRoughness":{"metallicFactor":0.75,"roughnessFactor":0.5,"baseColorTexture":{"index":0,"texCoord":1},
"metallicRoughnessTexture":{"index":1,"texCoord":1,"extensions":{"KHR_texture_transform":{"texCoord":2,"rotation":1.5,"scale":[2,4],"offset":[0.5,0.25]}}}},
"normalTexture":{"index":1,"scale":0.5,"extensions":{"KHR_texture_transform":{"offset":[0.5,0.125]}}},
"emissiveTexture":{"index":0,"extensions":{"KHR_texture_transform":{}}},"occlusionTexture":{"index":1,"texCoord":1,"strength":0.25}},{}],
"samplers":[{"wrapS":33071,"wrapT":33648,"magFilter":9728,"minFilter":9987}],"textures":[{"source":0,"sampler":0},{"source":1}],
"images":[{"uri":"` + dataURI(lyingPNG(1, 1)) + `"},{"uri":"` + dataURI(lyingPNG(1, 1)) + `"}]`)
	m := testkit.Must(read(t, map[string]string{"a.gltf": text}, "a.gltf"))(t)
	want := DefaultMaterial()
	want.Name, want.DoubleSided, want.Alpha, want.Cutoff, want.Emissive = "", true, Mask, 0.25, mgl32.Vec3{0, 1, 0}
	want.Metallic, want.Roughness, want.NormalScale = 0.75, 0.5, 0.5
	sampled := Sampler{WrapU: ClampToEdge, WrapV: MirroredRepeat, MinLinear: true, Mipmaps: true, MipLinear: true}
	want.Base = Texture{Image: 0, UV: 1, Sampler: sampled}
	want.Normal = Texture{Image: 1, Sampler: defaultSampler, Transform: &Transform{Offset: [2]float64{0.5, 0.125}, Scale: [2]float64{1, 1}}}
	want.EmissiveMap = Texture{Image: 0, Sampler: sampled}
	want.MetalMap = Texture{Image: 1, UV: 2, Sampler: defaultSampler, Transform: &Transform{Offset: [2]float64{0.5, 0.25}, Scale: [2]float64{2, 4}, Rotation: 1.5}}
	want.OcclusionMap, want.Occlusion = Texture{Image: 1, UV: 1, Sampler: defaultSampler}, 0.25
	require.Equal(t, want, m.Materials[0])
	require.Empty(t, m.Notes)
	data := testkit.Must(EncodeGLB(m))(t)
	again := testkit.Must(read(t, map[string]string{"a.glb": string(data)}, "a.glb"))(t)
	require.Equal(t, m.Materials, again.Materials)
	require.Empty(t, again.Notes)
}

// A material reads any three of a mesh's sets of coordinates; the least important texture that needs a fourth is left out.
func TestSetsOfCoordinates(t *testing.T) {
	m := testkit.Must(read(t, map[string]string{"a.gltf": triangle(`,"materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0,"texCoord":5},"metallicRoughnessTexture":{"index":0,"texCoord":1}},
"normalTexture":{"index":0,"texCoord":4},"emissiveTexture":{"index":0,"texCoord":3}}],"textures":[{"source":0}],"images":[{"uri":"` + dataURI(lyingPNG(1, 1)) + `"}]`)}, "a.gltf"))(t)
	var sets []int
	for _, of := range m.Materials[0].Textures() {
		sets = append(sets, of.Image, of.UV)
	}
	require.Equal(t, []int{0, 2, 0, 0, -1, 0, 0, 1, -1, 0}, sets)
	require.Equal(t, []string{"a texture is left out, because its material reads more than three sets of coordinates"}, m.Notes)
}

// Linear factors of glTF become sRGB and are written back as linear; alpha is unchanged. Unknown extensions are noted once, also
// required ones of materials and lights.
func TestLinearFactorsToSRGB(t *testing.T) {
	m := testkit.Must(read(t, map[string]string{"a.gltf": triangle(`,"extensionsUsed":["KHR_materials_clearcoat","KHR_materials_unlit","X","KHR_lights_punctual"],"extensionsRequired":["KHR_materials_clearcoat","KHR_lights_punctual"],"materials":[{"emissiveFactor":[0.214041,0.002,1],"pbrMetallicRoughness":{"baseColorFactor":[0.5,0.033105,0,0.25]}}]`)}, "a.gltf"))(t)
	a := m.Materials[0]
	for k, want := range [4]float32{0.735357, 0.2, 0, 0.25} {
		require.InDelta(t, want, a.BaseColor[k], 1e-4)
	}
	for k, want := range [3]float32{0.5, 0.02584, 1} {
		require.InDelta(t, want, a.Emissive[k], 1e-4)
	}
	require.Equal(t, []string{"extensions that are not read: X"}, m.Notes)
	data := testkit.Must(EncodeGLB(m))(t)
	again := testkit.Must(read(t, map[string]string{"b.glb": string(data)}, "b.glb"))(t)
	for k := range 4 {
		require.InDelta(t, a.BaseColor[k], again.Materials[0].BaseColor[k], 1e-6)
	}
}

// Invalid models: other versions, chunks in another order, invalid addresses, sizes beyond the limits.
func TestInvalidModelsAreRefused(t *testing.T) {
	channel := func(target string) string {
		return triangle(`,"animations":[{"channels":[{"sampler":0,"target":`+target+`}],"samplers":[{"input":1,"output":2}]}]`,
			`"type":"VEC3"}]`, `"type":"VEC3"},{"bufferView":0,"byteOffset":8,"componentType":5126,"count":2,"type":"SCALAR"},{"bufferView":0,"componentType":5126,"count":2,"type":"VEC3"}]`)
	}
	for _, c := range []struct{ text, want string }{
		{triangle("", `"2.0"`, `"3.0"`), `glTF version "3.0"; version 2.0 is read`},
		{triangle("", `"2.0"`, `"2.9"`), ""},
		{triangle(`,"animations":[{"channels":[null],"samplers":[]}]`), "animation 0: a channel or sampler is null"},
		{triangle(`,"animations":[{"channels":[],"samplers":[null]}]`), "animation 0: a channel or sampler is null"},
		{triangle("", ";base64,", ";base32,"), "buffer 0: a data URI that is not base64"},
		{triangle("", ";base64,", ";base64,!"), "buffer 0: a damaged data URI: illegal base64 data at input byte 0"},
		{triangle("", `"uri":"data:application`, `"uri":"a%zz","x":"`), `buffer 0: missing or damaged URI "a%zz"`},
		{triangle("", `"uri":"data:application`, `"uri":"b.bin:c","x":"`), `buffer 0: open b.bin:c`},
		{triangle(`,"scenes":[{"nodes":[1]}]`), "scene: node 1 of 1"},
		{triangle(`,"scenes":[{"nodes":[-1]}]`), "scene: node -1 of 1"},
		{triangle("", dataURI(f32s(0, 0, 0, 1, 0, 0, 0, 1, 0)), dataURI(f32s(0, 0, 0, 1, 0, 0, 0, float32(math.Inf(1)), 0))), "accessor 0: element 2 is not a finite number"},
		{triangle(`,"skins":[{"joints":[0,0],"inverseBindMatrices":1}]`, `"type":"VEC3"}]`, `"type":"VEC3"},{"componentType":5126,"count":1,"type":"MAT4"}]`), "skin 0: 1 inverse bind matrices for 2 joints"},
		{triangle(`,"skins":[{"joints":[0],"inverseBindMatrices":1}]`, `"type":"VEC3"}]`, `"type":"VEC3"},{"componentType":5126,"count":1,"type":"MAT4"}]`), ""},
		{channel(`{"node":0,"path":"translation"}`), ""},
		{triangle(`,"materials":[{"pbrMetallicRoughness":{"metallicRoughnessTexture":{"index":3}}}]`), "material 0 (): metallic-roughness texture: texture 3 of 0"},
		{triangle(`,"materials":[{"emissiveTexture":{"index":3}}]`), "emissive texture: texture 3 of 0"},
		{channel(`{"node":1,"path":"translation"}`), "node 1 of 1"},
		{"glTF\x01\x00\x00\x00\x14\x00\x00\x00\x00\x00\x00\x00JSON", "offset 4: binary glTF version 1; version 2 is read"},
		{"glTF\x02\x00\x00\x00\x14\x00\x00\x00\x00\x00\x00\x00BIN\x00", "offset 12: the first chunk is not JSON"},
		{"glTF\x02\x00\x00\x00\x15\x00\x00\x00\x00\x00\x00\x00JSON", "offset 8: the header says 21 bytes, the file has 20"},
	} {
		_, err := read(t, map[string]string{"a.gltf": c.text}, "a.gltf")
		if c.want == "" {
			require.NoError(t, err, c.text[:min(len(c.text), 900)])
		} else {
			require.ErrorContains(t, err, c.want, c.text[:min(len(c.text), 900)])
		}
	}
	notes := func(text string) string {
		m := testkit.Must(read(t, map[string]string{"a.gltf": text}, "a.gltf"))(t)
		return strings.Join(m.Notes, "; ")
	}
	require.Contains(t, notes(triangle("", `"POSITION":0`, `"POSITION":0,"JOINTS_0":1`, `"type":"VEC3"}]`, `"type":"VEC3"},{"componentType":5123,"count":3,"type":"VEC4"}]`)),
		"joints without weights, or weights without joints, are left out")
	require.Contains(t, notes(triangle("", `"POSITION":0`, `"POSITION":0,"WEIGHTS_0":1`, `"type":"VEC3"}]`, `"type":"VEC3"},{"componentType":5126,"count":3,"type":"VEC4"}]`)),
		"joints without weights, or weights without joints, are left out")
	m := testkit.Must(read(t, map[string]string{"a.gltf": triangle("", `[{"mesh":0}]`, `[{"mesh":0,"weights":[0.5,2]}]`)}, "a.gltf"))(t)
	require.Equal(t, []float32{0.5, 2}, m.Nodes[0].Weights)
	// Weights of zero belong to the first joint.
	m = testkit.Must(read(t, map[string]string{"a.gltf": triangle("", `"POSITION":0`, `"POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2`, `"type":"VEC3"}]`,
		`"type":"VEC3"},{"componentType":5123,"count":3,"type":"VEC4"},{"componentType":5126,"count":3,"type":"VEC4"}]`)}, "a.gltf"))(t)
	require.Equal(t, []mgl32.Vec4{{1, 0, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}}, m.Meshes[0].Parts[0].Weights)

	// Files: unknown formats, folders, too long ones.
	_, err := read(t, map[string]string{"a.txt": "hello"}, "a.txt")
	require.ErrorContains(t, err, "a.txt: neither glTF (.gltf, .glb) nor Wavefront OBJ (.obj)")
	_, err = read(t, map[string]string{"a.gltf/b": "hello"}, "a.gltf")
	require.ErrorContains(t, err, "a.gltf: not a regular file")
	long := "#" + strings.Repeat("a", maxLine/2)
	_, err = read(t, map[string]string{"a.obj": "v 0 0 0\n" + long + "\\\n" + long + "\\\n1 2 3\n"}, "a.obj")
	require.ErrorContains(t, err, fmt.Sprintf("line 2: longer than %d bytes", maxLine))
	_, err = read(t, map[string]string{"a.obj": "v 0 0 0\n\n" + long + long}, "a.obj")
	require.ErrorContains(t, err, "line 3: bufio.Scanner: token too long")
	m = testkit.Must(read(t, map[string]string{"a.obj": "v 0 0 0\nv 1 0 0 0.5 0.25 1\nv 0 1 0\nf 1 2 3\ncurv 1\nend\np 1\n"}, "a.obj"))(t)
	require.Equal(t, []mgl32.Vec4{{1, 1, 1, 1}, {0.5, 0.25, 1, 1}, {1, 1, 1, 1}}, m.Meshes[0].Parts[0].Colors)
	require.Equal(t, []string{"free-form curves and surfaces are left out", "points and lines are left out"}, m.Notes)
}

// vectors are streams of our own numbers made by the reference encoder (meshoptimizer 1.3.0), with its decoder's output.
func vectors(t testing.TB) (list []struct {
	Name, Mode, Filter string
	Count, Stride      int
	Packed, Plain      []byte
}) {
	data := testkit.Read(t, "testdata/meshopt.json")
	require.NoError(t, json.Unmarshal(data, &list))
	return list
}

func TestUnpack(t *testing.T) {
	for _, v := range vectors(t) {
		t.Run(v.Name, func(t *testing.T) {
			p := packed{Count: v.Count, ByteStride: v.Stride, Mode: v.Mode, Filter: v.Filter}
			got := testkit.Must(p.unpack(v.Packed))(t)
			require.Len(t, got, len(v.Plain))
			switch v.Filter {
			case "OCTAHEDRAL", "QUATERNION", "COLOR":
				// The specification allows a difference of one unit.
				for at := 0; at < len(got); at += v.Stride {
					a, b := parts(v.Plain[at:at+v.Stride]), parts(got[at:at+v.Stride])
					for k := range a {
						require.InDelta(t, 0, int16(uint16(a[k])-uint16(b[k])), 1, "element %d", at/v.Stride)
					}
				}
			default:
				require.Equal(t, v.Plain, got)
			}
			// Truncated streams and streams with more bytes are errors.
			for n := 0; n < len(v.Packed); n += 1 + len(v.Packed)/50 {
				_, err := p.unpack(v.Packed[:n])
				require.Error(t, err, "cut to %d of %d bytes", n, len(v.Packed))
			}
		})
	}
}

func TestUnpackRefuses(t *testing.T) {
	attributes := func(change func(b []byte) []byte) []byte { return change(append([]byte(nil), vectors(t)[0].Packed...)) }
	for _, c := range []struct {
		name string
		p    packed
		data []byte
		want string
	}{
		{"a mode", packed{Mode: "X", ByteStride: 4}, nil, `unknown mode "X"`},
		{"a filter", packed{Mode: "ATTRIBUTES", ByteStride: 4, Filter: "X"}, nil, `unknown filter "X"`},
		{"a filter of indices", packed{Mode: "INDICES", ByteStride: 4, Filter: "EXPONENTIAL"}, nil, "filters are for attributes"},
		{"a filter's stride", packed{Mode: "ATTRIBUTES", ByteStride: 12, Filter: "QUATERNION"}, nil, "takes no elements of 12 bytes"},
		{"a stride", packed{Mode: "ATTRIBUTES", ByteStride: 6}, nil, "elements of 6 bytes"},
		{"an index's stride", packed{Mode: "TRIANGLES", ByteStride: 8}, nil, "indices of 8 bytes"},
		{"half a triangle", packed{Mode: "TRIANGLES", ByteStride: 2, Count: 4}, nil, "triangles of 4 indices"},
		{"a count", packed{Mode: "INDICES", ByteStride: 2, Count: -1}, nil, "a count of -1"},
		{"one too many", packed{Mode: "INDICES", ByteStride: 2, Count: maxFile/4 + 1}, nil, fmt.Sprintf("a count of %d", maxFile/4+1)},
		{"as many as there may be", packed{Mode: "INDICES", ByteStride: 2, Count: maxFile / 4}, nil, "no header of this mode"},
		{"a version of indices", packed{Mode: "INDICES", ByteStride: 2, Count: 1}, []byte{0xD2, 0, 0, 0, 0, 0}, "no header of this mode"},
		{"a version of triangles", packed{Mode: "TRIANGLES", ByteStride: 2, Count: 3}, append([]byte{0xE2, 0xFE}, make([]byte, 16)...), "no header of this mode"},
		{"nothing", packed{Mode: "INDICES", ByteStride: 2}, nil, "no header of this mode"},
		{"a version", packed{Mode: "ATTRIBUTES", ByteStride: 12, Count: 1}, attributes(func(b []byte) []byte { b[0] = 0xA2; return b }), "no header of this mode"},
		{"more than is said", packed{Mode: "ATTRIBUTES", ByteStride: 12, Count: 1}, attributes(func(b []byte) []byte { return append(b, 0) }), "left over"},
		{"a channel mode", packed{Mode: "ATTRIBUTES", ByteStride: 4}, append(append([]byte{0xA1}, make([]byte, 23)...), 3), "channel mode 0x3"},
		{"an index of two bytes", packed{Mode: "INDICES", ByteStride: 2, Count: 1}, []byte{0xD1, 0x80, 0x80, 0x10, 0, 0, 0, 0}, "index 65536 does not fit two bytes"},
		{"a number without end", packed{Mode: "INDICES", ByteStride: 4, Count: 1}, []byte{0xD1, 0x80, 0x80, 0x80, 0x80, 0x80, 0, 0, 0, 0}, "more than 32 bits"},
	} {
		_, err := c.p.unpack(c.data)
		require.ErrorContains(t, err, c.want, c.name)
	}
	// A large count without data allocates nothing.
	p := packed{Mode: "ATTRIBUTES", ByteStride: 256, Count: 1 << 20}
	require.LessOrEqual(t, testing.AllocsPerRun(1, func() { _, _ = p.unpack(make([]byte, 300)) }), 100.0)
}

// A restart of the vertex counter, as encoders write it where streams were joined.
func TestUnpackRestarts(t *testing.T) {
	p := packed{Mode: "TRIANGLES", ByteStride: 2, Count: 6}
	got := testkit.Must(p.unpack(append([]byte{0xE1, 0xFE, 0xFE, 0, 0}, make([]byte, 16)...)))(t)
	var list []uint16
	for at := 0; at < len(got); at += 2 {
		list = append(list, binary.LittleEndian.Uint16(got[at:]))
	}
	require.Equal(t, []uint16{0, 1, 2, 0, 1, 2}, list)
}

// A quaternion that consists of the omitted component is exact.
func TestUnpackWholeQuaternions(t *testing.T) {
	for k := range 4 {
		b := []byte{0, 0, 0, 0, 0, 0, byte(k | 0xFC), 0x7F}
		unpackQuaternion(b)
		want := [4]int{}
		want[k] = 32767
		require.Equal(t, want, parts(b))
	}
}

// Golden file: the vertices of generated shapes, and of an animated model.
func TestShapeVertices(t *testing.T) {
	var b bytes.Buffer
	part := func(name string, p Part, err error) {
		require.NoError(t, err)
		fmt.Fprintf(&b, "%s: %d vertices, indices %v\n", name, len(p.Positions), p.Indices)
		for i := range p.Positions {
			fmt.Fprintf(&b, "  %.3f", p.Positions[i])
			if i < len(p.Normals) {
				fmt.Fprintf(&b, " normal %.3f", p.Normals[i])
			}
			if i < len(p.Tangents) {
				fmt.Fprintf(&b, " tangent %.3f", p.Tangents[i])
			}
			if i < len(p.Colors) {
				fmt.Fprintf(&b, " colour %.3f", p.Colors[i])
			}
			for _, uv := range p.UV {
				if i < len(uv) {
					fmt.Fprintf(&b, " at %.3f", uv[i])
				}
			}
			if i < len(p.Sizes) {
				fmt.Fprintf(&b, " size %.3f", p.Sizes[i])
			}
			fmt.Fprintln(&b)
		}
	}
	one := func(name string) func(p Part, err error) { return func(p Part, err error) { part(name, p, err) } }
	one("sphere")(Sphere(2, 4, 3))
	one("torus")(Torus(2, 0.5, 3, 4))
	one("knot")(Knot(1, 0.25, 5, 3))
	one("cylinder")(Cylinder(1, 0.5, 2, 3))
	one("plane")(Plane(2, 3, 2, 1))
	one("quad")(Quad(2, 3, 1, 2))
	one("terrain")(Terrain(2, 3, 1, 3, 3, 5))
	one("box")(Box(1, 2, 3, 2))
	one("points")(Points(3, mgl64.Vec3{1, 2, 3}, 0.5, mgl32.Vec4{1, 0.5, 0.25, 1}, 9))
	m := testkit.Must(Load("../../testdata/scenes/arm.gltf"))(t)
	for _, at := range []float64{0, 0.3, 0.75, 1.5, 99} {
		for anim := -1; anim < len(m.Animations); anim++ {
			p := testkit.Must(m.Pose(anim, at))(t)
			lo, hi, ok := m.Bounds(p)
			fmt.Fprintf(&b, "animation %d at %g: %.3f to %.3f, %v, weights %.3f\n", anim, at, lo, hi, ok, p.Weights)
			for i, n := range p.World {
				fmt.Fprintf(&b, "  %s %.3f\n", m.Nodes[i].Name, n)
			}
			for s := range m.Skins {
				fmt.Fprintf(&b, "  skin %d %.3f\n", s, m.Joints(p, s))
			}
		}
	}
	testkit.Golden(t, "testdata/shapes.txt", bytes.ReplaceAll(b.Bytes(), []byte("-0.000"), []byte("0.000")))
}

// Small files that ask for much work are refused at the limit, and each file is read once.
func TestWorkIsLimited(t *testing.T) {
	face := "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
	numbered := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	primitives := func(n int) string {
		return strings.Replace(triangle(""), `{"attributes":{"POSITION":0}}`, strings.TrimSuffix(strings.Repeat(`{"attributes":{"POSITION":0}},`, n), ","), 1)
	}
	library := "mtllib a.mtl\nmtllib ./a.mtl\n"
	for _, c := range []struct {
		name, file string
		others     map[string]string
		want       string
	}{
		{"a library that is named often", "a.obj", map[string]string{"a.obj": strings.Repeat(library, 10000) + face + "f 1 2 3\n", "a.mtl": numbered(3000, "newmtl m%d\n")}, ""},
		{"libraries", "a.obj", map[string]string{"a.obj": numbered(1025, "mtllib %d.mtl\n") + face}, "a.obj: line 1025: the model has more than 1024 other files"},
		{"materials", "a.obj", map[string]string{"a.obj": face + "f 1 2 3\n" + numbered(4097, "usemtl m%d\n")}, "a.obj: line 4101: the model has more than 4096 materials"},
		{"materials of a library", "a.obj", map[string]string{"a.obj": "mtllib a.mtl\n", "a.mtl": numbered(4097, "newmtl m%d\n")}, "a.obj: line 1: a.mtl: line 4097: the model has more than 4096 materials"},
		{"groups", "a.obj", map[string]string{"a.obj": face + numbered(4096, "usemtl m%d\ns 1\nf 1 2 3\ns 0\nf 1 2 3\n")}, ""},
		{"primitives", "a.gltf", map[string]string{"a.gltf": primitives(8193)}, "a.gltf: mesh 0 (), primitive 8192: the model has more than 8192 primitives"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := read(t, c.others, c.file)
			if c.want == "" {
				require.NoError(t, err)
			} else {
				require.EqualError(t, err, c.want)
			}
		})
	}
	w := work{}
	for c := range costs {
		require.NoError(t, w.spend(c, limits[c].most-1))
		require.NoError(t, w.spend(c, 1))
		require.ErrorContains(t, w.spend(c, 1), limits[c].what)
		require.Equal(t, limits[c].most, w[c])
	}
}

// A picture that is named in several ways is one image.
func TestPicturesAreOneImage(t *testing.T) {
	base := `"pbrMetallicRoughness":{"baseColorTexture":{"index":%d}}`
	all := map[string]string{
		"a.png": richFiles(t)["a.png"],
		"a.gltf": triangle(`,"images":[{"uri":"a.png"},{"uri":"./a.png"}],"textures":[{"source":0},{"source":1}],"materials":[{`+fmt.Sprintf(base, 0)+`},{`+fmt.Sprintf(base, 1)+`}]`,
			`[{"attributes":{"POSITION":0}}]`, `[{"attributes":{"POSITION":0},"material":0},{"attributes":{"POSITION":0},"material":1}]`),
		"a.obj": "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\nusemtl b\nf 1 2 3\n",
		"a.mtl": "newmtl a\nmap_Kd a.png\nnewmtl b\nmap_Kd ./a.png\n",
	}
	for _, name := range []string{"a.gltf", "a.obj"} {
		m := testkit.Must(read(t, all, name))(t)
		require.Len(t, m.Images, 1, name)
		for _, k := range []int{0, 1} {
			require.Zero(t, m.Materials[k].Base.Image, name)
		}
	}
}
