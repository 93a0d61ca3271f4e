package shaderunit

import "unsafe"

// MaxProgramFootprint bounds Engine.Footprint: all cached micro-ops and those of one
// more program, and the code and blocks of each program.
const MaxProgramFootprint = (maxCachedOps+maxProgramOps)*int(unsafe.Sizeof(microOp{})) + maxCachedCodes*codeBytes

const (
	// maxProgramOps exceeds the number of micro-ops of a compiled program.
	maxProgramOps = 16 * maxTraced
	codeBytes     = int(unsafe.Sizeof(compiledCode{})) + CodeWords*4
)

// Footprint returns the approximate bytes of the cached programs.
func (e *Engine) Footprint() int {
	return e.cache.ops*int(unsafe.Sizeof(microOp{})) + e.cache.count*codeBytes
}

// MaxLogFootprint bounds Engine.LogHeld. A growing buffer at most doubles.
const MaxLogFootprint = 2*maxLoggedRows*(int(unsafe.Sizeof(Row{}))+int(unsafe.Sizeof(logEntry{}))) + 1<<10

// LogFootprint returns the bytes of the log of emitted vertices.
func (e *Engine) LogFootprint() int {
	return cap(e.log.rows)*int(unsafe.Sizeof(Row{})) + cap(e.log.entries)*int(unsafe.Sizeof(logEntry{})) + cap(e.log.wanted)
}
