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

// coverage is what the tests of a package reach.
type coverage struct {
	Sum   string // of the package's test binary: results count while it is the same
	Tests []test
}

// test is a test with the lines of its package that it reaches.
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

// slowest is how long a test may take when coverage is measured.
const slowest = 5 * time.Minute

// measure finds what the tests of the package reach, or takes it from the folder where
// an earlier run has left it.
func (p *pack) measure(ctx context.Context, dir string) error {
	c := &p.cover
	if err := os.MkdirAll(dir, 0o777); err != nil || !p.tests {
		return err
	}
	binary := filepath.Join(dir, "cover.test")
	if out, err := goTest(ctx, "-c", "-cover", "-coverpkg="+p.path, "-o", binary, p.path).CombinedOutput(); err != nil {
		return fmt.Errorf("%s is not built: %s", p.path, out)
	}
	data, err := os.ReadFile(binary)
	if err != nil {
		return err
	}
	c.Sum = fmt.Sprintf("%x", sha256.Sum256(data))
	file := filepath.Join(dir, "cover.json")
	if data, err := os.ReadFile(file); err == nil {
		var kept coverage
		if json.Unmarshal(data, &kept) == nil && kept.Sum == c.Sum {
			c.Tests = kept.Tests
			return nil
		}
	}
	names, err := p.testCommand(ctx, binary, "-test.list", ".").Output()
	if err != nil {
		return fmt.Errorf("%s: the list of tests: %w", p.path, err)
	}
	for name := range strings.FieldsSeq(string(names)) {
		if !strings.HasPrefix(name, "Test") && !strings.HasPrefix(name, "Example") && !strings.HasPrefix(name, "Fuzz") {
			continue
		}
		profile := filepath.Join(dir, "profile")
		os.Remove(profile)
		start := time.Now()
		out, err := p.testCommand(ctx, binary, "-test.short", "-test.run", "^"+name+"$", "-test.coverprofile", profile, "-test.timeout", slowest.String()).CombinedOutput()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s.%s fails on the source as it is and is left out: %.300s\n", p.path, name, out)
			continue
		}
		blocks, err := readProfile(profile)
		if err != nil {
			return err
		}
		c.Tests = append(c.Tests, test{name, time.Since(start).Seconds(), blocks})
	}
	data, err = json.Marshal(c)
	if err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o666)
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
func (p *pack) reaching(m *mutant) (list []test) {
	file := path.Base(m.file)
	for _, t := range p.cover.Tests {
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
func (p *pack) testCommand(ctx context.Context, binary string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Dir, cmd.Env = p.dir, environment()
	cmd.WaitDelay = 5 * time.Second
	return cmd
}
