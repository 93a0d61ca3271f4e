package model

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"

	"pica200/internal/mgl"
	"pica200/internal/quote"
)

// Chunk types of the binary container (glTF 2.0, 4.4.3).
const (
	chunkJSON = 0x4E4F534A
	chunkBIN  = 0x004E4942
)

// document is a glTF file during reading.
type document struct {
	gltf.Document
	buffers  [][]byte
	from     *source
	m        *Model
	images   map[int]int    // glTF image -> Model image
	sets     [][3]int       // of each material: the file's numbers of the coordinates in Part.UV
	unpacked map[int][]byte // what compressed buffer views hold
	room     int            // bytes that buffers and what is unpacked may still take
}

// known are extensions that a file may require: they are supported, or ignoring
// them does not change the picture.
var known = map[string]bool{
	"KHR_materials_unlit":   true,
	"KHR_mesh_quantization": true,
	"KHR_texture_transform": true,
	meshoptEXT:              true,
	meshoptKHR:              true,
}

// The extensions that compress buffer views (meshopt.go), and the one that
// compresses meshes.
const (
	meshoptEXT = "EXT_meshopt_compression"
	meshoptKHR = "KHR_meshopt_compression"
	draco      = "KHR_draco_mesh_compression"
)

var errDraco = errors.New("the meshes are compressed with Draco (" + draco + "), which is not read: gltf-transform copy IN.glb OUT.glb writes the file without it, or export the model without compression")

func readGLTF(data []byte, from *source) (*Model, error) {
	text, bin, err := container(data)
	if err != nil {
		return nil, err
	}
	d := &document{from: from, m: &Model{}, images: map[int]int{}, unpacked: map[int][]byte{}, room: maxFile}
	var first struct {
		Asset struct {
			Version any `json:"version"`
		} `json:"asset"`
		Meshes map[string]json.RawMessage `json:"meshes"` // of version 1, which has no lists
	}
	if err := json.Unmarshal(text, &first); err == nil && first.Meshes != nil || strings.HasPrefix(fmt.Sprint(first.Asset.Version), "1") {
		return nil, fmt.Errorf("this is glTF 1.0; version 2.0 is read: convert the file with a tool that reads both, such as gltf-pipeline")
	}
	if err := json.Unmarshal(text, &d.Document); err != nil {
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) {
			return nil, fmt.Errorf("not valid glTF: %s is of the JSON type %s, which glTF 2.0 does not have there", kind.Field, strings.Fields(kind.Value)[0])
		}
		return nil, fmt.Errorf("not valid glTF: %w", quote.JSON(err, text, max(bytes.Index(data, text), 0)))
	}
	if err := d.check(); err != nil {
		return nil, err
	}
	d.noteDropped(text)
	if err := d.readBuffers(bin); err != nil {
		return nil, err
	}
	for _, step := range []func() error{d.readMaterials, d.readMeshes, d.readNodes, d.readCameras, d.readSkins, d.readAnimations} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return d.m, nil
}

// container splits a .glb; a .gltf is text only.
func container(data []byte) (text, bin []byte, err error) {
	if !bytes.HasPrefix(data, []byte("glTF")) {
		return bytes.TrimPrefix(data, []byte("\ufeff")), nil, nil
	}
	if len(data) < 20 {
		return nil, nil, fmt.Errorf("offset 0: the binary glTF header needs 20 bytes, the file has %d", len(data))
	}
	if v := binary.LittleEndian.Uint32(data[4:]); v != 2 {
		return nil, nil, fmt.Errorf("offset 4: binary glTF version %d; version 2 is read", v)
	}
	if n := binary.LittleEndian.Uint32(data[8:]); int64(n) > int64(len(data)) {
		return nil, nil, fmt.Errorf("offset 8: the header says %d bytes, the file has %d", n, len(data))
	}
	for off := 12; off+8 <= len(data); {
		n, kind := int64(binary.LittleEndian.Uint32(data[off:])), binary.LittleEndian.Uint32(data[off+4:])
		body := off + 8
		if n > int64(len(data)-body) {
			return nil, nil, fmt.Errorf("offset %d: a chunk of %d bytes, %d are left", off, n, len(data)-body)
		}
		chunk := data[body : body+int(n)]
		switch {
		case text == nil && kind != chunkJSON:
			return nil, nil, fmt.Errorf("offset %d: the first chunk is not JSON", off)
		case text == nil:
			text = chunk
		case kind == chunkBIN && bin == nil:
			bin = chunk
		}
		off = body + int(n)
	}
	return text, bin, nil
}

