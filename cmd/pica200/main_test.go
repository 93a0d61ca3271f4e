package main

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
)

// invoke runs the program in this process without a terminal.
func invoke(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	status = run(context.Background(), newConsole(&out, &err), args)
	return status, out.String(), err.String()
}

func TestExitStatus(t *testing.T) {
	for _, c := range []struct {
		name   string
		args   []string
		status int
		stdout string // substring of the output
		stderr string
	}{
		{"no arguments shows help", nil, exitDone, "Usage: pica200", ""},
		{"help", []string{"--help"}, exitDone, "version", ""},
		{"help of a command", []string{"version", "--help"}, exitDone, "Example", ""},
		{"version", []string{"version"}, exitDone, fmt.Sprintf("%s/%s, %s kernels", runtime.GOOS, runtime.GOARCH, simd.Best), ""},
		{"help as a command", []string{"help", "golden", "run"}, exitDone, "Usage: pica200 golden run", ""},
		{"version as a flag", []string{"--version"}, exitDone, "pica200 (devel), go", ""},
		{"help that is to the point", []string{"golden", "run"}, exitUsage, "", "pica200 golden run --help"},
		{"unknown command", []string{"frobnicate"}, exitUsage, "", "frobnicate"},
		{"unknown flag", []string{"version", "--nope"}, exitUsage, "", "--nope"},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, stdout, stderr := invoke(t, c.args...)
			require.Equal(t, c.status, status, "stderr: %s", stderr)
			require.Contains(t, stdout, c.stdout)
			require.Contains(t, stderr, c.stderr)
		})
	}
}
