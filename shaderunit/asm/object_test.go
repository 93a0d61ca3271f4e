package asm

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/shbin"
	"pica200/shaderunit"
	"pica200/tests/testkit"
)

// makeObject assembles a source to an object, then encodes and parses it.
func makeObject(t *testing.T, name, text string) NamedObject {
	prog, diags := Assemble(Options{Object: true}, Source{name, []byte(text)})
	require.NoError(t, diags.Err(), name)
	o := testkit.Must(prog.Object())(t)
	data := testkit.Must(shbin.WriteObject(o))(t)
	o = testkit.Must(shbin.ParseObject(data))(t, name)
	return NamedObject{name, o}
}

// A single object links to the program that its source assembles to.
func TestObjectsLinkToTheSameProgram(t *testing.T) {
	list := readCorpus(t, "testdata")
	if dir := os.Getenv(corpusEnv); dir != "" {
		list = append(list, readCorpus(t, dir)...)
	}
	for _, c := range list {
		if c.rejected {
			continue
		}
		text := string(c.text)
		if c.opt.Picasso {
			text = ".options picasso\n" + text
		}
		file, err := Link(LinkOptions{}, makeObject(t, c.name, text))
		if whole, bad := shbin.Parse(c.want); bad == nil && slices.ContainsFunc(whole.Executables, func(e shbin.Executable) bool { return e.Fits() != nil }) {
			require.ErrorContains(t, err, "room for 512", c.name)
			continue
		}
		require.NoError(t, err, c.name)
		out := testkit.Must(file.Write())(t)
		require.Equal(t, c.want, out, c.name)
	}
}

func TestObjectTables(t *testing.T) {
	o := makeObject(t, "a.v.pica", `.proc helper
	mov r0, r1
.end
.proc start
	call helper
	call elsewhere
	jmpc cmp.x, out
	setemit 0
out:
	nop
	end
.end
.gsh
.entry start
`).Object
	require.Equal(t, []string{"main", "endmain", "helper", "start"}, []string{o.Labels[0].Name, o.Labels[1].Name, o.Labels[2].Name, o.Labels[3].Name})
	require.Equal(t, uint32(1), o.Labels[0].Addr)
	require.Equal(t, uint32(shbin.NoSize), o.Labels[0].Size)
	require.Equal(t, uint32(7), o.Labels[1].Addr)
	require.Equal(t, uint32(1), o.Labels[2].Size)
	require.Len(t, o.Lines, len(o.Code))
	require.Equal(t, uint32(2), o.Lines[0].Line)
	require.Equal(t, uint32(5), o.Lines[1].Line)
	require.Equal(t, "a.v.pica", o.Lines[1].File)
	var kinds []shbin.RelocKind
	for _, r := range o.Relocs {
		kinds = append(kinds, r.Kind)
	}
	require.Equal(t, []shbin.RelocKind{shbin.RelocDescriptor, shbin.RelocCall, shbin.RelocCall, shbin.RelocAddress, shbin.RelocNone}, kinds)
	require.Equal(t, "elsewhere", o.Relocs[2].Name)
	require.True(t, o.HasGeometry)
}

func TestLinkSeveral(t *testing.T) {
	a := makeObject(t, "a", `.fvec shared[2], own
.out pos position
.proc main
	mad r1, r0.wzyx, r1, r2
	jmpu b0, done
	call common
done:
	mov pos, own
	end
.end`)
	b := makeObject(t, "b", `.fvec shared[2]
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
	lib := makeObject(t, "lib", `.nodvle
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
	file := testkit.Must(Link(LinkOptions{Labels: true}, a, b, lib))(t)
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

	_, err = Link(LinkOptions{}, a, b)
	require.ErrorContains(t, err, `a (a:6) calls the procedure "common"`)
	other := makeObject(t, "other", ".nodvle\n.fvec elsewhere, shared[2]\n.proc common\n\tmov r0, shared[0]\n.end")
	_, err = Link(LinkOptions{}, a, other)
	require.ErrorContains(t, err, `uniform "shared" is c0-c1 in the one and c1-c2 in the other`)
	_, err = Link(LinkOptions{}, a, lib, lib)
	require.ErrorContains(t, err, "in several objects")
}

// Linking keeps the descriptors of MADs among the first 32.
func TestLinkMovesDescriptorsOfMAD(t *testing.T) {
	comps := "xyzw"
	many := ".proc main\n"
	for i := range 40 {
		many += "\tmov r0, r1." + string([]byte{comps[i&3], comps[i>>2&3], comps[i>>4&3], 'y'}) + "\n"
	}
	a := makeObject(t, "a", many+"\tend\n.end")
	b := makeObject(t, "b", ".proc main\n\tmad r0.x, -r1.wwww, r2, r3\n\tend\n.end")
	file := testkit.Must(Link(LinkOptions{}, a, b))(t)
	at := file.Executables[1].Main
	mad := shaderunit.Decode(file.Program.Code[at])
	require.Less(t, int(mad.Desc), 32)
	require.Equal(t, b.Object.Descriptors[0], file.Program.Descriptors[mad.Desc])
	for i := range 40 {
		in, was := shaderunit.Decode(file.Program.Code[i]), shaderunit.Decode(a.Object.Code[i])
		require.Equal(t, a.Object.Descriptors[was.Desc], file.Program.Descriptors[in.Desc])
	}
}

func TestObjectDisassemblyRoundTrip(t *testing.T) {
	o := makeObject(t, "a", ".fvec u\n.proc main\n\tmov r0, u\n\tcall elsewhere\n\tend\n.end")
	file, unlinked, err := ObjectFile(o)
	require.NoError(t, err)
	d := testkit.Must(Disassemble(file, DisasmOptions{External: unlinked.External}))(t)
	require.Contains(t, string(d.Sources[0].Text), "call elsewhere")
	again := makeObjectOf(t, d)
	require.Equal(t, o.Object.Code, again.Code)
	require.Equal(t, o.Object.Relocs[1].Name, again.Relocs[1].Name)
}

func makeObjectOf(t *testing.T, d *Disassembly) *shbin.Object {
	require.True(t, d.Options.Object)
	prog, diags := Assemble(d.Options, d.Sources...)
	require.NoError(t, diags.Err())
	o := testkit.Must(prog.Object())(t)
	return o
}

func TestObjectNeedsOneSource(t *testing.T) {
	src := Source{"a", []byte(".proc main\n\tend\n.end")}
	other := Source{"b", []byte(".entry x\n.proc x\n\tend\n.end")}
	prog, diags := Assemble(Options{Object: true}, src, other)
	require.NoError(t, diags.Err())
	_, err := prog.Object()
	require.ErrorContains(t, err, "one source")
}
