//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// program runs the whole program in its own process.
func program(t *testing.T, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	return cmd
}

// wait returns the exit status of a process, -1 for a signal, and fails after a minute.
func wait(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	watchdog := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	err := cmd.Wait()
	require.True(t, watchdog.Stop(), "the program must end in time")
	var e *exec.ExitError
	if err != nil {
		require.True(t, errors.As(err, &e), "%v", err)
	}
	return cmd.ProcessState.ExitCode()
}

// gone is a pipe without a reader.
type gone struct{}

func (gone) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// Every command fails if the reader of its output is gone.
func TestEveryCommandWithAClosedPipe(t *testing.T) {
	testkit.Slow(t)
	each(t, nil, func(t *testing.T, c *command, in, out string) {
		if _, stdout, _ := invoke(t, c.args(in, out)...); stdout == "" {
			return // no output
		}
		require.NoError(t, os.RemoveAll(out))
		var stderr bytes.Buffer
		require.NotZero(t, run(context.Background(), newConsole(gone{}, &stderr), c.args(in, out)))
		for _, name := range listFiles(t, filepath.Dir(out)) {
			require.True(t, strings.HasPrefix(name, "out"), "%s is left behind", name)
		}
	})
}

// With a closed pipe a process ends by SIGPIPE or with a failure, and prints nothing, for text, data and JSON.
func TestProcessWithAClosedPipe(t *testing.T) {
	dir := inputs(t)
	for _, line := range []string{"inspect t.ctf", "render t.ctf -o -", "golden run suite --json", "explain t.ctf 40 40"} {
		t.Run(line, func(t *testing.T) {
			r, w, err := os.Pipe()
			require.NoError(t, err)
			r.Close()
			cmd := program(t, strings.Fields(line)...)
			cmd.Dir = dir
			stderr := &bytes.Buffer{}
			cmd.Stdout, cmd.Stderr = w, stderr
			require.NoError(t, cmd.Start())
			w.Close()
			require.NotZero(t, wait(t, cmd))
			require.NotRegexp(t, crash, stderr.String())
		})
	}
}

// An interrupt ends every command, even while it waits for a pipe without a writer, and leaves no temporary file.
func TestEveryCommandEndsWhenInterrupted(t *testing.T) {
	testkit.Slow(t)
	dir := inputs(t)
	var rows []*command
	for i := range commandRows {
		c := &commandRows[i]
		info := testkit.Must(os.Stat(filepath.Join(dir, c.in)))(t)
		if c.gone == "" && c.in != "" && !info.IsDir() {
			rows = append(rows, c)
		}
	}
	const together = 48 // the processes wait for the grace period and need no processor
	for some := range slices.Chunk(rows, together) {
		type started struct {
			dir    string
			cmd    *exec.Cmd
			stderr bytes.Buffer
		}
		all := make([]started, len(some))
		for i, c := range some {
			s := &all[i]
			s.dir = t.TempDir()
			pipe := filepath.Join(s.dir, "pipe-"+c.in)
			require.NoError(t, syscall.Mkfifo(pipe, 0o600))
			s.cmd = program(t, c.args(pipe, filepath.Join(s.dir, "out"))...)
			s.cmd.Stderr = &s.stderr
			require.NoError(t, s.cmd.Start())
		}
		time.Sleep(3 * time.Second)
		for i := range all {
			_ = all[i].cmd.Process.Signal(os.Interrupt) // it may already have exited
		}
		for i, c := range some {
			s := &all[i]
			t.Run(c.line+" "+c.in, func(t *testing.T) {
				require.Equal(t, exitFailed, wait(t, s.cmd), s.stderr.String())
				require.Equal(t, []string{"pipe-" + c.in}, listFiles(t, s.dir))
			})
		}
	}
}

// An interrupted render leaves only complete pictures.
func TestInterruptedRender(t *testing.T) {
	dir := t.TempDir()
	trace := filepath.Join(dir, "long.ctf")
	ok(t, "demo", "-o", trace, "--frames", "40")
	out := filepath.Join(dir, "out")
	cmd := program(t, "render", trace, "-o", out+"/")
	text := &bytes.Buffer{}
	cmd.Stderr = text
	require.NoError(t, cmd.Start())
	require.Eventually(t, func() bool { entries, _ := os.ReadDir(out); return len(entries) > 3 }, 30*time.Second, 10*time.Millisecond)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	require.Equal(t, exitFailed, wait(t, cmd))
	require.Equal(t, "pica200: interrupted\n", text.String())
	complete(t, out, exitFailed)
}
