//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// A scene reads files outside of its folder only below --root, whatever path or link it uses.
func TestSceneRootLimitsFiles(t *testing.T) {
	testkit.Slow(t)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	put := func(name, text string) {
		t.Helper()
		require.NoError(t, os.MkdirAll(filepath.Dir(at(name)), 0o777))
		require.NoError(t, os.WriteFile(at(name), []byte(text), 0o666))
	}
	png := testkit.Read(t, "../../testdata/golden/lit-color.png")
	shader := testkit.Read(t, "../../shaderunit/shaders/pica/basic.v.pica")
	put("away/t.png", string(png))
	put("away/s.v.pica", string(shader))
	put("away/m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
	put("away/m.mtl", "newmtl m\nmap_Kd t.png\n")
	ok(t, "asm", at("away/s.v.pica"), "-o", at("away/s.shbin"))
	quad := "models: {q: {shape: quad}}\n"
	scenes := map[string]string{
		"texture":   quad + "textures: {a: {file: ../away/t.png}}\ndraws: [{model: q, textures: [a]}]\n",
		"absolute":  quad + "textures: {a: {file: " + at("away/t.png") + "}}\ndraws: [{model: q, textures: [a]}]\n",
		"linked":    quad + "textures: {a: {file: link.png}}\ndraws: [{model: q, textures: [a]}]\n",
		"folder":    quad + "textures: {a: {file: link/t.png}}\ndraws: [{model: q, textures: [a]}]\n",
		"face":      quad + "textures: {a: {faces: [../away/t.png, ../away/t.png, ../away/t.png, ../away/t.png, ../away/t.png, ../away/t.png]}}\ndraws: [{model: q, textures: [a]}]\n",
		"source":    quad + "programs: {p: {sources: [../away/s.v.pica]}}\ndraws: [{model: q, program: p}]\n",
		"binary":    quad + "programs: {p: {file: ../away/s.shbin}}\ndraws: [{model: q, program: p}]\n",
		"model":     "models: {q: {file: ../away/m.obj}}\ndraws: [{model: q}]\n",
		"materials": "models: {q: {file: m.obj}}\ndraws: [{model: q}]\n",
	}
	for name, text := range scenes {
		put("s/"+name+".yaml", text)
		put("suites/"+name+"/a.case.yaml", "source: ../../s/"+name+".yaml\n")
	}
	require.NoError(t, os.Symlink("../away/t.png", at("s/link.png")))
	require.NoError(t, os.Symlink("../away", at("s/link")))
	require.NoError(t, os.Symlink("../away/m.mtl", at("s/m.mtl")))
	put("s/m.obj", "mtllib m.mtl\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/1 2/1 3/1\n")
	for name := range scenes {
		for _, line := range []string{"render FILE -o OUT.png", "explain FILE 1 1", "trace save FILE -o OUT.ctf", "inspect --stats FILE"} {
			t.Run(name+"/"+line, func(t *testing.T) {
				args := strings.Fields(strings.NewReplacer("FILE", at("s/"+name+".yaml"), "OUT", filepath.Join(t.TempDir(), "x")).Replace(line))
				status, _, stderr := invoke(t, args...)
				if name != "materials" { // an OBJ file is shown without its materials
					require.Equal(t, exitFailed, status)
					require.Contains(t, stderr, "outside")
					require.Contains(t, stderr, "--root")
				}
				ok(t, append(args, "--root", at("suites"), "--root", at("away"))...)
			})
		}
	}
	for name := range scenes {
		stdout, _ := ends(t, exitFailed, "golden", "run", at("suites/"+name))
		require.Contains(t, stdout, "outside")
		stdout, _ = ends(t, exitFailed, "golden", "run", at("suites/"+name), "--root", at("s"), "--root", at("away"))
		require.Contains(t, stdout, "no approved image yet")
	}
}

// A command that runs longer than --timeout exits with status 1 and says so.
func TestTimeout(t *testing.T) {
	trace, scene := demoTrace(t), "../../testdata/scenes/lit.yaml"
	dir := t.TempDir()
	for _, line := range []string{
		"render TRACE -o OUT/", "render SCENE -o OUT/a.png", "bench TRACE", "explain TRACE 1 1", "explain SCENE 1 1",
		"gallery ../../testdata/scenes -o OUT/", "trace save SCENE -o OUT/a.ctf", "scene from TRACE -o OUT/",
	} {
		t.Run(line, func(t *testing.T) {
			args := strings.Fields(strings.NewReplacer("TRACE", trace, "SCENE", scene, "OUT", dir).Replace(line))
			_, stderr := ends(t, exitFailed, append(args, "--timeout", "1ns")...)
			require.Equal(t, "pica200: not done after 1ns, the time of --timeout\n", stderr)
			require.Empty(t, listFiles(t, dir))
			ends(t, exitUsage, append(args, "--timeout", "-1s")...)
		})
	}
	stdout, _ := ends(t, 1, "golden", "run", "../../testdata/golden", "--only", "lit", "--timeout", "1ns")
	require.Contains(t, stdout, "not done after 1ns")
	ok(t, "golden", "run", "../../testdata/golden", "--only", "lit", "--timeout", "5m")
}

// Blocking calls, like reading a pipe without a writer, are ended by --timeout too.
func TestTimeoutDuringBlockingRead(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe.ctf")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	cmd := program(t, "bench", pipe, "--timeout", "100ms")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	start := time.Now()
	require.NoError(t, cmd.Start())
	require.Equal(t, exitFailed, wait(t, cmd))
	require.Equal(t, "pica200: not done after 100ms, the time of --timeout\n", stderr.String())
	require.GreaterOrEqual(t, time.Since(start), grace)
}
