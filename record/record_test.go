package record

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"maps"
	"math"
	"math/bits"
	"math/rand/v2"
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
	"pica200/assets/texture"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/pipeline/retrace"
	"pica200/replay/blame"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// compile compiles a host with a C or C++ compiler and says where it is.
func compile(t *testing.T, compiler string, flags ...string) string {
	t.Helper()
	return compileFile(t, "testdata/host.c", compiler, flags...)
}

func compileFile(t *testing.T, file, compiler string, flags ...string) string {
	t.Helper()
	cc, err := exec.LookPath(compiler)
	if err != nil {
		t.Skip("no C compiler")
	}
	for _, name := range []string{"pica200_record.h", file} {
		_, err := os.ReadFile(name) // so that go test knows that the result depends on it
		require.NoError(t, err)
	}
	args := append(flags, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I.", file)
	key := strings.Join(append(args, cc), " ")
	if hosts[key] == "" {
		host := filepath.Join(hostsDir, fmt.Sprint("host", len(hosts)))
		out, err := exec.Command(cc, append(args, "-o", host)...).CombinedOutput()
		require.NoError(t, err, "%s", out)
		hosts[key] = host
	}
	return hosts[key]
}

// hosts are the programs that were compiled, by how, in a folder that ends with the tests.
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

// script writes down for the host what a trace does. fcram is 0 for a host whose GPU
// keeps what it draws, or the bytes of main memory of one whose GPU writes to memory.
func script(t *testing.T, tr *picatrace.Trace, fcram uint32) string {
	t.Helper()
	var out []byte
	words := func(w ...uint32) {
		for _, v := range w {
			out = binary.LittleEndian.AppendUint32(out, v)
		}
	}
	var gpu *pipeline.GPU
	if fcram != 0 {
		p, err := pipeline.NewPlayer(tr, pipeline.Options{FCRAM: fcram})
		require.NoError(t, err)
		gpu = p.GPU
		defer gpu.Close()
	}
	for _, b := range picatrace.Blocks() {
		if len(tr.Initial[b]) > 0 {
			words(4, uint32(b), uint32(len(tr.Initial[b])))
			words(tr.Initial[b]...)
		}
	}
	for i := range tr.Frames() {
		f, err := tr.Frame(i)
		require.NoError(t, err)
		for _, e := range f.Events {
			if e.Kind == picatrace.Load {
				words(1, e.Words[0], uint32(len(e.Data)))
				out = append(out, e.Data...)
				if gpu != nil {
					require.NoError(t, gpu.Load(t.Context(), e.Words[0], e.Data))
				}
				continue
			}
			words(2)
			words(e.Words[:4]...)
			if gpu == nil {
				continue
			}
			var before [2][]byte
			command := slices.Contains(commands, e.Words[0])
			if command {
				before = memory(t, gpu, fcram)
			}
			require.NoError(t, gpu.WriteRegister(t.Context(), e.Words[0], uint64(e.Words[3])<<32|uint64(e.Words[2]), uint8(e.Words[1])))
			if !command {
				continue
			}
			for r, after := range memory(t, gpu, fcram) {
				for at := 0; at < len(after); at += 256 {
					if page := after[at:min(at+256, len(after))]; !bytes.Equal(page, before[r][at:at+len(page)]) {
						words(5, bases[r]+uint32(at), uint32(len(page)))
						out = append(out, page...)
					}
				}
			}
		}
		words(3)
	}
	words(0)
	path := filepath.Join(t.TempDir(), "script")
	require.NoError(t, os.WriteFile(path, out, 0o644))
	return path
}

// commands are the registers whose writes make the GPU work.
var commands = []uint32{
	pica.ExtMemfillControl, pica.ExtMemfillControl + pica.StrideMemfill, pica.ExtTransferStart,
	pica.ExtCommandListStart, pica.ExtCommandListStart + 4,
}

// bases is where main and video memory begin.
var bases = [2]uint32{pica.FCRAMBase, pica.VRAMBase}

// memory is a copy of what main and video memory hold when all is drawn.
func memory(t *testing.T, g *pipeline.GPU, fcram uint32) (held [2][]byte) {
	require.NoError(t, g.Finish(t.Context()))
	for i, size := range [2]uint32{fcram, pica.VRAMSize} {
		data, err := g.Read(bases[i], size)
		require.NoError(t, err)
		held[i] = bytes.Clone(data)
	}
	return held
}

// pictures replays a recording and gives a sum of both screens and of the
// render target for each frame.
func pictures(t *testing.T, tr *picatrace.Trace) [][32]byte {
	t.Helper()
	return picturesBut(t, tr, nil)
}

// picturesBut is pictures without the render target in some of the frames.
func picturesBut(t *testing.T, tr *picatrace.Trace, without []bool) [][32]byte {
	t.Helper()
	var all [][32]byte
	g, err := pipeline.Replay(context.Background(), tr, pipeline.Options{}, func(g *pipeline.GPU, f pipeline.Frame) error {
		var b bytes.Buffer
		b.Write(g.Screen(pipeline.ScreenTop).Pix)
		b.Write(g.Screen(pipeline.ScreenBottom).Pix)
		b.Write(g.Screen(pipeline.ScreenTopRight).Pix)
		if target, err := g.LastTarget(); err == nil && (without == nil || !without[f.Index]) {
			b.Write(target.Color)
		}
		all = append(all, sha256.Sum256(b.Bytes()))
		return nil
	})
	require.NoError(t, err)
	g.Close()
	return all
}

// loadedLast says of each frame whether memory is loaded after the last command before
// its end: the GPU does not read that, so a recording need not have it.
func loadedLast(t *testing.T, tr *picatrace.Trace) (last []bool) {
	now := false
	for i := range tr.Frames() {
		f, err := tr.Frame(i)
		require.NoError(t, err)
		for _, e := range f.Events {
			now = e.Kind == picatrace.Load || now && !slices.Contains(commands, e.Words[0])
		}
		last = append(last, now)
	}
	return last
}

func open(t *testing.T, path string) *picatrace.Trace {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	tr, err := picatrace.Parse(data)
	require.NoError(t, err)
	return tr
}

func TestHeaderCompiles(t *testing.T) {
	for _, c := range [][]string{
		{"gcc", "-std=c99"}, {"gcc", "-std=c17", "-O2", "-Wconversion"}, {"g++", "-x", "c++", "-std=c++11"}, {"g++", "-x", "c++", "-std=c++20", "-O2"},
	} {
		t.Run(c[0]+c[len(c)-1], func(t *testing.T) { compile(t, c[0], c[1:]...) })
	}
}

// What a host records replays to the same pictures as what it did, whether memory is
// compared or the host tells what changed. Nothing of the rest of memory is in the
// file: where all a program shows was drawn by the GPU, memory full of marks leaves
// no mark.
func TestRecordAndReplay(t *testing.T) {
	testkit.Slow(t)
	drawn := testkit.Named(t, "lights", "shadow", "gas", "arcs", "both_screens")
	for _, file := range slices.Concat(drawn, testkit.Named(t, "x_xfer", "cubemap", "x_texformats", "b_game", "normal_mapping", "x_shadow", "g_gas1")) {
		t.Run(file.Name, func(t *testing.T) {
			tr, err := picatrace.Parse(file.Read(t))
			require.NoError(t, err)
			hows := [][]string{nil, {"told"}, {"tracked"}}
			if slices.ContainsFunc(drawn, func(d testkit.Trace) bool { return d.Name == file.Name }) {
				hows = append(hows, []string{"marked"}, []string{"marked", "told"})
			}
			recordsTheSame(t, tr, 0, hows...)
		})
	}
}

// The same of random states, which use all that the GPU reads: textures of all formats
// with levels and sides, arrays with gaps, indices, lists in lists, targets that are
// textures too.
func TestRecordStates(t *testing.T) {
	for seed := range seeds(200) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			data, err := citrace.Parse(states.Make(seed))
			require.NoError(t, err)
			recordsTheSame(t, picatrace.FromCiTrace(data), states.FCRAM, nil, []string{"told"}, []string{"tracked"})
		})
	}
}

