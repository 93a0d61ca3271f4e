package asm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/shaderunit/asm"
)

func TestSplitSources(t *testing.T) {
	list := asm.SplitSources("x", []byte(asm.SourceMark+"a.v.pica\nnop\n"+asm.SourceMark+"b.g.pica\nend\n"))
	require.Len(t, list, 2)
	require.Equal(t, "a.v.pica", list[0].Name)
	require.Equal(t, "nop", string(list[0].Text))
	require.Equal(t, "b.g.pica", list[1].Name)
	require.Equal(t, "end\n", string(list[1].Text))
	require.Len(t, asm.SplitSources("x", []byte("nop\n")), 1)
}
