package fragment

import "unsafe"

// Bounds of the results of Footprint.
const (
	// MaxTextureFootprint bounds the textures: the cache, what it dropped while draws
	// wait, half of it in one step, and the textures of one draw.
	MaxTextureFootprint = maxTextureBytes + maxRetired + maxTextureBytes/2 + maxTextures*maxTexelBytes
	// MaxProgramFootprint bounds the programs: the cache with one more, the records of
	// draws, tables and samplers.
	MaxProgramFootprint = maxProgramBytes + 1<<20 + 2*maxDraws*int(unsafe.Sizeof(Draw{})) + maxRecycled + 2*maxWaiting +
		maxSamplers*int(unsafe.Sizeof(sampler{}))

	// maxTexelBytes is at least the size of the greatest texture, with all its
	// levels or with cells.
	maxTexelBytes = 4*maxTextureSize*maxTextureSize*2 + texelsRecord
)

// Footprint returns the bytes of the textures and of the programs that the engine
// and its draws hold. Programs are measured by their tables and ops, as in the
// cache.
func (e *Engine) Footprint() (textures, programs int) {
	return e.textures.bytes + e.textures.retired, e.programs.bytes + len(e.draws.all)*int(unsafe.Sizeof(Draw{})) + e.serials.allocated
}
