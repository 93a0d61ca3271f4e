package fragment

import (
	"cmp"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/pica"
)

// The colour table entries in a procedural texture's record are those of the table at the recorded position, and give the texture's
// colour, for every filter and several widths.
func TestProcTexEntriesAddUp(t *testing.T) {
	setup := sceneProcTex
	two, between := 0, 0
	for _, filter := range []pica.ProcFilter{pica.ProcFilterNearest, pica.ProcFilterLinear, pica.ProcFilterNearestMipmapNearest,
		pica.ProcFilterLinearMipmapNearest, pica.ProcFilterNearestMipmapLinear, pica.ProcFilterLinearMipmapLinear} {
		for _, width := range []uint32{1, 2, 29, 64, 128} {
			for _, with := range []simd.Kernels{simd.Best, simd.Plain} {
				s := newFieldScene(setup)
				s.with = with
				pica.ProctexMinFilter.Set(&s.regs, uint32(filter))
				pica.ProctexWidth.Set(&s.regs, width)
				pica.ProctexLodMin.Set(&s.regs, 0)
				pica.ProctexLodMax.Set(&s.regs, 6)
				for i := range int32(12) {
					for _, r := range s.records(t, i*7%sceneSize, i*5%sceneSize) {
						u := &r.Units[3]
						require.NotNil(t, u.Procedural)
						n := procTexAddsUp(t, s, u)
						two += n - 1
						if u.Procedural.Entries[0].Fraction != 0 {
							between++
						}
					}
				}
			}
		}
	}
	require.Positive(t, two, "some samples mix two levels")
	require.Positive(t, between)
}

// procTexAddsUp computes the procedural texture's colour from its record and the tables, and returns the number of entries.
func procTexAddsUp(t *testing.T, s *fieldScene, u *UnitRecord) int {
	t.Helper()
	p := u.Procedural
	require.NotEmpty(t, p.Entries)
	var sum [4]float64
	shares := 0.0
	for _, e := range p.Entries {
		width := max(int(pica.ProctexWidth.Get(&s.regs))>>e.Level, 1)
		high := cmp.Or(s.regs[pica.RegTexunit3Proctex6], 0xFEFCF8F0)
		first := []uint32{s.regs[pica.RegTexunit3Proctex5], high}[e.Level/4] >> (8 * (e.Level % 4)) & 0xFF
		behind := math.Floor(float64(e.Input))
		if e.Difference == [4]int{} && e.Fraction == 0 { // nearest, or exactly on an entry
			behind = math.Floor(float64(e.Input) + 0.5)
		}
		require.Equal(t, int(uint8(first+uint32(behind))), e.Index)
		require.InDelta(t, float64(p.Mapped)*float64(width-1), float64(e.Input), 1e-4)
		word, diff := s.tables.ProcColor[e.Index], s.tables.ProcColorDiff[e.Index]
		for ch := range 4 {
			require.Equal(t, uint8(word>>(8*ch)), e.Color[ch], "the table's entry %d", e.Index)
			if e.Fraction != 0 {
				require.Equal(t, 2*int(int8(diff>>(8*ch))), e.Difference[ch])
			}
			want := math.Min(math.Max(float64(e.Color[ch])+float64(e.Difference[ch])*float64(e.Fraction), 0), 255)
			require.InDelta(t, want, float64(e.Result[ch]), 1e-3)
			sum[ch] += want * float64(e.Share)
		}
		shares += float64(e.Share)
	}
	require.InDelta(t, 1, shares, 1e-6)
	channels := 4
	if p.Alpha != nil { // alpha has its own map
		channels = 3
	}
	for ch := range channels {
		got := float64(u.Color[ch])
		require.True(t, got <= sum[ch]+1e-3 && got > sum[ch]-1-1e-3, "channel %d: %g of %g", ch, got, sum[ch])
	}
	return len(p.Entries)
}
