package symbolic

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/shbin"
	"pica200/shaderunit"
	"pica200/shaderunit/asm"
	"pica200/shaderunit/trial"
	"pica200/tests/testkit"
)

func assemble(t testing.TB, text string) (*shbin.File, *shbin.Executable) {
	t.Helper()
	p, diags := asm.Assemble(asm.Options{}, asm.Source{Name: "a.pica", Text: []byte(text)})
	require.NoError(t, diags.Err())
	return p.File, &p.File.Executables[0]
}

// Every instruction that writes a register has an expression, which evaluates to what the interpreter computes.
func TestEveryInstructionHasAnExpression(t *testing.T) {
	operands := map[shaderunit.Format]string{
		shaderunit.Format1: "r0, r1", shaderunit.Format1u: "r0", shaderunit.Format1i: "r0, c5", shaderunit.Format5: "r0, r1, r2", shaderunit.Format5i: "r0, r1, c5",
	}
	in := [16][4]float32{{0.75, 1.5, 2.25, 0.5}, {1.25, 0.25, -1.5, 3}, {-0.5, 4, 0.125, 1}}
	constant := [4]float32{0.5, 2, -3, 1.75}
	for _, info := range shaderunit.Instructions() {
		if info.Format.Sources() == 0 || !info.WritesDst() {
			continue
		}
		require.Contains(t, operands, info.Format, "%v", info.Op)
		f, e := assemble(t, fmt.Sprintf(".out o position\n.proc main\n mov r0, v0\n mov r1, v1\n mov r2, v2\n %s o, %s\n end\n.end", info.Name, operands[info.Format]))
		s := testkit.Must(trial.Load(f, 0))(t)
		require.Equal(t, info.Op, shaderunit.Decode(s.Setup.Code(3)).Op)
		s.Setup.Float[5] = constant
		it := shaderunit.Interpreter{}
		it.Reset()
		it.In = in
		require.NoError(t, it.Run(s.Setup))
		v := Values{Inputs: map[int][4]float64{0: wide(in[0]), 1: wide(in[1]), 2: wide(in[2])}, Uniforms: map[int][4]float64{5: wide(constant)}}
		for k, n := range Run(f, e, Options{}).Paths[0].Outputs[0] {
			require.NotNil(t, n, "%v has no expression: see machine.compute", info.Op)
			require.InDelta(t, it.Out()[0][k], v.Eval(n), 1e-3, "%v.%c = %v", info.Op, "xyzw"[k], n)
		}
	}
}

// The expressions of a program evaluate to its results.
func TestExpressionsEqualProgramResults(t *testing.T) {
	paths := testkit.Must(filepath.Glob("../../scene/scenebuild/testdata/shaders/*.v.pica"))(t)
	require.NotEmpty(t, paths)
	compared := 0
	for _, path := range paths {
		text := testkit.Read(t, path)
		f, e := assemble(t, string(text))
		r := Run(f, e, Options{})
		require.True(t, r.Complete, path)
		if len(r.Paths) != 1 {
			continue // the path depends on the numbers
		}
		s := testkit.Must(trial.Load(f, 0))(t)
		v := Values{Inputs: map[int][4]float64{}, Uniforms: map[int][4]float64{}}
		in := [16][4]float32{}
		for i := range in {
			for k := range 4 {
				in[i][k] = float32(1+(i*5+k*3)%7) / 4
			}
			v.Inputs[i] = wide(in[i])
		}
		for c := range s.Setup.Float {
			constant := false
			for _, k := range e.Constants {
				constant = constant || k.Kind == shbin.ConstantFloat && int(k.Reg) == c
			}
			if !constant {
				for k := range 4 {
					s.Setup.Float[c][k] = float32(1+(c*3+k*5)%11) / 8
				}
			}
			v.Uniforms[c] = wide(s.Setup.Float[c])
		}
		it := shaderunit.Interpreter{}
		it.Reset()
		it.In = in
		require.NoError(t, it.Run(s.Setup))
		for reg, out := range r.Paths[0].Outputs {
			for k, n := range out {
				if n == nil {
					continue
				}
				want := float64(it.Out()[reg][k])
				require.InDelta(t, want, v.Eval(n), 1e-3*math.Max(1, math.Abs(want)), "%s: o%d.%c = %v", path, reg, "xyzw"[k], n)
				compared++
			}
		}
	}
	require.Greater(t, compared, 300)
}

