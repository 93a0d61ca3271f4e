package drawstate

import (
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/citrace"
	"pica200/assets/picatrace"
	"pica200/explain"
	"pica200/pipeline"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// Sources and destinations of fills and transfers in random traces are named after the targets, textures and screens of their
// frames, and shown before and after.
func TestMoveSourcesAndDestinations(t *testing.T) {
	var text strings.Builder
	for _, seed := range []uint64{0, 2, 3, 10, 11, 14, 20, 29, 31, 37, 39, 50, 55, 59} {
		c := testkit.Must(citrace.Parse(states.Make(seed)))(t)
		r, err := pipeline.NewReplayer(picatrace.FromCiTrace(c), pipeline.ReplayerOptions{Options: pipeline.Options{Workers: 1, FCRAM: states.FCRAM}})
		require.NoError(t, err)
		for frame := range r.Frames() {
			for i := 0; ; i++ {
				m, err := TakeMove(t.Context(), r, frame, i, nil)
				var none *NoMoveError
				if errors.As(err, &none) {
					break
				}
				require.NoError(t, err)
				fmt.Fprintf(&text, "seed %d, frame %d, %T %d:", seed, frame, m.Move, i)
				for _, row := range m.Rows[len(explain.MoveRow(m.Move).Rows):] {
					fmt.Fprintf(&text, " %s;", row.Text())
				}
				fmt.Fprintf(&text, " %s, then %s\n", sum(m.Before), sum(m.After))
			}
		}
		r.GPU.Close()
	}
	testkit.Golden(t, "testdata/moves.txt", []byte(text.String()))
}

// sum returns the checksum of an area's picture or depths.
func sum(a *Area) string {
	switch {
	case a == nil:
		return "nothing"
	case a.Image != nil:
		return fmt.Sprintf("picture %v %08x", a.Image.Bounds().Size(), crc32.ChecksumIEEE(a.Image.Pix))
	}
	return fmt.Sprintf("depths %08x", crc32.ChecksumIEEE(a.Depth.Depth))
}
