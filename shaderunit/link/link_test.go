package link_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/shbin"
	"pica200/shaderunit"
	"pica200/shaderunit/asm"
	"pica200/shaderunit/link"
	"pica200/shaderunit/trial"
	"pica200/tests/testkit"
)

// object assembles a source to an object, then encodes and parses it.
func object(t testing.TB, name, text string) link.Input {
	prog, diags := asm.Assemble(asm.Options{Object: true}, asm.Source{Name: name, Text: []byte(text)})
	require.NoError(t, diags.Err(), text)
	o := testkit.Must(prog.Object())(t)
	data := testkit.Must(shbin.WriteObject(o))(t)
	o = testkit.Must(shbin.ParseObject(data))(t)
	return link.Input{Name: name, Object: o}
}

// linked links objects, then encodes and parses the program.
func linked(t testing.TB, objects ...link.Input) *shbin.File {
	file := testkit.Must(link.Objects(link.Options{}, objects...))(t)
	data := testkit.Must(file.Write())(t)
	file = testkit.Must(shbin.Parse(data))(t)
	return file
}

// result runs an executable and returns its first output.
func result(t testing.TB, f *shbin.File, executable int, uniforms map[string][]float64) []float32 {
	s := testkit.Must(trial.Load(f, executable))(t)
	for name, v := range uniforms {
		require.NoError(t, s.SetUniform(name, v))
	}
	r := testkit.Must(s.Run(&trial.Vertex{}, nil, nil))(t)
	require.NotEmpty(t, r.Outputs)
	return r.Outputs[0].Value[:]
}

// Constants of separately assembled objects all use c95, i3 and so on: linking moves them.
func TestLinkMovesCollidingConstants(t *testing.T) {
	main := object(t, "main", `.constf k(1, 2, 3, 4)
.consti twice(1, 0, 1, 0)
.out pos position
.proc main
	mov r0, k
	for twice
		call more
		nop
	.end
	mov pos, r0
	end
.end`)
	lib := object(t, "lib", `.nodvle
.constf step(10, 20, 30, 40)
.constf unused(0, 0, 0, 7)
.consti thrice(2, 0, 1, 0)
.proc more
	for thrice
		add r0, step, r0
		nop
	.end
.end`)
	require.Equal(t, []float32{61, 122, 183, 244}, result(t, linked(t, main, lib), 0, nil))
	require.Equal(t, []float32{61, 122, 183, 244}, result(t, linked(t, lib, main), 0, nil), "linking in the other order gives the same results")
	f := linked(t, main, lib)
	require.Equal(t, main.Object.Constants, f.Executables[0].Constants[:2], "the executable's own constants stay")
	require.Len(t, f.Executables[0].Constants, 5)
}

// Equal constants share a register.
func TestLinkSharesEqualConstants(t *testing.T) {
	main := object(t, "main", ".constf a(1, 0, 0, 0)\n.constf k(5, 5, 5, 5)\n.out pos position\n.proc main\n\tmov r0, a\n\tcall f\n\tmov pos, r0\n\tend\n.end")
	lib := object(t, "lib", ".nodvle\n.constf k(5, 5, 5, 5)\n.proc f\n\tadd r0, k, r0\n.end")
	f := linked(t, main, lib)
	require.Len(t, f.Executables[0].Constants, 2)
	require.Equal(t, []float32{6, 5, 5, 5}, result(t, f, 0, nil))
}

// Moved booleans go to the last free register except b15, which tells a geometry shader on the console that another vertex exists.
func TestLinkMovesBooleans(t *testing.T) {
	for taken, want := range map[string]int{"": 14, ".bool filler[15]\n": -1, ".setb b14 true\n": 13, setBools(1, 14): 0} {
		main := object(t, "main", taken+".setb b3 true\n.constf one(1, 2, 4, 8)\n.out pos position\n.proc main\n\tmov r0, one\n\tifu b3\n\t\tadd r0, r0, r0\n\t.end\n\tcall f\n\tmov pos, r0\n\tend\n.end")
		lib := object(t, "lib", ".nodvle\n.setb b3 false\n.proc f\n\tifu b3\n\t\tadd r0, r0, r0\n\t.end\n.end")
		if want < 0 {
			_, err := link.Objects(link.Options{}, main, lib)
			require.ErrorContains(t, err, "no register is free", "b15 is never used")
			continue
		}
		f := linked(t, main, lib)
		require.Equal(t, []float32{2, 4, 8, 16}, result(t, f, 0, nil))
		var moved []uint8
		for _, c := range f.Executables[0].Constants {
			if c.Kind == shbin.ConstantBool && !c.Bool() {
				moved = append(moved, c.Reg)
			}
		}
		require.Equal(t, []uint8{uint8(want)}, moved)
	}
}

