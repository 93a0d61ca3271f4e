package record

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"image"
	"math/bits"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/citrace"
	"pica200/assets/picatrace"
	"pica200/explain/blame"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/pipeline/retrace"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// hosts maps compiler arguments to compiled programs in hostsDir, which TestMain removes.
var (
	hosts    = map[string]string{}
	hostsDir string
)

func TestMain(m *testing.M) {
	var err error
	if hostsDir, err = os.MkdirTemp("", "record"); err != nil {
		panic(err)
	}
	status := m.Run()
	os.RemoveAll(hostsDir)
	os.Exit(status)
}

// commands lists the registers whose writes start work of the GPU.
var commands = []uint32{
	pica.ExtMemfillControl, pica.ExtMemfillControl + pica.StrideMemfill, pica.ExtTransferStart,
	pica.ExtCommandListStart, pica.ExtCommandListStart + 4,
}

// bases are the start addresses of main and video memory.
var bases = [2]uint32{pica.FCRAMBase, pica.VRAMBase}

func TestHeaderCompiles(t *testing.T) {
	for i, c := range [][]string{
		{"gcc", "-std=c99", "-O2"}, {"g++", "-x", "c++", "-std=c++11"}, // "make test" compiles these two
		{"gcc", "-std=c99"}, {"gcc", "-std=c17", "-O2", "-Wconversion"}, {"g++", "-x", "c++", "-std=c++20", "-O2"},
	} {
		t.Run(strings.Join(c, ""), func(t *testing.T) {
			if i > 1 {
				testkit.Slow(t)
			}
			compile(t, c[0], c[1:]...)
		})
	}
}

// A host's recording replays to the same pictures in every way of tracking memory. It contains no other memory: where the GPU draws
// everything that is shown, none of the marks that fill memory are recorded.
func TestRecordAndReplay(t *testing.T) {
	testkit.Slow(t)
	drawn := []string{"lights", "shadow", "gas", "arcs", "both_screens"}
	for _, file := range testkit.Named(t, append(drawn, "x_xfer", "cubemap", "x_texformats", "b_game", "normal_mapping", "x_shadow", "g_gas1")...) {
		t.Run(file.Name, func(t *testing.T) {
			tr := states.Parse(t, file.Read(t))
			hows := [][]string{nil, {"told"}, {"tracked"}, {"protected"}}
			if slices.Contains(drawn, file.Name) {
				hows = append(hows, []string{"marked"}, []string{"marked", "told"})
			}
			recordsTheSame(t, tr, 0, hows...)
		})
	}
}

// The same holds for random states: textures of all formats with levels and faces, arrays with gaps, indices, nested lists, render
// targets used as textures.
func TestRecordStates(t *testing.T) {
	for seed := range seeds(200) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			data := testkit.Must(citrace.Parse(states.Make(seed)))(t)
			tr := picatrace.FromCiTrace(data)
			g, err := pipeline.Replay(t.Context(), tr, pipeline.Options{}, nil)
			if errors.Is(err, pica.ErrHang) {
				t.Skip("a console hangs in this state")
			}
			require.NoError(t, err)
			g.Close()
			recordsTheSame(t, tr, states.FCRAM, nil, []string{"told"}, []string{"tracked"}, []string{"protected"})
		})
	}
}

// seeds returns the number of random states: n, or a twentieth under -short.
func seeds(n uint64) uint64 {
	if testkit.Short() {
		return n / 20
	}
	return n
}

// recordsTheSame records a trace with each option list and compares the replays.
func recordsTheSame(t *testing.T, tr *picatrace.Trace, fcram uint32, hows ...[]string) {
	t.Helper()
	host := compile(t, "gcc", "-std=c99", "-O2")
	without := loadedLast(t, tr)
	want := picturesBut(t, tr, without)
	in := script(t, tr, fcram)
	for _, how := range hows {
		out := filepath.Join(t.TempDir(), "out.picatrace")
		text, err := exec.Command(host, append([]string{in, out}, how...)...).CombinedOutput()
		if untracked(err) {
			t.Logf("%s", text)
			continue
		}
		require.NoError(t, err, "%s", text)
		rec := open(t, out)
		require.Empty(t, rec.Findings)
		require.Equal(t, picatrace.Meta{Producer: "host.c", Version: "1", Title: "a script of two lines"}, rec.Meta)
		require.Equal(t, want, picturesBut(t, rec, without), "%v", how)
		if slices.Contains(how, "marked") {
			data := testkit.Read(t, out)
			for _, mark := range []string{"MARK", "ARKM", "RKMA", "KMAR"} {
				require.NotContains(t, string(data), mark)
			}
		}
	}
}

