//go:build linux

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// notPiped begins the error of commands that cannot read standard input: they need a folder, or read the file again when it
// changes.
const notPiped = "standard input (-) cannot be read for "

// Every command that reads a file accepts "-" for standard input with the same result, or says why not. Messages name standard
// input.
func TestEveryCommandReadsStandardInput(t *testing.T) {
	testkit.Slow(t)
	named := func(c *command) bool { return c.in != "" && !strings.HasSuffix(c.in, ".t3s") } // .t3s lists name pictures beside them
	each(t, named, func(t *testing.T, c *command, in, out string) {
		piped := *c
		piped.line = strings.Replace(c.line, "IN", "-", 1)
		info := testkit.Must(os.Stat(in))(t)
		if info.IsDir() {
			fails(t, exitUsage, notPiped, piped.args(in, out)...)
			return
		}
		data := testkit.Read(t, in)
		// The rows' models refer to no other files.
		one, two := filepath.Join(t.TempDir(), "out"), filepath.Join(t.TempDir(), "out")
		status, stdout, stderr := invoke(t, c.args(in, one)...)
		status2, stdout2, stderr2 := invokeWith(t, data, piped.args(in, two)...)
		require.Equal(t, status, status2, stderr2)
		require.Equal(t, unnamed(stderr, in, one), unnamed(stderr2, in, two))
		if !strings.HasPrefix(c.line, "bench") { // bench prints times
			require.Equal(t, unnamed(stdout, in, one), unnamed(stdout2, in, two))
		}
		files, piped2 := snapshot(t, filepath.Dir(one)), map[string]string{}
		for path, text := range snapshot(t, filepath.Dir(two)) {
			path = shaderName.ReplaceAllString(path, "/"+sourceBase(in)+"$1")
			piped2[unnamed(path, in, two)] = unnamed(text, in, two)
		}
		require.Len(t, piped2, len(files))
		for path, text := range files {
			if filepath.Base(path) == "files.sha256" { // has checksums of files that contain the name
				continue
			}
			was := piped2[unnamed(path, in, one)]
			if filepath.Base(path) == "scene.yaml" { // a scene is named after its trace
				text, was = sceneName.ReplaceAllString(text, ""), sceneName.ReplaceAllString(was, "")
			}
			require.Equal(t, unnamed(text, in, one), was, path)
		}

		status, _, stderr = invokeWith(t, []byte("\x00junk"), piped.args(in, two)...)
		require.NotZero(t, status)
		require.Contains(t, stderr, stdinName)
	})
	for _, args := range [][]string{{"view", "-"}, {"serve", "-"}, {"tex", "-i", "-", "-o", "x.t3x"}, {"golden", "run", "../../testdata/golden", "--times", "-"}} {
		fails(t, exitUsage, notPiped, args...)
	}
}

var sceneName = regexp.MustCompile(`(?m)^name: .*$`)

// shaderName matches files made from a shader without a name.
var shaderName = regexp.MustCompile(`/shader([_.][^/]*)$`)

// unnamed replaces every name of the input by one placeholder, and of the output by another.
func unnamed(text, in, out string) string {
	base := filepath.Base(in)
	return strings.NewReplacer(in, "INPUT", base, "INPUT", stdinName, "INPUT", "INPUT", "INPUT", filepath.Dir(out), "OUTPUT").Replace(text)
}

// Every command that writes a file writes to standard output for "-", and nothing else to it; those that write folders refuse. No
// file is named "-".
func TestEveryCommandWritesStandardOutput(t *testing.T) {
	each(t, writes, func(t *testing.T, c *command, in, out string) {
		line := c.line
		for _, name := range []string{"OUT.html", "OUT.h", "OUT/", "OUT"} {
			line = strings.Replace(line, " "+name, " -", 1) // the first one found
			if line != c.line {
				break
			}
		}
		piped := *c
		piped.line = line
		status, stdout, stderr := invoke(t, piped.args(in, out)...)
		require.NoFileExists(t, "-")
		require.NoDirExists(t, "-")
		if c.folder() && status != c.ends {
			require.Equal(t, exitUsage, status)
			require.Regexp(t, "a folder is written|is one picture|name one with a slash|name a folder|needs a folder", stderr)
			require.Empty(t, stdout)
			return
		}
		if strings.Contains(c.line, " --json") {
			require.Equal(t, exitUsage, status)
			require.Contains(t, stderr, "both go to standard output")
			return
		}
		require.Equal(t, c.ends, status, stderr)
		ends(t, c.ends, c.args(in, out)...)
		if !c.folder() {
			name := map[bool]string{true: out + ".h", false: out}[strings.Contains(c.line, "OUT.h")]
			require.Equal(t, mustRead(t, name), stdout)
		}
	})
	shader := shaderFile(t, "s.v.pica", goodShader)
	fails(t, exitUsage, "standard output (-) is named twice", "asm", shader, "-o", "-", "--header", "-")
}

