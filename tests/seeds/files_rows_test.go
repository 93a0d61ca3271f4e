package seeds

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/container"
	"pica200/assets/shbin"
	"pica200/explain/inspect"
	"pica200/frontend/gl"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/shaderunit"
	"pica200/shaderunit/asm"
	"pica200/shaderunit/link"
	"pica200/tests/testkit"
)

// gbatekFiles is the table of document 000.
func gbatekFiles() document {
	return document{"3DS Files - Video Shaders (GBATEK)", []chapter{
		{"Files", []row{
			says("two formats: DVLB, a library of shaders, and an object of one shader", whole),
			{says: "the object's name is DVOB in title and text, its magic DVOJ", how: otherwise, why: "the magic is DVOJ in both documents; DVOB is only a name for it",
				check: fails(&object, "DVOJ 0x0", "44 56 4F 42", `DVOJ expected, found "DVOB"`)},
			says(".shbin files are DVLB", inside(container.FormatDVLB, asItIs)),
			says(".bcsdr is a DVLB inside a CGFX", inside(container.FormatCGFX, inCGFX)),
			says(".csdr is ASCII with shader binaries in Base64", inside(container.FormatCSDR, inBase64)),
			{says: "shaders lie in RomFS under shaders", how: notModelled, why: "nothing: file systems of games are not read, a path is given"},
		}},
		{"DVLB", rows(library.rows("DVLB"), []row{
			says("the DVLP follows right behind the table of offsets", executables),
			says("there is one DVLP for all shaders", sharedCode),
			says("there can be one DVLE or more", executables),
		})},
		{"DVLP", rows(but(library.rows("DVLP"), row{key: "DVLP 0x4", says: "type or version, 2 bytes, can be 0C02", how: otherwise, why: "read as one word with the next two bytes, as 3dbrew has it; nothing depends on it"}), []row{
			{key: "DVLP 0x6", says: "2 bytes unknown, can be 0", check: func(t *testing.T) { library.check(t, "DVLP 0x4") }},
			{key: "DVLP 0x28", says: "the data of the tables follows", check: dataFollows},
		})},
		{"DVLE", rows(but(library.rows("DVLE"),
			row{key: "DVLE 0x10", says: "4 bytes unknown, can be 001F0001", how: otherwise, why: "masks of inputs and outputs, as 3dbrew says; real files agree with their tables"},
			row{key: "DVLE 0x14", says: "4 bytes unknown, can be 0", how: otherwise, why: "the fields of geometry shaders, as 3dbrew says"}), []row{
			{key: "DVLE 0x40", says: "the data of the tables follows", check: dataFollows},
			says("addresses are in words", entryInWords),
		})},
		{"DVOJ", but(object.rows("DVOJ"),
			row{key: "DVOJ 0x4", says: "4 bytes unknown, related to the DVLE's type", how: otherwise, why: "version, type and merging, as 3dbrew says"},
			row{key: "DVOJ 0x8", says: "4 bytes unknown", how: otherwise, why: "masks of inputs and outputs, as 3dbrew says"},
			row{key: "DVOJ 0xC", says: "4 bytes unknown, usually FFFFFFFF", how: ours, why: "the geometry shader's fields where they are not all ones: nothing else in the object could hold them", check: objectGeometry},
			row{key: "DVOJ 0x28", says: "operand descriptors: offset, perhaps from a DVLP", how: otherwise, why: "from the start of the DVOJ as all others, as 3dbrew says; an object has no DVLP"})},
		{"Entry", []row{{says: "entry and end seem to be begin and end of the code", check: entryOfAll}}},
		{"Code", library.rows("code")},
		{"Operand descriptors", rows(library.rows("descriptor"), []row{
			says("bit 31 is set in most entries but not all", bit31),
			says("the flags are usually 0F, 07 or 03", func(t *testing.T) {
				for _, flags := range []byte{0x0F, 7, 3} {
					data := changed(t, &library, "descriptor 0x4", string("0123456789ABCDEF"[flags>>4])+string("0123456789ABCDEF"[flags&15]))
					f := testkit.Must(shbin.Parse(data))(t)
					require.Equal(t, shbin.Descriptor{Word: 0x8000036F, Flags: uint32(flags)}, f.Program.Descriptors[0])
				}
			}),
		})},
		{"Constants", rows(library.rows("constant"), []row{
			{key: "constant 0x5", says: "the 15 bytes behind a bool are unused", check: unused("constant 0x5", 15)},
			says("the 12 bytes behind an int are unused", unusedInts),
			says("a bool's number is 0 to 15", limits(shbin.ConstantBool, 15)),
			says("an int's number is 0 to 3", limits(shbin.ConstantInt, 3)),
			says("a float's number is 0 to 95", limits(shbin.ConstantFloat, 95)),
			says("x of an int: loops less one; y: where the loop counter starts; z: what is added", loopConstant),
			says("float24 numbers with a zero byte above them", constantsArrive),
			says("four of 24 bits have to be merged into three words for the GPU", packedConstants),
		})},
		{"Outputs", rows(library.rows("output"), []row{
			{says: "perhaps only the lowest four bits of type, register and mask count", how: otherwise, why: "all 16 are read, and values beyond four bits are found by inspect --check: no file is known that has any",
				check: func(t *testing.T) {
					data, places := library.bytes(t)
					for i, p := range library.pieces {
						if p.key == "output 0x0" {
							copy(data[places[i].at:], unhex(t, "12 34 23 45 34 56"))
						}
					}
					f := testkit.Must(shbin.Parse(data))(t)
					require.Equal(t, shbin.Output{Type: 0x3412, Reg: 0x4523, Mask: 0x5634, Unknown: 0x4321}, f.Executables[0].Outputs[0])
				}},
			says("a mask of 5 is xz", maskXZ),
		})},
		{"Output types", outputRows()},
		{"Inputs and uniforms", rows(library.rows("uniform"), []row{says("the last register is first + number - 1", arrayUniform)})},
		{"Registers", spaces()},
		{"Labels", rows(but(library.rows("label"),
			row{key: "label 0x0", says: "number, 1 byte, increasing from 0", how: otherwise, why: "16 bits, as 3dbrew has it; the same bytes below 256 labels"},
			row{key: "label 0x8", says: "unknown, FFFFFFFF", how: otherwise, why: "the size of the place, all ones for none, as 3dbrew says"}), []row{
			{key: "label 0x1", says: "3 bytes unknown, 000100", how: otherwise, why: "the number's second byte and a 16-bit 1, as 3dbrew has it", check: func(t *testing.T) { library.check(t, "label 0x2") }},
			says("increasing from 0 in what is written; main and endmain are labels", objectLabels),
		})},
		{"Relocations", rows(relocationRows(), []row{
			says("instructions without operands have none", relocated),
			says("they exist in objects only", linked),
		})},
		{"Line numbers", rows(object.rows("line"), []row{
			says("one for each instruction", lineEach),
			says("in objects and, with a question mark, in the DVLP", func(t *testing.T) {
				require.Equal(t, shbin.Line{Symbol: 6, Line: 0x10203, File: "b"}, readLibrary(t).Program.Lines[0])
				object.check(t, "line 0x4")
			}),
		})},
		{"Symbols", []row{
			says("ASCII, each ended by a zero byte", fails(&library, "uniform 0x0", "16 00 00 00", "symbol at 0x16")),
			says("DVLP and each DVLE have their own: sources; labels and inputs", func(t *testing.T) {
				f := readLibrary(t)
				require.Equal(t, "a.vsh\x00b\x00", string(f.Program.Symbols))
				require.Equal(t, []string{"endmain", "vPos"}, []string{f.Executables[0].Labels[1].Name, f.Executables[0].Uniforms[0].Name})
				require.Empty(t, f.Executables[1].Symbols)
			}),
			says("an object has all in one", func(t *testing.T) { object.values(t, readObject(t), "") }),
		}},
	}}
}

