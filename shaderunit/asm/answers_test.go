package asm_test

import (
	"bytes"
	"fmt"
	"hash"
	"hash/fnv"
	"math/rand"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/shbin"
	"pica200/shaderunit"
	"pica200/shaderunit/asm"
	"pica200/shaderunit/disasm"
	"pica200/shaderunit/link"
	"pica200/shaderunit/lint"
	"pica200/tests/testkit"
)

// answers sums up the toolchain's output for sources and programs, by kind.
type answers struct {
	kinds []string
	sums  map[string]hash.Hash32
}

func (a *answers) add(kind string, what ...any) {
	if a.sums[kind] == nil {
		a.kinds, a.sums[kind] = append(a.kinds, kind), fnv.New32a()
	}
	fmt.Fprintln(a.sums[kind], what...)
}

func (a *answers) String() string {
	out := ""
	for _, k := range a.kinds {
		out += fmt.Sprintf(" %s %08x", k, a.sums[k].Sum32())
	}
	return out
}

// program adds the output for a program, assembled or not.
func (a *answers) program(rng *rand.Rand, f *shbin.File, unlinked *asm.Unlinked) {
	for _, finding := range lint.Check(f, unlinked) {
		a.add("lint", finding.Rule.ID, finding.Addr, finding.Executable, finding.Constant, finding.Msg)
	}
	opt := disasm.Options{Addresses: rng.Intn(2) == 0, Portable: rng.Intn(2) == 0}
	if rng.Intn(4) == 0 {
		opt.External = map[int]string{1: "outside", 3: "away"}
	}
	d, err := disasm.File(f, opt)
	a.add("disasm", err)
	if d != nil {
		a.add("disasm", d.Notes, d.Options)
		for _, s := range d.Sources {
			a.add("disasm", s.Name, string(s.Text))
		}
	}
}

// sources adds the output for sources, valid or not.
func (a *answers) sources(rng *rand.Rand, library link.Input, opt asm.Options, list ...asm.Source) {
	prog, diags := asm.Assemble(opt, list...)
	var text bytes.Buffer
	diags.Print(&text)
	a.add("errors", text.String(), diags.Error())
	for _, s := range list {
		a.add("format", string(asm.Format(s.Text)))
	}
	symbols, _, _ := asm.Index(opt, list...)
	for i := range symbols {
		a.add("index", symbols[i])
		if n := rng.Intn(len(symbols)); n != i {
			a.add("index", asm.CheckRename(symbols, &symbols[i], symbols[n].Name), asm.CheckRename(symbols, &symbols[i], symbols[n].Name+"2"))
		}
	}
	if prog == nil {
		return
	}
	data, err := prog.Bytes()
	a.add("program", data, err, prog.Header(), prog.SymbolHeader(), prog.Descriptors())
	a.add("lint", lint.Program(prog, list).Error())
	if prog.Unlinked() != nil {
		o, err := prog.Object()
		if a.add("object", err); err != nil {
			return
		}
		a.add("object", fmt.Sprintf("%+v", *o))
		own := link.Input{Name: "own.dvoj", Object: o}
		for _, objects := range [][]link.Input{{own, library}, {library, own}} {
			f, err := link.Objects(link.Options{Labels: rng.Intn(2) == 0, Lines: rng.Intn(2) == 0}, objects...)
			if a.add("link", err); err == nil {
				data, err := f.Write()
				a.add("link", data, err)
			}
		}
		if f, unlinked, err := link.Alone(own); err == nil && len(f.Executables) > 0 {
			a.program(rng, f, unlinked)
		}
		return
	}
	a.program(rng, prog.File, nil)
}

