package retrace

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/citrace"
	"pica200/assets/picatrace"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

var errBroken = errors.New("the disk is broken")

// breaks fails one read or write and no other, or one check of the context and all later ones.
type breaks struct {
	context.Context
	at    int // reads, writes and checks until the failure
	over  bool
	data  []byte
	out   bytes.Buffer
	fails bool // the failure has been
	late  int  // reads and writes after it
}

func (b *breaks) now() bool {
	b.at--
	b.fails = b.fails || b.at == 0
	return b.at == 0
}

func (b *breaks) ReadAt(p []byte, at int64) (int, error) {
	if b.fails {
		b.late++
	}
	if b.now() {
		return 0, errBroken
	}
	return bytes.NewReader(b.data).ReadAt(p, at)
}

func (b *breaks) Write(p []byte) (int, error) {
	if b.fails {
		b.late++
	}
	if b.now() {
		return 0, errBroken
	}
	return b.out.Write(p)
}

func (b *breaks) Err() error {
	if b.over = b.over || b.now(); b.over {
		return errBroken
	}
	return nil
}

// small is a recording of two frames with draws and pictures.
func small(t *testing.T) []byte {
	t.Helper()
	tr := states.Parse(t, goingOn(t, pica.PrimitiveTriangleStrip, false))
	var part, packed bytes.Buffer
	testkit.Must(Cut(t.Context(), tr, 3, 4, &part, Options{}))(t)
	require.NoError(t, Pack(t.Context(), parse(t, part.Bytes()), &packed, PackOptions{Screens: true}))
	return packed.Bytes()
}

// An error of reading, writing or the context at any point ends the work with an error, and nothing is read or written afterwards; work
// that succeeds is complete.
func TestEveryFailureIsReported(t *testing.T) {
	data := small(t)
	for name, do := range map[string]func(b *breaks, tr *picatrace.Trace) (any, error){
		"cut":   func(b *breaks, tr *picatrace.Trace) (any, error) { return Cut(b, tr, 1, 1, b, Options{}) },
		"strip": func(b *breaks, tr *picatrace.Trace) (any, error) { return Strip(b, tr, 1, b, Options{}) },
		"pack":  func(b *breaks, tr *picatrace.Trace) (any, error) { return nil, Pack(b, tr, b, PackOptions{}) },
		"pack screens": func(b *breaks, tr *picatrace.Trace) (any, error) {
			return nil, Pack(b, tr, b, PackOptions{Screens: true})
		},
		"verify": func(b *breaks, tr *picatrace.Trace) (any, error) { return Verify(b, tr, 1) },
		"survey": func(b *breaks, tr *picatrace.Trace) (any, error) {
			c, err := Survey(b, tr, 1)
			if err == nil && !c.Replayable {
				err = errors.New(c.Warnings[0])
			}
			return c, err
		},
	} {
		try := func(at int) (*breaks, any, error) {
			b := &breaks{Context: context.Background(), data: data}
			tr := testkit.Must(picatrace.Open(b, int64(len(data))))(t)
			b.at = at
			done, err := do(b, tr)
			return b, done, err
		}
		b, whole, err := try(-1)
		require.NoError(t, err, name)
		steps, failures := -1-b.at, 0
		written := b.out.Bytes()
		for at := 1; at <= steps; at++ {
			b, done, err := try(at)
			if err == nil {
				require.Equal(t, whole, done, "%s, step %d of %d", name, at, steps)
				require.True(t, bytes.Equal(written, b.out.Bytes()), "%s, step %d of %d", name, at, steps)
				continue
			}
			require.ErrorContains(t, err, errBroken.Error(), "%s, step %d of %d", name, at, steps)
			require.Zero(t, b.late, "%s, step %d of %d", name, at, steps)
			failures++
		}
		require.Greater(t, failures, 8, name)
	}
}

// A strip keeps the shader code of the stages that a draw uses, without words that were written before the draw.
func TestStripKeepsUsedCode(t *testing.T) {
	code := []picatrace.Block{picatrace.VertexCode, picatrace.VertexDescriptors, picatrace.GeometryCode, picatrace.GeometryDescriptors}
	start, later := picatrace.State{}, picatrace.State{}
	for i, b := range code {
		start[b] = []uint32{uint32(i) + 1, uint32(i) + 11, uint32(i) + 21}
		later[b] = slices.Clone(start[b])
		later[b][1] += 100
	}
	for mode := range uint32(4) {
		var regs pica.Regs
		pica.GeostageMode.Set(&regs, mode)
		later[picatrace.InternalRegisters] = regs[:]
		p := player(t, &picatrace.Trace{Initial: later})
		u := &stateUse{initial: loaded(start)}
		u.record(p.GPU)
		p.GPU.Close()
		want := picatrace.State{}
		for i, b := range code {
			if i < 2 || mode == uint32(pica.GeoStageOn) {
				want[b] = []uint32{uint32(i) + 1, 0, uint32(i) + 21}
			}
		}
		require.Equal(t, want, u.keep(start), "mode %d of the geometry stage", mode)
	}
}

