package asm

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A descriptor chosen by number gets the bits that the next instruction needs and keeps those of the others.
func TestNumberedDescriptors(t *testing.T) {
	d := &descriptorTable{}
	_, err := d.find(0x0F, 0x0F)
	require.NoError(t, err)
	for _, c := range []struct {
		desc, needed, word uint32
		fits               bool
	}{{0x30, 0xF0, 0x3F, true}, {0x2F, 0xF0, 0x3F, false}, {0xA30, 0xF00 | 0x30, 0xA3F, true}, {0, 0x1000, 0xA3F, true}, {0x1000, 0x1000, 0xA3F, false}} {
		_, err := d.take(0, c.desc, c.needed, 1)
		require.Equal(t, c.fits, err == nil, "%x: %v", c.desc, err)
		require.Equal(t, c.word, d.words[0], "%x", c.desc)
	}
}