// check rejects null entries, which JSON allows but glTF does not, and required
// features that are not supported. Unsupported extensions of materials and
// lights are accepted: the model can be seen without them.
func (d *document) check() error {
	if v := d.Asset.Version; !strings.HasPrefix(v, "2.") {
		return fmt.Errorf("asset.version: glTF version %q; version 2.0 is read", v)
	}
	for _, e := range d.ExtensionsRequired {
		if e == draco {
			return errDraco
		}
		if !known[e] && !strings.HasPrefix(e, "KHR_materials_") && !strings.HasPrefix(e, "KHR_lights_") {
			how := ""
			if i := slices.IndexFunc(Properties, func(p Property) bool { return strings.HasSuffix(p.Path, e) }); i >= 0 {
				if _, with, ok := strings.Cut(Properties[i].How, "; "); ok {
					how = ": " + with
				}
			}
			return fmt.Errorf("the file requires the extension %s, which is not supported%s", e, how)
		}
	}
	for what, n := range map[string]int{
		"accessor": slices.Index(d.Accessors, nil), "animation": slices.Index(d.Animations, nil), "buffer": slices.Index(d.Buffers, nil),
		"bufferView": slices.Index(d.BufferViews, nil), "image": slices.Index(d.Images, nil), "material": slices.Index(d.Materials, nil),
		"mesh": slices.Index(d.Meshes, nil), "node": slices.Index(d.Nodes, nil), "sampler": slices.Index(d.Samplers, nil),
		"scene": slices.Index(d.Scenes, nil), "skin": slices.Index(d.Skins, nil), "texture": slices.Index(d.Textures, nil),
	} {
		if n >= 0 {
			return fmt.Errorf("%s %d is null", what, n)
		}
	}
	for i, m := range d.Meshes {
		if n := slices.Index(m.Primitives, nil); n >= 0 {
			return fmt.Errorf("mesh %d: primitive %d is null", i, n)
		}
	}
	for i, a := range d.Animations {
		if slices.Contains(a.Channels, nil) || slices.Contains(a.Samplers, nil) {
			return fmt.Errorf("animation %d: a channel or sampler is null", i)
		}
	}
	if len(d.Nodes) > maxNodes {
		return fmt.Errorf("%d nodes; at most %d are read", len(d.Nodes), maxNodes)
	}
	return nil
}

func (d *document) readBuffers(bin []byte) error {
	for i, b := range d.Buffers {
		if b.ByteLength < 0 {
			return fmt.Errorf("buffer %d: byteLength is %d", i, b.ByteLength)
		}
		data := bin
		if b.URI == "" && (i > 0 || bin == nil) && d.standIn(i) {
			d.buffers = append(d.buffers, nil)
			continue
		}
		if b.URI != "" || i > 0 {
			var err error
			if data, err = d.resource(b.URI); err != nil {
				return fmt.Errorf("buffer %d: %w", i, err)
			}
		}
		if len(data) < b.ByteLength {
			return fmt.Errorf("buffer %d: byteLength is %d, %d bytes are there", i, b.ByteLength, len(data))
		}
		if d.room -= len(data); d.room < 0 {
			return errRoom
		}
		d.buffers = append(d.buffers, data[:b.ByteLength])
	}
	return nil
}

var errRoom = fmt.Errorf("the buffers hold more than the %d bytes that are read", maxFile)

// standIn reports whether a buffer only declares how large its decompressed
// views are.
func (d *document) standIn(i int) bool {
	return !slices.ContainsFunc(d.BufferViews, func(v *gltf.BufferView) bool { return v.Buffer == i && !isPacked(v) })
}

func isPacked(v *gltf.BufferView) bool {
	return v.Extensions[meshoptEXT] != nil || v.Extensions[meshoptKHR] != nil
}

