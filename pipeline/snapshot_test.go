package pipeline

import (
	"bytes"
	"math"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
)

// Every field of a GPU must be part of snapshots or listed here as not needing it, so that a new field is not forgotten.
func TestSnapshotsHoldEveryField(t *testing.T) {
	saved := "mem programmed displays stage immediate list progress targets counters warnings "
	hooks := "Hooks Timing View watch tests "
	made := "pool engine queues transfer unmodelled budget " // derived, empty between frames, or reset with each frame
	draw := "scratch "                                       // of the current draw
	set := "strict kernels "                                 // from Options
	known := map[string]bool{}
	for _, name := range bytes.Fields([]byte(saved + hooks + made + draw + set)) {
		known[string(name)] = true
	}
	fields := func(typ reflect.Type) (names []string) {
		for i := range typ.NumField() {
			names = append(names, typ.Field(i).Name)
		}
		return names
	}
	for _, name := range fields(reflect.TypeFor[GPU]()) {
		require.True(t, known[name], "GPU.%s is new: add it to snapshots or to a list here", name)
	}
	// Snapshots hold the fields of these structs one by one.
	require.Equal(t, []string{"regs", "tables", "vs", "gs", "fixed", "upload"}, fields(reflect.TypeFor[programmed]()))
	require.Equal(t, []string{"ext", "lcd", "colors"}, fields(reflect.TypeFor[displays]()))
	require.Equal(t, []string{"frame", "draw", "stop", "change", "pass", "target", "geometry", "mark", "last"}, fields(reflect.TypeFor[progress]()), "fields of place: snapshots leave out stop, change, mark (hooks) and last (of an event)")
	require.Equal(t, []string{"cache", "last", "gas", "shadow"}, fields(reflect.TypeFor[targets]()), "fields of targets: snapshots leave out cache, which is derived")
	require.Equal(t, []string{"Stats", "fragments", "compiled", "decoded"}, fields(reflect.TypeFor[counters]()), "fields of counters: restoring keeps compiled and decoded")
}

// An incomplete immediate-mode vertex is restored with its checkpoint, and later changes do not affect it.
func TestSnapshotsOfImmediateMode(t *testing.T) {
	g := GPUFor(t, Options{})
	a, b, c := [4]float32{1, 2, 3, 4}, [4]float32{5, 6, 7, 8}, [4]float32{9, 10, 11, 12}
	g.immediate.vertices, g.immediate.partial = append(g.immediate.vertices, a, b), append(g.immediate.partial, c)
	s := g.snapshot(nil)
	g.immediate.vertices[0], g.immediate.partial[0] = c, a
	g.immediate.partial = append(g.immediate.partial, b)
	for range 2 {
		g.restore(s)
		require.Equal(t, [][4]float32{a, b}, g.immediate.vertices)
		require.Equal(t, [][4]float32{c}, g.immediate.partial)
		g.immediate.vertices[1], g.immediate.partial[0] = c, b
	}
	require.Equal(t, 4*(cap(g.list.words))+16*(cap(g.immediate.vertices)+cap(g.immediate.partial)+cap(g.immediate.drawn)), g.Footprint().Lists)
}

// A snapshot shares parts with the previous one only if all bits are equal, and restoring keeps caches of equal contents valid.
func TestSnapshotsShareEqualParts(t *testing.T) {
	g := GPUFor(t, Options{Workers: 1})
	one := g.snapshot(nil)
	require.Same(t, one.vs, g.snapshot(one).vs)
	require.Same(t, one.gs, g.snapshot(one).gs)
	for _, x := range []float32{1, float32(math.NaN())} {
		g.gs.Float[95][3] = x
		two := g.snapshot(one)
		require.NotSame(t, one.gs, two.gs, "%v", x)
		require.Equal(t, math.Float32bits(x), math.Float32bits(two.gs.Float[95][3]))
		require.Same(t, one.vs, two.vs)
	}
	g.gs.Float[95][3] = 1
	require.Same(t, shareSetup(&g.gs, &g.gs), &g.gs)
	for i := range uint64(2) { // a negative zero differs from zero, in either format
		require.NoError(t, g.WriteInternal(t.Context(), pica.RegVshFloatuniformIndex, uint32(i)<<31|5))
		for _, w := range [2][]uint32{{0x80000080, 0x00008000, 0x00800000}, {1 << 31, 1 << 31, 1 << 31, 1 << 31}}[i] {
			require.NoError(t, g.WriteInternal(t.Context(), pica.RegVshFloatuniformData0, w))
		}
	}
	held := bitsOf(&g.vs).float
	require.Equal(t, make([][4]uint32, 2), held[5:7])

	g.warnings.add(1, 2, "a")
	g.colors[1] = &[256]rgba{3: 7}
	g.progress.frame, g.progress.draw = 4, 5
	s := g.snapshot(one)
	version := g.tables.Version
	g.restore(s)
	require.Equal(t, version, g.tables.Version, "restoring equal tables keeps the version")
	require.NotSame(t, s.colors[1], g.colors[1])
	g.warnings.add(1, 2, "a")
	g.warnings.add(1, 3, "b")
	g.colors[1][3]++
	g.tables.Fog[1]++
	g.tables.Version += 3
	g.progress.frame = 9
	g.upload.fixed.n = 2
	g.vs.SetCode(5, 77)
	g.gs.Bool ^= 9
	g.counters.Fills = 4
	g.restore(s)
	require.Zero(t, g.vs.Code(5))
	require.Equal(t, s.gs.Bool, g.gs.Bool)
	require.Zero(t, g.counters.Fills)
	require.Equal(t, []Warning{{1, 2, 1, "a"}}, g.Warnings())
	require.Equal(t, version+4, g.tables.Version, "restoring other tables gives a new version")
	require.Zero(t, g.tables.Fog[1])
	require.EqualValues(t, 7, g.colors[1][3])
	require.Nil(t, g.colors[0])
	require.Equal(t, progress{frame: 4, draw: 5}, g.progress)
	require.Zero(t, g.upload.fixed.n)
	g.warnings.add(1, 2, "a")
	require.Equal(t, 2, g.Warnings()[0].Count, "a restored warning is counted, not added again")
}
