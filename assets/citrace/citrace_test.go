package citrace

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/tests/testkit"
)

func sample(t testing.TB, layout Layout) []byte {
	b := &Builder{Layout: layout}
	b.Initial[PICARegisters] = make([]uint32, 0x300)
	b.Initial[PICARegisters][0x20] = 0x12345678
	b.Load(0x20000000, []byte("contents of memory"))
	b.Write(0x10400010, 0x03000000)
	b.Load(0x20001000, []byte("contents of memory"))
	if layout == Tagged {
		b.WriteWidth(0x1EF00014, 2, 0xBEEF)
		b.WriteWidth(0x1EF00018, 8, 1<<40)
	}
	b.EndFrame()
	data := testkit.Must(b.Encode())(t)
	return data
}

func TestDirectAndTaggedLayouts(t *testing.T) {
	for _, layout := range []Layout{Direct, Tagged} {
		data := sample(t, layout)
		tr := testkit.Must(Parse(data))(t)
		require.Equal(t, layout, tr.Layout)
		require.Zero(t, tr.Findings.Problems(), "%v", tr.Findings)
		require.Equal(t, uint32(0x12345678), tr.Initial[PICARegisters][0x20])
		require.Equal(t, 1, tr.Frames())
		require.Equal(t, "contents of memory", string(tr.Payload(tr.Elements[0])))
		require.Equal(t, tr.Elements[0].Offset, tr.Elements[2].Offset, "equal contents are stored once")
		require.Equal(t, Element{Type: RegisterWrite, Width: 4, Address: 0x10400010, Value: 0x03000000}, tr.Elements[1])
		if layout == Tagged {
			require.Equal(t, Element{Type: RegisterWrite, Width: 2, Address: 0x10400014, Value: 0xBEEF}, tr.Elements[3])
			require.Equal(t, Element{Type: RegisterWrite, Width: 8, Address: 0x10400018, Value: 1 << 40}, tr.Elements[4])
		}
		again := testkit.Must(tr.builder().Encode())(t)
		if layout == Direct {
			require.Equal(t, data, again)
		}
	}
}

// A write whose value looks like a size tag keeps its meaning if other writes determine the layout.
func TestDirectValueThatLooksLikeATag(t *testing.T) {
	b := &Builder{}
	for i := range 16 {
		b.Write(0x10400000, uint32(i))
	}
	b.Write(0x10400000, 0xD3)
	data := testkit.Must(b.Encode())(t)
	tr := testkit.Must(Parse(data))(t)
	require.Equal(t, Direct, tr.Layout)
	require.Equal(t, uint64(0xD3), tr.Elements[16].Value)
}

func TestSizesInBytesInsteadOfWords(t *testing.T) {
	data := sample(t, Tagged)
	le := binary.LittleEndian
	le.PutUint32(data[12+8*int(PICARegisters)+4:], 0xC00)
	stream := 12 + 8*int(NumBlocks)
	le.PutUint32(data[stream+4:], le.Uint32(data[stream+4:])*ElementSize)
	tr := testkit.Must(Parse(data))(t)
	require.Len(t, tr.Initial[PICARegisters], 0x300)
	require.Len(t, tr.Elements, 6)
	require.Equal(t, 2, tr.Findings.Problems(), "%v", tr.Findings)
}

func TestBadFiles(t *testing.T) {
	le := binary.LittleEndian
	stream := 12 + 8*int(NumBlocks)
	for _, c := range []struct {
		name string
		harm func([]byte) []byte
		want string
	}{
		{"empty", func(d []byte) []byte { return nil }, "magic"},
		{"header cut", func(d []byte) []byte { return d[:50] }, "inside the header"},
		{"version", func(d []byte) []byte { d[4] = 2; return d }, "version 2"},
		{"stream cut", func(d []byte) []byte { return d[:len(d)-1] }, "cut short"},
		{"stream outside", func(d []byte) []byte { le.PutUint32(d[stream:], 1<<31); return d }, "outside the file"},
		{"element type", func(d []byte) []byte { d[len(d)-20] = 7; return d }, "element 3: type 0x7"},
		{"load outside", func(d []byte) []byte { le.PutUint32(d[len(d)-76:], 1<<30); return d }, "element 0: memory load"},
	} {
		_, err := Parse(c.harm(sample(t, Direct)))
		require.ErrorIs(t, err, ErrFormat, c.name)
		require.ErrorContains(t, err, c.want, c.name)
	}
}

