package pipeline

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
)

// A check finds the same whatever the registers hold that are not in its key: its result is kept as long as the key is equal.
func TestUnmodelledChecksHaveWholeKeys(t *testing.T) {
	rng := rand.New(rand.NewPCG(64, 1))
	for i, check := range unmodelledChecks {
		var keyed []pica.Reg
		for reg := range pica.Reg(pica.NumRegs) {
			var r pica.Regs
			r[reg] = 1
			if check.key(&r) != (unmodelledKey{}) {
				keyed = append(keyed, reg)
			}
		}
		for j, find := range check.find {
			var found int
			for range 2000 {
				var r, other pica.Regs
				for n := range r {
					r[n], other[n] = rng.Uint32(), rng.Uint32()
				}
				// Checks look at few kinds of textures, and at small viewports.
				r[pica.RegTexunitConfig], r[pica.RegTexunit0Param], r[pica.RegTexunit1Type] = 3, uint32(pica.TextureCube)<<28, uint32(pica.TextureFormatI4)+rng.Uint32N(2)
				r[pica.RegTexunit1Addr] = (pica.VRAMBase + rng.Uint32N(2*pica.VRAMSize)) >> 3
				r[pica.RegViewportWidth], r[pica.RegViewportHeight] = pica.Float24.Encode(float32(rng.IntN(100))), pica.Float24.Encode(float32(rng.IntN(100)))
				for i := range pica.Reg(2) {
					r[pica.RegViewportInvw+2*i] *= rng.Uint32N(2)
				}
				r[0x060], r[0x11F] = rng.Uint32N(1<<10), 0x7FFFFFFE+rng.Uint32N(2)
				for _, reg := range keyed {
					other[reg] = r[reg]
				}
				want := slices.Clone(find(&r, nil))
				require.Equal(t, want, find(&other, nil), "finder %d of check %d depends on a register that is not in the key", j, i)
				found += min(len(want), 1)
			}
			require.Positive(t, found, "finder %d of check %d", j, i)
			require.Less(t, found, 2000, "finder %d of check %d", j, i)
		}
	}
}
