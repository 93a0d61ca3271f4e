package pipeline

import (
	"pica200/fragment"
	"pica200/pica"
	"pica200/shaderunit"
)

// programmed is what a program sets by writing internal registers. Commands
// write it (commands.go, upload.go), draws read it; a recording's initial state
// and a snapshot hold all of it.
type programmed struct {
	regs   pica.Regs        // internal registers
	tables fragment.Tables  // look-up tables of the fragment stage
	vs, gs shaderunit.Setup // vertex and geometry shader
	fixed  [16][4]float32   // fixed attributes
	upload upload           // vectors that are not complete yet
}

// The methods in target.go, vertexmemory.go and only.go say which parts a draw
// uses.
