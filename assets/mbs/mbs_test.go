package mbs

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/tree"
	"pica200/tests/testkit"
)

// set writes a field of an instruction.
func (g *gpInstruction) set(f gpField, v uint32) {
	for i := range uint(f.n) {
		bit := uint(f.lo) + i
		g[bit/8] = g[bit/8]&^(1<<(bit%8)) | byte(v>>i&1)<<(bit%8)
	}
}

// emptyGP is an instruction with every unit off.
func emptyGP() *gpInstruction {
	g := &gpInstruction{}
	for u := range 2 {
		for s := range 2 {
			g.set(gpMulSrc[u][s], gpSrcUnused)
			g.set(gpAccSrc[u][s], gpSrcUnused)
		}
	}
	g.set(gpCplxSrc, gpSrcUnused)
	g.set(gpPassSrc, gpSrcUnused)
	g.set(gpLoadOff, 7)
	for _, f := range gpStoreSrc {
		g.set(f, gpStoreNone)
	}
	return g
}

// sampleVertex is our own vertex program: it uses every unit, and codes without a known meaning.
func sampleVertex() *Shader {
	var code []byte
	emit := func(fill func(g *gpInstruction)) {
		g := emptyGP()
		fill(g)
		code = append(code, g[:]...)
	}
	emit(func(g *gpInstruction) { // r1.xy = a0.x * u2.x, -a0.y
		g.set(gpReg0Attr, 1)
		g.set(gpLoadAddr, 2)
		g.set(gpMulSrc[0][0], 0)
		g.set(gpMulSrc[0][1], 12)
		g.set(gpMulSrc[1][0], 1)
		g.set(gpMulSrc[1][1], gpSrcIdentity)
		g.set(gpMulNeg[1], 1)
		g.set(gpStoreSrc[0], 2)
		g.set(gpStoreSrc[1], 3)
		g.set(gpStoreTo[0], 1)
	})
	emit(func(g *gpInstruction) { // adders on the results, the complex unit, a clamp
		g.set(gpAccSrc[0][0], 18)
		g.set(gpAccSrc[0][1], 19)
		g.set(gpAccNeg[0][1], 1)
		g.set(gpAccSrc[1][0], 28)
		g.set(gpAccSrc[1][1], gpSrcIdentity)
		g.set(gpAccNeg[1][1], 1)
		g.set(gpCplxOp, 5)
		g.set(gpCplxSrc, 18)
		g.set(gpPassOp, 6)
		g.set(gpPassSrc, 19)
		g.set(gpLoadAddr, 0)
	})
	emit(func(g *gpInstruction) { // select, stores to a varying and a temporary, an unknown load offset
		g.set(gpMulOp, 4)
		g.set(gpMulSrc[0][0], 16)
		g.set(gpMulSrc[0][1], 17)
		g.set(gpMulSrc[1][0], 15)
		g.set(gpLoadAddr, 5)
		g.set(gpLoadOff, 2)
		g.set(gpStoreVar[0], 1)
		g.set(gpStoreSrc[0], 2)
		g.set(gpStoreTmp[1], 1)
		g.set(gpStoreSrc[3], 6)
		g.set(gpUnknown, 12)
	})
	emit(func(g *gpInstruction) { // codes without a known meaning, and a branch
		g.set(gpAccOp, 3)
		g.set(gpAccSrc[0][0], 9)
		g.set(gpAccSrc[0][1], 4)
		g.set(gpMulOp, 6)
		g.set(gpMulSrc[0][0], 24)
		g.set(gpMulSrc[0][1], 25)
		g.set(gpMulSrc[1][0], 26)
		g.set(gpMulSrc[1][1], 27)
		g.set(gpCplxOp, 7)
		g.set(gpCplxSrc, 23)
		g.set(gpPassOp, 1)
		g.set(gpPassSrc, 20)
		g.set(gpBranch, 1)
		g.set(gpBranchLo, 1)
		g.set(gpTarget, 4)
		g.set(gpUnknown, 13)
	})
	code = append(code, emptyGP()[:]...)
	sym := func(name string, typ Type, n, entries uint16) Symbol {
		s := Symbol{Name: name, Unknown0: 2, Type: typ, ComponentCount: n, EntryCount: entries, DstStride: 16, Precision: 3, Parent: NoParent}
		return s
	}
	uniform := func(name string, typ Type, n, entries uint16) Symbol {
		s := sym(name, typ, n, entries)
		s.Index = &Index{-1, -1, -1}
		return s
	}
	constant := uniform("?constant_000", Float, 2, 0)
	constant.Init = []float32{0.5, -1}
	size := sym("gl_PointSize", Float, 1, 0)
	size.Location = Unplaced
	s := &Shader{
		Vertex: true, Version: Mali400GP, Instructions: 5, AttributePrefetch: 1,
		Uniforms: &Table{Storage: GPUniform, Symbols: []Symbol{
			uniform("transform", Matrix, 4, 0), uniform("normals", Matrix, 3, 0), uniform("lights", Float, 3, 2), constant, uniform("scale", Float, 1, 0),
		}},
		Attributes: &Table{Storage: Attribute, Symbols: []Symbol{sym("position", Float, 4, 0), sym("uv", Float, 2, 0)}},
		Varyings:   &Table{Storage: GPVarying, Symbols: []Symbol{size, sym("color", Float, 4, 0), sym("gl_Position", Float, 4, 0)}},
		Code:       code,
	}
	for _, t := range []*Table{s.Uniforms, s.Attributes, s.Varyings} {
		if err := t.Layout(); err != nil {
			panic(err)
		}
	}
	return s
}

