package mbs

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"

	"pica200/internal/yamldoc"
)

// A file as text is YAML: every field of every shader by its name, and the code in
// hexadecimal, a line an instruction.

// MarshalText writes the file as text, which ParseText makes the same bytes of. It fails
// where chunks are unknown or in an order that ARM's compiler does not use.
func (f *File) MarshalText() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("# A Mali shader binary (MBS1): pica200 mbs make writes it. Sizes are in floats.\nshaders:\n")
	for _, s := range f.Shaders {
		s.text(&b)
	}
	again, err := ParseText("", b.Bytes())
	if err != nil {
		return nil, fmt.Errorf("the text of the file cannot be read again: %w", err)
	}
	if !bytes.Equal(again.Encode(), f.Encode()) {
		return nil, fmt.Errorf("the text does not hold the whole file: it has chunks that are unknown or in another order than ARM's compiler writes")
	}
	return b.Bytes(), nil
}

func (s *Shader) text(b *bytes.Buffer) {
	fmt.Fprintf(b, "  - kind: %s\n    core: %d # %v\n", map[bool]string{true: "vertex", false: "fragment"}[s.Vertex], uint32(s.Version), s.Version)
	if s.Vertex {
		fmt.Fprintf(b, "    unknown: %d\n    instructions: %d\n    attribute_prefetch: %d\n", s.Unknown0, s.Instructions, s.AttributePrefetch)
	} else {
		fb := s.FrameBuffer
		fmt.Fprintf(b, "    stack: [%d, %d] # size, offset\n    discard: %d\n", s.StackSize, s.StackOffset, s.Discards)
		fmt.Fprintf(b, "    frame_buffer: [%d, %d, %d, %d, %d, %d, %d, %d] # reads and writes color, depth, stencil; two unknown\n",
			fb.ReadsColor, fb.WritesColor, fb.ReadsDepth, fb.WritesDepth, fb.ReadsStencil, fb.WritesStencil, fb.Unknown[0], fb.Unknown[1])
	}
	for _, t := range []struct {
		key   string
		table *Table
	}{{"uniforms", s.Uniforms}, {"attributes", s.Attributes}, {"varyings", s.Varyings}} {
		if t.table == nil {
			continue
		}
		fmt.Fprintf(b, "    %s:\n", t.key)
		if t.key == "uniforms" {
			fmt.Fprintf(b, "      space: %d\n", t.table.Space)
		}
		b.WriteString("      symbols:")
		if len(t.table.Symbols) == 0 {
			b.WriteString(" []")
		}
		b.WriteString("\n")
		for i := range t.table.Symbols {
			t.table.Symbols[i].text(b, t.key == "attributes")
		}
	}
	if s.Code != nil || s.hasCode {
		b.WriteString("    code: |\n")
		at := 0
		for in := range s.Disassembly() {
			fmt.Fprintf(b, "      %s\n", hex.EncodeToString(s.Code[in.Offset:in.Offset+in.Size]))
			at = in.Offset + in.Size
		}
		if at < len(s.Code) { // no instruction
			fmt.Fprintf(b, "      %s\n", hex.EncodeToString(s.Code[at:]))
		}
	}
}

func (s *Symbol) text(b *bytes.Buffer, attribute bool) {
	fmt.Fprintf(b, "        - {name: %q, type: %d, components: %d, component_size: %d, entries: %d, source_stride: %d, destination_stride: %d, precision: %d, invariant: %d, offset: %d",
		s.Name, uint8(s.Type), s.ComponentCount, s.ComponentSize, s.EntryCount, s.SrcStride, s.DstStride, uint8(s.Precision), s.Invariant, s.Place)
	if !attribute {
		fmt.Fprintf(b, ", parent: %d", s.Parent)
	}
	fmt.Fprintf(b, ", unknown: %d", s.Unknown0)
	if x := s.Index; x != nil {
		fmt.Fprintf(b, ", index: [%d, %d, %d]", x.ITDR, x.IYUV, x.IGRD)
	}
	if s.Init != nil {
		var list []string
		for _, v := range s.Init {
			list = append(list, `"`+strconv.FormatFloat(float64(v), 'g', -1, 32)+`"`)
		}
		fmt.Fprintf(b, ", values: [%s]", strings.Join(list, ", "))
	}
	fmt.Fprintf(b, "} # %s\n", s.TypeName())
}

// ParseText reads the text of a file. Errors quote the line.
func ParseText(name string, text []byte) (*File, error) {
	doc, root, err := yamldoc.Parse(name, text)
	if err != nil {
		return nil, err
	}
	var shaders []*Shader
	for _, n := range root.Keys("a Mali shader binary", "shaders")["shaders"].List() {
		shaders = append(shaders, parseShader(n))
	}
	if err := doc.Err(); err != nil {
		return nil, err
	}
	return Parse(NewFile(shaders...).Encode())
}

const maxU32 = math.MaxUint32

