package shaderunit_test

import (
	"fmt"
	"log"

	"pica200/shaderunit"
	"pica200/shaderunit/asm"
)

// unit assembles a shader and loads it into a shader unit.
func unit(source string) *shaderunit.Setup {
	p, findings := asm.Assemble(asm.Options{}, asm.Source{Name: "example.v.pica", Text: []byte(source)})
	if p == nil {
		log.Fatal(findings)
	}
	s := &shaderunit.Setup{OutMask: p.File.Executables[0].OutputMask, Entry: uint16(p.File.Executables[0].Main)}
	for i, w := range p.File.Program.Code {
		s.SetCode(i, w)
	}
	for i, d := range p.File.Program.Descriptors {
		s.SetDesc(i, d.Word)
	}
	return s
}

const doubles = `
.out pos position
.proc main
	add pos, v0, v0
	end
.end
`

// The interpreter runs a program for one vertex and can trace its steps.
func ExampleInterpreter_Run() {
	var it shaderunit.Interpreter
	it.Reset()
	it.In[0] = [4]float32{1, 2, 3, 4}
	it.Trace = func(s *shaderunit.Step) { fmt.Printf("%03X %v\n", s.PC, s.Instr.Op) }
	if err := it.Run(unit(doubles)); err != nil {
		log.Fatal(err)
	}
	fmt.Println(it.Out()[0])
	// Output:
	// 000 ADD
	// 001 END
	// [2 4 6 8]
}

// The engine runs the program for up to 64 vertices at once, with the same bits.
func ExampleEngine_RunVertices() {
	batch := new(shaderunit.Batch)
	x := batch.In(0, 0) // v0.x of every vertex
	for i := range 3 {
		x[i] = float32(i)
	}
	if err := shaderunit.NewEngine().RunVertices(unit(doubles), batch, 3); err != nil {
		log.Fatal(err)
	}
	fmt.Println(batch.Out(0, 0)[:3])
	// Output: [0 2 4]
}

// An instruction is one word; its operand descriptor has swizzles and mask.
func ExampleDecode() {
	in := shaderunit.Decode(0x4C201020)
	fmt.Println(in.Text(shaderunit.MakeOpDesc(shaderunit.MaskXYZW, [3]uint8{shaderunit.SwizzleXYZW}, [3]bool{})))
	w, err := in.Encode()
	fmt.Printf("%08X %v\n", w, err)
	// Output:
	// mov o1, v1
	// 4C201020 <nil>
}
