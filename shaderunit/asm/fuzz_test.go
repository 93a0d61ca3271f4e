package asm_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/shbin"
	"pica200/shaderunit/asm"
	"pica200/shaderunit/disasm"
	"pica200/shaderunit/link"
	"pica200/shaderunit/lint"
	"pica200/tests/testkit"
)

func seedSources(f *testing.F) {
	for _, c := range readCorpus(f, "testdata") {
		if len(c.text) < 2000 {
			f.Add(c.text)
		}
	}
	for _, n := range []string{"every.nihstro", "every.aemstro", "every.zitrus"} {
		text := testkit.Must(os.ReadFile("testdata/dialects/" + n))(f)
		f.Add(text)
	}
}

// FuzzAssemble assembles any text. An assembled file can be parsed, round-tripped through disassembly, linked from an object and
// linted.
func FuzzAssemble(f *testing.F) {
	seedSources(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		prog, diags := asm.Assemble(asm.Options{}, asm.Source{"fuzz.pica", text})
		if prog == nil {
			require.NotZero(t, diags.Errors())
			diags.Print(&bytes.Buffer{})
			return
		}
		data := testkit.Must(prog.Bytes())(t)
		file, err := shbin.Parse(data)
		if err != nil {
			require.ErrorContains(t, err, "e") // an empty entry procedure, or a name that is too long
			return
		}
		d := testkit.Must(disasm.File(file, disasm.Options{}))(t)
		require.Empty(t, d.Notes)
		lint.Check(file, nil)
	})
}

// FuzzExtended assembles any text in the extended language.
func FuzzExtended(f *testing.F) {
	f.Add([]byte(".opdesc 0x8000036F, 0xF\n.dvle version 2\n.label main, 0, 1, 0x0, 0xFFFFFFFF\n.proc main\n\tmov o0, v0 @0\n\t.word 0x88000000\n.end\n"))
	seedSources(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		if prog, _ := asm.Assemble(asm.Options{Extended: true, Object: true}, asm.Source{"fuzz.pica", text}); prog != nil {
			_, err := prog.Bytes()
			require.NoError(t, err)
			_, err = prog.Object()
			require.NoError(t, err)
		}
	})
}

// FuzzDisassemble disassembles any file. Without notes, it assembles to the same file.
func FuzzDisassemble(f *testing.F) {
	names := testkit.Must(filepath.Glob("testdata/*.shbin"))(f)
	for _, n := range names {
		data := testkit.Must(os.ReadFile(n))(f)
		if len(data) < 1000 {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := shbin.Parse(data)
		if err != nil || len(file.Executables) > 8 {
			return
		}
		lint.Check(file, nil)
		d, err := disasm.File(file, disasm.Options{Addresses: true})
		if err != nil {
			require.Empty(t, file.Executables)
			return
		}
		if len(d.Notes) > 0 {
			return
		}
		prog, diags := asm.Assemble(d.Options, d.Sources...)
		require.NoError(t, diags.Err())
		require.Equal(t, file.Program.Code, prog.File.Program.Code)
	})
}

// FuzzLink links any object with itself and with another.
func FuzzLink(f *testing.F) {
	for _, text := range []string{
		".fvec u\n.proc main\n\tmov r0, u\n\tcall elsewhere\n\tend\n.end",
		".nodvle\n.proc elsewhere\n\tmad r0, r1, r2, r3\n\tjmpu b0, l\nl:\n\tnop\n.end",
	} {
		prog, _ := asm.Assemble(asm.Options{Object: true}, asm.Source{"seed.pica", []byte(text)})
		o := testkit.Must(prog.Object())(f)
		data := testkit.Must(shbin.WriteObject(o))(f)
		f.Add(data)
	}
	prog, _ := asm.Assemble(asm.Options{Object: true}, asm.Source{"lib.pica", []byte(".nodvle\n.proc elsewhere\n\tmad r0, r1.wzyx, r2, r3\n.end")})
	lib := testkit.Must(prog.Object())(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		o, err := shbin.ParseObject(data)
		if err != nil {
			return
		}
		if file, err := link.Objects(link.Options{Labels: true}, link.Input{Name: "a", Object: o}, link.Input{Name: "lib", Object: lib}, link.Input{Name: "b", Object: o}); err == nil {
			_, err = file.Write()
			require.NoError(t, err)
		}
		if file, unlinked, err := link.Alone(link.Input{Name: "a", Object: o}); err == nil {
			lint.Check(file, unlinked)
			_, err := disasm.File(file, disasm.Options{External: unlinked.External})
			require.Equal(t, len(file.Executables) > 0, err == nil, err)
		}
	})
}