func parseShader(n yamldoc.Node) *Shader {
	s := &Shader{}
	vertex := []string{"kind", "core", "unknown", "instructions", "attribute_prefetch", "uniforms", "attributes", "varyings", "code"}
	fragment := []string{"kind", "core", "stack", "discard", "frame_buffer", "uniforms", "varyings", "code"}
	var kind yamldoc.Node
	for _, f := range n.Fields() {
		if f.Key == "kind" {
			kind = f.Value
		}
	}
	if !kind.Present() {
		n.Errorf("a shader needs its kind: vertex or fragment")
		return s
	}
	s.Vertex = kind.Enum("kind of shader", "vertex", "fragment") == "vertex"
	keys := fragment
	if s.Vertex {
		keys = vertex
	}
	m := n.Keys("a shader", keys...)
	u32 := func(key string) uint32 { return uint32(m[key].Int(0, 0, maxU32)) }
	s.Version = Version(u32("core"))
	if s.Vertex {
		s.Unknown0, s.Instructions, s.AttributePrefetch = u32("unknown"), u32("instructions"), u32("attribute_prefetch")
	} else {
		if v := numbers(m["stack"], 2, maxU32); v != nil {
			s.StackSize, s.StackOffset = uint32(v[0]), uint32(v[1])
		}
		s.Discards = u32("discard")
		if v := numbers(m["frame_buffer"], 8, 255); v != nil {
			b := func(i int) uint8 { return uint8(v[i]) }
			s.FrameBuffer = FBUse{b(0), b(1), b(2), b(3), b(4), b(5), [2]uint8{b(6), b(7)}}
		}
	}
	s.Uniforms = s.parseTable(m["uniforms"], "SUNI")
	s.Attributes = s.parseTable(m["attributes"], "SATT")
	s.Varyings = s.parseTable(m["varyings"], "SVAR")
	if code := m["code"]; code.Present() {
		var err error
		if s.Code, err = hex.DecodeString(strings.Join(strings.Fields(code.Str()), "")); err != nil {
			code.Errorf("code: %v; expected hexadecimal", err)
		}
		s.hasCode = true
	}
	return s
}

// numbers reads a list of count whole numbers up to a limit, nil if it is absent or bad.
func numbers(n yamldoc.Node, count int, limit int64) []int64 {
	if !n.Present() {
		return nil
	}
	list := n.List()
	if len(list) != count {
		n.Errorf("%d numbers, expected %d", len(list), count)
		return nil
	}
	var out []int64
	for _, e := range list {
		out = append(out, e.Int(0, -1, limit))
	}
	return out
}

func (s *Shader) parseTable(n yamldoc.Node, id Ident) *Table {
	if !n.Present() {
		return nil
	}
	keys := []string{"symbols"}
	if id == "SUNI" {
		keys = append(keys, "space")
	}
	m := n.Keys("a table", keys...)
	t := &Table{Storage: s.storage(id), Space: uint32(m["space"].Int(0, 0, maxU32))}
	for _, e := range m["symbols"].List() {
		t.Symbols = append(t.Symbols, parseSymbol(e, id))
	}
	return t
}

func parseSymbol(n yamldoc.Node, id Ident) Symbol {
	keys := []string{"name", "type", "components", "component_size", "entries", "source_stride", "destination_stride", "precision", "invariant", "offset", "unknown"}
	limit := int64(0xFFFF)
	if id != "SATT" {
		keys, limit = append(keys, "parent"), maxU32
	}
	if id == "SUNI" {
		keys = append(keys, "index", "values")
	}
	m := n.Keys("a symbol", keys...)
	u16 := func(key string, def int64) uint16 { return uint16(m[key].Int(def, 0, 0xFFFF)) }
	u8 := func(key string, def int64) uint8 { return uint8(m[key].Int(def, 0, 255)) }
	s := Symbol{Name: m["name"].Str(), Type: Type(u8("type", 0)), ComponentCount: u16("components", 1), ComponentSize: u16("component_size", 0),
		EntryCount: u16("entries", 0), SrcStride: u16("source_stride", 0), DstStride: u8("destination_stride", 16), Precision: Precision(u8("precision", 3)),
		Invariant: uint32(m["invariant"].Int(0, 0, limit)), Place: u16("offset", 0), Parent: u16("parent", NoParent), Unknown0: u8("unknown", 0)}
	if strings.ContainsRune(s.Name, 0) {
		m["name"].Errorf("a name cannot hold a zero byte")
	}
	if v := numbers(m["index"], 3, math.MaxInt32); v != nil {
		s.Index = &Index{int32(v[0]), int32(v[1]), int32(v[2])}
	}
	if values := m["values"]; values.Present() {
		s.Init = []float32{}
		for _, e := range values.List() {
			v, err := strconv.ParseFloat(e.Text(), 32)
			if err != nil {
				e.Errorf("%q is not a number", e.Text())
			}
			s.Init = append(s.Init, float32(v))
		}
	}
	return s
}

// Layout returns every symbol of every table its place (see Table.Layout) and writes the
// chunks anew.
func (f *File) Layout() error {
	for _, s := range f.Shaders {
		for _, t := range []*Table{s.Uniforms, s.Attributes, s.Varyings} {
			if t != nil {
				if err := t.Layout(); err != nil {
					return err
				}
			}
		}
	}
	f.Root = NewFile(f.Shaders...).Root
	return nil
}
