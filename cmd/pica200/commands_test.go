//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/tests/testkit"
)

// command is one way to call a subcommand. IN is its input, OUT its output: a file, or a folder if a slash follows. Every new
// command needs a row; the tests below check all rows.
type command struct {
	line string
	in   string // file or folder made by inputs
	ends int    // exit status on success
	warn bool   // replays a trace, prints GPU warnings, and accepts --strict
	gone string // reason why it is not run
}

var commandRows = []command{
	{line: "render IN -o OUT", in: "t.ctf", warn: true},
	{line: "render IN -o OUT/", in: "t.ctf", warn: true},
	{line: "render IN -o -", in: "t.ctf", warn: true},
	{line: "render IN -o OUT", in: "s.yaml"},
	{line: "render IN -o OUT/ --frames 2", in: "m.obj"},
	{line: "render IN -o OUT --draw 0 --only", in: "t.ctf"},
	{line: "render IN -o OUT/ --target all", in: "s.yaml"},
	{line: "render IN -o OUT/ --turntable 3", in: "m.obj"},
	{line: "render IN -o OUT --stereo", in: "m.cgfx"},
	{line: "convert IN -o OUT", in: "m.obj"},
	{line: "extract IN -o OUT/", in: "m.cgfx"},
	{line: "tex IN -o OUT", in: "p.t3s"},
	{line: "tex IN -o OUT -f etc1", in: "p.png"},
	{line: "extract IN -o OUT/", in: "p.t3x"},
	{line: "extract IN", in: "p.t3x"},
	{line: "compare IN IN", in: "p.t3x"},
	{line: "lint IN", in: "m.cgfx"},
	{line: "view IN", in: "s.yaml", gone: "opens a window"},
	{line: "serve IN --no-open", in: "t.ctf", gone: "answers until it is interrupted"},
	{line: "serve IN --export OUT.html --frame 0", in: "t.ctf", gone: "tests are built without the engine for browsers"},
	{line: "explain IN 40 40", in: "t.ctf", warn: true},
	{line: "explain IN 40 40 --json", in: "t.ctf", warn: true},
	{line: "explain IN 100 100 --json", in: "s.yaml"},
	{line: "explain IN 100 100 --draw 0 --passes", in: "t.ctf"},
	{line: "blame IN ../../testdata/traces/lights-top.png --screen top", in: "t.ctf"},
	{line: "blame IN ../../testdata/traces/lights-top.png --screen top --json --html OUT", in: "t.ctf"},
	{line: "bench IN --repeat 1", in: "t.ctf", warn: true},
	{line: "bench IN --repeat 1 --json", in: "t.ctf", warn: true},
	{line: "bench IN --repeat 1 --forget programs", in: "t.ctf", warn: true},
	{line: "inspect IN", in: "t.ctf"},
	{line: "inspect IN --json", in: "s.shbin"},
	{line: "inspect IN --only header", in: "t.ctf"},
	{line: "inspect IN --brief", in: "t.ctf"},
	{line: "inspect IN --stats", in: "s.yaml"},
	{line: "inspect IN --stats", in: "t.ctf", warn: true},
	{line: "inspect IN --stats --json", in: "t.picatrace", warn: true},
	{line: "inspect IN --draws", in: "t.ctf"},
	{line: "inspect IN --draws --json", in: "s.yaml"},
	{line: "inspect IN --draw 0", in: "t.ctf"},
	{line: "inspect IN --draw 0 --json", in: "t.ctf"},
	{line: "inspect IN --draw 0 -o OUT/", in: "t.ctf"},
	{line: "uniforms"},
	{line: "demo -o OUT"},
	{line: "demo -o -"},
	{line: "scene from IN -o OUT/", in: "t.ctf"},
	{line: "scene schema"},
	{line: "asm IN -o OUT", in: "s.v.pica"},
	{line: "asm IN -o OUT --header OUT.h", in: "s.v.pica"},
	{line: "asm IN -o -", in: "s.v.pica"},
	{line: "disasm IN -o OUT", in: "s.shbin"},
	{line: "disasm IN -o OUT/", in: "s.shbin"},
	{line: "disasm IN", in: "s.shbin"},
	{line: "link IN -o OUT", in: "s.dvoj"},
	{line: "extract IN -o OUT", in: "s.shbin"},
	{line: "extract IN -o OUT/", in: "s.shbin"},
	{line: "extract IN", in: "s.shbin"},
	{line: "lint IN", in: "s.v.pica"},
	{line: "lint --rules"},
	{line: "fmt IN", in: "s.v.pica"},
	{line: "fmt IN -o OUT", in: "s.v.pica"},
	{line: "lsp", ends: 1}, // without a client
	{line: "run IN", in: "s.v.pica"},
	{line: "gallery IN -o OUT/", in: "scenes"},
	{line: "trace save IN -o OUT", in: "s.yaml"},
	{line: "trace save IN -o -", in: "s.yaml"},
	{line: "trace convert IN -o OUT", in: "t.ctf"},
	{line: "trace info IN", in: "t.ctf"},
	{line: "trace info IN --json", in: "t.picatrace"},
	{line: "trace pack IN -o OUT", in: "t.ctf"},
	{line: "trace pack IN --screens -o -", in: "t.picatrace"},
	{line: "trace cut IN --frames 0 -o OUT", in: "t.picatrace"},
	{line: "trace strip IN --frame 0 -o OUT", in: "t.ctf"},
	{line: "trace verify IN", in: "t.picatrace"},
	{line: "golden run IN", in: "suite"},
	{line: "golden run IN --json", in: "suite"},
	{line: "golden run IN -o OUT/", in: "differs", ends: 1},
	{line: "golden new OUT/ IN", in: "s.yaml", gone: "takes no case that exists already, see TestGoldenNew"},
	{line: "golden update IN", in: "suite"},
	{line: "golden update IN --dry-run", in: "differs"},
	{line: "golden approve IN --suite IN/../differs --dry-run", in: "results"},
	{line: "golden report IN -o OUT/", in: "results", ends: 1},
	{line: "golden history IN", in: "results"},
	{line: "golden history IN --json", in: "results"},
	{line: "golden draws IN", in: "s.yaml"},
	{line: "golden console IN", in: "damaged.bin", ends: 1},
	{line: "golden homebrew -o OUT/"},
	{line: "compare IN IN", in: "p.png"},
	{line: "compare ../../testdata/golden/lit-color.png IN -o OUT", in: "p.png", ends: 1},
	{line: "compare IN IN --json", in: "p.png"},
	{line: "completion bash"},
	{line: "completion zsh"},
	{line: "completion fish"},
	{line: "version"},
}

