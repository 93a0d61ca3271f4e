package mutants

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	run   = flag.Bool("mutants", false, "make every mutant and see that its test fails")
	which = flag.String("which", "", `only mutants that match, written as "7, Subnormal uniforms are not flushed"`)
)

const root = "../.."

// TestTable holds the table to the source.
func TestTable(t *testing.T) {
	require.GreaterOrEqual(t, len(Table), 39)
	tests := map[string]bool{}
	for _, m := range Table {
		require.NotEqual(t, m.Old, m.New, m.What)
		if runtime.GOARCH != "amd64" && strings.Contains(m.File, "amd64") {
			continue
		}
		require.Equal(t, 1, strings.Count(m.source(t), m.Old), "%s: what it changes must stand in %s once:\n%s", m.What, m.File, m.Old)
		tests[m.Package+" "+m.Test] = true
	}
	for at := range tests {
		dir, name, _ := strings.Cut(at, " ")
		require.True(t, declared(t, filepath.Join(root, dir), name), "there is no %s in %s", name, dir)
	}
}

// declared looks for a test in the test files of a folder.
func declared(t *testing.T, dir, name string) bool {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	require.NoError(t, err)
	for _, f := range files {
		b, err := os.ReadFile(f)
		require.NoError(t, err)
		if bytes.Contains(b, []byte("func "+name+"(t *testing.T)")) {
			return true
		}
	}
	return false
}

func (m *Mutant) source(t *testing.T) string {
	b, err := os.ReadFile(filepath.Join(root, m.File))
	require.NoError(t, err)
	return string(b)
}

// TestMutants makes the mutants. Each test must pass on the source as it is.
func TestMutants(t *testing.T) {
	if !*run {
		t.Skip("runs with -mutants alone")
	}
	only := regexp.MustCompile(*which)
	killed, all := 0, 0
	passes := map[string]bool{}
	for i := range Table {
		m := &Table[i]
		if !only.MatchString(fmt.Sprintf("%d, %s", i+1, m.What)) {
			continue
		}
		all++
		at := m.Package + " " + m.Test
		if !passes[at] {
			ok, out := m.test(t, "")
			require.True(t, ok, "%s fails on the source as it is:\n%s", at, out)
			passes[at] = true
		}
		dir := t.TempDir()
		changed := filepath.Join(dir, filepath.Base(m.File))
		require.NoError(t, os.WriteFile(changed, []byte(strings.Replace(m.source(t), m.Old, m.New, 1)), 0o600))
		file, err := filepath.Abs(filepath.Join(root, m.File))
		require.NoError(t, err)
		overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{file: changed}})
		require.NoError(t, err)
		path := filepath.Join(dir, "overlay.json")
		require.NoError(t, os.WriteFile(path, overlay, 0o600))
		ok, out := m.test(t, path)
		switch {
		case ok:
			t.Errorf("%d, %s: %s passes all the same; of all tests around it there fail: %s", i+1, m.What, at, m.others(t, path))
		case !strings.Contains(out, "--- FAIL") && !strings.Contains(out, "panic:") && !strings.Contains(out, "fatal error:"):
			t.Errorf("%d, %s: is not built:\n%s", i+1, m.What, out)
		default:
			killed++
			t.Logf("%d, %s: %s fails", i+1, m.What, at)
		}
	}
	t.Logf("%d of %d mutants are noticed", killed, all)
}

// test runs the mutant's test with an overlay. It reports whether the test
// passed, and what it printed.
func (m *Mutant) test(t *testing.T, overlay string) (bool, string) {
	t.Helper()
	args := []string{"test", m.Package, "-run", "^" + m.Test + "$", "-count=1", "-failfast", "-timeout", "10m"}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	// The first hundred seeds notice most of them: the rest is for those that
	// they do not.
	counts := []string{""}
	if m.Test == states {
		counts = []string{"100", "600", "2000"}
		if overlay == "" {
			counts = counts[:2]
		}
	}
	for _, n := range counts {
		run := args
		if n != "" {
			run = append(append([]string{}, args...), "-states", n)
		}
		cmd := exec.Command("go", run...)
		cmd.Dir = root
		out, err := cmd.CombinedOutput()
		if err != nil {
			return false, string(out)
		}
	}
	return true, ""
}

// others names the tests of the changed package and of the GPU that fail with an
// overlay.
func (m *Mutant) others(t *testing.T, overlay string) string {
	t.Helper()
	cmd := exec.Command("go", "test", "./"+filepath.Dir(m.File), gpu, "-short", "-count=1", "-timeout", "10m", "-overlay", overlay)
	cmd.Dir = root
	out, _ := cmd.CombinedOutput() // what fails is in it
	found := regexp.MustCompile(`(?m)^--- FAIL: (\S+)`).FindAllStringSubmatch(string(out), -1)
	names := []string{}
	for _, f := range found {
		names = append(names, f[1])
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
