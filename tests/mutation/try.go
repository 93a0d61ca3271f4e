package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// Results of a mutant.
const (
	killed     = "killed"     // a test failed
	lived      = "lived"      // no test failed
	uncovered  = "uncovered"  // no test covers it
	equivalent = "equivalent" // no test can find it: equivalent.txt
	unbuilt    = "unbuilt"    // does not compile: not counted
)

// result is a line of the results file.
type result struct {
	Mutant  string  `json:"mutant"`
	Sum     string  `json:"sum"` // checksum of the package and the tests
	Status  string  `json:"status"`
	Look    string  `json:"look,omitempty"` // which tests, if not the package's own short ones
	By      string  `json:"by,omitempty"`   // the failed test, or how it ended
	Seconds float64 `json:"seconds"`
}

// results holds earlier results, and the file for new ones.
type results struct {
	file *os.File
	list map[[2]string]result
	by   map[string]string // what found a mutant last time
}

func openResults(name, retry string) (*results, error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	k := &results{file: f, list: map[[2]string]result{}, by: map[string]string{}}
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		var r result
		if json.Unmarshal(s.Bytes(), &r) == nil { // the last line of an interrupted run may be incomplete
			k.list[[2]string{r.Mutant, r.Sum}] = r
			if r.Status == killed {
				k.by[r.Mutant] = r.By
			}
		}
	}
	for key, r := range k.list {
		if r.Status == retry {
			delete(k.list, key)
		}
	}
	return k, s.Err()
}

func (k *results) Close() error { return k.file.Close() }

// run reports the results of mutants, from the file or by trying them: each suite tries the survivors of the one before.
func (p *pack) run(ctx context.Context, list []*mutant, k *results, c *covers, jobs int, sameAs map[string]string, tell func(*mutant, result)) error {
	alive := map[*mutant]result{}
	list = slices.DeleteFunc(slices.Clone(list), func(m *mutant) bool {
		_, same := sameAs[m.name()]
		if same {
			tell(m, result{Status: equivalent})
		}
		alive[m] = result{Status: uncovered}
		return same
	})
	for _, s := range p.suites() {
		if len(list) == 0 {
			return nil
		}
		var left []*mutant
		err := s.run(ctx, list, k, c, jobs, func(m *mutant, r result) {
			if r.Status == killed || r.Status == unbuilt {
				tell(m, r)
				return
			}
			if left = append(left, m); r.Status == lived {
				alive[m] = r
			}
		})
		if err != nil {
			return err
		}
		list = left
	}
	for _, m := range list {
		tell(m, alive[m])
	}
	return nil
}

// run reports the results of a suite for mutants.
func (s *suite) run(ctx context.Context, list []*mutant, k *results, c *covers, jobs int, tell func(*mutant, result)) (err error) {
	if s.cover, err = c.of(ctx, s); err != nil {
		return err
	}
	var try []*mutant
	for _, m := range list {
		if r, ok := k.list[[2]string{m.name(), s.cover.Sum}]; ok {
			tell(m, r)
		} else if len(s.reaching(m)) == 0 {
			tell(m, result{Status: uncovered})
		} else {
			try = append(try, m)
		}
	}
	if len(try) == 0 {
		return nil
	}
	for _, m := range try {
		if is, err := os.ReadFile(m.file); err != nil || !bytes.Equal(is, m.whole) {
			return fmt.Errorf("%s was changed meanwhile; begin again, what is done is kept", m.file)
		}
	}
	dir, err := os.MkdirTemp(c.work, "try-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := errors.Join(s.check(ctx, try), s.buildShared(ctx, dir, try)); err != nil {
		return err
	}
	var mu sync.Mutex
	var failed error
	var workers sync.WaitGroup
	for n := range max(1, jobs) {
		own := filepath.Join(dir, fmt.Sprint(n))
		workers.Go(func() {
			for {
				mu.Lock()
				if len(try) == 0 || failed != nil {
					mu.Unlock()
					return
				}
				m := try[0]
				try = try[1:]
				mu.Unlock()
				r, err := s.try(ctx, m, own, k.by[m.name()])
				mu.Lock()
				if err == nil {
					err = k.keep(r)
				}
				if err == nil {
					tell(m, r)
				} else if failed == nil {
					failed = err
				}
				mu.Unlock()
			}
		})
	}
	workers.Wait()
	return failed
}

func (k *results) keep(r result) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = k.file.Write(append(line, '\n'))
	return err
}

