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

// ends runs the program and requires an exit status.
func ends(t *testing.T, want int, args ...string) (stdout, stderr string) {
	t.Helper()
	status, stdout, stderr := invoke(t, args...)
	require.Equal(t, want, status, "%q: %s%s", args, stdout, stderr)
	return stdout, stderr
}

// ok runs the program, which must succeed, and returns its standard output.
func ok(t *testing.T, args ...string) string {
	t.Helper()
	stdout, _ := ends(t, exitDone, args...)
	return stdout
}

// fails runs the program, which must end with a status and an error that contains a text.
func fails(t *testing.T, want int, says string, args ...string) {
	t.Helper()
	_, stderr := ends(t, want, args...)
	require.Contains(t, stderr, says, "%q", args)
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
			stdout, stderr := ends(t, c.status, c.args...)
			require.Contains(t, stdout, c.stdout)
			require.Contains(t, stderr, c.stderr)
		})
	}
}
