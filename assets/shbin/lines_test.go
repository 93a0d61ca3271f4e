package shbin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// The table of line numbers has the documented layout: per instruction, 8 bytes with the offset of the source's name and the line.
func TestLineTable(t *testing.T) {
	f := testkit.Must(Build([]uint32{0x84000000, 0x84000000, 0x88000000}, nil, []Executable{{EndMain: 3}}))(t)
	f.Program.Symbols = []byte("unused.vsh\x00b.vsh\x00")
	f.Program.Lines = []Line{{File: "a.vsh", Line: 7}, {File: "b.vsh", Line: 3}, {File: "a.vsh", Line: 9}}
	require.NoError(t, f.Layout())
	data := testkit.Must(f.Write())(t)

	dvlp := 12
	at := dvlp + int(le.Uint32(data[dvlp+0x18:]))
	require.Equal(t, uint32(3), le.Uint32(data[dvlp+0x1C:]))
	require.Equal(t, []uint32{17, 7, 11, 3, 17, 9}, []uint32{le.Uint32(data[at:]), le.Uint32(data[at+4:]), le.Uint32(data[at+8:]),
		le.Uint32(data[at+12:]), le.Uint32(data[at+16:]), le.Uint32(data[at+20:])})
	names := dvlp + int(le.Uint32(data[dvlp+0x20:]))
	require.Equal(t, "unused.vsh\x00b.vsh\x00a.vsh\x00", string(data[names:names+int(le.Uint32(data[dvlp+0x24:]))]))

	again := testkit.Must(Parse(data))(t)
	require.Equal(t, f.Program.Lines, again.Program.Lines)
	out := testkit.Must(again.Write())(t)
	require.Equal(t, data, out)
	require.NoError(t, again.Layout())
	out = testkit.Must(again.Write())(t)
	require.Equal(t, data, out, "a new layout gives the same bytes")

	again.Program.Lines = again.Program.Lines[:2]
	require.ErrorContains(t, again.Layout(), "2 line numbers for 3 instructions")

	le.PutUint32(data[at:], 1000) // an invalid name offset does not make the file invalid
	again = testkit.Must(Parse(data))(t)
	require.Empty(t, again.Program.Lines[0].File)
	le.PutUint32(data[dvlp+0x1C:], 1<<28)
	_, err := Parse(data)
	require.ErrorContains(t, err, "line numbers: 268435456 entries of 8 bytes")
}
