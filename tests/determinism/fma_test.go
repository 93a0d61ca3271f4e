// Package determinism checks that pictures are the same on every processor: run.sh compares several builds, and the tests here
// inspect instructions.
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

// Go may compile x*y + z to a fused instruction that rounds once; it does so on arm64 and not on plain amd64, so pictures would
// differ. The program is built for arm64, with plain and with vector kernels, and none of our lines may contain such an
// instruction; float32(x*y) + z prevents it. The window is left out, because it computes no picture.
//
// Lines of mathgl are fused, in its own functions and inlined in ours. That is safe in the packages of fusedMathgl: their results
// are rounded from float64 to the 24 bits of a register or the 32 of a vertex before drawing, and matrix products go through
// internal/mgl.
func TestNoFusedInstructions(t *testing.T) {
	testkit.Slow(t)
	for _, env := range [][]string{nil, withVectors} {
		bin := filepath.Join(t.TempDir(), "pica200")
		build(t, bin, "cmd/pica200", append(env, "GOOS=linux", "GOARCH=arm64"))
		noneFused(t, bin)
	}
}

// withVectors is the environment of builds with portable vector kernels; see VECTORS in the Makefile.
var withVectors = []string{"GOTOOLCHAIN=go1.27.3", "GOEXPERIMENT=simd"}

