package vertices_test

import (
	"fmt"

	"pica200/assets/model"
	"pica200/assets/vertices"
)

// Text becomes a triangle of a model, with computed normals.
func Example() {
	t, err := vertices.Parse([]byte("x,y,z\n0,0,0\n1,0,0\n0,1,0\n"), vertices.CSV, vertices.Layout{})
	if err != nil {
		panic(err)
	}
	p, err := t.Part()
	if err != nil {
		panic(err)
	}
	parts, err := model.NewParts(p, t.Indices, model.FlatNormals)
	if err != nil {
		panic(err)
	}
	fmt.Println(parts[0].Positions, parts[0].Normals[0], parts[0].Indices)
	// Output: [[0 0 0] [1 0 0] [0 1 0]] [0 0 1] [0 1 2]
}
