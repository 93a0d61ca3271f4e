package dmp_test

import (
	"fmt"

	"pica200/frontend/dmp"
	"pica200/pica"
)

// Setting a uniform writes the register file; Flush returns what a command list
// would write.
func ExampleState_Set() {
	var regs pica.Regs
	s := dmp.New(&regs)
	s.Flush() // all registers after creation

	s.Set("dmp_Fog.mode", "GL_FOG")
	s.Set("dmp_TexEnv[1].constRgba", 1, 0.5, 0, 1)
	fmt.Println(s.Set("dmp_TexEnv[1].constRGBA", 1, 0.5, 0, 1))

	writes, _ := s.Flush()
	for _, w := range writes {
		fmt.Println(pica.Decode(w.Reg, w.Value))
	}
	// Output:
	// no uniform is called "dmp_TexEnv[1].constRGBA"; the nearest name is dmp_TexEnv[1].constRgba
	// GPUREG_TEXENV1_COLOR red=1 green=0.49803922 blue=0 alpha=1
	// GPUREG_TEXENV_UPDATE_BUFFER fog_mode=fog gas_density=plain update_rgb=0x0 update_alpha=0x0 z_flip=false
}
