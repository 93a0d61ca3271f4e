package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// shaderFile writes a shader source to a temporary file.
func shaderFile(t *testing.T, name, text string) string {
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

const goodShader = `.fvec projection[4]
.in pos v0
.out outpos position
.proc main
	dp4 outpos.x, projection[0], pos
	dp4 outpos.y, projection[1], pos
	dp4 outpos.z, projection[2], pos
	dp4 outpos.w, projection[3], pos
	end
.end
`

// Five mistakes in one source give five diagnostics, each with line and column.
func TestAsmReportsEveryMistake(t *testing.T) {
	bad := shaderFile(t, "bad.v.pica", `.fvec projection[4]
.out outpos posision
.proc main
	mov r0, r16
	dp4 outpos.x, projecton[0], v0
	add r1, r0, c3
	mvo outpos, r1
	end
.end
`)
	out := filepath.Join(t.TempDir(), "bad.shbin")
	_, stderr := ends(t, exitFailed, "asm", bad, "-o", out)
	for _, want := range []string{":2:13: error: unknown output", ":4:10: error: no such temporary register", ":5:16: error: unknown register",
		":6:14: error: \"c3\" cannot be source 2", ":7:2: error: unknown instruction", "did you mean projection?", "did you mean mov?", "5 errors"} {
		require.Contains(t, stderr, want)
	}
	require.Equal(t, 5, strings.Count(stderr, ": error: "))
	require.Contains(t, stderr, "    4 | \tmov r0, r16\n      | \t        ^~~\n")
	require.NoFileExists(t, out)
}

func TestAsmDisasmLinkExtractLint(t *testing.T) {
	dir := t.TempDir()
	src := filepath.Join(dir, "good.v.pica")
	require.NoError(t, os.WriteFile(src, []byte(goodShader), 0o600))
	do := func(args ...string) string {
		t.Helper()
		stdout, stderr := ends(t, exitDone, args...)
		require.Empty(t, stderr)
		return stdout
	}
	read := func(name string) []byte {
		t.Helper()
		return testkit.Read(t, filepath.Join(dir, name))
	}
	header := filepath.Join(dir, "good.h")
	do("asm", src, "-h", header)
	require.Contains(t, string(read("good.h")), "#define VSH_FVEC_projection 0x00")
	binary := read("good.shbin")
	require.Equal(t, "DVLB", string(binary[:4]))

	text := do("disasm", filepath.Join(dir, "good.shbin"))
	require.Contains(t, text, "dp4 out_position.x, projection[0], pos")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "again.pica"), []byte(text), 0o600))
	do("asm", filepath.Join(dir, "again.pica"), "-o", filepath.Join(dir, "again.shbin"))
	require.Equal(t, binary, read("again.shbin"))
	do("disasm", filepath.Join(dir, "good.shbin"), "-o", dir+"/src/", "--addresses")
	require.Contains(t, string(read("src/good.v.pica")), "; 000: 0")

	do("asm", "-c", src)
	do("link", filepath.Join(dir, "good.dvoj"), "-o", filepath.Join(dir, "linked.shbin"))
	require.Equal(t, binary, read("linked.shbin"))
	require.Contains(t, do("disasm", filepath.Join(dir, "good.dvoj")), "dp4")

	do("asm", src, "--c-array", "-o", filepath.Join(dir, "good.c"))
	require.Contains(t, do("extract", filepath.Join(dir, "good.c")), "C source, 1 shader binary")
	do("extract", filepath.Join(dir, "good.c"), "-o", filepath.Join(dir, "out.shbin"))
	require.Equal(t, binary, read("out.shbin"))
	do("extract", filepath.Join(dir, "good.c"), "-o", dir+"/all/")
	require.Equal(t, binary, read("all/good_0.shbin"))

	require.Empty(t, do("lint", src, filepath.Join(dir, "good.shbin"), filepath.Join(dir, "good.dvoj")))
	require.Contains(t, do("lint", "--rules"), "picasso manual")
}

