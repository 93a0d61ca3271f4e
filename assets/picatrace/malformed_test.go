package picatrace

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/citrace"
	"pica200/assets/tree"
	"pica200/pica"
	"pica200/tests/testkit"
)

func words(list ...uint32) (b []byte) {
	for _, w := range list {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}

func pieceOf(data string) []byte {
	h := hashOf([]byte(data))
	return append(words(uint32(h[0]), uint32(h[0]>>32), uint32(h[1]), uint32(h[1]>>32), uint32(len(data)), 0), data...)
}

func damaged(c []byte) []byte {
	c[len(c)-1] ^= 1
	return c
}

// Oddities of a file are reported with their offset, and the rest is read.
func TestOddFilesAreReported(t *testing.T) {
	raw := func(kind chunkType, data ...[]byte) []byte {
		all := bytes.Join(data, nil)
		return chunk(kind, codecRaw, len(all), all)
	}
	frame := raw(chunkFrame)
	state := words(uint32(GasTable), 1, 5)
	for _, c := range []struct {
		chunks [][]byte
		want   string // findings, or the error
	}{
		{[][]byte{raw(chunkState, state), frame}, ""},
		{[][]byte{frame}, "note at 0x10: no state: the recording begins as the system starts a program\n"},
		{[][]byte{raw(chunkState, state)}, "problem at 0x10: no frame\n"},
		{[][]byte{raw(chunkState, state), raw(chunkState, words(uint32(GasTable), 1, 6)), frame}, "problem at 0x3c: a second state; the first counts\n"},
		{[][]byte{raw(chunkState, state), raw(chunkShown, words(0, 1, 1, 0), []byte("rgb")), frame}, "problem at 0x3c: a picture before the first frame; left out\n"},
		{[][]byte{raw(chunkState, state), raw(chunkType{'W', 'H', 'A', 'T'}), frame}, "note at 0x3c: a chunk \"WHAT\" is not known here; left out\n"},
		{[][]byte{raw(chunkMeta, []byte("title: a: b\ncolour: red\nfcram: much\n")), raw(chunkState, state), frame},
			"note at 0x10: \"colour\" of the description is not known here\nproblem at 0x10: fcram is \"much\", not a number of bytes\n"},
		{[][]byte{raw(chunkState, state, words(20, 1, 5), words(0, 0)), frame}, "note at 0x3c: block 20 of the state is not known here; left out\nnote at 0x48: block 0 of the state is not known here; left out\n"},
		{[][]byte{raw(chunkState, state, words(uint32(GasTable), 1, 6)), frame}, "problem at 0x3c: gas table appears twice; the first counts\n"},
		{[][]byte{raw(chunkState, words(uint32(FogTable), 0), state, words(19, 791), make([]byte, 4*791)), frame}, "problem at 0x44: unfinished primitives: 791 words, but the hardware has 790; the rest is left out\n"},
		{[][]byte{raw(chunkState, state, []byte{1, 2, 3}), frame}, "not a valid picatrace file: offset 0x3c: 3 bytes after the last block of the state"},
		{[][]byte{raw(chunkState, state, words(uint32(FogTable), 3, 0, 0)), frame}, "not a valid picatrace file: offset 0x3c: fog table has 3 words, more than the chunk"},
		{[][]byte{raw(chunkState, state), raw(chunkPieces, []byte("lost")), frame}, "problem at 0x10: no frame\nproblem at 0x3c: not a valid picatrace file: offset 0x5c: 4 bytes after the last piece of memory; the recording is read up to here\n"},
		{[][]byte{raw(chunkState, state), raw(chunkPieces, pieceOf("ab"), []byte("lost")), frame}, "problem at 0x10: no frame\nproblem at 0x3c: not a valid picatrace file: offset 0x76: 4 bytes after the last piece of memory; the recording is read up to here\n"},
		{[][]byte{raw(chunkState, state), frame, frame[:20]}, "problem at 0x5c: not a valid picatrace file: offset 0x5c: the file ends inside the header of a chunk; the recording is read up to here\n"},
		{[][]byte{raw(chunkState, state), frame, raw(chunkFrame, make([]byte, 32))[:40]}, "problem at 0x5c: not a valid picatrace file: offset 0x5c: the file ends inside a chunk \"FRAM\" of 32 bytes; the recording is read up to here\n"},
		{[][]byte{raw(chunkState, state), frame, chunk(chunkFrame, codecRaw, 64, make([]byte, 32))}, "problem at 0x5c: not a valid picatrace file: offset 0x5c: an unpacked chunk \"FRAM\" of 32 bytes says that it holds 64; the recording is read up to here\n"},
		{[][]byte{raw(chunkMeta, []byte("fcram: 4294967296\n")), raw(chunkState, state), frame}, "problem at 0x10: fcram is \"4294967296\", not a number of bytes\n"},
		{[][]byte{raw(chunkState, state), damaged(raw(chunkPieces, pieceOf("ab"))), frame}, "problem at 0x10: no frame\nproblem at 0x3c: not a valid picatrace file: offset 0x3c: chunk \"PAGE\" is damaged: its checksum differs; the recording is read up to here\n"},
		{[][]byte{raw(chunkState, state), frame, chunk(chunkFrame, codecZstd, maxChunk+1, nil)}, "problem at 0x5c: not a valid picatrace file: offset 0x5c: a chunk \"FRAM\" of 67108865 bytes unpacked; 67108864 are possible; the recording is read up to here\n"},
		{[][]byte{raw(chunkState, state), chunk(chunkFrame, codecZstd, maxChunk, nil)}, ""},
	} {
		got := ""
		tr, err := Parse(file(c.chunks...))
		if err != nil {
			got = err.Error()
		} else {
			tr.Findings.Sort()
			for _, f := range tr.Findings {
				got += fmt.Sprintf("%v at 0x%x: %s\n", f.Level, f.Offset, f.Message)
			}
			if len(tr.Initial) > 0 {
				require.Equal(t, []uint32{5}, tr.Initial[GasTable], c.want)
			}
		}
		require.Equal(t, c.want, got)
	}
	tr := testkit.Must(Parse(file(raw(chunkMeta, []byte("title: a: b\ncomment: c\nproducer: p\nversion: v\nfcram: 7\n")), frame)))(t)
	require.Equal(t, Meta{"p", "v", "a: b", 7, "c"}, tr.Meta)
}

// Kinds and blocks have names; unknown ones show their number.
func TestKindAndBlockNames(t *testing.T) {
	seen := map[string]bool{"": true}
	for k := Load; k < kindEnd; k++ {
		require.False(t, seen[k.String()], "%d", k)
		seen[k.String()] = true
		require.NotContains(t, k.String(), "event")
	}
	require.Equal(t, []string{"event 0", "event 8"}, []string{Kind(0).String(), kindEnd.String()})
	require.Len(t, Blocks(), 19)
	for _, b := range Blocks() {
		require.False(t, seen[b.String()], "%d", b)
		seen[b.String()] = true
		require.NotContains(t, b.String(), "block")
		require.Positive(t, b.Words())
	}
	require.Equal(t, []string{"block 0", "block 20"}, []string{Block(0).String(), blockEnd.String()})
	require.Equal(t, []int{0, 0}, []int{Block(0).Words(), blockEnd.Words()})
	bad := Event{Kind: Screen, Words: [7]uint32{0x302}}
	require.EqualError(t, bad.Check(), "screen 2; there are 0 (top) and 1 (bottom)")
	require.True(t, IsTrace([]byte(Magic)))
	require.True(t, IsTrace([]byte(citrace.Magic)))
	require.False(t, IsTrace([]byte("PICATRAX")))
}

// Limits of chunks, frames and pictures are exact.
func TestWriterLimits(t *testing.T) {
	w := testkit.Must(NewWriter(io.Discard, Meta{}, nil, WriterOptions{Raw: true}))(t)
	w.chunk(chunkMeta, make([]byte, maxChunk), 0)
	require.NoError(t, w.err)
	w.events = make([]byte, (maxEvents-1)*eventSize, maxEvents*eventSize)
	require.NoError(t, w.Add(RegisterWrite(0, 4, 1)))
	require.EqualError(t, w.Add(RegisterWrite(0, 4, 1)), "picatrace: frame 0 has more than 2097152 events")
	w.err = nil
	w.chunk(chunkMeta, make([]byte, maxChunk+1), 0)
	require.EqualError(t, w.err, `picatrace: a chunk "META" of 67108865 bytes; 67108864 are possible`)
	for _, c := range []struct {
		s  Shown
		ok bool
	}{
		{Shown{0, 1, 4096, make([]byte, 3*4096)}, true}, {Shown{2, 4096, 1, make([]byte, 3*4096)}, true},
		{Shown{-1, 1, 1, make([]byte, 3)}, false}, {Shown{3, 1, 1, make([]byte, 3)}, false}, {Shown{0, 0, 1, nil}, false}, {Shown{0, 1, 0, nil}, false},
		{Shown{0, 4096, 4096, make([]byte, 3<<24)}, true}, {Shown{0, 4097, 1, make([]byte, 3*4097)}, false}, {Shown{0, 1, 4097, make([]byte, 3*4097)}, false}, {Shown{0, 2, 2, make([]byte, 13)}, false}, {Shown{0, 2, 2, make([]byte, 11)}, false},
	} {
		require.Equal(t, c.ok, c.s.check() == nil, "%d: %dx%d", c.s.Screen, c.s.Width, c.s.Height)
	}
}

// The register writes for tables in a CiTrace fill the tables and restore the registers that they use.
func TestCiTraceTableWrites(t *testing.T) {
	tr := testkit.Must(Parse(sample(t, WriterOptions{})))(t)
	tables := map[pica.Reg]map[uint32]uint32{} // by index register: the value at each index
	at, data := map[pica.Reg]uint32{}, map[pica.Reg]pica.Reg{pica.RegLightingLutData0: pica.RegLightingLutIndex, pica.RegFogLutData0: pica.RegFogLutIndex, pica.RegGasLutData: pica.RegGasLutIndex, pica.RegProctexLutData0: pica.RegProctexLut}
	for _, w := range tr.tableWrites() {
		reg := pica.Reg((w.Addr - pica.ExtInternal) / 4)
		if index, ok := data[reg]; ok {
			if tables[index] == nil {
				tables[index] = map[uint32]uint32{}
			}
			tables[index][at[index]] = w.Value
			at[index]++
		} else {
			at[reg] = w.Value
		}
	}
	want := map[pica.Reg]map[uint32]uint32{}
	for b, place := range map[Block]struct {
		reg   pica.Reg
		table uint32
	}{LightingTables: {pica.RegLightingLutIndex, 0}, FogTable: {pica.RegFogLutIndex, 0}, GasTable: {pica.RegGasLutIndex, 0}, ProctexNoise: {pica.RegProctexLut, 0},
		ProctexRGBMap: {pica.RegProctexLut, 2}, ProctexAlphaMap: {pica.RegProctexLut, 3}, ProctexColors: {pica.RegProctexLut, 4}, ProctexColorDiffs: {pica.RegProctexLut, 5}} {
		if want[place.reg] == nil {
			want[place.reg] = map[uint32]uint32{}
		}
		for i, w := range tr.Initial[b] {
			want[place.reg][place.table<<8+uint32(i)] = w
		}
	}
	require.Equal(t, want, tables)
	for reg, last := range at {
		require.Equal(t, tr.Initial[InternalRegisters][reg], last, "%v", reg)
	}
	tr.Initial[InternalRegisters] = nil
	tr.Initial[LightingTables] = nil
	for _, w := range tr.tableWrites() {
		require.NotEqual(t, pica.ExtInternal+4*uint32(pica.RegLightingLutIndex), w.Addr)
	}
}

// A frame whose memory is not where the index says is an error with the offset.
func TestMissingPieces(t *testing.T) {
	load := Event{Kind: Load, Words: [7]uint32{pica.FCRAMBase, 0}}
	good, lost := pieceOf("abcdefgh"), append(pieceOf("abcd"), "lost"...)
	for _, c := range []struct {
		pieces indexEntry
		memory []byte
		want   string
	}{
		{indexEntry{chunkPieces, headerSize, 1}, good, ""},
		{indexEntry{chunkPieces, headerSize, 2}, good, "offset 0x10: 1 pieces of memory; the index says 2"},
		{indexEntry{chunkPieces, headerSize + chunkSize + 32, 1}, good, "offset 0x50: chunk \"FRAM\" holds no memory"},
		{indexEntry{chunkFrame, headerSize, 1}, good, "offset 0x10: chunk \"PAGE\" of 32 bytes is not a frame"},
		{indexEntry{chunkPieces, headerSize, 0}, good, "piece 0 of memory is not in the file, or comes after the frame"},
		{indexEntry{chunkPieces, headerSize, 1}, lost, "offset 0x4c: 4 bytes after the last piece of memory"},
	} {
		begin := file(chunk(chunkPieces, codecRaw, 32, c.memory), chunk(chunkFrame, codecRaw, eventSize, load.append(nil)))
		index := c.pieces.append(nil)
		if c.pieces.at == headerSize && c.pieces.kind == chunkPieces {
			frame := indexEntry{chunkFrame, headerSize + chunkSize + 32, 1}
			index = frame.append(index)
		}
		data := append(bytes.Clone(begin), chunk(chunkIndex, codecRaw, len(index), index)...)
		data = append(binary.LittleEndian.AppendUint64(data, uint64(len(begin))), trailerMagic...)
		tr := testkit.Must(Parse(data))(t)
		if tr.Frames() == 0 {
			tr.frames = []frameRef{{at: int64(c.pieces.at)}}
		}
		f, err := tr.Frame(0)
		if c.want == "" {
			require.NoError(t, err)
			require.Equal(t, "abcdefgh", string(f.Events[0].Data))
			continue
		}
		require.ErrorContains(t, err, c.want)
	}
	// Piece numbers have 32 bits.
	var tr Trace
	all := make([]indexEntry, 1<<20)
	for i := range all {
		all[i] = indexEntry{chunkPieces, uint64(i), maxPieces}
	}
	all[0].count--
	require.NoError(t, tr.arrange(all))
	all[0].count++
	require.ErrorContains(t, tr.arrange(all), "a chunk of 4096 pieces")
	require.ErrorContains(t, tr.arrange([]indexEntry{{chunkPieces, 16, maxPieces + 1}}), "offset 0x10: a chunk of 4097 pieces; 4096 are possible")
}

// CopyFrame copies all pictures of a frame; a damaged one is an error.
func TestCopyFrame(t *testing.T) {
	whole := func() (*Writer, *bytes.Buffer) {
		var out bytes.Buffer
		w := testkit.Must(NewWriter(&out, Meta{}, nil, WriterOptions{Raw: true}))(t)
		return w, &out
	}
	w, out := whole()
	require.NoError(t, w.Load(pica.VRAMBase, []byte("memory")))
	require.NoError(t, w.EndFrame())
	for screen := range 3 {
		require.NoError(t, w.Shown(Shown{screen, 1, 1, []byte{1, 2, byte(screen)}}))
	}
	require.NoError(t, w.Close())
	data := out.Bytes()
	tr := testkit.Must(Parse(data))(t)
	require.Equal(t, data, write(t, tr, WriterOptions{Raw: true}))
	for what, at := range map[string]int64{"PAGE": tr.chunks[0].at, "FRAM": tr.frames[0].at, "SHOW": tr.shown[1]} {
		harmed := bytes.Clone(data)
		harmed[at+chunkSize] ^= 1
		bad := testkit.Must(Parse(harmed))(t)
		w, _ := whole()
		require.ErrorContains(t, w.CopyFrame(bad, 0), what)
	}
	w, _ = whole()
	require.ErrorContains(t, w.CopyFrame(&Trace{frames: []frameRef{{loaded: &Frame{Events: []Event{{Kind: 40}}}}}}, 0), "unknown kind 40")
	_, err := NewWriter(io.Discard, Meta{}, nil, WriterOptions{Level: 99})
	require.ErrorContains(t, err, "picatrace: ")
	for _, bad := range []Block{0, blockEnd} {
		_, err := NewWriter(io.Discard, Meta{}, State{bad: {1}}, WriterOptions{})
		require.ErrorContains(t, err, "blocks are 1 to 19")
	}
	require.Empty(t, (&Meta{}).encode())
}

// A CiTrace without markers is one frame; elements after the last marker are dropped.
func TestCiTraceFrames(t *testing.T) {
	for _, c := range []struct {
		marked, more int
		want         []int
		note         string
	}{{0, 0, []int{0}, ""}, {0, 3, []int{3}, ""}, {2, 0, []int{2}, ""}, {2, 1, []int{2}, "1 elements after the last frame marker: the recording ends in the middle of a frame, which is left out"}} {
		b := citrace.Builder{Layout: citrace.Tagged}
		for range c.marked {
			b.Write(pica.ExtTransferStart, 1)
		}
		if c.marked > 0 {
			b.EndFrame()
		}
		for i := range c.more {
			b.Write(pica.ExtTransferStart, uint32(i))
		}
		data := testkit.Must(b.Encode())(t)
		tr := testkit.Must(Parse(data))(t)
		var events []int
		for i := range tr.Frames() {
			f := testkit.Must(tr.Frame(i))(t)
			events = append(events, len(f.Events))
		}
		require.Equal(t, c.want, events)
		at := slices.IndexFunc(tr.Findings, func(f tree.Finding) bool { return strings.Contains(f.Message, "after the last") })
		if require.Equal(t, c.note != "", at >= 0); at >= 0 {
			require.Equal(t, c.note, tr.Findings[at].Message)
			require.Contains(t, string(data[tr.Findings[at].Offset:][:16]), string(words(pica.ExtTransferStart)), "the offset is that of the first dropped element")
		}
	}
}

// Chunks are compressed only if that makes them smaller, and store their size; copying a truncated file fails.
func TestCompressedChunks(t *testing.T) {
	noise := make([]byte, PageSize)
	var out bytes.Buffer
	w := testkit.Must(NewWriter(&out, Meta{}, nil, WriterOptions{}))(t)
	sum := sha256.Sum256(noise)
	for at := 0; at < PageSize; at += len(sum) { // incompressible data
		copy(noise[at:], sum[:])
		sum = sha256.Sum256(sum[:])
	}
	require.NoError(t, w.Load(pica.VRAMBase, noise))
	require.NoError(t, w.EndFrame())
	require.NoError(t, w.Load(pica.VRAMBase, make([]byte, PageSize)))
	require.NoError(t, w.Shown(Shown{0, 1, 1, []byte("rgb")}))
	require.NoError(t, w.Close())
	tr := testkit.Must(Parse(out.Bytes()))(t)
	for i, want := range []codec{codecRaw, codecZstd} {
		h := testkit.Must(tr.readHeader(tr.chunks[i].at))(t)
		require.Equal(t, want, h.codec)
		if want == codecZstd {
			harmed := bytes.Clone(out.Bytes())
			harmed[tr.chunks[i].at+16]++ // a byte of its data
			bad := testkit.Must(Parse(harmed))(t)
			_, err := bad.Frame(1)
			require.ErrorContains(t, err, "cannot be unpacked to 4121 bytes")
		}
	}
	raw := write(t, tr, WriterOptions{Raw: true})
	again := testkit.Must(Parse(raw))(t)
	begin := int(again.chunks[0].at)
	for n := begin; n < begin+2*PageSize; n += 61 {
		w := testkit.Must(NewWriter(&short{n}, Meta{}, nil, WriterOptions{Raw: true}))(t)
		err := w.CopyFrame(again, 0)
		end := int(again.shown[0]) + chunkSize + 19
		require.Equal(t, n < end, err != nil, "%d of %d bytes", n, end)
	}
	bad := Shown{0, 2, 2, make([]byte, 13)}
	require.EqualError(t, bad.check(), "a picture of 2x2 pixels has 13 bytes, not 12")
	wrong := file(chunk(chunkFrame, codecRaw, 0, nil), chunk(chunkShown, codecRaw, 19, append(words(0, 2, 2, 0), "rgb"...)))
	tr = testkit.Must(Parse(wrong))(t)
	_, err := tr.Shown(0)
	require.ErrorContains(t, err, "offset 0x30: a picture of 2x2 pixels has 3 bytes, not 12")
}

// stops is a file that fails after some bytes.
type stops struct{ left int }

func (s *stops) Write(p []byte) (int, error) {
	if s.left -= len(p); s.left < 0 {
		return 0, errors.New("the disk is full")
	}
	return len(p), nil
}

// CiTrace reports each kind of content that it cannot hold once, only if present; unreadable frames are errors; missing blocks stay
// missing.
func TestCiTraceLimits(t *testing.T) {
	event := func(e Event) *Trace { return &Trace{frames: []frameRef{{loaded: &Frame{Events: []Event{e}}}}} }
	const gas, pictures = "the update of the gas density after a command list", "what the screens showed"
	list := func(flags uint32) Event { return Event{Kind: List, Words: [7]uint32{pica.FCRAMBase, 8, flags}} }
	for _, c := range []struct {
		tr   *Trace
		lost []string
	}{
		{event(list(0)), nil},
		{event(list(ListFlush)), nil},
		{event(list(ListFlush | ListUpdateGas)), []string{gas}},
		{event(Event{Kind: Fill, Words: [7]uint32{8, 16, ListUpdateGas}}), nil},
		{&Trace{frames: []frameRef{{loaded: &Frame{Events: []Event{list(1)}}}, {loaded: &Frame{Events: []Event{list(1), list(1)}}}}}, []string{gas}},
		{&Trace{frames: []frameRef{{loaded: &Frame{}, shown: []int{1}}, {loaded: &Frame{}, shown: []int{1, 2}}}}, []string{pictures}},
		{&Trace{Initial: State{Primitives: {}}}, nil},
		{&Trace{Initial: State{Primitives: {1}}}, []string{"primitives that go on from before the first frame"}},
		{&Trace{Meta: Meta{FCRAM: 2 * pica.FCRAMSize}}, nil},
	} {
		_, lost, err := c.tr.CiTrace()
		require.NoError(t, err)
		require.Equal(t, c.lost, lost)
	}
	_, _, err := (&Trace{r: bytes.NewReader(nil), frames: []frameRef{{at: 99}}}).CiTrace()
	require.Error(t, err)
	head := citrace.Builder{}
	data := testkit.Must(head.Encode())(t)
	_, err = Parse(data[:len(data)/2])
	require.Error(t, err)

	c := &citrace.Trace{}
	c.Initial[citrace.GPURegisters], c.Initial[citrace.GSProgram] = []uint32{5}, make([]uint32, GeometryCode.Words()+3)
	require.Equal(t, State{ciBlocks[citrace.GPURegisters]: {5}, GeometryCode: make([]uint32, GeometryCode.Words())}, FromCiTrace(c).Initial)

	// The register that table writes use is restored if the recording contains its value.
	const index = int(pica.RegFogLutIndex)
	for n, want := range map[int]int{0: 2, index: 2, index + 1: 3, index + 9: 3} {
		tr := Trace{Initial: State{FogTable: {7}, GasTable: {}, InternalRegisters: make([]uint32, n)}}
		require.Len(t, tr.tableWrites(), want, "%d registers", n)
	}
	for word, want := range map[uint32]uint32{0x200: 0, 0x301: 1, 0xFE00: 0} {
		e := Event{Kind: Screen, Words: [7]uint32{word}}
		require.Equal(t, want, e.Writes()[6].Value)
	}
}

// Limits of a file's contents are exact, and events know their offsets.
func TestFileLimits(t *testing.T) {
	one := pieceOf("a")
	list := testkit.Must(decodePieces(bytes.Repeat(one, maxPieces), 0))(t)
	require.Len(t, list, maxPieces)
	_, err := decodePieces(bytes.Repeat(one, maxPieces+1), 0x10)
	require.ErrorContains(t, err, "offset 0x19010: more than 4096 pieces of memory in a chunk")

	shown := func(data ...byte) error {
		one, same := append(words(0, 1, 1, 0), "rgb"...), words(0, 1, 1, 1)
		tr := openParts(t, chunk(chunkShown, codecRaw, 19, one), chunk(chunkShown, codecRaw, 16, same), chunk(chunkFrame, codecRaw, 0, nil), chunk(chunkShown, codecRaw, len(data), data))
		_, err := tr.Shown(0)
		return err
	}
	require.ErrorContains(t, shown(make([]byte, 15)...), "a picture of 15 bytes")
	require.ErrorContains(t, shown(make([]byte, 16)...), "a picture of 0x0 pixels")
	require.NoError(t, shown(words(0, 1, 1, 1)...))
	for _, of := range []uint32{2, 3, 4} { // of another one, itself, none
		require.ErrorContains(t, shown(words(0, 1, 1, of)...), fmt.Sprintf("the same as picture %d, which has no rows before it", of-1))
	}

	load := Event{Kind: Load, Words: [7]uint32{pica.FCRAMBase + PageSize - 1, 0}}
	tr := openParts(t, chunk(chunkPieces, codecRaw, len(one)+1, pieceOf("ab")), chunk(chunkFrame, codecRaw, eventSize, load.append(nil)))
	_, err = tr.Frame(0)
	require.ErrorContains(t, err, "event 0: 2 bytes at 0x20000FFF cross a page")
	tr = openParts(t, chunk(chunkPieces, codecRaw, len(one), one), chunk(chunkFrame, codecRaw, eventSize, load.append(nil)))
	f := testkit.Must(tr.Frame(0))(t)
	require.Equal(t, tr.frames[0].at, f.Events[0].Offset)

	// A copy is complete or an error, wherever the disk is full.
	for _, pictures := range []int{0, 2} {
		var all bytes.Buffer
		w := testkit.Must(NewWriter(&all, Meta{}, nil, WriterOptions{Raw: true}))(t)
		require.NoError(t, w.Add(RegisterWrite(0x10400000, 4, 1)))
		require.NoError(t, w.EndFrame())
		for range pictures {
			require.NoError(t, w.Shown(Shown{0, 1, 1, []byte("rgb")}))
		}
		require.NoError(t, w.Close())
		from := testkit.Must(Parse(all.Bytes()))(t)
		begun, copied := 0, 0
		for left := range all.Len() {
			w, err := NewWriter(&stops{left}, Meta{}, nil, WriterOptions{Raw: true})
			if err != nil {
				begun = left
				continue
			}
			if w.CopyFrame(from, 0) == nil && copied == 0 {
				copied = left
			}
			require.Error(t, w.Close(), "%d bytes", left)
		}
		require.Less(t, begun, copied)
		var part bytes.Buffer
		w = testkit.Must(NewWriter(&part, Meta{}, nil, WriterOptions{Raw: true}))(t)
		require.NoError(t, w.CopyFrame(from, 0))
		require.Equal(t, part.Len(), copied, "%d pictures", pictures)
	}
	w := testkit.Must(NewWriter(io.Discard, Meta{}, nil, WriterOptions{Raw: true}))(t)
	require.NoError(t, w.EndFrame())
	w.events = make([]byte, maxEvents*eventSize)
	require.ErrorContains(t, w.Add(RegisterWrite(0, 4, 1)), "frame 1 has more")
}

// openParts opens a file of the given chunks.
func openParts(t *testing.T, chunks ...[]byte) *Trace {
	t.Helper()
	tr := testkit.Must(Parse(file(chunks...)))(t)
	return tr
}
