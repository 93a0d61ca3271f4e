package scenebuild

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"pica200/assets/model"
	"pica200/scene"
	"pica200/tests/testkit"
)

// writtenGLTF is a glTF file from JSON with texts for binary data:
//
//	"@VEC3 f 0 0 0 1 0 0"  an accessor of floats; b, B, h, H and I are integers of 1, 2 and 4 bytes,
//	                       n after them means normalized, a number before them a stride, JSON at the end adds keys
//	"@png 2 ff0000 00ff00" an image, two pixels wide
//	"@bytes f 0 1"         a buffer view
type writtenGLTF struct {
	buffer    []byte
	views     []any
	accessors []any
}

var componentTypes = map[byte][2]int{'b': {5120, 1}, 'B': {5121, 1}, 'h': {5122, 2}, 'H': {5123, 2}, 'I': {5125, 4}, 'f': {5126, 4}}

func (w *writtenGLTF) view(component string, numbers []string, row int) (view, count int) {
	kind := strings.TrimRight(strings.TrimLeft(component, "0123456789"), "n")
	stride, _ := strconv.Atoi(component[:strings.Index(component, kind)])
	for len(w.buffer)%4 != 0 {
		w.buffer = append(w.buffer, 0)
	}
	start := len(w.buffer)
	for i, text := range numbers {
		x, _ := strconv.ParseFloat(text, 64)
		switch size := componentTypes[kind[0]][1]; {
		case kind == "f":
			w.buffer = append(w.buffer, binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(x)))...)
		default:
			for k := range size {
				w.buffer = append(w.buffer, byte(int64(x)>>(8*k)))
			}
		}
		for stride > 0 && i%row == row-1 && (len(w.buffer)-start)%stride != 0 {
			w.buffer = append(w.buffer, 0xAA)
		}
	}
	view = len(w.views)
	v := map[string]any{"buffer": 0, "byteOffset": start, "byteLength": len(w.buffer) - start}
	if stride > 0 {
		v["byteStride"] = stride
	}
	w.views = append(w.views, v)
	return view, len(numbers) / row
}

func (w *writtenGLTF) replace(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			v[k] = w.replace(v[k])
		}
	case []any:
		for i := range v {
			v[i] = w.replace(v[i])
		}
	case string:
		v, more, _ := strings.Cut(v, " {")
		f := strings.Fields(v)
		switch {
		case !strings.HasPrefix(v, "@"):
		case f[0] == "@bytes":
			view, _ := w.view(f[1], f[2:], 1)
			return view
		case f[0] == "@png":
			wide, _ := strconv.Atoi(f[1])
			m := image.NewNRGBA(image.Rect(0, 0, wide, (len(f)-2)/wide))
			for i, text := range f[2:] {
				c := [4]uint8{3: 255}
				for k := range len(text) / 2 {
					n, _ := strconv.ParseUint(text[2*k:2*k+2], 16, 8)
					c[k] = uint8(n)
				}
				m.SetNRGBA(i%wide, i/wide, color.NRGBA{c[0], c[1], c[2], c[3]})
			}
			var b bytes.Buffer
			_ = png.Encode(&b, m)
			return "data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes())
		default:
			row := map[string]int{"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}[f[0][1:]]
			view, count := w.view(f[1], f[2:], row)
			accessor := map[string]any{"bufferView": view, "count": count, "type": f[0][1:], "normalized": strings.HasSuffix(f[1], "n"),
				"componentType": componentTypes[strings.TrimLeft(f[1], "0123456789")[0]][0]}
			if more != "" {
				_ = json.Unmarshal([]byte("{"+more), &accessor)
				w.replace(accessor)
			}
			w.accessors = append(w.accessors, accessor)
			return len(w.accessors) - 1
		}
	}
	return v
}

// shortPaths are names of places in the files of testdata/gltf.txt.
var shortPaths = map[string]string{"node": "nodes.0", "mat": "materials.0", "pbr": "materials.0.pbrMetallicRoughness", "tex": "materials.0.pbrMetallicRoughness.baseColorTexture",
	"prim": "meshes.0.primitives.0", "attr": "meshes.0.primitives.0.attributes"}

