package inspect

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"os"
	"strings"

	"pica200/assets/cgfx"
	"pica200/assets/citrace"
	"pica200/assets/picatrace"
	"pica200/assets/shbin"
	"pica200/assets/texture"
	"pica200/pica"
)

// formatOf is the expected format of each sample.
var formatOf = map[string]string{
	"trace.ctf": "ctf", "trace.picatrace": "picatrace", "shader.shbin": "shbin", "object.dvoj": "dvoj", "resource.bcsdr": "cgfx", "banner.bnr": "cbmd", "model.bch": "bch", "shader.csdr": "csdr",
	"mali.mbs": "mbs", "picture.t3x": "t3x", "model.gltf": "gltf", "model.glb": "glb", "model.obj": "obj", "scene.yaml": "scene", "list.bin": "cmdlist",
}

// samples makes a file of every format, stored in testdata.
func samples() map[string][]byte {
	must := func(data []byte, err error) []byte {
		if err != nil {
			panic(err)
		}
		return data
	}
	shader := sampleShbin()
	return map[string][]byte{
		"trace.ctf":       must(sampleTrace()),
		"trace.picatrace": must(sampleRecording()),
		"shader.shbin":    shader,
		"object.dvoj":     must(shbin.WriteObject(sampleObject())),
		"resource.bcsdr":  sampleCGFX(shader),
		"banner.bnr":      must(cgfx.BuildBanner(sampleCGFX(shader), []byte("CWAV\xff\xfe@\x00"))),
		"model.bch":       must(os.ReadFile("../../testdata/models/arm.bch")),
		"shader.csdr":     []byte("shader basic\n" + wrap(base64.StdEncoding.EncodeToString(shader)) + "\n"),
		"mali.mbs":        must(os.ReadFile("../../assets/mbs/testdata/own.mbs")),
		"picture.t3x":     must(sampleT3X()),
		"model.gltf":      []byte(sampleGLTF),
		"model.glb":       sampleGLB(),
		"model.obj":       []byte(sampleOBJ),
		"scene.yaml":      []byte(sampleScene),
		"list.bin":        bytesOf(sampleList()),
	}
}

func sampleRecording() ([]byte, error) {
	ctf, err := sampleTrace()
	if err != nil {
		return nil, err
	}
	t, err := picatrace.Parse(ctf)
	if err != nil {
		return nil, err
	}
	t.Initial[picatrace.FogTable] = []uint32{0, 0x123}
	var out bytes.Buffer
	w, err := picatrace.NewWriter(&out, picatrace.Meta{Producer: "sample", Version: "1", Title: "a list and a fill"}, t.Initial, picatrace.WriterOptions{Raw: true})
	if err != nil {
		return nil, err
	}
	for i := range t.Frames() {
		if err := w.CopyFrame(t, i); err != nil {
			return nil, err
		}
	}
	for k := picatrace.List; k <= picatrace.Screen; k++ {
		if err := w.Add(picatrace.Event{Kind: k, Words: [7]uint32{0, 0x18000000, 0x18001000, 4, 5, 6, 7}}); err != nil {
			return nil, err
		}
	}
	err = w.Close()
	return out.Bytes(), err
}