// What is read of memory, a thing at a time. Each case has main memory full of bytes that
// are not 0, loaded in one piece; what the recording has of it must be all of some
// ranges, and nothing of others.
func TestReads(t *testing.T) {
	host := compile(t, "gcc", "-std=c99", "-O2")
	const (
		base                   = pica.FCRAMBase
		list, second           = base, base + 0x1000
		arrays, texture, depth = base + 0x2000, base + 0x4000, base + 0x8000
		size                   = 0x10000
	)
	type span struct{ addr, bytes uint32 }
	type writes = [][2]uint32
	// unit turns on texture unit 1, of 8x8 texels of 8 bits.
	unit := writes{{0x080, 0x1002}, {0x092, 8<<16 | 8}, {0x095, texture >> 3}, {0x096, 7}}
	draw := writes{{0x228, 1}, {0x22E, 1}}
	array := writes{{0x200, arrays >> 3}, {0x203, 0x100}, {0x204, 0}, {0x205, 1<<28 | 4<<16}, {0x201, 3 << 2}, {0x2B9, 0}}
	target := writes{{0x11C, depth >> 3}, {0x11E, 7<<12 | 8}, {0x116, 0}}
	whole := span{texture, 64}
	// transfer writes an image of 8 by so many pixels, tiled as it is read.
	transfer := func(height uint32) writes {
		return writes{{pica.ExtTransferInput, texture >> 3}, {pica.ExtTransferOutput, depth >> 3}, {pica.ExtTransferInputDim, height<<16 | 8},
			{pica.ExtTransferOutputDim, height<<16 | 8}, {pica.ExtTransferFlags, 1 << 5}, {pica.ExtTransferStart, 1}}
	}
	for name, c := range map[string]struct {
		list    []writes
		indices []byte // at arrays + 0x40
		other   writes // of external registers
		has     []span
		lacks   []span
	}{
		"a unit that nothing names":      {[]writes{unit, draw}, nil, nil, nil, []span{whole}},
		"a source":                       {[]writes{unit, {{0x0C0, 4}}, draw}, nil, nil, []span{whole}, []span{{texture + 64, 64}}},
		"a source of alpha":              {[]writes{unit, {{0x0F8, 4 << 16}}, draw}, nil, nil, []span{whole}, nil},
		"a second source that is unused": {[]writes{unit, {{0x0D0, 0x40}}, draw}, nil, nil, nil, []span{whole}},
		"a second source":                {[]writes{unit, {{0x0D0, 0x40}, {0x0D2, 1}}, draw}, nil, nil, []span{whole}, nil},
		"a third source that is unused":  {[]writes{unit, {{0x0D0, 0x400}, {0x0D2, 7}}, draw}, nil, nil, nil, []span{whole}},
		"a third source":                 {[]writes{unit, {{0x0D0, 0x400}, {0x0D2, 4}}, draw}, nil, nil, []span{whole}, nil},
		"a third source of alpha":        {[]writes{unit, {{0x0D0, 0x400 << 16}, {0x0D2, 8 << 16}}, draw}, nil, nil, []span{whole}, nil},
		"a bump map":                     {[]writes{unit, {{0x08F, 1}, {0x1C3, 1<<28 | 1<<22}}, draw}, nil, nil, []span{whole}, nil},
		"a bump map of another unit":     {[]writes{unit, {{0x08F, 1}, {0x1C3, 1<<28 | 2<<22}}, draw}, nil, nil, nil, []span{whole}},
		"a bump map without lighting":    {[]writes{unit, {{0x1C3, 1<<28 | 1<<22}}, draw}, nil, nil, nil, []span{whole}},
		"a shadow map":                   {[]writes{unit, {{0x08F, 1}, {0x1C3, 1 | 1<<24}}, draw}, nil, nil, []span{whole}, nil},
		"no shadows":                     {[]writes{unit, {{0x08F, 1}, {0x1C3, 1 << 24}}, draw}, nil, nil, nil, []span{whole}},
		"levels": {[]writes{unit, {{0x094, 3 << 16}, {0x0C0, 4}}, draw}, nil, nil,
			[]span{{texture, 4 * 64}}, []span{{texture + 4*64, 64}}}, // of 8, 4, 2 and 1 texels, a tile each
		"levels beyond the last": {[]writes{unit, {{0x094, 9 << 16}, {0x0C0, 4}}, draw}, nil, nil, []span{{texture, 4 * 64}}, []span{{texture + 4*64, 64}}},
		"sides of a cube": {[]writes{{{0x080, 0x1001}, {0x082, 8<<16 | 8}, {0x085, texture >> 3}, {0x08E, 7}, {0x083, 1 << 28}, {0x0C0, 3},
			{0x086, (texture + 0x200) >> 3}, {0x08A, (texture + 0x400) >> 3}}, draw}, nil, nil,
			[]span{whole, {texture + 0x200, 64}, {texture + 0x400, 64}}, []span{{texture + 0x40, 64}, {texture + 0x440, 64}}},
		"a unit that is disabled by its type": {[]writes{{{0x080, 0x1001}, {0x082, 8<<16 | 8}, {0x085, texture >> 3}, {0x08E, 7}, {0x083, 5 << 28}, {0x0C0, 3}}, draw},
			nil, nil, nil, []span{whole}},
		"vertices in the list":                {[]writes{unit, {{0x0C0, 4}, {0x232, 15}, {0x233, 1}}}, nil, nil, []span{whole}, nil},
		"a fixed attribute":                   {[]writes{unit, {{0x0C0, 4}, {0x232, 13}, {0x233, 1}, {0x234, 1}, {0x235, 1}, {0x233, 1}}}, nil, nil, nil, []span{whole}},
		"fixed attributes up to the vertices": {[]writes{unit, {{0x0C0, 4}, {0x232, 14}, {0x233, 1}, {0x234, 1}, {0x235, 1}, {0x233, 1}}}, nil, nil, []span{whole}, nil},
		"vertices from the first on":          {[]writes{array, {{0x22A, 3}, {0x228, 2}, {0x22E, 1}}}, nil, nil, []span{{arrays + 0x10C, 8}}, []span{{arrays + 0x100, 12}, {arrays + 0x114, 64}}},
		"an array that no attribute takes":    {[]writes{array, {{0x204, 5}, {0x22A, 3}, {0x228, 2}, {0x22E, 1}}}, nil, nil, nil, []span{{arrays, 0x1000}}},
		"bytes as indices":                    {[]writes{array, {{0x227, 0x40}, {0x228, 3}, {0x22F, 1}}}, []byte{6, 4, 5, 1}, nil, []span{{arrays + 0x40, 3}, {arrays + 0x110, 12}}, []span{{arrays + 0x43, 0xBD}, {arrays + 0x11C, 64}}},
		"words as indices":                    {[]writes{array, {{0x227, 1<<31 | 0x40}, {0x228, 2}, {0x22F, 1}}}, []byte{2, 1, 3, 1}, nil, []span{{arrays + 0x40, 4}, {arrays + 0x100 + 4*258, 8}}, []span{{arrays + 0x100, 4 * 258}}},
		"primitives that say their number": {[]writes{array, {{0x229, 2}, {0x252, 1}, {0x227, 0x40}, {0x228, 8}, {0x22F, 1}}}, []byte{3, 6, 7, 8, 3, 9, 10, 11}, nil,
			[]span{{arrays + 0x100 + 24, 24}}, []span{{arrays + 0x100, 24}, {arrays + 0x100 + 48, 64}}},
		"a depth test":                    {[]writes{target, {{0x114, 2}, {0x107, 1 | 4<<4}}, draw}, nil, nil, []span{{depth, 128}}, []span{{depth + 128, 64}}},
		"a depth test that always passes": {[]writes{target, {{0x114, 2}, {0x107, 1 | 1<<4}}, draw}, nil, nil, nil, []span{{depth, 128}}},
		"depth that is written":           {[]writes{target, {{0x115, 2}, {0x107, 1 << 12}}, draw}, nil, nil, []span{{depth, 128}}, nil},
		"depth that may not be":           {[]writes{target, {{0x107, 1<<12 | 1 | 4<<4}}, draw}, nil, nil, nil, []span{{depth, 128}}},
		"gas before a depth buffer":       {[]writes{target, {{0x100, 1}, {0x114, 2}, {0x126, 2 << 24}}, draw}, nil, nil, []span{{depth, 128}}, nil},
		"gas before none":                 {[]writes{target, {{0x100, 1}, {0x114, 2}, {0x126, 1 << 24}}, draw}, nil, nil, nil, []span{{depth, 128}}},
		"a list in a list":                {[]writes{{{0x23B, second >> 3}, {0x239, 0x40 >> 3}, {0x23D, 1}}}, nil, nil, []span{{second, 0x40}}, []span{{second + 0x40, 64}}},
		"a copy with gaps": {nil, nil, writes{{pica.ExtTransferInput, texture >> 3}, {pica.ExtTransferOutput, depth >> 3}, {pica.ExtTextureCopySize, 64},
			{pica.ExtTextureCopyInput, 1<<16 | 2}, {pica.ExtTextureCopyOutput, 0}, {pica.ExtTransferFlags, 12}, {pica.ExtTransferStart, 1}}, []span{{texture, 32}, {texture + 48, 32}}, []span{{texture + 32, 16}, {texture + 80, 64}, {depth, 128}}},
		"a transfer to part of a tile": {nil, nil, transfer(12), []span{{texture, 8 * 12 * 4}, {depth, 8 * 16 * 4}}, nil},
		"a transfer to whole tiles":    {nil, nil, transfer(16), []span{{texture, 8 * 16 * 4}}, []span{{depth, 8 * 16 * 4}}},
		"both eyes":                    {nil, nil, writes{{pica.ExtPdcFormat, 2 | 2<<4}, {pica.ExtPdcStride, 0}, {pica.ExtPdcAddrA0, texture}, {pica.ExtPdcAddrB0, depth}}, []span{{texture, 480}, {depth, 480}}, []span{{texture + 480, 64}, {depth + 480, 64}}},
		"one eye":                      {nil, nil, writes{{pica.ExtPdcFormat, 2 | 1<<6}, {pica.ExtPdcStride, 0}, {pica.ExtPdcAddrA0, texture}, {pica.ExtPdcAddrB0, depth}}, []span{{texture, 480}}, []span{{texture + 480, 64}, {depth, 480}}},
	} {
		t.Run(name, func(t *testing.T) {
			var b citrace.Builder
			b.Layout = citrace.Tagged
			memory := bytes.Repeat([]byte{0xA5}, size)
			copy(memory[arrays-base+0x40:], c.indices)
			at := 0
			for _, w := range slices.Concat(append(c.list, writes{{0x010, 1}})...) {
				binary.LittleEndian.PutUint32(memory[at:], w[1])
				binary.LittleEndian.PutUint32(memory[at+4:], w[0]|0xF0000)
				at += 8
			}
			b.Load(base, memory)
			if c.list != nil {
				b.Write(pica.ExtCommandListSize, uint32(at)>>3)
				b.Write(pica.ExtCommandListAddr, list>>3)
				b.Write(pica.ExtCommandListStart, 1)
			}
			for _, w := range c.other {
				b.Write(w[0], w[1])
			}
			b.EndFrame()
			data, err := b.Encode()
			require.NoError(t, err)
			tr, err := picatrace.Parse(data)
			require.NoError(t, err)
			out := filepath.Join(t.TempDir(), "out.picatrace")
			text, err := exec.Command(host, script(t, tr, 0), out).CombinedOutput()
			require.NoError(t, err, "%s", text)
			held := make([]byte, size)
			frame, err := open(t, out).Frame(0)
			require.NoError(t, err)
			for _, e := range frame.Events {
				if e.Kind == picatrace.Load {
					copy(held[e.Words[0]-base:], e.Data)
				}
			}
			for _, s := range c.has {
				require.Equal(t, memory[s.addr-base:][:s.bytes], held[s.addr-base:][:s.bytes], "the %d bytes at 0x%08X", s.bytes, s.addr)
			}
			for _, s := range c.lacks {
				require.Equal(t, make([]byte, s.bytes), held[s.addr-base:][:s.bytes], "the %d bytes at 0x%08X", s.bytes, s.addr)
			}
		})
	}
}

