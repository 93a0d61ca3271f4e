//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// invokeWith is invoke with standard input.
func invokeWith(t *testing.T, stdin []byte, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	con := newConsole(&out, &err)
	con.in = bytes.NewReader(stdin)
	status = run(t.Context(), con, args)
	return status, out.String(), err.String()
}

// Every shader command accepts "-" for standard input and output.
func TestShaderCommandsInAPipe(t *testing.T) {
	pipe := func(in []byte, args ...string) []byte {
		t.Helper()
		status, stdout, stderr := invokeWith(t, in, args...)
		require.Zero(t, status, "%v: %s", args, stderr)
		require.Empty(t, stderr, args)
		return []byte(stdout)
	}
	binary := pipe([]byte(goodShader), "asm", "-", "-o", "-")
	require.Equal(t, "DVLB", string(binary[:4]))
	listing := pipe(binary, "disasm", "-")
	require.Equal(t, binary, pipe(listing, "asm", "-", "-o", "-"))
	object := pipe([]byte(goodShader), "asm", "--object", "-", "-o", "-")
	require.Equal(t, "DVOJ", string(object[:4]))
	require.Equal(t, binary, pipe(object, "link", "-", "-o", "-"))
	require.Contains(t, string(pipe(object, "disasm", "-")), "dp4")
	array := pipe(binary, "extract", "-", "--c-array", "-o", "-")
	require.Equal(t, binary, pipe(array, "extract", "-", "-o", "-"))
	require.Contains(t, string(pipe(array, "extract", "-")), "standard input: C source, 1 shader binary")
	for _, in := range [][]byte{binary, object, []byte(goodShader), listing, array} {
		require.Empty(t, pipe(in, "lint", "-"))
	}
	for _, in := range [][]byte{binary, object, []byte(goodShader), array} {
		require.Contains(t, string(pipe(in, "run", "-")), "position = ")
	}
	shader := shaderFile(t, "s.v.pica", goodShader)
	require.Contains(t, string(pipe([]byte("pos.x\n1\n"), "run", shader, "-")), "vertex 0")

	for _, args := range [][]string{{"asm", "-", "-", "-o", "x"}, {"run", "-", "-"}, {"link", "-", "-", "-o", "x"}, {"lint", "-", "-"}} {
		status, _, stderr := invokeWith(t, []byte(goodShader), args...)
		require.NotZero(t, status, args)
		if args[0] != "link" {
			require.Contains(t, stderr, "standard input (-) is named twice", args)
		}
	}
	status, _, stderr := invokeWith(t, []byte(goodShader), "asm", "-")
	require.Equal(t, exitUsage, status)
	require.Contains(t, stderr, "-o is needed")
	for _, args := range [][]string{{"disasm", "-"}, {"link", "-", "-o", "-"}, {"extract", "-"}, {"run", "-", "-"}, {"lint", "-"}, {"asm", "-", "-o", "-"}} {
		status, _, stderr := invokeWith(t, []byte("\x00junk"), args...)
		require.Equal(t, exitFailed, status, args)
		require.Contains(t, stderr, stdinName, args)
	}
}

