package golden

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"pica200/internal/files"
	"pica200/internal/quote"
)

// Program is a program of docs/HOST.md, built for this machine, as the source
// of a case. The case renders the last frame of its recording.
type Program struct {
	Keys   string // file with key presses, relative to the case file's folder; "" for none
	Slider float64
}

// job makes the renderer's job for a case. For a program it contains the
// recording that the program made.
func (c *Case) job(ctx context.Context, opt Options) (Job, error) {
	job := Job{Source: c.SourcePath(), Frame: c.Frame, T: c.T, Workers: max(1, opt.Workers), Roots: opt.Roots, Strict: opt.Strict}
	if c.Program == nil {
		return job, c.Within(opt.Roots)
	}
	allowed := false
	for _, path := range opt.Run {
		allowed = allowed || files.Same(job.Source, path) != ""
	}
	if !allowed {
		return job, fmt.Errorf("the case runs the program %s, and needs --run %s for that", job.Source, quote.Shell(job.Source))
	}
	var err error
	job.Data, err = c.record(ctx, job)
	return job, err
}

// Within returns an error for a source that may not be read. A case is a file that names another, but suites lie beside what they
// test: the folder that holds the suite and the working directory are roots.
func (c *Case) Within(roots []string) error {
	beside := filepath.Join(c.suite(), "..")
	err := (&files.Named{Dir: filepath.Dir(c.File), Roots: append([]string{beside, "."}, roots...)}).Within(c.Source)
	if err != nil {
		err = fmt.Errorf("%s: source: %w", c.File, err)
	}
	return err
}

// record runs the program of a case to its frame and returns the recording.
func (c *Case) record(ctx context.Context, job Job) ([]byte, error) {
	path, err := filepath.Abs(job.Source)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "pica200-golden")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "program.picatrace")
	args := []string{"--frames", strconv.Itoa(c.Frame + 1), "--record", out, "--workers", strconv.Itoa(job.Workers),
		"--slider", strconv.FormatFloat(c.Program.Slider, 'g', -1, 32)}
	if c.Program.Keys != "" {
		args = append(args, "--keys", filepath.Join(filepath.Dir(c.File), filepath.FromSlash(c.Program.Keys)))
	}
	said := tail{}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Stdout, cmd.Stderr = nil, &said
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("%s: %w: %s", job.Source, err, strings.TrimSpace(string(said)))
	}
	return files.ReadRegular(out, files.Max)
}

// tail keeps the last bytes written to it.
type tail []byte

func (t *tail) Write(p []byte) (int, error) {
	const most = 2048
	*t = append(*t, p...)
	*t = bytes.Clone((*t)[max(0, len(*t)-most):])
	return len(p), nil
}