// untracked reports whether a host exited because the system cannot track writes.
func untracked(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.ExitCode() == 4
}

// gameFrames is the number of frames of hosts that behave like a game. 10000 frames very probably find every miss, in some minutes
// and 3 GB.
var gameFrames = flag.Int("frames", 100, "frames of TestGame")

// A host that behaves like a game gives the same recording whether memory is compared, or writes are reported by the host, the
// system or page faults.
func TestGame(t *testing.T) {
	testkit.Slow(t)
	game(t, *gameFrames, []string{compileFile(t, "testdata/game.c", "gcc", "-std=c99", "-O2")}, nil, "told", "tracked", "protected")
}

// The same on Windows, which tracks writes differently.
func TestGameOnWindows(t *testing.T) {
	testkit.Slow(t)
	wine, err := exec.LookPath("wine")
	if err != nil {
		t.Skip("no wine")
	}
	host := compileFile(t, "testdata/game.c", "x86_64-w64-mingw32-gcc", "-std=c99", "-O2")
	env := append(os.Environ(), "WINEPREFIX="+t.TempDir(), "WINEDEBUG=-all")
	defer func() {
		end := exec.Command("wineserver", "-k") // stops wine's server
		end.Env = env
		_ = end.Run()
	}()
	game(t, 10, []string{wine, host + ".exe"}, env, "told", "tracked")
}

// game runs a host that behaves like a game and compares its recordings.
func game(t *testing.T, frames int, host, env []string, hows ...string) {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command(host[0], append(host[1:], ".", strconv.Itoa(frames))...)
	cmd.Dir, cmd.Env = dir, env
	text, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", text)
	t.Logf("%s", text)
	compared := open(t, filepath.Join(dir, "compared.picatrace"))
	require.Equal(t, frames+1, compared.Frames())
	for _, how := range hows {
		other := open(t, filepath.Join(dir, how+".picatrace"))
		require.Equal(t, compared.Frames(), other.Frames())
		for i := range compared.Frames() {
			want := testkit.Must(compared.Frame(i))(t)
			require.NotEmpty(t, want.Events)
			got := testkit.Must(other.Frame(i))(t)
			require.True(t, reflect.DeepEqual(contents(want), contents(got)), "%s, frame %d", how, i)
		}
	}
}

// contents returns the events of a frame without file offsets: which of two equal pieces is stored again depends on the recorder's
// key.
func contents(f *picatrace.Frame) []picatrace.Event {
	for i := range f.Events {
		e := &f.Events[i]
		e.Offset = 0
		if e.Kind == picatrace.Load {
			e.Words[1] = 0
		}
	}
	return f.Events
}

// A recorder that protects pages handles only its own faults and restores the host's handler.
func TestRecorderHandlesOnlyItsFaults(t *testing.T) {
	testkit.Slow(t)
	host := compileFile(t, "testdata/faults.c", "gcc", "-std=c99", "-O2")
	for _, handler := range []string{"siginfo", "plain", "default"} {
		path := filepath.Join(t.TempDir(), "out.picatrace")
		runs(t, host, path, handler)
		rec := open(t, path)
		require.Equal(t, 4, rec.Frames())
		var loads []string
		for i := range 4 {
			f := testkit.Must(rec.Frame(i))(t)
			for _, e := range f.Events {
				if e.Kind == picatrace.Load {
					loads = append(loads, fmt.Sprintf("%08X %d %q", e.Words[0], len(e.Data), e.Data[:1]))
				}
			}
		}
		want := []string{`20001000 4096 "a"`, `20001007 2 "b"`, `18000064 1 "v"`, `18000064 1 "w"`, `20001000 4096 "\x00"`}
		for page := range 48 << 20 >> 12 {
			want = append(want, fmt.Sprintf(`%08X 1 "d"`, pica.FCRAMBase+page<<12+9))
		}
		require.True(t, slices.Equal(want, loads), "%s: %d loads", handler, len(loads))
	}
}