// unpack returns the contents of a compressed view.
func (d *document) unpack(i int) ([]byte, error) {
	if data, ok := d.unpacked[i]; ok {
		return data, nil
	}
	v := d.BufferViews[i]
	name := meshoptEXT
	if v.Extensions[meshoptKHR] != nil {
		name = meshoptKHR
	}
	text, _ := v.Extensions[name].(json.RawMessage)
	var p packed
	if err := json.Unmarshal(text, &p); err != nil {
		return nil, fmt.Errorf("bufferView %d: %s: %w", i, name, err)
	}
	src, err := d.bytes(p.Buffer, p.ByteOffset, p.ByteLength)
	if err != nil {
		return nil, fmt.Errorf("bufferView %d: %s: %w", i, name, err)
	}
	if p.check() == nil && p.Count*p.ByteStride > d.room {
		return nil, errRoom
	}
	out, err := p.unpack(src)
	if err != nil {
		return nil, fmt.Errorf("bufferView %d: %s: %w", i, name, err)
	}
	if len(out) < v.ByteLength || v.ByteStride != 0 && v.ByteStride != p.ByteStride {
		return nil, fmt.Errorf("bufferView %d: %s holds %d elements of %d bytes; the view says %d bytes, %d an element", i, name, p.Count, p.ByteStride, v.ByteLength, v.ByteStride)
	}
	d.room -= len(out)
	d.unpacked[i] = out
	return out, nil
}

// resource reads a data: URI or a file.
func (d *document) resource(uri string) ([]byte, error) {
	if rest, ok := strings.CutPrefix(uri, "data:"); ok {
		_, text, ok := strings.Cut(rest, ";base64,")
		if !ok {
			return nil, fmt.Errorf("a data URI that is not base64")
		}
		data, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return nil, fmt.Errorf("a damaged data URI: %w", err)
		}
		return data, nil
	}
	name, err := fileOf(uri)
	if err != nil {
		return nil, err
	}
	return d.from.read(name)
}

// fileOf returns the file that a URI names.
func fileOf(uri string) (string, error) {
	name, err := url.PathUnescape(uri)
	if err != nil || uri == "" {
		return "", fmt.Errorf("missing or damaged URI %q", clip(uri))
	}
	return name, nil
}

// view returns the bytes of a buffer view.
func (d *document) view(i int) ([]byte, int, error) {
	if i < 0 || i >= len(d.BufferViews) {
		return nil, 0, fmt.Errorf("bufferView %d of %d", i, len(d.BufferViews))
	}
	v := d.BufferViews[i]
	if v.ByteStride < 0 || v.ByteStride > 252 {
		return nil, 0, fmt.Errorf("bufferView %d: byteStride %d; expected 4 to 252", i, v.ByteStride)
	}
	if isPacked(v) {
		b, err := d.unpack(i)
		return b, v.ByteStride, err
	}
	b, err := d.bytes(v.Buffer, v.ByteOffset, v.ByteLength)
	if err != nil {
		return nil, 0, fmt.Errorf("bufferView %d: %w", i, err)
	}
	return b, v.ByteStride, nil
}

// bytes returns n bytes of a buffer.
func (d *document) bytes(buffer, offset, n int) ([]byte, error) {
	if buffer < 0 || buffer >= len(d.buffers) {
		return nil, fmt.Errorf("buffer %d of %d", buffer, len(d.buffers))
	}
	b := d.buffers[buffer]
	if offset < 0 || n < 0 || offset > len(b) || n > len(b)-offset {
		return nil, fmt.Errorf("bytes %d+%d of buffer %d, which has %d", offset, n, buffer, len(b))
	}
	return b[offset : offset+n], nil
}