func build(t *testing.T, bin, of string, env []string) {
	cmd := exec.Command("go", "build", "-trimpath", "-o", bin, module.Path()+"/"+of)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

func noneFused(t *testing.T, bin string) {
	own := module.Path() + "/"
	functions := map[string]int{} // by package
	for _, f := range instructions(t, bin) {
		name, ours := strings.CutPrefix(f.function, own)
		if !ours {
			continue
		}
		folder, _, _ := strings.Cut(name, ".")
		functions[folder]++
		for _, at := range f.fused {
			switch {
			case strings.HasPrefix(folder, "viewer/"):
			case strings.Contains(at.file, "github.com/go-gl/mathgl") && fusedMathgl[folder]:
			default:
				t.Errorf("%s, %s:%d: a fused instruction; round the product with float32(x*y) or float64(x*y)", f.function, at.file, at.line)
			}
		}
	}
	for _, folder := range []string{"pica", "shaderunit", "geometry", "raster", "fragment", "pipeline", "assets/texture"} {
		require.Greater(t, functions[folder], 10, "functions of %s", folder)
	}
}

// fusedMathgl lists the packages that may contain fused lines of mathgl.
var fusedMathgl = map[string]bool{"internal/mgl": true, "assets/model": true, "assets/banner": true, "scene/modeldraw": true, "scene/scenebuild": true, "internal/demo": true}

// code is a function with its lines that became fused instructions.
type code struct {
	function string
	fused    []sourceLine
}

type sourceLine struct {
	file string
	line int
}

// instructions reads the functions of an arm64 program; instructions are 32-bit words.
func instructions(t *testing.T, bin string) (list []code) {
	f := testkit.Must(elf.Open(bin))(t)
	defer f.Close()
	text := f.Section(".text")
	words := testkit.Must(text.Data())(t)
	lines := testkit.Must(f.Section(".gopclntab").Data())(t)
	table := testkit.Must(gosym.NewTable(nil, gosym.NewLineTable(lines, text.Addr)))(t)
	for i := range table.Funcs {
		fn := &table.Funcs[i]
		c := code{function: fn.Name}
		for pc := fn.Entry; pc+4 <= fn.End && fn.Entry >= text.Addr && pc+4-text.Addr <= uint64(len(words)); pc += 4 {
			if isFused(binary.LittleEndian.Uint32(words[pc-text.Addr:])) {
				file, line, _ := table.PCToLine(pc)
				if n := len(c.fused); n == 0 || c.fused[n-1] != (sourceLine{file, line}) {
					c.fused = append(c.fused, sourceLine{file, line})
				}
			}
		}
		list = append(list, c)
	}
	return list
}

// isFused recognizes FMADD, FMSUB, FNMADD and FNMSUB of any precision (Arm Architecture Reference Manual, floating-point
// data-processing with 3 sources), and vector FMLA and FMLS, by vector (also half precision) or by element.
func isFused(word uint32) bool {
	return word>>24 == 0x1F ||
		word&0xBF20FC00 == 0x0E20CC00 || word&0xBF60FC00 == 0x0E400C00 ||
		word&0xAF00B400 == 0x0F001000 && word>>22&3 != 1
}

func TestIsFused(t *testing.T) {
	for _, c := range []struct {
		word  uint32
		fused bool
		what  string
	}{
		{0x1F020041, true, "fmadd s1, s2, s2, s0"},
		{0x1F620041, true, "fnmadd d1, d2, d2, d0"},
		{0x4E22CC20, true, "fmla v0.4s, v1.4s, v2.4s"},
		{0x0EA2CC20, true, "fmls v0.2s, v1.2s, v2.2s"},
		{0x4E62CC20, true, "fmla v0.2d, v1.2d, v2.2d"},
		{0x4E420C20, true, "fmla v0.8h, v1.8h, v2.8h"},
		{0x4F821020, true, "fmla v0.4s, v1.4s, v2.s[0]"},
		{0x5FC25020, true, "fmls d0, d1, v2.d[0]"},
		{0x1E200841, false, "fmul s1, s2, s0"},
		{0x1E602841, false, "fadd d1, d2, d0"},
		{0x4E22D420, false, "fadd v0.4s, v1.4s, v2.4s"},
		{0x6E22DC20, false, "fmul v0.4s, v1.4s, v2.4s"},
		{0x4EA29420, false, "mla v0.4s, v1.4s, v2.4s"},
		{0x4F829020, false, "fmul v0.4s, v1.4s, v2.s[0]"},
		{0x4F000400, false, "movi v0.4s, #0"},
	} {
		require.Equal(t, c.fused, isFused(c.word), c.what)
	}
}

// TestNoRelaxedInstructions checks that the engine for browsers has no relaxed SIMD instruction: their results depend on the processor,
// for example whether products and sums are fused.
func TestNoRelaxedInstructions(t *testing.T) {
	testkit.Slow(t)
	bin := filepath.Join(t.TempDir(), "engine.wasm")
	build(t, bin, "serve/wasm", append(withVectors, "GOOS=js", "GOARCH=wasm"))
	data := testkit.Read(t, bin)
	vectors := 0
	vectorInstructions(t, data, func(op uint64) {
		vectors++
		require.False(t, relaxed(op), "instruction FD %X", op)
	})
	require.Greater(t, vectors, 1000)
}

// relaxed reports whether op belongs to the relaxed SIMD proposal.
func relaxed(op uint64) bool { return op >= 0x100 }

// TestVectorInstructions reads a module with one relaxed and one plain multiplication, after constants whose bytes look like an
// instruction.
func TestVectorInstructions(t *testing.T) {
	body := []byte{0, // no locals
		0x41, 0xFD, 0x85, 0x02, 0x1A, // i32.const; drop
		0x20, 0, 0x20, 1, 0x20, 2, 0xFD, 0x85, 0x02, // f32x4.relaxed_madd
		0x20, 1, 0xFD, 0xE6, 0x01, // f32x4.mul
		0xFD, 0x0C, 0xFD, 0x85, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFD, 0xE4, 0x01, // v128.const, f32x4.add
		0x0B}
	code := append([]byte{1, byte(len(body))}, body...)
	wasm := append([]byte("\x00asm\x01\x00\x00\x00\x0A"), append([]byte{byte(len(code))}, code...)...)
	var ops []uint64
	vectorInstructions(t, wasm, func(op uint64) { ops = append(ops, op) })
	require.Equal(t, []uint64{0x105, 0xE6, 0x0C, 0xE4}, ops)
	require.True(t, relaxed(0x105))
	require.False(t, relaxed(0xE6))
}

// vectorInstructions calls found for every vector instruction of a WebAssembly module.
func vectorInstructions(t *testing.T, wasm []byte, found func(op uint64)) {
	p := wasm[8:]
	number := func() (n uint64) { // also skips signed numbers
		for shift := 0; ; shift += 7 {
			b := p[0]
			p, n = p[1:], n|uint64(b&0x7F)<<shift
			if b < 0x80 {
				return n
			}
		}
	}
	numbers := func(n uint64) {
		for range n {
			number()
		}
	}
	function := func() {
		for range number() { // groups of locals: count and type
			numbers(2)
		}
		for len(p) > 0 {
			op := p[0]
			p = p[1:]
			switch {
			case op >= 0x02 && op <= 0x04, op == 0x0C, op == 0x0D, op == 0x10, op >= 0x20 && op <= 0x26, op >= 0x3F && op <= 0x42, op == 0xD0, op == 0xD2:
				number()
			case op == 0x0E: // br_table
				numbers(number() + 1)
			case op == 0x11, op >= 0x28 && op <= 0x3E:
				numbers(2)
			case op == 0x43:
				p = p[4:]
			case op == 0x44:
				p = p[8:]
			case op == 0xFC:
				if sub := number(); sub >= 8 {
					numbers([]uint64{2, 1, 2, 1, 2, 2, 1, 1, 1, 1}[sub-8])
				}
			case op == 0xFD:
				sub := number()
				found(sub)
				switch {
				case sub <= 11, sub == 92, sub == 93: // loads and stores
					numbers(2)
				case sub == 12, sub == 13: // a constant, or the indices of a shuffle
					p = p[16:]
				case sub >= 21 && sub <= 34:
					p = p[1:]
				case sub >= 84 && sub <= 91:
					numbers(2)
					p = p[1:]
				}
			case op <= 0x01, op == 0x05, op == 0x0B, op == 0x0F, op == 0x1A, op == 0x1B, op >= 0x45 && op <= 0xC4, op == 0xD1:
			default:
				require.Fail(t, "unknown instruction", "%02X", op)
			}
		}
	}
	for len(p) > 0 {
		section := p[0]
		p = p[1:]
		size := number()
		rest := p[size:]
		if section == 10 {
			for range number() {
				size := number()
				whole := p
				p = whole[:size]
				function()
				p = whole[size:]
			}
		}
		p = rest
	}
}