// setBools sets the booleans of a range, except b3.
func setBools(from, to int) (text string) {
	for i := from; i <= to; i++ {
		if i != 3 {
			text += fmt.Sprintf(".setb b%d true\n", i)
		}
	}
	return text
}

// Arrays are moved as a whole, and relative addressing still reads them.
func TestLinkMovesArraysAsAWhole(t *testing.T) {
	main := object(t, "main", ".constf a(1, 1, 1, 1)\n.constf b(2, 2, 2, 2)\n.out pos position\n.proc main\n\tmov r0, a\n\tadd r0, b, r0\n\tcall f\n\tmov pos, r0\n\tend\n.end")
	lib := object(t, "lib", `.nodvle
.constfa ramp[]
.constfa (1, 2, 3, 4)
.constfa (2, 2, 2, 2)
.constfa (100, 200, 300, 400)
.end
.consti n(2, 0, 1, 0)
.proc f
	for n
		add r0, ramp[aL], r0
		nop
	.end
.end`)
	f := linked(t, main, lib)
	require.Equal(t, []float32{106, 207, 308, 409}, result(t, f, 0, nil))
	require.Len(t, f.Executables[0].Constants, 6, "no element of the array is shared")
}

// Three objects share uniforms, constants and procedures: two executables and a procedure that both call.
func TestLinkThreeObjects(t *testing.T) {
	a := object(t, "a", `.fvec scale, tint
.bool flip
.constf base(1, 1, 1, 1)
.setb b9 true
.out pos position
.proc main
	mov r0, base
	callu flip, negate
	call both
	mov pos, r0
	end
.end
.proc negate
	mov r0, -r0
.end`)
	b := object(t, "b", `.fvec scale
.constf base(2, 2, 2, 2)
.constf other(8, 8, 8, 8)
.out pos position
.proc main
	mov r0, base
	add r0, other, r0
	call both
	mov pos, r0
	end
.end`)
	lib := object(t, "lib", `.nodvle
.fvec scale, tint
.constf one(3, 3, 3, 3)
.constf other(8, 8, 8, 8)
.proc both
	mul r0, scale, r0
	add r0, one, r0
	add r0, other, r0
	add r0, tint, r0
.end`)
	for _, order := range [][]link.Input{{a, b, lib}, {lib, a, b}, {a, lib, b}} {
		f := linked(t, order...)
		require.Len(t, f.Executables, 2)
		u := map[string][]float64{"scale": {2, 2, 2, 2}, "tint": {1000, 2000, 0, 0}, "flip": {1}}
		require.Equal(t, []float32{1009, 2009, 9, 9}, result(t, f, 0, u))
		delete(u, "flip")
		require.Equal(t, []float32{1031, 2031, 31, 31}, result(t, f, 1, u), "a uniform declared only by the library has a name")
	}
}