// No byte is in a recording that the GPU does not read, that lies in a target of a draw,
// or that a screen shows.
func TestRecordsNothingElse(t *testing.T) {
	host := compile(t, "gcc", "-std=c99", "-O2")
	loaded := 0
	for seed := range seeds(40) {
		data, err := citrace.Parse(states.Make(seed))
		require.NoError(t, err)
		tr := picatrace.FromCiTrace(data)
		p, err := pipeline.NewPlayer(tr, pipeline.Options{FCRAM: states.FCRAM})
		require.NoError(t, err)
		may := &reads{make([]bool, states.FCRAM), make([]bool, pica.VRAMSize)}
		p.GPU.MemoryUse = may
		p.GPU.BeforeDraw = func(d *pipeline.DrawInfo) error {
			w, h := uint64(pica.FramebufferWidth.Get(d.Regs)), uint64(pica.FramebufferHeight.Get(d.Regs)+1)
			tiling := pica.Tiled8
			if pica.FramebufferBlock32.Bool(d.Regs) {
				tiling = pica.Tiled32
			}
			color, depth := pica.ColorFormat(pica.ColorbufferFormat.Get(d.Regs)), pica.DepthFormat(pica.DepthbufferFormat.Get(d.Regs))
			may.Reads(pipeline.UseTarget, pica.ColorbufferLoc.Addr(d.Regs), uint32(tiling.Bytes(w, w, h, uint64(color.Bytes()))))
			may.Reads(pipeline.UseTarget, pica.DepthbufferLoc.Addr(d.Regs), uint32(tiling.Bytes(w, w, h, uint64(depth.Bytes()))))
			may.textures(d.Regs)
			return nil
		}
		for range tr.Frames() {
			_, err := p.NextFrame(t.Context())
			require.NoError(t, err)
			for _, s := range []pipeline.Screen{pipeline.ScreenTop, pipeline.ScreenBottom, pipeline.ScreenTopRight} {
				p.GPU.Screen(s)
			}
		}
		out := filepath.Join(t.TempDir(), "out.picatrace")
		text, err := exec.Command(host, script(t, tr, states.FCRAM), out).CombinedOutput()
		require.NoError(t, err, "%s", text)
		rec := open(t, out)
		for i := range rec.Frames() {
			f, err := rec.Frame(i)
			require.NoError(t, err)
			for _, e := range f.Events {
				if k := slices.Index(may.of(e.Words[0], uint32(len(e.Data))), false); k >= 0 {
					t.Fatalf("seed %d, frame %d: the byte at 0x%08X of the %d at 0x%08X", seed, i, e.Words[0]+uint32(k), len(e.Data), e.Words[0])
				}
				loaded += len(e.Data)
			}
		}
		p.GPU.Close()
	}
	require.NotZero(t, loaded)
}

