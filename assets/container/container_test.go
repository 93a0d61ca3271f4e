package container

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/bch"
	"pica200/assets/cgfx"
	"pica200/assets/shbin"
	"pica200/tests/testkit"
)

// sample makes a small shader binary that depends on n.
func sample(t testing.TB, n uint32) []byte {
	f := testkit.Must(shbin.Build([]uint32{0x4C000000 + n<<12, 0x88000000}, []uint32{0x36F}, []shbin.Executable{
		{Main: 0, EndMain: 2, Uniforms: []shbin.Uniform{{Start: 16, End: 19, Name: "proj"}}},
		{Main: 1, EndMain: 2, Outputs: []shbin.Output{{Type: shbin.OutPosition, Mask: 15}}},
	}))(t)
	out := testkit.Must(f.Write())(t)
	return out
}

func object(t testing.TB) []byte {
	out := testkit.Must(shbin.WriteObject(&shbin.Object{Code: []uint32{0x88000000}, Labels: []shbin.Label{{Name: "main"}}}))(t)
	return out
}

const (
	cgfxHeader  = 0x14
	cgfxDicts   = 16
	cgfxShaders = 4
	dictHeader  = 0x1C
	dictEntry   = 0x10
)

// makeCGFX makes a resource file with a dictionary of shaders.
func makeCGFX(names []string, shaders [][]byte) []byte {
	b := make([]byte, cgfxHeader+8+8*cgfxDicts)
	copy(b, "CGFX")
	le.PutUint16(b[4:], 0xFEFF)
	le.PutUint16(b[6:], cgfxHeader)
	le.PutUint32(b[8:], 0x05000000)
	le.PutUint32(b[0x10:], 1)
	copy(b[cgfxHeader:], "DATA")
	put := func(at, to int) { le.PutUint32(b[at:], uint32(to-at)) }
	field := cgfxHeader + 8 + 8*cgfxShaders
	le.PutUint32(b[field:], uint32(len(shaders)))
	dict := len(b)
	put(field+4, dict)
	b = append(b, make([]byte, dictHeader+dictEntry*len(shaders))...)
	copy(b[dict:], "DICT")
	le.PutUint32(b[dict+8:], uint32(len(shaders)))
	for i, s := range shaders {
		entry := dict + dictHeader + dictEntry*i
		put(entry+8, len(b))
		b = append(append(b, names[i]...), 0)
		for len(b)%4 != 0 {
			b = append(b, 0)
		}
		object := len(b)
		put(entry+12, object)
		b = append(b, make([]byte, 0x40)...)
		le.PutUint32(b[object:], 0x80000002)
		copy(b[object+4:], "SHDR")
		le.PutUint32(b[object+0x18:], uint32(len(s)))
		if s != nil {
			put(object+0x1C, len(b))
			b = append(b, s...)
		}
	}
	le.PutUint32(b[cgfxHeader+4:], uint32(len(b)-cgfxHeader))
	le.PutUint32(b[0xC:], uint32(len(b)))
	return b
}

func make3DSX(code, rodata, data []byte, bss int) []byte {
	b := make([]byte, 0x20+3*8)
	copy(b, "3DSX")
	le.PutUint16(b[4:], 0x20)
	le.PutUint16(b[6:], 8)
	le.PutUint32(b[0x10:], uint32(len(code)))
	le.PutUint32(b[0x14:], uint32(len(rodata)))
	le.PutUint32(b[0x18:], uint32(len(data)+bss))
	le.PutUint32(b[0x1C:], uint32(bss))
	return append(append(append(b, code...), rodata...), data...)
}

// withRomFS adds a RomFS to a 3DSX file, whose header then has the offset of an icon, its size, and the offset of the RomFS.
func withRomFS(b, romfs []byte) []byte {
	b = append(append(b[:0x20:0x20], make([]byte, 12)...), b[0x20:]...)
	le.PutUint16(b[4:], 0x2C)
	le.PutUint32(b[0x28:], uint32(len(b)))
	return append(b, romfs...)
}

