//go:build !js

package serve

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// vectorGo is a version of Go with vectors for WebAssembly. The go command
// fetches it if needed.
const vectorGo = "go1.27.3"

// BuildEngine builds the engine for browsers with the go command. dir is a
// folder of a checkout of the project; an engine for the playground also reads
// scenes. If a Go with vectors for WebAssembly is not available, warn is called
// with the reason and the engine has plain kernels.
func BuildEngine(ctx context.Context, dir string, playground bool, warn func(error)) (*Engine, error) {
	temp, err := os.MkdirTemp("", "pica200-engine")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	var vectors []string
	run := func(args ...string) ([]byte, error) {
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
		cmd.Env = append(cmd.Env, vectors...)
		var said bytes.Buffer
		cmd.Stderr = &said
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("the engine for browsers cannot be built: go %s: %w\n%s", args[0], err, &said)
		}
		return out, nil
	}
	vectors = []string{"GOTOOLCHAIN=" + vectorGo, "GOEXPERIMENT=simd"}
	if _, err := run("version"); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		warn(fmt.Errorf("%s, which has vectors for WebAssembly, cannot be had: the engine will be about half as fast (%w)", vectorGo, err))
		vectors = nil
	}
	tags := ""
	if playground {
		tags = "playground"
	}
	file := filepath.Join(temp, "engine.wasm")
	if _, err := run("build", "-trimpath", "-tags", tags, "-ldflags", "-s -w", "-o", file, "./serve/wasm"); err != nil {
		return nil, err
	}
	root, err := run("env", "GOROOT")
	if err != nil {
		return nil, err
	}
	e := &Engine{}
	if e.Exec, err = os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js")); err != nil {
		return nil, err
	}
	wasm, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(wasm); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	e.Wasm = packed.Bytes()
	return e, nil
}
