package retrace

import (
	"bytes"
	"context"
	"fmt"
	"hash/maphash"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
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

// needs lists the bytes of pages and of loads that were needed, as first+count.
func needs(t *tracker) string {
	var all []string
	list := func(label string, base uint32, need *byteSet) {
		for from := 0; need != nil && from < pageSize; from++ {
			n := 0
			for from+n < pageSize && need.has(uint16(from+n)) {
				n++
			}
			if n > 0 {
				all = append(all, fmt.Sprintf("%s%x+%d", label, base+uint32(from), n))
				from += n
			}
		}
	}
	for _, number := range slices.Sorted(maps.Keys(t.start)) {
		list("", number*pageSize, t.start[number].need)
	}
	for _, load := range slices.Sorted(maps.Keys(t.needed)) {
		list(fmt.Sprintf("load %d: ", load), 0, t.needed[load])
	}
	return strings.Join(all, ", ")
}

// A cut, a packed recording and a strip need what the screens, the rests of targets and the draws read, through any copies.
func TestTrackerNeeds(t *testing.T) {
	type step func(*tracker)
	read := func(u pipeline.Use, addr, n uint32) step { return func(t *tracker) { t.Reads(u, addr, n) } }
	write := func(u pipeline.Use, addr, n uint32) step { return func(t *tracker) { t.Writes(u, addr, n, true) } }
	some := func(u pipeline.Use, addr, n uint32) step { return func(t *tracker) { t.Writes(u, addr, n, false) } }
	const list, texture, kept, fill, transfer, screen, cpu = pipeline.UseList, pipeline.UseTexture, pipeline.UseTargetRest, pipeline.UseFill, pipeline.UseTransfer, pipeline.UseScreen, pipeline.UseCPU
	var halves []step // copies in place, half by half; to follow each half by itself takes 2^60 steps
	for range 60 {
		halves = append(halves, read(transfer, 0x2000, 8), read(transfer, 0x2008, 8), write(transfer, 0x2000, 16))
	}
	for _, c := range []struct {
		name             string
		steps            []step
		cut, pack, strip string
	}{
		{"screen", []step{read(screen, 0x1004, 3)}, "1004+3", "1004+3", ""},
		{"rest of a target", []step{read(kept, 0x1004, 3)}, "", "1004+3", ""},
		{"loads on two pages", []step{write(cpu, 0x1FFE, 4), read(list, 0x1FFF, 2), read(list, 0x2001, 2)},
			"2002+1, load 1: fff+1, load 2: 0+2", "2002+1, load 1: fff+1, load 2: 0+2", "2002+1, load 1: fff+1, load 2: 0+2"},
		{"the second of two transfers", []step{read(transfer, 0x1000, 16), write(transfer, 0x2000, 16), read(transfer, 0x3000, 16), write(transfer, 0x4000, 16), read(texture, 0x4000, 16)},
			"1000+16, 3000+16", "1000+16, 3000+16", "3000+16"},
		{"a copy of two lines", []step{read(transfer, 0x1000, 16), read(transfer, 0x1020, 16), write(transfer, 0x2000, 16), write(transfer, 0x2020, 16), read(texture, 0x2024, 4)},
			"1000+16, 1020+16", "1000+16, 1020+16", "1000+16, 1020+16"},
		{"a copy of a copy", []step{read(transfer, 0x1000, 16), write(transfer, 0x2000, 16), read(transfer, 0x2004, 4), write(transfer, 0x3000, 4), read(texture, 0x3000, 4), read(texture, 0x3000, 4)},
			"1000+16", "1000+16", "1000+16"},
		{"many copies in place", append(halves, read(texture, 0x2000, 1)), "2000+16", "2000+16", "2000+16"},
		{"a fill behind a transfer", []step{read(transfer, 0x1000, 16), write(transfer, 0x2000, 16), write(fill, 0x3000, 16), read(texture, 0x3000, 16), read(texture, 0x3010, 1)},
			"1000+16, 3010+1", "1000+16, 3010+1", "3010+1"},
		{"a transfer that writes some bytes", []step{read(transfer, 0x2000, 16), some(transfer, 0x1000, 100), read(texture, 0x100A, 10)},
			"100a+10, 2000+16", "100a+10, 2000+16", "1000+100, 2000+16"},
		{"a transfer that is overwritten", []step{read(transfer, 0x1000, 16), write(transfer, 0x2000, 16), write(cpu, 0x2000, 16), read(texture, 0x2000, 8)},
			"1000+16, load 1: 0+8", "1000+16, load 1: 0+8", "load 1: 0+8"},
	} {
		for mode, want := range map[string]string{"cut": c.cut, "pack": c.pack, "strip": c.strip} {
			k := newTracker()
			k.targetRest, k.onlyDraws = mode == "pack", mode == "strip"
			for _, s := range c.steps {
				s(k)
			}
			require.Equal(t, want, needs(k), "%s: %s", mode, c.name)
		}
	}
}

// marked prepends loads of marks to a trace: video memory, all pages that it uses, and unused code.
func marked(t *testing.T, tr *picatrace.Trace) *picatrace.Trace {
	t.Helper()
	whole := player(t, tr)
	frames(t, whole)
	var out bytes.Buffer
	w := testkit.Must(picatrace.NewWriter(&out, tr.Meta, tr.Initial, picatrace.WriterOptions{}))(t)
	mark := func(addr, n uint32) {
		require.NoError(t, w.Load(addr, bytes.Repeat([]byte("MARK"), int(n/4))))
	}
	require.NoError(t, whole.GPU.EachPage(t.Context(), func(addr uint32, page []byte) { mark(addr, pageSize) }))
	mark(pica.VRAMBase, pica.VRAMSize)
	mark(pica.FCRAMBase+0x07F00000, 64<<10)
	whole.GPU.Close()
	for i := range tr.Frames() {
		require.NoError(t, w.CopyFrame(tr, i))
	}
	require.NoError(t, w.Close())
	return parse(t, out.Bytes())
}

// A packed trace draws the same, draw by draw, including the targets, whatever memory held before; so does one packed without Read.
func TestPackDrawsTheSame(t *testing.T) {
	same := func(name string, data []byte) {
		t.Run(name, func(t *testing.T) {
			tr := states.Parse(t, data)
			tr = marked(t, tr)
			look := func(tr *picatrace.Trace) ([]uint64, []string) { // at the frames, then at the draws
				p := player(t, tr)
				all := frames(t, p)
				require.NoError(t, p.Rewind())
				return all, drawn(t, p, 0)
			}
			want, draws := look(tr)
			for _, read := range []bool{true, false} {
				var out bytes.Buffer
				require.NoError(t, Pack(t.Context(), tr, &out, PackOptions{Read: read}))
				gotFrames, gotDraws := look(parse(t, out.Bytes()))
				require.Equal(t, want, gotFrames, "read alone: %v", read)
				require.Equal(t, draws, gotDraws, "read alone: %v", read)
			}
		})
	}
	for _, file := range traces(t) {
		same(file.Name, file.Read(t))
	}
	for _, seed := range []uint64{2, 5, 7, 11} { // their draws use both buffers without clearing them
		same(strconv.FormatUint(seed, 10), states.Make(seed))
	}
}

// If the GPU draws everything that is shown, packed, cut and stripped files contain no byte that is not read.
func TestFilesContainNoUnreadBytes(t *testing.T) {
	o := Options{Writer: picatrace.WriterOptions{Raw: true}}
	for _, file := range testkit.Named(t, "lights", "shadow", "gas", "arcs", "both_screens") {
		tr := states.Parse(t, file.Read(t))
		tr = marked(t, tr)
		marks := func(write func(io.Writer) error) (n int) {
			var out bytes.Buffer
			require.NoError(t, write(&out))
			for _, mark := range []string{"MARK", "ARKM", "RKMA", "KMAR"} {
				n += bytes.Count(out.Bytes(), []byte(mark))
			}
			return n
		}
		pack := func(read bool) int {
			return marks(func(w io.Writer) error { return Pack(t.Context(), tr, w, PackOptions{Options: o, Read: read}) })
		}
		require.NotZero(t, pack(false), file.Name)
		require.Zero(t, pack(true), "%s, packed", file.Name)
		for i := range tr.Frames() {
			require.Zero(t, marks(func(w io.Writer) error { _, err := Strip(t.Context(), tr, i, w, o); return err }), "%s, frame %d stripped", file.Name, i)
			require.Zero(t, marks(func(w io.Writer) error { _, err := Cut(t.Context(), tr, i, i, w, o); return err }), "%s, frame %d cut", file.Name, i)
		}
	}
}
