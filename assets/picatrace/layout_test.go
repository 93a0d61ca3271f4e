package picatrace

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/twmb/murmur3"

	"pica200/assets/citrace"
	"pica200/pica"
	"pica200/tests/testkit"
)

// A recording has exactly the bytes that docs/FORMATS.md describes.
func TestRecordingBytes(t *testing.T) {
	le := binary.LittleEndian
	words := func(list ...uint32) (b []byte) {
		for _, w := range list {
			b = le.AppendUint32(b, w)
		}
		return b
	}
	var want, index []byte
	chunk := func(kind string, count uint32, data ...[]byte) {
		all := bytes.Join(data, nil)
		if kind != "INDX" {
			index = le.AppendUint64(append(append(index, kind...), words(count)...), uint64(len(want)))
		}
		sum, _ := murmur3.Sum128(all)
		want = append(append(want, kind...), 0, 0, 0, 0) // not compressed
		want = le.AppendUint64(le.AppendUint64(want, uint64(len(all))), uint64(len(all)))
		want = append(le.AppendUint64(want, sum), all...)
	}
	piece := func(data []byte) []byte {
		a, b := murmur3.Sum128(data)
		return append(append(le.AppendUint64(le.AppendUint64(nil, a), b), words(uint32(len(data)), 0)...), data...)
	}
	want = append([]byte("PICATRAC"), words(2, 0)...)
	chunk("META", 0, []byte("producer: me\nfcram: 268435456\n"))
	chunk("STAT", 0, words(3, 2, 7, 0x89ABCDEF), words(13, 1, 0xFFFFFFFF))
	chunk("PAGE", 2, piece([]byte("abc")), piece([]byte("Z")))
	chunk("FRAM", 4, words(1, 0x20000FFD, 0, 0, 0, 0, 0, 0), words(1, 0x20001000, 1, 0, 0, 0, 0, 0),
		words(2, 0x10400010, 8, 0x55667788, 0x11223344, 0, 0, 0), words(7, 0x101, 2, 3, 4, 5, 6, 7))
	chunk("SHOW", 2, words(2, 2, 1, 0), []byte("redgrn"))
	chunk("FRAM", 1, words(1, 0x18000000, 0, 0, 0, 0, 0, 0)) // known memory is not written again
	chunk("SHOW", 0, words(0, 1, 2, 1))                      // neither is a known picture
	chunk("SHOW", 1, words(1, 1, 1, 0), []byte("blu"))
	chunk("SHOW", 2, words(2, 1, 1, 3))
	at := uint64(len(want))
	chunk("INDX", 0, index)
	want = append(le.AppendUint64(want, at), "PTRCINDX"...)

	var out bytes.Buffer
	w := testkit.Must(NewWriter(&out, Meta{Producer: "me", FCRAM: 2 * pica.FCRAMSize}, State{GasTable: {0xFFFFFFFF}, InternalRegisters: {7, 0x89ABCDEF}}, WriterOptions{Raw: true}))(t)
	require.NoError(t, w.Load(pica.FCRAMBase+0xFFD, []byte("abcZ")))
	require.NoError(t, w.Add(RegisterWrite(0x10400010, 8, 0x1122334455667788)))
	require.NoError(t, w.Add(Event{Kind: Screen, Words: [7]uint32{0x101, 2, 3, 4, 5, 6, 7}}))
	require.NoError(t, w.EndFrame())
	require.NoError(t, w.Shown(Shown{Screen: 2, Width: 2, Height: 1, RGB: []byte("redgrn")}))
	require.NoError(t, w.Load(pica.VRAMBase, []byte("abc")))
	require.NoError(t, w.EndFrame())
	last := []Shown{{0, 1, 2, []byte("redgrn")}, {1, 1, 1, []byte("blu")}, {2, 1, 1, []byte("blu")}}
	for _, s := range last {
		require.NoError(t, w.Shown(s))
	}
	require.NoError(t, w.Close())
	require.Equal(t, want, out.Bytes())
	require.Equal(t, last, testkit.Must(testkit.Must(Parse(want))(t).Shown(1))(t))
}

var errBroken = errors.New("the disk is broken")

// breaks is a file in which one read fails.
type breaks struct {
	*bytes.Reader
	at int
}

