package bch

import (
	"bytes"
	"fmt"

	"pica200/assets/tree"
)

// magic is the start of a file.
const magic = "BCH\x00"

const (
	maxFindings = 1000
)

// File is the contents of a file.
type File struct {
	Version   uint8 // least version that a reader must support; 0x21 is the latest known
	Forward   uint8
	Converter uint16
	Flags     uint16

	Models               []*Model
	materials            []*Params
	Shaders              []*Shader
	Textures             []*Texture
	lookupTables         []*lookupTable
	Lights               []*Light
	cameras              []*camera
	fogs                 []*fog
	SkeletalAnimations   []*Animation
	materialAnimations   []*Animation
	visibilityAnimations []*Animation
	lightAnimations      []*Animation
	cameraAnimations     []*Animation
	fogAnimations        []*Animation
	Scenes               []*Scene

	Findings tree.Findings
	Sections []Section

	budget int
	broken error
}

// Section is a part of the file.
type Section struct {
	Name         string
	Offset, Size uint32
}

// header is what every version begins with; addresses and sizes of the sections
// follow.
var header = tree.NewRecord("header", func(f *File, r *tree.Fields) {
	r.Magic(magic)
	tree.Number(r, "version", &f.Version, "%[2]s", "the oldest reader that it is for")
	tree.Number(r, "version", &f.Forward, "%[2]s", "of the format")
	tree.Number(r, "converter", &f.Converter)
})

// Is reports whether data begins like a BCH file.
func Is(data []byte) bool { return bytes.HasPrefix(data, []byte(magic)) }

func (f *File) note(at int, format string, args ...any) {
	if len(f.Findings) < maxFindings {
		f.Findings.Problemf(int64(at), format, args...)
	}
}

// fail records an error after which reading makes no sense.
func (f *File) fail(at int, what string) {
	if f.broken == nil {
		f.broken = fmt.Errorf("bch: offset 0x%X: %s", at, what)
	}
}

// fields are the dictionaries that the contents begin with.
func (f *File) fields(c *codec) {
	dict(c, &f.Models)
	dict(c, &f.materials)
	dict(c, &f.Shaders)
	dict(c, &f.Textures)
	dict(c, &f.lookupTables)
	dict(c, &f.Lights)
	dict(c, &f.cameras)
	dict(c, &f.fogs)
	for _, a := range []*[]*Animation{&f.SkeletalAnimations, &f.materialAnimations, &f.visibilityAnimations, &f.lightAnimations, &f.cameraAnimations, &f.fogAnimations} {
		dict(c, a)
	}
	dict(c, &f.Scenes)
}

// Parse reads a file. It fails if nothing can be read, or if structures overlap
// so much that they take far more memory than the file. Other damage is
// reported as findings.
func Parse(data []byte) (*File, error) {
	if !Is(data) || len(data) < 0x34 {
		return nil, fmt.Errorf("bch: %q and a header of at least 0x34 bytes expected, found %d bytes", magic, len(data))
	}
	f := &File{budget: 8*len(data) + 1<<16}
	header.Read(data, f)
	names := []string{"contents", "strings", "commands", "raw data", "raw data extension", "relocations"}
	if f.Version < 0x21 {
		names = []string{"contents", "strings", "commands", "raw data", "relocations"}
	}
	need := 8 + 8*len(names) + 8
	if f.Version >= 8 {
		need += 4
	}
	if len(data) < need {
		return nil, fmt.Errorf("bch: a header of 0x%x bytes expected, found %d bytes", need, len(data))
	}
	for i, n := range names {
		s := Section{n, le.Uint32(data[8+4*i:]), le.Uint32(data[8+4*len(names)+4*i:])}
		if int64(s.Offset)+int64(s.Size) > int64(len(data)) {
			f.note(8+4*i, "the section %s of 0x%x bytes at 0x%x does not fit into the file", n, s.Size, s.Offset)
		}
		f.Sections = append(f.Sections, s)
	}
	if f.Version >= 8 {
		f.Flags = le.Uint16(data[8+8*len(names)+8:])
	}
	c := &codec{f: f, data: f.relocated(data), at: int(f.Sections[0].Offset)}
	if c.at >= len(data) || c.at < 0 {
		return nil, fmt.Errorf("bch: the contents at 0x%x are not in the file of 0x%x bytes", c.at, len(data))
	}
	f.fields(c)
	return f, f.broken
}

// section returns a section's offset, 0 if this version does not have it.
func (f *File) section(name string) uint32 {
	for _, s := range f.Sections {
		if s.Name == name {
			return s.Offset
		}
	}
	return 0
}

// relocated returns the file with section offsets replaced by file offsets.
// Source of the numbers in older versions: SPICA, H3DRelocator.
func (f *File) relocated(data []byte) []byte {
	out := bytes.Clone(data)
	raw, ext := f.section("raw data"), f.section("raw data extension")
	bases := [...]uint32{inContents: f.section("contents"), inStrings: f.section("strings"), inCommands: f.section("commands"), inCommandsSrc: f.section("commands"),
		inRaw: raw, inRawTexture: raw, inRawVertex: raw, inRawIndex16: raw | 1<<31, inRawIndex8: raw,
		inExt: ext, inExtTexture: ext, inExtVertex: ext, inExtIndex16: ext | 1<<31, inExtIndex8: ext, atBase: 0}
	table := f.Sections[len(f.Sections)-1]
	lost := 0
	for i := int64(0); i+4 <= int64(table.Size) && int64(table.Offset)+i+4 <= int64(len(data)); i += 4 {
		v := le.Uint32(data[int64(table.Offset)+i:])
		at, target, source := int64(v&0x1FFFFFF), int(v>>25&0xF), int(v>>29)
		switch {
		case f.Version > 7 && f.Version < 0x21 && target >= inRawVertex:
			target--
		case f.Version < 7 && target >= inCommandsSrc:
			target++
		}
		if target != inStrings {
			at <<= 2
		}
		if target >= len(bases) || source > inRaw {
			lost++
			continue
		}
		at += int64(bases[source])
		if at+4 > int64(len(out)) {
			lost++
			continue
		}
		le.PutUint32(out[at:], le.Uint32(out[at:])+bases[target])
	}
	if lost > 0 {
		f.note(int(table.Offset), "%d relocations point to nothing in the file", lost)
	}
	return out
}

// Check returns what is wrong with the file: the findings of reading, and
// invalid textures and meshes.
func (f *File) Check() tree.Findings {
	out := append(tree.Findings(nil), f.Findings...)
	g, notes := f.Resources()
	for _, n := range notes {
		out.Notef(tree.NoOffset, "%s", n)
	}
	return append(out, g.Check()...) // without positions: g was not read from a file
}
