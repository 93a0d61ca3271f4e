package module

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"go/format"
	"hash/fnv"
	"image"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/module"
	modzip "golang.org/x/mod/zip"

	"pica200/assets/picatrace"
	here "pica200/internal/module"
	"pica200/pipeline"
	"pica200/tests/testkit"
)

// address is the module path of the copied repository, which differs from the real one; version is its published version.
var address = "example.org/" + strings.ReplaceAll(path.Base(here.Path()), ".", "-") + "-copy"

const version = "v0.1.0"

// TestModulePacks checks that the committed files can be packed as a module: the go command refuses some file names, and modules of more
// than 500 MB.
func TestModulePacks(t *testing.T) {
	top := testkit.Repository(t)
	var list []modzip.File
	for _, name := range committed(t, top) {
		list = append(list, file{top, name})
	}
	checked := testkit.Must(modzip.CheckFiles(list))(t)
	require.NoError(t, checked.Err())
	require.Contains(t, checked.Valid, "LICENSE")
	require.Contains(t, checked.Valid, "README.md")
	for _, f := range checked.Omitted {
		// Nested modules are not part of this one.
		require.Regexp(t, `^(internal/gen/(avo|codemirror)|testdata/example-module)/`, f.Path)
	}
}

// TestOtherModulesUseIt copies the repository under another module path and builds the README's program in two other modules: one gets
// the copy by a replace directive, the other from a module proxy. Both must draw the same as this module. The test needs no
// network.
func TestOtherModulesUseIt(t *testing.T) {
	testkit.Slow(t)
	top := testkit.Repository(t)
	names := committed(t, top)
	dir := t.TempDir()
	copied := filepath.Join(dir, "pica200")
	for _, name := range names {
		data := testkit.Read(t, filepath.Join(top, name))
		at := filepath.Join(copied, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(at), 0o755))
		require.NoError(t, os.WriteFile(at, data, 0o644))
	}
	g := goTool{t: t, cache: filepath.Join(dir, "modules")}
	downloads := g.run(top, "env", "GOMODCACHE") + "/cache/download"
	if _, err := os.Stat(downloads); err != nil {
		t.Skip("there is no module cache to take other modules from")
	}

	rename := func(path string) error {
		cmd := exec.CommandContext(t.Context(), "bash", "internal/module/rename.sh", path)
		cmd.Dir = copied
		return cmd.Run()
	}
	for _, path := range []string{"", "pica200", "example.org/a b", "https://example.org", "example.org/x/", "example.org/x/v2"} {
		require.Error(t, rename(path), path)
	}
	require.NoError(t, rename(address))
	checkRenamed(t, copied, names)
	if broken := g.run(copied, "list", "-e", "-test", "-deps", "-f", "{{with .Error}}{{.}}{{end}}", "./..."); broken != "" {
		t.Fatalf("packages that cannot be loaded after the change:\n%s", broken)
	}

	trace := filepath.Join(top, "testdata", "traces", "lights.ctf")
	want := draw(t, trace)
	readme := testkit.Read(t, filepath.Join(copied, "README.md"))
	program := consumer(t, string(readme))
	for _, c := range []struct {
		name  string
		proxy bool
	}{{"folder", false}, {"proxy", true}} {
		t.Run(c.name, func(t *testing.T) {
			g := g
			g.t, g.proxy = t, "file://"+filepath.ToSlash(downloads)
			at := filepath.Join(dir, c.name)
			require.NoError(t, os.MkdirAll(at, 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(at, "go.mod"), []byte("module example.org/"+c.name+"\n\ngo 1.26.0\n"), 0o644))
			require.NoError(t, os.WriteFile(filepath.Join(at, "main.go"), []byte(program), 0o644))
			if c.proxy {
				proxy := filepath.Join(dir, "goproxy")
				publish(t, copied, names, proxy)
				g.proxy = "file://" + filepath.ToSlash(proxy) + "," + g.proxy
				g.run(at, "get", address+"@"+version)
			} else {
				commands := regexp.MustCompile(`(?m)^    go (mod .*)$`).FindAllStringSubmatch(string(readme), -1)
				require.Len(t, commands, 2, "the README has two go mod commands")
				for _, m := range commands {
					g.run(at, strings.Fields(m[1])...)
				}
			}
			bin := filepath.Join(at, "program")
			g.run(at, "build", "-o", bin, ".")
			out, err := exec.CommandContext(t.Context(), bin, trace).CombinedOutput()
			require.NoError(t, err, "%s", out)
			require.Equal(t, want, string(out))
			if c.proxy {
				mod := testkit.Read(t, filepath.Join(at, "go.mod"))
				require.NotContains(t, string(mod), "replace")
				require.Regexp(t, `(?m)^\s*dep\s+`+regexp.QuoteMeta(address)+`\s+`+regexp.QuoteMeta(version)+`\s+h1:`, g.run(at, "version", "-m", bin))
			}
		})
	}
}

// goTool runs the go command with its own module cache.
type goTool struct {
	t            *testing.T
	cache, proxy string
}

