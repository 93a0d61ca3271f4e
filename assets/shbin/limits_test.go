package shbin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// Limits of what can be written are exact.
func TestWriteLimits(t *testing.T) {
	for _, c := range []struct {
		name                                  string
		code, descriptors, executables, lines int
		want                                  string
	}{
		{"code", MaxCode, 1, 1, 0, ""}, {"code", MaxCode + 1, 1, 1, 0, "shbin: 4097 instructions, at most 4096 are possible"},
		{"descriptors", 1, maxDescriptors, 1, 0, ""}, {"descriptors", 1, maxDescriptors + 1, 1, 0, "shbin: 129 operand descriptors, at most 128 are possible"},
		{"executables", 1, 1, MaxExecutables, 0, ""}, {"executables", 1, 1, MaxExecutables + 1, 0, "shbin: 1025 executables, at most 1024 are possible"},
		{"lines", 3, 1, 1, 3, ""}, {"too few lines", 3, 1, 1, 2, "shbin: 2 line numbers for 3 instructions"}, {"too many lines", 3, 1, 1, 4, "shbin: 4 line numbers for 3 instructions"},
	} {
		check := func(err error) bool {
			if c.want != "" {
				require.EqualError(t, err, c.want, c.name)
				return false
			}
			require.NoError(t, err, c.name)
			return true
		}
		f := &File{Program: Program{Code: make([]uint32, c.code), Descriptors: make([]Descriptor, c.descriptors), Lines: make([]Line, c.lines)}, Executables: make([]Executable, c.executables)}
		for i := range f.Executables {
			f.Executables[i].EndMain = 1
		}
		if check(f.Layout()) {
			data := testkit.Must(f.Write())(t)
			again := testkit.Must(Parse(data))(t, c.name)
			require.Equal(t, []int{c.code, c.descriptors, c.executables, c.lines}, []int{len(again.Program.Code), len(again.Program.Descriptors), len(again.Executables), len(again.Program.Lines)})
		}
		if c.name == "executables" {
			continue
		}
		o := &Object{Code: f.Program.Code, Descriptors: f.Program.Descriptors, Lines: f.Program.Lines}
		if data, err := WriteObject(o); check(err) {
			again := testkit.Must(ParseObject(data))(t, c.name)
			require.Equal(t, []int{c.code, c.descriptors, c.lines}, []int{len(again.Code), len(again.Descriptors), len(again.Lines)})
		}
	}
	// A part may end at the end of the file, but not beyond.
	w := &writer{data: make([]byte, 8)}
	w.put(4, []byte{1, 2, 3, 4})
	w.put(8, nil)
	w.put(-5, nil)
	require.False(t, w.short)
	require.Equal(t, []byte{0, 0, 0, 0, 1, 2, 3, 4}, w.data)
	for _, at := range []int{5, 8, 9, -1} {
		w.short = false
		w.put(at, []byte{9, 9, 9, 9})
		require.True(t, w.short, at)
	}
	require.Equal(t, []byte{0, 0, 0, 0, 1, 2, 3, 4}, w.data)
}
