package citrace

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/tests/testkit"
)

// Command lists of real programs are unchanged when their commands are written again.
func TestCommandListsRoundTrip(t *testing.T) {
	lists := 0
	for _, file := range testkit.Traces(t) {
		name, data := file.Name, file.Read(t)
		tr := testkit.Must(Parse(data))(t)
		finder := newListFinder(tr)
		for i := range tr.Elements {
			l, _ := finder.write(i)
			for _, p := range l.pieces {
				var again []uint32
				r := pica.ReadCommands(p.words)
				for c, ok := r.Next(); ok; c, ok = r.Next() {
					again = c.Append(again)
				}
				require.NoError(t, r.Err(), name)
				require.True(t, slices.Equal(p.words, again), "%s: the list at 0x%x", name, p.addr)
				lists++
			}
		}
	}
	t.Logf("%d lists", lists)
	require.GreaterOrEqual(t, lists, 6, "one list for each frame of our own traces")
}
