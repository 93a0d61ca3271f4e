package picatrace

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/citrace"
	"pica200/pica"
)

func words(list ...uint32) (b []byte) {
	for _, w := range list {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}

// What is odd in a file is said with its place, and what else is in it is read.
func TestOddFiles(t *testing.T) {
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
		{[][]byte{raw(chunkState, state, words(uint32(GasTable), 1, 6)), frame}, "problem at 0x3c: gas table stands twice; the first counts\n"},
		{[][]byte{raw(chunkState, words(uint32(FogTable), 0), state, words(19, 791), make([]byte, 4*791)), frame}, "problem at 0x44: unfinished primitives: 791 words, but the hardware has 790; the rest is left out\n"},
		{[][]byte{raw(chunkState, state, []byte{1, 2, 3}), frame}, "not a valid picatrace file: offset 0x3c: 3 bytes behind the last block of the state"},
		{[][]byte{raw(chunkState, state, words(uint32(FogTable), 3, 0, 0)), frame}, "not a valid picatrace file: offset 0x3c: fog table has 3 words, more than the chunk"},
		{[][]byte{raw(chunkState, state), raw(chunkPieces, []byte("lost")), frame}, "problem at 0x10: no frame\nproblem at 0x3c: not a valid picatrace file: offset 0x5c: 4 bytes behind the last piece of memory; the recording is read up to here\n"},
		{[][]byte{raw(chunkState, state), frame, frame[:20]}, "problem at 0x5c: not a valid picatrace file: offset 0x5c: the file ends inside the header of a chunk; the recording is read up to here\n"},
		{[][]byte{raw(chunkState, state), frame, raw(chunkFrame, make([]byte, 32))[:40]}, "problem at 0x5c: not a valid picatrace file: offset 0x5c: the file ends inside a chunk \"FRAM\" of 32 bytes; the recording is read up to here\n"},
		{[][]byte{raw(chunkState, state), frame, chunk(chunkFrame, codecRaw, 64, make([]byte, 32))}, "problem at 0x5c: not a valid picatrace file: offset 0x5c: an unpacked chunk \"FRAM\" of 32 bytes says that it holds 64; the recording is read up to here\n"},
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
	tr, err := Parse(file(raw(chunkMeta, []byte("title: a: b\ncomment: c\nproducer: p\nversion: v\nfcram: 7\n")), frame))
	require.NoError(t, err)
	require.Equal(t, Meta{"p", "v", "a: b", 7, "c"}, tr.Meta)
}

// Kinds and blocks have names, and what is none says its number.
func TestNamesOfKindsAndBlocks(t *testing.T) {
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

// What a chunk, a frame and a picture may hold is bounded, to the byte.
func TestBoundsOfAWriter(t *testing.T) {
	w, err := NewWriter(io.Discard, Meta{}, nil, WriterOptions{Raw: true})
	require.NoError(t, err)
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
		{Shown{0, 4097, 1, make([]byte, 3*4097)}, false}, {Shown{0, 1, 4097, make([]byte, 3*4097)}, false}, {Shown{0, 2, 2, make([]byte, 13)}, false}, {Shown{0, 2, 2, make([]byte, 11)}, false},
	} {
		require.Equal(t, c.ok, c.s.check() == nil, "%d: %dx%d", c.s.Screen, c.s.Width, c.s.Height)
	}
}

// The register writes that stand for tables in a CiTrace fill them with what they held, and
// leave the registers that they go through as they were.
func TestTablesInACiTrace(t *testing.T) {
	tr, err := Parse(sample(t, WriterOptions{}))
	require.NoError(t, err)
	tables := map[pica.Reg]map[uint32]uint32{} // by the index register, what each index holds
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