// dbrewFiles is the table of document 001.
func dbrewFiles() document {
	return document{"SHBIN (3dbrew)", []chapter{
		{"Whole", []row{
			says("compiled and linked vertex and geometry shaders", whole),
			says("found alone as .shbin, or in CGFX as .bcsdr", inside(container.FormatCGFX, inCGFX)),
			says("compiled from .vsh, .gsh and sometimes .asm files", func(t *testing.T) {
				for _, name := range []string{"a.vsh", "b.gsh", "c.asm"} {
					p, diags := asm.Assemble(asm.Options{Object: true}, asm.Source{Name: name, Text: []byte(".out p position\n.proc main\nmov p, v0\nend\n.end")})
					require.NoError(t, diags.Err())
					o := testkit.Must(p.Object())(t)
					require.Equal(t, name, o.Lines[0].File)
				}
			}),
			says("header, one program, then executables", executables),
			says("a program holds code, descriptors and names of sources", func(t *testing.T) { library.values(t, readLibrary(t), "") }),
			says("executables hold entry point, constants and symbols, and share the code", sharedCode),
		}},
		{"Header", rows(library.rows("DVLB"), []row{says("the DVLP follows directly", executables)})},
		{"DVLP", but(library.rows("DVLP"),
			row{key: "DVLP 0x4", says: "unknown, the same as in the DVLE, likely a version", how: otherwise, why: "kept as it is; in real files the two differ (0 and 0x1002 from picasso)"},
			row{key: "DVLP 0x18", says: "unknown, the same as the offset of the names", how: otherwise, why: "offset of line numbers, as GBATEK guesses; without lines files have the names' offset or the end of the descriptors, which is kept"},
			row{key: "DVLP 0x1C", says: "unknown, always 0", how: otherwise, why: "number of lines, as GBATEK guesses; 0 stays 0"})},
		{"DVLE", rows(library.rows("DVLE"), []row{
			{says: "the type might hold other flags", how: otherwise, why: "other bits are kept, and inspect --check finds them: no file is known that has any",
				check: func(t *testing.T) {
					f := testkit.Must(shbin.Parse(changed(t, &library, "DVLE 0x6", "80")))(t)
					require.Equal(t, shbin.ShaderType(0x80), f.Executables[0].Type)
				}},
			says("the vertices of fixed mode start at a float register", geometryModes),
			says("merging joins the output maps of both shaders", merging),
		})},
		{"Labels", rows(but(library.rows("label"), row{key: "label 0x2", says: "unknown, always 1; its offset is printed as 0x0", how: otherwise, why: "a slip of the page: 0x2, where it follows the number"}), []row{
			says("no size is all ones", func(t *testing.T) {
				f := readLibrary(t)
				require.Equal(t, []uint32{shbin.NoSize, 4}, []uint32{f.Executables[0].Labels[0].Size, f.Executables[0].Labels[1].Size})
			})})},
		{"Constants", rows(library.rows("constant"), []row{
			says("a header and data by type", func(t *testing.T) {
				for i, c := range readLibrary(t).Executables[0].Constants {
					require.Equal(t, shbin.ConstantKind(i), c.Kind)
				}
				fails(&library, "constant 0x0", "03", "type 3, expected 0 (bool), 1 (int) or 2 (float)")(t)
			}),
			says("they are sent to the GPU when a program is chosen", constantsArrive),
		})},
		{"Outputs", rows(library.rows("output"), []row{
			says("a mask of 5 is xz", maskXZ),
			says("the unknown word is the same in a whole DVLE", func(t *testing.T) {
				for _, o := range readLibrary(t).Executables[0].Outputs {
					require.Equal(t, uint16(0x4321), o.Unknown)
				}
			})}, outputRows())},
		{"Uniforms", rows(library.rows("uniform"), []row{
			says("uniform means what is set from outside, inputs included", inputsAreUniforms),
			says("the last register is the first where it is no array", arrayUniform),
		}, spaces())},
		{"DVOJ", rows(but(object.rows("DVOJ"), row{key: "DVOJ 0xC", says: "padding, usually all ones", how: ours, why: "the geometry shader's fields where they are not all ones: nothing else in the object could hold them", check: objectGeometry}), []row{
			{key: "DVOJ 0x10", says: "mask of outputs: the page has it at 0x10, where the offset of constants is too", how: otherwise, why: "a slip of the page: the mask is at 0xA, beside that of inputs, as in the DVLE", check: func(t *testing.T) { object.check(t, "DVOJ 0xA") }},
			says("unlinked objects; one or several are probably linked to a DVLB as in C", linked),
			{says: "the entry point seems to be the first instruction", how: otherwise, why: "only where no labels main and endmain say it; GBATEK names these", check: entryByLabel},
			says("all offsets are from the start of the DVOJ", func(t *testing.T) { object.check(t, "DVOJ 0x28") }),
		})},
		{"Lines (the page's unknown block 1)", rows(object.rows("line"), []row{
			says("item N belongs to instruction N", lineEach),
			says("as many as instructions", fails(&object, "DVOJ 0x34", "03 00 00 00", "3 line numbers, expected one for each of 4 instructions, or none")),
		})},
		{"Relocations (the page's unknown block 2)", rows(relocationRows(), []row{says("each instruction with operands has one", relocated)})},
	}}
}