// ppField is the value of a unit's field, in words of 32 bits.
type ppField struct {
	unit  ppUnit
	words []uint32
}

// assemblePP packs fields after a control word.
func assemblePP(control uint32, fields ...ppField) []byte {
	var bits []bool
	for _, f := range fields {
		control |= 1 << (7 + f.unit)
		for i := range ppWidth[f.unit] {
			bits = append(bits, i/32 < uint(len(f.words)) && f.words[i/32]>>(i%32)&1 != 0)
		}
	}
	words := (len(bits) + 31) / 32
	out := make([]byte, 4+4*words)
	for i, b := range bits {
		if b {
			out[4+i/8] |= 1 << (i % 8)
		}
	}
	binary.LittleEndian.PutUint32(out, control|uint32(1+words))
	return out
}

// sampleFragment is our own fragment program.
func sampleFragment() *Shader {
	instructions := [][]byte{
		assemblePP(0,
			ppField{ppVarying, []uint32{2<<5 | 15<<10 | 1<<18 | 15<<24 | 3<<28, 0}},       // texcoord.xy = varying 1
			ppField{ppSampler, []uint32{0x1F<<24 | 1<<30, 0x39001 << 10}},                 // cube map in sampler 1
			ppField{ppUniform, []uint32{1<<10 | 7<<25}},                                   // uniform 3.zw
			ppField{ppVecMul, []uint32{14 | 0xE4<<4 | 15<<14 | 0x44<<18 | 1<<27, 2 << 6}}, // texture << 2 * -uniform.xyxy
			ppField{ppScalarMul, []uint32{2<<2 | 1<<6 | 3<<8 | 1<<22 | 9<<16 | 16<<25}},
			ppField{ppVecAcc, []uint32{0xE4<<4 | 12<<14 | 0x00<<18 | 3<<28, 15 | 1<<4 | 0<<6 | 1<<11}},
			ppField{ppScalarAcc, []uint32{5 | 6<<8 | 4<<16 | 1<<22 | 29<<25}}, // unknown operation
			ppField{ppConst0, []uint32{0xC0003C00, 0x7C003555}}),
		assemblePP(0,
			ppField{ppCombine, []uint32{3<<2 | 4<<16 | 8<<24}},
			ppField{ppTempWrite, []uint32{3 | 12<<4 | 2<<10 | 5<<25}},
			ppField{ppBranch, []uint32{4<<4 | 8<<10 | 1<<18, 0xFFFFE800, 0xF}}), // branch.lt
		assemblePP(0,
			ppField{ppCombine, []uint32{3 | 0x1B<<2 | 2<<10 | 6<<16 | 7<<22 | 1<<26}}, // scalar * vector
			ppField{ppTempWrite, []uint32{1 | 7<<1 | 3<<6}},                           // read the colour
			ppField{ppBranch, []uint32{0x007F0003}}),
		assemblePP(1<<5|1<<6, ppField{ppVecAcc, []uint32{1<<28 | 3 | 0xE4<<4, 15 | 31<<6}}),
	}
	var code []byte
	for i, in := range instructions {
		if i+1 < len(instructions) {
			c := binary.LittleEndian.Uint32(in)
			binary.LittleEndian.PutUint32(in, c|uint32(len(instructions[i+1])/4)<<19)
		}
		code = append(code, in...)
	}
	sampler := Symbol{Name: "sky", Unknown0: 2, Type: SamplerCube, ComponentCount: 3, DstStride: 16, Precision: 1, Parent: NoParent, Index: &Index{-1, -1, 0}}
	material := Symbol{Name: "material", Type: Struct, ComponentCount: 2, EntryCount: 2, DstStride: 16, Precision: 2, Parent: NoParent}
	diffuse := Symbol{Name: "diffuse", Type: Float, ComponentCount: 3, DstStride: 16, Precision: 2, Parent: 1}
	shine := Symbol{Name: "shine", Type: Float, ComponentCount: 1, DstStride: 16, Precision: 2, Parent: 1}
	s := &Shader{
		Version: Mali200, StackSize: 1, StackOffset: 1, Discards: 1,
		FrameBuffer: FBUse{ReadsColor: 1, WritesColor: 1},
		Uniforms:    &Table{Storage: PPUniform, Symbols: []Symbol{sampler, material, diffuse, shine}},
		Varyings: &Table{Storage: PPVarying, Symbols: []Symbol{
			{Name: "color", Type: Float, ComponentCount: 4, DstStride: 16, Precision: 2, Parent: NoParent},
			{Name: "uv", Type: Float, ComponentCount: 2, DstStride: 24, Precision: 2, Parent: NoParent},
		}},
		Code: code,
	}
	for _, t := range []*Table{s.Uniforms, s.Varyings} {
		if err := t.Layout(); err != nil {
			panic(err)
		}
	}
	return s
}

