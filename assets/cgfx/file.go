package cgfx

import (
	"bytes"
	"fmt"

	"pica200/assets/tree"
)

// magic is the start of a file.
const magic = "CGFX"

const (
	fileHeader    = 0x14
	sectionHeader = 8
	byteOrderMark = 0xFEFF // little endian, the only one there is
	// Revision is the header revision that this package writes.
	Revision = 0x05000000
	// MaxSlots is the greatest number of dictionaries at the start of the section
	// DATA.
	MaxSlots = 16
)

// File is a resource file.
type File struct {
	Revision uint32
	sections []section
	// Slots is the number of dictionaries in DATA: 15 or 16, depending on the tool.
	Slots int

	Models               Dict[Model]
	Textures             Dict[Texture]
	LookupTables         Dict[LookupTable]
	materials            Dict[Material]
	Shaders              Dict[Shader]
	Cameras              Dict[Camera]
	Lights               Dict[Light]
	Fogs                 Dict[Fog]
	Scenes               Dict[Scene]
	SkeletalAnimations   Dict[Animation]
	MaterialAnimations   Dict[Animation]
	VisibilityAnimations Dict[Animation]
	CameraAnimations     Dict[Animation]
	LightAnimations      Dict[Animation]
	FogAnimations        Dict[Animation]
	emitters             Dict[opaque]

	// Findings is what was noticed while reading.
	Findings tree.Findings
	// gaps are the bytes outside of all structures, in order.
	gaps []gap

	layout *layout
	data   []byte // that it was read from
	stated uint32 // the size that the header says
	header uint16 // size of the header
}

// section is a part of a file: DATA, or IMAG with the contents of textures,
// vertex and index buffers.
type section struct {
	magic  string
	offset int
	size   uint32 // with the header of 8 bytes
}

// Slot names of the section DATA, in order. Source: 3dbrew, "CGFX"; the names from 9 on
// are SPICA's.
var slotNames = [MaxSlots]string{
	"models", "textures", "lookup tables", "materials", "shaders", "cameras", "lights", "fogs", "scenes",
	"skeletal animations", "material animations", "visibility animations", "camera animations", "light animations",
	"fog animations", "emitters",
}

// slots describes the dictionaries at the start of DATA.
func (f *File) slots(c *codec) {
	for i, run := range []func(string){
		func(n string) { dict(c, n, &f.Models) }, func(n string) { dict(c, n, &f.Textures) },
		func(n string) { dict(c, n, &f.LookupTables) }, func(n string) { dict(c, n, &f.materials) },
		func(n string) { dict(c, n, &f.Shaders) }, func(n string) { dict(c, n, &f.Cameras) },
		func(n string) { dict(c, n, &f.Lights) }, func(n string) { dict(c, n, &f.Fogs) },
		func(n string) { dict(c, n, &f.Scenes) }, func(n string) { dict(c, n, &f.SkeletalAnimations) },
		func(n string) { dict(c, n, &f.MaterialAnimations) }, func(n string) { dict(c, n, &f.VisibilityAnimations) },
		func(n string) { dict(c, n, &f.CameraAnimations) }, func(n string) { dict(c, n, &f.LightAnimations) },
		func(n string) { dict(c, n, &f.FogAnimations) }, func(n string) { dict(c, n, &f.emitters) },
	} {
		if i < f.Slots {
			run(slotNames[i])
		}
	}
}

// Is reports whether data begins like a resource file.
func Is(data []byte) bool { return bytes.HasPrefix(data, []byte(magic)) }

