package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"pica200/golden"
	"pica200/internal/files"
	"pica200/internal/plural"
	"pica200/internal/quote"
)

type goldenCmd struct {
	Run      goldenRunCmd      `cmd:"" help:"Render a suite and compare it with its approved images."`
	New      goldenNewCmd      `cmd:"" help:"Write a case for a scene, model or trace, and approve its picture."`
	Update   goldenUpdateCmd   `cmd:"" help:"Approve the current renderings of a suite."`
	Approve  goldenApproveCmd  `cmd:"" help:"Approve pictures of a report, also one from another machine."`
	Report   goldenReportCmd   `cmd:"" help:"Merge the results of several runs (shards) into one report."`
	History  goldenHistoryCmd  `cmd:"" help:"List which picture changed at which commit."`
	Draws    goldenDrawsCmd    `cmd:"" help:"Print a hash of the render target after each draw, as lines of JSON."`
	Console  goldenConsoleCmd  `cmd:"" help:"Check results from a console: list the rules that they confirm or refute."`
	Homebrew goldenHomebrewCmd `cmd:"" help:"Write the C source of the console program that makes results for golden console."`
}

func (goldenCmd) Help() string {
	return `A suite is a folder of case files (*.case.yaml). Each case names a
scene, a model or a trace, and its approved images; see docs/GOLDEN.md.

Exit status: 0 all match; 1 pictures differ, a case could not be read or
rendered, or shards are missing or inconsistent; 2 wrong command line.`
}

// goldenSelect are the options that run and update share.
type goldenSelect struct {
	Dir      string        `arg:"" piped:"no" help:"Folder of the suite."`
	Only     []string      `sep:"none" placeholder:"NAME" help:"Only the case with this name, or cases that match a pattern with * and ?; NAME:TARGET is one image of a case. May be repeated."`
	Shard    string        `placeholder:"I/N" help:"Only part I of N of the suite, from 1; auto takes both numbers from the CI system, auto/N only I."`
	Times    string        `piped:"no" placeholder:"FILE" help:"Results of an earlier run (results.json, or its folder): used to make shards that take equally long."`
	Jobs     int           `default:"0" placeholder:"N" help:"Number of cases that run at the same time; 0 for one per CPU."`
	Workers  int           `default:"1" placeholder:"N" help:"Number of threads that draw each case."`
	Programs []string      `name:"run" sep:"none" placeholder:"PROGRAM" help:"Program that cases may run (docs/HOST.md). May be repeated."`
	Strict   bool          `help:"Fail cases of traces with an invalid draw, fetch or copy that the console would skip."`
	JSON     bool          `help:"Print the results as JSON."`
	Quiet    bool          `short:"q" help:"Print nothing but differences and errors."`
	Timeout  time.Duration `placeholder:"TIME" help:"Stop a case after this time, for example 30s or 5m; it then counts as failed to render."`
	rootFlags
}

// blankFlag is the option of commands that approve what they draw.
type blankFlag struct {
	Blank bool `help:"Approve also a picture in which every pixel is the same."`
}

type goldenRunCmd struct {
	goldenSelect
	Out    string `short:"o" placeholder:"DIR" help:"Folder for the report: index.html with expected, actual and difference, results.json, junit.xml."`
	Bisect string `placeholder:"HOW" help:"For each case that differs, name the first draw whose target differs from a rendering with workers=N, kernels=go or binary=PATH."`
}

