package asm_test

import (
	"math/rand"
	"testing"

	"pica200/assets/shbin"
	"pica200/shaderunit"
	"pica200/shaderunit/asm"
	"pica200/shaderunit/disasm"
	"pica200/tests/testkit"
)

// linked are sources of one program: executables of both shaders, with shared and separate uniforms and constants, gaps between
// them, and procedures that all of them call.
var linked = [][]asm.Source{{
	{"first", []byte(`.fvec shared[3]
.fvec first
.ivec turns
.bool way, mirror
.constf k(1, -0.5, 0.1, 3)
.constfa steps[]
.constfa (1, 2, 3, 4)
.constfa (5, 6, 7, 8)
.end
.setf c40(1, 0, 0, 9)
.consti twice(1, 2, 3, 0)
.seti i1(4, 5, 6, 0)
.setb b9 true
.in place
.in tint v5
.out p position
.out t color o3.xyz
.out u texcoord0 o3.w
.proc main
	mov r0, place
	for twice
		add r0, steps[aL], r0
		call common
	.end
	ifu way
		mov r0, shared[2]
	.else
		mov r0.xy, first.zw
		mov r0.zw, k
	.end
	for turns
		mad r0, r0, r1, c40
		nop
	.end
	mov p, r0
	mov t, tint
	callu mirror, common
	end
.end
`)}, {"second", []byte(`.fvec other
.fvec shared[3]
.constf k(1, -0.5, 0.1, 3)
.constf own(9, 9, 9, 9)
.entry start
.in place v1
.out p position
.out - dummy o2
.proc start
	mov r0, k
	add r0, own, r0
	mul r0, shared[1], r0
	add r1, other, r0
	call common
	mov p, r1
	mov o2, r1
	end
	nop
.end
`)}, {"library", []byte(`.nodvle
.fvec shared[3]
.setb b9 true
.alias base r4
.proc common
	mov r1, shared[0]
	mova a0.x, r1.x
	ifu b9
		mov r1, c0[a0.x]
		add base, r1, base
	.end
	call deeper
.end
.proc deeper
	mov r1.x, -r1.y
	nop
.end
`)}}, {{"points", []byte(`.gsh variable c5 2
.fvec far[2], near
.bool last
.constf half(0.5, 0.5, 0, 1)
.setb b14 false
.out p position
.out c color o1
.proc main
	mov p, v0
	mov c, far[1]
	setemit 0
	emit
	ifu last
		mul r0, half, v1
		mov p, r0
		mov c, near
		setemit 1, prim inv
		emit
		call common
	.end
	end
.end
`)}, {"fixed", []byte(`.gsh fixed c20 c2 4
.entry fixed
.fvec weights[4]
.consti all(3, 0, 1, 0)
.out p position o0.xyz
.out w color o1.x
.out v view o4
.proc fixed
	for all
		add r0, c2[aL], r0
		mov r1, weights[aL]
	.end
	mov p, r0
	mov w, r1
	mov v, weights[3]
	setemit 2, prim
	emit
	call common
	end
.end
`)}, {"vertex", []byte(`.entry vertex
.fvec matrix[4]
.fvec weights[4]
.in a
.in b
.in c v9
.out p position
.out n normalquat
.out d dummy o6
.proc vertex
	dp4 r0.x, matrix[0], a
	dp4 r0.y, matrix[1], a
	mov p, r0
	mov n, b
	mov d, c
	call common
	jmpc cmp.x, over
	mov d, weights[1]
over:	end
.end
`)}, {"library", []byte(`.nodvle
.proc common
	cmp r0.xy, eq, gt, r1.yx
	nop
.end
`)}}, {{"alone", []byte(`.opdesc 0x8000036F, 0xF
.dvle version 0x1003
.dvle inputs 0x0103
.dvle outputs 0x0005
.dvle merge 1
.dvle outputs_unknown 3
.dvle program_version 2
.label inside, 1, 2, 0x001, 0x2
.label outside, 7, 1, 0x900, 0xFFFFFFFF
.fvec one, two[2]
.ivec counts
.constf k(2, 4, 6, 8)
.in v_a
.out o_a position
.out o_b texcoord1 o5.xy
.proc main
	mov r0, v_a
	ifc cmp.x || !cmp.y
		mov o_a, two[1]
		end
	.else
		for counts
			mov r1, k
			breakc !cmp.x
		.end
	.end
	mov o_b, r1
	mov o_a, one
	end
.end
`)}}}

// forms are sources with a position for a word.
var forms = func() (list []string) {
	for _, line := range []string{"mov r0, %[1]s\n\tmov %[1]s, v0", "add r1.xy, %[1]s, v1\n\tadd r1, v1, %[1]s", "ifc %[1]s\n\tnop\n\t.end\n\tjmpc %[1]s, main",
		"ifu %[1]s\n\tnop\n\t.end\n\tcallu %[1]s, main", "for %[1]s\n\tnop\n\t.end\n\tsetemit %[1]s", "cmp v0, %[1]s, gt, r1\n\tmova a0.%[1]s, v0", "%s\n\t%[1]s r0, v0"} {
		list = append(list, ".proc main\n\t"+line+"\n\tend\n.end\n")
	}
	for _, line := range []string{".fvec %[1]s\n.bool %[1]s[3]\n.ivec x[%[1]s]", ".constf k(%[1]s, 1, 2, 3)\n.constf %[1]s(0, 1, 2, 3)", ".consti i(%[1]s, 1, 2, 3)\n.setb %[1]s true\n.setb b2 %[1]s",
		".in %[1]s\n.in n %[1]s", ".out o %[1]s\n.out - position %[1]s", ".alias a %[1]s\n.alias %[1]s v1", ".constfa %[1]s\n.constfa (1, %[1]s, 2, 3)\n.end", ".entry %[1]s\n.options %[1]s\n.gsh %[1]s", ".setf %[1]s(1, 2, 3, 4)\n.seti %[1]s(1, 2, 3, 4)\n.word %[1]s"} {
		list = append(list, line+"\n.out p position\n.proc main\n\tmov p, v0\n\tend\n.end\n")
	}
	return list
}()

// randomWords is a program of random words: mostly instructions, with targets mostly inside it.
func randomWords(t *testing.T, rng *rand.Rand, rows []shaderunit.OpInfo) *shbin.File {
	r := disasm.Raw{Geometry: rng.Intn(2) == 0}
	for range 1 + rng.Intn(40) {
		r.Descriptors = append(r.Descriptors, rng.Uint32())
	}
	n := 1 + rng.Intn(40)
	for range n {
		w := rng.Uint32()
		if rng.Intn(10) > 0 {
			w = w&0x03FFFFFF | uint32(rows[rng.Intn(len(rows))].Op)<<26
			if rng.Intn(4) > 0 {
				w = w&^0x3FFFFF | uint32(rng.Intn(n+1))<<10 | uint32(rng.Intn(4))
			}
		}
		r.Code = append(r.Code, w)
	}
	f := testkit.Must(r.File())(t)
	return f
}
