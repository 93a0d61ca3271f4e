package picatrace

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/citrace"
	"pica200/pica"
	"pica200/tests/testkit"
)

// write writes all frames of a recording.
func write(t testing.TB, tr *Trace, o WriterOptions) []byte {
	t.Helper()
	var out bytes.Buffer
	w := testkit.Must(NewWriter(&out, tr.Meta, tr.Initial, o))(t)
	for i := range tr.Frames() {
		require.NoError(t, w.CopyFrame(tr, i))
	}
	require.NoError(t, w.Close())
	return out.Bytes()
}

// sample is a recording with every kind of event, block and chunk.
func sample(t testing.TB, o WriterOptions) []byte {
	t.Helper()
	var out bytes.Buffer
	s := State{}
	for _, b := range Blocks() {
		for i := range b.Words() {
			s[b] = append(s[b], uint32(b)<<16|uint32(i))
		}
	}
	w := testkit.Must(NewWriter(&out, Meta{Producer: "test", Version: "1.0", Title: "a\ntitle", FCRAM: 2 * pica.FCRAMSize, Comment: "x: y"}, s, o))(t)
	page := bytes.Repeat([]byte("0123456789abcdef"), PageSize/16)
	require.NoError(t, w.Load(pica.FCRAMBase, page))
	require.NoError(t, w.Load(pica.FCRAMBase+PageSize+100, append(page, 1, 2, 3)))
	for k := Write; k < kindEnd; k++ {
		require.NoError(t, w.Add(Event{Kind: k, Words: [7]uint32{1, 4, 3, 4, 5, 6, 7}}), "%v", k)
	}
	require.NoError(t, w.EndFrame())
	require.NoError(t, w.Shown(Shown{Screen: 2, Width: 3, Height: 2, RGB: []byte("012345678901234567")}))
	require.NoError(t, w.EndFrame(), "a frame may be empty")
	require.NoError(t, w.Load(pica.VRAMBase, page[:10]))
	require.NoError(t, w.Load(pica.VRAMBase+PageSize, page))
	require.NoError(t, w.Close())
	return out.Bytes()
}

func TestRoundTrip(t *testing.T) {
	for _, o := range []WriterOptions{{}, {Raw: true}} {
		data := sample(t, o)
		tr := testkit.Must(Parse(data))(t)
		require.Empty(t, tr.Findings)
		require.Equal(t, Meta{Producer: "test", Version: "1.0", Title: "a title", FCRAM: 2 * pica.FCRAMSize, Comment: "x: y"}, tr.Meta)
		for _, b := range Blocks() {
			require.Len(t, tr.Initial[b], b.Words(), "%v", b)
			require.Equal(t, uint32(b)<<16|1, tr.Initial[b][1], "%v", b)
		}
		require.Equal(t, 3, tr.Frames())
		f := testkit.Must(tr.Frame(0))(t)
		var at []uint32
		for _, e := range f.Events {
			if e.Kind == Load {
				at = append(at, e.Words[0]-pica.FCRAMBase, uint32(len(e.Data)))
			} else {
				require.Equal(t, [7]uint32{1, 4, 3, 4, 5, 6, 7}, e.Words)
			}
		}
		require.Equal(t, []uint32{0, PageSize, PageSize + 100, PageSize - 100, 2 * PageSize, 103}, at, "pieces do not cross pages")
		require.Len(t, f.Events, 3+6)
		shown := testkit.Must(tr.Shown(0))(t)
		require.Equal(t, []Shown{{Screen: 2, Width: 3, Height: 2, RGB: []byte("012345678901234567")}}, shown)
		last := testkit.Must(tr.Frame(2))(t)
		require.Equal(t, "0123456789", string(last.Events[0].Data))
		require.Equal(t, f.Events[0].Data, last.Events[1].Data)
		require.Equal(t, uint32(0), last.Events[1].Words[1], "equal contents are stored once")
		require.Equal(t, data, write(t, tr, o), "writing what was read gives the same bytes")
	}
}

