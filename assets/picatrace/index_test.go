package picatrace

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/tests/testkit"
)

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
