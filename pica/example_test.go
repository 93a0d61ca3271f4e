package pica_test

import (
	"fmt"

	"pica200/pica"
)

// A field reads its bits from a register file, or from one word.
func ExampleField() {
	var regs pica.Regs
	pica.FacecullingMode.Set(&regs, uint32(pica.CullFront))
	fmt.Println(pica.CullMode(pica.FacecullingMode.Get(&regs)), pica.Decode(pica.RegFacecullingConfig, regs[pica.RegFacecullingConfig]))
	// Output: front GPUREG_FACECULLING_CONFIG mode=front
}

// A command list is written and read back.
func ExampleReadCommands() {
	var w pica.CommandWriter
	w.WriteMasked(pica.RegDepthColorMask, 0xFF, 0x1F11)
	w.WriteRun(pica.RegViewportWidth, 1, 2)
	w.Finish()
	r := pica.ReadCommands(w.Words)
	for c, ok := r.Next(); ok; c, ok = r.Next() {
		fmt.Println(c.Reg(0), c.Len())
	}
	// Output:
	// GPUREG_DEPTH_COLOR_MASK 1
	// GPUREG_VIEWPORT_WIDTH 2
	// GPUREG_FINALIZE 1
}