// Pieces are numbered across chunks of at most 4,096 pieces.
func TestPiecesAreNumberedAcrossChunks(t *testing.T) {
	const pieces = 2*maxPieces + 3
	var out bytes.Buffer
	w := testkit.Must(NewWriter(&out, Meta{}, State{}, WriterOptions{}))(t)
	number := func(i int) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(i)) }
	for i := range pieces {
		require.NoError(t, w.Load(pica.FCRAMBase+4*uint32(i), number(i)))
	}
	require.NoError(t, w.EndFrame())
	for i := range pieces { // now all pieces are known
		require.NoError(t, w.Load(pica.FCRAMBase+4*uint32(i), number(pieces-1-i)))
	}
	require.NoError(t, w.Close())
	at := int(binary.LittleEndian.Uint64(out.Bytes()[out.Len()-trailerSize:]))
	for _, data := range [][]byte{out.Bytes(), out.Bytes()[:at]} { // with and without the index
		tr := testkit.Must(Parse(data))(t)
		require.Empty(t, tr.Findings)
		require.Len(t, tr.chunks, 3)
		for frame := range 2 {
			f := testkit.Must(tr.Frame(frame))(t)
			require.Len(t, f.Events, pieces)
			for i, e := range f.Events {
				want := i
				if frame == 1 {
					want = pieces - 1 - i
				}
				require.True(t, e.Words[1] == uint32(want) && bytes.Equal(number(want), e.Data), "load %d is %v", i, e)
			}
		}
	}
}

// The register writes of each command. The operands contain every bit that could be mistaken for another field's.
func TestCommandRegisterWrites(t *testing.T) {
	const all = 0xFFFFFFFF
	for _, c := range []struct {
		kind  Kind
		words [7]uint32
		want  []RegWrite
	}{
		{Load, [7]uint32{8, 1}, nil},
		{Write, [7]uint32{8, 4, 1}, nil},
		{List, [7]uint32{0x20000010, 0x30, 3}, []RegWrite{{0x104018E0, 6}, {0x104018E8, 0x04000002}, {0x104018F0, 1}}},
		{Fill, [7]uint32{0x18000010, 0x18000020, 7, 0x0300}, []RegWrite{{0x10400010, 0x03000002}, {0x10400014, 0x03000004}, {0x10400018, 7}, {0x1040001C, 0x0301}}},
		{Transfer, [7]uint32{0x18000010, 0x18000020, 0x00200010, 0x00400030, all}, []RegWrite{
			{0x10400C00, 0x03000002}, {0x10400C04, 0x03000004}, {0x10400C08, 0x00200010}, {0x10400C0C, 0x00400030}, {0x10400C10, all &^ 8}, {0x10400C18, 1}}},
		{Copy, [7]uint32{0x18000010, 0x18000020, 64, 0x00020001, 0x00040003, all &^ 8}, []RegWrite{
			{0x10400C00, 0x03000002}, {0x10400C04, 0x03000004}, {0x10400C20, 64}, {0x10400C24, 0x00020001}, {0x10400C28, 0x00040003}, {0x10400C10, all}, {0x10400C18, 1}}},
		{Screen, [7]uint32{0x101, 2, 3, 4, 5, 6, 7}, []RegWrite{
			{0x10400568, 2}, {0x1040056C, 3}, {0x10400594, 4}, {0x10400598, 5}, {0x10400570, 6}, {0x10400590, 7}, {0x10400578, 1}}},
	} {
		e := Event{Kind: c.kind, Words: c.words}
		require.Equal(t, c.want, e.Writes(), "%v", c.kind)
	}
}

// A truncated recording reads up to its last complete frame.
func TestTruncatedRecording(t *testing.T) {
	data := sample(t, WriterOptions{Raw: true})
	whole := testkit.Must(Parse(data))(t)
	ends := make([]int, 0, 3) // of the frames' chunks
	for i := range whole.frames {
		h := testkit.Must(whole.readHeader(whole.frames[i].at))(t)
		ends = append(ends, int(whole.frames[i].at)+chunkSize+int(h.stored))
	}
	chunks, ok := whole.readIndex()
	require.True(t, ok)
	state := 0 // end of the state
	for n := range len(data) {
		// Every byte in and around a header, and some of the others.
		if n%97 != 0 && !slices.ContainsFunc(chunks, func(c indexEntry) bool { return n > int(c.at)-8 && n < int(c.at)+chunkSize+8 }) {
			continue
		}
		tr, err := Parse(data[:n])
		if err != nil {
			require.ErrorIs(t, err, ErrFormat)
			require.Less(t, n, headerSize)
			continue
		}
		want := 0
		for want < len(ends) && ends[want] <= n {
			want++
		}
		require.Equal(t, want, tr.Frames(), "%d bytes", n)
		for i := range want {
			f := testkit.Must(tr.Frame(i))(t)
			w, _ := whole.Frame(i)
			require.Equal(t, w.Events, f.Events)
		}
		if tr.Initial != nil && state == 0 {
			state = n
		}
	}
	require.Positive(t, state)
}