// args returns the row's arguments with its input and output.
func (c *command) args(in, out string) []string {
	args := strings.Fields(c.line)
	for i, a := range args {
		args[i] = strings.NewReplacer("IN", in, "OUT", out).Replace(a)
	}
	return args
}

func (c *command) file() bool {
	return strings.Contains(c.line, "OUT") && !strings.Contains(c.line, "OUT/")
}
func (c *command) folder() bool { return strings.Contains(c.line, "OUT/") }

func replays(c *command) bool { return c.warn }
func writes(c *command) bool  { return c.file() || c.folder() }

// inputs returns a folder with the rows' inputs, which tests must not change.
func inputs(t *testing.T) string {
	t.Helper()
	made.Do(func() { // made by the first test; each test gets a copy
		dir := testkit.Must(os.MkdirTemp("", "pica200-inputs-"))(t)
		makeInputs(t, dir)
		madeInputs = dir
	})
	require.NotEmpty(t, madeInputs, "making the inputs failed")
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS(madeInputs)))
	return dir
}

var (
	made       sync.Once
	madeInputs string // removed by TestMain
)

func makeInputs(t *testing.T, dir string) {
	t.Helper()
	at := func(name string) string { return filepath.Join(dir, name) }
	put := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(at(name)), 0o777))
		require.NoError(t, os.WriteFile(at(name), []byte(text), 0o666))
	}
	scene := "target: {width: 128, height: 128, clear: {color: [0.2, 0.4, 0.6, 1], depth: 1}}\nmodels: {q: {shape: box}}\ndraws: [{model: q}]\n"
	put("s.yaml", scene)
	put("scenes/a.yaml", scene)
	put("scenes/b.yaml", scene)
	put("m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
	ok(t, "convert", at("m.obj"), "-o", at("m.cgfx"), "-q")
	put("s.v.pica", mustRead(t, "../../shaderunit/shaders/pica/basic.v.pica"))
	ok(t, "asm", at("s.v.pica"), "-o", at("s.shbin"))
	ok(t, "asm", "-c", at("s.v.pica"), "-o", at("s.dvoj"))
	ok(t, "trace", "save", at("s.yaml"), "-o", at("t.ctf"), "-q")
	ok(t, "trace", "pack", at("t.ctf"), "-o", at("t.picatrace"), "--screens", "-q")
	put("damaged.bin", "damaged")
	put("suite/a.case.yaml", "source: ../s.yaml\n")
	ok(t, "golden", "update", at("suite"), "-q")
	put("differs/a.case.yaml", "source: ../s.yaml\n")
	put("differs/a-color.png", mustRead(t, "../../testdata/golden/lit-color.png"))
	ok(t, "render", at("s.yaml"), "-o", at("p.png"), "-q")
	put("p.t3s", "-f rgb565 p.png")
	ok(t, "tex", at("p.png"), "-o", at("p.t3x"), "-m", "box")
	ends(t, 1, "golden", "run", at("differs"), "--out", at("results"), "-q")
}