// Golden file: checksums of all output of the toolchain, for each source in testdata and damaged forms of it, alone, as objects and
// linked, and for programs that no assembler wrote. A line is a source, a column a kind of output.
func TestToolchainChecksums(t *testing.T) {
	var pool [][]byte
	list := readCorpus(t, "testdata")
	for n, text := range rich {
		list = append(list, corpusSource{name: fmt.Sprintf("rich %d", n), text: []byte(text)})
	}
	for _, c := range list {
		pool = append(pool, c.text)
	}
	library := makeObject(t, "library.dvoj", `.fvec shared[2], other
.constf half(0.5, 2, -1, 3)
.consti steps(3, 0, 1, 0)
.bool flag
.nodvle
.proc library
	mul r3, half, v0
	for steps
		add r3, shared[1], r3
	.end
	ifu flag
		mov r4.yz, other.wzyx
	.end
.end
`)
	var b strings.Builder
	b.WriteString("# Checksums of what the toolchain says of the sources beside this file, of damaged forms of each, and of random words.\n# Written by go test ./shaderunit/asm -run TestToolchainChecksums -update\n")
	for n, c := range list {
		a := &answers{sums: map[string]hash.Hash32{}}
		rng := rand.New(rand.NewSource(int64(n)))
		a.sources(rng, library, c.opt, asm.Source{c.name, c.text})
		times := 2
		if n >= len(list)-len(rich) {
			times = 30
		}
		for i := range times {
			i &= 3
			opt := asm.Options{NoNop: i == 0 && n&1 == 0, Object: i == 1, Extended: i == 2, Lines: i&1 == 1, Picasso: i == 2 && n&1 == 0}
			sources := []asm.Source{{"a.pica", damage(rng, [][]byte{c.text})}}
			if i == 3 {
				sources = append(sources, asm.Source{"b.pica", damage(rng, pool)})
			}
			a.sources(rng, library, opt, sources...)
		}
		fmt.Fprintf(&b, "%s%v\n", c.name, a)
	}
	for n, form := range forms {
		a := &answers{sums: map[string]hash.Hash32{}}
		for i, w := range oddWords {
			for _, head := range []string{"", ".gsh point c0\n"} {
				_, diags := asm.Assemble(asm.Options{Extended: i&1 == 0}, asm.Source{"x", []byte(head + fmt.Sprintf(form, w))})
				a.add("errors", diags.Error())
			}
		}
		fmt.Fprintf(&b, "words in their places %d%v\n", n, a)
	}
	rows := shaderunit.Instructions()
	for block := range 16 {
		a := &answers{sums: map[string]hash.Hash32{}}
		rng := rand.New(rand.NewSource(int64(block)))
		for range 6 {
			f := randomWords(t, rng, rows)
			a.program(rng, f, nil)
			withMore(rng, f)
			a.program(rng, f, nil)
		}
		fmt.Fprintf(&b, "words %d%v\n", block, a)
	}
	for n, list := range linked {
		rng := rand.New(rand.NewSource(int64(n)))
		tables, objects := &answers{sums: map[string]hash.Hash32{}}, &answers{sums: map[string]hash.Hash32{}}
		prog, diags := asm.Assemble(asm.Options{Extended: n == 2, Lines: n == 1}, list...)
		require.NoError(t, diags.Err())
		eachNumber(rng, &prog.File.Executables, func() {
			data, err := prog.File.Write()
			if tables.add("errors", err); err != nil {
				return
			}
			f, err := shbin.Parse(data)
			if tables.add("errors", err); err == nil {
				tables.program(rng, f, nil)
			}
		})
		var parts []link.Input
		for _, s := range list {
			part, diags := asm.Assemble(asm.Options{Object: true, Extended: n == 2, Lines: true}, s)
			require.NoError(t, diags.Err())
			o := testkit.Must(part.Object())(t)
			parts = append(parts, link.Input{Name: s.Name, Object: o})
		}
		for i := range parts {
			whole := parts[i].Object
			eachNumber(rng, whole, func() {
				data, err := shbin.WriteObject(whole)
				if objects.add("errors", err); err != nil {
					return
				}
				defer func() { parts[i].Object = whole }()
				if parts[i].Object, err = shbin.ParseObject(data); err != nil {
					objects.add("errors", err)
					return
				}
				for _, opt := range []link.Options{{}, {Labels: true, Lines: true}} {
					f, err := link.Objects(opt, parts...)
					if objects.add("link", err); err == nil {
						data, err := f.Write()
						objects.add("link", data, err)
					}
				}
			})
		}
		fmt.Fprintf(&b, "numbers of tables %d%v\nnumbers of objects %d%v\n", n, tables, n, objects)
	}
	a := &answers{sums: map[string]hash.Hash32{}}
	for _, words := range [][]string{asm.Mnemonics(), asm.Directives(), asm.OutputMeanings(), asm.Comparisons(), asm.OptionWords(), lint.RuleNames(), oddWords} {
		for _, w := range words {
			a.add("help", w, asm.Help(w))
		}
	}
	fmt.Fprintf(&b, "words of the language%v\n", a)
	testkit.Golden(t, "testdata/answers.txt", []byte(b.String()))
}

// withMore adds executables that share code with the program, with labels that name procedures, some equal, some that the language
// cannot write.
func withMore(rng *rand.Rand, f *shbin.File) {
	n := len(f.Program.Code)
	for range 1 + rng.Intn(4) {
		x := f.Executables[0]
		x.Type = shbin.ShaderType(rng.Intn(2))
		x.Main = uint32(rng.Intn(n))
		x.EndMain = x.Main + uint32(rng.Intn(n-int(x.Main)+2))
		x.Labels = nil
		for i := range rng.Intn(4) {
			at := rng.Intn(n)
			x.Labels = append(x.Labels, shbin.Label{ID: uint16(i), Addr: uint32(at), Size: uint32(rng.Intn(n - at + 1)), Name: []string{"main", "twice", "no name", "", "proc_003", "other"}[rng.Intn(6)]})
		}
		f.Executables = append(f.Executables, x)
	}
}