func wide(v [4]float32) (out [4]float64) {
	for k := range v {
		out[k] = float64(v[k])
	}
	return out
}

// Paths split only at unknown conditions.
func TestPathsSplitAtUnknownConditions(t *testing.T) {
	for _, c := range []struct {
		body string
		ways int
	}{
		{"mov p, v0", 1},
		{"mov r1, k\n cmp k.xy, gt, gt, r1.yx\n ifc cmp.x\n mov p, v1\n .else\n mov p, v2\n .end", 1}, // compares constants
		{"cmp k.xx, gt, gt, v0.xy\n ifc cmp.x\n mov p, v1\n .else\n mov p, v2\n .end", 2},
		{"ifu flag\n mov p, v1\n .else\n mov p, v2\n .end", 2},
		{"ifu fixed\n mov p, v1\n .else\n mov p, v2\n .end", 1},
		{"for n\n add r0, v0, r0\n .end\n mov p, r0", 1},
		{strings.Repeat("cmp k.xx, gt, gt, v0.xy\n ifc cmp.x\n mov p, v1\n .end\n", 9), maxPaths},
	} {
		f, e := assemble(t, ".bool flag\n.setb b5 true\n.alias fixed b5\n.constf k(0.0, 1.0, 2.0, 3.0)\n.consti n(2, 0, 1, 0)\n.out p position\n.proc main\n"+c.body+"\n end\n.end")
		r := Run(f, e, Options{})
		require.Len(t, r.Paths, c.ways, c.body)
		require.Equal(t, c.ways < maxPaths, r.Complete, c.body)
	}
}

// Only known values are folded to numbers.
func TestConstantsAreFolded(t *testing.T) {
	for body, want := range map[string]string{
		"add r0.x, k.z, v0.x\n mov p, r0.x":                      "add(2, v0.x)",
		"mov r1, k\n add r0, k.w, r1\n mov p, r0.y":              "4",
		"mov r1, k\n mul r0, k.z, r1.w\n mov p, r0":              "6",
		"mov r1, k\n max r0, k.z, r1.w\n min p, k.w, r0":         "3",
		"mov r1, k\n dp4 r0, k, r1\n rcp p, r0.x":                "0.07142857142857142",
		"mov r1, k\n slt r0, k.y, r1.z\n mad p, r0, v0, r1.yyyy": "add(v0.x, 1)",
		"flr r0, -v0\n flr p, r0":                                "flr(flr(-(v0.x)))",
		"mul p, k.y, -v0":                                        "-(v0.x)",
		"mova a0.x, far.x\n mov p, k[a0.x]":                      "1",
		"mov r1, k[a0.x]\n mov p, r1.w":                          "3", // the address register starts at 0
		"mova a0.x, -far.x\n mov p, k[a0.x]":                     "1",
	} {
		f, e := assemble(t, ".constf k(0.0, 1.0, 2.0, 3.0)\n.constf far(96.0, 0.0, 0.0, 0.0)\n.out p position\n.proc main\n"+body+"\n end\n.end")
		r := Run(f, e, Options{})
		require.Len(t, r.Paths, 1)
		require.Equal(t, want, r.Paths[0].Outputs[0][0].String(), body)
	}
}

// Comparisons of constants follow the shader's, for smaller, equal and greater numbers.
func TestComparisons(t *testing.T) {
	for how, want := range map[string]string{"eq": "010", "ne": "101", "lt": "100", "le": "110", "gt": "001", "ge": "011"} {
		got := ""
		for _, a := range []string{"x", "y", "z"} {
			f, e := assemble(t, ".constf k(1.0, 2.0, 3.0, 0.0)\n.out p position\n.proc main\n mov r1, k\n cmp k."+a+a+", "+how+", "+how+", r1.yy\n ifc cmp.x\n mov p, k.x\n .else\n mov p, k.w\n .end\n end\n.end")
			r := Run(f, e, Options{})
			require.Len(t, r.Paths, 1)
			got += r.Paths[0].Outputs[0][0].String()
		}
		require.Equal(t, want, got, how)
	}
}