// try runs the tests that cover a mutant: first the one that found it before, then fast ones, which find most.
func (s *suite) try(ctx context.Context, m *mutant, dir, first string) (result, error) {
	start := time.Now()
	r := result{Mutant: m.name(), Sum: s.cover.Sum, Status: lived, Look: s.name}
	if m.refused != "" {
		r.Status, r.By = unbuilt, m.refused
		return r, nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return r, err
	}
	tests := s.reaching(m)
	if i := slices.IndexFunc(tests, func(t test) bool { return t.Name == first }); i > 0 {
		before := tests[i]
		tests = slices.Insert(slices.Delete(tests, i, i+1), 0, before)
	}
	var err error
	if number := s.shared.numbers[m]; number > 0 {
		r.By, tests, err = s.runTests(ctx, s.shared.binary, dir, tests, number)
	}
	if err == nil && r.By == "" && len(tests) > 0 { // these cannot be tried in the shared binary
		path, changed, binary := filepath.Join(m.pkg.dir, filepath.Base(m.file)), filepath.Join(dir, "mutant.go"), filepath.Join(dir, "mutant.test")
		if err := os.WriteFile(changed, m.changed(), 0o666); err != nil {
			return r, err
		}
		out, failed := s.build(ctx, dir, binary, map[string]string{path: changed})
		if ctx.Err() != nil {
			return r, ctx.Err()
		}
		if failed != nil {
			r.Status, r.By = unbuilt, firstLine(string(out))
			return r, nil
		}
		r.By, _, err = s.runTests(ctx, binary, dir, tests, 0)
	}
	if r.By != "" {
		r.Status = killed
	}
	r.Seconds = time.Since(start).Seconds()
	return r, err
}

// runTests runs tests and returns what found the mutant, and which tests fail in the shared binary without a mutant and are
// useless.
func (s *suite) runTests(ctx context.Context, binary, dir string, tests []test, number int) (by string, useless []test, err error) {
	fails := func(t test) bool { return number > 0 && s.failsAnyway(ctx, t) }
	for at, most := 0, 0.5; at < len(tests); most *= 4 {
		n, seconds := 0, 0.0
		for at+n < len(tests) && (n == 0 || seconds+tests[at+n].Seconds < most) {
			seconds += tests[at+n].Seconds
			n++
		}
		batch := slices.Clone(tests[at : at+n])
		at += n
		for len(batch) > 0 {
			by, err := s.runOnce(ctx, binary, dir, batch, number)
			if err != nil || by == "" {
				if err != nil {
					return "", nil, err
				}
				break
			}
			suspects := batch
			if i := slices.IndexFunc(batch, func(t test) bool { return t.Name == by }); i >= 0 {
				suspects = batch[i : i+1]
			}
			bad := slices.DeleteFunc(slices.Clone(suspects), func(t test) bool { return !fails(t) })
			if ctx.Err() != nil {
				return "", nil, ctx.Err()
			}
			if len(bad) == 0 {
				return by, nil, nil
			}
			useless = append(useless, bad...)
			batch = slices.DeleteFunc(batch, func(t test) bool { return slices.ContainsFunc(bad, func(b test) bool { return b.Name == t.Name }) })
		}
	}
	return "", useless, nil
}

// failsAnyway reports whether a test fails in the shared binary without a mutant, as tests that count allocations may.
func (s *suite) failsAnyway(ctx context.Context, t test) bool {
	s.shared.mu.Lock()
	defer s.shared.mu.Unlock()
	is, known := s.shared.fails[t.Name]
	if !known {
		by, _ := s.runOnce(ctx, s.shared.binary, os.TempDir(), []test{t}, 0)
		is = by != ""
		s.shared.fails[t.Name] = is
	}
	return is
}

var failure = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)

// runOnce runs tests and returns which failed, or how they ended.
func (s *suite) runOnce(ctx context.Context, binary, dir string, tests []test, number int) (by string, err error) {
	var names []string
	seconds := 0.0
	for _, t := range tests {
		names = append(names, t.Name)
		seconds += t.Seconds
	}
	// A test that needs five times its usual processor time counts as endless; memory is limited too. Machines are busy: a test
	// that only waits gets a minute.
	cpu, limit := time.Duration(5+5*seconds)*time.Second, time.Duration(10*seconds+60)*time.Second
	late, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	args := []string{s.short(), "-test.run", "^(" + strings.Join(names, "|") + ")$", "-test.failfast", "-test.timeout", limit.String()}
	cmd := s.boundedCommand(late, cpu, binary, args...)
	cmd.Env = append(cmd.Env, "TMPDIR="+dir, fmt.Sprintf("%s=%d", variable, number))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case late.Err() != nil:
		return "no end", nil
	case err == nil:
		return "", nil
	case !errors.As(err, &exit):
		return "", fmt.Errorf("%s: %w", s.tested, err)
	}
	if f := failure.FindSubmatch(out.Bytes()); f != nil {
		return string(f[1]), nil
	}
	return firstLine(out.String()), nil
}

// firstLine returns the first line that is not empty.
func firstLine(s string) string {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return line[:min(len(line), 200)]
		}
	}
	return "no word"
}