// put sets a value of a document; null removes it. A number after the last of a list appends.
func put(doc any, path []string, value any) any {
	if len(path) == 0 {
		return value
	}
	if list, ok := doc.([]any); ok {
		i, _ := strconv.Atoi(path[0])
		if i == len(list) {
			list = append(list, nil)
		}
		list[i] = put(list[i], path[1:], value)
		return list
	}
	m, ok := doc.(map[string]any)
	if !ok {
		m = map[string]any{}
	}
	if m[path[0]] = put(m[path[0]], path[1:], value); m[path[0]] == nil {
		delete(m, path[0])
	}
	return m
}

// Each line of testdata/gltf.txt says that two files look the same: one with a feature, and one that shows the same without it, which
// looks otherwise than the file that both change unless it is that file (-).
func TestFeaturesOfGLTF(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(string(testkit.Read(t, "testdata/gltf.txt"))), "\n")
	parse := func(text string) (v any) {
		require.NoError(t, json.Unmarshal([]byte(text), &v), text)
		return v
	}
	base, lines := lines[0], lines[1:]
	shown := func(patch string) *image.NRGBA {
		doc, w := parse(base), &writtenGLTF{}
		for _, one := range strings.Split(patch, ";") {
			if path, value, ok := strings.Cut(strings.TrimSpace(one), "="); ok {
				first, rest, _ := strings.Cut(path, ".")
				doc = put(doc, strings.Split(strings.TrimSuffix(cmp.Or(shortPaths[first], first)+"."+rest, "."), "."), parse(value))
			}
		}
		w.replace(doc)
		put(doc, []string{"accessors"}, w.accessors)
		put(doc, []string{"bufferViews"}, w.views)
		put(doc, []string{"buffers"}, []any{map[string]any{"byteLength": len(w.buffer), "uri": "data:application/octet-stream;base64," + base64.StdEncoding.EncodeToString(w.buffer)}})
		s := testkit.Must(scene.Parse("s.yaml", []byte("target: {width: 64, height: 64}\nambient: [0.2, 0.2, 0.2]\nlights: [{direction: [0.5, 0.3, 1], diffuse: [0.7, 0.7, 0.7]}]\ncamera: {eye: [0, 0, 3], height: 3}\nmodels: {m: m.gltf}\ndraws: [{model: m, write: rgb}]\n")))(t)
		s.FS = fstest.MapFS{"m.gltf": {Data: testkit.Must(json.Marshal(doc))(t)}}
		return pictureOf(t, testkit.Must(New(s))(t, patch), 0.5)
	}
	plain := shown("")
	for _, line := range lines {
		f := strings.Split(line, " | ")
		if len(f) != 3 {
			continue
		}
		t.Run(f[0], func(t *testing.T) {
			got, want, differ := shown(f[1]), shown(f[2]), 0
			for i := range got.Pix {
				if d := int(got.Pix[i]) - int(want.Pix[i]); d > 3 || d < -3 {
					differ++
				}
			}
			require.Less(t, differ, 40, "channels")
			require.Equal(t, strings.TrimSpace(f[2]) == "-", bytes.Equal(plain.Pix, want.Pix), "the feature shows")
		})
	}
}

// A small picture of a scene's texture is enlarged for the texture's filter and wrap modes.
func TestSmallPicturesOfScenes(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 2, 4))
	for i := range m.Pix {
		m.Pix[i] = uint8(37 * i)
	}
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, m))
	for text, want := range map[string]model.Sampler{
		"wrap: [repeat, mirrored_repeat]": {WrapV: model.MirroredRepeat, MagLinear: true}, "wrap: [clamp_to_edge, repeat]": {WrapU: model.ClampToEdge, MagLinear: true}, "mag: nearest": {},
	} {
		s := testkit.Must(scene.Parse("s.yaml", []byte("textures: {t: {file: a.png, "+text+"}}\nmodels: {q: {shape: quad}}\ndraws: [{model: q, textures: [t]}]\n")))(t)
		s.FS = fstest.MapFS{"a.png": {Data: b.Bytes()}}
		require.Equal(t, model.ToTexture(m, want), testkit.Must(New(s))(t).pictures["t"][0], text)
	}
}