// Registers that cannot be joined give an error with their name.
func TestLinkRefusesIncompatibleRegisters(t *testing.T) {
	main := func(declarations, body string) link.Input {
		return object(t, "main", declarations+".out pos position\n.proc main\n"+body+"\tcall f\n\tmov pos, r0\n\tend\n.end")
	}
	lib := func(declarations, body string) link.Input {
		return object(t, "lib", ".nodvle\n"+declarations+".proc f\n"+body+".end")
	}
	many := func(n int, from float64) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, ".constf k%d(%g, 0, 0, 0)\n", i, from+float64(i))
		}
		return b.String()
	}
	for _, c := range []struct {
		main, lib link.Input
		want      string
	}{
		{main(many(60, 0), "\tmov r0, k0\n"), lib(many(60, 100), "\tmov r0, k0\n"), "of main, and no register is free for it"},
		{main(".consti a(1,1,1,1)\n.consti b(2,1,1,1)\n.consti c(3,1,1,1)\n", "\tnop\n"), lib(".consti a(4,1,1,1)\n.consti b(5,1,1,1)\n", "\tnop\n"), "the constant i3 = (4, 1, 1, 1) of lib meets the constant i3 = (1, 1, 1, 1) of main"},
		{main(".fvec u\n.setf u(1, 0, 0, 0)\n", "\tmov r0, u\n"), lib(".fvec u\n.setf u(2, 0, 0, 0)\n", "\tmov r0, u\n"), `the uniform "u" of main meets the uniform "u" of lib, and cannot move`},
		{main("", "\tmov r0, c95\n"), lib(".constf k(2, 0, 0, 0)\n", "\tmov r0, k\n"), "the constant c95 = (2, 0, 0, 0) of lib meets c95 of main, and nothing says whether the same is meant"},
		{main(".constf k(1, 0, 0, 0)\n", "\tmov r0, k\n"), lib(".constf k(2, 0, 0, 0)\n", "\tmov r0, c0[a0.x]\n"), "cannot move, since the object addresses registers relatively"},
		{main(".constf k(1, 0, 0, 0)\n", "\tmov r0, k\n"), lib(".constf k(2, 0, 0, 0)\n", "\tmov r0, c0\n\tmov r0, c0[a0.x]\n"), "cannot move, since the object addresses registers relatively"},
		{main(".fvec mine[3]\n", "\tmov r0, mine\n"), lib(".fvec theirs\n", "\tmov r0, theirs\n"), `c0-c2 is the uniform "mine" in the one and c0 is "theirs" in the other`},
		{main(".fvec other, u\n", "\tmov r0, u\n"), lib(".fvec u\n", "\tmov r0, u\n"), `the uniform "u" is c1 in the one and c0 in the other`},
	} {
		_, err := link.Objects(link.Options{}, c.main, c.lib)
		require.ErrorContains(t, err, c.want)
	}
}

// A procedure that extends beyond the code of its object is refused.
func TestLinkRefusesLabelsBeyondTheCode(t *testing.T) {
	for _, size := range []uint32{2, 0x1000, 0xFFFFFFFE} {
		o := object(t, "lib", ".nodvle\n.proc f\n\tnop\n.end")
		o.Object.Labels[0].Size = size
		_, err := link.Objects(link.Options{}, o)
		require.ErrorContains(t, err, `link: lib: the label "f" reaches from instruction 0x0`)
	}
}

// Constants of a source without an executable give a warning: nothing loads them.
func TestConstantsWithoutExecutableWarn(t *testing.T) {
	sources := []asm.Source{{Name: "a", Text: []byte(".proc main\n\tcall f\n\tend\n.end")}, {Name: "lib", Text: []byte(".nodvle\n.constf k(1, 2, 3, 4)\n.proc f\n\tmov r0, k\n.end")}}
	_, diags := asm.Assemble(asm.Options{}, sources...)
	require.Len(t, diags, 1)
	require.Contains(t, diags[0].Error(), "lib: warning: no executable loads the 1 constants of this .nodvle source")
	_, diags = asm.Assemble(asm.Options{Object: true}, sources[1])
	require.Empty(t, diags)
}

// A uniform with a value in one object and none in another is no collision.
func TestLinkKeepsValuesOfUniforms(t *testing.T) {
	main := object(t, "main", ".fvec u\n.out pos position\n.proc main\n\tmov r0, u\n\tcall f\n\tmov pos, r0\n\tend\n.end")
	lib := object(t, "lib", ".nodvle\n.fvec u\n.setf u(1, 2, 3, 4)\n.proc f\n\tadd r0, u, r0\n.end")
	require.Equal(t, []float32{2, 4, 6, 8}, result(t, linked(t, main, lib), 0, nil))
}

// Objects that do not call each other keep their constants.
func TestLinkKeepsConstantsOfUnrelatedObjects(t *testing.T) {
	text := func(v int) string {
		return fmt.Sprintf(".constf k(%d, 0, 0, 0)\n.out pos position\n.proc main\n\tmov pos, k\n\tend\n.end", v)
	}
	a, b := object(t, "a", text(1)), object(t, "b", text(2))
	f := linked(t, a, b)
	for i, o := range []link.Input{a, b} {
		require.Equal(t, o.Object.Constants, f.Executables[i].Constants)
		require.Equal(t, []float32{float32(i + 1), 0, 0, 0}, result(t, f, i, nil))
	}
}

