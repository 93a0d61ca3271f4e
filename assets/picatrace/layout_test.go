package picatrace

import (
	"bytes"
	"encoding/binary"
	"errors"
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