// snapshot returns the files below a folder with their contents.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		files[path] = string(data)
		return err
	}))
	return files
}

// each runs a subtest for every row that applies (nil: all), several in parallel, with its own inputs and an output path, and
// requires unchanged inputs.
func each(t *testing.T, applies func(c *command) bool, f func(t *testing.T, c *command, in, out string)) {
	for i := range commandRows {
		c := &commandRows[i]
		if c.gone != "" || applies != nil && !applies(c) {
			continue
		}
		t.Run(c.line+" "+c.in, func(t *testing.T) {
			t.Parallel()
			dir := inputs(t)
			before := snapshot(t, dir)
			f(t, c, filepath.Join(dir, c.in), filepath.Join(t.TempDir(), "out"))
			require.Equal(t, before, snapshot(t, dir), "the inputs are unchanged")
		})
	}
}

// prints are the commands with neither -o nor --json, and why.
var prints = map[string]string{
	"lsp": "speaks with an editor", "serve": "a server; --export names its page", "version": "one line", "completion": "a script",
	"scene schema": "JSON", "golden draws": "lines of JSON", "golden new": "its folder is a suite that grows",
}

// Every row runs with its status and leaves only its output. It runs again over its own output.
func TestEveryCommandWorks(t *testing.T) {
	each(t, nil, func(t *testing.T, c *command, in, out string) {
		for range 2 {
			ends(t, c.ends, c.args(in, out)...)
			entries := testkit.Must(os.ReadDir(filepath.Dir(out)))(t)
			for _, e := range entries {
				require.True(t, strings.HasPrefix(e.Name(), "out"), "%s is left behind", e.Name())
			}
			if c.file() || c.folder() {
				require.NotEmpty(t, entries)
			}
		}
	})
}

// A command that replays a trace continues where the console would, with a warning about what was left out, or fails under
// --strict. Where the console would hang, it fails after the warnings.
func TestEveryReplayWarns(t *testing.T) {
	bad := func(w *pica.CommandWriter) {
		w.Write(pica.RegAttribbuffersLoc, 0x78000000>>3)
		w.Write(pica.RegNumvertices, 3)
		w.Write(pica.RegGeostageConfig2, 1)
		w.Write(pica.RegDrawarrays, 1)
	}
	scene, two := filepath.Join(t.TempDir(), "s.yaml"), filepath.Join(t.TempDir(), "two.ctf")
	require.NoError(t, os.WriteFile(scene, []byte("target: {width: 64, height: 64}\nmodels: {q: {shape: box}}\ndraws: [{model: q}]\n"), 0o666))
	ok(t, "trace", "save", scene, "-o", two, "--frames", "2", "-q")
	survives := between(t, two, func(w *pica.CommandWriter) { bad(w); w.Finish() })
	hangs := between(t, two, func(w *pica.CommandWriter) { bad(w); w.Write(0x90, 0) })
	const warning = "warning: frame 1, draw 0: draw of 3 vertices (arrays) left out: vertex array 0,"
	each(t, replays, func(t *testing.T, c *command, in, out string) {
		_, stderr := ends(t, c.ends, c.args(in, out)...)
		require.NotContains(t, stderr, "warning")
		for _, args := range [][]string{c.args(survives, out), c.args(hangs, out)} {
			status, _, stderr := invoke(t, args...)
			require.Equal(t, 1, strings.Count(stderr, "warning:"), stderr)
			require.Contains(t, stderr, warning)
			if args[1] == survives {
				require.Equal(t, c.ends, status, stderr)
			} else {
				require.Equal(t, exitFailed, status)
				require.Contains(t, stderr, "the console would hang")
			}
			_, stderr = ends(t, exitFailed, append(args, "--strict")...)
			require.NotContains(t, stderr, "warning")
			require.Contains(t, stderr, "draw 0 (arrays, 3 vertices): vertex array 0")
		}
	})
}

