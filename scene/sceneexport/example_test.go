package sceneexport_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"pica200/assets/picatrace"
	"pica200/scene"
	"pica200/scene/scenebuild"
	"pica200/scene/sceneexport"
)

// A scene is recorded as a trace, and the trace exported as a scene.
func ExampleExport() {
	s, err := scene.Parse("ball.yaml", []byte(`target: {width: 64, height: 64}
models:
  ball: {shape: sphere, size: 1}
draws:
  - model: ball
`))
	if err != nil {
		log.Fatal(err)
	}
	stage, err := scenebuild.New(s)
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	data, err := stage.Record(ctx, []float64{0}, scenebuild.Options{})
	if err != nil {
		log.Fatal(err)
	}
	trace, err := picatrace.Parse(data)
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "scene")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	r, err := sceneexport.Export(ctx, trace, filepath.Join(dir, "ball"), sceneexport.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Draws, "draw,", r.Meshes, "mesh")
	for _, p := range r.Pictures {
		fmt.Println(p)
	}
	// Output:
	// 1 draw, 1 mesh
	// pass0: the same as the trace's
}