func (b *breaks) ReadAt(p []byte, at int64) (int, error) {
	if b.at--; b.at == 0 {
		return 0, errBroken
	}
	return b.Reader.ReadAt(p, at)
}

// A failing read never gives another recording: it is an error or a finding, or the recording is read another way.
func TestReadErrors(t *testing.T) {
	ci := citrace.Builder{Layout: citrace.Tagged}
	ci.Load(pica.FCRAMBase, []byte("abcd"))
	ci.EndFrame()
	old := testkit.Must(ci.Encode())(t)
	for _, data := range [][]byte{sample(t, WriterOptions{}), old} {
		readsThatFail(t, data)
	}
}

func readsThatFail(t *testing.T, data []byte) {
	read := func(at int) (frames []*Frame, shown [][]Shown, meta Meta, state State, left int, err error) {
		b := &breaks{bytes.NewReader(data), at}
		tr, err := Open(b, int64(len(data)))
		for i := 0; err == nil && i < tr.Frames(); i++ {
			var f *Frame
			if f, err = tr.Frame(i); err == nil {
				frames = append(frames, f)
				var s []Shown
				s, err = tr.Shown(i)
				shown = append(shown, s)
			}
		}
		if err == nil {
			meta, state = tr.Meta, tr.Initial
			if tr.Findings.Problems() > 0 {
				err = errors.New(tr.Findings[0].Message)
			}
		}
		return frames, shown, meta, state, b.at, err
	}
	frames, shown, meta, state, left, err := read(-1)
	require.NoError(t, err)
	failed := 0
	for at := 1; at <= -1-left; at++ {
		f, s, m, st, _, err := read(at)
		if err != nil {
			require.ErrorContains(t, err, errBroken.Error(), "read %d", at)
			failed++
			continue
		}
		require.Equal(t, []any{frames, shown, meta, state}, []any{f, s, m, st}, "read %d", at)
	}
	require.GreaterOrEqual(t, failed, 2)
}

// A recording without an index reads the same.
func TestRecordingWithoutIndex(t *testing.T) {
	data := sample(t, WriterOptions{})
	tr := testkit.Must(Parse(data))(t)
	at := binary.LittleEndian.Uint64(data[len(data)-trailerSize:])
	bare := testkit.Must(Parse(data[:at]))(t)
	require.Empty(t, bare.Findings)
	require.Equal(t, tr.frames, bare.frames)
	require.Equal(t, tr.chunks, bare.chunks)
	index, ok := tr.readIndex()
	require.True(t, ok)
	found := testkit.Must(bare.scan())(t)
	for i := range found {
		if found[i].kind == chunkShown { // the index entry has no screen
			found[i].count = 2
		}
	}
	require.Equal(t, found, index)
	lying := slices.Clone(data)
	binary.LittleEndian.PutUint64(lying[len(lying)-trailerSize:], 16)
	again := testkit.Must(Parse(lying))(t)
	require.Equal(t, tr.frames, again.frames)
}

// An index is used only at the end of the file: an incomplete index in the middle hides no frame.
func TestIndexInTheMiddleIsIgnored(t *testing.T) {
	data := sample(t, WriterOptions{})
	tr := testkit.Must(Parse(data))(t)
	at := int(binary.LittleEndian.Uint64(data[len(data)-trailerSize:]))
	state := indexEntry{kind: chunkState, at: headerSize}
	entry := state.append(nil)
	index := chunkHeader{chunkIndex, codecRaw, indexSize, indexSize, hashOf(entry)[0]}
	head := slices.Clone(data[:at])
	middle := append(index.append(head), entry...)
	middle = append(middle, data[tr.frames[1].at:at]...) // chunks after it
	middle = binary.LittleEndian.AppendUint64(middle, uint64(at))
	again := testkit.Must(Parse(append(middle, trailerMagic...)))(t)
	require.Equal(t, tr.frames, again.frames)
	require.Equal(t, tr.Initial, again.Initial)
}

