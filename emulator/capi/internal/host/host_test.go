package host

import (
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/internal/module"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

func fill(start, end, value uint32) picatrace.Event {
	return picatrace.Event{Kind: picatrace.Fill, Words: [7]uint32{start, end, value, 2<<8 | 1}}
}

// opened is a new GPU.
func opened(t testing.TB, o Options) *GPU {
	t.Helper()
	d := testkit.Must(New(o))(t)
	return d
}

// A panic becomes an error of this call and all later ones; other GPUs keep working.
func TestPanicsBecomeErrors(t *testing.T) {
	d := opened(t, Options{})
	other := opened(t, Options{})
	d.gpu.BeforeFill = func(pipeline.Fill) { panic("planted") }
	err := d.Run(fill(pica.VRAMBase, pica.VRAMBase+64, 1))
	require.ErrorContains(t, err, "planted")
	require.ErrorContains(t, err, "of no use any more")
	_, again := d.Screen(pipeline.ScreenTop)
	require.Equal(t, err, again)
	require.Error(t, d.Invalidate(pica.VRAMBase, 4096))
	d.Close()
	require.NoError(t, other.Run(fill(pica.VRAMBase, pica.VRAMBase+64, 1)))
}

// The GPU writes the caller's memory in place; a reset keeps it.
func TestCallerMemory(t *testing.T) {
	vram := make([]byte, pica.VRAMSize)
	d := opened(t, Options{VRAM: vram})
	require.NoError(t, d.Run(fill(pica.VRAMBase+0x100, pica.VRAMBase+0x110, 0x01020304)))
	require.Equal(t, []byte{1, 4, 3, 2, 1, 0}, vram[0x10B:0x111])
	require.NoError(t, d.Reset())
	require.Equal(t, byte(4), vram[0x100])

	for _, bad := range []Options{{VRAM: make([]byte, 4097)}, {FCRAM: []byte{}}, {VRAM: make([]byte, pica.VRAMSize+4096)}, {FCRAMSize: 1 << 20}} {
		_, err := New(bad)
		require.Error(t, err)
		require.NotContains(t, err.Error(), "of no use", "a caller's mistake is not reported as an internal failure")
	}
	img := testkit.Must(d.Screen(pipeline.ScreenBottom))(t)
	require.Equal(t, image.Rect(0, 0, 320, 240), img.Bounds())
}

// Reset restores registers and the library's own memory. It is refused during a recording.
func TestResetRestoresRegistersAndMemory(t *testing.T) {
	d := opened(t, Options{FCRAM: make([]byte, 16*pageSize)})
	at := make([]byte, 4)
	state := func() (uint32, []byte) {
		v := testkit.Must(d.Register(pica.ExtMemfillValue))(t)
		require.NoError(t, d.Fetch(pica.VRAMBase+0x100, at))
		return v, at
	}
	startValue, _ := state()
	require.NoError(t, d.Run(fill(pica.VRAMBase+0x100, pica.VRAMBase+0x110, startValue+7)))
	v, memory := state()
	require.Equal(t, startValue+7, v)
	require.NotZero(t, memory[0])
	require.NoError(t, d.BeginRecording(filepath.Join(t.TempDir(), "x"), picatrace.Meta{}))
	require.ErrorContains(t, d.Reset(), "recording")
	v, _ = state()
	require.Equal(t, startValue+7, v, "a refused call changes nothing")
	require.NoError(t, d.EndRecording())
	require.NoError(t, d.Reset())
	v, memory = state()
	require.Equal(t, startValue, v)
	require.Equal(t, make([]byte, 4), memory)
}

// A write error ends the recording; drawing continues.
func TestRecordingOnAFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full")
	}
	d := opened(t, Options{FCRAM: make([]byte, 16*pageSize)})
	require.NoError(t, d.BeginRecording("/dev/full", picatrace.Meta{}))
	require.NoError(t, d.Run(fill(pica.VRAMBase, pica.VRAMBase+64, 1)))
	require.Error(t, d.EndFrame())
	require.NoError(t, d.Run(fill(pica.VRAMBase, pica.VRAMBase+64, 1)))
	require.ErrorContains(t, d.EndRecording(), "no space")
	require.ErrorContains(t, d.BeginRecording("/dev/full", picatrace.Meta{Comment: strings.Repeat("long ", 1<<18)}), "no space")
	open := testkit.Must(os.ReadDir("/proc/self/fd"))(t)
	for _, f := range open {
		at, _ := os.Readlink("/proc/self/fd/" + f.Name())
		require.NotEqual(t, "/dev/full", at, "files of failed recordings are closed")
	}
	path := filepath.Join(t.TempDir(), "x.picatrace")
	require.NoError(t, d.BeginRecording(path, picatrace.Meta{}))
	require.Error(t, d.BeginRecording(path, picatrace.Meta{}))
	require.Error(t, d.SetState(picatrace.GasTable, []uint32{1}))
	require.NoError(t, d.EndRecording())
}