// asm accepts listings of disasm without flags: objects, programs of other tools, programs of several executables.
func TestListingsAssembleWithoutFlags(t *testing.T) {
	come := func(name string, data []byte) {
		t.Helper()
		status, listing, stderr := invokeWith(t, data, "disasm", "-")
		require.Zero(t, status, "%s: %s", name, stderr)
		status, out, stderr := invokeWith(t, []byte(listing), "asm", "-", "--no-lint", "-o", "-")
		require.Zero(t, status, "%s: %s", name, stderr)
		require.LessOrEqual(t, len(out), len(data), name)
		require.Equal(t, data[:len(out)], []byte(out), name)
		require.Empty(t, strings.Trim(string(data[len(out):]), "\x00"), name) // carved files are padded
	}
	for name, text := range map[string]string{
		"no-nop":   ".out p position\n.proc main\n\tmov p, v0\n\tifu b0\n\t.end\n\tend\n.end\n",
		"extended": ".options extended\n.dvle version 0x0C02\n.opdesc 0x36F, 15\n.out p position\n.proc main\n\tmov p, v0 @0\n\t.word 0x88000001\n.end\n",
		"object":   ".options object\n.proc main\n\tcall elsewhere\n\tend\n.end\n",
		"lines":    ".options lines\n.proc main\n\tend\n.end\n",
	} {
		args := []string{"asm", "-", "--no-lint", "-o", "-"}
		if name == "no-nop" {
			args = append(args, "--no-nop")
		}
		status, data, stderr := invokeWith(t, []byte(text), args...)
		require.Zero(t, status, "%s: %s", name, stderr)
		if name != "object" { // an object has the labels and lines of the listing
			come(name, []byte(data))
			continue
		}
		require.Equal(t, "DVOJ", data[:4])
		_, listing, _ := invokeWith(t, []byte(data), "disasm", "-")
		require.True(t, strings.HasPrefix(listing, ".options object"), listing)
		_, again, _ := invokeWith(t, []byte(listing), "asm", "-", "--no-lint", "-o", "-")
		require.Equal(t, "DVOJ", again[:4])
	}
	for _, name := range testkit.Corpus(t, "shbin/*.shbin") {
		come(name, testkit.Read(t, name))
	}
}

func TestLintSwitches(t *testing.T) {
	bad := shaderFile(t, "hang.v.pica", ".out o position\n.proc main\n\tmova a0.x, c0\n\tmova a0.y, c1\n\tend\n.end\n")
	stdout, _ := ends(t, exitFailed, "lint", bad, "--json")
	var found []map[string]any
	require.NoError(t, json.Unmarshal([]byte(stdout), &found))
	require.Len(t, found, 2)
	require.Equal(t, map[string]any{"file": bad, "line": 4., "column": 2., "length": 4., "severity": "warning", "rule": "mova-adjacent",
		"rule_source": "picasso manual, PICA200 Caveats & Errata", "message": "mova right after another mova", "source": "\tmova a0.y, c1"}, found[0])
	stdout = ok(t, "lint", "-Wno-mova-adjacent", bad, "-Wno-output-missing", "--json")
	require.Equal(t, "[]\n", stdout)
	fails(t, exitUsage, "-Wno-mova: -Wno-RULE or -Werror expected", "lint", "-Wno-mova", bad)

	out := filepath.Join(t.TempDir(), "x.shbin")
	_, stderr := ends(t, exitDone, "asm", bad, "-o", out, "-Wno-mova-adjacent", "-Wno-output-missing", "-Werror")
	require.Empty(t, stderr)
	fails(t, exitFailed, "1 warning, with --werror", "asm", bad, "-o", out, "-Wno-output-missing", "-Werror")
	_, stdout, _ = invoke(t, "lint", bad, "-Wno-output-missing")
	require.Contains(t, stdout, "mova-adjacent")
}

