package kit

import (
	"bytes"
	"flag"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/mmcloughlin/avo/build"
)

// GenerateForAll is Generate for kernels that builds for all processors declare, because the choice of a form is part of the
// algorithms: calls of a kernel that a build does not have are behind a constant of package simd. The linker refuses a build where
// one is not. Kernels that the folder's portable*.go define too are declared in NAME_both.go, not in NAME_avx2.go; there, builds
// with the portable form have Go functions.
func GenerateForAll() {
	build.Generate()
	path := flag.Lookup("stubs").Value.String()
	both := strings.TrimSuffix(path, "_avx2.go") + "_both.go"
	src, err := os.ReadFile(path)
	if err != nil {
		log.Fatal(err)
	}
	portable := portableKernels(filepath.Dir(path))
	files := map[string][]byte{}
	clause := bytes.Index(src, []byte("\npackage "))
	first := clause + 1 + bytes.IndexByte(src[clause+1:], '\n') + 1
	files[path] = bytes.Clone(src[:first])
	files[both] = append(append(bytes.Clone(src[:clause]), "\n//go:build !(goexperiment.simd && (arm64 || wasm))\n"...), src[clause:first]...)
	for _, d := range declaration.FindAllSubmatch(src[first:], -1) {
		to := path
		if portable[string(d[1])] {
			to = both
		}
		files[to] = append(append(files[to], '\n'), d[0]...)
	}
	for name, text := range files {
		if err := os.WriteFile(name, text, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

var (
	declaration = regexp.MustCompile(`(?m)(?:^//.*\n)*^func (\w+)\(.*\n`)
	definition  = regexp.MustCompile(`(?m)^func (\w+)\(`)
)

// portableKernels are the functions that a folder's portable*.go define.
func portableKernels(folder string) map[string]bool {
	defined := map[string]bool{}
	files, err := filepath.Glob(filepath.Join(folder, "portable*.go"))
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			log.Fatal(err)
		}
		for _, d := range definition.FindAllSubmatch(src, -1) {
			defined[string(d[1])] = true
		}
	}
	return defined
}