func relocationRows() []row {
	const why = "this project writes a kind and a value there, since nothing says what Nintendo's tools wrote; other words are kept and noted"
	return but(object.rows("relocation"), row{key: "relocation 0x4", how: ours, why: why, check: strangeRelocations}, row{key: "relocation 0x8", how: ours, why: why, check: strangeRelocations})
}

// strangeRelocations checks that unknown words of relocations are kept and reported, and prevent neither reading nor linking.
func strangeRelocations(t *testing.T) {
	object.check(t, "relocation 0x4")
	object.check(t, "relocation 0x8")
	o := compiled(t, ".out p position\n.proc main\nmov p, v0\nadd p, v0, v0\nend\n.end")
	want := testkit.Must(link.Objects(link.Options{}, link.Input{Name: "o", Object: o}))(t)
	o.Relocs[0] = shbin.Reloc{Addr: 0, Kind: 2, Value: 0xFFFFFF} // no such symbol
	o.Relocs[1] = shbin.Reloc{Addr: 1, Kind: 77, Value: 0xFFFFFF}
	data := testkit.Must(shbin.WriteObject(o))(t)
	again := testkit.Must(shbin.ParseObject(data))(t)
	require.Equal(t, o.Relocs, again.Relocs)
	file := testkit.Must(inspect.Open(data, ""))(t)
	require.Contains(t, fmt.Sprint(file.Check()), "relocation 1: kind: 0x4D")
	got := testkit.Must(link.Objects(link.Options{}, link.Input{Name: "o", Object: again}))(t)
	require.Equal(t, want.Program.Code, got.Program.Code)
}