// Random sets of objects: each procedure adds its constants, so that the sum shows whether all were read correctly.
func TestLinkRandomObjects(t *testing.T) {
	rng := rand.New(rand.NewSource(14))
	linked := 0
	for range 150 {
		libs := 1 + rng.Intn(4)
		sums := make([]float64, libs)
		var objects []link.Input
		body := func(name string, calls string) (declarations, code string, sum float64) {
			n := 1 + rng.Intn(5)
			for i := range n {
				v := float64(rng.Intn(8))
				if rng.Intn(3) == 0 {
					declarations += fmt.Sprintf(".constfa a%d[]\n.constfa (%g, 0, 0, 0)\n.constfa (%g, 0, 0, 0)\n.end\n", i, v, v+1)
					if rng.Intn(2) == 0 {
						code += fmt.Sprintf("\tadd r0, a%d[1], r0\n", i)
						v++
					} else {
						declarations += fmt.Sprintf(".consti n%d(1, 0, 1, 0)\n", i)
						code += fmt.Sprintf("\tfor n%d\n\t\tadd r0, a%d[aL], r0\n\t\tnop\n\t.end\n", i, i)
						v = 2*v + 1
					}
				} else {
					declarations += fmt.Sprintf(".constf k%d(%g, 0, 0, 0)\n", i, v)
					code += fmt.Sprintf("\tadd r0, k%d, r0\n", i)
				}
				sum += v
			}
			return declarations, code + calls, sum
		}
		for i := range libs {
			calls := ""
			if i > 0 && rng.Intn(2) == 0 {
				calls = fmt.Sprintf("\tcall f%d\n\tnop\n", rng.Intn(i))
			}
			d, code, sum := body("lib", calls)
			sums[i] = sum
			if calls != "" {
				var k int
				fmt.Sscanf(calls, "\tcall f%d", &k)
				sums[i] += sums[k]
			}
			objects = append(objects, object(t, fmt.Sprintf("lib%d", i), ".nodvle\n"+d+fmt.Sprintf(".proc f%d\n", i)+code+".end"))
		}
		var wants []float64
		for i := range 1 + rng.Intn(2) {
			calls, want := "", 0.0
			for k := range libs {
				if rng.Intn(2) == 0 {
					calls += fmt.Sprintf("\tcall f%d\n", k)
					want += sums[k]
				}
			}
			d, code, sum := body("main", calls)
			wants = append(wants, want+sum)
			objects = append(objects, object(t, fmt.Sprintf("main%d", i), d+".constf zero(0, 0, 0, 0)\n.out pos position\n.proc main\n\tmov r0, zero\n"+code+"\tmov pos, r0\n\tend\n.end"))
		}
		f, err := link.Objects(link.Options{}, objects...)
		if err != nil {
			require.ErrorContains(t, err, "no register is free") // integers, used by the for loops
			continue
		}
		linked++
		for i, want := range wants {
			require.Equal(t, float32(want), result(t, f, i, nil)[0])
		}
	}
	require.Greater(t, linked, 75)
	t.Logf("%d of 150 sets of objects linked", linked)
}

