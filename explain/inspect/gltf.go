package inspect

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"pica200/assets/tree"
	"pica200/internal/quote"
)

func isGLTF(data []byte) bool {
	d := jsonDoc{text: data}
	i := d.skipSpace(0)
	if i >= len(data) || data[i] != '{' || !json.Valid(data) {
		return false
	}
	asset, ok := d.get(i, "asset")
	if !ok {
		return false
	}
	_, ok = d.get(asset[0], "version")
	return ok
}

func openGLTF(data []byte) (*tree.Node, func() tree.Findings, error) {
	if !json.Valid(data) {
		return nil, nil, fmt.Errorf("gltf: %w", invalid(data, 0))
	}
	d := jsonDoc{text: data}
	i := d.skipSpace(0)
	if data[i] != '{' {
		return nil, nil, fmt.Errorf("gltf: offset 0x%x: want an object", i)
	}
	root := d.node("", [2]int{i, d.end(i)}, 0)
	root.Text = gltfTitle(d, i)
	return root, func() tree.Findings { return checkGLTF(d, i, -1) }, nil
}

// invalid is the error of a text that is not JSON.
func invalid(text []byte, at int) error {
	var v json.RawMessage
	return quote.JSON(json.Unmarshal(text, &v), text, at)
}

func gltfTitle(d jsonDoc, root int) string {
	text := "glTF model"
	for _, key := range []string{"nodes", "meshes", "materials", "textures", "images", "skins", "animations"} {
		span, ok := d.get(root, key)
		if !ok || d.text[span[0]] != '[' {
			continue
		}
		n := 0
		for range d.members(span[0]) {
			n++
		}
		text += fmt.Sprintf(", %d %s", n, key)
	}
	return text
}

// glbHead and glbChunk are the fixed parts of binary glTF.
type (
	glbHead  struct{ version, length uint32 }
	glbChunk struct{ length, id uint32 }
)

var (
	glbHeader = tree.NewRecord("header", func(h *glbHead, f *tree.Fields) {
		f.Magic("glTF")
		tree.Number(f, "version", &h.version, "%d")
		tree.Number(f, "length", &h.length)
	})
	glbChunkHeader = tree.NewRecord("chunk", func(c *glbChunk, f *tree.Fields) {
		tree.Number(f, "length", &c.length)
		tree.Number(f, "type", &c.id, "%[2]q", c.name())
	})
)

func (c *glbChunk) name() string { return string(binary.LittleEndian.AppendUint32(nil, c.id)) }

// openGLB opens binary glTF: a header, and chunks of a header and contents; the first is JSON, the second the buffer.
func openGLB(data []byte) (*tree.Node, func() tree.Findings, error) {
	file, chunkSize := int64(len(data)), int64(glbChunkHeader.Size)
	if file < int64(glbHeader.Size)+chunkSize {
		return nil, nil, fmt.Errorf("glb: offset 0x0: %d bytes, want a header of %d and a chunk", file, glbHeader.Size)
	}
	var out tree.Findings
	var head glbHead
	glbHeader.Read(data, &head)
	if head.version != 2 {
		out.Problemf(glbHeader.At("version"), "version %d, want 2", head.version)
	}
	if int64(head.length) != file {
		out.Problemf(glbHeader.At("length"), "the header says 0x%x bytes, the file has 0x%x", head.length, file)
	}
	nodes := glbHeader.Nodes(0, &head)
	var doc jsonDoc
	root, bin := -1, int64(-1)
	for at, chunks := int64(glbHeader.Size), 0; at < file; chunks++ {
		var c glbChunk
		begin := at + chunkSize
		if begin <= file {
			glbChunkHeader.Read(data[at:], &c)
		}
		size := int64(c.length)
		if begin+size > file {
			if chunks == 0 {
				return nil, nil, fmt.Errorf("glb: offset 0x%x: the chunk does not fit into the file", at)
			}
			out.Problemf(at, "the chunk does not fit into the file")
			break
		}
		if chunks >= maxFindings {
			out.Problemf(at, "more than %d chunks", maxFindings)
			break
		}
		contents := data[begin : begin+size]
		var n *tree.Node
		switch id := c.name(); {
		case id == "JSON" && root < 0:
			if !json.Valid(contents) {
				return nil, nil, fmt.Errorf("glb: the JSON chunk at 0x%x: %w", begin, invalid(contents, int(begin)))
			}
			doc = jsonDoc{contents, begin}
			root = doc.skipSpace(0)
			if contents[root] != '{' {
				return nil, nil, fmt.Errorf("glb: offset 0x%x: want an object", begin)
			}
			n = doc.node("json", [2]int{root, doc.end(root)}, 0)
		default:
			if id == "BIN\x00" && chunks == 1 {
				bin = size
			} else {
				out.Notef(at, "chunk of type %q", id)
			}
			n = tree.Field("contents", begin, size, nil, fmt.Sprintf("%d bytes", size))
		}
		nodes = append(nodes, tree.Group("chunk", at, chunkSize+size, "", append(glbChunkHeader.Nodes(at, &c), n)...))
		at = begin + (size+3)&^3
	}
	if root < 0 {
		return nil, nil, errors.New("glb: offset 0xc: no JSON chunk follows the header")
	}
	top := tree.Group("", 0, 0, gltfTitle(doc, root), nodes...)
	return top, func() tree.Findings { return append(out, checkGLTF(doc, root, bin)...) }, nil
}

