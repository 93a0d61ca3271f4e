package shbin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// The fields of each structure cover all of its bytes without overlap.
func TestFieldsCoverTheStructures(t *testing.T) {
	for _, s := range Structures() {
		at := 0
		names := map[string]bool{}
		for _, f := range s.Fields {
			require.Equal(t, at, f.Offset, "%s, %s", s.Name, f.Name)
			require.False(t, names[f.Name], "%s: %s twice", s.Name, f.Name)
			names[f.Name] = true
			at += f.Size
		}
		require.Equal(t, s.Size, at, s.Name)
	}
}

// Bytes outside tables and overlapping tables are odd.
func TestOddFilesAreRecognized(t *testing.T) {
	good := sample(t)
	unusual := func(data []byte) (list []string) {
		f := testkit.Must(Parse(data))(t)
		for _, e := range f.Unusual {
			list = append(list, e.Error())
		}
		return list
	}
	require.Empty(t, unusual(good))
	require.Empty(t, unusual(append(append([]byte(nil), good...), 0, 0, 0, 0)), "padding")
	require.Equal(t, []string{"shbin: offset 0x15C: 3 bytes after the last table"}, unusual(append(append([]byte(nil), good...), 1, 2, 3)))
	data := append([]byte(nil), good...)
	dvle := int(le.Uint32(good[8:]))
	le.PutUint32(data[dvle+0x28:], le.Uint32(data[dvle+0x30:]))
	require.Len(t, unusual(data), 2, "two findings: the overlap, and the outputs' old place")

	object := testkit.Must(WriteObject(sampleObject()))(t)
	o := testkit.Must(ParseObject(object))(t)
	require.Empty(t, o.Unusual)
	o = testkit.Must(ParseObject(append(object, 7)))(t)
	require.Len(t, o.Unusual, 1)
}
