package engine

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/assets/shbin"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/shaderunit/asm"
	"pica200/tests/testkit"
)

// An edited program puts its code, descriptors, entry point and constants into its shader unit, wherever uploads stood; later
// uploads continue from there.
func TestEditedProgramUpload(t *testing.T) {
	const body = ".out o position\n.constf four(1, -2.5, 3, 0.5)\n.consti turns(7, 8, 9, 10)\n.setb b7 true\n.proc first\n\tnop\n\tend\n.end\n.proc main\n\tmov r0, four\n\tadd r1, four, r0\n\tmov o.xyz, r1\n\tmov o.w, r0\n"
	sources := map[string]string{"vertex": body + "\tend\n.end\n", "geometry": ".gsh point c0\n" + body + "\tsetemit 0\n\temit\n\tend\n.end\n"}
	for shader, other := range map[string]string{"vertex": "geometry", "geometry": "vertex"} {
		p, found := asm.Assemble(asm.Options{Extended: true}, asm.Source{Name: "edit.pica", Text: []byte(sources[shader])})
		require.NoError(t, found.Err())
		g := pipeline.New(pipeline.Options{})
		defer g.Close()
		for _, unit := range []pica.Reg{pica.OffsetVsh, pica.OffsetGsh} {
			require.NoError(t, g.WriteInternal(t.Context(), pica.RegGshCodetransferIndex+unit, 40))
			require.NoError(t, g.WriteInternal(t.Context(), pica.RegGshOpdescsIndex+unit, 9))
			require.NoError(t, g.WriteInternal(t.Context(), pica.RegGshBooluniform+unit, 1<<3))
			require.NoError(t, g.WriteInternal(t.Context(), pica.RegVshComMode, 1)) // writes to one unit do not reach the other
		}
		vs, gs := g.VertexShader(), g.GeometryShader()
		e := testkit.Must(parseEdits([]Edit{{Draw: 2, Shader: shader, Source: sources[shader]}}))(t)
		require.NoError(t, e.apply(t.Context(), g, 1), "edits of later draws are not applied")
		require.Equal(t, [2]any{vs, gs}, [2]any{g.VertexShader(), g.GeometryShader()})
		require.NoError(t, e.apply(t.Context(), g, 2))
		now, left := g.VertexShader(), g.GeometryShader()
		unit := pica.Reg(pica.OffsetVsh)
		if shader == "geometry" {
			now, left, vs, gs = left, now, gs, vs
			unit = pica.OffsetGsh
		}
		require.Equal(t, gs, left, "the %s shader stays", other)
		x := &p.File.Executables[0]
		require.Positive(t, x.Main)
		require.EqualValues(t, x.Main, now.Entry)
		for i, w := range p.File.Program.Code {
			require.Equal(t, w, now.Code(i))
		}
		require.Greater(t, len(p.Descriptors()), 1)
		for i, d := range p.Descriptors() {
			require.EqualValues(t, d, now.Desc(i))
		}
		want := map[shbin.ConstantKind]any{shbin.ConstantFloat: [4]float32{1, -2.5, 3, 0.5}, shbin.ConstantInt: [4]uint8{7, 8, 9, 10}, shbin.ConstantBool: true}
		require.Len(t, x.Constants, len(want))
		for _, c := range x.Constants {
			require.Equal(t, want[c.Kind], map[shbin.ConstantKind]any{shbin.ConstantFloat: now.Float[c.Reg%96], shbin.ConstantInt: now.Int[c.Reg%4], shbin.ConstantBool: now.Bool>>c.Reg&1 != 0}[c.Kind], "%v", c.Kind)
		}
		require.EqualValues(t, 1<<3|1<<7, now.Bool)
		require.NoError(t, g.WriteInternal(t.Context(), pica.RegGshCodetransferData0+unit, 0x12345678))
		now = g.VertexShader()
		if shader == "geometry" {
			now = g.GeometryShader()
		}
		require.EqualValues(t, 0x12345678, now.Code(40))
		_, err := parseEdits([]Edit{{Shader: other, Source: sources[shader]}})
		require.ErrorContains(t, err, "the source has no "+other+" shader")
	}
}