// Given inputs replace registers component by component.
func TestGivenInputsReplaceRegisters(t *testing.T) {
	f, e := assemble(t, ".out p position\n.proc main\n mov r0, v1\n add p, v0, r0\n end\n.end")
	one := Run(f, e, Options{}).Paths[0].Outputs[0]
	require.Equal(t, "add(v0.y, v1.y)", one[1].String())
	given := Vector{}
	given[1] = one[2]
	got := Run(f, e, Options{Inputs: map[int]Vector{1: given}}).Paths[0].Outputs[0]
	require.Equal(t, "add(v0.y, add(v0.z, v1.z))", got[1].String())
	require.NotContains(t, got[0].String(), "v1")
}

// Constants with register numbers that do not exist are ignored.
func TestConstantsOfInvalidRegistersAreIgnored(t *testing.T) {
	f, e := assemble(t, ".constf k(5.0, 1.0, 2.0, 3.0)\n.out p position\n.proc main\n mov p, c95\n end\n.end")
	require.Len(t, e.Constants, 1)
	for reg, want := range map[uint8]string{95: "5", 96: "c95.x", 255: "c95.x"} {
		e.Constants[0].Reg = reg
		require.Equal(t, want, Run(f, e, Options{}).Paths[0].Outputs[0][0].String())
	}
}

// Inputs are those of reachable instructions: not after a jump, a called block or an END.
func TestInputsOfReachableInstructions(t *testing.T) {
	for body, want := range map[string]uint16{
		"mov p, v1\n end\n mov p, v2": 1 << 1,
		"call sub\n mov p, v1\n end\n.end\n.proc sub\n mov r0, v3\n.end\n.proc other\n mov r0, v4": 1<<1 | 1<<3,
		"ifu b0\n mov r0, v1\n .else\n mov r0, v2\n .end\n mov p, v5":                              1<<1 | 1<<2 | 1<<5,
		"jmpu b1, far\n mov r0, v6\nfar: mov p, v7":                                                1<<6 | 1<<7,
		"for i0\n mov r0, v8\n .end\n add p, c0, v9":                                               1<<8 | 1<<9,
	} {
		f, e := assemble(t, ".out p position\n.proc main\n"+body+"\n end\n.end")
		require.Equal(t, want, Inputs(f, e), body)
	}
	// A block ends where its instruction says.
	f, e := assemble(t, ".out p position\n.proc main\n call sub\n mov p, v1\n end\n.end\n.proc sub\n mov r0, v3\n mov r0, v4\n mov r0, v5\n.end")
	f.Program.Code[0] = f.Program.Code[0]&^0xFF | 1
	require.Equal(t, uint16(1<<1|1<<3), Inputs(f, e))
}

// Run ends within bounds for any program.
func FuzzRun(f *testing.F) {
	for _, path := range []string{"columns", "light-loop", "early-way-out"} {
		text := testkit.Must(os.ReadFile("../../scene/scenebuild/testdata/shaders/" + path + ".v.pica"))(f)
		file, _ := assemble(f, string(text))
		data := testkit.Must(file.Write())(f)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := shbin.Parse(data)
		if err != nil {
			return
		}
		for i := range file.Executables {
			e := &file.Executables[i]
			Inputs(file, e)
			r := Run(file, e, Options{Geometry: e.Type == shbin.GeometryShader})
			require.NotEmpty(t, r.Paths)
			for _, p := range r.Paths {
				v := Values{}
				for _, n := range p.Outputs[0] {
					if n != nil {
						v.Eval(n)
						_ = n.String()
					}
				}
			}
		}
	})
}
