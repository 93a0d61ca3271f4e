// Package determinism holds what keeps pictures the same on every processor:
// run.sh, which compares builds for several, and this test.
package determinism

import (
	"debug/elf"
	"debug/gosym"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/module"
	"pica200/tests/testkit"
)

// Go may turn x*y + z into one instruction that rounds once; it does so on
// arm64 and not on plain amd64, so the two would draw different pictures. The
// program is built for arm64, and none of our lines may become such an
// instruction: float32(x*y) + z keeps the two apart. The window is left out,
// which computes no picture.
//
// Lines of mathgl do, where it is called from a function of ours and in its own
// functions. That is safe in the rooms of fusedMathgl: what they take of it is
// rounded from float64 to the 24 bits of a register or the 32 of a vertex before
// anything is drawn with it, and products of matrices go through internal/mgl.
func TestNothingIsFused(t *testing.T) {
	testkit.Slow(t)
	bin := filepath.Join(t.TempDir(), "pica200")
	build := exec.Command("go", "build", "-trimpath", "-o", bin, module.Path()+"/cmd/pica200")
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)

	own := module.Path() + "/"
	functions := map[string]int{} // by room
	for _, f := range instructions(t, bin) {
		name, ours := strings.CutPrefix(f.function, own)
		if !ours {
			continue
		}
		room, _, _ := strings.Cut(name, ".")
		functions[room]++
		for _, at := range f.fused {
			switch {
			case strings.HasPrefix(room, "viewer/"):
			case strings.Contains(at.file, "github.com/go-gl/mathgl") && fusedMathgl[room]:
			default:
				t.Errorf("%s, %s:%d: a fused instruction; round the product with float32(x*y) or float64(x*y)", f.function, at.file, at.line)
			}
		}
	}
	for _, room := range []string{"pica", "shaderunit", "geometry", "raster", "fragment", "pipeline", "assets/texture"} {
		require.Greater(t, functions[room], 10, "functions of %s", room)
	}
}

// fusedMathgl are the packages that may have lines of mathgl with products and sums.
var fusedMathgl = map[string]bool{"internal/mgl": true, "assets/model": true, "assets/banner": true, "scene/modeldraw": true, "scene/scenebuild": true, "demo": true}

// code is a function with the lines that became fused instructions.
type code struct {
	function string
	fused    []place
}

type place struct {
	file string
	line int
}

// instructions goes through an arm64 program, whose instructions are words.
func instructions(t *testing.T, bin string) (list []code) {
	f, err := elf.Open(bin)
	require.NoError(t, err)
	defer f.Close()
	text := f.Section(".text")
	words, err := text.Data()
	require.NoError(t, err)
	lines, err := f.Section(".gopclntab").Data()
	require.NoError(t, err)
	table, err := gosym.NewTable(nil, gosym.NewLineTable(lines, text.Addr))
	require.NoError(t, err)
	for i := range table.Funcs {
		fn := &table.Funcs[i]
		c := code{function: fn.Name}
		for pc := fn.Entry; pc+4 <= fn.End && fn.Entry >= text.Addr && pc+4-text.Addr <= uint64(len(words)); pc += 4 {
			if isFused(binary.LittleEndian.Uint32(words[pc-text.Addr:])) {
				file, line, _ := table.PCToLine(pc)
				if n := len(c.fused); n == 0 || c.fused[n-1] != (place{file, line}) {
					c.fused = append(c.fused, place{file, line})
				}
			}
		}
		list = append(list, c)
	}
	return list
}

// isFused tells the class of FMADD, FMSUB, FNMADD and FNMSUB of any precision
// (Arm Architecture Reference Manual, floating-point data-processing with 3 sources).
func isFused(word uint32) bool { return word>>24 == 0x1F }

func TestIsFused(t *testing.T) {
	require.True(t, isFused(0x1F020041), "in single precision")
	require.True(t, isFused(0x1F620041), "in double precision, negated")
	require.False(t, isFused(0x1E200841), "a product")
	require.False(t, isFused(0x1E602841), "a sum")
}