// Oddities of a stream are reported at their offsets.
func TestStreamFindings(t *testing.T) {
	type finding struct {
		offset int64
		text   string
	}
	head := int64(header.Size)
	for name, c := range map[string]struct {
		build func(b *Builder)
		want  []finding // offsets from the start of the stream
	}{
		"nothing": {func(b *Builder) {
			b.Write(0x10401FFC, 1)
			b.Write(0x10202000, 1)
			b.Write(0x10400000, 1)
			b.Write(0x10202FFC, 1)
			b.EndFrame()
		}, nil},
		"other registers": {func(b *Builder) {
			b.Write(0x10402000, 1)
			b.Write(0x10203000, 1)
			b.Write(0x10201FFC, 1)
			b.Write(0x103FFFFC, 1)
			b.EndFrame()
		},
			[]finding{{0, "register write to 0x10402000"}, {0, "4 register writes outside"}}},
		"one other":  {func(b *Builder) { b.EndFrame(); b.Write(0x10402000, 1); b.EndFrame() }, []finding{{1, "register write to 0x10402000"}}},
		"no frame":   {func(b *Builder) { b.Write(0x10400000, 1) }, []finding{{0, "no frame marker"}}},
		"half frame": {func(b *Builder) { b.EndFrame(); b.EndFrame(); b.Write(0x10400000, 1) }, []finding{{2, "elements follow the last frame marker"}}},
		"not aligned": {func(b *Builder) {
			b.WriteWidth(0x10400002, 2, 1)
			b.WriteWidth(0x10400001, 2, 1)
			b.WriteWidth(0x10400004, 8, 1)
			b.EndFrame()
		},
			[]finding{{1, "write of 2 bytes to 0x10400001"}, {2, "write of 8 bytes to 0x10400004"}}},
	} {
		b := &Builder{Layout: Tagged}
		c.build(b)
		data := testkit.Must(b.Encode())(t)
		tr := testkit.Must(Parse(data))(t)
		tr.Findings = tr.Findings[2:] // without those about the missing state
		require.Len(t, tr.Findings, len(c.want), "%s: %v", name, tr.Findings)
		for i, f := range c.want {
			require.Equal(t, int64(tr.StreamOffset)+f.offset*ElementSize, tr.Findings[i].Offset, name)
			require.Contains(t, tr.Findings[i].String(), f.text, name)
		}
	}
	// A load with contents in the head, or in the stream.
	b := &Builder{}
	b.Load(0x20000000, []byte("12345678"))
	b.EndFrame()
	data := testkit.Must(b.Encode())(t)
	tr := testkit.Must(Parse(data))(t)
	stream := int64(tr.StreamOffset)
	end := stream + 2*ElementSize
	at := tr.Elements[0].Offset
	for _, c := range []struct {
		offset, size int64
		want         string
	}{{head, 8, ""}, {head - 1, 8, "from the file's head"}, {0, 0, ""}, {stream - 8, 8, ""}, {stream - 7, 8, "from the stream itself"}, {end - 1, 1, "from the stream itself"}, {end, 0, ""}} {
		tr := testkit.Must(Parse(data))(t)
		tr.Elements[0].Offset, tr.Elements[0].Size = uint32(c.offset), uint32(c.size)
		tr.Findings = nil
		tr.checkStream()
		if c.want == "" {
			require.Empty(t, tr.Findings, "%+v", c)
			continue
		}
		require.Len(t, tr.Findings, 1, "%+v", c)
		require.Contains(t, tr.Findings[0].String(), c.want)
		require.Equal(t, stream, tr.Findings[0].Offset)
	}
	require.Equal(t, uint32(head), at)
	// Bytes after the stream are noted unless a load uses them.
	for from, want := range map[int64]string{head: "8 bytes follow the stream", end - 1: "8 bytes follow the stream", end: ""} {
		long := append(bytes.Clone(data), "87654321"...)
		binary.LittleEndian.PutUint32(long[stream+4:], uint32(from))
		tr := testkit.Must(Parse(long))(t)
		require.Equal(t, want != "", strings.Contains(fmt.Sprint(tr.Findings), "follow the stream"), "%x: %v", from, tr.Findings)
	}
	binary.LittleEndian.PutUint32(data[8:], uint32(header.Size)+4)
	tr = testkit.Must(Parse(data))(t)
	require.Contains(t, tr.Findings[0].String(), "header size is")
	require.Equal(t, "block 10", NumBlocks.String())
	require.Equal(t, "block -1", Block(-1).String())
	require.Equal(t, "gs_float_uniforms", (NumBlocks - 1).String())
}