// An output path that is the input is refused, by its name or by a link, whose name has no ending that could be wrong.
func TestEveryCommandKeepsItsInput(t *testing.T) {
	testkit.Slow(t)
	each(t, func(c *command) bool { return c.file() && c.in != "" }, func(t *testing.T, c *command, in, out string) {
		link, hard := out+"-link", out+"-hard"
		require.NoError(t, os.Symlink(in, link))
		require.NoError(t, os.Link(in, hard))
		fails(t, exitUsage, "would be overwritten", c.args(in, link)...)
		fails(t, exitUsage, "would be overwritten", c.args(in, hard)...)
		status, _, stderr := invoke(t, c.args(in, filepath.Dir(in)+"/./"+filepath.Base(in))...)
		require.NotZero(t, status)
		require.Regexp(t, "would be overwritten|the name ends in", stderr)
		require.FileExists(t, link)
	})
}

// A folder in place of an output file, or a file in place of an output folder, is left alone; so are other files in an existing
// output folder.
func TestEveryCommandKeepsFolders(t *testing.T) {
	testkit.Slow(t)
	each(t, writes, func(t *testing.T, c *command, in, out string) {
		keep := filepath.Join(out, "keep.txt")
		require.NoError(t, os.Mkdir(out, 0o777))
		require.NoError(t, os.WriteFile(keep, []byte("mine"), 0o666))
		status, stdout, stderr := invoke(t, c.args(in, out)...)
		if c.file() {
			require.NotZero(t, status)
			require.Contains(t, stderr, out+" is a folder")
			require.Equal(t, []string{"keep.txt"}, listFiles(t, out))
		} else {
			require.Equal(t, c.ends, status, stdout+stderr)
		}
		require.Equal(t, "mine", mustRead(t, keep))
		if c.folder() {
			status, _, stderr := invoke(t, c.args(in, keep)...)
			require.NotZero(t, status)
			require.NotEmpty(t, stderr)
			require.Equal(t, "mine", mustRead(t, keep))
		}
	})
}

// Links in an output folder lead no output out of it, to a file or where there is none.
func TestEveryCommandStaysInItsFolder(t *testing.T) {
	each(t, func(c *command) bool { return c.folder() }, func(t *testing.T, c *command, in, out string) {
		ends(t, c.ends, c.args(in, out)...)
		outside := t.TempDir()
		written := slices.Sorted(maps.Keys(snapshot(t, out)))
		require.NotEmpty(t, written)
		for i, path := range written {
			to := filepath.Join(outside, fmt.Sprint(i))
			if i%2 == 0 {
				require.NoError(t, os.WriteFile(to, []byte("mine"), 0o666))
			}
			require.NoError(t, os.Remove(path))
			require.NoError(t, os.Symlink(to, path))
		}
		before := snapshot(t, outside)
		invoke(t, c.args(in, out)...)
		require.Equal(t, before, snapshot(t, outside))
	})
}

// Read-only files are not replaced, and read-only folders get no files.
func TestEveryCommandKeepsReadOnlyFiles(t *testing.T) {
	testkit.Slow(t)
	each(t, writes, func(t *testing.T, c *command, in, out string) {
		_, stderr := ends(t, exitFailed, c.args(in, "/proc/none/out")...)
		require.NotEmpty(t, stderr)
		ends(t, c.ends, c.args(in, out)...)
		before := snapshot(t, filepath.Dir(out))
		for path := range before {
			require.NoError(t, os.WriteFile(path, []byte("mine"), 0o666))
			require.NoError(t, os.Chmod(path, 0o444))
		}
		status, _, stderr := invoke(t, c.args(in, out)...)
		require.NotZero(t, status)
		require.Regexp(t, "permission denied|were changed since|not the results", stderr)
		for path, text := range snapshot(t, filepath.Dir(out)) {
			require.Equal(t, "mine", text, path)
			require.Contains(t, before, path)
		}
	})
}