// reads are the bytes that the GPU may read, of main and of video memory.
type reads [2][]bool

// of gives the bytes from an address on, up to n and to the end of the memory.
func (m *reads) of(addr, n uint32) []bool {
	for i, base := range bases {
		if at := uint64(addr) - uint64(base); addr >= base && at < uint64(len(m[i])) {
			return m[i][at:min(at+uint64(n), uint64(len(m[i])))]
		}
	}
	return nil
}

func (m *reads) Reads(_ pipeline.Use, addr, n uint32) {
	read := m.of(addr, n)
	for i := range read {
		read[i] = true
	}
}

// Writes adds what is written in part: the rest stays.
func (m *reads) Writes(u pipeline.Use, addr, n uint32, whole bool) {
	if !whole {
		m.Reads(u, addr, n)
	}
}

// textures adds those of a draw that combiners or lighting name, also where the result
// is used by nothing.
func (m *reads) textures(r *pica.Regs) {
	for i := range 3 {
		at := pica.TexunitOffset(i)
		named := pica.LightingEnable.Bool(r) && (int(pica.LightingBumpTexture.Get(r)) == i || int(pica.LightingShadowTexture.Get(r)) == i)
		for _, stage := range []pica.Reg{pica.RegTexenv0Source, pica.RegTexenv1Source, pica.RegTexenv2Source, pica.RegTexenv3Source, pica.RegTexenv4Source, pica.RegTexenv5Source} {
			for shift := 0; shift < 32; shift += 4 {
				named = named || int(r[stage]>>shift&15) == 3+i
			}
		}
		if !named || r[pica.RegTexunitConfig]>>i&1 == 0 {
			continue
		}
		format := pica.TextureFormat(pica.TexunitFormat(i).Get(r))
		if !pica.TextureFormats.Has(uint32(format)) {
			continue
		}
		bytes := 0
		for level := range pica.TexunitLodMax.At(at).Get(r) + 1 {
			side := func(n uint32) int { return int(max(n>>level, 1)+7) &^ 7 }
			w, h := pica.TexunitWidth.At(at).Get(r), pica.TexunitHeight.At(at).Get(r)
			bytes += texture.Size(format, side(w), side(h))
			if w>>level <= 1 && h>>level <= 1 {
				break
			}
		}
		m.Reads(pipeline.UseTexture, pica.TexunitAddr.At(at).Addr(r), uint32(bytes))
		for side := range pica.Reg(5) {
			if i == 0 {
				m.Reads(pipeline.UseTexture, (r[pica.RegTexunit0Addr1]&0xFC00000|r[pica.RegTexunit0Addr2+side]&0x3FFFFF)<<3, uint32(bytes))
			}
		}
	}
}