func readObject(t *testing.T) *shbin.Object {
	data, _ := object.bytes(t)
	o := testkit.Must(shbin.ParseObject(data))(t)
	return o
}

// sharedCode checks that executables have their own entry points in one program.
func sharedCode(t *testing.T) {
	f := readLibrary(t)
	require.Equal(t, []uint32{1, 2}, []uint32{f.Executables[0].Main, f.Executables[1].Main})
	require.Equal(t, []uint32{0x4C021000, 0x112233, 0x88000000}, f.Program.Code)
}

// dataFollows checks that a newly laid out file has its first tables right after the headers.
func dataFollows(t *testing.T) {
	data := testkit.Must(assembled(t, ".constf k(1, 2, 3, 4)\n.out p position\n.proc main\nmov p, k\nend\n.end").Write())(t)
	require.Equal(t, "DVLP", string(data[0xC:0x10]))
	require.Equal(t, uint32(0x28), binary.LittleEndian.Uint32(data[0xC+8:]))
	require.Equal(t, []byte{0x13 << 2}, data[0xC+0x28+3:][:1], "mov")
	at := binary.LittleEndian.Uint32(data[8:])
	require.Equal(t, uint32(0x40), binary.LittleEndian.Uint32(data[at+0x18:]))
	require.Equal(t, byte(2), data[at+0x40], "the constant is a float")
}