func makeELF(segment []byte, sections bool) []byte {
	b := make([]byte, 0x34+0x28)
	copy(b, "\x7FELF\x01\x01\x01")
	if sections {
		le.PutUint32(b[0x20:], 0x34)
		le.PutUint16(b[0x2E:], 0x28)
		le.PutUint16(b[0x30:], 1)
		le.PutUint32(b[0x34+4:], 1)
		le.PutUint32(b[0x34+0x10:], uint32(len(b)))
		le.PutUint32(b[0x34+0x14:], uint32(len(segment)))
	} else {
		le.PutUint32(b[0x1C:], 0x34)
		le.PutUint16(b[0x2A:], 0x20)
		le.PutUint16(b[0x2C:], 1)
		le.PutUint32(b[0x34:], 1)
		le.PutUint32(b[0x34+4:], uint32(len(b)))
		le.PutUint32(b[0x34+0x10:], uint32(len(segment)))
	}
	return append(b, segment...)
}

func member(name string, data []byte) []byte {
	b := fmt.Appendf(nil, "%-16s%-12d%-6d%-6d%-8o%-10d`\n", name, 0, 0, 0, 0o644, len(data))
	b = append(b, data...)
	if len(b)%2 != 0 {
		b = append(b, '\n')
	}
	return b
}

func makeArchive(members ...[]byte) []byte {
	return append([]byte(archiveMagic), bytes.Join(members, nil)...)
}

// makeBCH makes a BCH file that has only shaders, without relocations.
func makeBCH(t *testing.T, binaries ...[]byte) []byte {
	const contents, shaders, size = 0x44, 2, 48
	out := make([]byte, contents+15*12+4*len(binaries)+size*len(binaries))
	copy(out, "BCH\x00\x21\x21")
	le.PutUint32(out[8:], contents)
	list := contents + 15*12
	le.PutUint32(out[contents+12*shaders:], uint32(list))
	le.PutUint32(out[contents+12*shaders+4:], uint32(len(binaries)))
	for i, b := range binaries {
		at := list + 4*len(binaries) + size*i
		le.PutUint32(out[list+4*i:], uint32(at))
		le.PutUint32(out[at:], uint32(len(out)))
		le.PutUint32(out[at+4:], uint32(len(b)))
		out = append(out, b...)
		le.PutUint32(out[at+40:], uint32(len(out)))
		out = append(out, fmt.Sprint(i, "\x00")...)
		for len(out)%4 != 0 {
			out = append(out, 0)
		}
	}
	require.NotZero(t, testkit.Must(bch.Parse(out))(t).Shaders)
	return out
}

func makeBanner(t *testing.T, model []byte) []byte {
	out := testkit.Must(cgfx.BuildBanner(model, nil))(t)
	return out
}

// words writes data as a C array of 32-bit words.
func words(data []byte) string {
	var b strings.Builder
	b.WriteString("static const u32 prog[] = {\n")
	for i := 0; i < len(data); i += 4 {
		fmt.Fprintf(&b, "0x%08XU, // %d\n", le.Uint32(data[i:]), i)
	}
	b.WriteString("};\n")
	return b.String()
}

func lines(s string, n int) string {
	var b strings.Builder
	for len(s) > n {
		b.WriteString(s[:n] + "\r\n    ")
		s = s[n:]
	}
	return b.String() + s
}