// The listing of a program with several executables is one file, which every command for sources accepts.
func TestListingOfSeveralExecutables(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	vertex := write("two.v.pica", ".out pos position\n.fvec projection[4]\n.in place\n.proc main\n\tdp4 pos.x, projection[0], place\n\tdp4 pos.y, projection[1], place\n\tdp4 pos.z, projection[2], place\n\tdp4 pos.w, projection[3], place\n\tend\n.end\n")
	geometry := write("two.g.pica", ".gsh point c0\n.out pos position\n.constf k(0.0, 0.3, 0.0, 0.0)\n.entry points\n.proc points\n\tmov r0, v0\n\tsetemit 0\n\tmov pos, r0\n\temit\n\tsetemit 1\n\tadd pos, k.yxxx, r0\n\temit\n\tsetemit 2, prim\n\tadd pos, k.xyxx, r0\n\temit\n\tend\n.end\n")
	file, again := filepath.Join(dir, "two.shbin"), filepath.Join(dir, "again.shbin")
	ok(t, "asm", vertex, geometry, "-o", file)
	listing := write("listing.pica", ok(t, "disasm", file))
	ok(t, "asm", listing, "-o", again)
	require.Equal(t, testkit.Read(t, file), testkit.Read(t, again))
	require.Empty(t, ok(t, "lint", listing))
	ok(t, "fmt", listing)
	fails(t, exitFailed, "not a source: no line has a directive", "fmt", "-w", write("no.yaml", "models: {}\n"))
	require.Contains(t, ok(t, "run", listing, write("in.csv", "v0.x,v0.y\n1,2\n")), "position")
	a, b := filepath.Join(dir, "a.png"), filepath.Join(dir, "b.png")
	ok(t, "render", vertex, "-o", a)
	ok(t, "render", listing, "-o", b)
	want := testkit.Read(t, a)
	require.Equal(t, want, testkit.Read(t, b))
	scene := write("s.yaml", "programs: {p: {sources: [listing.pica], guess: all}}\nmodels: {dots: {shape: points, count: 20}}\ndraws: [{model: dots, program: p}]\n")
	ok(t, "render", scene, "-o", b)
}

// A file in nihstro's layout is drawn, extracted and disassembled like the same program in picasso's.
func TestNihstroShader(t *testing.T) {
	const file = "../../assets/shbin/testdata/nihstro.shbin"
	dir := t.TempDir()
	own, source := filepath.Join(dir, "own.shbin"), filepath.Join(dir, "own.v.pica")
	ok(t, "disasm", file, "-o", source)
	text := mustRead(t, source)
	require.Contains(t, text, "dp4 out_position.x, projection[0], inpos")
	require.Contains(t, text, ".proc tint")
	ok(t, "asm", source, "-o", own)
	ok(t, "render", file, "-o", filepath.Join(dir, "a.png"))
	ok(t, "render", own, "-o", filepath.Join(dir, "b.png"))
	picture := mustRead(t, filepath.Join(dir, "a.png"))
	require.Equal(t, mustRead(t, filepath.Join(dir, "b.png")), picture)
	requirePicture(t, "a.png", picture)
	require.Contains(t, text, "another layout of the file")
	require.Equal(t, strings.ReplaceAll(text, text[strings.Index(text, "; The same"):strings.Index(text, ".opdesc")], ""), ok(t, "disasm", own))
}

func TestLintExitStatus(t *testing.T) {
	bad := shaderFile(t, "hang.v.pica", ".out o position\n.proc main\n\tmova a0.x, c0\n\tmova a0.y, c1\n\tmov o, c0\n\tend\n.end\n")
	stdout, stderr := ends(t, exitFailed, "lint", bad)
	require.Contains(t, stdout, "hang.v.pica:4:2: warning: mova right after another mova [mova-adjacent: picasso manual")
	require.Contains(t, stderr, "1 finding")

	// asm prints lint warnings, and fails on them only with --werror.
	out := filepath.Join(t.TempDir(), "x.shbin")
	fails(t, exitDone, "mova-adjacent", "asm", bad, "-o", out)
	ends(t, exitFailed, "asm", bad, "-o", out, "--werror")
	_, stderr = ends(t, exitDone, "asm", bad, "-o", out, "--no-lint")
	require.Empty(t, stderr)
}

