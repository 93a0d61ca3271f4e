package sceneexport

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/assets/shbin"
	"pica200/frontend/gl"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/shaderunit/asm"
	"pica200/tests/testkit"
)

const pointVertex = `
.in position v0
.in color v1
.out p dummy
.out c dummy
.entry vmain
.proc vmain
	mov p, position
	mov c, color
	end
.end`

// pointGeometry uses calls, branches and an operand descriptor for mad.
const pointGeometry = `
.gsh point c0
.fvec shift
.bool flip
.constf size(0.5, -0.5, 0.0, 1.0)
.in center v0
.in tint v1
.out p position
.out c color
.entry gmain
.proc corner
	mov r1, tint
	mov r3, shift
	mad p, r3, size.wwww, r2
	mov c, r1
	emit
.end
.proc gmain
	mov r0, center
	ifu flip
		mov r0.y, -r0.y
	.end
	setemit 0
	add r2, size.yyzz, r0
	call corner
	setemit 1
	add r2, size.xyzz, r0
	call corner
	setemit 2, prim
	add r2, size.xxzz, r0
	call corner
	end
.end`

func assembled(t *testing.T, name, text string) *shbin.File {
	t.Helper()
	p, diags := asm.Assemble(asm.Options{}, asm.Source{Name: name, Text: []byte(text)})
	require.NoError(t, diags.Err())
	return p.File
}

// TestVertexAndGeometryShaderFiles draws with a vertex and a geometry shader at the same address of their units, with different uniforms in
// each draw.
func TestVertexAndGeometryShaderFiles(t *testing.T) {
	g := pipeline.New(pipeline.Options{Workers: 1})
	defer g.Close()
	r := gl.NewRecorder(g)
	c := testkit.Must(gl.New(r))(t)
	target := testkit.Must(c.NewTarget(64, 64, gl.TargetOptions{Color: pica.ColorFormatRGB565, Depth: pica.DepthFormatD16}))(t)
	require.NoError(t, c.SetTarget(t.Context(), target))
	require.NoError(t, c.ClearColor(t.Context(), 0.2, 0.4, 1, 1))
	require.NoError(t, c.ClearDepth(t.Context(), 1, 0))
	program := testkit.Must(gl.LinkProgram(assembled(t, "v.pica", pointVertex), 0, assembled(t, "g.pica", pointGeometry), 0))(t)
	c.UseProgram(program)
	b := testkit.Must(c.NewFloatBuffer(t.Context(), []float32{0, 0, -0.5, 1, 0.5, 0.25, -0.25, 1}))(t)
	require.NoError(t, c.Attribute("position", b, gl.Attrib{Type: pica.AttribFloat, Size: 4}))
	c.AttributeConst("color", mgl32.Vec4{1, 0.5, 0, 1})
	for i := range 3 {
		require.NoError(t, program.SetFloat("shift", mgl32.Vec4{0.2 * float32(i), -0.1, 0, 0}))
		require.NoError(t, program.SetBool("flip", i == 1))
		require.NoError(t, c.DrawArrays(t.Context(), pica.PrimitiveGeometry, 0, 2))
	}
	require.NoError(t, c.Flush(t.Context()))
	r.EndFrame()
	data := testkit.Must(r.Trace.Encode())(t)
	trace := testkit.Must(picatrace.Parse(data))(t)
	report := testkit.Must(Export(context.Background(), trace, filepath.Join(t.TempDir(), "s"), Options{Frame: -1}))(t)
	require.Equal(t, 3, report.Draws)
	require.Equal(t, 1, report.Programs)
	require.True(t, report.Same(0), report.String())
	require.Empty(t, report.Notes, report.String())
}
