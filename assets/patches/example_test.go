package patches_test

import (
	"fmt"
	"log"

	"github.com/go-gl/mathgl/mgl32"

	"pica200/assets/patches"
)

// The edges of a tetrahedron, and one step of Loop subdivision.
func ExampleEdges() {
	m, err := patches.Triangles(
		[]mgl32.Vec3{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
		[]uint32{0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3})
	if err != nil {
		log.Fatal(err)
	}
	edges, err := patches.Edges(m)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(edges)/2, "edges:", edges)
	finer, err := patches.RefineLoop(m)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(finer.Faces), "faces of", len(finer.Positions), "vertices")
	// Output:
	// 6 edges: [0 2 2 1 1 0 1 3 3 0 3 2]
	// 16 faces of 10 vertices
}
