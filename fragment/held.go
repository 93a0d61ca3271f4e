package fragment

import "unsafe"

// Bounds of what Held gives.
const (
	// MaxTexturesHeld is that of textures: the cache, what it dropped while
	// draws wait, half of it at last, and the textures of one draw.
	MaxTexturesHeld = maxTextureBytes + maxRetired + maxTextureBytes/2 + maxTextures*maxTexelBytes
	// MaxProgramsHeld is that of programs: the cache with the one that is added, the
	// records of draws, and tables and samplers.
	MaxProgramsHeld = maxProgramBytes + 1<<20 + 2*maxDraws*int(unsafe.Sizeof(Draw{})) + maxRecycled + 2*maxWaiting +
		maxSamplers*int(unsafe.Sizeof(sampler{}))

	// maxTexelBytes is more than the greatest texture takes, with all its levels.
	maxTexelBytes = 4*maxTextureSize*maxTextureSize*3/2 + texelsRecord
)

// Held is the size in bytes of the textures that the engine and the draws which
// it gave out hold, and of the programs. Programs are counted by their tables
// and ops, as the cache does.
func (e *Engine) Held() (textures, programs int) {
	return e.textures.bytes + e.textures.retired, e.programs.bytes + len(e.draws.all)*int(unsafe.Sizeof(Draw{})) + e.turn.held
}
