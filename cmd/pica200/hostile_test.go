//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"image/png"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/console/hardware"
	"pica200/tests/testkit"
)

// The tests run the program on damaged files: it must end with status 0 or 1, within limits of time and memory; an error is one
// line that names the file, and written files are complete. -artifacts keeps failing files.
var (
	damaged     = flag.Int("damaged", 3, "how often tests of damaged files damage each file")
	damagedFrom = flag.Uint64("damaged-from", 0, "the first of them")
	moreSeeds   = flag.String("seeds", "", "patterns of more seeds, with spaces between")
)

// asProgram is the variable that makes the test binary run as the program.
const asProgram = "PICA200_TEST_AS"

// smallFiles is the value of asProgram that makes files of more than 64 bytes fail.
const smallFiles = "files of 64 bytes"

const (
	maxAddressSpace = 3 << 30          // address space of a run, in bytes
	maxMemory       = 2 << 30          // memory used at once, in bytes
	maxCPU          = 10 * time.Second // processor time of a run
)

func TestMain(m *testing.M) {
	if as := os.Getenv(asProgram); as != "" {
		limit := &syscall.Rlimit{Cur: maxAddressSpace, Max: maxAddressSpace}
		if err := syscall.Setrlimit(syscall.RLIMIT_AS, limit); err != nil {
			panic(err)
		}
		if as == smallFiles {
			if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 64, Max: 64}); err != nil {
				panic(err)
			}
		}
		main()
	}
	// The console sources need pictures of thirty programs; they are drawn once here, and once more by TestGoldenHomebrew.
	once := sync.OnceValues(func() (map[string][]byte, error) { return hardware.Files(context.Background()) })
	homebrewFiles = func(context.Context) (map[string][]byte, error) { return once() }
	status := m.Run()
	os.RemoveAll(madeInputs)
	os.Exit(status)
}

// damage returns a copy of data with one to three changes.
func damage(r *rand.Rand, data []byte) []byte {
	d := bytes.Clone(data)
	for n := 1 + r.IntN(3); n > 0 && len(d) > 4; n-- {
		at := r.IntN(len(d))
		if r.IntN(2) == 0 { // prefers headers and tables
			at = r.IntN(min(len(d), 256))
		}
		word := min(at&^3, (len(d)-4)&^3)
		put := func(v uint32) { binary.LittleEndian.PutUint32(d[word:], v) }
		switch r.IntN(9) {
		case 0:
			d[at] ^= 1 << r.IntN(8)
		case 1:
			d = d[:at]
		case 2:
			put(0xFFFFFFFF)
		case 3: // absurd sizes, or sizes near overflow
			put([]uint32{0x7FFFFFFF, 0x80000000, 0xFFFFFFFC, 0x10000000, 0x00FFFFFF, 0}[r.IntN(6)])
		case 4:
			put(binary.LittleEndian.Uint32(d[word:]) + uint32(r.IntN(9)) - 4)
		case 5: // overwrites with another chunk
			from := r.IntN(len(d))
			copy(d[at:], bytes.Clone(d[from:min(len(d), from+4<<r.IntN(8))]))
		case 6: // inserts a chunk
			from := r.IntN(len(d))
			chunk := bytes.Clone(d[from:min(len(d), from+4<<r.IntN(8))])
			d = append(d[:at:at], append(chunk, d[at:]...)...)
		case 7:
			put(r.Uint32())
		case 8: // a run of 0xFF
			for i := word; i < min(len(d), word+4<<r.IntN(6)); i++ {
				d[i] = 0xFF
			}
		}
	}
	return d
}

// attacks returns the command lines for a kind of file, with FILE and OUT as placeholders.
func attacks(ext string) []string {
	switch ext {
	case ".ctf", ".picatrace":
		return []string{"render FILE -o OUT/ --workers 1", "render FILE -o OUT/a.png --workers 1", "inspect FILE",
			"inspect --check FILE", "explain FILE 100 100", "bench FILE --repeat 1 --workers 1", "inspect --stats FILE", "scene from FILE -o OUT/",
			"trace info FILE --workers 1", "trace cut FILE --frames 0 -o OUT/a.picatrace --workers 1", "trace pack FILE --screens -o OUT/a.picatrace", "trace strip FILE --frame 0 -o OUT/a.picatrace"}
	case ".shbin", ".dvoj":
		return []string{"inspect FILE", "inspect --check --json FILE", "disasm FILE -o OUT/", "extract FILE -o OUT/",
			"lint FILE", "run FILE --steps 100000", "link FILE -o OUT/a.shbin"}
	case ".yaml", ".glb", ".gltf", ".obj":
		return []string{"inspect FILE", "render FILE -o OUT/ --workers 1", "inspect --check --json FILE", "trace save FILE -o OUT/a.ctf"}
	case ".pica":
		return []string{"asm FILE -o OUT/a.shbin --header OUT/a.h", "asm --extended FILE -o OUT/a.shbin", "lint FILE", "run FILE --steps 100000"}
	}
	return []string{"inspect FILE", "inspect --check --hex FILE", "disasm FILE", "extract FILE -o OUT/"}
}