// Lists of sources, rules for make, and headers.
func TestAsmInBuildFiles(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	put := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(at(name)), 0o777))
		require.NoError(t, os.WriteFile(at(name), []byte(text), 0o666))
	}
	put("sh/a b.v.pica", goodShader)
	put("sh/vertex.v.pica", goodShader)
	put("sh/geometry.g.pica", ".gsh point c0\n.entry gmain\n.fvec scale[2]\n.bool flip\n.ivec n\n.out pos position\n.proc gmain\n\tsetemit 0\n\tmov pos, v0\n\temit\n\tend\n.end\n")
	put("sh/all.shlist", "vertex.v.pica  geometry.g.pica\n")
	ok(t, "asm", at("sh/all.shlist"), "-o", at("x.shbin"), "--symbols", at("x.h"), "--depfile", at("x.d"))
	want := at("x2.shbin")
	ok(t, "asm", at("sh/vertex.v.pica"), at("sh/geometry.g.pica"), "-o", want)
	require.Equal(t, mustRead(t, want), mustRead(t, at("x.shbin")))
	require.Equal(t, at("x.shbin")+": \\\n  "+at("sh/all.shlist")+" \\\n  "+at("sh/vertex.v.pica")+" \\\n  "+at("sh/geometry.g.pica")+
		"\n\n"+at("sh/all.shlist")+":\n\n"+at("sh/vertex.v.pica")+":\n\n"+at("sh/geometry.g.pica")+":\n", mustRead(t, at("x.d")))
	require.Equal(t, `// Made by pica200 asm: registers of the shaders' uniforms, inputs and outputs.
#pragma once

// Executable 0, a vertex shader: `+at("sh/vertex.v.pica")+`
#define VSH_DVLE 0
#define VSH_FVEC_projection 0x00
#define VSH_ULEN_projection 4
#define VSH_IN_pos 0
#define VSH_OUT_outpos 0 // position.xyzw

// Executable 1, a geometry shader: `+at("sh/geometry.g.pica")+`
#define GSH_DVLE 1
#define GSH_FVEC_scale 0x00
#define GSH_ULEN_scale 2
#define GSH_FLAG_flip BIT(0)
#define GSH_ULEN_flip 1
#define GSH_IVEC_n 0x00
#define GSH_ULEN_n 1
#define GSH_OUT_pos 0 // position.xyzw
`, mustRead(t, at("x.h")))
	if gcc, err := exec.LookPath("gcc"); err == nil {
		put("x.c", "#define BIT(n) (1U << (n))\n#include \"x.h\"\nint a[GSH_OUT_pos + VSH_IN_pos + GSH_FVEC_scale + VSH_DVLE + (GSH_FLAG_flip) + 1];\n")
		out, err := exec.Command(gcc, "-Wall", "-Werror", "-fsyntax-only", at("x.c")).CombinedOutput()
		require.NoError(t, err, string(out))
	}
	// Names with characters that make interprets.
	ok(t, "asm", at("sh/a b.v.pica"), "-o", at("o$#.shbin"), "--depfile", at("y.d"))
	require.Contains(t, mustRead(t, at("y.d")), `o$$\#.shbin: \`+"\n  "+strings.ReplaceAll(at("sh/a b.v.pica"), " ", `\ `)+"\n")
	if mk, err := exec.LookPath("make"); err == nil {
		put("Makefile", "include y.d\n"+dir+"/o$$\\#.shbin:\n\t@echo made\n")
		cmd := exec.Command(mk, "-q", at("o$#.shbin"))
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		require.NoError(t, exec.Command("touch", "-d", "1 hour", at("sh/a b.v.pica")).Run())
		cmd = exec.Command(mk, "-q", at("o$#.shbin"))
		cmd.Dir = dir
		require.Error(t, cmd.Run(), "make reports a file older than its source")
	}

	put("out/x.pica", goodShader)
	put("sh/empty.shlist", "\n")
	put("sh/many.shlist", strings.Repeat("vertex.v.pica\n", 1025))
	put("sh/outside.shlist", "../out/x.pica")
	put("sh/folder.shlist", ".")
	put("sh/device.shlist", "/dev/zero")
	for name, want := range map[string]string{
		"sh/empty.shlist": "no source in this list", "sh/outside.shlist": "x.pica", "sh/folder.shlist": `"." is not a file`, "sh/device.shlist": "dev/zero", "sh/none.shlist": "none.shlist", "sh/many.shlist": "many.shlist:1025: more than 1024 sources",
	} {
		status, _, stderr := invoke(t, "asm", at(name), "-o", at("z.shbin"))
		require.NotZero(t, status, name)
		require.Contains(t, stderr, want)
		require.NoFileExists(t, at("z.shbin"))
	}
	ok(t, "asm", at("sh/outside.shlist"), "--root", at("out"), "-o", at("z.shbin"))
}

func mustRead(t *testing.T, name string) string {
	t.Helper()
	return string(testkit.Read(t, name))
}