// A changed byte of a file is detected or has no effect.
func TestDamageIsDetected(t *testing.T) {
	data := sample(t, WriterOptions{})
	for at := headerSize + chunkSize; at < len(data); at += 53 {
		harmed := slices.Clone(data)
		harmed[at] ^= 0x41
		tr, err := Parse(harmed)
		if err != nil {
			require.ErrorIs(t, err, ErrFormat)
			continue
		}
		for i := range tr.Frames() {
			f, err := tr.Frame(i)
			if err != nil {
				require.ErrorIs(t, err, ErrFormat)
				continue
			}
			for _, e := range f.Events {
				require.LessOrEqual(t, len(e.Data), PageSize)
			}
		}
	}
}

// chunk makes a chunk with the given unpacked size; file makes a file of chunks.
func chunk(kind chunkType, c codec, unpacked int, data []byte) []byte {
	h := chunkHeader{kind, c, uint64(len(data)), uint64(unpacked), hashOf(data)[0]}
	return append(h.append(nil), data...)
}

func file(chunks ...[]byte) []byte {
	head := append([]byte(Magic), 2, 0, 0, 0, 0, 0, 0, 0)
	return append(head, bytes.Join(chunks, nil)...)
}

func TestBadFiles(t *testing.T) {
	le := binary.LittleEndian
	load := func(addr, id uint32) []byte {
		e := Event{Kind: Load, Words: [7]uint32{addr, id}}
		return chunk(chunkFrame, codecRaw, eventSize, e.append(nil))
	}
	onePiece := func(n int, declared uint32, h hash) []byte {
		b := le.AppendUint64(le.AppendUint64(nil, h[0]), h[1])
		b = le.AppendUint64(b, uint64(declared))
		return chunk(chunkPieces, codecRaw, len(b)+n, append(b, make([]byte, n)...))
	}
	zero := hashOf(make([]byte, 16))
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "magic"},
		{"other", []byte("GIF89a and more of it"), "magic"},
		{"header", []byte(Magic), "inside the header"},
		{"version", func() []byte { d := file(); d[8] = 3; return d }(), "version 3"},
		{"huge", file(chunk(chunkState, codecZstd, math.MaxInt, nil)), "unpacked"},
		{"codec", file(chunk(chunkState, 9, 0, nil)), "method 9"},
		{"not zstd", file(chunk(chunkState, codecZstd, 8, []byte("nonsense"))), "cannot be unpacked"},
		{"state", file(chunk(chunkState, codecRaw, 8, []byte{1, 0, 0, 0, 9, 0, 0, 0})), "more than the chunk"},
		{"event", file(chunk(chunkFrame, codecRaw, 5, make([]byte, 5))), "a frame of 5 bytes"},
		{"kind", file(chunk(chunkFrame, codecRaw, eventSize, make([]byte, eventSize))), "unknown kind 0"},
		{"no piece", file(load(pica.FCRAMBase, 0)), "piece 0 of memory is not in the file"},
		{"piece after", file(load(pica.FCRAMBase, 0), onePiece(16, 16, zero)), "after the frame"},
		{"piece length", file(onePiece(16, 17, zero), load(pica.FCRAMBase, 0)), "17 bytes"},
		{"piece of nothing", file(onePiece(0, 0, zero), load(pica.FCRAMBase, 0)), "0 bytes"},
		{"piece hash", file(onePiece(16, 16, hash{}), load(pica.FCRAMBase, 0)), "not what its hash says"},
		{"across pages", file(onePiece(16, 16, zero), load(pica.FCRAMBase+PageSize-8, 0)), "cross a page"},
	} {
		tr, err := Parse(c.data)
		if err == nil {
			if p := tr.Findings.Problems(); p > 0 {
				err = ErrFormat
			}
			for i := range tr.Frames() {
				if _, ferr := tr.Frame(i); ferr != nil {
					err = ferr
				}
			}
			var all []byte
			for _, f := range tr.Findings {
				all = append(all, f.Message...)
			}
			if err == ErrFormat || err == nil {
				require.Contains(t, string(all), c.want, c.name)
				continue
			}
		}
		require.ErrorIs(t, err, ErrFormat, c.name)
		require.ErrorContains(t, err, c.want, c.name)
	}
}