func TestExtract(t *testing.T) {
	one, two, obj := sample(t, 1), sample(t, 2), object(t)
	nihstro := testkit.Read(t, "../shbin/testdata/nihstro.shbin")
	junk := []byte("junk DVLB\xFF\xFF\xFF\xFF DVOJ and more junk......")
	b64 := base64.StdEncoding.EncodeToString
	cat := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	for _, c := range []struct {
		name   string
		data   []byte
		format Format
		want   [][]byte
		where  string // place of the first
	}{
		{"shbin", one, FormatDVLB, [][]byte{one}, "the file"},
		{"object", obj, FormatDVOJ, [][]byte{obj}, "the file"},
		{"CGFX", makeCGFX([]string{"basic", "reference", "other"}, [][]byte{one, nil, two}), FormatCGFX, [][]byte{one, two}, "shader basic"},
		{"BCH", makeBCH(t, one, junk, two), FormatBCH, [][]byte{one, two}, "shader 0"},
		{"banner", makeBanner(t, makeCGFX([]string{"basic", "other"}, [][]byte{one, two})), FormatCBMD, [][]byte{one, two}, "common, shader basic"},
		{"3DSX", make3DSX(junk, cat(junk, one, junk, two), obj, 64), Format3DSX, [][]byte{one, two, obj}, "rodata segment"},
		{"3DSX with RomFS", withRomFS(make3DSX(junk, one, junk, 0), cat(junk, two)), Format3DSX, [][]byte{one, two}, "rodata segment"},
		{"3DSX, nihstro's layout", make3DSX(junk, cat(junk, nihstro, []byte{1}, one), nil, 0), Format3DSX, [][]byte{nihstro, one}, "rodata segment"},
		{"ELF", makeELF(cat(junk, one, obj), false), FormatELF, [][]byte{one, obj}, "segment 0"},
		{"ELF object file", makeELF(cat(junk, one), true), FormatELF, [][]byte{one}, "section 0"},
		{"archive", makeArchive(member("/", junk), member("//", []byte("a_name_that_is_long.shbin.o/\n")), member("/0", makeELF(cat(junk, one), true)), member("two.o/", two), member("#1/8", cat([]byte("three.o\x00"), obj))),
			FormatAR, [][]byte{one, two, obj}, "member a_name_that_is_long.shbin.o, section 0"},
		{"archive of others", makeArchive(member("m.o/", cat([]byte("\x7FELF\x02\x01"), one))), FormatAR, [][]byte{one}, "member m.o"},
		{"csdr, bare", []byte(b64(one)), FormatCSDR, [][]byte{one}, "Base64, number 1"},
		{"csdr, markup and lines", []byte("<?xml version=\"1.0\"?>\n<Shader Kind=\"Vertex\">\n    " + lines(b64(one), 76) + "\n</Shader><Shader>" + b64(two) + "</Shader>"), FormatCSDR, [][]byte{one, two}, "Base64, number 1"},
		{"csdr, words before", []byte("Shader binary follows\n" + lines(b64(obj), 60) + "\nend\n"), FormatCSDR, [][]byte{obj}, "Base64, number 1"},
		{"C bytes", []byte(CArray("3d-shader9.shbin", one)), FormatC, [][]byte{one}, "array _d_shader9_shbin"},
		{"C words", []byte("#include \"x.h\"\nstruct s { int a; };\nint n[] = { 1, 2 };\n" + words(two)), FormatC, [][]byte{two}, "array prog"},
	} {
		t.Run(c.name, func(t *testing.T) {
			format, found, err := Extract(c.data)
			require.NoError(t, err)
			require.Equal(t, c.format, format)
			require.Len(t, found, len(c.want))
			for i, s := range found {
				require.Equal(t, c.want[i], s.Data)
				if s.Offset >= 0 {
					require.Equal(t, s.Data, c.data[s.Offset:s.Offset+len(s.Data)])
				}
				require.Equal(t, string(s.Data[:4]) == shbin.MagicDVOJ, s.Object)
			}
			require.Equal(t, c.where, found[0].Where)
		})
	}
}