// A recording that begins in the middle contains the memory left by earlier frames.
func TestRecordFromTheMiddle(t *testing.T) {
	host := compile(t, "gcc", "-std=c99", "-O2")
	tr := frames(t)
	out := filepath.Join(t.TempDir(), "out.picatrace")
	runs(t, host, script(t, tr, 0), out, "told", "from", "1")
	rec := open(t, out)
	require.Equal(t, tr.Frames()-1, rec.Frames())
	whole := filepath.Join(t.TempDir(), "whole.picatrace")
	runs(t, host, script(t, tr, 0), whole, "told")
	first := testkit.Must(open(t, whole).Frame(1))(t)
	begun := testkit.Must(rec.Frame(0))(t)
	held := map[uint32][]byte{}
	for _, e := range begun.Events {
		if e.Kind == picatrace.Load {
			held[e.Words[0]] = e.Data
		}
	}
	zeroth := testkit.Must(open(t, whole).Frame(0))(t)
	pages := map[uint32]bool{}
	for _, e := range zeroth.Events {
		if e.Kind == picatrace.Load {
			pages[e.Words[0]] = true
		}
	}
	require.NotEmpty(t, pages)
	for page := range pages {
		require.NotNil(t, held[page], "memory loaded by frame 0 at 0x%08X", page)
	}
	commands := func(f *picatrace.Frame) (n int) {
		for _, e := range f.Events {
			if e.Kind != picatrace.Load {
				n++
			}
		}
		return n
	}
	require.Equal(t, commands(first), commands(begun))
}

// frames returns a trace of at least two frames.
func frames(t *testing.T) *picatrace.Trace {
	for _, file := range testkit.Own(t) {
		tr := states.Parse(t, file.Read(t))
		if tr.Frames() > 1 {
			return tr
		}
	}
	t.Fatal("no trace of ours has two frames")
	return nil
}

// Pages that collide under an unkeyed hash, as a game can make them, are each recorded: two at different addresses, and one that
// replaces another. A copy reads them.
func TestPagesWithEqualHashes(t *testing.T) {
	host := compile(t, "gcc", "-std=c99", "-O2")
	one := make([]byte, 4096)
	for i := range one {
		one[i] = byte(i*i>>3+i) | 1
	}
	twins := [][]byte{one, testkit.MurmurTwin(one), changeTwin(one), one}
	const first, second, to = pica.FCRAMBase + 0x1000, pica.FCRAMBase + 0x5000, pica.FCRAMBase + 0x9000
	b := citrace.Builder{Layout: citrace.Tagged}
	for i, page := range twins {
		b.Load(first, page)
		b.Load(second, twins[len(twins)-1-i])
		copyPage(&b, first, to)
		copyPage(&b, second, to)
		b.EndFrame()
	}
	tr := states.Built(t, &b)
	in := script(t, tr, 0)
	for _, how := range [][]string{nil, {"told"}} {
		out := filepath.Join(t.TempDir(), "out.picatrace")
		runs(t, host, append([]string{in, out}, how...)...)
		rec := open(t, out)
		require.Equal(t, len(twins), rec.Frames())
		held := make([]byte, 0x8000) // from the start of main memory
		for i, page := range twins {
			f := testkit.Must(rec.Frame(i))(t)
			for _, e := range f.Events {
				if e.Kind == picatrace.Load {
					copy(held[e.Words[0]-pica.FCRAMBase:], e.Data)
				}
			}
			require.True(t, bytes.Equal(page, held[0x1000:0x2000]), "%v: frame %d", how, i)
			require.True(t, bytes.Equal(twins[len(twins)-1-i], held[0x5000:0x6000]), "%v: frame %d", how, i)
		}
	}
}

// copyPage copies 4 KiB with a texture copy.
func copyPage(b *citrace.Builder, from, to uint32) {
	for _, w := range [][2]uint32{
		{pica.ExtTransferInput, from >> 3}, {pica.ExtTransferOutput, to >> 3}, {pica.ExtTextureCopySize, 4096},
		{pica.ExtTextureCopyInput, 0}, {pica.ExtTextureCopyOutput, 0}, {pica.ExtTransferFlags, 8}, {pica.ExtTransferStart, 1},
	} {
		b.Write(w[0], w[1])
	}
}