func sampleFile() *File { return NewFile(sampleVertex(), sampleFragment()) }

// testFile compares with a file in testdata; -update writes it.
func testFile(t *testing.T, name string, want []byte) {
	t.Helper()
	testkit.Golden(t, filepath.Join("testdata", name), want)
}

func TestFileBytesAndText(t *testing.T) {
	data := sampleFile().Encode()
	testFile(t, "own.mbs", data)
	f := testkit.Must(Parse(data))(t)
	require.Empty(t, f.Check())
	require.Equal(t, data, f.Encode())
	var text bytes.Buffer
	require.NoError(t, f.Disassemble(&text))
	testFile(t, "own.mbs.txt", text.Bytes())
}

func TestSymbolsRoundTrip(t *testing.T) {
	f := testkit.Must(Parse(sampleFile().Encode()))(t)
	require.Len(t, f.Shaders, 2)
	for _, want := range []*Shader{sampleVertex(), sampleFragment()} {
		got := f.Shaders[boolInt(!want.Vertex)]
		require.Equal(t, want.Code, got.Code)
		for i, tab := range []*Table{want.Uniforms, want.Attributes, want.Varyings} {
			gotTab := []*Table{got.Uniforms, got.Attributes, got.Varyings}[i]
			if tab == nil {
				require.Nil(t, gotTab)
				continue
			}
			require.Equal(t, tab.Space, gotTab.Space)
			for j := range tab.Symbols {
				s := gotTab.Symbols[j]
				s.Offset = 0
				if tab.Storage == Attribute {
					require.Equal(t, uint16(NoParent), s.Parent)
				}
				require.Equal(t, tab.Symbols[j], s)
			}
		}
	}
}

