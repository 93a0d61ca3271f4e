package golden

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/module"
	"pica200/tests/testkit"
)

// TestGoTestInAnotherModule runs go test in a copy of testdata/example-module, a module that uses this package. It passes unchanged, fails
// with a damaged image and names the pictures' folder, and is repaired by -update. It needs no network.
func TestGoTestInAnotherModule(t *testing.T) {
	testkit.Slow(t)
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("there is no go command to run")
	}
	root := testkit.Must(filepath.Abs(".."))(t)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS(filepath.Join(root, "testdata", "example-module"))))
	mod := testkit.Read(t, filepath.Join(dir, "go.mod"))
	require.Contains(t, string(mod), "replace "+module.Path()+" => ../..")
	mod = []byte(strings.Replace(string(mod), "=> ../..", "=> "+root, 1))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), mod, 0o644))
	sum := testkit.Read(t, filepath.Join(root, "go.sum"))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o644))
	out := t.TempDir()
	test := func(args ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), goTool, append([]string{"test", "-count=1", "./..."}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -mod=mod", "GOPROXY=off", "GOSUMDB=off", "GOWORK=off", "CGO_ENABLED=0", "GOLDEN_OUT="+out)
		text, err := cmd.CombinedOutput()
		return string(text), err
	}

	text, err := test()
	require.NoError(t, err, text)
	require.Contains(t, text, "ok")

	wrong := testkit.Read(t, filepath.Join(dir, "testdata", "golden", "crate-turned.png"))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "testdata", "golden", "crate-color.png"), wrong, 0o644))
	text, err = test()
	require.Error(t, err)
	require.Contains(t, text, "--- FAIL: TestPictures/crate")
	require.Contains(t, text, "pixels differ")
	require.Contains(t, text, filepath.Join(out, "TestPictures", "crate-color-difference.png"))
	require.FileExists(t, filepath.Join(out, "TestPictures", "crate-color-difference.png"))
	require.NotContains(t, text, "FAIL: TestTurned")

	text, err = test("-update")
	require.NoError(t, err, text)
	text, err = test()
	require.NoError(t, err, text)
}