// Parse reads a file. The File refers to data. Parse fails only if nothing can
// be read; other damage becomes findings, and damaged parts are left out.
func Parse(data []byte) (*File, error) {
	if len(data) < fileHeader {
		return nil, fmt.Errorf("cgfx: offset 0x0: %d bytes, want a header of %d", len(data), fileHeader)
	}
	if !Is(data) {
		return nil, fmt.Errorf("cgfx: offset 0x0: %q, want %q", data[:4], magic)
	}
	if bom := le.Uint16(data[4:]); bom != byteOrderMark {
		return nil, fmt.Errorf("cgfx: offset 0x4: byte order mark 0x%04x, want 0xfeff (little-endian)", bom)
	}
	f := &File{Revision: le.Uint32(data[8:]), header: le.Uint16(data[6:]), stated: le.Uint32(data[12:]), layout: newLayout(), data: data}
	l := f.layout
	if f.Revision != Revision {
		l.note(8, "revision 0x%08x; what is known of the format is of 0x%08x, so parts may be read wrongly", f.Revision, uint32(Revision))
	}
	if int64(f.stated) != int64(len(data)) {
		l.problem(12, "the header says 0x%x bytes, the file has 0x%x", f.stated, len(data))
	}
	if err := f.readSections(); err != nil {
		return nil, err
	}
	err := l.read(data)
	f.Findings = l.findings
	if err != nil {
		return nil, err
	}
	f.gaps = l.gaps(data, f.fixed()...)
	return f, nil
}

// readSections finds the sections and the number of dictionaries in DATA, which
// end where the nearest of them begins.
func (f *File) readSections() error {
	data, l := f.data, f.layout
	at, n := int(f.header), le.Uint32(data[16:])
	dataAt := -1
	for i := uint32(0); i < min(n, 16); i++ {
		if at < fileHeader || at+sectionHeader > len(data) {
			l.problem(16, "section %d of %d is not in the file", i, n)
			break
		}
		s := section{magic: string(data[at : at+4]), offset: at, size: le.Uint32(data[at+4:])}
		if s.magic == "DATA" && dataAt < 0 {
			dataAt = at
		}
		f.sections = append(f.sections, s)
		if i == n-1 && int64(s.size) > int64(len(data)-at) && int64(f.stated) == int64(len(data)) {
			break // unused; Check reports it
		}
		if s.size < sectionHeader || int64(s.size) > int64(len(data)-at) {
			l.problem(at+4, "section %d (%q) of 0x%x bytes does not fit into the file", i, s.magic, s.size)
			break
		}
		at += int(s.size)
	}
	if dataAt < 0 {
		return fmt.Errorf("cgfx: no DATA section among %d sections from 0x%x on", n, f.header)
	}
	first := dataAt + sectionHeader
	end := min(first+8*MaxSlots, len(data))
	for at = first; at+8 <= end; at += 8 {
		f.Slots++
		if v := int32(le.Uint32(data[at+4:])); v > 0 && at+4+int(v) < end {
			end = at + 4 + int(v)
		}
	}
	l.add(first, "dictionaries", f.slots)
	return nil
}

// fixed returns the parts that no pointer refers to.
func (f *File) fixed() []item {
	list := []item{{at: 0, size: fileHeader, name: "the header"}}
	for _, s := range f.sections {
		list = append(list, item{at: s.offset, size: sectionHeader, name: "the header of " + s.magic})
	}
	return list
}

// Encode writes the file with everything where it was read from, including
// bytes outside of all structures. If the file was made, or if something
// changed its size, it uses Relayout.
func (f *File) Encode() ([]byte, error) {
	if f.layout == nil {
		return f.Relayout()
	}
	out := make([]byte, len(f.data))
	for _, g := range f.gaps {
		copy(out[g.offset:], g.data)
	}
	copy(out, magic)
	f.writeHeader(out, f.header, f.stated)
	for _, s := range f.sections {
		copy(out[s.offset:], s.magic)
		le.PutUint32(out[s.offset+4:], s.size)
	}
	if err := f.layout.write(out); err != nil {
		return nil, err
	}
	return out, nil
}

func (f *File) writeHeader(out []byte, header uint16, size uint32) {
	le.PutUint16(out[4:], byteOrderMark)
	le.PutUint16(out[6:], header)
	le.PutUint32(out[8:], f.Revision)
	le.PutUint32(out[12:], size)
	n := uint32(len(f.sections))
	if f.data != nil {
		n = le.Uint32(f.data[16:]) // a damaged file may claim more than there are
	}
	le.PutUint32(out[16:], n)
}