// An incomplete, unordered or misplaced index is ignored, and the chunks are scanned.
func TestInvalidIndexIsIgnored(t *testing.T) {
	data := sample(t, WriterOptions{})
	tr := testkit.Must(Parse(data))(t)
	at := int(binary.LittleEndian.Uint64(data[len(data)-trailerSize:]))
	frame := indexEntry{kind: chunkFrame, at: uint64(tr.frames[1].at)}
	file := func(kind chunkType, entries []indexEntry, more ...byte) []byte {
		var body []byte
		for _, e := range entries {
			body = e.append(body)
		}
		body = append(body, more...)
		h := chunkHeader{kind, codecRaw, uint64(len(body)), uint64(len(body)), hashOf(body)[0]}
		out := append(h.append(slices.Clone(data[:at])), body...)
		return append(binary.LittleEndian.AppendUint64(out, uint64(at)), trailerMagic...)
	}
	meta := indexEntry{kind: chunkMeta, at: headerSize}
	first := uint64(headerSize)
	shorter := testkit.Must(Parse(file(chunkIndex, []indexEntry{meta, frame})))(t)
	require.Equal(t, 1, shorter.Frames(), "a valid shorter index is used")
	good := func() []byte { return file(chunkIndex, []indexEntry{meta, frame}) }
	trailer := func(where uint64) []byte {
		out := good()
		binary.LittleEndian.PutUint64(out[len(out)-trailerSize:], where)
		return out
	}
	for name, lying := range map[string][]byte{
		"descending":          file(chunkIndex, []indexEntry{frame, {kind: chunkMeta, at: first}}),
		"twice the same":      file(chunkIndex, []indexEntry{meta, frame, frame}),
		"its own place":       file(chunkIndex, []indexEntry{meta, frame, {kind: chunkShown, at: uint64(at)}}),
		"in the header":       file(chunkIndex, []indexEntry{{kind: chunkMeta, at: headerSize - 1}, frame}),
		"half an entry":       file(chunkIndex, []indexEntry{meta, frame}, 1, 2, 3),
		"another chunk":       file(chunkType{'X', 'X', 'X', 'X'}, []indexEntry{meta, frame}),
		"other last letters":  append(good()[:len(good())-1], 'x'),
		"at the end":          trailer(uint64(len(good()))),
		"after the end":       trailer(1 << 40),
		"after all addresses": trailer(1<<64 - 1),
		"with bytes after it": append(append(good()[:len(good())-trailerSize], 0), good()[len(good())-trailerSize:]...),
		"damaged":             append(append(good()[:at+chunkSize], 'z'), good()[at+chunkSize+1:]...),
	} {
		again := testkit.Must(Parse(lying))(t, name)
		require.Equal(t, tr.frames, again.frames, name)
		_, ok := again.readIndex()
		require.False(t, ok, name)
	}
	// A file too short for an index is read without one.
	empty := testkit.Must(Parse(data[:headerSize]))(t)
	require.Zero(t, empty.Frames())
}

// counted counts the bytes read.
type counted struct {
	*bytes.Reader
	bytes int
}

func (c *counted) ReadAt(b []byte, at int64) (int, error) {
	c.bytes += len(b)
	return c.Reader.ReadAt(b, at)
}

// With an index, Open reads neither memory nor frames. An index with an offset in the file header is ignored.
func TestIndexIsUsed(t *testing.T) {
	var out bytes.Buffer
	w := testkit.Must(NewWriter(&out, Meta{}, State{}, WriterOptions{Raw: true}))(t)
	for i := range uint32(64) {
		require.NoError(t, w.Load(pica.FCRAMBase+i*PageSize, bytes.Repeat([]byte{byte(i)}, PageSize)))
	}
	require.NoError(t, w.Close())
	data := out.Bytes()
	opened := func() int {
		r := &counted{Reader: bytes.NewReader(data)}
		tr := testkit.Must(Open(r, int64(len(data))))(t)
		require.Equal(t, 1, tr.Frames())
		require.Empty(t, tr.Findings)
		_, err := tr.Frame(0)
		require.NoError(t, err)
		return r.bytes
	}
	memory := 64 * PageSize
	require.Less(t, opened(), memory+memory/2, "with an index, the frame's memory is read once")
	at := binary.LittleEndian.Uint64(data[len(data)-trailerSize:])
	index := data[at+chunkSize : len(data)-trailerSize]
	binary.LittleEndian.PutUint64(index[8:], headerSize-1)
	h := chunkHeader{chunkIndex, codecRaw, uint64(len(index)), uint64(len(index)), hashOf(index)[0]}
	copy(data[at:], h.append(nil))
	require.Greater(t, opened(), 2*memory, "without a usable index, memory is read by the scan and for the frame")
}
