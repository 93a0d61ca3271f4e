package shaders_test

import (
	"fmt"
	"log"

	"pica200/shaderunit/shaders"
)

// A program of the library and its inputs.
func ExampleLoad() {
	p, err := shaders.Lookup("basic")
	if err != nil {
		log.Fatal(err)
	}
	for _, in := range p.Inputs {
		fmt.Println(in.Name)
	}
	file, err := shaders.Load(p.Name)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(file.Executables[0].Type)
	// Output:
	// position
	// color
	// vertex
}