// A recording holds the caller's writes, each before the command that may read it, and not the GPU's, in both ways of detecting
// changes. A watching GPU hashes all memory at each call: here it has little.
func TestRecordingHoldsCallerWrites(t *testing.T) {
	for _, watch := range []bool{false, true} {
		o := Options{VRAM: make([]byte, 16*pageSize), Watch: watch}
		if watch {
			o.FCRAM = make([]byte, 16*pageSize)
		}
		vram, d := o.VRAM, opened(t, o)
		write := func(page int, v byte) {
			vram[page*pageSize+7] = v
			if !watch {
				require.NoError(t, d.Invalidate(pica.VRAMBase+uint32(page*pageSize)+7, 1))
			}
		}
		fillPage := func(page uint32) {
			at := pica.VRAMBase + page*pageSize
			require.NoError(t, d.Run(fill(at, at+64, page)))
		}
		fillPage(9)
		write(1, 1)
		path := filepath.Join(t.TempDir(), "x.picatrace")
		require.NoError(t, d.BeginRecording(path, picatrace.Meta{}))
		write(2, 2)
		fillPage(3)
		write(2, 3)
		write(1, 9)
		write(1, 1) // unchanged bytes: only a watching GPU notices that nothing changed
		fillPage(4)
		fillPage(3)
		write(5, 4)
		require.NoError(t, d.EndFrame())
		fillPage(2)
		write(6, 5)
		require.NoError(t, d.Load(pica.VRAMBase+7*pageSize, []byte{6, 7}))
		require.NoError(t, d.EndFrame())
		require.NoError(t, d.EndRecording())
		fillPage(8)

		data := testkit.Read(t, path)
		tr := states.Parse(t, data)
		require.Empty(t, tr.Findings)
		require.Equal(t, uint32(len(o.FCRAM)), tr.Meta.FCRAM, "a size of 0 means the usual size")
		var got [][][3]uint32 // kind, page, byte 7 of a load
		for i := range tr.Frames() {
			f := testkit.Must(tr.Frame(i))(t)
			var frame [][3]uint32
			for _, e := range f.Events {
				one := [3]uint32{uint32(e.Kind), (e.Words[0] - pica.VRAMBase) / pageSize, 0}
				if e.Kind == picatrace.Load {
					require.Len(t, e.Data, pageSize)
					one[2] = uint32(e.Data[7])
				}
				frame = append(frame, one)
			}
			got = append(got, frame)
		}
		const load, fill = uint32(picatrace.Load), uint32(picatrace.Fill)
		want := [][][3]uint32{
			{{load, 1, 1}, {load, 9, 0}, {load, 2, 2}, {fill, 3}, {load, 1, 1}, {load, 2, 3}, {fill, 4}, {fill, 3}, {load, 5, 4}},
			{{fill, 2}, {load, 6, 5}, {load, 7, 0}},
		}
		if watch {
			want[0] = slices.Delete(want[0], 4, 5)
		}
		require.Equal(t, want, got, "watching: %v", watch)
	}
}

// State blocks that are written are read back equal.
func TestStateBlocksRoundTrip(t *testing.T) {
	d := opened(t, Options{})
	for _, b := range picatrace.Blocks() {
		words := make([]uint32, b.Words())
		for i := range words {
			words[i] = uint32(i*0x10101) & 0x3FFFFF
		}
		if b == picatrace.InternalRegisters { // registers with unimplemented bits
			words := testkit.Must(d.State(b))(t)
			words[pica.RegBlendColor] = 0x12345678
		}
		if b == picatrace.Primitives { // a strip with two vertices, without vertices of an unfinished run
			words[0], words[1], words[len(words)-1] = 2<<2|1, 0, 0x33F
			clear(words[146:530])
		}
		require.NoError(t, d.SetState(b, words), "%v", b)
		got := testkit.Must(d.State(b))(t)
		require.Equal(t, words, got, "%v", b)
	}
}

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
