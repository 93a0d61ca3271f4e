package mbs_test

import (
	"fmt"
	"os"

	"pica200/assets/mbs"
)

// A file is read, checked and its symbols printed.
func ExampleParse() {
	data, err := os.ReadFile("testdata/own.mbs")
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := mbs.Parse(data)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("findings:", len(f.Check()))
	for _, s := range f.Shaders[0].Attributes.Symbols {
		fmt.Println(s.TypeName(), s.Name)
	}
	// Output:
	// findings: 0
	// vec4 position
	// vec2 uv
}