// Relayout writes the file with a new layout: structures in the order in which
// they are reached, each once, then names, then images at multiples of 128
// bytes. Invalid pointers become 0, and bytes outside of structures are
// dropped.
func (f *File) Relayout() ([]byte, error) {
	n := *f
	if n.Revision == 0 {
		n.Revision = Revision
	}
	if n.Slots == 0 {
		n.Slots = MaxSlots
	}
	l := n.anew()
	imag, size := l.assignOffsets()
	if size > maxFile {
		return nil, fmt.Errorf("cgfx: the file would have %d bytes; at most %d are written", size, maxFile)
	}
	out := make([]byte, size)
	n.data = nil
	n.sections = []section{{"DATA", fileHeader, uint32(size - fileHeader)}}
	if imag > 0 {
		n.sections[0].size = uint32(imag - fileHeader)
		n.sections = append(n.sections, section{"IMAG", imag, uint32(size - imag)})
	}
	copy(out, magic)
	n.writeHeader(out, fileHeader, uint32(size))
	for _, s := range n.sections {
		copy(out[s.offset:], s.magic)
		le.PutUint32(out[s.offset+4:], s.size)
	}
	return out, l.write(out)
}

// anew returns an empty layout.
func (f *File) anew() *layout {
	l := newLayout()
	l.items = []item{
		{name: "header", align: 4, run: func(c *codec) { c.at += fileHeader + sectionHeader }},
		{name: "dictionaries", align: 4, run: f.slots},
	}
	return l
}

// BuildTrees rebuilds the trees of all dictionaries of the file. It fails if
// two entries of one have the same name.
func (f *File) BuildTrees() error {
	n := *f
	n.Slots = MaxSlots
	l := n.anew()
	l.build = true
	l.assignOffsets()
	n.Slots = f.Slots
	*f = n
	return l.err
}

// maxFile bounds the size of a written file.
const maxFile = 64 << 20

// Tree returns the file as nodes for inspection.
func (f *File) Tree() []*tree.Node {
	header := tree.Group("header", 0, int64(f.header), "",
		tree.Field("magic", 0, 4, magic, ""), tree.Field("byte order mark", 4, 2, int64(byteOrderMark), "0xfeff, little-endian"),
		tree.Field("header size", 6, 2, int64(f.header), ""), tree.Field("revision", 8, 4, f.Revision, ""),
		tree.Field("file size", 12, 4, f.stated, ""), tree.Field("sections", 16, 4, int64(le.Uint32(f.data[16:])), ""))
	out := []*tree.Node{header}
	for _, s := range f.sections {
		if s.magic != "DATA" {
			out = append(out, tree.Fieldf(s.magic, int64(s.offset), int64(s.size), nil, "section of 0x%x bytes", s.size))
			continue
		}
		out = append(out, &tree.Node{Name: "DATA", Offset: int64(s.offset), Size: int64(s.size), Children: func(yield func(*tree.Node) bool) {
			c := codec{layout: f.layout, mode: showing, data: f.data, at: s.offset + sectionHeader}
			f.slots(&c)
			for _, n := range c.nodes {
				if !yield(n) {
					return
				}
			}
		}})
	}
	if len(f.gaps) == 0 {
		return out
	}
	return append(out, tree.List("gaps", tree.NoOffset, 0, fmt.Sprintf("%d runs of bytes that no structure holds", len(f.gaps)), len(f.gaps), func(i int) *tree.Node {
		g := f.gaps[i]
		text := "zeros"
		if !g.zero {
			text = "bytes"
		}
		return tree.Field("after "+g.after, int64(g.offset), int64(len(g.data)), nil, fmt.Sprintf("%d %s", len(g.data), text))
	}))
}

// OffsetOf returns the offset in the file of the bytes of a texture, buffer or shader,
// -1 if they were not read from it.
func (f *File) OffsetOf(b []byte) int {
	if len(b) == 0 || len(f.data) == 0 {
		return -1
	}
	for at := range f.layout.blobs {
		if &f.data[at] == &b[0] {
			return at
		}
	}
	return -1
}
