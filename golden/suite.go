package golden

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"pica200/internal/module"
)

// Job is what a renderer is asked for.
type Job struct {
	Source  string   // path of a scene, a model or a trace
	Data    []byte   // of the source, where it was read already: Source is what messages call it
	Frame   int      // of a trace, from 0; -1 is the last
	T       float64  // animation parameter of a scene or a model
	Targets []string // of Targets
	Workers int      // goroutines that may draw; 0 is the renderer's choice
	Strict  bool     // of a trace: what the console would get over is an error
	Roots   []string // where files may lie that a scene names, besides its folder
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

// Status is how a case or an image came out.
type Status string

// The outcomes.
const (
	Match   Status = "match"     // every image matches an approved one
	Differs Status = "different" // an image matches none, or there is none yet
	Failed  Status = "error"     // the case could not be rendered
	Updated Status = "updated"   // approved anew
)

// ImageResult is the outcome of one image of a case. Paths are relative to the
// folder of the results.
type ImageResult struct {
	Target     string     `json:"target"`
	Status     Status     `json:"status"`
	Message    string     `json:"message,omitempty"`
	Against    Approved   `json:"against"` // the approved image that it is nearest to
	Comparison Comparison `json:"comparison"`
	Tolerance  Tolerance  `json:"tolerance"`
	SHA256     string     `json:"sha256,omitempty"`   // pictureHash of what was drawn
	Replaces   string     `json:"replaces,omitempty"` // that of the approved image from self, which an approval replaces
	Change     string     `json:"change,omitempty"`   // names the difference: others that are the same share it
	Expected   string     `json:"expectedImage,omitempty"`
	Actual     string     `json:"actualImage,omitempty"`
	Difference string     `json:"differenceImage,omitempty"`
}

// CaseResult is the outcome of one case.
type CaseResult struct {
	Name    string        `json:"name"`
	File    string        `json:"file"`
	Source  string        `json:"source"`
	Status  Status        `json:"status"`
	Error   string        `json:"error,omitempty"`
	Bisect  string        `json:"bisect,omitempty"` // what the bisection found
	Seconds float64       `json:"seconds"`
	Images  []ImageResult `json:"images,omitempty"`

	lines []int // of the images in the case file
}

// Severity orders results for a reader with little time.
func (r *CaseResult) severity() float64 {
	if r.Status == Failed {
		return 1e7
	}
	s := 0.0
	for i := range r.Images {
		if r.Images[i].Status == Differs {
			s = max(s, 1, r.Images[i].Comparison.severity())
		}
	}
	return s
}

// Results is the outcome of a suite.
type Results struct {
	Dir     string       `json:"dir"`
	Suite   string       `json:"suite,omitempty"`  // names the cases that were chosen, before they were divided
	Total   int          `json:"total,omitempty"`  // how many those are
	Shard   string       `json:"shard,omitempty"`  // "i/n"
	Version string       `json:"version"`          // of the renderer
	Commit  string       `json:"commit,omitempty"` // that was tested, where the environment says so
	Time    time.Time    `json:"time,omitzero"`    // at which the run began, UTC
	Error   string       `json:"error,omitempty"`  // why the suite was not run, or not to its end
	Orphans []string     `json:"orphans,omitempty"`
	Cases   []CaseResult `json:"cases"` // in order of name
	// Problems of putting several results together: parts that are missing,
	// doubled or not of this suite.
	Problems []string `json:"problems,omitempty"`
}

// Count returns how many cases came out as s.
func (r *Results) Count(s Status) int {
	n := 0
	for i := range r.Cases {
		if r.Cases[i].Status == s {
			n++
		}
	}
	return n
}

// ExitStatus is 0 if all cases match, 1 if images differ or parts of the suite
// do not fit together, and 3 if a case could not be rendered or the suite not
// run, whether or not others differ. (2, wrong usage, is for the command line
// to find.)
func (r *Results) ExitStatus() int {
	switch {
	case r.Count(Failed) > 0 || r.Error != "":
		return 3
	case r.Count(Differs) > 0 || len(r.Problems) > 0:
		return 1
	}
	return 0
}

// Options are the choices of a run. The zero value runs every case with the
// renderer of this project and approves nothing.
type Options struct {
	Renderer Renderer // nil is the renderer of this project
	// Only are the cases that are run, all if empty: NAME, in which * stands
	// for any text and ? for any character, or NAME:TARGET for one image.
	Only []string
	// Shard is a part of them: "i/n", "auto" or "auto/n" (ResolveShard).
	Shard   string
	Seconds map[string]float64 // how long cases took, to make shards alike long; nil for unknown
	Jobs    int                // cases at a time; 0 is the number of processors
	Workers int                // workers of the renderer for each case; 0 is 1
	Strict  bool               // a trace that the console would get over something of fails its case
	Roots   []string           // where files may lie that scenes name, besides their folders
	Run     []string           // programs that cases may run; others are not
	// Timeout is how long a case may take, after which it failed; 0 is for ever.
	Timeout time.Duration
	Update  bool    // approve what differs as Self
	DryRun  bool    // with Update: say what would be approved, and write nothing
	Out     string  // folder for the images that differ; empty for none
	Bisect  *Bisect // how to look for the first draw that differs; nil for not
	// Progress, if not nil, is called after each case, from one goroutine at
	// a time.
	Progress func(done, total int, r *CaseResult)
}

// load reads the suite in dir and chooses what the options ask for. The
// results say what is run.
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

// commitVariables are those in which systems say which commit is tested.
var commitVariables = []string{"GITHUB_SHA", "CI_COMMIT_SHA", "CIRCLE_SHA1", "BUILDKITE_COMMIT"}

func commit(getenv func(string) string) string {
	for _, v := range commitVariables {
		if c := getenv(v); c != "" {
			return c
		}
	}
	return ""
}

// RunDir runs the suite in dir. An error means that the suite could not be
// run, or not to its end; the results say so too, so that a report can be made
// of them. Cases that differ or fail are in the results.
func RunDir(ctx context.Context, dir string, opt Options) (*Results, error) {
	cases, res, err := opt.load(dir)
	if err != nil {
		return res, err
	}
	res.Cases = make([]CaseResult, len(cases))
	jobs := opt.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex
		done int
		next = make(chan int)
	)
	for range min(jobs, len(cases)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range next {
				r := RunCase(ctx, cases[i], opt)
				mu.Lock()
				res.Cases[i] = r
				done++
				if opt.Progress != nil {
					opt.Progress(done, len(cases), &r)
				}
				mu.Unlock()
			}
		}()
	}
	for i := range cases {
		next <- i
	}
	close(next)
	wg.Wait()
	if err := ctx.Err(); err != nil {
		res.Error = "the run was ended before all cases were drawn"
		return res, err
	}
	return res, nil
}

// RunCase renders and compares one case.
func RunCase(ctx context.Context, c *Case, opt Options) CaseResult {
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
	images, err := renderCase(ctx, c, opt)
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

func renderCase(ctx context.Context, c *Case, opt Options) (images map[string]image.Image, err error) {
	// A renderer that panics fails its case, not the suite.
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
	renderer := opt.Renderer
	if renderer == nil {
		renderer = DefaultRenderer
	}
	images, err = renderer.Render(ctx, job)
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

// Version is the version of this renderer: the commit it was built from where
// that is known.
func version() string {
	info := module.Read()
	return info.Short()
}
