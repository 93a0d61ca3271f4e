package symbolic_test

import (
	"fmt"

	"pica200/shaderunit/asm"
	"pica200/shaderunit/symbolic"
)

// The expression of a position.
func Example() {
	p, diags := asm.Assemble(asm.Options{}, asm.Source{Name: "a.pica", Text: []byte(`
.fvec matrix[4]
.constf one(1.0, 0.5, 0.0, 0.0)
.out pos position
.proc main
	mul r0.xyz, one.y, v2.xyz
	mov r0.w, one.x
	dp4 pos.x, matrix[0], r0
	end
.end
`)})
	if err := diags.Err(); err != nil {
		fmt.Println(err)
		return
	}
	exec := &p.File.Executables[0]
	fmt.Printf("inputs %04x\n", symbolic.Inputs(p.File, exec))
	r := symbolic.Run(p.File, exec, symbolic.Options{})
	fmt.Println(r.Paths[0].Outputs[0][0])
	// Output:
	// inputs 0004
	// dp4(c0.x, c0.y, c0.z, c0.w, mul(0.5, v2.x), mul(0.5, v2.y), mul(0.5, v2.z), 1)
}
