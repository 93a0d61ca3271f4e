package scenebuild_test

import (
	"context"
	"fmt"
	"log"

	"pica200/pipeline"
	"pica200/scene"
	"pica200/scene/scenebuild"
)

// Render draws a scene.
func ExampleStage_Render() {
	s, err := scene.Parse("ball.yaml", []byte(`target: {width: 64, height: 64, clear: {color: [0, 0, 1], depth: 1}}
models:
  ball: {shape: sphere, size: 1}
draws:
  - {model: ball, color: [1, 0.5, 0, 1]}
`))
	if err != nil {
		log.Fatal(err)
	}
	stage, err := scenebuild.New(s)
	if err != nil {
		log.Fatal(err)
	}
	gpu, draws, err := stage.Render(context.Background(), 0, scenebuild.Options{})
	if err != nil {
		log.Fatal(err)
	}
	target, err := gpu.LastTarget()
	if err != nil {
		log.Fatal(err)
	}
	img, err := pipeline.ColorImage(target)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(draws, img.NRGBAAt(32, 32), img.NRGBAAt(1, 1))
	// Output: [ball (line 5)] {255 128 0 255} {0 0 255 255}
}
