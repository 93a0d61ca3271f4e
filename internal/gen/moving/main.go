// Command moving writes the trace of the moving scene that `make bench` measures (demo.Moving).
//
//	go run ./internal/gen/moving -o moving.ctf
//	go run ./internal/gen/moving -still -o still.ctf
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"pica200/internal/demo"
)

func main() {
	out := flag.String("o", "", "file to write")
	frames := flag.Int("frames", 120, "number of frames")
	still := flag.Bool("still", false, "every frame is that of the same moment")
	flag.Parse()
	if *out == "" || *frames < 1 || flag.NArg() != 0 {
		flag.Usage()
		os.Exit(2)
	}
	data, err := demo.Moving(context.Background(), *frames, *still)
	if err == nil {
		err = os.WriteFile(*out, data, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "moving:", err)
		os.Exit(1)
	}
}
