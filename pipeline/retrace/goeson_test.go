package retrace

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/citrace"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/shaderunit/asm"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// goingOn is a trace whose frames continue a primitive of the previous frame with a few vertices each: from arrays, or in immediate
// mode, where a frame may end inside a vertex.
func goingOn(t *testing.T, mode pica.PrimitiveMode, immediate bool) []byte {
	t.Helper()
	const list, array, target = pica.FCRAMBase, pica.FCRAMBase + 0x10000, pica.VRAMBase
	shader, diags := asm.Assemble(asm.Options{}, asm.Source{Name: "pass.pica", Text: []byte(
		".in position v0\n.in color v1\n.out p position\n.out c color\n.proc main\nmov p, position\nmov c, color\nend\n.end")})
	require.NoError(t, diags.Err())
	e := pica.Float24.Encode
	vertices := make([][2][4]float32, 24)
	for i := range vertices {
		a := float64(i) * 2.4
		vertices[i] = [2][4]float32{{float32(math.Cos(a)), float32(math.Sin(a)) * 0.9, -0.5, 1}, {float32(i%3) / 2, float32(i%5) / 4, float32(i%7) / 6, 1}}
	}
	var b citrace.Builder
	var data []byte
	for _, v := range vertices {
		for _, x := range append(v[0][:], v[1][:]...) {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
		}
	}
	b.Load(array, data)
	var w pica.CommandWriter
	flush := func() {
		w.Finish()
		bytes := w.Bytes()
		b.Load(list, bytes)
		b.Write(pica.ExtCommandListSize, uint32(len(bytes))>>3)
		b.Write(pica.ExtCommandListAddr, list>>3)
		b.Write(pica.ExtCommandListStart, 1)
		b.EndFrame()
		w = pica.CommandWriter{}
	}
	code := shader.File.Program
	w.WriteAll(pica.RegVshCodetransferData0, code.Code...)
	for _, d := range code.Descriptors {
		w.Write(pica.RegVshOpdescsData0, d.Word)
	}
	w.Write(pica.RegVshOutmapMask, 3)
	w.WriteRun(pica.RegShOutmapTotal, 2, 0x03020100, 0x0B0A0908)
	w.WriteRun(pica.RegDepthbufferLoc, (target+0x20000)>>3, target>>3, 1<<24|63<<12|64)
	w.Write(pica.RegColorbufferWrite, 0xF)
	w.Write(pica.RegDepthColorMask, 0xF00)
	w.Write(pica.RegColorOperation, 0x00E40100)
	w.Write(pica.RegBlendFunc, 0x01010000)
	w.WriteRun(pica.RegViewportWidth, e(32), pica.Float31.Encode(1./32)<<1, e(32), pica.Float31.Encode(1./32)<<1)
	w.WriteRun(pica.RegDepthmapScale, e(-1), 0)
	w.Write(pica.RegDepthmapEnable, 1)
	w.Write(pica.RegFacecullingConfig, uint32(pica.CullBack))
	w.WriteRun(pica.RegAttribbuffersLoc, array>>3, 0xFF, 1<<28)
	w.WriteRun(pica.RegAttribbuffer0Offset, 0, 0x10, 2<<28|32<<16)
	w.Write(pica.RegVshInputbufferConfig, 0xA0000001)
	w.Write(pica.RegVshNumAttr, 1)
	w.Write(pica.RegVshAttributesPermutationLow, 0x10)
	w.Write(pica.RegPrimitiveConfig, uint32(mode)<<8|1)
	w.Write(pica.RegRestartPrimitive, 1)
	if immediate {
		w.Write(pica.RegFixedattribIndex, 15)
		var words []uint32
		for _, v := range vertices {
			for _, x := range v {
				words = append(words, e(x[3])<<8|e(x[2])>>16, e(x[2])<<16|e(x[1])>>8, e(x[1])<<24|e(x[0]))
			}
		}
		for n := 9; len(words) > 0; n++ { // words; six per vertex
			n := min(n, len(words))
			w.WriteAll(pica.RegFixedattribData0, words[:n]...)
			words = words[n:]
			flush()
		}
	} else {
		for first, n := 0, 2; first < len(vertices); first, n = first+n, n%3+1 {
			w.Write(pica.RegVertexOffset, uint32(first))
			w.Write(pica.RegNumvertices, uint32(min(n, len(vertices)-first)))
			w.Write(pica.RegDrawarrays, 1)
			flush()
		}
	}
	trace := testkit.Must(b.Encode())(t)
	return trace
}

// counts returns the draw counts of each frame of a trace.
func counts(t *testing.T, p *pipeline.Player) (all []string) {
	t.Helper()
	for range p.Frames() {
		f := testkit.Must(p.NextFrame(t.Context()))(t)
		all = append(all, fmt.Sprint(f.Stats.Fragments, f.Stats.Geometry.Triangles, f.Stats.Geometry.Culled, f.Stats.Geometry.Incomplete))
	}
	p.GPU.Close()
	return all
}

// Frames that continue a strip, a fan or a vertex of the previous frame draw the same when cut or stripped.
func TestCutOfContinuedPrimitives(t *testing.T) {
	for _, c := range []struct {
		name      string
		mode      pica.PrimitiveMode
		immediate bool
	}{
		{"strip", pica.PrimitiveTriangleStrip, false},
		{"fan", pica.PrimitiveTriangleFan, false},
		{"strip of immediate mode", pica.PrimitiveTriangleStrip, true},
		{"fan of immediate mode", pica.PrimitiveTriangleFan, true},
		{"list of immediate mode", pica.PrimitiveTriangles, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr := states.Parse(t, goingOn(t, c.mode, c.immediate))
			want := sums(t, player(t, tr))
			different := 0
			for i := range want {
				if i > 0 && want[i] != want[i-1] {
					different++
				}
				var out bytes.Buffer
				testkit.Must(Cut(t.Context(), tr, i, len(want)-1, &out, Options{}))(t)
				for k, got := range sums(t, player(t, parse(t, out.Bytes()))) {
					require.Equal(t, want[i+k], got, "from frame %d on, frame %d", i, i+k)
				}
				out.Reset()
				testkit.Must(Strip(t.Context(), tr, i, &out, Options{}))(t)
				require.Equal(t, counts(t, player(t, tr))[i:i+1], counts(t, player(t, parse(t, out.Bytes()))), "frame %d, stripped", i)
			}
			require.Greater(t, different, 4, "number of frames that draw anything")
		})
	}
}