func TestExtractErrors(t *testing.T) {
	good := makeCGFX([]string{"basic"}, [][]byte{sample(t, 1)})
	damage := func(at int, v uint32) []byte {
		b := bytes.Clone(good)
		le.PutUint32(b[at:], v)
		return b
	}
	field := cgfxHeader + 8 + 8*cgfxShaders
	dict := cgfxHeader + 8 + 8*cgfxDicts
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "unknown file format"},
		{"binary", []byte{0, 1, 2, 3}, "unknown file format"},
		{"text", []byte("hello"), "no shader binary"},
		{"cut DVLB", []byte("DVLB\x01\x00\x00\x00"), "table of executables"},
		{"cut DVOJ", []byte("DVOJ\x01\x00\x00\x00"), "DVOJ header"},
		{"short CGFX", good[:16], "want a header of 20"},
		{"big endian", damage(4, 0xFFFE), "byte order mark"},
		{"no DATA", damage(cgfxHeader, 0), "no DATA section"},
		{"no shaders", damage(field, 0), "no shader binary"},
		{"dictionary count", damage(field, 2), "it says 1"},
		{"dictionary offset", damage(field+4, 0x7FFFFFFF), "there is no dictionary"},
		{"dictionary magic", damage(dict, 0), "no dictionary of 1 entries"},
		{"object", damage(dict+dictHeader+12, 4), "SHDR expected"},
		{"BCH without", makeBCH(t, []byte("no binary")), "no shader binary in this BCH file"},
		{"short BCH", []byte("BCH\x00"), "header of at least 0x34 bytes"},
		{"banner without", makeBanner(t, damage(field, 0)), "no shader binary; the file is damaged"},
		{"short banner", []byte("CBMD"), "header of 0x88 bytes"},
		{"short 3DSX", []byte("3DSX"), "header of 0x20"},
		{"3DSX segment", make3DSX(nil, nil, nil, 0)[:0x30], "ends at"},
		{"short ELF", []byte("\x7FELF"), "header of 0x34"},
		{"ELF64", makeELF(nil, false)[:0x34], "table of 1 entries"},
		{"thin archive", []byte(thinMagic), "a thin archive"},
		{"archive, cut header", []byte(archiveMagic + "a.o/"), "header of 60 bytes"},
		{"archive, no header", append([]byte(archiveMagic), make([]byte, 60)...), "does not end in"},
		{"archive, size", makeArchive(bytes.Replace(member("a.o/", nil), []byte("0         `"), []byte("-1        `"), 1)), `the size "-1`},
		{"archive, cut member", makeArchive(member("a.o/", make([]byte, 100)))[:100], "ends at"},
		{"archive without", makeArchive(member("a.o/", []byte("text"))), "no shader binary in this archive file"},
	} {
		_, _, err := Extract(c.data)
		require.ErrorContains(t, err, c.want, c.name)
	}
	for n := range good {
		_, _, _ = Extract(good[:n]) // must not panic
	}
}

func FuzzCGFX(f *testing.F) {
	f.Add(makeCGFX([]string{"basic", "reference"}, [][]byte{sample(f, 1), nil}))
	f.Add([]byte("CGFX"))
	f.Fuzz(func(t *testing.T, data []byte) { check(t, append([]byte("CGFX"), data[min(4, len(data)):]...)) })
}

func FuzzCSDR(f *testing.F) {
	f.Add([]byte(base64.StdEncoding.EncodeToString(sample(f, 1))))
	f.Add([]byte("<a>" + lines(base64.StdEncoding.EncodeToString(object(f)), 20) + "</a>"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, s := range extractBase64(data) {
			require.NotEmpty(t, s.Data)
		}
	})
}

func FuzzExtract(f *testing.F) {
	one := sample(f, 1)
	f.Add(one)
	f.Add(object(f))
	f.Add(make3DSX(one, one, one, 4))
	f.Add(makeELF(one, false))
	f.Add(makeArchive(member("//", []byte("a_long_name/\n")), member("/0", makeELF(one, true)), member("#1/4", one)))
	f.Add(makeELF(one, true))
	f.Add([]byte(CArray("a", one)))
	f.Fuzz(check)
}

// check extracts shaders and requires that they parse.
func check(t *testing.T, data []byte) {
	_, found, err := Extract(data)
	if err != nil {
		return
	}
	for _, s := range found {
		require.NoError(t, parses(s.Data))
	}
}

// The name of an array is the identifier before its braces.
func TestArrayNames(t *testing.T) {
	for before, want := range map[string]string{
		"const u8 shader_1Az[] =": "shader_1Az", "static uint32_t x[2][3] = ": "x", "a\n[4]\t=\r\n": "a", "": "without a name", "return ": "return", "= ": "without a name", "z)": "without a name",
		"{[`A": "A", "/0": "0", ":9": "9", "@Z": "Z", "[a": "a", "{z": "z", "]]": "without a name", "^_": "_", strings.Repeat("n", 300): strings.Repeat("n", 256), "u8 a": "a",
	} {
		require.Equal(t, want, arrayName([]byte(before)), before)
	}
}