func bytesOf(words []uint32) (b []byte) {
	for _, w := range words {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}

func sampleList() []uint32 {
	h := func(r pica.Reg, mask uint32, extra int, consecutive bool) uint32 {
		return uint32(pica.MakeCommandHeader(r, mask, extra, consecutive))
	}
	return []uint32{
		2, h(pica.RegFacecullingConfig, 15, 0, false),
		0x45E000, h(0x041, 15, 3, true), 0x38111112, 0x469000, 0x3747AE14, 0,
		0x00FF0000, h(0x107, 4, 0, false), // part of a register
		0xBADC0DE, h(0x000, 15, 0, false), // an unknown register
		1, h(pica.RegVshFloatuniformData0, 15, 2, false), 2, 3,
		1, h(pica.RegDrawarrays, 15, 0, false),
		0x12345678, h(pica.RegFinalize, 15, 0, false),
	}
}

func sampleTrace() ([]byte, error) {
	b := &citrace.Builder{Layout: citrace.Tagged}
	b.Initial[citrace.PICARegisters] = make([]uint32, 0x300)
	b.Initial[citrace.PICARegisters][pica.RegFacecullingConfig] = 1
	b.Initial[citrace.VSFloatUniforms] = make([]uint32, 384)
	b.Initial[citrace.VSFloatUniforms][5] = 0x3F0000 // 1 as float24
	list := bytesOf(sampleList())
	jump := bytesOf([]uint32{uint32(len(list) / 8), 0x000F0239, 0x20001000 / 8, 0x000F023B, 1, 0x000F023D, 0, 0})
	b.Load(0x20001000, list)
	b.Load(0x20002000, jump)
	b.Write(0x10400010, 0x18000000/8)
	b.WriteWidth(0x10202204, 2, 0x1234)
	b.Write(pica.ExtCommandListSize, uint32(len(jump)/8))
	b.Write(pica.ExtCommandListAddr, 0x20002000/8)
	b.Write(pica.ExtCommandListStart, 1)
	b.EndFrame()
	return b.Encode()
}

func sampleShbin() []byte {
	// mov o0, v0 (descriptor 0); dp4 o1.x, c0, v1 (1); end
	code := []uint32{0x4C000000, 0x08201001 | 0x20<<12, 0x88000000}
	desc := []uint32{0x0000036F, 0x0006C368}
	file, err := shbin.Build(code, desc, []shbin.Executable{{
		Main: 0, EndMain: 3, InputMask: 3, OutputMask: 3,
		Constants: []shbin.Constant{shbin.FloatConstant(95, [4]uint32{0x3F0000, 0x400000, 0, 0xBF0000}), shbin.BoolConstant(2, true), shbin.IntConstant(1, [4]uint8{1, 2, 3, 4})},
		Outputs:   []shbin.Output{{Type: shbin.OutPosition, Reg: 0, Mask: 15}, {Type: shbin.OutColor, Reg: 1, Mask: 1}},
		Uniforms:  []shbin.Uniform{{Start: 0x10, End: 0x13, Name: "projection"}, {Start: 0, End: 0, Name: "inpos"}},
	}})
	if err != nil {
		panic(err)
	}
	data, err := file.Write()
	if err != nil {
		panic(err)
	}
	return data
}

func sampleObject() *shbin.Object {
	return &shbin.Object{
		Version: 0x1002, Type: shbin.VertexShader, InputMask: 1, OutputMask: 1,
		Code:        []uint32{0x4C000000, 0x88000000},
		Descriptors: []shbin.Descriptor{{Word: 0x36F, Flags: 0}},
		Labels:      []shbin.Label{{ID: 0, Unknown: 1, Addr: 0, Size: 2, Name: "main"}},
		Lines:       []shbin.Line{{Line: 3, File: "own.pica"}, {Line: 4, File: "own.pica"}},
		Relocs:      []shbin.Reloc{{Addr: 0, Kind: shbin.RelocDescriptor}},
		Outputs:     []shbin.Output{{Type: shbin.OutPosition, Mask: 15}},
		Uniforms:    []shbin.Uniform{{Start: 0, End: 0, Name: "inpos"}},
	}
}

func wrap(s string) string {
	var b strings.Builder
	for len(s) > 64 {
		b.WriteString(s[:64] + "\n")
		s = s[64:]
	}
	return b.String() + s
}

// sampleCGFX makes a container with one shader.
func sampleCGFX(shader []byte) []byte {
	const data, dict, object = 0x14, 0x14 + 8 + 128, 0x14 + 8 + 128 + 0x1C + 16
	name := object + 0x28
	binaryAt := name + 8
	size := binaryAt + len(shader)
	b := make([]byte, size)
	le := binary.LittleEndian
	put := func(at int, v uint32) { le.PutUint32(b[at:], v) }
	copy(b, "CGFX")
	le.PutUint16(b[4:], 0xFEFF)
	le.PutUint16(b[6:], 0x14)
	put(8, 0x05000000)
	put(12, uint32(size))
	put(16, 1)
	copy(b[data:], "DATA")
	put(data+4, uint32(size-data))
	field := data + 8 + 8*4
	put(field, 1)
	put(field+4, uint32(dict-field-4))
	copy(b[dict:], "DICT")
	put(dict+4, 0x1C+16)
	put(dict+8, 1)
	entry := dict + 0x1C
	put(entry+8, uint32(name-entry-8))
	put(entry+12, uint32(object-entry-12))
	put(object, uint32(cgfx.KindShader))
	copy(b[object+4:], "SHDR")
	put(object+0x18, uint32(len(shader)))
	put(object+0x1C, uint32(binaryAt-object-0x1C))
	copy(b[name:], "basic\x00")
	copy(b[binaryAt:], shader)
	return b
}

func sampleT3X() ([]byte, error) {
	im := texture.NewImage(16, 8)
	for i := range im.Pix {
		im.Pix[i] = uint32(i)*0x01010101 | 0xFF000000
	}
	x, err := texture.NewT3X(pica.TextureFormatRGB565, 1, im)
	if err != nil {
		return nil, err
	}
	x.SubTextures = append(x.SubTextures, texture.SubTexture{Width: 4, Height: 8, Left: 512, Top: 0, Right: 1024 - 256, Bottom: 0})
	x.SubTextures[1] = texture.SubTexture{Width: 8, Height: 4, Left: 0, Top: 256, Right: 1024, Bottom: 512}
	return x.Encode()
}

const sampleGLTF = `{
  "asset": {"version": "2.0", "generator": "by hand \u00e9"},
  "nodes": [{"mesh": 0, "name": "a \"quoted\" name"}],
  "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
  "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}],
  "bufferViews": [{"buffer": 0, "byteLength": 36}],
  "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "max": [1, 1, 0], "min": [0, 0, 0]}],
  "extras": [true, null, [], {}, -1.5e3]
}
`

func sampleGLB() []byte {
	doc := `{"asset":{"version":"2.0"},"buffers":[{"byteLength":6}],"bufferViews":[{"buffer":0,"byteLength":6}],"accessors":[{"bufferView":0,"componentType":5123,"count":3,"type":"SCALAR"}]}`
	for len(doc)%4 != 0 {
		doc += " "
	}
	le := binary.LittleEndian
	b := append([]byte("glTF"), 2, 0, 0, 0)
	b = le.AppendUint32(b, uint32(12+8+len(doc)+8+8))
	b = le.AppendUint32(b, uint32(len(doc)))
	b = append(append(b, "JSON"...), doc...)
	b = le.AppendUint32(b, 8)
	return append(append(b, "BIN\x00"...), 0, 0, 1, 0, 2, 0, 0, 0)
}

const sampleOBJ = `# a triangle
mtllib none.mtl
v 0 0 0
v 1 0 0
v 0 1 0
vt 0 0
vn 0 0 1
g front
usemtl red
f 1/1/1 2/1/1 -1/1/1
`

var sampleScene = fmt.Sprintf(`# one quad
name: quad
target: {width: 64, height: 64}
models:
  quad:
    shape: quad
draws:
  - model: quad
    uniforms:
      %s: [1, 0, 0, 1]
`, "dmp_TexEnv[0].constRgba")
