package sceneexport

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/pica"
	"pica200/scene/scenebuild"
	"pica200/tests/testkit"
)

// A frame with one odd draw is exported with its other draws, and the report says what happened to the odd one.
func TestExportOfOddDraws(t *testing.T) {
	var reports strings.Builder
	type write struct {
		reg   pica.Reg
		value uint32
	}
	reg := func(r pica.Reg, values ...uint32) (list []write) {
		for _, v := range values {
			list = append(list, write{r, v})
		}
		return list
	}
	and := slices.Concat[[]write]
	// float writes four components of a float uniform of the vertex shader.
	float := func(index uint32, x [4]uint32) []write {
		return and(reg(pica.RegVshFloatuniformIndex, 1<<31|index), reg(pica.RegVshFloatuniformData0, x[3], x[2], x[1], x[0]))
	}
	// A register without effect on the picture, and a value that occurs nowhere else; it enables all clocks that attributes need.
	const clock, marker = pica.RegShOutattrClock, 0x0DFFDFFF
	command := func(r pica.Reg, v uint32) []byte {
		return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, v), uint32(r)|15<<16)
	}
	for _, c := range []struct {
		name string
		odd  []write
		same bool   // the picture equals the trace's
		note string // text in the report
	}{
		{"NaN uniform", float(90, [4]uint32{0x7FC00000, 0x7F800000, 0xFF800000, 0x3F800000}), true, ""},
		{"NaN in the projection", float(0, [4]uint32{0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000}), false, ""},
		{"infinite projection", float(1, [4]uint32{0x7F800000, 0xFF800000, 0, 0}), false, ""},
		{"huge projection", float(1, [4]uint32{0x7F7FFFFF, 0xFF7FFFFF, 0, 0}), false, ""},
		{"target of 249 by 129 pixels", reg(pica.RegFramebufferDim, 249|128<<12|1<<24), false, "multiples of 8"},
		{"target of 2040 by 8 pixels", reg(pica.RegFramebufferDim, 2040|7<<12|1<<24), false, "multiples of 8"},
		{"target of no width", reg(pica.RegFramebufferDim, 0|127<<12|1<<24), false, ""},
		{"level bias", reg(pica.RegTexunit0Lod, 0x0FFF|7<<16), false, ""},
		{"levels", reg(pica.RegTexunit0Lod, 0x1000|15<<16|15<<24), false, ""},
		{"texture of 5 by 1000 texels", reg(pica.RegTexunit0Dim, 5|1000<<16), false, "not a texture that a scene can have"},
		{"texture without a format", reg(pica.RegTexunit0Type, 15), false, "is left out"},
		{"texture outside of memory", reg(pica.RegTexunit0Addr1, 0x0FFFFFFF), false, "is left out"},
		{"wrap modes and type", reg(pica.RegTexunit0Param, 0xFFFFFFFF), false, "no texture of type 7"},
		{"scissor", and(reg(pica.RegScissortestMode, 3), reg(pica.RegScissortestPos, 0xFFFFFFFF)), false, ""},
		{"viewport", and(reg(pica.RegViewportWidth, 0xFFFFFF), reg(pica.RegViewportXy, 0xFFFFFFFF)), false, ""},
		{"inverse of the viewport", and(reg(pica.RegViewportInvw, 0x12345678), reg(pica.RegViewportInvh, 1)), true, "not its inverse"},
		{"viewport without width", reg(pica.RegViewportWidth, 0), true, "not its inverse"},
		{"tiny viewport", and(reg(pica.RegViewportWidth, 1), reg(pica.RegViewportHeight, 1)), false, "not its inverse"},
		{"blending", reg(pica.RegBlendFunc, 0xFFFFFFFF), false, ""},
		{"stencil", and(reg(pica.RegStencilTest, 0xFFFFFFFF), reg(pica.RegStencilOp, 0xFFFFFFFF)), false, ""},
		{"combiners", and(reg(pica.RegTexenv0Source, 0xFFFFFFFF), reg(pica.RegTexenv0Combiner, 0xFFFFFFFF), reg(pica.RegTexenv0Scale, 0xFFFFFFFF)), false, ""},
		{"lights", and(reg(pica.RegLightingNumLights, 0xFFFFFFFF), reg(pica.RegLightingConfig0, 0xFFFFFFFF), reg(pica.RegLight0Config, 0xFFFFFFFF)), false, ""},
		{"depth map", and(reg(pica.RegDepthmapScale, 0xFFFFFF), reg(pica.RegDepthmapOffset, 0xFFFFFF)), false, ""},
	} {
		for _, every := range []bool{false, true} { // change every draw
			if every && (c.note == "" || testkit.Short()) {
				continue
			}
			t.Run(fmt.Sprintf("%s, every draw: %v", c.name, every), func(t *testing.T) {
				dir := t.TempDir()
				odd := "registers: [" + strings.Repeat(fmt.Sprintf("{reg: 0x%03X, value: 0x%08X}, {reg: 0x06A, value: 0}, ", uint16(clock), marker), len(c.odd)) + "]"
				others, times := "", 1
				if every {
					others, times = ", "+odd, 3
				}
				path := filepath.Join(dir, "odd.yaml")
				require.NoError(t, os.WriteFile(path, []byte(`
target: {width: 64, height: 32, clear: {color: [0, 0, 0, 1], depth: 1, stencil: 0}}
textures: {bricks: {pattern: bricks, size: 64, mipmaps: true}}
models: {q: {shape: quad}, box: {shape: box}}
uniforms:
  dmp_TexEnv[0].srcRgb: [GL_TEXTURE0, GL_TEXTURE0, GL_TEXTURE0]
draws:
  - {model: q, at: [-1, 0, 0], textures: [bricks]`+others+`}
  - {model: q, textures: [bricks], `+odd+`}
  - {model: box, at: [1, 0, 0], textures: [bricks]`+others+`}
`), 0o666))
				out := filepath.Join(dir, "out")
				st := testkit.Must(scenebuild.Load(path))(t)
				data := testkit.Must(st.Record(t.Context(), []float64{0}, scenebuild.Options{}))(t)
				// Recording refuses odd values, so they are patched in afterwards.
				for range times {
					for _, w := range c.odd {
						at := bytes.Index(data, command(clock, marker))
						require.Greater(t, at, 0)
						copy(data[at:], command(w.reg, w.value))
					}
				}
				trace := testkit.Must(picatrace.Parse(data))(t)
				report := testkit.Must(Export(t.Context(), trace, out, Options{Frame: -1}))(t)
				require.GreaterOrEqual(t, report.Draws, 1)
				if every {
					require.Equal(t, 3, report.Draws, "all draws are exported")
				}
				if !every {
					fmt.Fprintf(&reports, "%s\n%s\n", c.name, report)
				}
				if report.Draws < 3 {
					require.Contains(t, report.String(), "is left out")
				}
				require.Contains(t, report.String(), c.note)
				if c.same {
					require.True(t, report.Same(0), report.String())
				}
				st = testkit.Must(scenebuild.Load(filepath.Join(out, "scene.yaml")))(t)
				g, _, err := st.Render(t.Context(), 0, scenebuild.Options{})
				require.NoError(t, err)
				g.Close()
			})
		}
	}
	testkit.Golden(t, "testdata/odd.txt", []byte(reports.String()))
}
