package shaderunit

import "unsafe"

// MaxProgramsHeld is the bound of Engine.Held: all micro-ops that are kept and
// those of the program that is added, each program's code and blocks.
const MaxProgramsHeld = (maxCachedOps+maxProgramOps)*int(unsafe.Sizeof(microOp{})) + maxCachedCodes*codeBytes

const (
	// maxProgramOps is more than the ops of a compiled program: those of an
	// instruction, for every one that is followed.
	maxProgramOps = 16 * maxTraced
	codeBytes     = int(unsafe.Sizeof(compiledCode{})) + CodeWords*4
)

// Held is about what the compiled programs that the engine keeps take, in bytes.
func (e *Engine) Held() int {
	return e.cache.ops*int(unsafe.Sizeof(microOp{})) + e.cache.count*codeBytes
}

// MaxLogHeld is the bound of Engine.LogHeld. A buffer that grows is at most
// doubled.
const MaxLogHeld = 2*maxLoggedRows*(int(unsafe.Sizeof(Row{}))+int(unsafe.Sizeof(logEntry{}))) + 1<<10

// LogHeld is the size in bytes of the log of what geometry shaders emit.
func (e *Engine) LogHeld() int {
	return cap(e.log.rows)*int(unsafe.Sizeof(Row{})) + cap(e.log.entries)*int(unsafe.Sizeof(logEntry{})) + cap(e.log.wanted)
}