// A host whose GPU keeps its drawings reports that the CPU overwrote them with the same bytes as before: exactly the reported range is
// recorded.
func TestReportedWriteOverDrawnMemory(t *testing.T) {
	const at, to = pica.FCRAMBase + 0x1000, pica.FCRAMBase + 0x9000
	old := bytes.Repeat([]byte{0x11, 0x22, 0x33, 0x44}, 1024)
	b := citrace.Builder{Layout: citrace.Tagged}
	b.Load(at, old)
	copyPage(&b, at, to)
	for _, w := range [][2]uint32{
		{pica.ExtMemfillStart, at >> 3}, {pica.ExtMemfillEnd, (at + 4096) >> 3}, {pica.ExtMemfillValue, 0xAABBCCDD}, {pica.ExtMemfillControl, 0x201},
	} {
		b.Write(w[0], w[1])
	}
	b.Load(at+100, old[100:200])
	b.Load(at+300, old[300:304])
	copyPage(&b, at, to)
	b.EndFrame()
	copyPage(&b, at, to)
	b.EndFrame()
	tr := states.Built(t, &b)
	out := filepath.Join(t.TempDir(), "out.picatrace")
	runs(t, compile(t, "gcc", "-std=c99", "-O2"), script(t, tr, 0), out, "told")
	g := testkit.Must(pipeline.Replay(t.Context(), open(t, out), pipeline.Options{}, nil))(t)
	defer g.Close()
	want := bytes.Repeat([]byte{0xDD, 0xCC, 0xBB, 0xAA}, 1024)
	copy(want[100:304], old[100:304]) // the reported range
	got := testkit.Must(g.Read(to, 4096))(t)
	require.Equal(t, want, bytes.Clone(got))
}

// changeTwin returns another page with the same unkeyed sum (the change detection of earlier versions): the first of its four lanes
// is corrected 32 bytes later.
func changeTwin(page []byte) []byte {
	le := binary.LittleEndian
	lane := func(b []byte) uint64 { return bits.RotateLeft64(le.Uint64(b), 29) * 0x9E3779B97F4A7C15 }
	twin := bytes.Clone(page)
	twin[0] ^= 1
	le.PutUint64(twin[32:], le.Uint64(page[32:])^lane(page)^lane(twin))
	return twin
}

// From a host to one frame to share: recorded, packed with screenshots, replayed, cut to one frame, blamed against screenshots,
// stripped to its draws; each step gives the same pictures.
func TestFromHostToOneFrame(t *testing.T) {
	testkit.Slow(t)
	host := compile(t, "gcc", "-std=c99", "-O2")
	// Two frames of three draws, shown on the top screen.
	tr := states.Parse(t, testkit.Named(t, "lights")[0].Read(t))
	require.Equal(t, 2, tr.Frames())
	want := pictures(t, tr)
	path := filepath.Join(t.TempDir(), "out.picatrace")
	runs(t, host, script(t, tr, 0), path)
	recorded := open(t, path)
	require.Equal(t, want, pictures(t, recorded))

	step := func(write func(out *bytes.Buffer) error) *picatrace.Trace {
		t.Helper()
		var out bytes.Buffer
		require.NoError(t, write(&out))
		next := states.Parse(t, out.Bytes())
		require.Empty(t, next.Findings)
		return next
	}
	packed := step(func(out *bytes.Buffer) error {
		return retrace.Pack(t.Context(), recorded, out, retrace.PackOptions{Screens: true})
	})
	require.Equal(t, want, pictures(t, packed))
	testkit.Must(retrace.Verify(t.Context(), packed, 0))(t)
	for frame := range packed.Frames() {
		cut := step(func(out *bytes.Buffer) error {
			_, err := retrace.Cut(t.Context(), packed, frame, frame, out, retrace.Options{})
			return err
		})
		require.Equal(t, want[frame:frame+1], pictures(t, cut))
		testkit.Must(retrace.Verify(t.Context(), cut, 0))(t)
		blamed(t, cut)
		stripped := step(func(out *bytes.Buffer) error {
			_, err := retrace.Strip(t.Context(), cut, 0, out, retrace.Options{})
			return err
		})
		require.Equal(t, want[frame:frame+1], pictures(t, stripped), "each frame draws all of its screens")
		require.Empty(t, stripped.Meta.Title)
	}
}

