package fragment

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"pica200/pica"
)

// The program cache fills to its limit exactly. Beyond it, programs are dropped until half is free.
func TestProgramCacheFillsToTheLimit(t *testing.T) {
	var c programCache
	key := func(i int) *programKey {
		k := new(programKey)
		k.regs[1] = uint32(i)
		return k
	}
	record := int(2*unsafe.Sizeof(programKey{}) + unsafe.Sizeof(program{}))
	put := func(i, size int) {
		p := &program{ops: make([]op, i%3)}
		p.bytes = size - record - i%3*200
		c.put(key(i), p)
		require.Equal(t, size, p.bytes, "a program's size includes its record and ops")
		require.Same(t, p, c.last)
	}
	left := func() (list []int) {
		for i := range 20 {
			if c.entries[*key(i)] != nil {
				list = append(list, i)
			}
		}
		return list
	}
	const mib = 1 << 20
	put(0, 8*mib)
	put(1, 32*mib)
	put(2, 24*mib)
	require.Equal(t, []int{0, 1, 2}, left(), "programs of exactly 64 MiB fit")
	put(3, 8*mib)
	require.Equal(t, []int{2, 3}, left())
	put(4, 24*mib)
	put(5, 8*mib+1)
	require.Equal(t, []int{3, 4, 5}, left(), "the oldest programs are dropped until half is free")
	require.Equal(t, 40*mib+1, c.bytes)
	for range 1<<12 - 3 {
		require.NotNil(t, c.get(key(5)))
	}
	require.NotNil(t, c.get(key(4)), "entry added 4095 draws ago: its use is not recorded")
	require.NotNil(t, c.get(key(3)), "entry added 4097 draws ago: its use is recorded")
	put(6, 32*mib)
	require.Equal(t, []int{3, 5, 6}, left(), "the most recently used entry stays")
	require.Equal(t, 48*mib+1, c.bytes)
	for _, p := range c.order[:cap(c.order)] {
		require.Nil(t, p, "dropped programs are not referenced")
	}
	clear(c.entries) // without telling the cache
	require.NotNil(t, c.get(key(6)), "the most recent program is found without the map")
	require.Nil(t, c.get(key(3)))
}

// Release frees all draws for reuse except the one to keep.
func TestReleaseFreesAllDrawsButOne(t *testing.T) {
	e := NewEngine(1)
	var list []*Draw
	for range 4 {
		d := e.draws.next()
		d.program, d.Textures, d.Warnings = &program{}, append(d.Textures, Range{1, 2}), []string{"warning"}
		d.values.texels[1] = &texels{}
		list = append(list, d)
	}
	kept := list[2]
	kept.serial = 7
	e.Release(kept)
	require.Equal(t, uint64(6), uint64(e.serials.released))
	require.Same(t, kept, e.draws.last())
	require.NotNil(t, kept.program)
	require.Len(t, kept.Textures, 1)
	require.NotNil(t, kept.values.texels[1])
	for _, i := range []int{0, 1, 3} {
		d := list[i]
		require.Nil(t, d.program, i)
		require.Empty(t, d.Textures, i)
		require.Nil(t, d.Warnings, i)
		require.Nil(t, d.values.texels[1], i)
	}
	for range 3 {
		require.Contains(t, list, e.draws.next())
	}
	require.NotContains(t, list, e.draws.next())
	e.Release(nil)
	require.Nil(t, e.draws.last())
}

// Watch with a probe drops all compiled programs.
func TestWatchDropsPrograms(t *testing.T) {
	e := NewEngine(1)
	e.programs.put(new(programKey), &program{})
	e.draws.same = true
	e.Watch(&Probe{})
	require.Nil(t, e.programs.get(new(programKey)))
	require.False(t, e.draws.same)
}

// The error of a cube face names the face.
func TestCubeFaceErrorNamesFace(t *testing.T) {
	problem := errors.New("no")
	for kind, named := range map[pica.TextureType]bool{pica.TextureCube: true, pica.TextureShadowCube: true, pica.Texture2D: false, pica.TextureShadow2D: false} {
		got := (&textureSlot{unit: 0, face: 3}).inFace(problem, kind)
		require.Equal(t, named, got.Error() != "no", "%v: %v", kind, got)
		require.Equal(t, problem, (&textureSlot{unit: 1, face: 0}).inFace(problem, kind))
	}
}

// A checksum protects the noise unit's numbers, which follow from no formula.
func TestNoiseTableChecksum(t *testing.T) {
	h := fnv.New64a()
	h.Write(noiseRand1[:])
	require.NoError(t, binary.Write(h, binary.LittleEndian, noiseRand2[:]))
	require.Equal(t, "4c54da1f10b9381", fmt.Sprintf("%x", h.Sum64()))
}

// textureMemory is memory of zeros with given generations.
type textureMemory map[uint32]uint64

func (m textureMemory) Slice(_, n uint32) ([]byte, error)       { return make([]byte, n), nil }
func (m textureMemory) Generation(addr uint32, _ uint32) uint64 { return m[addr] }