func TestWriterRefuses(t *testing.T) {
	_, err := NewWriter(&bytes.Buffer{}, Meta{}, State{FogTable: make([]uint32, 129)}, WriterOptions{})
	require.ErrorContains(t, err, "fog table: 129 words")
	_, err = NewWriter(&bytes.Buffer{}, Meta{}, State{99: {1}}, WriterOptions{})
	require.ErrorContains(t, err, "block 99")
	w := testkit.Must(NewWriter(&bytes.Buffer{}, Meta{}, nil, WriterOptions{}))(t)
	require.ErrorContains(t, w.Add(Event{Kind: 40}), "unknown kind 40")
	require.ErrorContains(t, w.Add(RegisterWrite(0, 3, 0)), "write of 3 bytes")
	require.ErrorContains(t, w.Shown(Shown{Width: 1, Height: 1}), "0 bytes, not 3")
	require.NoError(t, w.EndFrame())
	require.NoError(t, w.Load(0xFFFFFFFF, []byte{1}), "a load of the last addressable byte")
	require.ErrorContains(t, w.Load(0xFFFFFFFF, []byte{1, 2}), "beyond the address space")
	w, err = NewWriter(&short{n: 100}, Meta{}, nil, WriterOptions{})
	for range 10 {
		err = w.EndFrame()
	}
	require.ErrorContains(t, err, "disk full")
	require.ErrorContains(t, w.Close(), "disk full")
}

var errFull = errors.New("disk full")

type short struct{ n int }

func (s *short) Write(b []byte) (int, error) {
	n := min(len(b), s.n)
	s.n -= n
	if n < len(b) {
		return n, errFull
	}
	return n, nil
}

// The cache is bounded, except for the last chunk, and drops the least recently used.
func TestPieceCacheBound(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	var c pieceCache
	var want []cachedPieces // the last used is last
	for range 2000 {
		at := int64(rng.IntN(9))
		i := slices.IndexFunc(want, func(e cachedPieces) bool { return e.at == at })
		list, ok := c.get(at)
		require.Equal(t, i >= 0, ok)
		if ok {
			e := want[i]
			require.Equal(t, e.list, list)
			want = append(slices.Delete(want, i, i+1), e)
			continue
		}
		one := cachedPieces{at, []piece{{byte(at)}}, []int{1, cacheBytes / 4, cacheBytes / 2, cacheBytes, cacheBytes + 1}[rng.IntN(5)]}
		c.put(at, one.list, one.bytes)
		want = append(want, one)
		held := func() (n int) {
			for _, e := range want {
				n += e.bytes
			}
			return n
		}
		for held() > cacheBytes && len(want) > 1 {
			want = want[1:]
		}
		require.Equal(t, want, c.entries)
		require.Equal(t, held(), c.bytes)
		for _, gone := range c.entries[len(c.entries):cap(c.entries)] {
			require.Nil(t, gone.list, "dropped chunks are not referenced")
		}
	}
}

func FuzzTrace(f *testing.F) {
	f.Add(sample(f, WriterOptions{}))
	f.Add(sample(f, WriterOptions{Raw: true}))
	var out bytes.Buffer
	w := testkit.Must(NewWriter(&out, Meta{}, State{GasTable: {1, 2}}, WriterOptions{Raw: true}))(f)
	require.NoError(f, w.Load(pica.VRAMBase, []byte("ab")))
	require.NoError(f, w.Add(RegisterWrite(pica.ExtTransferStart, 4, 1)))
	require.NoError(f, w.Close())
	f.Add(out.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		tr, err := Parse(data)
		if err != nil {
			return
		}
		for i := range tr.Frames() {
			if _, err := tr.Frame(i); err != nil {
				require.ErrorIs(t, err, ErrFormat)
				return
			}
		}
		if tr.Frames() > 0 {
			again := testkit.Must(Parse(write(t, tr, WriterOptions{Raw: true})))(t)
			require.Equal(t, tr.Frames(), again.Frames())
		}
	})
}