// Scenes, models and shaders of all kinds are read from a pipe; files they name must lie in the working directory or below --root.
func TestPipedScenesAndModels(t *testing.T) {
	s := newSandbox(t)
	s.provide(t, "model.glb")
	s.provide(t, "arm.cgfx")
	s.write(t, "arm.gltf", testkit.Read(t, "../../testdata/scenes/arm.gltf"))
	s.write(t, "c.obj", []byte("mtllib c.mtl\nusemtl red\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"))
	s.write(t, "c.mtl", []byte("newmtl red\nKd 1 0 0\n"))
	s.write(t, "s.v.pica", []byte(goodShader))
	s.write(t, "two.v.pica", []byte(goodShader))
	s.write(t, "two.g.pica", testkit.Read(t, "../../shaderunit/shaders/pica/point.g.pica"))
	s.run(t, "pica200 asm two.v.pica two.g.pica -o two.shbin")
	s.write(t, "lit.yaml", testkit.Read(t, "../../testdata/scenes/lit.yaml"))
	s.write(t, "far/t.png", nil)
	s.write(t, "t.png", testkit.Read(t, "../../testdata/golden/lit-color.png"))
	s.write(t, "named.yaml", []byte("textures: {a: {file: t.png}}\nmodels: {c: {file: c.obj}}\ndraws: [{model: c, textures: [a]}]\n"))
	for _, name := range []string{"model.glb", "arm.cgfx", "arm.gltf", "c.obj", "s.v.pica", "two.shbin", "lit.yaml", "named.yaml"} {
		s.run(t, "pica200 render "+name+" -o one.png --size 64x32 -q")
		s.pipe(t, name, "render - -o two.png --size 64x32 -q")
		require.Equal(t, mustRead(t, filepath.Join(s.dir, "one.png")), mustRead(t, filepath.Join(s.dir, "two.png")), name)
		if name != "lit.yaml" && name != "arm.cgfx" && name != "s.v.pica" {
			continue
		}
		what := regexp.MustCompile(`"what":"[^"]*"`) // a model may be named after its file
		require.Equal(t, what.ReplaceAllString(s.run(t, "pica200 golden draws "+name), ""), what.ReplaceAllString(s.pipe(t, name, "golden draws -"), ""), name)
	}
	// A listing of several executables is one stream.
	s.run(t, "pica200 render two.shbin -o one.png")
	s.run(t, "pica200 disasm two.shbin | pica200 render - -o two.png")
	require.Equal(t, mustRead(t, filepath.Join(s.dir, "one.png")), mustRead(t, filepath.Join(s.dir, "two.png")))

	for _, c := range []struct{ in, want string }{
		{"models: {q: {shape: box}}\ndraws: [{model: x}]\n", "standard input:2:17: "},
		{"textures: {a: {file: /etc/passwd}}\nmodels: {q: {shape: box}}\ndraws: [{model: q, textures: [a]}]\n", "lies outside of the folder"},
		{"mtllib ../../../etc/passwd\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", ""},
		{".proc main\nbad\n.end\n", "standard input:2:1: "},
		{"DVLB", "standard input: "},
		{"CGFX", "standard input: "},
		{"glTF", "standard input: "},
		{"name: x\n", "standard input cannot be drawn"},
		{"", "standard input cannot be drawn"},
	} {
		status, _, stderr := invokeWith(t, []byte(c.in), "render", "-", "-o", filepath.Join(s.dir, "x.png"))
		if c.want != "" {
			require.Equal(t, exitFailed, status, c.in)
			require.NoFileExists(t, filepath.Join(s.dir, "x.png"))
		}
		require.Contains(t, stderr, c.want)
		require.NotContains(t, stderr, "root:")
		os.Remove(filepath.Join(s.dir, "x.png"))
	}
}
