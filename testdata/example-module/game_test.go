// Package game stands for another project: it keeps its scenes and the
// approved pictures of them in its own folder, and tests them with go test.
package game

import (
	"context"
	"testing"

	"pica200/golden"
	"pica200/pipeline"
	"pica200/scene/scenebuild"
)

// TestPictures draws every case of testdata/golden.
func TestPictures(t *testing.T) {
	golden.Run(t, "testdata/golden", golden.Options{})
}

// TestTurned draws a scene itself, at another time, and compares what it got.
func TestTurned(t *testing.T) {
	stage, err := scenebuild.Load("testdata/crate.yaml")
	if err != nil {
		t.Fatal(err)
	}
	gpu, _, err := stage.Render(context.Background(), 1.5, scenebuild.Options{})
	if err != nil {
		t.Fatal(err)
	}
	target, err := gpu.LastTarget()
	if err != nil {
		t.Fatal(err)
	}
	img, err := pipeline.ColorImage(target)
	if err != nil {
		t.Fatal(err)
	}
	golden.Assert(t, img, "crate-turned", golden.Tolerance{})
}