func (s *goldenSelect) options(con *console, total *int) (golden.Options, func()) {
	var b *bar
	o := golden.Options{Only: s.Only, Jobs: s.Jobs, Workers: s.Workers, Roots: s.Root, Timeout: s.Timeout, Strict: s.Strict, Run: s.Programs}
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

// run runs the suite. The results are nil if there is nothing to report.
func (s *goldenSelect) run(ctx context.Context, con *console, o golden.Options) (*golden.Results, error) {
	var err error
	if o.Shard, err = golden.ResolveShard(s.Shard, os.Getenv); err != nil {
		return nil, usagef("%v", err)
	}
	if err := isFolder(s.Dir, "; a suite is a folder of case files"); err != nil {
		return nil, err
	}
	if s.Times != "" {
		last, err := golden.ReadResults(s.Times)
		if err != nil {
			return nil, fmt.Errorf("--times: %w", err)
		}
		o.Seconds = last.Seconds()
	}
	return golden.RunDir(ctx, s.Dir, o)
}

func (goldenRunCmd) Help() string {
	return `Examples:

  pica200 golden run testdata/golden
  pica200 golden run testdata/golden --out report/ --shard 1/4
  pica200 golden run testdata/golden --only 'geometry-*' --only lit:depth`
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
	o.Out = c.Out
	res, err := c.run(ctx, con, o)
	finish()
	if c.Out != "" && res != nil {
		// Also of a suite that could not be run: a report of an earlier run
		// would pass for that of this one.
		if err := res.WriteReports(c.Out); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	if c.JSON {
		return asJSON(con, res)
	}
	printResults(con, res, c.Quiet)
	if c.Out != "" && !c.Quiet {
		fmt.Fprintf(con.out, "The report is %s\n", filepath.Join(c.Out, golden.HTMLFile))
	}
	return status(res)
}

// asJSON is status after printing the results as JSON.
func asJSON(con *console, res *golden.Results) error {
	if err := printJSON(con.out, res); err != nil {
		return err
	}
	return status(res)
}

// printResults prints what did not match, those that differ in the same way
// together, and the counts.
func printResults(con *console, res *golden.Results, quiet bool) {
	for _, g := range res.Groups() {
		first := g.Members[0]
		fmt.Fprintf(con.out, "%-9s %s", first.Case.Status, first.Case.Name)
		if first.Image == nil {
			fmt.Fprintf(con.out, ": %s", first.Case.Error)
		}
		fmt.Fprintln(con.out)
		if first.Case.Bisect != "" {
			fmt.Fprintf(con.out, "          %s\n", first.Case.Bisect)
		}
		if first.Image != nil {
			fmt.Fprintf(con.out, "          %s: %s\n", first.Image.Target, first.Image.Message)
		}
		const most = 5
		if n := len(g.Members) - 1; n > 0 {
			fmt.Fprintf(con.out, "          the same in %d more:", n)
			for i, m := range g.Members[1:] {
				if i == most {
					fmt.Fprintf(con.out, " and %d others", n-most)
					break
				}
				fmt.Fprintf(con.out, " %s", m.Case.Name)
			}
			fmt.Fprintln(con.out)
		}
	}
	for i := range res.Cases {
		r := &res.Cases[i]
		for _, n := range r.Notes {
			if !quiet {
				fmt.Fprintf(con.err, "note: %s: %s\n", r.Name, quote.Lines(n))
			}
		}
		if r.Status == golden.Updated {
			fmt.Fprintf(con.out, "%-9s %s\n", r.Status, r.Name)
			for _, img := range r.Images {
				if img.Status == golden.Updated && img.Message != "" {
					fmt.Fprintf(con.out, "          %s: %s\n", img.Target, img.Message)
				}
			}
		}
	}
	for _, p := range res.Problems {
		fmt.Fprintf(con.out, "problem   %s\n", p)
	}
	if quiet {
		return
	}
	for _, o := range res.Orphans {
		fmt.Fprintf(con.out, "unused    %s belongs to no case\n", o)
	}
	fmt.Fprintf(con.out, "%s: %d match, %d differ, %d updated, %d could not render\n", plural.Of(len(res.Cases), "case"),
		res.Count(golden.Match), res.Count(golden.Differs), res.Count(golden.Updated), res.Count(golden.Failed))
}

// status returns the error with the exit status for the results.
func status(res *golden.Results) error {
	if res.Passed() {
		return nil
	}
	return errFound
}

// isFolder returns an error, which ends in hint, for what is not a folder.
func isFolder(path, hint string) error {
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is not a folder", path)
	}
	if err != nil {
		err = fmt.Errorf("%w%s", err, hint)
	}
	return err
}

type goldenUpdateCmd struct {
	goldenSelect
	blankFlag
	DryRun bool `help:"Print what would be approved, and write nothing."`
}

func (goldenUpdateCmd) Help() string {
	return `Examples:

  pica200 golden update testdata/golden --only shadow --dry-run`
}

func (c goldenUpdateCmd) Run(ctx context.Context, con *console) error {
	total := 0
	o, finish := c.options(con, &total)
	o.Update, o.DryRun, o.Blank = true, c.DryRun, c.Blank
	res, err := c.run(ctx, con, o)
	finish()
	if err != nil {
		return err
	}
	if c.JSON {
		return asJSON(con, res)
	}
	printResults(con, res, c.Quiet)
	if c.DryRun && !c.Quiet {
		fmt.Fprintln(con.out, "nothing was written (--dry-run)")
	}
	return status(res)
}

type goldenApproveCmd struct {
	Report string   `arg:"" piped:"no" help:"Report of a run: its results.json, or the folder with it."`
	Suite  string   `placeholder:"DIR" help:"Folder of the suite. Without it: the one in the report, if it is below the working directory."`
	Only   []string `sep:"none" placeholder:"NAME" help:"Only the case with this name, or cases that match a pattern with * and ?; NAME:TARGET is one image of a case. May be repeated."`
	DryRun bool     `help:"Print what would be approved, and write nothing."`
	Blank  bool     `help:"Approve also a picture in which every pixel is the same."`
	JSON   bool     `help:"Print the results as JSON."`
	Quiet  bool     `short:"q" help:"Print only what could not be approved."`
}

func (goldenApproveCmd) Help() string {
	return `Replaces approved pictures (those "from: self") with the pictures of a
report, for example one downloaded from CI. The report says which cases differ;
the case files of the suite say which files are written. A picture is rejected
if it is not the one that the run drew, or if the approved image has changed
since the run.

Examples:

  pica200 golden approve report/
  pica200 golden approve report/results.json --suite testdata/golden --only shadow:color
  pica200 golden approve report/ --dry-run`
}

func (c goldenApproveCmd) Run(ctx context.Context, con *console) error {
	dir := c.Suite
	if dir == "" {
		report, err := golden.ReadResults(c.Report)
		if err != nil {
			return err
		}
		if !filepath.IsLocal(report.Dir) || (&files.Named{Dir: "."}).Within(report.Dir) != nil {
			return usagef("the report is of the suite %q, which does not lie below this folder; --suite says where it is", report.Dir)
		}
		dir = report.Dir
	}
	if err := isFolder(dir, "; --suite says where the suite is"); err != nil {
		return err
	}
	res, err := golden.Approve(ctx, c.Report, dir, golden.ApproveOptions{Only: c.Only, DryRun: c.DryRun, Blank: c.Blank})
	if err != nil {
		return err
	}
	if c.JSON {
		return asJSON(con, res)
	}
	updated := res.Count(golden.Updated)
	if c.Quiet {
		res.Cases = slices.DeleteFunc(res.Cases, func(r golden.CaseResult) bool { return r.Status == golden.Updated })
	}
	printResults(con, res, true)
	if !c.Quiet {
		fmt.Fprintf(con.out, "%s: %s approved, %d were already, %d could not be\n", dir, plural.Of(updated, "case"), res.Count(golden.Match), res.Count(golden.Failed)+res.Count(golden.Differs))
		if c.DryRun {
			fmt.Fprintln(con.out, "nothing was written (--dry-run)")
		}
	}
	return status(res)
}

type goldenReportCmd struct {
	Dirs []string `arg:"" piped:"no" help:"Folders written by \"golden run --out\", or folders that contain them."`
	Out  string   `short:"o" required:"" placeholder:"DIR" help:"Folder for the report."`
	JSON bool     `help:"Print the results as JSON."`
}

func (goldenReportCmd) Help() string {
	return `Examples:

  pica200 golden report shard1/ shard2/ --out all/`
}

func (c goldenReportCmd) Run(con *console) error {
	res, err := golden.Join(c.Out, c.Dirs...)
	if err != nil {
		return err
	}
	if err := res.WriteReports(c.Out); err != nil {
		return err
	}
	if c.JSON {
		return asJSON(con, res)
	}
	printResults(con, res, false)
	fmt.Fprintf(con.out, "The report is %s\n", filepath.Join(c.Out, golden.HTMLFile))
	return status(res)
}

type goldenHistoryCmd struct {
	Dir  string `arg:"" piped:"no" help:"Folder of a suite in git, or of results of runs (*.json, in folders below too)."`
	Only string `placeholder:"NAME" help:"Only pictures with this name, or that match a pattern with * and ?."`
	JSON bool   `help:"Print the history as JSON."`
}

func (goldenHistoryCmd) Help() string {
	return `For a suite in git it lists the commits at which approved pictures
changed, both pictures in files and those of which case files have only the
hash. For a folder with results of runs, one or more for each commit, it lists
the commits at which the program drew something else, approved or not. Pictures
that never changed are only counted.

Examples:

  pica200 golden history testdata/golden
  pica200 golden history testdata/golden --only 'shadow*' --json
  pica200 golden history runs/`
}

func (c goldenHistoryCmd) Run(ctx context.Context, con *console) error {
	if err := isFolder(c.Dir, ""); err != nil {
		return err
	}
	var h *golden.History
	var err error
	if _, notSuite := golden.LoadDir(c.Dir); notSuite == nil {
		h, err = golden.HistoryOfCommits(ctx, c.Dir)
	} else {
		h, err = golden.HistoryOfRuns(c.Dir)
	}
	if err != nil {
		return err
	}
	if c.Only != "" {
		h.Changes = slices.DeleteFunc(h.Changes, func(ch golden.Change) bool { return !golden.Matches(c.Only, ch.Picture) })
	}
	if c.JSON {
		return printJSON(con.out, h)
	}
	short := func(hash, none string) string {
		if hash == "" {
			return none
		}
		return fmt.Sprintf("%.12s", hash)
	}
	changed, last := 0, ""
	for i, ch := range h.Changes {
		if i == 0 || ch.Picture != last {
			fmt.Fprintln(con.out, ch.Picture)
			last = ch.Picture
			changed++
		}
		fmt.Fprintf(con.out, "  %s  %.12s  %s -> %s  %s\n", ch.Time.Format("2006-01-02 15:04Z"), ch.Commit, short(ch.Was, "none"), short(ch.Is, "removed"), ch.Subject)
	}
	for _, p := range h.Problems {
		fmt.Fprintf(con.err, "warning: %s\n", p)
	}
	if c.Only == "" {
		fmt.Fprintf(con.out, "%d of %d pictures changed over %d commits\n", changed, h.Pictures, h.Commits)
	}
	return nil
}

type goldenDrawsCmd struct {
	Source  string  `arg:"" help:"Scene, model, shader or trace; - for standard input."`
	Frame   int     `default:"-1" placeholder:"N" help:"Of a trace: the last frame that is drawn, from 0; -1 for all."`
	Time    float64 `default:"0" placeholder:"SECONDS" help:"Of a scene or model: the time of its animation."`
	Workers int     `default:"1" placeholder:"N" help:"Number of threads that draw."`
	rootFlags
}

func (goldenDrawsCmd) Help() string {
	return `"golden run --bisect binary=PATH" runs this command of the other
program. docs/GOLDEN.md describes the output for authors of such programs.

Examples:

  pica200 golden draws scene.yaml
  pica200 golden draws game.ctf --frame 1
  pica200 demo -o - | pica200 golden draws - --frame 0`
}

func (c goldenDrawsCmd) Run(ctx context.Context, con *console) error {
	h := golden.DefaultRenderer.(golden.DrawHasher)
	job := golden.Job{Source: c.Source, Frame: c.Frame, T: c.Time, Workers: c.Workers, Roots: c.Root}
	if c.Source == "-" {
		data, err := con.read(c.Source)
		if err != nil {
			return err
		}
		job.Source, job.Data = stdinName, data
	}
	hashes, err := h.DrawHashes(ctx, job, golden.Variant{})
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