// Different contents with the same hash, which is easy to construct, are two pieces for writer and reader.
func TestPiecesWithEqualHashes(t *testing.T) {
	one := bytes.Repeat([]byte("0123456789abcdef"), PageSize/16)
	two := testkit.MurmurTwin(one)
	require.False(t, bytes.Equal(one, two))
	require.Equal(t, hashOf(one), hashOf(two))
	var out bytes.Buffer
	w := testkit.Must(NewWriter(&out, Meta{}, State{}, WriterOptions{}))(t)
	for i, data := range [][]byte{one, two, one, two} {
		require.NoError(t, w.Load(pica.FCRAMBase+uint32(i)*PageSize, data))
	}
	require.NoError(t, w.Close())
	tr := testkit.Must(Parse(out.Bytes()))(t)
	f := testkit.Must(tr.Frame(0))(t)
	for i, want := range []struct {
		data  []byte
		piece uint32
	}{{one, 0}, {two, 1}, {one, 0}, {two, 1}} {
		require.True(t, bytes.Equal(want.data, f.Events[i].Data), "load %d", i)
		require.Equal(t, want.piece, f.Events[i].Words[1], "equal contents are stored once")
	}
}

// Close makes a last frame of the remaining events, if there are any. After Close every call
// fails; an earlier write error stays.
func TestWriterClose(t *testing.T) {
	for events, ended := range []bool{true, false, true, false} {
		var out bytes.Buffer
		w := testkit.Must(NewWriter(&out, Meta{}, State{}, WriterOptions{}))(t)
		for i := range events {
			require.NoError(t, w.Add(Event{Kind: Write, Words: [7]uint32{0x10400000, 4, uint32(i)}}))
		}
		if ended {
			require.NoError(t, w.EndFrame())
		}
		require.NoError(t, w.Close())
		tr := testkit.Must(Parse(out.Bytes()))(t)
		require.Equal(t, 1, tr.Frames(), "%d events", events)
		f := testkit.Must(tr.Frame(0))(t)
		require.Len(t, f.Events, events)
		size := out.Len()
		require.ErrorContains(t, w.Add(Event{Kind: Write}), "the recording is closed")
		require.ErrorContains(t, w.EndFrame(), "the recording is closed")
		require.ErrorContains(t, w.Close(), "the recording is closed")
		require.Equal(t, size, out.Len())
	}
	w := testkit.Must(NewWriter(&short{n: 100}, Meta{}, State{}, WriterOptions{}))(t)
	for range 10 {
		_ = w.EndFrame()
	}
	for range 2 {
		require.ErrorContains(t, w.Close(), "disk full")
	}
}

// Writes of all widths survive conversion to CiTrace completely.
func TestWriteWidthsSurviveCiTrace(t *testing.T) {
	var out bytes.Buffer
	w := testkit.Must(NewWriter(&out, Meta{}, State{}, WriterOptions{}))(t)
	want := []Event{RegisterWrite(0x10400001, 1, 0x91), RegisterWrite(0x10400002, 2, 0x8182), RegisterWrite(0x10400004, 4, 0x71727374), RegisterWrite(0x10400008, 8, 0xF1F2F3F4E1E2E3E4)}
	require.Equal(t, [7]uint32{0x10400008, 8, 0xE1E2E3E4, 0xF1F2F3F4}, want[3].Words)
	for _, e := range want {
		require.NoError(t, w.Add(e))
	}
	require.NoError(t, w.Close())
	tr := testkit.Must(Parse(out.Bytes()))(t)
	b, lost, err := tr.CiTrace()
	require.NoError(t, err)
	require.Empty(t, lost)
	data := testkit.Must(b.Encode())(t)
	again := testkit.Must(Parse(data))(t)
	f := testkit.Must(again.Frame(0))(t)
	last := int64(0)
	for i := range f.Events {
		require.Greater(t, f.Events[i].Offset, last, "each event has its own offset")
		last, f.Events[i].Offset = f.Events[i].Offset, 0
	}
	require.Equal(t, want, f.Events)
}

// A CiTrace does not name the console: loads into the upper half of main memory mean a New 3DS.
func TestCiTraceDetectsNew3DS(t *testing.T) {
	for addr, want := range map[uint32]uint32{
		pica.FCRAMBase + pica.FCRAMSize - 4:   0,
		pica.FCRAMBase + pica.FCRAMSize:       2 * pica.FCRAMSize,
		pica.FCRAMBase + 2*pica.FCRAMSize - 4: 2 * pica.FCRAMSize,
		pica.FCRAMBase + 2*pica.FCRAMSize:     0,
		pica.VRAMBase:                         0,
	} {
		b := citrace.Builder{Layout: citrace.Tagged}
		b.Load(addr, []byte{1, 2, 3, 4})
		b.EndFrame()
		data := testkit.Must(b.Encode())(t)
		tr := testkit.Must(Parse(data))(t)
		require.Equal(t, want, tr.Meta.FCRAM, "0x%08X", addr)
	}
}

