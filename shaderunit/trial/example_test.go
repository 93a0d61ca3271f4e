package trial_test

import (
	"fmt"
	"log"

	"pica200/shaderunit/asm"
	"pica200/shaderunit/trial"
)

// Run runs a shader for one vertex: outputs have names, and every instruction can be traced.
func ExampleShader_Run() {
	p, findings := asm.Assemble(asm.Options{}, asm.Source{Name: "glow.v.pica", Text: []byte(`
.constf half(0.5, 0.5, 0.5, 1.0)
.out outPosition position
.out outColor color
.proc main
	mov outPosition, v0
	mul outColor, half, v1
	end
.end
`)})
	if p == nil {
		log.Fatal(findings)
	}
	s, err := trial.Load(p.File, 0)
	if err != nil {
		log.Fatal(err)
	}
	vertex := &trial.Vertex{trial.Vector([]float64{0.5, -0.5}), trial.Vector([]float64{1, 0.5, 0})}
	r, err := s.Run(vertex, nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Steps, "instructions")
	for _, o := range r.Outputs {
		fmt.Println(o)
	}
	// Output:
	// 3 instructions
	// position = (0.5, -0.5, 0, 1)
	// color = (0.5, 0.25, 0, 1)
}
