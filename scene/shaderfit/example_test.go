package shaderfit_test

import (
	"fmt"

	"pica200/scene/shaderfit"
	"pica200/shaderunit/asm"
)

// Find finds the meaning of uniforms and inputs of a program without annotations.
func ExampleFind() {
	p, diags := asm.Assemble(asm.Options{}, asm.Source{Name: "a.pica", Text: []byte(`
.fvec a[4], b[4], c
.constf k(1.0, 0.0, 0.0, 0.0)
.out pos position
.out clr color
.proc main
	mov r0.xyz, v0
	mov r0.w, k.x
	dp4 r1.x, b[0], r0
	dp4 r1.y, b[1], r0
	dp4 r1.z, b[2], r0
	dp4 r1.w, b[3], r0
	dp4 pos.x, a[0], r1
	dp4 pos.y, a[1], r1
	dp4 pos.z, a[2], r1
	dp4 pos.w, a[3], r1
	mul clr, c, v1
	end
.end
`)})
	if err := diags.Err(); err != nil {
		fmt.Println(err)
		return
	}
	fit := shaderfit.Find(shaderfit.Program{File: p.File, Vertex: 0, Geometry: -1})
	for i := range fit.Inputs {
		fmt.Println(&fit.Inputs[i])
	}
	for i := range fit.Uniforms {
		fmt.Println(&fit.Uniforms[i])
	}
	// Output:
	// v0: position (goes through b to the position)
	// v1: color (reaches color)
	// a: projection (on the way to the position)
	// b: modelView (on the way to the position)
	// c: 1 1 1 1 (a factor)
}
