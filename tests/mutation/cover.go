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

// others lists, for a package, other packages whose tests run on surviving mutants, fast ones first: they draw, assemble or read
// with it and check the results.
var others = map[string][]string{
	"shaderunit":                  {"shaderunit/trial", "shaderunit/symbolic", "geometry", "shaderunit/asm"},
	"shaderunit/asm":              {"shaderunit/link", "shaderunit/lint", "shaderunit/lsp", "shaderunit/shaders"},
	"shaderunit/disasm":           {"shaderunit/asm", "shaderunit/trial"},
	"shaderunit/link":             {"shaderunit/asm"},
	"shaderunit/lint":             {"shaderunit/asm"},
	"shaderunit/internal/picasso": {"shaderunit/asm"},
	"shaderunit/internal/rules":   {"shaderunit/lint"},
	"geometry":                    {"pipeline"},
	"raster":                      {"fragment", "pipeline"},
	"fragment":                    {"explain", "pipeline", "explain/drawstate"},
	"pipeline":                    {"pipeline/retrace", "explain/drawstate", "serve/engine"},
	"pica":                        {"geometry", "pipeline"},
	"pica/pixels":                 {"assets/texture", "pipeline"},
	"explain":                     {"fragment", "serve/engine"},
	"explain/drawstate":           {"serve/engine"},
	"assets/model":                {"scene/modeldraw", "scene/scenebuild"},
	"assets/cgfx":                 {"assets/banner", "scene/modeldraw"},
	"assets/bch":                  {"scene/modeldraw"},
	"assets/texture":              {"assets/cgfx", "scene/scenebuild"},
	"assets/vertices":             {"scene"},
	"assets/banner":               {"scene/modeldraw"},
	"assets/shbin":                {"shaderunit/asm"},
	"assets/patches":              {"geometry", "scene/scenebuild"},
	"assets/picatrace":            {"pipeline/retrace", "golden"},
	"assets/citrace":              {"assets/picatrace", "pipeline/retrace"},
	"internal/yamldoc":            {"scene", "golden"},
	"internal/mgl":                {"assets/banner", "scene/modeldraw"},
	"internal/schema":             {"scene"},
	"shaderunit/trial":            {"shaderunit/asm"},
	"pipeline/retrace":            {"pipeline"},
	"serve/engine":                {"serve"},
	"internal/gifs":               {"serve/play"},
	"viewer/ui":                   {"viewer/app"},
	"viewer/session":              {"viewer/app"},
	"scene":                       {"scene/scenebuild"},
	"scene/shading":               {"scene/scenebuild"},
	"scene/modeldraw":             {"scene/scenebuild"},
	"scene/shaderfit":             {"scene/scenebuild"},
	"scene/scenebuild":            {"scene/source", "golden"},
	"scene/source":                {"viewer/session", "golden"},
}

// suite is a set of tests that run on the mutants of a package: first its own short tests, then those that "make test" skips or
// shortens, finally those of other packages.
type suite struct {
	*pack           // the package with the mutants
	name   string   // name in the report; "" for the package's own short tests
	long   []string // tests that "make test" skips
	tested string   // the package of the tests
	home   string   // its folder, in which they run
	cover  *coverage
	shared *shared
}

// suites returns the suites for a package, in order.
func (p *pack) suites() (list []*suite) {
	if p.tests {
		list = append(list, &suite{pack: p, tested: p.path, home: p.dir})
	}
	if len(p.slow) > 0 {
		list = append(list, &suite{pack: p, name: "its long tests", long: p.slow, tested: p.path, home: p.dir})
	}
	module, folder, _ := strings.Cut(p.path, "/")
	for _, name := range others[folder] {
		list = append(list, &suite{pack: p, name: name, tested: module + "/" + name, home: filepath.Join(strings.TrimSuffix(p.dir, filepath.FromSlash(folder)), filepath.FromSlash(name))})
	}
	return list
}

// covers caches what tests cover. The tests of a package are measured once, for all packages whose mutants they run on.
type covers struct {
	work  string        // cache folder
	limit time.Duration // processor time of a test; slower ones are skipped

	mu   sync.Mutex
	list map[string]*coverage
}

// coverage is what the tests of a suite cover.
type coverage struct {
	Sum   string // checksum of the test binary; results are valid while it is the same
	Tests []test

	once sync.Once
	err  error
}

// test is a test with the lines it covers, by file and package.
type test struct {
	Name    string
	Seconds float64 // processor time, because machines are busy
	Lines   map[string][]span
}

type span struct{ From, To int }

// environment is the environment of all test runs; a mutant may allocate without limit.
func environment() []string { return append(os.Environ(), "GOMEMLIMIT=4GiB", "CI=true") }

// of returns the coverage of a suite.
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

// measure measures the coverage of a suite, or reads it from the cache folder.
func (c *coverage) measure(ctx context.Context, s *suite, dir string, limit time.Duration) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	module, folder, _ := strings.Cut(s.tested, "/")
	in := s.tested
	for _, other := range slices.Sorted(maps.Keys(others)) {
		if slices.Contains(others[other], folder) {
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

// short returns the argument that makes a test binary skip what "make test" skips.
func (s *suite) short() string { return fmt.Sprintf("-test.short=%t", s.long == nil) }

// readProfile returns the covered lines of a coverage profile.
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

// enough is how many seconds the tests of another package run for a mutant.
const enough = 12

// reaching returns the tests that cover a mutant, fastest first.
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

// testCommand runs a test binary in the folder that go test uses.
func (s *suite) testCommand(ctx context.Context, binary string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Dir, cmd.Env = s.home, environment()
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// boundedCommand is testCommand with limits of processor time and memory. Wall-clock time is unreliable, because machines are busy.
func (s *suite) boundedCommand(ctx context.Context, most time.Duration, binary string, args ...string) *exec.Cmd {
	if runtime.GOOS != "windows" {
		args = append([]string{"-c", `ulimit -t "$0"; ulimit -v 12000000; exec "$@"`, fmt.Sprint(int(most.Seconds())), binary}, args...)
		binary = "sh"
	}
	return s.testCommand(ctx, binary, args...)
}
