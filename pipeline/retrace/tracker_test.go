package retrace

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pipeline"
)

// needs lists the bytes of pages and of loads that were needed, as first+count.
func needs(t *tracker) string {
	var all []string
	list := func(label string, base uint32, need *byteSet) {
		for from := 0; need != nil && from < pageSize; from++ {
			n := 0
			for from+n < pageSize && need.has(uint16(from+n)) {
				n++
			}
			if n > 0 {
				all = append(all, fmt.Sprintf("%s%x+%d", label, base+uint32(from), n))
				from += n
			}
		}
	}
	for _, number := range slices.Sorted(maps.Keys(t.start)) {
		list("", number*pageSize, t.start[number].need)
	}
	for _, load := range slices.Sorted(maps.Keys(t.needed)) {
		list(fmt.Sprintf("load %d: ", load), 0, t.needed[load])
	}
	return strings.Join(all, ", ")
}

// A cut, a packed recording and a strip need what the screens, the rests of targets and the draws read, through any copies.
func TestTrackerNeeds(t *testing.T) {
	type step func(*tracker)
	read := func(u pipeline.Use, addr, n uint32) step { return func(t *tracker) { t.Reads(u, addr, n) } }
	write := func(u pipeline.Use, addr, n uint32) step { return func(t *tracker) { t.Writes(u, addr, n, true) } }
	some := func(u pipeline.Use, addr, n uint32) step { return func(t *tracker) { t.Writes(u, addr, n, false) } }
	const list, texture, kept, fill, transfer, screen, cpu = pipeline.UseList, pipeline.UseTexture, pipeline.UseTargetRest, pipeline.UseFill, pipeline.UseTransfer, pipeline.UseScreen, pipeline.UseCPU
	var halves []step // copies in place, half by half; to follow each half by itself takes 2^60 steps
	for range 60 {
		halves = append(halves, read(transfer, 0x2000, 8), read(transfer, 0x2008, 8), write(transfer, 0x2000, 16))
	}
	for _, c := range []struct {
		name             string
		steps            []step
		cut, pack, strip string
	}{
		{"screen", []step{read(screen, 0x1004, 3)}, "1004+3", "1004+3", ""},
		{"rest of a target", []step{read(kept, 0x1004, 3)}, "", "1004+3", ""},
		{"loads on two pages", []step{write(cpu, 0x1FFE, 4), read(list, 0x1FFF, 2), read(list, 0x2001, 2)},
			"2002+1, load 1: fff+1, load 2: 0+2", "2002+1, load 1: fff+1, load 2: 0+2", "2002+1, load 1: fff+1, load 2: 0+2"},
		{"the second of two transfers", []step{read(transfer, 0x1000, 16), write(transfer, 0x2000, 16), read(transfer, 0x3000, 16), write(transfer, 0x4000, 16), read(texture, 0x4000, 16)},
			"1000+16, 3000+16", "1000+16, 3000+16", "3000+16"},
		{"a copy of two lines", []step{read(transfer, 0x1000, 16), read(transfer, 0x1020, 16), write(transfer, 0x2000, 16), write(transfer, 0x2020, 16), read(texture, 0x2024, 4)},
			"1000+16, 1020+16", "1000+16, 1020+16", "1000+16, 1020+16"},
		{"a copy of a copy", []step{read(transfer, 0x1000, 16), write(transfer, 0x2000, 16), read(transfer, 0x2004, 4), write(transfer, 0x3000, 4), read(texture, 0x3000, 4), read(texture, 0x3000, 4)},
			"1000+16", "1000+16", "1000+16"},
		{"many copies in place", append(halves, read(texture, 0x2000, 1)), "2000+16", "2000+16", "2000+16"},
		{"a fill behind a transfer", []step{read(transfer, 0x1000, 16), write(transfer, 0x2000, 16), write(fill, 0x3000, 16), read(texture, 0x3000, 16), read(texture, 0x3010, 1)},
			"1000+16, 3010+1", "1000+16, 3010+1", "3010+1"},
		{"a transfer that writes some bytes", []step{read(transfer, 0x2000, 16), some(transfer, 0x1000, 100), read(texture, 0x100A, 10)},
			"100a+10, 2000+16", "100a+10, 2000+16", "1000+100, 2000+16"},
		{"a transfer that is overwritten", []step{read(transfer, 0x1000, 16), write(transfer, 0x2000, 16), write(cpu, 0x2000, 16), read(texture, 0x2000, 8)},
			"1000+16, load 1: 0+8", "1000+16, load 1: 0+8", "load 1: 0+8"},
	} {
		for mode, want := range map[string]string{"cut": c.cut, "pack": c.pack, "strip": c.strip} {
			k := newTracker()
			k.targetRest, k.onlyDraws = mode == "pack", mode == "strip"
			for _, s := range c.steps {
				s(k)
			}
			require.Equal(t, want, needs(k), "%s: %s", mode, c.name)
		}
	}
}
