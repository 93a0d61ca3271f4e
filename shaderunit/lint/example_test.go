package lint_test

import (
	"fmt"
	"log"

	"pica200/shaderunit/asm"
	"pica200/shaderunit/lint"
)

// Check finds code that hangs or misrenders on the console, also in finished binaries.
func ExampleCheck() {
	p, findings := asm.Assemble(asm.Options{}, asm.Source{Name: "mova.v.pica", Text: []byte(`
.out pos position
.proc main
	mova a0.x, v0.x
	mova a0.y, v0.y
	mov pos, c0[a0.x]
	end
.end
`)})
	if p == nil {
		log.Fatal(findings)
	}
	for _, f := range lint.Check(p.File, nil) {
		fmt.Printf("instruction %d, %s: %s\n", f.Addr, f.Rule.ID, f.Msg)
	}
	// Output: instruction 1, mova-adjacent: mova right after another mova
}
