package model_test

import (
	"fmt"
	"log"
	"testing/fstest"

	"pica200/assets/model"
)

// Read reads a Wavefront model with its material from any fs.FS.
func ExampleRead() {
	files := fstest.MapFS{
		"quad.obj": {Data: []byte("mtllib quad.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nusemtl red\nf 1 2 3 4\n")},
		"quad.mtl": {Data: []byte("newmtl red\nKd 1 0 0\n")},
	}
	m, err := model.Read(files, "quad.obj", "quad.obj")
	if err != nil {
		log.Fatal(err)
	}
	p := &m.Meshes[0].Parts[0]
	fmt.Println(m.Triangles(), "triangles of", len(p.Positions), "vertices:", p.Indices)
	fmt.Println(m.Materials[p.Material].Name, m.Materials[p.Material].BaseColor)
	// Output:
	// 2 triangles of 4 vertices: [0 1 2 0 2 3]
	// red [1 0 0 1]
}

// Shapes are computed.
func ExampleSphere() {
	p, err := model.Sphere(1, 16, 8)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(p.Indices)/3, "triangles,", len(p.Normals) == len(p.Positions))
	// Output: 256 triangles, true
}