func TestOverlappingBlocksAreReported(t *testing.T) {
	b := &Builder{}
	b.Initial[PICARegisters] = make([]uint32, 0x300)
	b.Initial[VSSwizzle] = make([]uint32, 128)
	data := testkit.Must(b.Encode())(t)
	le := binary.LittleEndian
	le.PutUint32(data[12+8*int(VSSwizzle):], le.Uint32(data[12+8*int(PICARegisters):])+4)
	tr := testkit.Must(Parse(data))(t)
	require.Positive(t, tr.Findings.Problems())
}

// marked is a block of internal registers as the system leaves them.
func marked() []uint32 {
	regs := make([]uint32, 0x300)
	regs[0x020], regs[0x041] = 0x12345678, 7
	return regs
}

func TestExchangedBlocksAreRepaired(t *testing.T) {
	b := &Builder{}
	b.Initial[LCDRegisters] = make([]uint32, 0x400)
	b.Initial[LCDRegisters][2] = 5
	b.Initial[PICARegisters] = marked()
	b.EndFrame()
	data := testkit.Must(b.Encode())(t)
	right := testkit.Must(Parse(data))(t)
	require.Zero(t, right.Findings.Problems())
	lcd, regs := 4*0x400, 4*0x300
	at := header.Size
	blocks := append([]byte(nil), data[at:at+lcd+regs]...)
	copy(data[at:], blocks[lcd:])
	copy(data[at+regs:], blocks[:lcd])
	got := testkit.Must(Parse(data))(t)
	require.Equal(t, right.Initial, got.Initial)
	require.Equal(t, 1, got.Findings.Problems())
	require.Contains(t, got.Findings[0].String(), "other order")
	require.EqualValues(t, 12+8*int64(LCDRegisters), got.Findings[0].Offset, "the finding's offset is that of the block in the header")
}

// What Azahar's button saves: sizes in bytes in place of words, an uninitialised size, the header and one block of the state.
func TestIncompleteAzaharTrace(t *testing.T) {
	le := binary.LittleEndian
	data := make([]byte, header.Size, header.Size+4*4*0x300)
	copy(data, Magic)
	le.PutUint32(data[4:], version)
	le.PutUint32(data[8:], uint32(header.Size))
	at := uint32(header.Size)
	for b, words := range [NumBlocks]uint32{0, 4 * 0x400, 4 * 0x300, 4 * 64, 4 * 4096, 4 * 128, 4 * 384} {
		le.PutUint32(data[12+8*b:], at)
		le.PutUint32(data[12+8*b+4:], words)
		at += 4 * words
	}
	le.PutUint32(data[12:], 0xCCCCCCCC)
	le.PutUint32(data[12+8*int(NumBlocks):], at)
	for _, w := range append(marked(), make([]uint32, 3*0x300)...) {
		data = le.AppendUint32(data, w)
	}
	tr := testkit.Must(Parse(data))(t)
	require.Empty(t, tr.Elements)
	require.Positive(t, tr.Findings.Problems())
	text := ""
	for _, f := range tr.Findings {
		text += f.String() + "\n"
	}
	require.Contains(t, text, "the recorder ended in the middle")
}

// The project's traces and recorded ones parse without problems and are written back unchanged.
func TestRecordedTracesRoundTrip(t *testing.T) {
	for _, file := range testkit.Traces(t) {
		name, data := file.Name, file.Read(t)
		tr := testkit.Must(Parse(data))(t, name)
		require.Zero(t, tr.Findings.Problems(), "%s: %v", name, tr.Findings)
		require.Equal(t, Direct, tr.Layout)
		require.Contains(t, []int{0, 0x300}, len(tr.Initial[PICARegisters]), "an initial register block is complete or absent")
		require.NotZero(t, tr.Frames())
		again := testkit.Must(tr.builder().Encode())(t)
		require.Equal(t, len(data), len(again), name)
		require.True(t, string(data) == string(again), "%s differs after writing", name)
	}
}