// blamed compares a recording of one frame with screenshots of its top screen: an unchanged frame has no differences, and a draw
// without green is identified, for every draw.
func blamed(t *testing.T, tr *picatrace.Trace) {
	t.Helper()
	r := testkit.Must(pipeline.NewReplayer(tr, pipeline.ReplayerOptions{}))(t)
	// screenshot draws the frame with green masked in one draw, or in none for -1.
	screenshot := func(without int) image.Image {
		require.NoError(t, r.Visit(t.Context(), pipeline.Position{Draw: pipeline.FrameEnd}, func(g *pipeline.GPU) error {
			r.Invalidate()
			var old uint32
			g.BeforeDraw = func(d *pipeline.DrawInfo) error {
				if d.Index != without {
					return nil
				}
				old = g.ReadInternal(pica.ColorMaskG.Reg)
				require.True(t, pica.ColorMaskG.BoolOf(old), "the changed field had another value")
				return g.WriteInternal(t.Context(), pica.ColorMaskG.Reg, pica.ColorMaskG.PutBool(old, false))
			}
			g.AfterDraw = func(d *pipeline.DrawInfo) error {
				if d.Index != without {
					return nil
				}
				return g.WriteInternal(t.Context(), pica.ColorMaskG.Reg, old)
			}
			return nil
		}))
		return r.GPU.Screen(pipeline.ScreenTop)
	}
	rep := testkit.Must(blame.Run(t.Context(), r, screenshot(-1), blame.Options{}))(t)
	require.Equal(t, "top", rep.Screen)
	require.Equal(t, 400*240, rep.Compared)
	require.Zero(t, rep.Differing)
	require.Empty(t, rep.Suspects)

	draws := testkit.Must(r.Draws(t.Context(), 0))(t)
	require.Greater(t, len(draws), 1, "the frame has several draws")
	for number := range draws {
		rep := testkit.Must(blame.Run(t.Context(), r, screenshot(number), blame.Options{}))(t)
		require.Equal(t, "top", rep.Screen)
		require.NotZero(t, rep.Differing, "draw %d without green changes a pixel", number)
		require.NotEmpty(t, rep.Suspects)
		require.Equal(t, number, rep.Suspects[0].Draw, "%+v", rep.Suspects)
	}
}

// Pages that are mapped one by one, more than the recorder searches, are tracked while they are contiguous. A remapped page is
// tracked at its new place.
func TestRemappedPagesAreTracked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.picatrace")
	out := runs(t, compileFile(t, "testdata/mapped.c", "gcc"), path)
	if out == "not tracked\n" {
		t.Skip("the system tracks no pages")
	}
	require.Equal(t, "tracked 1\n", out)
	data := testkit.Read(t, path)
	tr := states.Parse(t, data)
	half := func(a, b string) string { return strings.Repeat(a, 2048) + strings.Repeat(b, 2048) }
	want := []string{half("a", "a") + half("b", "b"), half("a", "a") + half("c", "c"), half("e", "a") + half("d", "c")}
	n := 0
	_, err := pipeline.Replay(t.Context(), tr, pipeline.Options{}, func(g *pipeline.GPU, _ pipeline.Frame) error {
		got := testkit.Must(g.Read(pica.VRAMBase, 8192))(t)
		require.Equal(t, want[n], string(got), "frame %d", n)
		n++
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, len(want), n)
}

// If the host dies in a frame, the recording keeps the frames before it.
func TestRecordingSurvivesHostCrash(t *testing.T) {
	host := compile(t, "gcc", "-std=c99", "-O2")
	tr := frames(t)
	want := pictures(t, tr)
	in := script(t, tr, 0)
	for die := range tr.Frames() {
		out := filepath.Join(t.TempDir(), "out.picatrace")
		err := exec.Command(host, in, out, "told", "die", strconv.Itoa(die)).Run()
		var exit *exec.ExitError
		require.True(t, errors.As(err, &exit) && exit.ExitCode() == 9, "%v", err)
		rec := open(t, out)
		require.Equal(t, die, rec.Frames())
		if die > 0 {
			require.Equal(t, want[:die], pictures(t, rec))
		}
	}
}

