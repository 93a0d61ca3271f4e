package host

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/internal/module"
	"pica200/pica"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// recorded returns the first frame of a finished recording.
func recorded(t *testing.T, path string) (*picatrace.Trace, []picatrace.Event) {
	t.Helper()
	tr := states.Parse(t, testkit.Read(t, path))
	require.Empty(t, tr.Findings, "the recording has no findings")
	f := testkit.Must(tr.Frame(0))(t)
	return tr, f.Events
}

// A refused call names the valid values, changes nothing and is not recorded.
func TestRefusedCalls(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Workers: -1}, "-1 workers; 0 is one for each processor"},
		{Options{FCRAMSize: pica.FCRAMSize + 1}, "main memory of 134217729 bytes; 134217728 and 268435456 are possible"},
	} {
		_, err := New(c.o)
		require.EqualError(t, err, c.want)
	}
	large := opened(t, Options{FCRAMSize: 2 * pica.FCRAMSize})
	require.NoError(t, large.Fetch(pica.FCRAMBase+2*pica.FCRAMSize-4, make([]byte, 4)))
	large.Close()
	d := opened(t, Options{VRAM: make([]byte, pica.VRAMSize), FCRAM: make([]byte, 1<<20)})
	require.ErrorContains(t, d.SetState(99, nil), "0 words for block 99; it has 0")
	require.ErrorContains(t, d.SetState(picatrace.GasTable, make([]uint32, 17)), "17 words for gas table; it has 16")
	require.NoError(t, d.SetState(picatrace.GasTable, make([]uint32, 16)))
	_, err := d.State(99)
	require.EqualError(t, err, "there is no block 99")

	path := filepath.Join(t.TempDir(), "x.picatrace")
	require.Error(t, d.BeginRecording(filepath.Join(path, "no folder"), picatrace.Meta{}))
	require.NoError(t, d.BeginRecording(path, picatrace.Meta{Title: "kept"}), "after a failed begin a recording can begin")
	require.ErrorContains(t, d.Run(picatrace.Event{Kind: 40}), "unknown kind 40")
	require.Error(t, d.Load(pica.VRAMBase+pica.VRAMSize-4, make([]byte, 8)))
	require.NoError(t, d.Load(pica.VRAMBase+8, []byte{1}))
	require.NoError(t, d.Run(fill(pica.VRAMBase, pica.VRAMBase+64, 1)))
	require.NoError(t, d.EndFrame())
	gpu := d.gpu
	d.Close() // also ends the recording
	require.Zero(t, gpu.Workers())
	require.True(t, strings.HasSuffix(string(testkit.Read(t, path)), "PTRCINDX"), "the recording ends with its index")
	tr, events := recorded(t, path)
	require.Equal(t, picatrace.Meta{Title: "kept", FCRAM: 1 << 20}, tr.Meta)
	require.Len(t, events, 2)
	require.Equal(t, pica.VRAMBase, int(events[0].Words[0]), "only the written page is recorded")
	require.Equal(t, picatrace.Fill, events[1].Kind)
	require.Equal(t, module.Read().Version, Version())
}

// Invalidate records the pages of the range, clipped to memory.
func TestInvalidatedPages(t *testing.T) {
	const size = 8 * pageSize
	for _, c := range []struct {
		addr, n uint32
		want    []uint32 // pages
	}{
		{0, 0, nil}, {0, 1, []uint32{0}}, {pageSize - 1, 1, []uint32{0}}, {0, pageSize, []uint32{0}}, {pageSize, 1, []uint32{1}},
		{pageSize - 1, 2, []uint32{0, 1}}, {pageSize, 2 * pageSize, []uint32{1, 2}}, {pageSize, 2*pageSize + 1, []uint32{1, 2, 3}}, {size - 1, 1, []uint32{7}},
		{size - 1, 5000, []uint32{7}}, {size, 10, nil}, {0xFFFFF000, 0x2001, []uint32{0, 1}}, {0xFFFFFFF0, 0x20, []uint32{0}},
	} {
		d := opened(t, Options{FCRAM: make([]byte, size), VRAM: make([]byte, pageSize)})
		path := filepath.Join(t.TempDir(), "x.picatrace")
		require.NoError(t, d.BeginRecording(path, picatrace.Meta{}))
		require.NoError(t, d.Invalidate(pica.FCRAMBase+c.addr, c.n))
		require.NoError(t, d.EndFrame())
		require.NoError(t, d.EndRecording())
		_, events := recorded(t, path)
		var pages []uint32
		for _, e := range events {
			pages = append(pages, (e.Words[0]-pica.FCRAMBase)/pageSize)
		}
		require.Equal(t, c.want, pages, "%d bytes at %d", c.n, c.addr)
	}
}

// A recording that begins during an upload contains the words uploaded before.
func TestRecordingStartsDuringUpload(t *testing.T) {
	d := opened(t, Options{FCRAM: make([]byte, pageSize), VRAM: make([]byte, pageSize)})
	word := picatrace.RegisterWrite(pica.ExtInternal+4*uint32(pica.RegVshFloatuniformData0), 4, 0x12345678)
	require.NoError(t, d.Run(word))
	path := filepath.Join(t.TempDir(), "x.picatrace")
	require.NoError(t, d.BeginRecording(path, picatrace.Meta{}))
	require.NoError(t, d.EndFrame())
	require.NoError(t, d.EndRecording())
	_, events := recorded(t, path)
	require.NotEmpty(t, events)
	for _, e := range events {
		require.Equal(t, [2]uint32{uint32(picatrace.Write), 4}, [2]uint32{uint32(e.Kind), e.Words[1]})
	}
	require.Equal(t, word.Words, events[len(events)-1].Words)
}