// entryInWords checks that a program starts at the word given by its entry point.
func entryInWords(t *testing.T) {
	f := assembled(t, ".fvec c\n.out p position\n.out q color\n.proc first\nmov p, v0\nmov q, v0\nend\n.end\n.proc main\nmov p, v0\nmov q, c\nend\n.end")
	require.Equal(t, []uint32{3, 6}, []uint32{f.Executables[0].Main, f.Executables[0].EndMain})
	p := testkit.Must(gl.NewProgram(f))(t)
	require.NoError(t, p.SetFloat("c", [4]float32{0.2, 0.4, 0.6, 0.8}))
	setup := draw(t, p, nil).gpu.VertexShader()
	require.Equal(t, uint16(3), setup.Entry)
	it := shaderunit.Interpreter{}
	it.Reset()
	require.NoError(t, it.Run(&setup))
	require.InDelta(t, 0.6, it.Out()[1][2], 1e-4)
}

func objectGeometry(t *testing.T) {
	object.values(t, readObject(t), "")
	o := testkit.Must(shbin.ParseObject(changed(t, &object, "DVOJ 0xC", "FF FF FF FF")))(t)
	require.False(t, o.HasGeometry)
	require.Equal(t, shbin.Geometry{}, o.Geometry)
	data := testkit.Must(shbin.WriteObject(o))(t)
	require.Equal(t, []byte{255, 255, 255, 255}, data[0xC:0x10])
	require.True(t, readObject(t).HasGeometry)
}

// joined assembles texts to objects and links them.
func joined(t *testing.T, texts ...string) *shbin.File {
	var objects []link.Input
	for i, text := range texts {
		objects = append(objects, link.Input{Name: string(rune('a' + i)), Object: compiled(t, text)})
	}
	f := testkit.Must(link.Objects(link.Options{}, objects...))(t)
	return f
}

func entryOfAll(t *testing.T) {
	o := compiled(t, ".out p position\n.proc main\nmov p, v0\nnop\nend\n.end")
	o.Labels = nil
	f := testkit.Must(link.Objects(link.Options{}, link.Input{Name: "o", Object: o}))(t)
	require.Equal(t, []uint32{0, 3}, []uint32{f.Executables[0].Main, f.Executables[0].EndMain})
}

func entryByLabel(t *testing.T) {
	entryOfAll(t)
	f := joined(t, ".out p position\n.proc helper\nnop\n.end\n.proc main\nmov p, v0\nend\n.end\n.proc more\nnop\n.end")
	require.Equal(t, []uint32{1, 3}, []uint32{f.Executables[0].Main, f.Executables[0].EndMain})
}

// linked checks that linked objects equal the program assembled from their joined sources.
func linked(t *testing.T) {
	const one = ".out p position\n.proc main\nmov p, v0\ncall far\nend\n.end\n"
	const two = ".proc far\nmov r1, v0\n.end\n"
	f := joined(t, one, ".nodvle\n"+two)
	got := testkit.Must(f.Write())(t)
	want := testkit.Must(assembled(t, one+two).Write())(t)
	require.Equal(t, want, got)
}