// A read-only approved image is not updated.
func TestGoldenUpdateKeepsReadOnlyImage(t *testing.T) {
	dir := inputs(t)
	image := filepath.Join(dir, "differs/a-color.png")
	require.NoError(t, os.Chmod(image, 0o444))
	before := snapshot(t, dir)
	stdout, _ := ends(t, 1, "golden", "update", filepath.Join(dir, "differs"))
	require.Contains(t, stdout, "permission denied")
	require.Equal(t, before, snapshot(t, dir))
	// A file that the case reads is not replaced either.
	require.NoError(t, os.WriteFile(filepath.Join(dir, "differs/a.case.yaml"),
		[]byte("source: b.yaml\nimages: [{expected: [{file: t.png, from: self}]}]\n"), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "differs/b.yaml"),
		[]byte("textures: {a: {file: t.png}}\nmodels: {q: {shape: quad}}\ndraws: [{model: q, textures: [a]}]\n"), 0o666))
	require.NoError(t, os.Rename(image, filepath.Join(dir, "differs/t.png")))
	require.NoError(t, os.Chmod(filepath.Join(dir, "differs/t.png"), 0o644))
	before = snapshot(t, dir)
	stdout, _ = ends(t, 1, "golden", "update", filepath.Join(dir, "differs"))
	require.Contains(t, stdout, "is an input and would be overwritten")
	require.Equal(t, before, snapshot(t, dir))
}

// full is a disk without free space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// A full disk makes every command fail and leaves no incomplete file.
func TestEveryCommandOnAFullDisk(t *testing.T) {
	testkit.Slow(t)
	each(t, nil, func(t *testing.T, c *command, in, out string) {
		args := c.args(in, out)
		_, stdout, _ := invoke(t, args...)
		if stdout != "" {
			var stderr bytes.Buffer
			status := run(context.Background(), newConsole(full{}, &stderr), args)
			require.NotZero(t, status)
			if status == exitFailed && c.ends == exitDone {
				require.Contains(t, stderr.String(), "no space left on device")
			}
		}
		if c.file() {
			status, _, stderr := invoke(t, c.args(in, "/dev/full")...)
			if !strings.Contains(c.line, "OUT.h") { // /dev/full.h would be a regular file
				require.Equal(t, exitFailed, status)
				require.Contains(t, stderr, "/dev/full cannot be written: no space left on device")
			}
		}
		if c.file() || c.folder() {
			dir := filepath.Dir(out)
			require.NoError(t, os.RemoveAll(out))
			before := snapshot(t, dir)
			cmd := program(t, args...)
			cmd.Env = append(cmd.Env, asProgram+"="+smallFiles)
			stderr := &bytes.Buffer{}
			cmd.Stderr = stderr
			require.NoError(t, cmd.Start())
			require.NotZero(t, wait(t, cmd))
			require.Contains(t, stderr.String(), "file too large")
			for path, text := range snapshot(t, dir) {
				require.NotContains(t, filepath.Base(path), "pica200-", "a temporary file is left")
				require.False(t, strings.HasPrefix(filepath.Base(path), "."), "a temporary file is left: %s", path)
				if was, there := before[path]; there {
					require.Equal(t, was, text, "%s is half written", path)
				} else {
					require.LessOrEqual(t, len(text), 64, "%s", path)
				}
			}
		}
	})
}

