package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"pica200/golden"
)

type goldenCmd struct {
	Run      goldenRunCmd      `cmd:"" help:"Render a suite and compare it with its approved images."`
	Update   goldenUpdateCmd   `cmd:"" help:"Approve what a suite renders now."`
	Report   goldenReportCmd   `cmd:"" help:"Put the results of several runs, shards say, into one report."`
	Console  goldenConsoleCmd  `cmd:"" help:"Say which rules the results of a console confirm or refute."`
	Homebrew goldenHomebrewCmd `cmd:"" help:"Write the console's program that makes such results, as C."`
	Draws    goldenDrawsCmd    `cmd:"" hidden:"" help:"Print a hash of the render target after each draw, a line of JSON each."`
}

func (goldenCmd) Help() string {
	return `A suite is a folder of case files (*.case.yaml), each naming a scene, a model or
a trace and the approved images of it; see docs/GOLDEN.md.

Exit status: 0 all match, 1 differences, 2 usage, 3 a case could not render
or could not be read.

Examples:

  pica200 golden run testdata/golden
  pica200 golden run testdata/golden --out report/ --shard 1/4
  pica200 golden update testdata/golden --only shadow
  pica200 golden report shard1/ shard2/ --out all/`
}

// goldenSelect are the choices that run and update share.
type goldenSelect struct {
	Dir     string        `arg:"" help:"Folder of the suite."`
	Only    string        `placeholder:"TEXT" help:"Only cases with TEXT in their name."`
	Shard   string        `placeholder:"I/N" help:"Only the I-th of N parts of the suite, from 1."`
	Jobs    int           `default:"0" placeholder:"N" help:"Cases at a time; 0 for one per CPU."`
	Workers int           `default:"1" placeholder:"N" help:"Goroutines that draw each case."`
	Strict  bool          `help:"Fail the case of a trace that does what the console would get over with a draw, a fetch or a copy left out."`
	Quiet   bool          `short:"q" help:"Print nothing but differences and errors."`
	Timeout time.Duration `placeholder:"TIME" help:"Give a case up after this time, 30s or 5m say; it could not render then."`
	rootFlags
}

type goldenRunCmd struct {
	goldenSelect
	Out    string `placeholder:"DIR" help:"Folder for the report: index.html with expected, actual and difference, results.json, junit.xml."`
	Bisect string `placeholder:"HOW" help:"For each case that differs, name the first draw whose target differs from a rendering with workers=N, kernels=go or binary=PATH."`
	JSON   bool   `help:"Print the results as JSON."`
}

func (s *goldenSelect) options(con *console, total *int) (golden.Options, func()) {
	var b *bar
	o := golden.Options{Only: s.Only, Shard: s.Shard, Jobs: s.Jobs, Workers: s.Workers, Roots: s.Root, Timeout: s.Timeout, Strict: s.Strict}
	o.Progress = func(done, n int, r *golden.CaseResult) {
		if b == nil {
			made := newBar(con, s.Quiet, n, "cases")
			b = &made
		}
		*total = n
		b.step(done)
	}
	return o, func() {
		if b != nil {
			b.done()
		}
	}
}

// run runs the suite. Errors have an exit status of their own: 1 says that
// pictures differ.
func (s *goldenSelect) run(ctx context.Context, o golden.Options) (*golden.Results, error) {
	if s.Shard != "" {
		if _, _, err := golden.ParseShard(s.Shard); err != nil {
			return nil, usagef("%v", err)
		}
	}
	if s.Jobs < 0 || s.Workers < 0 || s.Timeout < 0 {
		return nil, usagef("--jobs, --workers and --timeout must not be negative")
	}
	if info, err := os.Stat(s.Dir); err != nil {
		return nil, usagef("%v", err)
	} else if !info.IsDir() {
		return nil, usagef("%s is not a folder; a suite is a folder of case files", s.Dir)
	}
	res, err := golden.RunDir(ctx, s.Dir, o)
	if err != nil {
		return nil, &exitError{3, err}
	}
	return res, nil
}