// The rules of the seed, one row each.
func TestSymbolFootprints(t *testing.T) {
	sym := func(typ Type, n, entries uint16) Symbol {
		return Symbol{Name: "s", Type: typ, ComponentCount: n, EntryCount: entries, Parent: NoParent}
	}
	for _, c := range []struct {
		storage                   Storage
		sym                       Symbol
		align, size, stride, comp int
	}{
		{PPVarying, sym(Float, 1, 0), 1, 1, 1, 1},
		{PPVarying, sym(Float, 2, 0), 2, 2, 2, 2},
		{PPVarying, sym(Float, 3, 0), 4, 3, 4, 4},
		{PPVarying, sym(Float, 4, 0), 4, 4, 4, 4},
		{PPVarying, sym(Matrix, 2, 0), 2, 4, 4, 2},
		{PPVarying, sym(Matrix, 3, 0), 4, 11, 12, 4},
		{PPVarying, sym(Float, 1, 5), 1, 5, 1, 1},
		{PPVarying, sym(Float, 3, 2), 4, 7, 4, 4},
		{PPUniform, sym(Int, 2, 0), 2, 2, 2, 2},
		{PPUniform, sym(Bool, 1, 0), 1, 1, 1, 1},
		{PPUniform, sym(Sampler2D, 2, 0), 1, 1, 1, 1},
		{PPUniform, sym(SamplerCube, 3, 4), 1, 4, 1, 1},
		{GPUniform, sym(Float, 1, 0), 0, 1, 4, 4},
		{GPUniform, sym(Float, 2, 3), 0, 10, 4, 4},
		{GPUniform, sym(Matrix, 3, 0), 0, 11, 12, 4},
		{GPUniform, sym(Matrix, 4, 2), 0, 32, 16, 4},
		{Attribute, sym(Float, 2, 0), 4, 2, 4, 4},
		{GPVarying, sym(Float, 1, 0), 4, 1, 4, 4},
	} {
		table := Table{Storage: c.storage, Symbols: []Symbol{c.sym}}
		f := testkit.Must(table.footprint(0, 0))(t)
		require.Equal(t, [4]int{c.align, c.size, c.stride, c.comp}, [4]int{f.align, f.size(), f.stride, f.componentSize}, "%v %s", c.storage, c.sym.TypeName())
	}
	bad := Table{Symbols: []Symbol{sym(Float, 5, 0), sym(7, 1, 0), sym(Matrix, 1, 0), sym(Struct, 1, 0)}}
	bad.Symbols[3].Parent = 3 // its own parent
	for i, want := range []string{"5 components", "does not exist", "1 columns", "nested"} {
		_, err := bad.footprint(i, 0)
		require.ErrorContains(t, err, want)
	}
}

func TestLayoutPacksUniforms(t *testing.T) {
	table := sampleVertex().Uniforms
	place := map[string]int{}
	for _, s := range table.Symbols {
		place[s.Name] = int(s.Location)
	}
	// Rows 0-3 transform, 4-6 normals, 7-8 lights; the pair and the float take free columns: normals leave one.
	require.Equal(t, map[string]int{"transform": 0, "normals": 16, "lights": 28, "?constant_000": 36, "scale": 19}, place)
	require.Equal(t, uint32(40), table.Space)
}

func TestLayoutStruct(t *testing.T) {
	p := &packer{storage: GPUniform} // a struct takes whole rows
	for _, c := range []struct {
		f    footprint
		want int
	}{
		{footprint{width: 8, columns: 1, stride: 8, elements: 1}, 0}, {footprint{width: 1, columns: 1, elements: 1}, 8},
		{footprint{width: 5, columns: 1, stride: 5, elements: 1}, 12}, {footprint{width: 1, columns: 1, elements: 1}, 9},
	} {
		at := testkit.Must(p.allocate(c.f))(t)
		require.Equal(t, c.want, at)
	}
	table := sampleFragment().Uniforms
	// In the struct diffuse is at 0 and shine at 3; its size is 4, and two of them follow the sampler.
	require.Equal(t, []uint16{0, 4, 0, 3}, []uint16{table.Symbols[0].Location, table.Symbols[1].Location, table.Symbols[2].Location, table.Symbols[3].Location})
	require.Equal(t, uint16(4), table.Symbols[1].SrcStride)
	require.Equal(t, uint32(12), table.Space)
}

