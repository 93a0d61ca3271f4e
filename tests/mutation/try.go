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
	"strings"
	"sync"
	"time"
)

// What can come of a change.
const (
	killed     = "killed"     // a test fails
	lived      = "lived"      // none does
	uncovered  = "uncovered"  // no test of the package reaches it
	equivalent = "equivalent" // it cannot be noticed: equivalent.txt
	unbuilt    = "unbuilt"    // the compiler refuses it: it does not count
)

// result is a line of the file of results.
type result struct {
	Mutant  string  `json:"mutant"`
	Sum     string  `json:"sum"` // of the package and its tests
	Status  string  `json:"status"`
	By      string  `json:"by,omitempty"` // the test, or how it died
	Seconds float64 `json:"seconds"`
}

// kept are the results that there are, and the file that new ones go to.
type kept struct {
	mu   sync.Mutex
	file *os.File
	list map[[2]string]result
}

func openResults(name, retry string) (*kept, error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	k := &kept{file: f, list: map[[2]string]result{}}
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		var r result
		if json.Unmarshal(s.Bytes(), &r) == nil { // the last line of a run that was ended may be half one
			k.list[[2]string{r.Mutant, r.Sum}] = r
		}
	}
	for key, r := range k.list {
		if r.Status == retry {
			delete(k.list, key)
		}
	}
	return k, s.Err()
}

func (k *kept) Close() error { return k.file.Close() }

// of gives what comes of a mutant, from the file or by trying it.
func (k *kept) of(ctx context.Context, m *mutant, work string, sameAs map[string]string) (result, error) {
	if _, ok := sameAs[m.name()]; ok {
		return result{Mutant: m.name(), Status: equivalent}, nil
	}
	if err := m.pkg.find(ctx, work); err != nil {
		return result{}, err
	}
	k.mu.Lock()
	r, ok := k.list[[2]string{m.name(), m.pkg.cover.Sum}]
	k.mu.Unlock()
	if ok {
		return r, nil
	}
	r, err := m.try(ctx, work)
	if err != nil {
		return r, err
	}
	line, err := json.Marshal(r)
	if err != nil {
		return r, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	_, err = k.file.Write(append(line, '\n'))
	return r, err
}

// try builds the tests with the mutant and runs those that reach it.
func (m *mutant) try(ctx context.Context, work string) (result, error) {
	start := time.Now()
	r := result{Mutant: m.name(), Sum: m.pkg.cover.Sum}
	tests := m.pkg.reaching(filepath.Base(m.file), m.reached)
	if len(tests) == 0 {
		r.Status = uncovered
		return r, nil
	}
	dir, err := os.MkdirTemp(work, "try-*")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	path, err := filepath.Abs(m.file)
	if err != nil {
		return r, err
	}
	if is, err := os.ReadFile(path); err != nil || !bytes.Equal(is, m.whole) {
		return r, fmt.Errorf("%s was changed meanwhile; begin again, what is done is kept", m.file)
	}
	changed := filepath.Join(dir, "mutant.go")
	src := append(append(bytes.Clone(m.whole[:m.from]), m.text...), m.whole[m.to:]...)
	overlay, _ := json.Marshal(map[string]any{"Replace": map[string]string{path: changed}})
	if err := errors.Join(os.WriteFile(changed, src, 0o666), os.WriteFile(filepath.Join(dir, "overlay"), overlay, 0o666)); err != nil {
		return r, err
	}
	binary := filepath.Join(dir, "mutant.test")
	out, err := goTest(ctx, "-c", "-overlay", filepath.Join(dir, "overlay"), "-o", binary, m.pkg.path).CombinedOutput()
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	if err != nil {
		r.Status, r.By = unbuilt, firstLine(string(out))
		return r, nil
	}
	// The quick ones first: most mutants die of them.
	for len(tests) > 0 && r.Status == "" {
		n, seconds := 0, 0.0
		for n < len(tests) && (n == 0 || seconds+tests[n].Seconds < 3) {
			seconds += tests[n].Seconds
			n++
		}
		r.By, err = m.runTests(ctx, binary, dir, tests[:n], seconds)
		if err != nil {
			return r, err
		}
		if r.By != "" {
			r.Status = killed
		}
		tests = tests[n:]
	}
	if r.Status == "" {
		r.Status = lived
	}
	r.Seconds = time.Since(start).Seconds()
	return r, nil
}

var failure = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)

// runTests runs tests and says of which, or of what, the mutant died.
func (m *mutant) runTests(ctx context.Context, binary, dir string, tests []test, seconds float64) (by string, err error) {
	var names []string
	for _, t := range tests {
		names = append(names, t.Name)
	}
	// Machines are busy: what takes ten times as long as ever, and a minute, does not end.
	limit := time.Duration(10*seconds+60) * time.Second
	late, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := m.pkg.testCommand(late, binary, "-test.run", "^("+strings.Join(names, "|")+")$", "-test.failfast", "-test.timeout", limit.String())
	cmd.Env = append(cmd.Env, "TMPDIR="+dir)
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
		return "", fmt.Errorf("%s: %w", m.pkg.path, err)
	}
	if f := failure.FindSubmatch(out.Bytes()); f != nil {
		return string(f[1]), nil
	}
	return firstLine(out.String()), nil
}

// firstLine is the first line that says something.
func firstLine(s string) string {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return line[:min(len(line), 200)]
		}
	}
	return "no word"
}
