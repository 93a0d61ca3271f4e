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

func BenchmarkWrite(b *testing.B) {
	d := opened(b, Options{})
	e := picatrace.RegisterWrite(pica.ExtMemfillValue, 4, 1)
	for b.Loop() {
		if err := d.Run(e); err != nil {
			b.Fatal(err)
		}
	}
}