// Control characters in file names and contents are never printed raw.
func TestEveryCommandPrintsNoEscapes(t *testing.T) {
	testkit.Slow(t)
	const evil = "\x1b]0;owned\x07\x1b[2J\u009b31m\r\u202e"
	clean := func(t *testing.T, text string) {
		t.Helper()
		for _, r := range text {
			require.False(t, r != '\n' && r != '\t' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == unicode.ReplacementChar, "%q", text)
		}
	}
	for i := range commandRows {
		c := &commandRows[i]
		t.Run(c.line+" "+c.in, func(t *testing.T) {
			// A missing file and a damaged one, both with escape sequences in their names.
			dir := filepath.Join(t.TempDir(), evil)
			require.NoError(t, os.Mkdir(dir, 0o777))
			in := filepath.Join(dir, evil+c.in)
			out := filepath.Join(dir, "out")
			_, stdout, stderr := invoke(t, c.args(in, out)...)
			clean(t, stderr)
			if c.in != "" {
				require.NotEmpty(t, stderr)
				require.NoError(t, os.WriteFile(in, []byte("CiTr\x1b[2J"+evil), 0o666))
				_, stdout, stderr = invoke(t, c.args(in, out)...)
				clean(t, stderr)
				require.NotEmpty(t, stdout+stderr)
			}
			if !strings.HasSuffix(c.line, " -") { // raw data
				clean(t, stdout)
			}
		})
	}
	each(t, nil, func(t *testing.T, c *command, in, out string) {
		dir := filepath.Join(t.TempDir(), evil)
		require.NoError(t, os.Symlink(filepath.Dir(in), dir))
		if c.in != "" {
			in = filepath.Join(dir, c.in)
		}
		_, stdout, stderr := invoke(t, c.args(in, out)...)
		clean(t, stderr)
		if !strings.HasSuffix(c.line, " -") && !strings.HasPrefix(c.line, "disasm") {
			clean(t, stdout)
		}
	})
}

// Names inside a file are escaped too.
func TestNamesInFilesPrintNoEscapes(t *testing.T) {
	dir := inputs(t)
	at := func(name string) string { return filepath.Join(dir, name) }
	const escape = `\e[2J`
	require.NoError(t, os.WriteFile(at("n.yaml"), []byte(`
name: "`+escape+`"
models: {"q`+escape+`": {shape: box}}
draws: [{name: "`+escape+`", model: "q`+escape+`", program: "p`+escape+`"}]
`), 0o666))
	require.NoError(t, os.WriteFile(at("n.gltf"), []byte(`{"asset": {"version": "2.0"}, "extensionsUsed": ["EXT\u001b[2J"],
		"nodes": [{"name": "\u001b[2J", "mesh": 0}], "meshes": [{"name": "\u001b[2J", "primitives": [{"attributes": {"POSITION": 7}}]}],
		"images": [{"uri": "\u001b[2J.png"}], "buffers": [{"uri": "\u001b[2J", "byteLength": 4}]}`), 0o666))
	binary := testkit.Read(t, at("s.shbin"))
	require.Contains(t, string(binary), "position\x00")
	require.NoError(t, os.WriteFile(at("n.shbin"), bytes.ReplaceAll(binary, []byte("position\x00"), []byte("po\x1b[2Jon\x00")), 0o666))
	require.NoError(t, os.Mkdir(at("n"), 0o777))
	require.NoError(t, os.WriteFile(at("n/\x1b[2J.case.yaml"), []byte("source: \"\\e[2J.yaml\"\n"), 0o666))
	require.NoError(t, os.WriteFile(at("n.pica"), []byte(".proc main\n\x1b[2J\n.end\n.fvec \x1b[2J\n"), 0o666))
	for _, line := range []string{
		"render n.yaml -o OUT", "explain n.yaml 1 1", "inspect n.yaml", "inspect --stats n.yaml", "golden draws n.yaml", "trace save n.yaml -o OUT",
		"render n.gltf -o OUT", "inspect n.gltf", "inspect --check n.gltf", "explain n.gltf 1 1",
		"inspect n.shbin", "disasm n.shbin -o OUT", "lint n.shbin", "run n.shbin", "extract n.shbin", "explain n.shbin 1 1",
		"golden run n", "golden run n --json", "asm n.pica -o OUT", "lint n.pica", "run n.pica", "explain n.pica 1 1",
	} {
		t.Run(line, func(t *testing.T) {
			args := strings.Fields(strings.ReplaceAll(line, "OUT", filepath.Join(t.TempDir(), "out")))
			for i, a := range args {
				if a == "n" || strings.HasPrefix(a, "n.") {
					args[i] = at(a)
				}
			}
			_, stdout, stderr := invoke(t, args...)
			require.NotContains(t, stdout+stderr, "\x1b")
			require.NotContains(t, stdout+stderr, "\x07")
		})
	}
}
