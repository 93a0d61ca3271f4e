package mbs_test

import (
	"fmt"
	"os"

	"pica200/assets/mbs"
)

// Layout places the uniforms of a vertex shader.
func ExampleTable_Layout() {
	t := mbs.Table{Storage: mbs.GPUniform, Symbols: []mbs.Symbol{
		{Name: "scale", Type: mbs.Float, ComponentCount: 1, Parent: mbs.NoParent},
		{Name: "normals", Type: mbs.Matrix, ComponentCount: 3, Parent: mbs.NoParent},
	}}
	if err := t.Layout(); err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range t.Symbols {
		fmt.Println(s.TypeName(), s.Name, "at", s.Location)
	}
	fmt.Println("space", t.Space)
	// Output:
	// float scale at 3
	// mat3 normals at 0
	// space 12
}

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