func (g *goTool) run(dir string, args ...string) string {
	g.t.Helper()
	tool := os.Getenv("GO")
	if tool == "" {
		tool = "go"
	}
	cmd := exec.CommandContext(g.t.Context(), tool, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0", "GOFLAGS=-trimpath -modcacherw")
	if g.proxy != "" {
		cmd.Env = append(cmd.Env, "GOMODCACHE="+g.cache, "GOPROXY="+g.proxy, "GOSUMDB=off", "GOPRIVATE=", "GONOPROXY=none", "GOFLAGS=-trimpath -modcacherw -mod=mod")
	}
	var failure bytes.Buffer
	cmd.Stderr = &failure
	out, err := cmd.Output()
	require.NoError(g.t, err, "go %s: %s%s", strings.Join(args, " "), out, failure.String())
	return strings.TrimSpace(string(out))
}

// committed lists the files of the repository.
func committed(t *testing.T, top string) []string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "git", "-C", top, "ls-files", "-z").Output()
	if err != nil {
		t.Skip("not in a git checkout")
	}
	var names []string
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if _, err := os.Lstat(filepath.Join(top, name)); err == nil { // skips files deleted since the commit
			names = append(names, name)
		}
	}
	return names
}

// file implements zip.File for a file of the repository.
type file struct{ top, name string }

func (f file) Path() string                 { return f.name }
func (f file) Lstat() (os.FileInfo, error)  { return os.Lstat(filepath.Join(f.top, f.name)) }
func (f file) Open() (io.ReadCloser, error) { return os.Open(filepath.Join(f.top, f.name)) }

// checkRenamed looks for the old module path and for unsorted imports.
func checkRenamed(t *testing.T, copied string, names []string) {
	old := regexp.MustCompile(`(^|[\s"'(=` + "`" + `])` + regexp.QuoteMeta(here.Path()) + `/[a-z]`)
	for _, name := range names {
		data := testkit.Read(t, filepath.Join(copied, name))
		if bytes.IndexByte(data, 0) >= 0 {
			continue // not a text file
		}
		for i, line := range strings.Split(string(data), "\n") {
			if old.MatchString(line) {
				t.Errorf("%s:%d still has the old path: %s", name, i+1, line)
			}
		}
		if strings.HasSuffix(name, ".go") {
			sorted := testkit.Must(format.Source(data))(t, name)
			require.Equal(t, string(sorted), string(data), "%s is not gofmt'ed", name)
		}
	}
	mod := testkit.Read(t, filepath.Join(copied, "go.mod"))
	require.True(t, strings.HasPrefix(string(mod), "module "+address+"\n"), string(mod))
}

// publish writes the copy as a version of a module proxy.
func publish(t *testing.T, copied string, names []string, proxy string) {
	t.Helper()
	at := filepath.Join(proxy, filepath.FromSlash(address), "@v")
	require.NoError(t, os.MkdirAll(at, 0o755))
	var list []modzip.File
	for _, name := range names {
		list = append(list, file{copied, name})
	}
	var packed bytes.Buffer
	require.NoError(t, modzip.Create(&packed, module.Version{Path: address, Version: version}, list))
	r := testkit.Must(zip.NewReader(bytes.NewReader(packed.Bytes()), int64(packed.Len())))(t)
	t.Logf("%d files, %d bytes packed", len(r.File), packed.Len())
	mod := testkit.Read(t, filepath.Join(copied, "go.mod"))
	for name, data := range map[string][]byte{
		"list":            []byte(version + "\n"),
		version + ".info": fmt.Appendf(nil, `{"Version":%q,"Time":"2026-01-01T00:00:00Z"}`, version),
		version + ".mod":  mod,
		version + ".zip":  packed.Bytes(),
	} {
		require.NoError(t, os.WriteFile(filepath.Join(at, name), data, 0o644))
	}
}

// consumer returns a program with the function shown in the README.
func consumer(t *testing.T, readme string) string {
	t.Helper()
	_, rest, ok := strings.Cut(readme, "```go\n") // the README has only one Go block
	require.True(t, ok)
	shown, _, ok := strings.Cut(rest, "```")
	require.True(t, ok)
	return `package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"image"
	"log"
	"os"
)

` + shown + `
func main() {
	data, err := os.ReadFile(os.Args[1])
	if err == nil {
		err = pictures(context.Background(), data, func(img image.Image) error {
			h := fnv.New64a()
			h.Write(img.(*image.RGBA).Pix)
			fmt.Printf("%v %x\n", img.Bounds(), h.Sum64())
			return nil
		})
	}
	if err != nil {
		log.Fatal(err)
	}
}
`
}

// draw returns the expected output of the program.
func draw(t *testing.T, path string) string {
	t.Helper()
	data := testkit.Read(t, path)
	trace := testkit.Must(picatrace.Parse(data))(t)
	var out strings.Builder
	_, err := pipeline.Replay(context.Background(), trace, pipeline.Options{}, func(g *pipeline.GPU, _ pipeline.Frame) error {
		img := g.Screen(pipeline.ScreenTop)
		require.NotEqual(t, image.NewRGBA(img.Rect).Pix, img.Pix, "the picture shows something")
		h := fnv.New64a()
		h.Write(img.Pix)
		fmt.Fprintf(&out, "%v %x\n", img.Bounds(), h.Sum64())
		return nil
	})
	require.NoError(t, err)
	return out.String()
}