// A recording truncated at any byte of its last frame reads up to the last complete frame.
func TestRecordingTruncatedAtEveryByte(t *testing.T) {
	host := compile(t, "gcc", "-std=c99", "-O2")
	out := filepath.Join(t.TempDir(), "out.picatrace")
	tr := frames(t)
	runs(t, host, script(t, tr, 0), out, "told")
	data := testkit.Read(t, out)
	short := filepath.Join(t.TempDir(), "short.picatrace")
	_ = exec.Command(host, script(t, tr, 0), short, "told", "die", strconv.Itoa(tr.Frames()-1)).Run() // the host dies in its last frame
	before := testkit.Must(os.Stat(short))(t)
	require.Less(t, int(before.Size()), len(data))
	for n := int(before.Size()); n < len(data); n++ {
		rec := states.Parse(t, data[:n])
		require.Equal(t, tr.Frames()-1, rec.Frames(), "%d of %d bytes", n, len(data))
		for i := range rec.Frames() {
			testkit.Must(rec.Frame(i))(t)
		}
	}
}

// Wrong calls by a host are reported, cause no memory errors and keep earlier recordings. Wrong options leave an existing file
// unchanged.
func TestWrongHostCallsAreReported(t *testing.T) {
	host := compileFile(t, "testdata/edges.c", "gcc", "-std=c99", "-O1", "-Wshadow", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
	dir := t.TempDir()
	refused := []string{"overlap", "nodata", "unaligned", "behind", "many", "negative"}
	for _, name := range refused {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".picatrace"), []byte("mine"), 0o644))
	}
	text := runs(t, host, dir)
	for _, name := range refused {
		data := testkit.Read(t, filepath.Join(dir, name+".picatrace"))
		require.Equal(t, "mine", string(data))
	}
	require.Contains(t, text, "overlap: two memory regions overlap (1)\n")
	require.Contains(t, text, "nodata: a memory region has no data (1)\n")
	require.Contains(t, text, "width: pica200_record_write: registers are written by 1, 2, 4 or 8 bytes (1)\n")
	for _, line := range []string{
		"check nothing: not given, and 0: external registers, registers of the screens, internal registers, fixed attributes, code of the vertex shader, " +
			"operand descriptors of the vertex shader, uniforms of the vertex shader, code of the geometry shader, operand descriptors of the geometry shader, " +
			"uniforms of the geometry shader, lighting tables, fog table, gas table, noise table, colour map of the procedural texture, " +
			"alpha map of the procedural texture, colours of the procedural texture, differences of these colours\n",
		"check most: not given, and 0: lighting tables; external registers: a line of the top screen has 0 bytes (0x10400490)\n",
		"check all: well\n",
		"check floats: uniforms of the vertex shader: word 383 has more than 24 bits; pica200_float24 makes them of a float\n",
		"check none: no recorder\n",
	} {
		require.Contains(t, text, line)
	}
	for name, frames := range map[string]int{
		"beside": 0, "width": 1, "picture": 1, "late": 1, "changed": 2, "outside": 2, "screen": 2, "early": 0, "unbegun": 0, "frames": 5000,
	} {
		rec := open(t, filepath.Join(dir, name+".picatrace"))
		require.Equal(t, frames, rec.Frames(), name)
		require.Equal(t, name, rec.Meta.Producer)
		for i := range min(frames, 3) {
			testkit.Must(rec.Frame(max(0, frames-1-i)))(t, name)
		}
		require.Regexp(t, "^€*$", rec.Meta.Title, "the title is cut between characters")
	}
}

// A full disk ends the recording; the host continues.
func TestDiskFull(t *testing.T) {
	host := compile(t, "gcc", "-std=c99", "-O2")
	tr := frames(t)
	in := script(t, tr, 0)
	for _, blocks := range []string{"0", "1", "8"} { // 512 bytes or 1 KiB each, depending on the shell
		out := filepath.Join(t.TempDir(), "out.picatrace")
		cmd := exec.Command("sh", "-c", `ulimit -f `+blocks+`; exec "$0" "$@"`, host, in, out, "told")
		text, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		require.True(t, errors.As(err, &exit) && exit.ExitCode() == 1, "%s: %v", text, err)
		require.Contains(t, string(text), "is the disk full?")
		require.Contains(t, string(text), strconv.Itoa(tr.Frames())+" frames", "the host continues to its end")
		if data, err := os.ReadFile(out); err == nil && len(data) > 16 {
			rec := states.Parse(t, data)
			require.Less(t, rec.Frames(), tr.Frames())
		}
	}
}
