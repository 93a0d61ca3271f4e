package inspect

import (
	"bytes"
	"fmt"

	"pica200/assets/container"
	"pica200/assets/tree"
)

// cgfxSections names the dictionaries at the start of a CGFX file's DATA
// section. Source: 3dbrew, "CGFX".
var cgfxDictionaries = [16]string{
	"models", "textures", "lookup tables", "materials", "shaders", "cameras", "lights", "fogs", "scenes",
	"skeletal animations", "texture animations", "visibility animations", "camera animations", "light animations",
	"fog animations", "emitters",
}

// maxShaders bounds how many of a container's shaders are shown.
const maxShaders = 256

func openCGFX(data []byte) (*tree.Node, func() tree.Findings, error) {
	f := fields{data}
	if len(data) < 0x14 {
		return nil, nil, fmt.Errorf("cgfx: %d bytes, want a header of 20", len(data))
	}
	if bom := f.u16(4); bom != 0xFEFF {
		return nil, nil, fmt.Errorf("cgfx: offset 0x4: byte order mark 0x%04x, want 0xfeff (little-endian)", bom)
	}
	header := int64(f.u16(6))
	nodes := []*tree.Node{tree.Group("header", 0, header, "",
		tree.Field("magic", 0, 4, "CGFX", ""), f.half("byte order mark", 4, ""), f.half("header size", 6, "%d"),
		f.word("revision", 8, ""), f.word("file size", 12, ""), f.word("sections", 16, "%d"))}
	var out tree.Findings
	if n := f.u32(12); int64(n) != int64(len(data)) {
		out.Problemf(12, "the header says 0x%x bytes, the file has 0x%x", n, len(data))
	}
	for at, i := header, uint32(0); i < min(f.u32(16), 64); i++ {
		size := int64(f.u32(at + 4))
		if at+8 > int64(len(data)) || size < 8 || size > int64(len(data))-at {
			out.Problemf(at, "section %d of 0x%x bytes does not fit into the file", i, size)
			break
		}
		name := cutText(data[at : at+4])
		children := []*tree.Node{tree.Field("magic", at, 4, name, ""), f.word("size", at+4, "")}
		if name == "DATA" {
			for d := range cgfxDictionaries {
				children = append(children, dictionaryNode(f, d, at+8+8*int64(d), &out))
			}
		}
		nodes = append(nodes, tree.Group(name, at, size, "", children...))
		at += size
	}
	nodes = append(nodes, shadersNode(data))
	root := tree.Group("", 0, 0, "CGFX resources", nodes...)
	return root, func() tree.Findings { return append(out, checkShaders(data)...) }, nil
}

// dictionaryNode shows a dictionary: a count and a self-relative offset to a
// DICT chunk of 28 bytes and 16 bytes an entry, whose last two words are
// self-relative offsets of a name and an object.
func dictionaryNode(f fields, d int, at int64, out *tree.Findings) *tree.Node {
	follow := func(at int64) int64 {
		if v := int32(f.u32(at)); v != 0 {
			return at + int64(v)
		}
		return -1
	}
	count, dict := f.u32(at), follow(at+4)
	n := tree.Group(cgfxDictionaries[d], at, 8, fmt.Sprintf("%d entries", count), f.word("count", at, "%d"), f.word("offset", at+4, ""))
	if count == 0 {
		return n
	}
	size := int64(len(f.data))
	if dict < 0 || dict+0x1C > size || string(f.data[dict:dict+4]) != "DICT" || int64(count) > (size-dict-0x1C)/16 {
		out.Problemf(at, "%s: no dictionary of %d entries at 0x%x", cgfxDictionaries[d], count, dict)
		return n
	}
	entries := tree.List("DICT", dict, int64(f.u32(dict+4)), "", int(count), func(i int) *tree.Node {
		e := dict + 0x1C + 16*int64(i)
		name, object := "", follow(e+12)
		if to := follow(e + 8); to >= 0 && to < size {
			name, _, _ = strings0(f.data[to:])
		}
		kind := ""
		if object >= 0 && object+8 <= size {
			kind = fmt.Sprintf("%s at 0x%x", cutText(f.data[object+4:object+8]), object)
		}
		return tree.Group(name, e, 16, kind, f.word("reference bit", e, "%d"), f.half("left", e+4, "%d"), f.half("right", e+6, "%d"),
			f.word("name offset", e+8, ""), f.word("object offset", e+12, ""))
	})
	children := n.Children
	n.Children = func(yield func(*tree.Node) bool) {
		for c := range children {
			if !yield(c) {
				return
			}
		}
		yield(entries)
	}
	return n
}