// crash matches the output of a crashing Go program.
var crash = regexp.MustCompile(`(?m)^(panic:|fatal error:|goroutine \d|runtime: |SIG[A-Z]+)`)

// attack runs one command line on a file in an empty folder.
func attack(t *testing.T, line, file string) {
	dir := t.TempDir()
	args := strings.Fields(line)
	for i := range args {
		args[i] = strings.ReplaceAll(strings.ReplaceAll(args[i], "FILE", file), "OUT", dir)
	}
	cmd := program(t, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	require.NoError(t, cmd.Start())
	watchdog := time.AfterFunc(4*maxCPU, func() { cmd.Process.Kill() })
	cmd.Wait()
	watchdog.Stop()
	state, text := cmd.ProcessState, stderr.String()
	require.NotRegexp(t, crash, text)
	require.Less(t, state.UserTime()+state.SystemTime(), maxCPU, "processor time is limited")
	usage, ok := state.SysUsage().(*syscall.Rusage)
	require.True(t, ok)
	require.Less(t, usage.Maxrss, int64(maxMemory>>10), "memory in KiB is limited")
	require.Contains(t, []int{exitDone, exitFailed}, state.ExitCode(), "%v: %s", state, text)
	if state.ExitCode() == exitFailed && !strings.HasPrefix(line, "lint") && !strings.Contains(line, "--check") {
		// Source files report every error, with quoted lines indented; other formats stop at the first.
		if !slices.Contains([]string{".pica", ".yaml"}, filepath.Ext(file)) {
			said := regexp.MustCompile(`(?m)^\S.*`).FindAllString(text, -1)
			said = slices.DeleteFunc(said, func(l string) bool { return strings.HasPrefix(l, "warning: ") })
			require.Len(t, said, 1, "the error is one line: %s", text)
		}
		require.Contains(t, text, filepath.Base(file), "the error names the file")
		require.True(t, place.MatchString(text) || whole.MatchString(text), "the error names a place: %s", text)
		require.Less(t, len(text), 20_000)
	}
	complete(t, dir, state.ExitCode())
}

// complete requires every file below a folder to be complete.
func complete(t *testing.T, dir string, status int) {
	require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		require.False(t, strings.HasPrefix(e.Name(), "."), "%s is left behind", path)
		if e.IsDir() {
			return nil
		}
		data := testkit.Read(t, path)
		require.NotEmpty(t, data, "%s, exit status %d", path, status)
		if filepath.Ext(path) == ".png" {
			testkit.Must(png.Decode(bytes.NewReader(data)))(t, path)
		}
		return nil
	}))
}

// seeds are the files that the tests damage.
func seeds(t *testing.T) (list []string) {
	patterns := append([]string{"../../explain/inspect/testdata/*.*", "../../shaderunit/shaders/pica/loop.g.pica"}, strings.Fields(*moreSeeds)...)
	for _, p := range patterns {
		found := testkit.Must(filepath.Glob(p))(t)
		list = append(list, slices.DeleteFunc(found, func(f string) bool { return filepath.Ext(f) == ".txt" })...)
	}
	return list
}

func TestHostileFiles(t *testing.T) {
	testkit.Slow(t)
	for _, seed := range append(seeds(t), demoTrace(t), packedTrace(t)) {
		data := testkit.Read(t, seed)
		ext := filepath.Ext(seed)
		for n := range *damaged {
			r := rand.New(rand.NewPCG(*damagedFrom+uint64(n), uint64(len(data))))
			lines := attacks(ext)
			line := lines[n%len(lines)]
			t.Run(fmt.Sprintf("%s/%d/%s", filepath.Base(seed), n, strings.Fields(line)[0]), func(t *testing.T) {
				file := filepath.Join(t.ArtifactDir(), "damaged"+ext)
				require.NoError(t, os.WriteFile(file, damage(r, data), 0o666))
				attack(t, line, file)
			})
		}
	}
}

// place matches a place in a file, whole what is said of all of a file.
var (
	place = regexp.MustCompile(`0x[0-9A-Fa-f]|offset \d|:\d+(:\d+)?:|: (source|asset.version):|the header|"offset": \d|` +
		`\b(line|byte|frame|draw|event|element|chunk|entry|row|pixel|node|mesh|image|accessor|buffer|material|texture|primitive|instruction|executable|procedure) \d`)
	whole = regexp.MustCompile(`no shader binary in this|the sources give no executable|the entry point "\w+" is not defined|has nothing to show|has no (faces|model|executable)|it names no picture|` +
		`nothing was drawn yet|there is no model COMMON|the approved image has changed since the run|differ|there are more than the \d+ bytes`)
)