// eachNumber calls look after each change of a single number in v.
func eachNumber(rng *rand.Rand, v any, look func()) {
	testkit.Numbers(v, func(_ string, n reflect.Value) {
		old := reflect.New(n.Type()).Elem()
		old.Set(n)
		for _, to := range []int{[]int{0, 1, 2, 3, 5}[rng.Intn(5)], []int{7, 9, 15, 16, 95, 96, 120, 135, 0xFFFF}[rng.Intn(9)]} {
			if n.CanUint() && rng.Intn(2) == 0 {
				to = int(old.Uint()) + 1 - 2*(to&1)
			}
			testkit.SetNumber(n, to)
			look()
			n.Set(old)
		}
	})
}

// rich are sources with many features: nested loops, branches, indices set by loops and programs, outputs written on some paths
// only, blocks after END, several objects in one file.
var rich = []string{`
.fvec grid[20], one
.constf k(+1.0, -0.5, 0x1.8p3, nan)
.consti outer(3, 85, 4, 0)
.consti inner(1, 2, 255, 0)
.bool way, other
.in v_pos
.in v_tint v14
.out o_pos position
.out o_tint color o1.xyz
.out o_rest texcoord0 o6.xy
.proc main
	mov o_pos.xy, v_pos
	for outer
		add r0, grid[aL], v_pos
		for inner
			mul r1, grid[aL + 3], r0
			cmp r1.xy, lt, ge, r0
			breakc cmp.x && !cmp.y
		.end
		mov r2, grid[aL]
	.end
	mov r3, grid[aL]
	mova a0.x, v_pos.z
	mov r4.xz, grid[a0.x]
	mov r5, grid[a0.y]
	ifu way
		mov o_pos.zw, r4
		call helper
	.else
		ifc !cmp.x | cmp.y
			mov o_tint.x, r3
			end
		.end
		nop
	.end
	mov o_tint.yz, r2.w
	mov o_rest.y, r6
	end
.end
.proc helper
	mov o_rest.x, k
	jmpu other, back
	jmpc cmp.x, back
	nop
back:	call last
.end
.proc last
	mad o_tint, r0, r1, v_tint
.end
.proc never
	callc cmp.y, last
	callu way, helper
.end
`, `
.gsh variable c3 2
.fvec weights[3]
.bool turn
.setf c20(1, 2, 3, 4)
.seti i2(1, 2, 3, 0)
.setb b3 on
.entry emitter
.out p position o0
.out c color o2.rg
.out v view o4
.out o9 dummy
.proc emitter
	mov p, v0
	setemit 0
	emit
	mov p, v1[1]
	mov c.r, weights[a0.x]
	setemit 1, inv
	ifu turn
		mov c.g, v2
		emit
	.end
	setemit 2, prim inv
	mov v, v14
	emit
	call more
	end
.end
.proc more
	emit
	cmp v0.xy, eq, ne, v0.yx
	ifc cmp.y
		mov p.w, v3
		end
	.end
.end
`, `
.nodvle
.alias index r8.w
.alias far c95
.fvec shared, own[2]
.ivec steps[2]
.proc library
	dph r3, shared, v0
	dph r4, v0, shared
	dst r5, far, index
	sge r6, v1, far
	slt r6, far, v1.w
	litp r7, -v2
	flr r7.y, index
	rcp r8, r7.y
	for steps
		max r9, own[1], r8
		min r9, own[aL], r8
		break
	.end
	call outside
	end
.end
.proc second
	mad r1, v0, own[0], -r2
	mad r1, v0, r2, own[a0.y]
	mova a0.xy, r1
	ex2 r2.x, r1.x
	lg2 r2.y, r1.x
	rsq r2.z, r1.x
.end
`, `
.out a position.xy
.out b position.zw o0
.out c normalquat o7
.entry first
.proc first
	end
	nop
	ifu b0
	.end
	for i3
	.end
	jmpu !b1, .
	mov c, c0
.end
.constfa list[]
.constfa (1, 2, 3, 4)
.constfa list2[2]
.constfa (- 1, +2, 0x10, 1e39)
.constfa (5, 6, 7, 8)
.end
.in v15
.in t v14
.set c4 (1, 2)
.word 0x12345678
.opdesc 0x1f, 3
label: nop
.end
`}
