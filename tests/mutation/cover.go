package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// others are the packages whose tests look at what lives of a room, the cheap ones first:
// they draw, assemble or read with it, and hold what comes of that.
var others = map[string][]string{
	"shaderunit":        {"shaderunit/trial", "shaderunit/symbolic", "geometry", "shaderunit/asm"},
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
	"serve/engine":      {"serve"},
	"internal/gifs":     {"serve/play"},
}

// suite is tests that look at the mutants of a package: its own short tests first, those
// that "make test" leaves out or shortens then, and those of other packages at last.
type suite struct {
	*pack           // whose mutants
	look   string   // what the report calls it; the package's own short tests have no name
	long   []string // the tests to run with what "make test" leaves out
	tested string   // the package whose tests these are
	home   string   // its folder, where they run
	cover  *coverage
	shared *shared
}

// suites are what looks at the mutants of a package, one after the other.
func (p *pack) suites() (list []*suite) {
	if p.tests {
		list = append(list, &suite{pack: p, tested: p.path, home: p.dir})
	}
	if len(p.slow) > 0 {
		list = append(list, &suite{pack: p, look: "its long tests", long: p.slow, tested: p.path, home: p.dir})
	}
	module, room, _ := strings.Cut(p.path, "/")
	for _, name := range others[room] {
		list = append(list, &suite{pack: p, look: name, tested: module + "/" + name, home: filepath.Join(strings.TrimSuffix(p.dir, filepath.FromSlash(room)), filepath.FromSlash(name))})
	}
	return list
}

// covers are what tests reach. Those of a package are measured once, in all rooms whose
// mutants they look at.
type covers struct {
	work  string        // the folder where they are kept
	limit time.Duration // of a test on the processor; slower ones are left out

	mu   sync.Mutex
	list map[string]*coverage
}

// coverage is what the tests of a suite reach.
type coverage struct {
	Sum   string // of the tests' binary: results count while it is the same
	Tests []test

	once sync.Once
	err  error
}

// test is a test with the lines that it reaches, by files with their packages.
type test struct {
	Name    string
	Seconds float64 // on the processor: machines are busy
	Lines   map[string][]span
}

type span struct{ From, To int }

// environment of all tests that are run: a mutant may want all memory that there is.
func environment() []string { return append(os.Environ(), "GOMEMLIMIT=4GiB", "CI=true") }

// of returns what the tests of a suite reach.
func (c *covers) of(ctx context.Context, s *suite) (*coverage, error) {
	name := strings.ReplaceAll(s.tested, "/", "_")
	if s.long != nil {
		name += "_long"
	}
	c.mu.Lock()
	it := c.list[name]
	if it == nil {
		it = &coverage{}
		c.list[name] = it
	}
	c.mu.Unlock()
	it.once.Do(func() { it.err = it.measure(ctx, s, filepath.Join(c.work, name), c.limit) })
	return it, it.err
}

// measure finds what the tests of a suite reach, or takes it from the folder where an
// earlier run has left it.
func (c *coverage) measure(ctx context.Context, s *suite, dir string, limit time.Duration) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	module, room, _ := strings.Cut(s.tested, "/")
	in := s.tested
	for _, other := range slices.Sorted(maps.Keys(others)) {
		if slices.Contains(others[other], room) {
			in += "," + module + "/" + other
		}
	}
	binary := filepath.Join(dir, "cover.test")
	if out, err := goTest(ctx, "-c", "-cover", "-coverpkg="+in, "-o", binary, s.tested).CombinedOutput(); err != nil {
		return fmt.Errorf("%s is not built: %s", s.tested, out)
	}
	data, err := os.ReadFile(binary)
	if err != nil {
		return err
	}
	c.Sum = fmt.Sprintf("%x %v %v", sha256.Sum256(data), limit, s.long)
	file := filepath.Join(dir, "cover.json")
	if data, err := os.ReadFile(file); err == nil {
		var kept coverage
		if json.Unmarshal(data, &kept) == nil && kept.Sum == c.Sum {
			c.Tests = kept.Tests
			return nil
		}
	}
	names := s.long
	if names == nil {
		list, err := s.testCommand(ctx, binary, "-test.list", "^(Test|Example|Fuzz)").Output()
		if err != nil {
			return fmt.Errorf("%s: the list of tests: %w", s.tested, err)
		}
		names = strings.Fields(string(list))
	}
	for _, name := range names {
		profile := filepath.Join(dir, "profile")
		os.Remove(profile)
		cmd := s.boundedCommand(ctx, 2*limit, binary, s.short(), "-test.run", "^"+name+"$", "-test.coverprofile", profile, "-test.timeout", (20*limit + time.Minute).String())
		out, err := cmd.CombinedOutput()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		took := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		if err != nil || took > limit {
			fmt.Fprintf(os.Stderr, "%s.%s fails on the source as it is, or takes longer than %v, and is left out: %.100q\n", s.tested, name, limit, out)
			continue
		}
		lines, err := readProfile(profile)
		if err != nil {
			return err
		}
		c.Tests = append(c.Tests, test{name, took.Seconds(), lines})
	}
	data, err = json.Marshal(c)
	if err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o666)
}

// short is the argument of a test binary that leaves out what "make test" leaves out.
func (s *suite) short() string { return fmt.Sprintf("-test.short=%t", s.long == nil) }

// readProfile returns the lines of a coverage profile that were reached.
func readProfile(file string) (map[string][]span, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	all := map[string][]span{}
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
			all[name+".go"] = append(all[name+".go"], span{from, to})
		}
	}
	for name, list := range all {
		slices.SortFunc(list, func(a, b span) int { return a.From - b.From })
		joined := list[:1]
		for _, b := range list[1:] {
			if last := &joined[len(joined)-1]; b.From <= last.To+1 {
				last.To = max(last.To, b.To)
			} else {
				joined = append(joined, b)
			}
		}
		all[name] = joined
	}
	return all, nil
}

// enough is how many seconds the tests of another package look at a mutant.
const enough = 12

// reaching returns the tests that reach a mutant, the quickest first.
func (s *suite) reaching(m *mutant) (list []test) {
	file := s.path + "/" + path.Base(m.file)
	for _, t := range s.cover.Tests {
		if slices.ContainsFunc(t.Lines[file], func(b span) bool { return b.From <= m.reached && m.reached <= b.To }) {
			list = append(list, t)
		}
	}
	slices.SortStableFunc(list, func(a, b test) int { return int(1000 * (a.Seconds - b.Seconds)) })
	if seconds := 0.0; s.tested != s.path {
		for i, t := range list {
			if seconds += t.Seconds; seconds > enough {
				return list[:i]
			}
		}
	}
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

// boundedCommand is a testCommand that ends where it takes more of the processor than some time, or all memory. Time on
// the clock says nothing: machines are busy.
func (s *suite) boundedCommand(ctx context.Context, most time.Duration, binary string, args ...string) *exec.Cmd {
	if runtime.GOOS != "windows" {
		args = append([]string{"-c", `ulimit -t "$0"; ulimit -v 12000000; exec "$@"`, fmt.Sprint(int(most.Seconds())), binary}, args...)
		binary = "sh"
	}
	return s.testCommand(ctx, binary, args...)
}