// A stripped frame keeps complete tables that its draws read, and no others.
func TestStripKeepsReadTables(t *testing.T) {
	tr := parse(t, small(t))
	tables := picatrace.Blocks()[picatrace.LightingTables-1 : picatrace.ProctexColorDiffs]
	start := maps.Clone(tr.Initial)
	for _, b := range tables {
		words := make([]uint32, b.Words())
		for i := range words {
			words[i] = uint32(i + 1)
		}
		start[b] = words
	}
	on := func(f pica.Field, v uint32) func(*pica.Regs) { return func(r *pica.Regs) { f.Set(r, v) } }
	light, fogs, proc := []picatrace.Block{picatrace.LightingTables}, []picatrace.Block{picatrace.FogTable, picatrace.GasTable}, picatrace.Blocks()[picatrace.ProctexNoise-1:picatrace.ProctexColorDiffs]
	for _, c := range []struct {
		name string
		set  []func(*pica.Regs)
		want []picatrace.Block
	}{
		{"nothing", nil, nil},
		{"lighting", []func(*pica.Regs){on(pica.LightingEnable, 1), on(pica.LightingDisable, 0)}, light},
		{"lighting off", []func(*pica.Regs){on(pica.LightingEnable, 1), on(pica.LightingDisable, 1)}, nil},
		{"fog", []func(*pica.Regs){on(pica.TexenvUpdateFogMode, uint32(pica.FogModeFog))}, fogs},
		{"gas", []func(*pica.Regs){on(pica.ColorOperationMode, uint32(pica.FragmentModeGas))}, fogs},
		{"procedural texture", []func(*pica.Regs){on(pica.TexunitEnable3, 1)}, proc},
		{"all", []func(*pica.Regs){on(pica.LightingEnable, 1), on(pica.LightingDisable, 0), on(pica.TexenvUpdateFogMode, uint32(pica.FogModeFog)), on(pica.TexunitEnable3, 1)}, tables},
	} {
		var regs pica.Regs
		copy(regs[:], start[picatrace.InternalRegisters])
		for _, set := range c.set {
			set(&regs)
		}
		state := maps.Clone(start)
		state[picatrace.InternalRegisters] = regs[:]
		var all, out bytes.Buffer
		w, err := picatrace.NewWriter(&all, picatrace.Meta{Producer: "ours", Version: "1", Title: "a title", Comment: "a comment", FCRAM: 64 << 20}, state, picatrace.WriterOptions{})
		require.NoError(t, err)
		require.NoError(t, w.CopyFrame(tr, 0))
		require.NoError(t, w.Close())
		draws := 0
		p := player(t, parse(t, all.Bytes()))
		p.GPU.BeforeDraw = func(*pipeline.DrawInfo) error { draws++; return nil }
		_, err = p.NextFrame(t.Context())
		p.GPU.Close()
		require.NoError(t, err)
		require.Positive(t, draws, c.name)
		testkit.Must(Strip(t.Context(), parse(t, all.Bytes()), 0, &out, Options{}))(t)
		stripped := parse(t, out.Bytes())
		require.Equal(t, picatrace.Meta{Producer: "pica200 trace strip", FCRAM: 64 << 20}, stripped.Meta)
		kept := stripped.Initial
		for _, b := range tables {
			if slices.Contains(c.want, b) {
				require.Equal(t, state[b], kept[b], "%s: %v", c.name, b)
			} else {
				require.Empty(t, kept[b], "%s: %v", c.name, b)
			}
		}
		require.NotEmpty(t, kept[picatrace.VertexCode], c.name)
	}
}

// A cancelled context ends the work, also where nothing is replayed.
func TestCancelledContextEndsAtOnce(t *testing.T) {
	tr := parse(t, small(t))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Cut(ctx, tr, 0, 0, io.Discard, Options{})
	require.ErrorIs(t, err, context.Canceled)
	_, err = Strip(ctx, tr, 0, io.Discard, Options{})
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, Pack(ctx, tr, io.Discard, PackOptions{}), context.Canceled)
}

// An event that a recording cannot hold is refused, not left out.
func TestPackRefusesUnrepresentableEvents(t *testing.T) {
	tr := picatrace.FromCiTrace(&citrace.Trace{Elements: []citrace.Element{{Type: citrace.RegisterWrite, Address: 0x10400010, Width: 3}}})
	require.ErrorContains(t, Pack(t.Context(), tr, io.Discard, PackOptions{}), "a register write of 3 bytes")
}
