package golden

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"pica200/internal/files"
	"pica200/internal/module"
)

// Job is the work of a renderer.
type Job struct {
	Source  string   // path of a scene, a model or a trace
	Data    []byte   // contents of the source if it was already read; Source is then its name in messages
	Frame   int      // of a trace, from 0; -1 is the last
	T       float64  // animation parameter of a scene or a model
	Targets []string // of Targets
	Workers int      // goroutines that may draw; 0 lets the renderer choose
	Strict  bool     // of a trace: an invalid draw that the console would skip is an error
	Roots   []string // further folders for files of a scene
	// Note, if not nil, is called with what a person should know about the pictures.
	Note func(text string)
	// Explain asks also why draws of a scene leave nothing visible, which takes as long
	// as drawing it a few times.
	Explain bool
}

// Renderer renders the images of a case.
type Renderer interface {
	// Render returns an image for every target of the job.
	Render(ctx context.Context, job Job) (map[string]image.Image, error)
}

// RendererFunc makes a Renderer of a function.
type RendererFunc func(ctx context.Context, job Job) (map[string]image.Image, error)

// Render calls f.
func (f RendererFunc) Render(ctx context.Context, job Job) (map[string]image.Image, error) {
	return f(ctx, job)
}

// Status is the result of a case or an image.
type Status string

// The outcomes.
const (
	Match   Status = "match"     // every image matches an approved one
	Differs Status = "different" // an image matches none, or there is none yet
	Failed  Status = "error"     // the case could not be rendered
	Updated Status = "updated"   // newly approved
)

// ImageResult is the result of one image of a case. Paths are relative to the
// folder of the results.
type ImageResult struct {
	Target     string     `json:"target"`
	Status     Status     `json:"status"`
	Message    string     `json:"message,omitempty"`
	Against    Approved   `json:"against"` // the nearest approved image
	Comparison Comparison `json:"comparison"`
	Tolerance  Tolerance  `json:"tolerance"`
	SHA256     string     `json:"sha256,omitempty"`   // pictureHash of the drawn image
	Replaces   string     `json:"replaces,omitempty"` // pictureHash of the approved image "from self", which an approval replaces
	Change     string     `json:"change,omitempty"`   // identifies the difference; images with the same difference share it
	Expected   string     `json:"expectedImage,omitempty"`
	Actual     string     `json:"actualImage,omitempty"`
	Difference string     `json:"differenceImage,omitempty"`
}

// CaseResult is the result of one case.
type CaseResult struct {
	Name    string        `json:"name"`
	File    string        `json:"file"`
	Source  string        `json:"source"`
	Status  Status        `json:"status"`
	Error   string        `json:"error,omitempty"`
	Bisect  string        `json:"bisect,omitempty"` // result of the bisection
	Notes   []string      `json:"notes,omitempty"`  // of the renderer
	Seconds float64       `json:"seconds"`
	Images  []ImageResult `json:"images,omitempty"`

	lines []int // of the images in the case file
}

// Results is the result of a suite.
type Results struct {
	Dir     string       `json:"dir"`
	Suite   string       `json:"suite,omitempty"`  // digest of the selected cases, before they were divided
	Total   int          `json:"total,omitempty"`  // number of selected cases
	Shard   string       `json:"shard,omitempty"`  // "i/n"
	Version string       `json:"version"`          // of the renderer
	Commit  string       `json:"commit,omitempty"` // tested commit, if the environment has it
	Time    time.Time    `json:"time,omitzero"`    // start of the run, UTC
	Error   string       `json:"error,omitempty"`  // why the suite did not run completely
	Orphans []string     `json:"orphans,omitempty"`
	Cases   []CaseResult `json:"cases"` // in order of name
	// Problems are errors of joining several results: parts that are missing,
	// duplicate or of another suite.
	Problems []string `json:"problems,omitempty"`
}

// Count returns the number of cases with a status.
func (r *Results) Count(s Status) int {
	n := 0
	for i := range r.Cases {
		if r.Cases[i].Status == s {
			n++
		}
	}
	return n
}

// Passed reports whether the suite ran, all cases were rendered and match, and its parts fit together.
func (r *Results) Passed() bool {
	return r.Count(Failed)+r.Count(Differs)+len(r.Problems) == 0 && r.Error == ""
}

// Options configure a run. The zero value runs every case with this project's
// renderer and approves nothing.
type Options struct {
	Renderer Renderer // nil is the renderer of this project
	// Only selects the cases to run, all if empty: NAME, in which * stands for any
	// text and ? for any character, or NAME:TARGET for one image.
	Only []string
	// Shard selects a part of them: "i/n", "auto" or "auto/n" (ResolveShard).
	Shard   string
	Seconds map[string]float64 // times of cases, to make shards of equal length; may be nil
	Jobs    int                // cases at a time; 0 is the number of processors
	Workers int                // workers of the renderer for each case; 0 is 1
	Strict  bool               // a trace with an invalid draw that the console would skip fails its case
	Roots   []string           // further folders for files of scenes
	Run     []string           // programs that cases may run
	// Timeout is the time after which a case fails; 0 is no limit.
	Timeout time.Duration
	Update  bool    // approve what differs as Self
	DryRun  bool    // with Update: only report what would be approved
	Blank   bool    // with Update: approve also colours that are the same everywhere
	Out     string  // folder for the images that differ; empty for none
	Bisect  *Bisect // how to find the first draw that differs; may be nil
	// Progress, if not nil, is called after each case, never concurrently.
	Progress func(done, total int, r *CaseResult)
}

