// Command site writes the playground, a folder that any static host can serve:
//
//	go run ./internal/gen/site -o site serve/examples testdata/scenes
//
// It is what "make site" runs, in the folder of the repository. The folders are those of the
// examples, in order.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"pica200/serve"
	"pica200/serve/play"
)

func main() {
	out := flag.String("o", "", "folder to write")
	flag.Parse()
	if err := run(*out, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

func run(out string, folders []string) error {
	if out == "" || len(folders) == 0 {
		return fmt.Errorf("an output folder (-o) and folders of examples are expected")
	}
	e, err := serve.BuildEngine(context.Background(), ".", true, func(err error) { fmt.Fprintln(os.Stderr, err) })
	if err != nil {
		return err
	}
	examples, err := play.SiteFiles(folders...)
	if err != nil {
		return err
	}
	files, err := serve.Site(e, examples)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	size := 0
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(out, name), data, 0o666); err != nil {
			return err
		}
		size += len(data)
	}
	fmt.Printf("%s: %d files, %d bytes, %d of them the engine\n", out, len(files), size, len(e.Wasm))
	return nil
}
