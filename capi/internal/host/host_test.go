package host

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/pica"
	"pica200/pipeline"
)

func fill(start, end, value uint32) picatrace.Event {
	return picatrace.Event{Kind: picatrace.Fill, Words: [7]uint32{start, end, value, 2<<8 | 1}}
}

// A panic becomes an error, of this call and of all that follow, and another GPU
// is none the worse for it.
func TestPanicsBecomeErrors(t *testing.T) {
	d, err := New(Options{})
	require.NoError(t, err)
	other, err := New(Options{})
	require.NoError(t, err)
	d.gpu.BeforeFill = func(pipeline.Fill) { panic("planted") }
	err = d.Run(fill(pica.VRAMBase, pica.VRAMBase+64, 1))
	require.ErrorContains(t, err, "planted")
	require.ErrorContains(t, err, "of no use any more")
	_, again := d.Screen(pipeline.ScreenTop)
	require.Equal(t, err, again)
	require.Error(t, d.Invalidate(pica.VRAMBase, 4096))
	d.Close()
	require.NoError(t, other.Run(fill(pica.VRAMBase, pica.VRAMBase+64, 1)))
}

// The caller's memory is written in place, and stays after a reset.
func TestCallersMemory(t *testing.T) {
	vram := make([]byte, pica.VRAMSize)
	d, err := New(Options{VRAM: vram})
	require.NoError(t, err)
	require.NoError(t, d.Run(fill(pica.VRAMBase+0x100, pica.VRAMBase+0x108, 0x01020304)))
	require.Equal(t, []byte{4, 3, 2, 1, 4, 3, 2, 1, 0}, vram[0x100:0x109])
	require.NoError(t, d.Reset())
	require.Equal(t, byte(4), vram[0x100])

	for _, bad := range []Options{{VRAM: make([]byte, 4097)}, {FCRAM: []byte{}}, {VRAM: make([]byte, pica.VRAMSize+4096)}, {FCRAMSize: 1 << 20}} {
		_, err := New(bad)
		require.Error(t, err)
	}
}

// An error of the recording ends it, not the work.
func TestRecordingOnAFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full")
	}
	d, err := New(Options{})
	require.NoError(t, err)
	require.NoError(t, d.BeginRecording("/dev/full", picatrace.Meta{}))
	require.NoError(t, d.Run(fill(pica.VRAMBase, pica.VRAMBase+64, 1)))
	require.Error(t, d.EndFrame())
	require.NoError(t, d.Run(fill(pica.VRAMBase, pica.VRAMBase+64, 1)))
	require.ErrorContains(t, d.EndRecording(), "no space")
	path := filepath.Join(t.TempDir(), "x.picatrace")
	require.NoError(t, d.BeginRecording(path, picatrace.Meta{}))
	require.Error(t, d.BeginRecording(path, picatrace.Meta{}))
	require.Error(t, d.SetState(picatrace.GasTable, []uint32{1}))
	require.NoError(t, d.EndRecording())
}

// State goes out and in.
func TestState(t *testing.T) {
	d, err := New(Options{})
	require.NoError(t, err)
	for _, b := range picatrace.Blocks() {
		words := make([]uint32, b.Words())
		for i := range words {
			words[i] = uint32(i*0x10101) & 0x3FFFFF
		}
		if b == picatrace.InternalRegisters { // registers that units take at once have fewer bits
			words, err = d.State(b)
			require.NoError(t, err)
			words[pica.RegBlendColor] = 0x12345678
		}
		require.NoError(t, d.SetState(b, words), "%v", b)
		got, err := d.State(b)
		require.NoError(t, err)
		require.Equal(t, words, got, "%v", b)
	}
}

func BenchmarkWrite(b *testing.B) {
	d, err := New(Options{})
	require.NoError(b, err)
	e := picatrace.RegisterWrite(pica.ExtMemfillValue, 4, 1)
	for b.Loop() {
		if err := d.Run(e); err != nil {
			b.Fatal(err)
		}
	}
}