// seeds is how many random states a test takes.
func seeds(n uint64) uint64 {
	if testing.Short() {
		return n / 10
	}
	return n
}

// recordsTheSame records what a trace does in each of the ways, and replays it.
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
			data, err := os.ReadFile(out)
			require.NoError(t, err)
			for _, mark := range []string{"MARK", "ARKM", "RKMA", "KMAR"} {
				require.NotContains(t, string(data), mark)
			}
		}
	}
}

// untracked reports whether a host ended because the system does not say what is written.
func untracked(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.ExitCode() == 4
}

// A host that behaves like a game is recorded the same whether memory is compared, or
// only what the host or the system says was written.
func TestGame(t *testing.T) {
	testkit.Slow(t)
	dir := t.TempDir()
	text, err := exec.Command(compileFile(t, "testdata/game.c", "gcc", "-std=c99", "-O2"), dir, "100").CombinedOutput()
	require.NoError(t, err, "%s", text)
	t.Logf("%s", text)
	// The files differ where a piece is stored twice: which of them the recorder remembers
	// depends on its key.
	compared := open(t, filepath.Join(dir, "compared.picatrace"))
	require.Equal(t, 101, compared.Frames())
	for _, how := range []string{"told", "tracked"} {
		other := open(t, filepath.Join(dir, how+".picatrace"))
		require.Equal(t, compared.Frames(), other.Frames())
		for i := range compared.Frames() {
			want, err := compared.Frame(i)
			require.NoError(t, err)
			require.NotEmpty(t, want.Events)
			got, err := other.Frame(i)
			require.NoError(t, err)
			require.True(t, reflect.DeepEqual(want.Events, got.Events), "%s, frame %d", how, i)
		}
	}
}