// normal is a list of events with loads split at pages, to compare recordings in both formats.
func normal(t *testing.T, tr *Trace) [][]Event {
	var all [][]Event
	for i := range tr.Frames() {
		f := testkit.Must(tr.Frame(i))(t)
		var list []Event
		for _, e := range f.Events {
			if e.Kind != Load {
				list = append(list, e)
				continue
			}
			for addr, data := e.Words[0], e.Data; len(data) > 0; {
				n := min(len(data), PageSize-int(addr%PageSize))
				list = append(list, Event{Kind: Load, Words: [7]uint32{addr}, Data: data[:n]})
				addr, data = addr+uint32(n), data[n:]
			}
		}
		all = append(all, list)
	}
	return all
}

// CiTraces survive conversion to the new format and back.
func TestCiTraceRoundTrip(t *testing.T) {
	for _, file := range testkit.Traces(t) {
		data := file.Read(t)
		old := testkit.Must(Parse(data))(t)
		packed, raw := write(t, old, WriterOptions{}), write(t, old, WriterOptions{Raw: true})
		t.Logf("%s: %d bytes, raw %d, packed %d", file.Name, len(data), len(raw), len(packed))
		want := normal(t, old)
		for _, d := range [][]byte{packed, raw} {
			tr := testkit.Must(Parse(d))(t)
			require.Empty(t, tr.Findings, file.Name)
			require.Equal(t, old.Initial, tr.Initial, file.Name)
			require.True(t, equalFrames(want, normal(t, tr)), file.Name)
			b, lost, err := tr.CiTrace()
			require.NoError(t, err)
			require.Empty(t, lost)
			back := testkit.Must(b.Encode())(t)
			again := testkit.Must(Parse(back))(t)
			require.Equal(t, old.Initial, again.Initial)
			require.True(t, equalFrames(want, normal(t, again)), file.Name)
		}
	}
}

func equalFrames(a, b [][]Event) bool {
	return slices.EqualFunc(a, b, func(x, y []Event) bool {
		return slices.EqualFunc(x, y, func(e, f Event) bool {
			if e.Kind == Load {
				e.Words[1], f.Words[1] = 0, 0
			}
			return e.Kind == f.Kind && e.Words == f.Words && bytes.Equal(e.Data, f.Data)
		})
	})
}

// CiTrace reports what it cannot hold; tables and commands become writes.
func TestCiTraceReportsLosses(t *testing.T) {
	tr := testkit.Must(Parse(sample(t, WriterOptions{})))(t)
	b, lost, err := tr.CiTrace()
	require.NoError(t, err)
	require.Equal(t, []string{"the description (producer, title)", "primitives that go on from before the first frame", "the update of the gas density after a command list", "what the screens showed"}, lost)
	data := testkit.Must(b.Encode())(t)
	c := testkit.Must(citrace.Parse(data))(t)
	count := map[uint32]int{}
	for _, e := range c.Elements {
		if e.Type == citrace.RegisterWrite {
			count[e.Address]++
		}
	}
	internal := func(r pica.Reg) uint32 { return pica.ExtInternal + 4*uint32(r) }
	require.Equal(t, 24*256, count[internal(pica.RegLightingLutData0)])
	require.Equal(t, 24+1, count[internal(pica.RegLightingLutIndex)], "one index write for each table, and one to restore it")
	require.Equal(t, 3*128+2*256, count[internal(pica.RegProctexLutData0)])
	require.Equal(t, 1, count[pica.ExtCommandListStart])
	require.Equal(t, 2, count[pica.ExtTransferStart])
}

// If all writes have four bytes, the CiTrace uses the older layout, which has no others.
func TestCiTraceLayoutByWidths(t *testing.T) {
	for width, want := range map[uint32]citrace.Layout{1: citrace.Tagged, 2: citrace.Tagged, 4: citrace.Direct, 8: citrace.Tagged} {
		var out bytes.Buffer
		w := testkit.Must(NewWriter(&out, Meta{}, State{}, WriterOptions{}))(t)
		for _, bytes := range []uint32{4, width, 4} {
			require.NoError(t, w.Add(Event{Kind: Write, Words: [7]uint32{0x10400000, bytes, 7}}))
		}
		require.NoError(t, w.Close())
		tr := testkit.Must(Parse(out.Bytes()))(t)
		b, _, err := tr.CiTrace()
		require.NoError(t, err)
		require.Equal(t, want, b.Layout, "%d bytes", width)
	}
}