// bit31 checks that bit 31 of a descriptor is kept in files and has no effect.
func bit31(t *testing.T) {
	require.Equal(t, []uint32{1, 0}, []uint32{readLibrary(t).Program.Descriptors[0].Word >> 31, readLibrary(t).Program.Descriptors[1].Word >> 31})
	for _, op := range operations {
		if op.compute == nil && op.flags == nil && !op.address {
			continue
		}
		var results []string
		for _, bit := range []uint32{0, 1 << 31} {
			w := op.word(t, fields{"DESC": 5, "SRC1": 1, "SRC2": 2, "SRC3": 3, "DST": 0, "CMPX": 2, "CMPY": 3})
			s := setupOf(map[uint32]uint32{5: 0x1B<<23 | 1<<22 | 0x1B<<14 | 0x1B<<5 | 15 | bit}, w, word(t, "0", fields{"opcode": 0x22}))
			results = append(results, resultOf(t, s))
			require.Equal(t, shaderunit.Decode(w).Text(s.Desc(5)&^(1<<31)), shaderunit.Decode(w).Text(s.Desc(5)))
		}
		require.Equal(t, results[0], results[1], op.name)
	}
}

// unused checks that meaningless bytes are kept and change no value.
func unused(key string, n int) func(t *testing.T) {
	return func(t *testing.T) {
		data := changed(t, &library, key, strings.Repeat("A5", n))
		f := testkit.Must(shbin.Parse(data))(t)
		library.values(t, f, "")
		again := testkit.Must(f.Write())(t)
		require.Equal(t, data, again)
	}
}

func unusedInts(t *testing.T) {
	data, _ := library.bytes(t)
	at := 0x74 + 0xD0 + 20 + 8
	for i := range 12 {
		data[at+i] = 0x5A
	}
	f := testkit.Must(shbin.Parse(data))(t)
	library.values(t, f, "")
	again := testkit.Must(f.Write())(t)
	require.Equal(t, data, again)
}

// loopConstant runs a loop with an int constant of a file and adds up the uniforms it reads.
func loopConstant(t *testing.T) {
	f := assembled(t, ".constf k(0, 0, 0, 0)\n.consti n(2, 5, 3, 0)\n.out p position\n.proc main\nmov p, v0\nmov r0, k\nfor n\nadd r0, c0[aL], r0\nnop\n.end\nmov p, r0\nend\n.end")
	s := setupOfFile(f)
	for i := range s.Float {
		s.Float[i] = [4]float32{float32(int(1) << min(i, 20))}
	}
	s.Float[f.Executables[0].Constants[0].Reg] = [4]float32{}
	it := shaderunit.Interpreter{}
	it.Reset()
	require.NoError(t, it.Run(s))
	require.Equal(t, float32(1<<5+1<<8+1<<11), it.Out()[0][0])
}

// setupOfFile loads code, descriptors, int constants and the entry point of a file into a shader unit.
func setupOfFile(f *shbin.File) *shaderunit.Setup {
	s := &shaderunit.Setup{OutMask: 0xFFFF, Entry: uint16(f.Executables[0].Main)}
	var words []uint32
	for _, d := range f.Program.Descriptors {
		words = append(words, d.Word)
	}
	s.Load(f.Program.Code, words)
	for _, c := range f.Executables[0].Constants {
		if c.Kind == shbin.ConstantInt {
			s.Int[c.Reg] = c.Int()
		}
	}
	return s
}

// constantFile returns a program with a constant of each type.
func constantFile(t *testing.T) *shbin.File {
	f := assembled(t, ".out p position\n.out q color\n.proc main\nmov p, v0\nmov q, c90\nend\n.end")
	f.Executables[0].Constants = []shbin.Constant{
		{Kind: 2, Reg: 90, Data: [16]byte{0, 0, 0x3F, 0, 0, 0, 0xC0, 0, 0x55, 0x55, 0x3D, 0, 0, 0x40, 0x40, 0}}, // 1, -2, 0.333, 2.5
		{Kind: 2, Reg: 3, Data: [16]byte{0x12, 0x34, 0x56, 0, 0x78, 0x9A, 0x3C, 0, 0xDE, 0xF0, 0x41, 0, 0x23, 0x45, 0x67, 0}},
		{Kind: 1, Reg: 2, Data: [16]byte{9, 8, 7, 6}}, {Kind: 0, Reg: 13, Data: [16]byte{1}}, {Kind: 0, Reg: 4, Data: [16]byte{0}},
	}
	require.NoError(t, f.Layout())
	data := testkit.Must(f.Write())(t)
	f = testkit.Must(shbin.Parse(data))(t)
	return f
}

