package shaderfit

import (
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/shaderunit/asm"
	"pica200/tests/testkit"
)

// Stored results of Find for every shader: with its names, with given streams and aliases,
// with meaningless names, and without a uniform table.
func TestFindInEveryShader(t *testing.T) {
	var b strings.Builder
	for _, pattern := range []string{shaders + "*.v.pica", "../../shaderunit/shaders/pica/*.v.pica", "../../testdata/scenes/*.v.pica"} {
		paths := testkit.Must(filepath.Glob(pattern))(t)
		require.NotEmpty(t, paths)
		for n, path := range paths {
			var sources []asm.Source
			geometry := -1
			for _, p := range []string{path, strings.Replace(path, ".v.", ".g.", 1)} {
				if text, err := os.ReadFile(p); err == nil {
					sources = append(sources, asm.Source{Name: filepath.Base(p), Text: text})
				}
			}
			if len(sources) > 1 {
				geometry = 1
			}
			file, diags := asm.Assemble(asm.Options{}, sources...)
			if diags.Errors() > 0 {
				continue // an example of a mistake
			}
			fmt.Fprintf(&b, "%s:", filepath.Base(path))
			say := func(what string, p Program) {
				p.File, p.Geometry = file.File, geometry
				f := Find(p)
				var line strings.Builder
				for i := range f.Inputs {
					in := &f.Inputs[i]
					fmt.Fprintf(&line, " %v;", in)
					if in.Fit != nil {
						fmt.Fprintf(&line, " fitted by %.4g;", *in.Fit)
					}
				}
				for i := range f.Uniforms {
					u := &f.Uniforms[i]
					fmt.Fprintf(&line, " %v at c%d", u, u.Reg)
					if u.Columns || u.Order != [4]int{0, 1, 2, 3} {
						fmt.Fprintf(&line, " columns %v, order %v", u.Columns, u.Order)
					}
					line.WriteString(";")
				}
				fmt.Fprintf(&line, " unset %q, %d a run", f.Unset, f.PerRun)
				if what == "" {
					fmt.Fprintf(&b, "%s\n", line.String())
				} else {
					fmt.Fprintf(&b, "  %s: CRC-32 %08x\n", what, crc32.ChecksumIEEE([]byte(line.String())))
				}
			}
			say("", Program{})
			say("said", Program{Streams: map[int]string{0: "texcoord"}, Aliases: map[int]string{0: "colour", 1: "pos", 2: "nrm"}})
			for i := range file.File.Executables {
				for k := range file.File.Executables[i].Uniforms {
					file.File.Executables[i].Uniforms[k].Name = fmt.Sprintf("x%d", k)
				}
			}
			say("without names", Program{All: true})
			if n%3 == 0 {
				for i := range file.File.Executables {
					file.File.Executables[i].Uniforms = nil
				}
				say("without a table", Program{})
			}
		}
	}
	testkit.Golden(t, "testdata/found.txt", []byte(b.String()))
}