func TestValuesOfEdits(t *testing.T) {
	g := pipeline.New(pipeline.Options{})
	defer g.Close()
	require.NoError(t, g.WriteInternal(t.Context(), pica.RegDepthColorMask, 0x1F02))
	e, err := parseEdits([]Edit{
		{Register: "GPUREG_DEPTH_COLOR_MASK", Field: "depth function", Text: "always"},
		{Uniform: "c95", Text: "true, false, 2, -1"}, {Uniform: "i3", Values: []float32{0, 255, 1, 2}}, {Shader: "geometry", Uniform: "b15", Values: []float32{1}},
	})
	require.NoError(t, err)
	require.NoError(t, e.apply(t.Context(), g, 0))
	require.Equal(t, pica.DepthTestFunc.Put(0x1F02, uint32(pica.CompareAlways)), g.ReadInternal(pica.RegDepthColorMask))
	vs, gs := g.VertexShader(), g.GeometryShader()
	require.Equal(t, [4]float32{1, 0, 2, -1}, vs.Float[95])
	require.Equal(t, [4]uint8{0, 255, 1, 2}, vs.Int[3])
	require.EqualValues(t, 1<<15, gs.Bool)
	for _, none := range []string{"c96", "i4", "b16", "c-1", "i", "x0"} {
		_, err := parseEdits([]Edit{{Uniform: none, Values: []float32{1, 1, 1, 1}}})
		require.ErrorContains(t, err, "there is no uniform", none)
	}
	many := slices.Repeat([]Edit{{Uniform: "b1", Values: []float32{1}}}, maxEdits+1)
	testkit.Must(parseEdits(many[1:]))(t)
	_, err = parseEdits(many)
	require.ErrorContains(t, err, "257 edits; at most 256 are possible")
	f := &file{Replayer: new(pipeline.Replayer)}
	end := testkit.Must(f.edited(t.Context(), nil, 0))(t)
	require.Nil(t, f.Change, "without edits no hook is set")
	end()
}

// The cache is compared with a list: the least recently used entries are dropped at the bound, and those of a closed file with the
// file.
func TestCacheDropsLeastRecentlyUsed(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 2))
	c := cache{bound: 100}
	var want []cached // most recently used first
	find := func(k cacheKey) int { return slices.IndexFunc(want, func(e cached) bool { return e.key == k }) }
	for step := range 3000 {
		k := cacheKey{rng.IntN(3), rng.IntN(2), rng.IntN(2), []string{"a", "b"}[rng.IntN(2)]}
		i := find(k)
		switch rng.IntN(12) {
		case 0:
			c.forget(k.file)
			want = slices.DeleteFunc(want, func(e cached) bool { return e.key.file == k.file })
		case 1, 2, 3, 4, 5:
			got := c.get(k)
			if i < 0 {
				require.Nil(t, got)
				break
			}
			require.Equal(t, want[i].value, got)
			e := want[i]
			want = slices.Insert(slices.Delete(want, i, i+1), 0, e)
		default:
			e := cached{k, step, []int64{1, 7, 30, 50, 100, 101}[rng.IntN(6)]}
			c.put(k, e.value, e.bytes)
			if i >= 0 {
				want = slices.Delete(want, i, i+1)
			}
			if e.bytes > c.bound {
				break
			}
			want = slices.Insert(want, 0, e)
			for sum := int64(0); ; sum = 0 {
				for _, e := range want {
					sum += e.bytes
				}
				if sum <= c.bound {
					break
				}
				want = want[:len(want)-1]
			}
		}
		var held int64
		var list []cached
		for e := c.order.Front(); e != nil; e = e.Next() {
			one := *e.Value.(*cached)
			require.Same(t, e, c.entries[one.key])
			list, held = append(list, one), held+one.bytes
		}
		require.True(t, slices.Equal(want, list), "step %d: %v, want %v", step, list, want)
		require.Len(t, c.entries, len(want))
		require.Equal(t, held, c.bytes)
	}
}

// The number of waiting requests is limited; one too many gets an error, and the others continue.
func TestTooManyRequests(t *testing.T) {
	var turn requestGate
	_, done, err := turn.take(t.Context(), false)
	require.NoError(t, err)
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	var all sync.WaitGroup
	for range maxWaiting {
		all.Go(func() {
			if _, done, err := turn.take(ctx, false); err == nil {
				done()
			}
		})
	}
	require.Eventually(t, func() bool {
		turn.mu.Lock()
		defer turn.mu.Unlock()
		return len(turn.waiting) == maxWaiting
	}, 10*time.Second, time.Millisecond)
	for range 2 {
		_, _, err = turn.take(t.Context(), false)
		require.ErrorContains(t, err, "too many requests are waiting")
	}
	done()
	all.Wait()
	_, done, err = turn.take(t.Context(), false)
	require.NoError(t, err)
	done()
}

// A register write that fails ends an edit with an error that names the draw.
func TestFailedEditNamesDraw(t *testing.T) {
	g := pipeline.New(pipeline.Options{FCRAM: 1 << 20})
	defer g.Close()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	e := edits{3: {{reg: pica.RegDrawarrays, value: 1}}}
	require.NoError(t, e.apply(ended, g, 2))
	require.ErrorContains(t, e.apply(ended, g, 3), "an edit before draw 3: ")
	require.ErrorIs(t, e.apply(ended, g, 3), context.Canceled)
}
