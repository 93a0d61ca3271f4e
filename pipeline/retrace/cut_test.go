package retrace

import (
	"bytes"
	"context"
	"fmt"
	"hash/maphash"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

func parse(t *testing.T, data []byte) *picatrace.Trace {
	t.Helper()
	tr := states.Parse(t, data)
	require.Empty(t, tr.Findings)
	return tr
}

// traces returns all available traces, or only our own under -short.
func traces(t *testing.T) []testkit.Trace {
	if testkit.Short() {
		return testkit.Own(t)
	}
	return testkit.Traces(t)
}

// sums returns a checksum for each frame of everything visible: the screens and the last target. It closes the GPU.
func sums(t *testing.T, p *pipeline.Player) []uint64 {
	t.Helper()
	defer p.GPU.Close()
	return frames(t, p)
}

// sumSeed is the seed of all checksums.
var sumSeed = maphash.MakeSeed()

// frames is sums without closing the GPU.
func frames(t *testing.T, p *pipeline.Player) (all []uint64) {
	t.Helper()
	for range p.Frames() {
		testkit.Must(p.NextFrame(context.Background()))(t)
		var h maphash.Hash
		h.SetSeed(sumSeed)
		for s := range pipeline.ScreenTopRight + 1 {
			h.Write(p.GPU.Screen(s).Pix)
		}
		if target, err := p.GPU.LastTarget(); err == nil {
			h.Write(target.Color)
		}
		all = append(all, h.Sum64())
	}
	return all
}

func player(t *testing.T, tr *picatrace.Trace) *pipeline.Player {
	t.Helper()
	p := testkit.Must(pipeline.NewPlayer(tr, pipeline.Options{}))(t)
	t.Cleanup(p.GPU.Close)
	return p
}

// poison fills video memory and every page that a replay of the trace writes with 0xA5, except bytes that the cut needs: those that
// are 0 are not in the file, because memory starts as 0.
func poison(t *testing.T, p *pipeline.Player, whole *pipeline.GPU, c *cutter) {
	t.Helper()
	all := bytes.Repeat([]byte{0xA5}, pageSize)
	spoil := func(addr uint32, _ []byte) {
		bad := all
		if s := c.tracker.start[addr/pageSize]; s != nil && s.need != nil {
			bad = bytes.Clone(all)
			for i := range bad {
				if s.need.has(uint16(i)) {
					bad[i] = 0
				}
			}
		}
		require.NoError(t, p.GPU.Load(t.Context(), addr, bad))
	}
	for at := uint32(0); at < pica.VRAMSize; at += pageSize {
		spoil(pica.VRAMBase+at, nil)
	}
	require.NoError(t, whole.EachPage(t.Context(), spoil))
}

// A cut trace draws its frames like the whole one, whatever memory holds outside of the cut.
func TestCutDrawsTheSame(t *testing.T) {
	for _, file := range traces(t) {
		t.Run(file.Name, func(t *testing.T) {
			tr := states.Parse(t, file.Read(t))
			whole := player(t, tr)
			defer whole.GPU.Close()
			want := frames(t, whole)
			last := tr.Frames() - 1
			for _, r := range [][2]int{{0, last}, {last, last}, {last / 2, min(last/2+1, last)}, {0, 0}} {
				var out bytes.Buffer
				c := newCut(tr, r[0], r[1])
				report := testkit.Must(c.run(t.Context(), &out, Options{}))(t)
				require.Equal(t, r[1]-r[0]+1, report.Frames)
				for _, dirty := range []bool{false, true} {
					p := player(t, parse(t, out.Bytes()))
					if dirty {
						poison(t, p, whole.GPU, c)
					}
					got := sums(t, p)
					for i := range got {
						require.Equal(t, want[r[0]+i], got[i], "frames %v, frame %d of the cut, poisoned: %v", r, i, dirty)
					}
				}
			}
		})
	}
}

// drawn returns a checksum of the target after each draw from a frame on. It closes the GPU.
func drawn(t *testing.T, p *pipeline.Player, from int) (all []string) {
	t.Helper()
	defer p.GPU.Close()
	for f := range p.Frames() {
		if f == from {
			p.GPU.AfterDraw = func(d *pipeline.DrawInfo) error {
				all = append(all, fmt.Sprint(d.Index, maphash.Bytes(sumSeed, d.Target.Color), maphash.Bytes(sumSeed, d.Target.Depth), d.Fragments))
				return nil
			}
		}
		testkit.Must(p.NextFrame(context.Background()))(t)
	}
	return all
}

// Each draw of a stripped frame draws the same, and nothing that no draw needs is kept.
func TestStripDrawsTheSame(t *testing.T) {
	for _, file := range traces(t) {
		t.Run(file.Name, func(t *testing.T) {
			tr := states.Parse(t, file.Read(t))
			last := tr.Frames() - 1
			var out, cut bytes.Buffer
			stripped := testkit.Must(Strip(t.Context(), tr, last, &out, Options{}))(t)
			whole := testkit.Must(Cut(t.Context(), tr, last, last, &cut, Options{}))(t)
			require.LessOrEqual(t, stripped.Memory, whole.Memory)
			require.Equal(t, whole.Draws, stripped.Draws)
			fragments := func(p *pipeline.Player, from int) (n []uint64) {
				defer p.GPU.Close()
				for f := range p.Frames() {
					if f == from {
						p.GPU.AfterDraw = func(d *pipeline.DrawInfo) error { n = append(n, d.Fragments); return nil }
					}
					testkit.Must(p.NextFrame(context.Background()))(t)
				}
				return n
			}
			want := fragments(player(t, tr), last)
			require.Len(t, want, whole.Draws)
			require.Equal(t, want, fragments(player(t, parse(t, out.Bytes())), 0))
			require.Equal(t, drawn(t, player(t, parse(t, cut.Bytes())), 0), drawn(t, player(t, parse(t, out.Bytes())), 0))
		})
	}
}

// Traces converted to version 2 and back have no differences in any frame; -v prints sizes.
func TestConvertedTracesDrawTheSame(t *testing.T) {
	testkit.Slow(t)
	for _, file := range traces(t) {
		t.Run(file.Name, func(t *testing.T) {
			data := file.Read(t)
			tr := states.Parse(t, data)
			want := sums(t, player(t, tr))
			var packed bytes.Buffer
			require.NoError(t, Pack(t.Context(), tr, &packed, PackOptions{}))
			again := parse(t, packed.Bytes())
			require.Equal(t, want, sums(t, player(t, again)))
			b, lost, err := again.CiTrace()
			require.NoError(t, err)
			require.Empty(t, lost)
			back := testkit.Must(b.Encode())(t)
			old := states.Parse(t, back)
			require.Equal(t, want, sums(t, player(t, old)))
			t.Logf("| %s | %d | %d | %d |", file.Name, len(data), packed.Len(), len(back))
		})
	}
}

// Random states are cut to what their frames read, whatever memory held before.
func TestCutRandomStates(t *testing.T) {
	seeds := uint64(60)
	if testkit.Short() {
		seeds = 10
	}
	compared := 0
	for seed := range seeds {
		tr := states.Parse(t, states.Make(seed))
		want, ok := checksums(tr)
		if !ok || tr.Frames() == 0 {
			continue // some states end with an error
		}
		whole := player(t, tr)
		all := frames(t, whole)
		last := tr.Frames() - 1
		var out bytes.Buffer
		c := newCut(tr, last, last)
		report := testkit.Must(c.run(t.Context(), &out, Options{}))(t, "seed %d", seed)
		if report.Draws == 0 {
			whole.GPU.Close()
			continue // only earlier draws are visible
		}
		for _, dirty := range []bool{false, true} {
			p := player(t, parse(t, out.Bytes()))
			if dirty {
				poison(t, p, whole.GPU, c)
			}
			require.Equal(t, all[last:], sums(t, p), "seed %d, poisoned: %v", seed, dirty)
			p.GPU.Close()
		}
		whole.GPU.Close()
		compared += len(want)
	}
	require.Greater(t, compared, int(seeds)/2)
}

// Frames that do not exist or are out of order are not cut.
func TestCutRefusesInvalidFrames(t *testing.T) {
	empty := new(picatrace.Trace)
	_, err := Cut(t.Context(), empty, 0, 0, io.Discard, Options{})
	require.EqualError(t, err, "there is no frame 0: the recording has none")
	_, err = Strip(t.Context(), empty, 0, io.Discard, Options{})
	require.EqualError(t, err, "there is no frame 0: the recording has none")
	tr := states.Parse(t, states.Make(1))
	n := tr.Frames()
	for frames, want := range map[[2]int]string{
		{-1, 0}: "there is no frame -1;", {0, n}: fmt.Sprintf("there is no frame %d; the recording has %d, 0 to %d", n, n, n-1),
		{n - 1, 0}: fmt.Sprintf("frame 0, the last, comes before frame %d, the first", n-1),
	} {
		_, err := Cut(t.Context(), tr, frames[0], frames[1], io.Discard, Options{})
		require.ErrorContains(t, err, want)
	}
}

// A cut and a packed recording have the bytes that are read and no others, even one byte alone; zeros from before the cut are left
// out. Strip leaves out what a copy reads if no draw uses it.
func TestCutAndPackKeepReadBytes(t *testing.T) {
	const zeros, ones, mixed, unread = pica.FCRAMBase, pica.FCRAMBase + pageSize, pica.FCRAMBase + 2*pageSize, pica.FCRAMBase + 3*pageSize
	one, zero, few := bytes.Repeat([]byte{1}, pageSize), make([]byte, pageSize), []byte("abcDefghijklmnop")
	var file bytes.Buffer
	initial := picatrace.State{picatrace.FixedAttributes: {1, 2, 3, 4}}
	w := testkit.Must(picatrace.NewWriter(&file, picatrace.Meta{}, initial, picatrace.WriterOptions{}))(t)
	load := func(addr uint32, data []byte) { require.NoError(t, w.Load(addr, data)) }
	load(zeros, one)
	load(zeros, zero)
	load(ones, one)
	load(mixed, few)
	require.NoError(t, w.EndFrame())
	load(mixed+3, []byte("x"))
	load(unread, few)
	require.NoError(t, w.Add(picatrace.Event{Kind: picatrace.Copy, Words: [7]uint32{zeros, pica.VRAMBase, 2*pageSize + 16, 0, 0, 8}}))
	require.NoError(t, w.EndFrame())
	require.NoError(t, w.Close())
	tr := parse(t, file.Bytes())

	kept := func(data []byte) (all []string) {
		tr := parse(t, data)
		for i := range tr.Frames() {
			f := testkit.Must(tr.Frame(i))(t)
			for _, e := range f.Events {
				if e.Kind == picatrace.Load {
					all = append(all, fmt.Sprintf("%d: %x %q", i, e.Words[0], e.Data))
				} else {
					all = append(all, fmt.Sprintf("%d: %v", i, e.Kind))
				}
			}
		}
		return all
	}
	loaded := func(frame int, addr uint32, data []byte) string { return fmt.Sprintf("%d: %x %q", frame, addr, data) }
	rest := []byte("abc\x00efghijklmnop")
	var out bytes.Buffer
	report := testkit.Must(Cut(t.Context(), tr, 1, 1, &out, Options{}))(t)
	require.Equal(t, Report{Frames: 1, Memory: pageSize + 16}, report)
	require.Equal(t, []string{loaded(0, ones, one), loaded(0, mixed, rest), loaded(0, mixed+3, []byte("x")), "0: copy"}, kept(out.Bytes()))
	out.Reset()
	report = testkit.Must(Strip(t.Context(), tr, 1, &out, Options{}))(t)
	require.Equal(t, Report{Frames: 1}, report)
	require.Equal(t, []string{"0: copy"}, kept(out.Bytes()))
	out.Reset()
	require.NoError(t, Pack(t.Context(), tr, &out, PackOptions{Read: true}))
	require.Equal(t, []string{loaded(0, zeros, zero), loaded(0, ones, one), loaded(0, mixed, rest), loaded(1, mixed+3, []byte("x")), "1: copy"}, kept(out.Bytes()))
	require.Equal(t, initial, parse(t, out.Bytes()).Initial)
}
