package asm_test

import (
	"fmt"
	"log"

	"pica200/shaderunit/asm"
)

// Assemble makes a .shbin file from a vertex shader.
func ExampleAssemble() {
	p, findings := asm.Assemble(asm.Options{}, asm.Source{Name: "mvp.v.pica", Text: []byte(`
.fvec projection[4]
.in position v0
.out pos position
.proc main
	dp4 pos.x, projection[0], position
	dp4 pos.y, projection[1], position
	dp4 pos.z, projection[2], position
	dp4 pos.w, projection[3], position
	end
.end
`)})
	if p == nil {
		log.Fatal(findings)
	}
	data, err := p.Bytes()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s, %d instructions\n", data[:4], len(p.File.Program.Code))
	for i := range p.File.Program.Code[:2] {
		fmt.Printf("instruction %d: %s:%d\n", i, p.Lines[i].File, p.Lines[i].Line)
	}
	// Output:
	// DVLB, 5 instructions
	// instruction 0: mvp.v.pica:6
	// instruction 1: mvp.v.pica:7
}

// All mistakes are reported, each with its position.
func ExampleAssemble_mistakes() {
	p, findings := asm.Assemble(asm.Options{}, asm.Source{Name: "bad.v.pica", Text: []byte(`.proc main
	mul r0, c0, c1
	mvo r1, r0
	end
.end
`)})
	fmt.Println(p == nil)
	for _, d := range findings {
		fmt.Println(d.Pos, d.Msg)
	}
	// Output:
	// true
	// bad.v.pica:2:14 "c1" cannot be source 2
	// bad.v.pica:3:2 unknown instruction "mvo"
}
