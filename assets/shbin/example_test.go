package shbin_test

import (
	"fmt"
	"log"

	"pica200/assets/shbin"
)

// A shader binary of two instructions, written and read.
func ExampleBuild() {
	f, err := shbin.Build(
		[]uint32{0x4C000000, 0x88000000}, // mov o0, v0; end
		[]uint32{0x0000036F},             // all components, unchanged
		[]shbin.Executable{{
			EndMain: 2, InputMask: 1, OutputMask: 1,
			Constants: []shbin.Constant{shbin.BoolConstant(3, true)},
		}})
	if err != nil {
		log.Fatal(err)
	}
	data, err := f.Write()
	if err != nil {
		log.Fatal(err)
	}
	f, err = shbin.Parse(data)
	if err != nil {
		log.Fatal(err)
	}
	e := &f.Executables[0]
	fmt.Printf("%s: %d bytes, %v, %d instructions\n", data[:4], len(data), e.Type, len(f.Program.Code))
	fmt.Printf("b%d = %v\n", e.Constants[0].Reg, e.Constants[0].Bool())
	// Output:
	// DVLB: 152 bytes, vertex, 2 instructions
	// b3 = true
}