func constantsArrive(t *testing.T) {
	p := testkit.Must(gl.NewProgram(constantFile(t)))(t)
	setup := draw(t, p, nil).gpu.VertexShader()
	require.Equal(t, [4]float32{1, -2, 0.33333206, 2.5}, setup.Float[90])
	require.Equal(t, [4]uint8{9, 8, 7, 6}, setup.Int[2])
	require.Equal(t, uint16(1<<13), setup.Bool)
}

// packedConstants checks the words written to GPUREG_VSH_FLOATUNIFORM: the register number without the float32 bit, then three
// words, w first. The GPU unpacks them.
func packedConstants(t *testing.T) {
	p := testkit.Must(gl.NewProgram(constantFile(t)))(t)
	var index uint32
	sent := map[uint32][]uint32{}
	d := drawWatched(t, p, nil, func(reg pica.Reg, w uint32) {
		switch {
		case reg == 0x2C0:
			index = w
		case reg >= 0x2C1 && reg <= 0x2C8:
			sent[index] = append(sent[index], w)
		}
	})
	require.Equal(t, []uint32{0x404000_3D, 0x5555_C000, 0x00_3F0000}, sent[90])
	require.Equal(t, []uint32{0x674523_41, 0xF0DE_3C9A, 0x78_563412}, sent[3])
	require.Equal(t, [4]float32{1, -2, 0.33333206, 2.5}, d.gpu.VertexShader().Float[90])

	g := pipeline.New(pipeline.Options{Workers: 1})
	write := func(reg pica.Reg, words ...uint32) {
		for _, w := range words {
			require.NoError(t, g.WriteInternal(t.Context(), reg, w))
		}
	}
	write(0x2C0, 95)
	write(0x2C1, 0x404000_3D, 0x5555_C000, 0x00_3F0000)
	require.Equal(t, [4]float32{1, -2, 0.33333206, 2.5}, g.VertexShader().Float[95])
	write(0x2C0, 1<<31|7)
	write(0x2C1, 0x40200000, 0x3F000000, 0xC0000000, 0x3F800000)
	require.Equal(t, [4]float32{1, -2, 0.5, 2.5}, g.VertexShader().Float[7])
}

// maskXZ checks that bit 0 of a mask is x, and that the components in the mask take the semantic's values in order.
func maskXZ(t *testing.T) {
	require.Equal(t, uint8(5), shbin.Output{Type: shbin.OutTexCoord0, Mask: 5}.Mapped())
	regs := draw(t, passing(t, 0, shbin.Output{Type: shbin.OutTexCoord0, Reg: 1, Mask: 5}), nil).gpu.Registers()
	require.Equal(t, uint32(0x1F0D1F0C), regs[0x51])
}

func arrayUniform(t *testing.T) {
	f := assembled(t, ".fvec one, many[3]\n.out p position\n.proc main\nmov p, many[2]\nend\n.end")
	for _, u := range f.Executables[0].Uniforms {
		require.Equal(t, map[string]uint16{"one": 0, "many": 2}[u.Name], u.End-u.Start, u.Name)
	}
	require.Len(t, f.Executables[0].Uniforms, 2)
	library.values(t, readLibrary(t), "uniform 0x6")
	require.Equal(t, []uint16{0x24, 0x27}, []uint16{readLibrary(t).Executables[0].Uniforms[1].Start, readLibrary(t).Executables[0].Uniforms[1].End})
}

