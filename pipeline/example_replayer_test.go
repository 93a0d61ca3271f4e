package pipeline_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"pica200/assets/picatrace"
	"pica200/pipeline"
)

// A Replayer goes to any position of a recording; the GPU then holds the state of a replay from the start.
func ExampleReplayer() {
	data, err := os.ReadFile("../testdata/traces/shadow.ctf")
	if err != nil {
		log.Fatal(err)
	}
	trace, err := picatrace.Parse(data)
	if err != nil {
		log.Fatal(err)
	}
	r, err := pipeline.NewReplayer(trace, pipeline.ReplayerOptions{})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	draws, err := r.Draws(ctx, 0)
	if err != nil {
		log.Fatal(err)
	}
	for _, d := range draws {
		fmt.Printf("pass %d, draw %d: %s, %d pixels in mode %s\n", d.Pass, d.Draw, d.Primitive, d.Fragments, d.Mode)
	}
	for _, pos := range []pipeline.Position{{Frame: 0, Draw: 1}, {Frame: 0, Draw: 0}, pipeline.Start} {
		if err := r.Seek(ctx, pos); err != nil {
			log.Fatal(err)
		}
		target, err := r.GPU.LastTarget()
		if err != nil {
			fmt.Printf("%v: %v\n", pos, err)
			continue
		}
		fmt.Printf("%v: a target of %dx%d\n", pos, target.Width, target.Height)
	}
	// Output:
	// pass 0, draw 0: geometry, 406 pixels in mode shadow
	// pass 1, draw 1: geometry, 13678 pixels in mode default
	// pass 1, draw 2: geometry, 2850 pixels in mode default
	// frame 0, draw 1: a target of 200x120
	// frame 0, draw 0: a target of 64x64
	// start: nothing was drawn yet, so there is no render target
}