// bufferView is a range of bytes of a buffer, as a buffer view.
type bufferView struct {
	Buffer, ByteOffset, ByteLength, ByteStride int64
}

type accessor struct {
	BufferView    *int64
	ByteOffset    int64
	ComponentType int64
	Count         int64
	Type          string
}

var componentBytes = map[int64]int64{5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}

var typeComponents = map[string]int64{"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}

// checkGLTF checks that buffer views are inside of their buffers and accessors
// inside of their views. bin is the size of the binary chunk, -1 if there is
// none.
func checkGLTF(d jsonDoc, root int, bin int64) (out tree.Findings) {
	list := func(key string, each func(i int, at int64, raw []byte) bool) {
		span, ok := d.get(root, key)
		if !ok {
			return
		}
		if d.text[span[0]] != '[' {
			out.Problemf(d.at+int64(span[0]), "%s is not an array", key)
			return
		}
		i := 0
		for _, s := range d.members(span[0]) {
			if !each(i, d.at+int64(s[0]), d.text[s[0]:s[1]]) || len(out) >= maxFindings {
				return
			}
			i++
		}
	}
	var buffers []int64
	list("buffers", func(i int, at int64, raw []byte) bool {
		var b struct {
			ByteLength int64
			URI        *string
		}
		if err := json.Unmarshal(raw, &b); err != nil {
			out.Problemf(at, "buffer %d: %v", i, err)
		}
		if i == 0 && bin >= 0 && b.URI == nil && (b.ByteLength > bin || b.ByteLength < bin-3) {
			out.Problemf(at, "buffer 0 has %d bytes, the binary chunk has %d", b.ByteLength, bin)
		}
		buffers = append(buffers, b.ByteLength)
		return true
	})
	var views []bufferView
	list("bufferViews", func(i int, at int64, raw []byte) bool {
		var v bufferView
		if err := json.Unmarshal(raw, &v); err != nil {
			out.Problemf(at, "buffer view %d: %v", i, err)
		} else if v.Buffer < 0 || v.Buffer >= int64(len(buffers)) {
			out.Problemf(at, "buffer view %d lies in buffer %d, there are %d", i, v.Buffer, len(buffers))
		} else if v.ByteOffset < 0 || v.ByteLength < 0 || v.ByteOffset > buffers[v.Buffer]-v.ByteLength {
			out.Problemf(at, "buffer view %d (%d bytes at %d) lies outside its buffer of %d bytes", i, v.ByteLength, v.ByteOffset, buffers[v.Buffer])
		}
		views = append(views, v)
		return len(views) <= 1<<16
	})
	list("accessors", func(i int, at int64, raw []byte) bool {
		var a accessor
		if err := json.Unmarshal(raw, &a); err != nil {
			out.Problemf(at, "accessor %d: %v", i, err)
			return true
		}
		size := componentBytes[a.ComponentType] * typeComponents[a.Type]
		switch {
		case size == 0:
			out.Problemf(at, "accessor %d: component type %d and type %q make no element", i, a.ComponentType, a.Type)
		case a.BufferView == nil: // all zeros, or sparse
		case *a.BufferView < 0 || *a.BufferView >= int64(len(views)):
			out.Problemf(at, "accessor %d: buffer view %d, there are %d", i, *a.BufferView, len(views))
		default:
			v := views[*a.BufferView]
			stride := max(v.ByteStride, size)
			if a.Count < 1 || a.ByteOffset < 0 || a.Count > v.ByteLength || a.ByteOffset > v.ByteLength-size-(a.Count-1)*stride {
				out.Problemf(at, "accessor %d: %d elements of %d bytes from %d on, %d apart, lie outside its view of %d bytes", i, a.Count, size, a.ByteOffset, stride, v.ByteLength)
			}
		}
		return true
	})
	return out
}