func TestCheckFindsDeviations(t *testing.T) {
	for _, c := range []struct {
		name string
		harm func(v, f *Shader)
		want string
	}{
		{"stride", func(v, f *Shader) { v.Uniforms.Symbols[0].SrcStride = 4 }, `"transform": source stride 4, the rules for vertex uniforms give 16`},
		{"component size", func(v, f *Shader) { f.Varyings.Symbols[1].ComponentSize = 4 }, `"uv": component size 4`},
		{"alignment", func(v, f *Shader) { f.Varyings.Symbols[1].Location = 5 }, "offset 5 is not a multiple of its alignment 2"},
		{"row", func(v, f *Shader) { v.Uniforms.Symbols[3].Location = 35 }, "2 floats cross the end of a row"},
		{"overlap", func(v, f *Shader) { v.Uniforms.Symbols[4].Location = 18 }, "float 18 is in use"},
		{"space", func(v, f *Shader) { v.Uniforms.Space = 37 }, "space for 37 floats, the symbols need 38"},
		{"parent", func(v, f *Shader) { f.Uniforms.Symbols[2].Parent = 0 }, "not a struct"},
		{"type", func(v, f *Shader) { v.Attributes.Symbols[0].Type = 7 }, "does not exist"},
		{"precision", func(v, f *Shader) { v.Attributes.Symbols[0].Precision = 0 }, "precision 0"},
		{"count", func(v, f *Shader) { v.Instructions = 6 }, "FINS says 6 instructions, the code has 5"},
		{"prefetch", func(v, f *Shader) { v.AttributePrefetch = 4 }, "attributes are read up to instruction 3"},
		{"attribute", func(v, f *Shader) { v.Attributes = nil }, "reads attribute 0"},
		{"varying", func(v, f *Shader) { v.Varyings.Symbols = v.Varyings.Symbols[:1] }, "writes varying 0"},
		{"version", func(v, f *Shader) { v.Version = Mali200 }, "a fragment processor"},
		{"discard", func(v, f *Shader) { f.Discards = 0 }, "code discards is true"},
		{"frame buffer", func(v, f *Shader) { f.FrameBuffer.ReadsColor = 0 }, "reads the frame buffer"},
		{"code", func(v, f *Shader) { f.Code = f.Code[:len(f.Code)-4] }, "instruction of 3 words, 2 are left"},
		{"no code", func(v, f *Shader) { f.Code = nil }, "no DBIN"},
		{"placement", func(v, f *Shader) { v.Uniforms.Symbols[4].Location = 39 }, "would put it at 19"},
	} {
		v, f := sampleVertex(), sampleFragment()
		c.harm(v, f)
		file := testkit.Must(Parse(NewFile(v, f).Encode()))(t)
		var all []string
		for _, x := range file.Check() {
			all = append(all, x.String())
		}
		require.Contains(t, strings.Join(all, "\n"), c.want, c.name)
	}
}

// Fragment code is split at the ends of instructions: units have no more bits than the words after the first, and branch targets
// count words from the instruction, in both directions.
func TestFragmentInstructionEnds(t *testing.T) {
	field := ppField{ppBranch, []uint32{7 << 16, 0xFFFFF800, 0xF}} // at bit 41, 27 bits: -4
	code := append(assemblePP(0, ppField{ppBranch, []uint32{7 << 16, 5 << 9, 0}}), assemblePP(1<<5, field)...)
	var texts []string
	rest := testkit.Must(ppInstructions(code, func(_ int, p *ppInstruction) bool {
		texts = append(texts, p.branchText())
		return true
	}))(t)
	require.Empty(t, rest)
	at := len(code) / 8
	require.Equal(t, []string{"branch word 5", fmt.Sprintf("branch word %d", at-4)}, texts)

	short := bytes.Clone(code[:len(code)/2])
	for words := range uint32(len(short) / 4) {
		short[0] = short[0]&^31 | byte(words)
		_, err := ppInstructions(short, func(int, *ppInstruction) bool { return false })
		require.Error(t, err, "%d words", words)
	}
}