// Golden file: shaders found in containers of every kind with one damaged position, and the errors.
func TestDamagedContainers(t *testing.T) {
	look := func(data []byte) (sentences []string, found string) {
		format, list, err := Extract(data)
		if err != nil {
			sentences = append(sentences, err.Error())
		}
		for _, s := range list {
			sentences = append(sentences, fmt.Sprintf("%v %d bytes %v", s.Object, len(s.Data), s.Where))
		}
		return sentences, fmt.Sprint(format, testkit.Dump(list))
	}
	one := sample(t, 1)
	text := ""
	for _, c := range []struct {
		name string
		data []byte
	}{
		{"shbin", one}, {"object", object(t)}, {"3DSX", make3DSX(one, one, one, 4)}, {"ELF", makeELF(one, false)}, {"ELF with sections", makeELF(one, true)},
		{"archive", makeArchive(member("//", []byte("a_long_name/\n")), member("/0", makeELF(one, true)), member("#1/4", one), member("b", object(t)))},
		{"CGFX", makeCGFX([]string{"basic", "reference"}, [][]byte{one, nil})}, {"C", []byte(CArray("a", one) + "\nother text { 1, 2, 0x33 };\n" + CArray("b", object(t)))},
		{"base64", []byte("<a>" + lines(base64.StdEncoding.EncodeToString(object(t)), 20) + "</a>, RFZMQg== " + base64.StdEncoding.EncodeToString(one))},
	} {
		sentences, found := look(c.data)
		text += fmt.Sprintf("%s: %q\n%s\n", c.name, sentences, found) + testkit.Damage(c.data, 0, len(c.data), max(len(c.data)/40, 1)|1, look)
	}
	testkit.Golden(t, "testdata/damage.txt", []byte(text))
}

// stripComments replaces comments by the same number of blanks.
func TestStripComments(t *testing.T) {
	for text, want := range map[string]string{
		"a//b\nc": "a   \nc", "a/*b*/c": "a     c", "a/b/c": "a/b/c", "/": "/", "/*": "  ", "a/* b": "a    ", "//": "  ", "a//": "a  ", "": "",
		"/**/x/**/y": "    x    y", "/*/ x */y": "        y", "//*\n*/": "   \n*/", "/*//*/z": "      z", "1/2//3/4\n5": "1/2     \n5", "a//b//c\n/d": "a      \n/d",
		"/*\n*/\n//\n": "     \n  \n", "x/ /y": "x/ /y", "**/ //": "**/   ", "a/*b*/ // c */ d\ne": "a               \ne",
	} {
		got := []byte(text)
		require.Equal(t, want, string(stripComments(got)), "%q", text)
		require.Equal(t, text, string(got), "the argument is not changed")
	}
	long := strings.Repeat("/*x*/1,//y\n", 1000)
	require.Equal(t, strings.Repeat("     1,   \n", 1000), string(stripComments([]byte(long))))
}

// Each model of a banner is searched once; invalid ones are skipped.
func TestBannerModels(t *testing.T) {
	one, two := sample(t, 1), sample(t, 2)
	b := testkit.Must(cgfx.ParseBanner(makeBanner(t, makeCGFX([]string{"basic", "other"}, [][]byte{one, two}))))(t)
	regional := &cgfx.Packed{Data: makeCGFX([]string{"regional"}, [][]byte{two})}
	b.Models[2], b.Models[3], b.Models[4], b.Models[6] = b.Models[0], &cgfx.Packed{Data: []byte("no resource file at all, but long enough")}, regional, regional
	data := testkit.Must(b.Encode())(t)
	found := testkit.Must(extractBanner(data))(t)
	var where []string
	for _, s := range found {
		where = append(where, s.Where)
		require.Equal(t, -1, s.Offset)
	}
	require.Equal(t, []string{cgfx.Regions[0] + ", shader basic", cgfx.Regions[0] + ", shader other", cgfx.Regions[4] + ", shader regional"}, where)
}

// In an ELF file without segments only sections with contents are searched.
func TestELFSections(t *testing.T) {
	one := sample(t, 1)
	for kind, want := range map[uint32]int{0: 0, 1: 1, 8: 0, 9: 1} {
		b := makeELF(one, true)
		le.PutUint32(b[0x34+4:], kind)
		found := testkit.Must(extractELF(b))(t)
		require.Len(t, found, want, "kind %d", kind)
	}
}