// Every message about a damaged file names the file and a place in it, in all formats and commands. It runs in this process: -damaged 50 tries
// more than 3,000 files in a minute.
func TestDamagedFilesNameThePlace(t *testing.T) {
	testkit.Slow(t)
	files, refused := 0, 0
	try := func(line, in, path string, data []byte, n int) {
		r := rand.New(rand.NewPCG(*damagedFrom+uint64(n), uint64(len(data))))
		require.NoError(t, os.WriteFile(path, damage(r, data), 0o666))
		out := filepath.Join(t.TempDir(), "out")
		if strings.Contains(line, "OUT/") {
			require.NoError(t, os.Mkdir(out, 0o777))
		}
		args := strings.Fields(strings.NewReplacer("FILE", in, "IN", in, "OUT", out).Replace(line))
		status, stdout, stderr := invoke(t, args...)
		require.Contains(t, []int{exitDone, exitFailed}, status, "%s: %s", args, stderr)
		if files++; status == exitDone {
			return
		}
		refused++
		says := strings.ReplaceAll(stdout+stderr, filepath.Dir(path), "")
		if !strings.Contains(line, "--check") { // a report on one file
			require.Contains(t, says, filepath.Base(path), "%s: the file", args)
		}
		if !place.MatchString(says) && !whole.MatchString(says) {
			t.Errorf("%d: %s: no place in: %s", n, line, says)
		}
	}
	for _, seed := range seeds(t) {
		data, ext := testkit.Read(t, seed), filepath.Ext(seed)
		for n := range *damaged {
			path := filepath.Join(t.TempDir(), "damaged"+ext)
			try(attacks(ext)[n%len(attacks(ext))], path, path, data, n)
		}
	}
	dir := inputs(t)
	for _, c := range commandRows {
		if c.in == "" || c.gone != "" || c.ends != exitDone {
			continue
		}
		in := filepath.Join(dir, c.in)
		paths := append(testkit.Must(filepath.Glob(in+"/*.*"))(t), in)[:1] // a file, or one of a folder
		if c.in == "p.t3s" {
			paths = append(paths, filepath.Join(dir, "p.png"))
		}
		for _, path := range paths {
			data := testkit.Read(t, path)
			for n := range *damaged {
				try(c.line, in, path, data, n)
			}
			require.NoError(t, os.WriteFile(path, data, 0o666))
		}
	}
	t.Logf("%d files, %d refused", files, refused)
	require.Greater(t, refused, files/3)
}

// A scene may refer to paths that are no regular files, or endless ones.
func TestHostileReferences(t *testing.T) {
	testkit.Slow(t)
	dir := t.TempDir()
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	for name, text := range map[string]string{
		"texture": "textures:\n  a: {file: %s}\nmodels:\n  q: {shape: quad}\ndraws:\n  - {model: q, textures: [a]}\n",
		"model":   "models:\n  q: {file: %s}\ndraws:\n  - {model: q}\n",
		"shader":  "models:\n  q: {shape: quad}\nprograms:\n  p: {vertex: %s}\ndraws:\n  - {model: q, program: p}\n",
	} {
		for _, file := range []string{"/dev/zero", "pipe"} {
			t.Run(name+" "+file, func(t *testing.T) {
				path := filepath.Join(dir, "scene.yaml")
				require.NoError(t, os.WriteFile(path, fmt.Appendf(nil, text, file), 0o666))
				attack(t, "render FILE -o OUT/x.png", path)
			})
		}
	}
	for _, line := range []string{"bench FILE", "inspect FILE", "disasm FILE", "lint FILE", "asm FILE -o OUT/x.shbin"} {
		t.Run(line, func(t *testing.T) { attack(t, line, "/dev/zero") })
	}
}

// What a message repeats of a file is bounded, whatever the file.
func TestMessagesAreBounded(t *testing.T) {
	dir, long := t.TempDir(), strings.Repeat("x", 300_000)
	for name, text := range map[string]string{
		"name.v.pica": ".out o0 position\n.proc main\nmov o0, " + long + "\nend\n.end\n", "word.v.pica": long + "\n", "far.v.pica": ".proc main\n" + strings.Repeat(" ", 300_000) + "mov o0, zzz\nend\n.end\n",
		"key.yaml": "models: {b: {shape: box}}\n" + long + ": 1\ndraws: [{model: b}]\n", "shape.yaml": "models: {b: {shape: " + long + "}}\ndraws: [{model: b}]\n",
		"version.gltf": `{"asset": {"version": "` + long + `"}}`, "buffer.gltf": `{"asset": {"version": "2.0"}, "buffers": [{"uri": "` + long + `", "byteLength": 4}]}`,
	} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		command := "render"
		if strings.HasSuffix(name, ".pica") {
			command = "asm"
		}
		stdout, stderr := ends(t, exitFailed, command, path, "-o", filepath.Join(dir, "out"))
		require.Less(t, len(stdout)+len(stderr), 20_000, name)
		require.Contains(t, stderr, name)
	}
}
