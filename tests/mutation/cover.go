package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// others are the packages whose tests look at what lives of a room, the cheap ones first:
// they draw, assemble or read with it, and hold what comes of that.
var others = map[string][]string{
	"shaderunit":        {"geometry", "shaderunit/trial", "shaderunit/symbolic", "pipeline"},
	"shaderunit/asm":    {"shaderunit/lsp", "shaders", "tests/seeds"},
	"geometry":          {"pipeline"},
	"raster":            {"fragment", "pipeline"},
	"fragment":          {"pipeline", "replay/drawstate"},
	"pipeline":          {"pipeline/retrace", "replay/drawstate", "serve/engine"},
	"pica":              {"geometry", "pipeline"},
	"pixels":            {"assets/texture", "pipeline"},
	"replay/drawstate":  {"serve/engine"},
	"assets/model":      {"scene/modeldraw", "scene/scenebuild"},
	"assets/cgfx":       {"assets/banner", "scene/modeldraw"},
	"assets/bch":        {"scene/modeldraw"},
	"assets/texture":    {"assets/cgfx", "scene/scenebuild"},
	"assets/vertices":   {"scene"},
	"assets/banner":     {"scene/modeldraw"},
	"assets/shbin":      {"shaderunit/asm"},
	"assets/patches":    {"geometry", "scene/scenebuild"},
	"assets/picatrace":  {"pipeline/retrace", "golden"},
	"assets/citrace":    {"assets/picatrace", "pipeline/retrace"},
	"internal/yamldoc":  {"scene", "golden"},
	"internal/mgl":      {"assets/banner", "scene/modeldraw"},
	"internal/schema":   {"scene"},
	"shaderunit/trial":  {"shaderunit/asm"},
	"pipeline/retrace":  {"pipeline"},
	"scene/sceneexport": {"pipeline"},
}

// suite is tests that look at the mutants of a package: its own short tests first, those
// that "make test" leaves out then, and those of other packages at last.
type suite struct {
	*pack         // whose mutants
	look   string // what the report calls it; the package's own short tests have no name
	tested string // the package whose tests these are
	home   string // its folder, where they run
	cover  coverage
	shared *shared
	short  *suite // of long tests: the same without what "make test" leaves out
}

// suites are what looks at the mutants of a package, one after the other.
func (p *pack) suites() (list []*suite) {
	if p.tests {
		list = append(list, &suite{pack: p, tested: p.path, home: p.dir})
	}
	if p.slow {
		list = append(list, &suite{pack: p, look: "its long tests", tested: p.path, home: p.dir, short: list[0]})
	}
	module, room, _ := strings.Cut(p.path, "/")
	for _, name := range others[room] {
		list = append(list, &suite{pack: p, look: name, tested: module + "/" + name, home: filepath.Join(strings.TrimSuffix(p.dir, filepath.FromSlash(room)), filepath.FromSlash(name))})
	}
	return list
}

// coverage is what the tests of a suite reach.
type coverage struct {
	Sum   string // of the tests' binary: results count while it is the same
	Tests []test
}

// test is a test with the lines of the mutants' package that it reaches.
type test struct {
	Name    string
	Seconds float64
	Blocks  []block
}

type block struct {
	File     string // without its folder
	From, To int    // lines
}

// environment of all tests that are run: a mutant may want all memory that there is.
func environment() []string { return append(os.Environ(), "GOMEMLIMIT=4GiB", "CI=true") }

// measure finds what the tests of a suite reach, or takes it from the folder where an
// earlier run has left it. A test that takes longer than the limit is left out.
func (s *suite) measure(ctx context.Context, dir string, limit time.Duration) error {
	c := &s.cover
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	binary := filepath.Join(dir, "cover.test")
	if out, err := goTest(ctx, "-c", "-cover", "-coverpkg="+s.path, "-o", binary, s.tested).CombinedOutput(); err != nil {
		return fmt.Errorf("%s is not built: %s", s.tested, out)
	}
	data, err := os.ReadFile(binary)
	if err != nil {
		return err
	}
	c.Sum = fmt.Sprintf("%x %v %s", sha256.Sum256(data), limit, s.look)
	file := filepath.Join(dir, "cover.json")
	if data, err := os.ReadFile(file); err == nil {
		var kept coverage
		if json.Unmarshal(data, &kept) == nil && kept.Sum == c.Sum {
			c.Tests = kept.Tests
			return nil
		}
	}
	names, err := s.testCommand(ctx, binary, "-test.list", ".").Output()
	if err != nil {
		return fmt.Errorf("%s: the list of tests: %w", s.tested, err)
	}
	for name := range strings.FieldsSeq(string(names)) {
		if !strings.HasPrefix(name, "Test") && !strings.HasPrefix(name, "Example") && !strings.HasPrefix(name, "Fuzz") {
			continue
		}
		profile := filepath.Join(dir, "profile")
		os.Remove(profile)
		start := time.Now()
		out, err := s.testCommand(ctx, binary, "-test.short="+fmt.Sprint(s.short == nil), "-test.run", "^"+name+"$", "-test.coverprofile", profile, "-test.timeout", limit.String()).CombinedOutput()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s.%s fails on the source as it is, or takes longer than %v, and is left out: %.100s\n", s.tested, name, limit, out)
			continue
		}
		blocks, err := readProfile(profile)
		if err != nil {
			return err
		}
		if it := (test{name, time.Since(start).Seconds(), blocks}); len(blocks) > 0 && !s.short.says(it) {
			c.Tests = append(c.Tests, it)
		}
	}
	data, err = json.Marshal(c)
	if err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o666)
}

// says tells whether a test of the suite does the same: it reaches as much in as much time.
// What is quick need not be known.
func (s *suite) says(t test) bool {
	return s != nil && slices.ContainsFunc(s.cover.Tests, func(own test) bool {
		return own.Name == t.Name && slices.Equal(own.Blocks, t.Blocks) && t.Seconds > 0.2 && t.Seconds < 1.5*own.Seconds
	})
}

// readProfile gives the blocks of a coverage profile that were reached.
func readProfile(file string) (list []block, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
		name, rest, ok := strings.Cut(s.Text(), ".go:")
		var from, to, c, statements, reached int
		if !ok {
			continue
		}
		if _, err := fmt.Sscanf(rest, "%d.%d,%d.%d %d %d", &from, &c, &to, &c, &statements, &reached); err != nil {
			return nil, fmt.Errorf("%s: %q: %w", file, s.Text(), err)
		}
		if reached > 0 {
			list = append(list, block{path.Base(name) + ".go", from, to})
		}
	}
	return list, nil
}

// reaching gives the tests that reach a mutant, the quickest first.
func (s *suite) reaching(m *mutant) (list []test) {
	file := path.Base(m.file)
	for _, t := range s.cover.Tests {
		if slices.ContainsFunc(t.Blocks, func(b block) bool { return b.File == file && b.From <= m.reached && m.reached <= b.To }) {
			list = append(list, t)
		}
	}
	slices.SortStableFunc(list, func(a, b test) int { return int(1000 * (a.Seconds - b.Seconds)) })
	return list
}

func goTest(ctx context.Context, args ...string) *exec.Cmd {
	return exec.CommandContext(ctx, "go", append([]string{"test", "-trimpath", "-buildvcs=false", "-vet=off"}, args...)...)
}

// testCommand runs a test binary where go test would.
func (s *suite) testCommand(ctx context.Context, binary string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Dir, cmd.Env = s.home, environment()
	cmd.WaitDelay = 5 * time.Second
	return cmd
}