func (d *document) readNodes() error {
	for i, n := range d.Nodes {
		out := Node{Name: n.Name, Parent: -1, TRS: Identity, Mesh: -1, Skin: -1}
		if n.Mesh != nil {
			if *n.Mesh < 0 || *n.Mesh >= len(d.m.Meshes) {
				return fmt.Errorf("node %d: mesh %d of %d", i, *n.Mesh, len(d.m.Meshes))
			}
			out.Mesh = *n.Mesh
		}
		if n.Skin != nil {
			if *n.Skin < 0 || *n.Skin >= len(d.Skins) {
				return fmt.Errorf("node %d: skin %d of %d", i, *n.Skin, len(d.Skins))
			}
			out.Skin = *n.Skin
		}
		if m := n.MatrixOrDefault(); m != gltf.DefaultMatrix {
			t := mgl64.Mat4(m) // both store columns
			out.TRS.Matrix = &t
		} else {
			r, s := n.RotationOrDefault(), n.Scale
			for k := range 3 {
				out.TRS.T[k], out.TRS.S[k] = float32(n.Translation[k]), float32(s[k])
			}
			out.TRS.R = mgl.NarrowQuat(mgl64.Vec4(r).Quat())
		}
		for _, w := range n.Weights {
			out.Weights = append(out.Weights, float32(w))
		}
		d.m.Nodes = append(d.m.Nodes, out)
	}
	for i, n := range d.Nodes {
		for _, c := range n.Children {
			if c < 0 || c >= len(d.Nodes) {
				return fmt.Errorf("node %d: child %d of %d nodes", i, c, len(d.Nodes))
			}
			if d.m.Nodes[c].Parent >= 0 {
				return fmt.Errorf("node %d: child %d has a parent already", i, c)
			}
			d.m.Nodes[c].Parent = i
		}
	}
	return d.showScene()
}

// showScene marks the nodes of the default scene and finds cycles.
func (d *document) showScene() error {
	var roots []int
	switch {
	case len(d.Scenes) > 0:
		s := 0
		if d.Scene != nil {
			s = *d.Scene
		}
		if s < 0 || s >= len(d.Scenes) {
			return fmt.Errorf("scene %d of %d", s, len(d.Scenes))
		}
		roots = d.Scenes[s].Nodes
	default:
		for i := range d.m.Nodes {
			if d.m.Nodes[i].Parent < 0 {
				roots = append(roots, i)
			}
		}
	}
	for i := range d.m.Nodes {
		for p, hops := d.m.Nodes[i].Parent, 0; p >= 0; p = d.m.Nodes[p].Parent {
			if hops++; hops > 4096 {
				return fmt.Errorf("node %d: its parents form a circle or are more than 4096", i)
			}
		}
	}
	for len(roots) > 0 {
		i := roots[len(roots)-1]
		roots = roots[:len(roots)-1]
		if i < 0 || i >= len(d.m.Nodes) {
			return fmt.Errorf("scene: node %d of %d", i, len(d.m.Nodes))
		}
		if d.m.Nodes[i].Shown {
			continue
		}
		d.m.Nodes[i].Shown = true
		roots = append(roots, d.Nodes[i].Children...)
	}
	return nil
}

func (d *document) readSkins() error {
	for i, s := range d.Skins {
		out := Skin{Name: s.Name, Joints: s.Joints, InverseBind: make([]mgl64.Mat4, len(s.Joints))}
		for _, j := range s.Joints {
			if j < 0 || j >= len(d.Nodes) {
				return fmt.Errorf("skin %d: joint node %d of %d", i, j, len(d.Nodes))
			}
		}
		for k := range out.InverseBind {
			out.InverseBind[k] = mgl64.Ident4()
		}
		if s.InverseBindMatrices != nil {
			v, n, err := d.floats(*s.InverseBindMatrices, gltf.AccessorMat4)
			if err != nil {
				return fmt.Errorf("skin %d: inverse bind matrices: %w", i, err)
			}
			if n < len(s.Joints) {
				return fmt.Errorf("skin %d: %d inverse bind matrices for %d joints", i, n, len(s.Joints))
			}
			for k := range out.InverseBind {
				for e := range out.InverseBind[k] {
					out.InverseBind[k][e] = float64(v[16*k+e])
				}
			}
		}
		d.m.Skins = append(d.m.Skins, out)
	}
	return d.checkJoints()
}

// checkJoints checks that joints of vertices exist in their skins.
func (d *document) checkJoints() error {
	for i, n := range d.m.Nodes {
		if n.Skin < 0 || n.Mesh < 0 {
			continue
		}
		joints := len(d.m.Skins[n.Skin].Joints)
		for k := range d.m.Meshes[n.Mesh].Parts {
			p := &d.m.Meshes[n.Mesh].Parts[k]
			for v := range p.Joints {
				for q, j := range p.Joints[v] {
					if int(j) >= joints && p.Weights[v][q] != 0 {
						return fmt.Errorf("node %d: vertex %d of part %d names joint %d of a skin with %d", i, v, k, j, joints)
					}
				}
			}
		}
	}
	return nil
}