// A recording that begins in the middle holds what the frames before it left in
// memory.
func TestRecordFromTheMiddle(t *testing.T) {
	host := compile(t, "gcc", "-std=c99", "-O2")
	tr := frames(t)
	out := filepath.Join(t.TempDir(), "out.picatrace")
	text, err := exec.Command(host, script(t, tr, 0), out, "told", "from", "1").CombinedOutput()
	require.NoError(t, err, "%s", text)
	rec := open(t, out)
	require.Equal(t, tr.Frames()-1, rec.Frames())
	whole := filepath.Join(t.TempDir(), "whole.picatrace")
	text, err = exec.Command(host, script(t, tr, 0), whole, "told").CombinedOutput()
	require.NoError(t, err, "%s", text)
	first, err := open(t, whole).Frame(1)
	require.NoError(t, err)
	begun, err := rec.Frame(0)
	require.NoError(t, err)
	held := map[uint32][]byte{}
	for _, e := range begun.Events {
		if e.Kind == picatrace.Load {
			held[e.Words[0]] = e.Data
		}
	}
	zeroth, err := open(t, whole).Frame(0)
	require.NoError(t, err)
	pages := map[uint32]bool{}
	for _, e := range zeroth.Events {
		if e.Kind == picatrace.Load {
			pages[e.Words[0]] = true
		}
	}
	require.NotEmpty(t, pages)
	for page := range pages {
		require.NotNil(t, held[page], "what frame 0 loaded at 0x%08X", page)
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

// frames is a trace of two frames or more.
func frames(t *testing.T) *picatrace.Trace {
	for _, file := range testkit.Own(t) {
		tr, err := picatrace.Parse(file.Read(t))
		require.NoError(t, err)
		if tr.Frames() > 1 {
			return tr
		}
	}
	t.Fatal("no trace of ours has two frames")
	return nil
}

// Pages that share a hash which needs no key, as a game can make them, are recorded
// each: two that are written to different places, and one that another takes the place
// of. A copy reads them.
func TestPagesThatCollide(t *testing.T) {
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
	data, err := b.Encode()
	require.NoError(t, err)
	tr, err := picatrace.Parse(data)
	require.NoError(t, err)
	in := script(t, tr, 0)
	for _, how := range [][]string{nil, {"told"}} {
		out := filepath.Join(t.TempDir(), "out.picatrace")
		text, err := exec.Command(host, append([]string{in, out}, how...)...).CombinedOutput()
		require.NoError(t, err, "%s", text)
		rec := open(t, out)
		require.Equal(t, len(twins), rec.Frames())
		held := make([]byte, 0x8000) // from the start of main memory
		for i, page := range twins {
			f, err := rec.Frame(i)
			require.NoError(t, err)
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

// copyPage copies 4 KiB by a texture copy.
func copyPage(b *citrace.Builder, from, to uint32) {
	for _, w := range [][2]uint32{
		{pica.ExtTransferInput, from >> 3}, {pica.ExtTransferOutput, to >> 3}, {pica.ExtTextureCopySize, 4096},
		{pica.ExtTextureCopyInput, 0}, {pica.ExtTextureCopyOutput, 0}, {pica.ExtTransferFlags, 8}, {pica.ExtTransferStart, 1},
	} {
		b.Write(w[0], w[1])
	}
}

// A host whose GPU keeps what it draws says that the CPU wrote over it, just what memory
// held before: that is recorded, as far as it was told and no further.
func TestToldOverWhatIsDrawn(t *testing.T) {
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
	data, err := b.Encode()
	require.NoError(t, err)
	tr, err := picatrace.Parse(data)
	require.NoError(t, err)
	out := filepath.Join(t.TempDir(), "out.picatrace")
	text, err := exec.Command(compile(t, "gcc", "-std=c99", "-O2"), script(t, tr, 0), out, "told").CombinedOutput()
	require.NoError(t, err, "%s", text)
	g, err := pipeline.Replay(t.Context(), open(t, out), pipeline.Options{}, nil)
	require.NoError(t, err)
	defer g.Close()
	want := bytes.Repeat([]byte{0xDD, 0xCC, 0xBB, 0xAA}, 1024)
	copy(want[100:304], old[100:304]) // from the first byte told to the last
	got, err := g.Read(to, 4096)
	require.NoError(t, err)
	require.Equal(t, want, bytes.Clone(got))
}

// changeTwin gives another page for which the sum without a key that told changed
// pages until now is the same: the first of its four lanes is put right 32 bytes later.
func changeTwin(page []byte) []byte {
	le := binary.LittleEndian
	lane := func(b []byte) uint64 { return bits.RotateLeft64(le.Uint64(b), 29) * 0x9E3779B97F4A7C15 }
	twin := bytes.Clone(page)
	twin[0] ^= 1
	le.PutUint64(twin[32:], le.Uint64(page[32:])^lane(page)^lane(twin))
	return twin
}

// A host that dies in a frame leaves the frames before it.
func TestHostDies(t *testing.T) {
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

// A recording that was cut at any of its last bytes reads up to its last whole
// frame.
func TestCutAtEveryByte(t *testing.T) {
	host := compile(t, "gcc", "-std=c99", "-O2")
	out := filepath.Join(t.TempDir(), "out.picatrace")
	tr := frames(t)
	text, err := exec.Command(host, script(t, tr, 0), out, "told").CombinedOutput()
	require.NoError(t, err, "%s", text)
	data, err := os.ReadFile(out)
	require.NoError(t, err)
	short := filepath.Join(t.TempDir(), "short.picatrace")
	_ = exec.Command(host, script(t, tr, 0), short, "told", "die", strconv.Itoa(tr.Frames()-1)).Run() // it dies in its last frame
	before, err := os.Stat(short)
	require.NoError(t, err)
	require.Less(t, int(before.Size()), len(data))
	for n := int(before.Size()); n < len(data); n++ {
		rec, err := picatrace.Parse(data[:n])
		require.NoError(t, err, "%d bytes", n)
		require.Equal(t, tr.Frames()-1, rec.Frames(), "%d of %d bytes", n, len(data))
		for i := range rec.Frames() {
			_, err := rec.Frame(i)
			require.NoError(t, err)
		}
	}
}

// What a host does wrong is said, is no error of memory, and costs nothing that
// was recorded before; wrong options leave a file that is there as it is.
func TestHostsThatAreWrong(t *testing.T) {
	host := compileFile(t, "testdata/edges.c", "gcc", "-std=c99", "-O1", "-Wshadow", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
	dir := t.TempDir()
	refused := []string{"overlap", "nodata", "unaligned", "behind", "many", "negative"}
	for _, name := range refused {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".picatrace"), []byte("mine"), 0o644))
	}
	text, err := exec.Command(host, dir).CombinedOutput()
	require.NoError(t, err, "%s", text)
	for _, name := range refused {
		data, err := os.ReadFile(filepath.Join(dir, name+".picatrace"))
		require.NoError(t, err)
		require.Equal(t, "mine", string(data))
	}
	require.Contains(t, string(text), "overlap: two memory regions overlap (1)\n")
	require.Contains(t, string(text), "nodata: a memory region has no data (1)\n")
	require.Contains(t, string(text), "width: pica200_record_write: registers are written by 1, 2, 4 or 8 bytes (1)\n")
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
		require.Contains(t, string(text), line)
	}
	for name, frames := range map[string]int{
		"beside": 0, "width": 1, "picture": 1, "late": 1, "changed": 2, "outside": 2, "screen": 2, "early": 0, "unbegun": 0, "frames": 5000,
	} {
		rec := open(t, filepath.Join(dir, name+".picatrace"))
		require.Equal(t, frames, rec.Frames(), name)
		require.Equal(t, name, rec.Meta.Producer)
		for i := range min(frames, 3) {
			_, err := rec.Frame(max(0, frames-1-i))
			require.NoError(t, err, name)
		}
		require.Regexp(t, "^€*$", rec.Meta.Title, "no character is cut in two")
	}
}

// A full disk ends the recording and not the host.
func TestDiskFull(t *testing.T) {
	host := compile(t, "gcc", "-std=c99", "-O2")
	tr := frames(t)
	in := script(t, tr, 0)
	for _, blocks := range []string{"0", "1", "8"} { // of 512 bytes or 1 KiB, as the shell counts
		out := filepath.Join(t.TempDir(), "out.picatrace")
		cmd := exec.Command("sh", "-c", `ulimit -f `+blocks+`; exec "$0" "$@"`, host, in, out, "told")
		text, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		require.True(t, errors.As(err, &exit) && exit.ExitCode() == 1, "%s: %v", text, err)
		require.Contains(t, string(text), "is the disk full?")
		require.Contains(t, string(text), strconv.Itoa(tr.Frames())+" frames", "the host goes on to its end")
		if data, err := os.ReadFile(out); err == nil && len(data) > 16 {
			rec, err := picatrace.Parse(data)
			require.NoError(t, err)
			require.Less(t, rec.Frames(), tr.Frames())
		}
	}
}

// From a host to a frame that one can send to somebody: recorded, packed with what
// the screens show, replayed, cut to one frame, held against screenshots, stripped
// to its draws; the pictures are the same at each step.
func TestFromHostToOneFrame(t *testing.T) {
	testkit.Slow(t)
	host := compile(t, "gcc", "-std=c99", "-O2")
	// Two frames of three draws, which the top screen shows.
	tr, err := picatrace.Parse(testkit.Named(t, "lights")[0].Read(t))
	require.NoError(t, err)
	require.Equal(t, 2, tr.Frames())
	want := pictures(t, tr)
	path := filepath.Join(t.TempDir(), "out.picatrace")
	text, err := exec.Command(host, script(t, tr, 0), path).CombinedOutput()
	require.NoError(t, err, "%s", text)
	recorded := open(t, path)
	require.Equal(t, want, pictures(t, recorded))

	step := func(write func(out *bytes.Buffer) error) *picatrace.Trace {
		t.Helper()
		var out bytes.Buffer
		require.NoError(t, write(&out))
		next, err := picatrace.Parse(out.Bytes())
		require.NoError(t, err)
		require.Empty(t, next.Findings)
		return next
	}
	packed := step(func(out *bytes.Buffer) error {
		return retrace.Pack(t.Context(), recorded, out, retrace.PackOptions{Screens: true})
	})
	require.Equal(t, want, pictures(t, packed))
	_, err = retrace.Verify(t.Context(), packed, 0)
	require.NoError(t, err)
	for frame := range packed.Frames() {
		cut := step(func(out *bytes.Buffer) error {
			_, err := retrace.Cut(t.Context(), packed, frame, frame, out, retrace.Options{})
			return err
		})
		require.Equal(t, want[frame:frame+1], pictures(t, cut))
		_, err = retrace.Verify(t.Context(), cut, 0)
		require.NoError(t, err)
		blamed(t, cut)
		stripped := step(func(out *bytes.Buffer) error {
			_, err := retrace.Strip(t.Context(), cut, 0, out, retrace.Options{})
			return err
		})
		require.Equal(t, want[frame:frame+1], pictures(t, stripped), "every screen of these frames is drawn in its frame")
		require.Empty(t, stripped.Meta.Title)
	}
}

// blamed holds a recording of one frame against screenshots of its top screen: one
// of the frame as it is differs nowhere, and one with the green of a draw left out
// gives that draw away, whichever it is.
func blamed(t *testing.T, tr *picatrace.Trace) {
	t.Helper()
	r, err := pipeline.NewReplayer(tr, pipeline.ReplayerOptions{})
	require.NoError(t, err)
	// screenshot draws the frame and leaves the green out of one draw; of none for -1.
	screenshot := func(without int) image.Image {
		require.NoError(t, r.Visit(t.Context(), pipeline.Position{Draw: pipeline.FrameEnd}, func(g *pipeline.GPU) error {
			r.Spoil()
			var old uint32
			g.BeforeDraw = func(d *pipeline.DrawInfo) error {
				if d.Index != without {
					return nil
				}
				old = g.ReadInternal(pica.ColorMaskG.Reg)
				require.True(t, pica.ColorMaskG.BoolOf(old), "the fault must change something")
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
	rep, err := blame.Run(t.Context(), r, screenshot(-1), blame.Options{})
	require.NoError(t, err)
	require.Equal(t, "top", rep.Screen)
	require.Equal(t, 400*240, rep.Compared)
	require.Zero(t, rep.Differing)
	require.Empty(t, rep.Suspects)

	draws, err := r.Draws(t.Context(), 0)
	require.NoError(t, err)
	require.Greater(t, len(draws), 1, "of one draw there is nothing to tell apart")
	for number := range draws {
		rep, err := blame.Run(t.Context(), r, screenshot(number), blame.Options{})
		require.NoError(t, err)
		require.Equal(t, "top", rep.Screen)
		require.NotZero(t, rep.Differing, "draw %d without green does not show", number)
		require.NotEmpty(t, rep.Suspects)
		require.Equal(t, number, rep.Suspects[0].Draw, "%+v", rep.Suspects)
	}
}

// numbers runs floats through a function of the header for hosts that keep floats.
func numbers(t *testing.T, kind byte, values []float32) []uint32 {
	t.Helper()
	in := binary.LittleEndian.AppendUint32(nil, uint32(kind))
	in = binary.LittleEndian.AppendUint32(in, uint32(len(values)))
	for _, v := range values {
		in = binary.LittleEndian.AppendUint32(in, math.Float32bits(v))
	}
	cmd := exec.Command(compileFile(t, "testdata/numbers.c", "gcc", "-std=c99", "-O2"))
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	require.NoError(t, err)
	require.Len(t, out, 4*len(values))
	words := make([]uint32, len(values))
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(out[4*i:])
	}
	return words
}

func TestFloat24OfHosts(t *testing.T) {
	rng := rand.New(rand.NewPCG(24, 24))
	var values []float32
	for range 100_000 { // what there is in 24 bits, and what there is not
		values = append(values, pica.Float24.Decode(rng.Uint32()&0xFFFFFF), math.Float32frombits(rng.Uint32()))
	}
	for _, b := range []uint32{0, 1 << 31, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7F800001, 1, 0x007FFFFF, 0x80000001} {
		values = append(values, math.Float32frombits(b))
	}
	for exp := range uint32(256) { // the ends of each power of two
		values = append(values, math.Float32frombits(exp<<23), math.Float32frombits(exp<<23|0x7FFFFF), math.Float32frombits(1<<31|exp<<23|0x40))
	}
	for i, w := range numbers(t, 'f', values) {
		require.Equal(t, pica.Float24.Encode(values[i]), w, "%g (0x%08X)", values[i], math.Float32bits(values[i]))
	}
}

func TestTablesOfHosts(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 12))
	values := make([]float32, 256)
	for i := range values {
		values[i] = float32(rng.IntN(4096)) / 4095
	}
	values[3], values[4], values[5], values[9] = 1.5, -0.25, float32(math.NaN()), 1
	one, two := numbers(t, 'l', values), numbers(t, 't', values)
	fog := numbers(t, 'g', values[128:])
	sane := func(v float32, one float64) int { // clamped to 0..1, to the nearest
		if v != v {
			return 0
		}
		return int(math.Round(float64(min(max(v, 0), 1)) * one))
	}
	diff := func(d float32) int {
		if d != d {
			return 0
		}
		return int(math.Round(float64(min(max(d, -1), 1)) * 2047))
	}
	signed := func(w uint32) int { // sign and magnitude
		if w&0x800 != 0 {
			return -int(w & 0x7FF)
		}
		return int(w & 0x7FF)
	}
	for i, v := range values {
		d := diff(values[(i+1)%256] - v)
		require.Equal(t, sane(v, 4095), int(one[i]&0xFFF), i)
		require.Equal(t, one[i]&0xFFF, two[i]&0xFFF, i)
		wants := [2]int{d, d} // one-sided, two-sided
		if i == 255 {
			wants[0] = 0
		}
		if i == 127 {
			wants[1] = 0
		}
		require.Equal(t, wants[0], signed(one[i]>>12), i)
		require.Equal(t, wants[1], signed(two[i]>>12), i)
		if i >= 128 {
			if i == 255 {
				d = 0
			}
			require.Equal(t, sane(v, 2047), int(fog[i-128]>>13), i)
			require.Equal(t, d, int(int32(fog[i-128]<<19)>>19), i)
		}
	}
}

// A recording that begins in the middle, of a host that keeps uniforms as floats and
// lighting tables without differences, draws what the whole one does.
func TestStateOfFloats(t *testing.T) {
	tr, err := picatrace.Parse(testkit.Named(t, "lights")[0].Read(t))
	require.NoError(t, err)
	p, err := pipeline.NewPlayer(tr, pipeline.Options{})
	require.NoError(t, err)
	defer p.GPU.Close()
	_, err = p.NextFrame(t.Context())
	require.NoError(t, err)
	state, err := p.GPU.State(t.Context())
	require.NoError(t, err)
	_, err = p.NextFrame(t.Context())
	require.NoError(t, err)
	whole := p.GPU.Screen(pipeline.ScreenTop)

	for _, b := range []picatrace.Block{picatrace.VertexUniforms, picatrace.GeometryUniforms, picatrace.FixedAttributes} {
		floats := make([]float32, len(state[b]))
		for i, w := range state[b] {
			floats[i] = pica.Float24.Decode(w)
		}
		require.Equal(t, state[b], numbers(t, 'f', floats), "%v", b)
	}
	tables := make([]float32, len(state[picatrace.LightingTables]))
	lit := 0
	for i, w := range state[picatrace.LightingTables] {
		tables[i] = float32(w&0xFFF) / 4095
		lit += int(w & 0xFFF)
	}
	require.NotZero(t, lit, "there must be tables to tell apart")
	mid := *tr
	mid.Initial = maps.Clone(state)
	mid.Initial[picatrace.LightingTables] = numbers(t, 'l', tables)
	out := filepath.Join(t.TempDir(), "out.picatrace")
	text, err := exec.Command(compile(t, "gcc", "-std=c99", "-O2"), script(t, &mid, 0), out, "from", "1").CombinedOutput()
	require.NoError(t, err, "%s", text)
	g, err := pipeline.Replay(t.Context(), open(t, out), pipeline.Options{}, nil)
	require.NoError(t, err)
	defer g.Close()
	got, levels := g.Screen(pipeline.ScreenTop), 0
	for i := range whole.Pix {
		levels = max(levels, int(whole.Pix[i])-int(got.Pix[i]), int(got.Pix[i])-int(whole.Pix[i]))
	}
	require.LessOrEqual(t, levels, 2, "differences are rounded anew")
}

// Pages that are mapped one by one, more of them than the recorder looks through, are
// tracked as long as they lie beside each other; a page that is mapped anew is written where it now is.
func TestMappedAnew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.picatrace")
	out, err := exec.Command(compileFile(t, "testdata/mapped.c", "gcc"), path).CombinedOutput()
	require.NoError(t, err, "%s", out)
	if string(out) == "not tracked\n" {
		t.Skip("the system tracks no pages")
	}
	require.Equal(t, "tracked 1\n", string(out))
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	tr, err := picatrace.Parse(data)
	require.NoError(t, err)
	half := func(a, b string) string { return strings.Repeat(a, 2048) + strings.Repeat(b, 2048) }
	want := []string{half("a", "a") + half("b", "b"), half("a", "a") + half("c", "c"), half("e", "a") + half("d", "c")}
	n := 0
	_, err = pipeline.Replay(t.Context(), tr, pipeline.Options{}, func(g *pipeline.GPU, _ pipeline.Frame) error {
		got, err := g.Read(pica.VRAMBase, 8192)
		require.NoError(t, err)
		require.Equal(t, want[n], string(got), "frame %d", n)
		n++
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, len(want), n)
}