// strings0 gives the text before the first zero byte, at most 256 bytes.
func strings0(b []byte) (string, []byte, bool) {
	b = b[:min(len(b), 256)]
	s, rest, ok := bytes.Cut(b, []byte{0})
	return cutText(s), rest, ok
}

// shadersNode shows the shader binaries in a container, each as its own tree.
func shadersNode(data []byte) *tree.Node {
	return &tree.Node{Name: "shader binaries", Offset: tree.NoOffset, Children: func(yield func(*tree.Node) bool) {
		_, shaders, err := container.Extract(data)
		if err != nil {
			yield(&tree.Node{Name: "none", Offset: tree.NoOffset, Text: err.Error()})
			return
		}
		for i, s := range shaders {
			if i == maxShaders {
				yield(&tree.Node{Name: "more", Offset: tree.NoOffset, Text: fmt.Sprintf("%d in all", len(shaders))})
				return
			}
			if !yield(shaderNode(s)) {
				return
			}
		}
	}}
}

func shaderNode(s container.Shader) *tree.Node {
	open := openShbin
	if s.Object {
		open = openDVOJ
	}
	n, _, err := open(s.Data)
	if err != nil {
		return &tree.Node{Name: s.Where, Offset: tree.NoOffset, Text: err.Error()}
	}
	n.Name, n.Offset, n.Size = s.Where, 0, int64(len(s.Data))
	return moved(n, int64(s.Offset))
}

// moved gives the node with all its places moved by a distance, or without
// places if the distance is negative: what was decoded from text has none.
func moved(n *tree.Node, by int64) *tree.Node {
	m := *n
	switch {
	case by < 0:
		m.Offset = tree.NoOffset
	case m.Offset >= 0:
		m.Offset += by
	}
	if n.Children != nil {
		m.Children = func(yield func(*tree.Node) bool) {
			for c := range n.Children {
				if !yield(moved(c, by)) {
					return
				}
			}
		}
	}
	return &m
}

func checkShaders(data []byte) (out tree.Findings) {
	_, shaders, err := container.Extract(data)
	if err != nil {
		out.Notef(tree.NoOffset, "%v", err)
		return out
	}
	for _, s := range shaders[:min(len(shaders), maxShaders)] {
		open := openShbin
		if s.Object {
			open = openDVOJ
		}
		_, check, err := open(s.Data)
		if err != nil {
			out.Problemf(int64(s.Offset), "%s: %v", s.Where, err)
			continue
		}
		for _, f := range check() {
			f.Message = s.Where + ": " + f.Message
			if f.Offset >= 0 && s.Offset >= 0 {
				f.Offset += int64(s.Offset)
			} else {
				f.Offset = tree.NoOffset
			}
			out = append(out, f)
		}
	}
	return out
}

// isCSDR looks for a shader binary in a text. The Base64 of its magic is
// looked for first, since most texts hold none.
func isCSDR(data []byte) bool {
	if !isText(data) || !bytes.Contains(data, []byte("RFZM")) && !bytes.Contains(data, []byte("RFZP")) {
		return false
	}
	format, _, err := container.Extract(data)
	return err == nil && format == container.FormatCSDR
}

func openCSDR(data []byte) (*tree.Node, func() tree.Findings, error) {
	if !isText(data) {
		return nil, nil, fmt.Errorf("csdr: the file is not text")
	}
	if _, _, err := container.Extract(data); err != nil {
		return nil, nil, fmt.Errorf("csdr: %w", err)
	}
	root := tree.Group("", 0, 0, "text with shader binaries in Base64", shadersNode(data))
	return root, func() tree.Findings { return checkShaders(data) }, nil
}