func TestBadFiles(t *testing.T) {
	_, err := Parse([]byte("MBS2xxxx"))
	require.ErrorIs(t, err, ErrFormat)
	f0 := sampleFile()
	data := f0.Encode()
	_, err = Parse(data[:len(data)-1])
	require.ErrorContains(t, err, "cut short")

	// A file without shaders is a problem.
	none := testkit.Must(Parse((&File{Root: &Chunk{Ident: f0.Root.Ident}}).Encode()))(t)
	require.Contains(t, none.Findings, tree.Finding{Level: tree.Problem, Message: "the file has no shader"})
	some := testkit.Must(Parse(data))(t)
	require.Empty(t, some.Findings)

	// An unknown chunk is kept and shown.
	f := sampleFile()
	f.Root.Items = append(f.Root.Items, Item{Chunk: &Chunk{Ident: "XYZW", Items: []Item{{Data: []byte("what")}}}})
	data = f.Encode()
	f = testkit.Must(Parse(data))(t)
	require.Equal(t, data, f.Encode())
	require.Contains(t, f.Findings[0].Message, `unknown chunk "XYZW"`)

	// Bytes after the root chunk are reported with their offset and dropped.
	f = testkit.Must(Parse(append(bytes.Clone(data), 1, 2, 3)))(t)
	require.Equal(t, data, f.Encode())
	require.Contains(t, f.Findings, tree.Finding{Offset: int64(len(data)), Level: tree.Problem, Message: "3 bytes follow the MBS1 chunk; they are not kept"})

	// A wrong number of symbols is reported at its offset.
	odd := bytes.Clone(data)
	at := bytes.Index(odd, []byte("SUNI"))
	odd[at+8]++
	f = testkit.Must(Parse(odd))(t)
	place := int64(-1)
	for _, x := range f.Findings {
		if strings.Contains(x.Message, "SUNI says it has") {
			place = x.Offset
		}
	}
	require.EqualValues(t, at+8, place)

	// With a size that does not fit, the chunk stays as plain bytes and the file unchanged.
	at = bytes.Index(data, []byte("SATT"))
	data[at+5] = 0xFF
	f = testkit.Must(Parse(data))(t)
	require.Equal(t, data, f.Encode())
	found := false
	for _, x := range f.Check() {
		found = found || strings.Contains(x.Message, "not a chunk")
	}
	require.True(t, found)
}

func TestCorpus(t *testing.T) {
	for _, name := range testkit.Corpus(t, "mbs/*") {
		data := testkit.Read(t, name)
		f := testkit.Must(Parse(data))(t)
		require.Equal(t, data, f.Encode(), name)
		require.Equal(t, data, NewFile(f.Shaders...).Encode(), "%s rebuilt from its symbols", name)
		require.Zero(t, f.Check().Problems(), "%s: %v", name, f.Check())
		// The layout engine gives the offsets of ARM's compiler.
		if strings.HasSuffix(name, "shader_v.mbs") {
			require.Empty(t, f.Check())
			require.Equal(t, uint32(0x27), f.Shaders[0].Instructions)
			require.Len(t, f.Shaders[0].Code, 624)
			n := 0
			for range f.Shaders[0].Disassembly() {
				n++
			}
			require.Equal(t, 0x27, n)
		}
	}
}

func FuzzMBS(f *testing.F) {
	f.Add(sampleFile().Encode())
	f.Add(NewFile(&Shader{Version: Mali200, Code: assemblePP(1<<5, ppField{ppVecAcc, nil})}).Encode())
	f.Add([]byte("MBS1\x10\x00\x00\x00CVER\x08\x00\x00\x00\x06\x00\x00\x00AAAA"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Parse(data)
		if err != nil {
			require.ErrorIs(t, err, ErrFormat)
			return
		}
		out := file.Encode()
		require.True(t, bytes.HasPrefix(data, out), "encoding changed the file")
		file.Check()
		var text bytes.Buffer
		require.NoError(t, file.Disassemble(&text))
	})
}

// Foreign parts of a table and truncated values are findings.
func TestTableFindings(t *testing.T) {
	for _, c := range []struct {
		table, into string
		part        *Chunk
		want        string
	}{
		{"SUNI", "", node("VATT", make([]byte, 4)), "VATT inside SUNI, expected VUNI"},
		{"SVAR", "", node("VUNI", make([]byte, 4)), "VUNI inside SVAR, expected VVAR"},
		{"SUNI", "VUNI", node("VINI", make([]byte, 2)), "says it has 0 values in 2 bytes"},
		{"SUNI", "VUNI", node("VINI", []byte{1, 0, 0, 0, 1, 2, 3}), "says it has 1 values in 7 bytes"},
	} {
		f := testkit.Must(Parse(NewFile(sampleVertex()).Encode()))(t)
		var in func(at *Chunk, id Ident) *Chunk
		in = func(at *Chunk, id Ident) *Chunk {
			for _, it := range at.Items {
				if it.Chunk != nil {
					if it.Chunk.Ident == id {
						return it.Chunk
					}
					if found := in(it.Chunk, id); found != nil {
						return found
					}
				}
			}
			return nil
		}
		to := in(f.Root, Ident(c.table))
		if c.into != "" {
			to = in(to, Ident(c.into))
		}
		to.Items = append(to.Items, Item{Chunk: c.part})
		f = testkit.Must(Parse(f.Encode()))(t)
		require.Contains(t, strings.Join(testkit.Sentences(f.Findings), "\n"), c.want)
	}
}