func FuzzTrace(f *testing.F) {
	f.Add(sample(f, Direct))
	f.Add(sample(f, Tagged))
	f.Add([]byte(Magic))
	small := &Builder{Layout: Tagged} // most fuzzing starts here
	small.Initial[GPURegisters] = []uint32{1, 2, 3}
	small.Initial[VSFloatUniforms] = []uint32{1 << 24}
	small.Load(0x18000000, []byte{1, 2, 3, 4, 5})
	small.WriteWidth(0x10202204, 1, 7)
	small.EndFrame()
	data := testkit.Must(small.Encode())(f)
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		tr, err := Parse(data)
		if err != nil {
			require.ErrorIs(t, err, ErrFormat)
			return
		}
		for _, e := range tr.Elements {
			require.Len(t, tr.Payload(e), int(e.Size))
		}
		out := testkit.Must(tr.builder().Encode())(t)
		back := testkit.Must(Parse(out))(t)
		require.Equal(t, len(tr.Elements), len(back.Elements))
		require.Equal(t, tr.Initial, back.Initial)
	})
}

// builder returns a Builder with the contents of t, in t's layout (Tagged if t
// is Mixed, since that can express both). Memory contents are kept in one
// piece, so that loads that share bytes still do.
func (t *Trace) builder() *Builder {
	b := &Builder{Initial: t.Initial, Layout: t.Layout}
	if b.Layout == Mixed {
		b.Layout = Tagged
	}
	first, end := uint32(math.MaxUint32), uint32(0)
	for i := range t.Elements {
		if e := &t.Elements[i]; e.Type == MemoryLoad && e.Size > 0 {
			first = min(first, e.Offset)
			end = max(end, e.Offset+e.Size)
		}
	}
	if first < end {
		b.payload = append(b.payload, t.data[first:end]...)
	}
	b.elements = append(b.elements, t.Elements...)
	for i := range b.elements {
		if e := &b.elements[i]; e.Type == MemoryLoad {
			if e.Size == 0 {
				e.Offset = first // anywhere will do
			}
			if first < end {
				e.Offset -= first
			} else {
				e.Offset = 0
			}
		}
	}
	return b
}

// Command lists of real programs are unchanged when their commands are written again.
func TestCommandListsRoundTrip(t *testing.T) {
	lists := 0
	for _, file := range testkit.Traces(t) {
		name, data := file.Name, file.Read(t)
		tr := testkit.Must(Parse(data))(t)
		finder := newListFinder(tr)
		for i := range tr.Elements {
			l, _ := finder.write(i)
			for _, p := range l.pieces {
				var again []uint32
				r := pica.ReadCommands(p.words)
				for c, ok := r.Next(); ok; c, ok = r.Next() {
					again = c.Append(again)
				}
				require.NoError(t, r.Err(), name)
				require.True(t, slices.Equal(p.words, again), "%s: the list at 0x%x", name, p.addr)
				lists++
			}
		}
	}
	t.Logf("%d lists", lists)
	require.GreaterOrEqual(t, lists, 6, "one list for each frame of our own traces")
}

// Golden file: findings and contents of recordings with one damaged position.
func TestDamagedFileFindings(t *testing.T) {
	look := testkit.Look(Parse, func(tr *Trace) ([]string, string) {
		sentences := testkit.Sentences(tr.Findings)
		tr.Findings, tr.data = nil, nil
		return sentences, fmt.Sprint(tr.Frames(), testkit.Dump(tr))
	})
	text := ""
	for _, layout := range []Layout{Direct, Tagged} {
		b := &Builder{Layout: layout}
		b.Initial[GPURegisters] = []uint32{1, 2, 3}
		b.Initial[LCDRegisters] = []uint32{4, 5}
		b.Initial[PICARegisters] = []uint32{6, 7, 8, 9}
		b.Initial[VSFloatUniforms] = []uint32{0x3F800000, 1 << 24}
		b.Load(0x18000000, []byte{1, 2, 3, 4, 5})
		if layout == Tagged {
			b.WriteWidth(0x10202204, 1, 7)
			b.WriteWidth(0x10400010, 8, 1<<40)
		}
		b.Write(0x10401000, 9)
		b.EndFrame()
		b.Load(0x18000000, []byte{1, 2, 3, 4, 5})
		b.Load(0x18001000, []byte{1, 2, 3})
		b.EndFrame()
		data := testkit.Must(b.Encode())(t)
		sentences, found := look(data)
		text += fmt.Sprintf("%v: %d bytes: %x\n%q\n%s\n", layout, len(data), data, sentences, found)
		text += testkit.Damage(data, 0, len(data), 4, look)
	}
	testkit.Golden(t, "testdata/damage.txt", []byte(text))
}