func inputsAreUniforms(t *testing.T) {
	p := testkit.Must(gl.NewProgram(assembled(t, ".fvec mtx\n.in vPos v3\n.out p position\n.proc main\nadd p, mtx, vPos\nend\n.end")))(t)
	require.Equal(t, []string{"vPos"}, p.Inputs())
	require.True(t, p.HasUniform("mtx"))
	require.False(t, p.HasUniform("vPos"))
}

func objectLabels(t *testing.T) {
	o := compiled(t, ".out p position\n.proc helper\nnop\n.end\n.proc main\nmov p, v0\nend\n.end")
	require.Equal(t, []string{"main", "endmain", "helper", "main"}, []string{o.Labels[0].Name, o.Labels[1].Name, o.Labels[2].Name, o.Labels[3].Name})
	for i, l := range o.Labels {
		require.Equal(t, uint16(i), l.ID)
		require.Equal(t, uint16(1), l.Unknown)
	}
	require.Equal(t, []uint32{1, 3}, []uint32{o.Labels[0].Addr, o.Labels[1].Addr})
	data := testkit.Must(shbin.WriteObject(o))(t)
	shown := testkit.Must(inspect.Open(data, ""))(t)
	require.Empty(t, shown.Check(), "two labels named main are allowed")
}

func relocated(t *testing.T) {
	o := compiled(t, ".out p position\n.proc main\nmov p, v0\nnop\nifu b0\ncmp v0, eq, eq, r0\n.end\nend\n.end")
	var at []uint32
	for _, r := range o.Relocs {
		at = append(at, r.Addr)
	}
	require.Equal(t, []uint32{0, 2, 3}, at)
}

func lineEach(t *testing.T) {
	o := compiled(t, ".out p position\n.proc main\nmov p, v0\n\nnop\nend\n.end")
	require.Len(t, o.Lines, 3)
	for i, line := range []uint32{3, 5, 6} {
		require.Equal(t, line, o.Lines[i].Line)
		require.Equal(t, "seed.vsh", o.Lines[i].File)
	}
}

// geometryModes checks the registers of a geometry shader in each mode.
func geometryModes(t *testing.T) {
	for _, m := range []struct {
		text string
		want shbin.Geometry
	}{
		{".gsh point c0", shbin.Geometry{Mode: 0}},
		{".gsh variable c48 3", shbin.Geometry{Mode: 1, VariableNum: 3}},
		{".gsh fixed c48 c40 4", shbin.Geometry{Mode: 2, FixedStart: 40, FixedNum: 4}},
	} {
		f := assembled(t, m.text+"\n.out p position\n.proc main\nsetemit 0\nmov p, v0\nemit\nend\n.end")
		require.Equal(t, shbin.GeometryShader, f.Executables[0].Type)
		require.Equal(t, m.want, f.Executables[0].Geometry, m.text)
	}
}

// merging links a vertex and a geometry shader with merged output maps: the common outputs first, then the rest.
func merging(t *testing.T) {
	vertex := assembled(t, ".out p position o0\n.out c color o1\n.out t texcoord0 o2\n.proc main\nmov p, v0\nmov c, v0\nmov t, v0\nend\n.end\n")
	geometry := assembled(t, ".gsh point c0\n.out p position o0\n.out c color o1\n.proc main\nsetemit 0\nmov p, v0\nmov c, v1\nemit\nend\n.end\n")
	for merge, want := range map[bool][4]uint32{false: {0x03020100, 0x0B0A0908, 0x1F1F1F1F, 2}, true: {0x03020100, 0x0B0A0908, 0x1F1F0D0C, 3}} {
		geometry.Executables[0].Merge = byte(truth(merge))
		p := testkit.Must(gl.LinkProgram(vertex, 0, geometry, 0))(t)
		regs := draw(t, p, nil).gpu.Registers()
		require.Equal(t, want, [4]uint32{regs[0x50], regs[0x51], regs[0x52], regs[0x4F]}, "merged: %t", merge)
	}
}