func TestLinkSeveral(t *testing.T) {
	a := object(t, "a", `.fvec shared[2], own
.out pos position
.proc main
	mad r1, r0.wzyx, r1, r2
	jmpu b0, done
	call common
done:
	mov pos, own
	end
.end`)
	b := object(t, "b", `.fvec shared[2]
.out pos position
.proc main
	mov r1, r0.zzzz
	mad r1, r0.wzyx, r1, r2
	callu b1, common
	ifu b2
		mov r2, r3
	.end
	end
.end`)
	lib := object(t, "lib", `.nodvle
.fvec shared[2]
.proc common
	mov r5, shared[1]
	callc cmp.x, deeper
	mov r5, r6
.end
.proc deeper
	for i0
		nop
	.end
.end`)
	file := testkit.Must(link.Objects(link.Options{Labels: true}, a, b, lib))(t)
	require.Len(t, file.Executables, 2)
	base := len(a.Object.Code)
	require.Equal(t, uint32(base), file.Executables[1].Main)
	libAt := base + len(b.Object.Code)
	call := shaderunit.Decode(file.Program.Code[2])
	require.Equal(t, shaderunit.OpCALL, call.Op)
	require.Equal(t, uint16(libAt), call.Dest)
	require.Equal(t, uint8(3), call.Num)
	require.Equal(t, uint16(libAt), shaderunit.Decode(file.Program.Code[base+2]).Dest)
	require.Equal(t, uint16(base+5), shaderunit.Decode(file.Program.Code[base+3]).Dest, "ifu in the second object")
	require.Equal(t, uint16(libAt+3), shaderunit.Decode(file.Program.Code[libAt+1]).Dest, "callc inside the library")
	require.Equal(t, uint16(libAt+4), shaderunit.Decode(file.Program.Code[libAt+3]).Dest, "loop in the library")
	// The MADs of both objects share a descriptor, although it had different numbers.
	require.Equal(t, shaderunit.Decode(file.Program.Code[0]).Desc, shaderunit.Decode(file.Program.Code[base+1]).Desc)
	out := testkit.Must(file.Write())(t)
	_, err := shbin.Parse(out)
	require.NoError(t, err)

	_, err = link.Objects(link.Options{}, a, b)
	require.ErrorContains(t, err, `a (a:6) calls the procedure "common"`)
	other := object(t, "other", ".nodvle\n.fvec elsewhere, shared[2]\n.proc common\n\tmov r0, shared[0]\n.end")
	_, err = link.Objects(link.Options{}, a, other)
	require.ErrorContains(t, err, `uniform "shared" is c0-c1 in the one and c1-c2 in the other`)
	_, err = link.Objects(link.Options{}, a, lib, lib)
	require.ErrorContains(t, err, "in several objects")
}

// Linking keeps the descriptors of MADs among the first 32.
func TestLinkMovesDescriptorsOfMAD(t *testing.T) {
	comps := "xyzw"
	many := ".proc main\n"
	for i := range 40 {
		many += "\tmov r0, r1." + string([]byte{comps[i&3], comps[i>>2&3], comps[i>>4&3], 'y'}) + "\n"
	}
	a := object(t, "a", many+"\tend\n.end")
	b := object(t, "b", ".proc main\n\tmad r0.x, -r1.wwww, r2, r3\n\tend\n.end")
	file := testkit.Must(link.Objects(link.Options{}, a, b))(t)
	at := file.Executables[1].Main
	mad := shaderunit.Decode(file.Program.Code[at])
	require.Less(t, int(mad.Desc), 32)
	require.Equal(t, b.Object.Descriptors[0], file.Program.Descriptors[mad.Desc])
	for i := range 40 {
		in, was := shaderunit.Decode(file.Program.Code[i]), shaderunit.Decode(a.Object.Code[i])
		require.Equal(t, a.Object.Descriptors[was.Desc], file.Program.Descriptors[in.Desc])
	}
}

func TestLinkRefusesLongProcedures(t *testing.T) {
	main := object(t, "main.dvoj", ".proc main\n\tcall f\n\tend\n.end\n")
	lib := func(n int) link.Input {
		return object(t, "lib.dvoj", ".nodvle\n.proc f\n"+strings.Repeat("\tnop\n", n)+".end\n")
	}
	file := testkit.Must(link.Objects(link.Options{}, main, lib(255)))(t)
	require.Equal(t, uint8(255), shaderunit.Decode(file.Program.Code[0]).Num)
	_, err := link.Objects(link.Options{}, main, lib(256))
	require.ErrorContains(t, err, `link: main.dvoj, instruction 0x0 (main.dvoj:2): the procedure "f" of lib.dvoj has 256 instructions, of which a call would run 0; expected at most 255`)
	_, err = link.Objects(link.Options{}, main, object(t, "lib.dvoj", ".nodvle\n.gsh point c0\n.proc f\n"+strings.Repeat("\tnop\n", 1500)+".end\n"))
	require.ErrorContains(t, err, "has 1500 instructions")
}