func TestRunShader(t *testing.T) {
	src := shaderFile(t, "good.v.pica", goodShader)
	csv := shaderFile(t, "points.csv", "pos.x,pos.y\n1,2\n3,inf\n")
	args := []string{"run", src, csv, "-u", "projection=2,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1"}
	stdout := ok(t, args...)
	require.Contains(t, stdout, "vertex 0, 5 instructions\n  position = (2, 2, 0, 1)\n")
	require.Contains(t, stdout, "position = (6, inf, 0, 1)")

	_, stdout, _ = invoke(t, append(args, "--trace")...)
	require.Contains(t, stdout, "000  dp4 position.x, projection[0], pos")
	require.Contains(t, stdout, "s1=(2, 0, 0, 0) s2=(1, 2, 0, 1) -> o0=(2, 0, 0, 1)")
	_, stdout, _ = invoke(t, append(args, "--count")...)
	require.Contains(t, stdout, "10 instructions for 2 vertices\n         8  DP4\n         2  END\n")
	_, stdout, _ = invoke(t, append(args, "--json")...)
	require.Contains(t, stdout, `"meaning": "position"`)
	require.Contains(t, stdout, `"inf"`)

	status, stdout, _ := invoke(t, "run", src, "--uniform", "c0=1,1,1,1")
	require.Equal(t, exitDone, status)
	require.Contains(t, stdout, "position = (1, 0, 0, 0)")
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"run", src, "-u", "projekton=1"}, exitFailed, "no uniform"},
		{[]string{"run", src, "-u", "projection"}, exitUsage, "NAME=VALUES"},
		{[]string{"run", src, "-u", "c0=x"}, exitUsage, "not a number"},
		{[]string{"run", src, "--entry", "3"}, exitFailed, "no executable 3"},
		{[]string{"run", src, src}, exitFailed, "expected an input and a component"},
		{[]string{"run", shaderFile(t, "loop.pica", ".proc main\na:\n\tjmpu !b0, a\n\tend\n.end"), "--steps", "50"}, exitFailed, "never reaches END"},
	} {
		fails(t, c.status, c.want, c.args...)
	}
}

// render draws a bare shader and prints the meaning it assumed for inputs and uniforms.
func TestRenderShader(t *testing.T) {
	text := strings.ReplaceAll(strings.ReplaceAll(goodShader, ".in pos v0\n", ""), ", pos", ", v0")
	path := shaderFile(t, "s.v.pica", text)
	out := filepath.Join(filepath.Dir(path), "s.png")
	fails(t, exitDone, "v0: position (goes through projection to the position); projection: modelViewProjection", "render", path, "-o", out)
	require.FileExists(t, out)
}

// Rendering a bare shader, replaying its recording and explaining a pixel give the same values.
func TestBareShaderIsRecordedAndExplained(t *testing.T) {
	dir := t.TempDir()
	shader := filepath.Join(dir, "plain.v.pica")
	require.NoError(t, os.WriteFile(shader, []byte(`.fvec mvp[4]
.out outpos position
.out outclr color
.alias inpos v0
.alias inclr v1
.proc main
	dp4 outpos.x, mvp[0], inpos
	dp4 outpos.y, mvp[1], inpos
	dp4 outpos.z, mvp[2], inpos
	dp4 outpos.w, mvp[3], inpos
	mov outclr, inclr
	end
.end
`), 0o600))
	binary := filepath.Join(dir, "plain.shbin")
	must := func(args ...string) string {
		t.Helper()
		stdout, stderr := ends(t, exitDone, args...)
		return stdout + stderr
	}
	must("asm", shader, "-o", binary)
	for _, file := range []string{shader, binary} {
		direct, trace, replayed := filepath.Join(dir, "a.png"), filepath.Join(dir, "b.ctf"), filepath.Join(dir, "c.png")
		require.Contains(t, must("render", file, "-o", direct), "(goes through mvp to the position)")
		must("trace", "save", file, "-o", trace)
		must("render", trace, "-o", replayed, "--target", "color")
		require.True(t, bytes.Equal(testkit.Read(t, direct), testkit.Read(t, replayed)), "the recording of %s replays to another picture", file)
		var events [2][]struct{ Fragment json.RawMessage }
		for i, from := range []string{file, trace} {
			stdout := ok(t, "explain", from, "200", "120", "--json")
			var pixel struct{ Events json.RawMessage }
			require.NoError(t, json.Unmarshal([]byte(stdout), &pixel))
			require.NoError(t, json.Unmarshal(pixel.Events, &events[i]))
		}
		require.NotEmpty(t, events[0])
		last := events[0][len(events[0])-1].Fragment
		require.Contains(t, string(last), `"vertex_color"`)
		require.Equal(t, string(events[1][len(events[1])-1].Fragment), string(last))
	}
	empty := filepath.Join(dir, "none.v.pica")
	require.NoError(t, os.WriteFile(empty, []byte(".proc main\n\tend\n.end\n"), 0o600))
	for _, args := range [][]string{{"trace", "save", empty, "-o", filepath.Join(dir, "x.ctf")}, {"explain", empty, "0", "0"}} {
		fails(t, exitFailed, "none.v.pica", args...)
	}
	require.NoFileExists(t, filepath.Join(dir, "x.ctf"))
}
