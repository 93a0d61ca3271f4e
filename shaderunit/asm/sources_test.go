package asm

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSplitSources(t *testing.T) {
	list := SplitSources("x", []byte(SourceMark+"a.v.pica\nnop\n"+SourceMark+"b.g.pica\nend\n"))
	require.Len(t, list, 2)
	require.Equal(t, "a.v.pica", list[0].Name)
	require.Equal(t, "nop", string(list[0].Text))
	require.Equal(t, "b.g.pica", list[1].Name)
	require.Equal(t, "end\n", string(list[1].Text))
	require.Len(t, SplitSources("x", []byte("nop\n")), 1)
}
