//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/golden"
	"pica200/tests/testkit"
)

// TestChangedKernelBitIsFound builds the program with one changed bit in one kernel: the suite fails, the report shows where, and bisection
// against the good program names the draw.
func TestChangedKernelBitIsFound(t *testing.T) {
	testkit.Slow(t)
	t.Parallel() // runs beside other slow tests
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("there is no go command on the PATH")
	}
	kernel := testkit.Must(filepath.Abs("../../fragment/combine.go"))(t)
	text := testkit.Read(t, kernel)
	const good = "v := ((uint32(a[i])^xa)*(uint32(b[i])^xb) + texEnvRounding) / 255"
	require.Equal(t, 1, bytes.Count(text, []byte(good)), "the line of the multiplying combiner kernel exists once")
	dir := t.TempDir()
	changed := filepath.Join(dir, "combine.go")
	require.NoError(t, os.WriteFile(changed, bytes.Replace(text, []byte(good), []byte(good+" ^ 1"), 1), 0o644))
	overlay := testkit.Must(json.Marshal(map[string]map[string]string{"Replace": {kernel: changed}}))(t)
	list := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(list, overlay, 0o644))

	goodBin, err := os.Executable() // runs as the program if asProgram is set
	require.NoError(t, err)
	badBin := filepath.Join(dir, "bad")
	cmd := exec.Command(goTool, "build", "-o", badBin, "-overlay", list, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	run := func(bin string, args ...string) (int, string) {
		cmd := exec.Command(bin, append([]string{"golden", "run", suite, "--only", "lit", "-q"}, args...)...)
		// The changed kernel is the plain one.
		cmd.Env = append(os.Environ(), "PICA200_NOSIMD=1", asProgram+"=1")
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			require.NoError(t, err)
		}
		return cmd.ProcessState.ExitCode(), string(out)
	}
	status, said := run(goodBin)
	require.Equal(t, 0, status, said)

	report := filepath.Join(dir, "report")
	status, said = run(badBin, "--out", report, "--bisect", "binary="+goodBin)
	require.Equal(t, 1, status, said)
	var res golden.Results
	require.NoError(t, json.Unmarshal(testkit.Read(t, filepath.Join(report, golden.ResultsFile)), &res))
	found := false
	for _, c := range res.Cases {
		if c.Name != "lit" {
			continue
		}
		found = true
		require.Equal(t, golden.Differs, c.Status)
		require.Contains(t, c.Bisect, "the first draw whose target differs (colour) is draw 0 of frame 0 (floor (line 20))")
		img := c.Images[0]
		require.Positive(t, img.Comparison.Exceeding)
		require.False(t, img.Comparison.Bounds.Empty(), "the report has the bounds of the difference")
		require.FileExists(t, filepath.Join(report, img.Difference))
	}
	require.True(t, found)
	require.Contains(t, mustRead(t, filepath.Join(report, golden.HTMLFile)), "floor (line 20)")
}