// load reads the suite in dir and selects cases by the options. The results
// describe the selection.
func (o *Options) load(dir string) ([]*Case, *Results, error) {
	res := &Results{Dir: dir, Version: version(), Commit: commit(os.Getenv), Time: time.Now().UTC().Truncate(time.Second)}
	fail := func(err error) ([]*Case, *Results, error) {
		res.Error = err.Error()
		return nil, res, err
	}
	var err error
	if o.Shard, err = ResolveShard(o.Shard, os.Getenv); err != nil {
		return fail(err)
	}
	res.Shard = o.Shard
	cases, pngs, err := loadDir(dir)
	if err != nil {
		return fail(err)
	}
	res.Orphans = orphans(cases, pngs)
	if cases, err = choose(dir, cases, o.Only); err != nil {
		return fail(err)
	}
	res.Suite, res.Total = suiteDigest(cases), len(cases)
	if cases, err = o.divide(cases); err != nil {
		return fail(err)
	}
	return cases, res, nil
}

// commitVariables are environment variables with the tested commit.
var commitVariables = []string{"GITHUB_SHA", "CI_COMMIT_SHA", "CIRCLE_SHA1", "BUILDKITE_COMMIT"}

func commit(getenv func(string) string) string {
	for _, v := range commitVariables {
		if c := getenv(v); c != "" {
			return c
		}
	}
	return ""
}

// RunDir runs the suite in dir. An error means that the suite did not run
// completely; the results contain the error too, so that they can be reported.
// Cases that differ or fail are only in the results.
func RunDir(ctx context.Context, dir string, opt Options) (*Results, error) {
	defer files.Begin().End()
	cases, res, err := opt.load(dir)
	if err != nil {
		return res, err
	}
	res.Cases = make([]CaseResult, len(cases))
	jobs := opt.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	var wg sync.WaitGroup
	add, running := res.adder(opt.Progress), make(chan struct{}, jobs)
	for i, c := range cases {
		running <- struct{}{}
		wg.Go(func() {
			add(i, RunCase(ctx, c, opt))
			<-running
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		res.Error = "the run was ended before all cases were drawn"
		return res, err
	}
	return res, nil
}

// adder returns a function that puts the result of a case into its place, for
// cases that run at the same time.
func (r *Results) adder(progress func(done, total int, r *CaseResult)) func(i int, c CaseResult) {
	var mu sync.Mutex
	done := 0
	return func(i int, c CaseResult) {
		mu.Lock()
		defer mu.Unlock()
		r.Cases[i] = c
		done++
		if progress != nil {
			progress(done, len(r.Cases), &c)
		}
	}
}

// RunCase renders and compares one case.
func RunCase(ctx context.Context, c *Case, opt Options) CaseResult {
	defer files.Begin().End()
	start := time.Now()
	r := CaseResult{Name: c.Name, File: c.File, Source: c.SourcePath(), Status: Match}
	err := c.Err
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		r.Status, r.Error = Failed, err.Error()
		return r
	}
	for _, i := range c.Images {
		r.lines = append(r.lines, i.Line)
	}
	if opt.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, opt.Timeout)
		defer cancel()
	}
	images, err := renderCase(ctx, c, opt, &r)
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) && opt.Timeout > 0 {
			err = fmt.Errorf("%s: not done after %v", c.SourcePath(), opt.Timeout)
		}
		r.Status, r.Error = Failed, err.Error()
		r.Seconds = time.Since(start).Seconds()
		return r
	}
	for _, want := range c.Images {
		ir := judge(c, want, images[want.Target], opt)
		switch {
		case ir.Status == Failed:
			r.Status, r.Error = Failed, ir.Message
		case r.Status == Failed:
		case ir.Status == Differs:
			r.Status = Differs
		case ir.Status == Updated && r.Status == Match:
			r.Status = Updated
		}
		r.Images = append(r.Images, ir)
	}
	if r.Status == Differs && opt.Bisect != nil {
		r.Bisect = opt.Bisect.describe(ctx, c, opt)
	}
	r.Seconds = time.Since(start).Seconds()
	return r
}

func renderCase(ctx context.Context, c *Case, opt Options, r *CaseResult) (images map[string]image.Image, err error) {
	// A renderer that panics fails only its case.
	defer func() {
		if p := recover(); p != nil {
			images, err = nil, fmt.Errorf("rendering %s panicked: %v\n%s", c.SourcePath(), p, debug.Stack())
		}
	}()
	job, err := c.job(ctx, opt)
	if err != nil {
		return nil, err
	}
	for _, i := range c.Images {
		job.Targets = append(job.Targets, i.Target)
	}
	job.Explain = opt.Update
	job.Note = func(text string) {
		if !slices.Contains(r.Notes, text) {
			r.Notes = append(r.Notes, text)
		}
	}
	renderer := opt.Renderer
	if renderer == nil {
		renderer = DefaultRenderer
	}
	images, err = renderer.Render(ctx, job)
	if missing := (*fs.PathError)(nil); errors.As(err, &missing) && missing.Path == c.SourcePath() {
		err = fmt.Errorf("%s: source: %w", c.File, err)
	}
	if err != nil {
		return nil, err
	}
	for _, t := range job.Targets {
		if images[t] == nil {
			return nil, fmt.Errorf("%s has no %s image", c.SourcePath(), t)
		}
	}
	return images, nil
}

// version returns the version of this renderer: the commit it was built from,
// if known.
func version() string {
	info := module.Read()
	return info.Short()
}
