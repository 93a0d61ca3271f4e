package scene_test

import (
	"fmt"
	"log"

	"pica200/scene"
)

// Parse reads the text of a scene file and reports mistakes with their lines.
func ExampleParse() {
	s, err := scene.Parse("ring.yaml", []byte("name: A ring\nmodels:\n  ring: {shape: torus, size: [1, 0.4]}\ndraws:\n  - model: ring\n"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Name, len(s.Draws), s.Target.Width, s.Target.Height)
	_, err = scene.Parse("ring.yaml", []byte("models:\n  ring: {shape: tours}\ndraws:\n  - model: rung\n"))
	fmt.Println(err)
	// Output:
	// A ring 1 400 240
	// ring.yaml:2:17: unknown value "tours" in shape; the nearest valid name is "torus"
	//     2 |   ring: {shape: tours}
	//       |                 ^
}
