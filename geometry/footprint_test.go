package geometry

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/shaderunit"
)

// Footprint is the sum of the capacities of a stage's lists, in bytes.
func TestStageHeldBytes(t *testing.T) {
	numbers, vectors := make([]uint32, 1, 7), make([][4]float32, 2, 7)
	for name, c := range map[string]struct {
		each uintptr
		fill func(s *Stage)
	}{
		"nothing":      {0, func(*Stage) {}},
		"ids":          {4, func(s *Stage) { s.ids = numbers }},
		"idx":          {4, func(s *Stage) { s.idx = numbers }},
		"identity":     {4, func(s *Stage) { s.identity = numbers }},
		"flipped":      {4, func(s *Stage) { s.asm.flipped = numbers }},
		"joined":       {4, func(s *Stage) { s.asm.joined = numbers }},
		"sizes":        {8, func(s *Stage) { s.sizes = make([]int, 3, 7) }},
		"starts":       {8, func(s *Stage) { s.geo.at = make([]int, 3, 7) }},
		"outputs":      {16, func(s *Stage) { s.geo.raw = vectors }},
		"pending":      {16, func(s *Stage) { s.geo.pending = vectors }},
		"positions":    {unsafe.Sizeof(position{}), func(s *Stage) { s.asm.pos = make([]position, 0, 7) }},
		"saved":        {unsafe.Sizeof(pica.ScreenPosition{}), func(s *Stage) { s.asm.saved = make([]pica.ScreenPosition, 0, 7) }},
		"attributes":   {4, func(s *Stage) { s.asm.rows = make([]float32, 0, 7) }},
		"errors":       {unsafe.Sizeof(error(nil)), func(s *Stage) { s.job.errs = make([]error, 0, 7) }},
		"idle workers": {0, func(s *Stage) { s.workers = make([]worker, 3) }},
	} {
		s := new(Stage)
		c.fill(s)
		vertices, shaders := s.Footprint()
		require.Equal(t, [2]int{7 * int(c.each), 0}, [2]int{vertices, shaders}, name)
	}
}

// FootprintBound is above what the longest lists hold at twice their length, by less than half.
func TestHeldBound(t *testing.T) {
	const indices, vertices = 2 * (chunkIndices + indexRange), 2 * (indexRange + 2)
	s := &Stage{ids: make([]uint32, indices), idx: make([]uint32, indices), identity: make([]uint32, vertices), sizes: make([]int, indices)}
	s.geo.at, s.geo.raw = make([]int, indices), make([][4]float32, 16*vertices)
	s.asm.flipped, s.asm.pos = make([]uint32, 2*MaxVertices), make([]position, 2*MaxVertices)
	held, _ := s.Footprint()
	require.Less(t, held, FootprintBound(0))
	require.Less(t, FootprintBound(0), held*3/2)
	require.Equal(t, 3*(FootprintBound(1)-FootprintBound(0)), FootprintBound(3)-FootprintBound(0))
	require.Greater(t, FootprintBound(1)-FootprintBound(0), shaderunit.MaxLogFootprint)
}

// A stage has the requested number of workers, or one if it has no function to run them in parallel.
func TestStageWorkers(t *testing.T) {
	parallel := func(n int, f func(i, worker int)) {}
	for asked, want := range map[int][2]int{-1: {1, 1}, 0: {1, 1}, 1: {1, 1}, 3: {3, 1}} {
		require.Equal(t, want, [2]int{len(NewStage(asked, parallel).workers), len(NewStage(asked, nil).workers)}, asked)
	}
}