func (c goldenRunCmd) Run(ctx context.Context, con *console) error {
	total := 0
	o, finish := c.options(con, &total)
	if c.Bisect != "" {
		b, err := golden.ParseBisect(c.Bisect)
		if err != nil {
			return usagef("%v", err)
		}
		o.Bisect = b
	}
	if err := notStdout("--out", c.Out); err != nil {
		return err
	}
	o.Out = c.Out
	res, err := c.run(ctx, o)
	finish()
	if err != nil {
		return err
	}
	if c.Out != "" {
		if err := res.WriteReports(c.Out); err != nil {
			return err
		}
	}
	if c.JSON {
		enc := json.NewEncoder(con.out)
		enc.SetIndent("", "  ")
		if err := enc.Encode(res); err != nil {
			return err
		}
	} else {
		printResults(con, res, c.Quiet)
		if c.Out != "" && !c.Quiet {
			fmt.Fprintf(con.out, "The report is %s\n", filepath.Join(c.Out, "index.html"))
		}
	}
	if s := res.ExitStatus(); s != 0 {
		return &exitError{status: s}
	}
	return nil
}

// printResults prints what did not match, and the counts.
func printResults(con *console, res *golden.Results, quiet bool) {
	for i := range res.Cases {
		r := &res.Cases[i]
		if r.Status == golden.Match {
			continue
		}
		fmt.Fprintf(con.out, "%-9s %s", r.Status, r.Name)
		if r.Error != "" {
			fmt.Fprintf(con.out, ": %s", r.Error)
		}
		fmt.Fprintln(con.out)
		if r.Bisect != "" {
			fmt.Fprintf(con.out, "          %s\n", r.Bisect)
		}
		for _, img := range r.Images {
			if img.Status != golden.Match && img.Message != "" {
				fmt.Fprintf(con.out, "          %s: %s\n", img.Target, img.Message)
			}
		}
	}
	if !quiet {
		fmt.Fprintf(con.out, "%d cases: %d match, %d differ, %d updated, %d could not render\n", len(res.Cases),
			res.Count(golden.Match), res.Count(golden.Differs), res.Count(golden.Updated), res.Count(golden.Failed))
	}
}

type goldenUpdateCmd struct {
	goldenSelect
}

func (c goldenUpdateCmd) Run(ctx context.Context, con *console) error {
	total := 0
	o, finish := c.options(con, &total)
	o.Update = true
	res, err := c.run(ctx, o)
	finish()
	if err != nil {
		return err
	}
	printResults(con, res, c.Quiet)
	if s := res.ExitStatus(); s != 0 {
		return &exitError{status: s}
	}
	return nil
}

type goldenReportCmd struct {
	Dirs []string `arg:"" help:"Folders that \"golden run --out\" wrote."`
	Out  string   `required:"" placeholder:"DIR" help:"Folder for the report."`
}

func (c goldenReportCmd) Run(con *console) error {
	if err := notStdout("--out", c.Out); err != nil {
		return err
	}
	for _, dir := range c.Dirs {
		con.reads(dir, filepath.Join(dir, golden.ResultsFile))
	}
	for _, name := range []string{golden.ResultsFile, golden.JUnitFile, golden.HTMLFile} {
		if err := con.mayWrite(filepath.Join(c.Out, name)); err != nil {
			return err
		}
	}
	res, err := golden.ReadResults(c.Out, c.Dirs...)
	if err != nil {
		return err
	}
	if err := res.WriteReports(c.Out); err != nil {
		return err
	}
	fmt.Fprintf(con.out, "%d cases: the report is %s\n", len(res.Cases), filepath.Join(c.Out, "index.html"))
	return nil
}

type goldenDrawsCmd struct {
	Source  string  `arg:""`
	Frame   int     `default:"-1"`
	Time    float64 `default:"0"`
	Workers int     `default:"1"`
	rootFlags
}

func (c goldenDrawsCmd) Run(ctx context.Context, con *console) error {
	h := golden.DefaultRenderer.(golden.DrawHasher)
	hashes, err := h.DrawHashes(ctx, golden.Job{Source: c.Source, Frame: c.Frame, T: c.Time, Workers: c.Workers, Roots: c.Root}, golden.Variant{})
	if err != nil {
		return err
	}
	enc := json.NewEncoder(con.out)
	for i := range hashes {
		if err := enc.Encode(&hashes[i]); err != nil {
			return err
		}
	}
	return nil
}
