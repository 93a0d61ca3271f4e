// Command moving writes the trace of the moving scene that `make bench` measures (demo.Moving).
//
//	go run ./internal/gen/moving -o moving.ctf
//	go run ./internal/gen/moving -still -o still.ctf
//
// With -recordings it writes the small programs (demo.Recordings) to a folder instead, three frames each.
//
//	go run ./internal/gen/moving -recordings bin
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"pica200/internal/demo"
)

func main() {
	out := flag.String("o", "", "file to write")
	frames := flag.Int("frames", 120, "number of frames")
	still := flag.Bool("still", false, "every frame is that of the same moment")
	recordings := flag.String("recordings", "", "folder to write recordings of small programs to")
	flag.Parse()
	if *recordings != "" {
		if err := record(*recordings); err != nil {
			fmt.Fprintln(os.Stderr, "moving:", err)
			os.Exit(1)
		}
		return
	}
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

func record(folder string) error {
	const frames = 3
	for i := range demo.Recordings {
		r := &demo.Recordings[i]
		data, err := r.Trace(context.Background(), frames)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, r.Name+".ctf"), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
