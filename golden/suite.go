package golden

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"pica200/internal/files"
	"pica200/internal/module"
	"pica200/scene"
)

// Job is what a renderer is asked for.
type Job struct {
	Source  string   // path of a scene, a model or a trace
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
}

// Severity orders results for a reader with little time.
func (r *CaseResult) Severity() float64 {
	if r.Status == Failed {
		return 1e7
	}
	s := 0.0
	for i := range r.Images {
		if r.Images[i].Status == Differs {
			s = max(s, 1, r.Images[i].Comparison.Severity())
		}
	}
	return s
}

// Results is the outcome of a suite.
type Results struct {
	Dir     string       `json:"dir"`
	Shard   string       `json:"shard,omitempty"`
	Version string       `json:"version"` // of the renderer
	Cases   []CaseResult `json:"cases"`   // in order of name
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

// ExitStatus is 0 if all cases match, 1 if images differ, and 3 if a case
// could not be rendered, whether or not others differ. (2, wrong usage, is for
// the command line to find.)
func (r *Results) ExitStatus() int {
	switch {
	case r.Count(Failed) > 0:
		return 3
	case r.Count(Differs) > 0:
		return 1
	}
	return 0
}

// Options are the choices of a run. The zero value runs every case with the
// renderer of this project and approves nothing.
type Options struct {
	Renderer Renderer // nil is the renderer of this project
	Only     string   // only cases whose name contains this
	Shard    string   // "i/n", or empty for all
	Jobs     int      // cases at a time; 0 is the number of processors
	Workers  int      // workers of the renderer for each case; 0 is 1
	Strict   bool     // a trace that the console would get over something of fails its case
	Roots    []string // where files may lie that scenes name, besides their folders
	// Timeout is how long a case may take, after which it failed; 0 is for ever.
	Timeout time.Duration
	Update  bool    // approve what differs as Self
	Out     string  // folder for the images that differ; empty for none
	Bisect  *Bisect // how to look for the first draw that differs; nil for not
	// Progress, if not nil, is called after each case, from one goroutine at
	// a time.
	Progress func(done, total int, r *CaseResult)
}

// pick returns the cases of a suite that a run is to run.
func (o *Options) pick(dir string, cases []*Case) ([]*Case, error) {
	if o.Shard != "" {
		i, n, err := ParseShard(o.Shard)
		if err != nil {
			return nil, err
		}
		if cases, err = Shard(cases, i, n); err != nil {
			return nil, err
		}
	}
	if o.Only == "" {
		return cases, nil
	}
	kept := slices.DeleteFunc(cases, func(c *Case) bool { return !strings.Contains(c.Name, o.Only) })
	if len(kept) == 0 && o.Shard == "" {
		return nil, fmt.Errorf("no case of %s has %q in its name", dir, o.Only)
	}
	return kept, nil
}

// RunDir runs the suite in dir. An error means that the suite could not be
// run; cases that differ or fail are in the results.
func RunDir(ctx context.Context, dir string, opt Options) (*Results, error) {
	cases, err := LoadDir(dir)
	if err != nil {
		return nil, err
	}
	res := &Results{Dir: dir, Shard: opt.Shard, Version: Version()}
	if cases, err = opt.pick(dir, cases); err != nil {
		return nil, err
	}
	if opt.Renderer == nil {
		opt.Renderer = DefaultRenderer
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
	return res, ctx.Err()
}

// RunCase renders and compares one case.
func RunCase(ctx context.Context, c *Case, opt Options) CaseResult {
	start := time.Now()
	r := CaseResult{Name: c.Name, File: c.File, Source: c.SourcePath(), Status: Match}
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
	job := Job{Source: c.SourcePath(), Frame: c.Frame, T: c.T, Workers: max(1, opt.Workers), Roots: opt.Roots, Strict: opt.Strict}
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

// judge compares an image with the approved ones and writes what differs.
func judge(c *Case, want Image, got image.Image, opt Options) ImageResult {
	r := ImageResult{Target: want.Target, Tolerance: want.Tolerance, Status: Differs, Against: want.Approved[0]}
	var nearest image.Image
	var missing []string
	for _, a := range want.Approved {
		m, err := ReadPNG(c.path(a))
		if errors.Is(err, os.ErrNotExist) {
			missing = append(missing, a.File)
			continue
		}
		if err != nil {
			r.Status, r.Message = Failed, err.Error()
			return r
		}
		cmp := Compare(m, got, want.Tolerance)
		if nearest == nil || cmp.Severity() < r.Comparison.Severity() {
			nearest, r.Comparison, r.Against = m, cmp, a
		}
		if cmp.Match {
			r.Status = Match
			break
		}
	}
	r.Message = r.Comparison.Message
	if nearest == nil {
		r.Message = fmt.Sprintf("there is no approved image yet (%s)", strings.Join(missing, ", "))
	}
	if r.Status == Match {
		return r
	}
	if opt.Update {
		return update(c, want, got, r)
	}
	if opt.Out != "" {
		if err := writeImages(c, want, nearest, got, &r, opt.Out); err != nil {
			r.Status, r.Message = Failed, err.Error()
		}
	}
	return r
}

// update approves got: it replaces the image that is from this renderer.
// Images from hardware or another implementation are never overwritten.
func update(c *Case, want Image, got image.Image, r ImageResult) ImageResult {
	for _, a := range want.Approved {
		if a.From != Self {
			continue
		}
		data, err := EncodePNG(got, filepath.Base(c.Source), "pica200 "+Version())
		if err == nil {
			err = c.mayWrite(c.path(a))
		}
		if err == nil {
			err = writeFile(c.path(a), data)
		}
		if err != nil {
			r.Status, r.Message = Failed, err.Error()
			return r
		}
		r.Status, r.Message, r.Against = Updated, "", a
		r.Comparison = Comparison{Match: true}
		return r
	}
	r.Message += "; not updated, for no expected image of this target is from self: add one to " + c.File
	return r
}

// mayWrite refuses a path that is a file which the case reads: its own, its
// source and what a scene names, or one of others.
func (c *Case) mayWrite(path string, others ...string) error {
	inputs := append([]string{c.File, c.SourcePath()}, others...)
	if scene.Is(c.SourcePath(), nil) {
		if s, err := scene.Load(c.SourcePath()); err == nil {
			inputs = append(inputs, s.Files()...)
		}
	}
	if in := files.Same(path, inputs...); in != "" {
		return fmt.Errorf("%s is the same file as %s, which the case reads; it is not written over", path, in)
	}
	return nil
}

func writeImages(c *Case, want Image, expected, got image.Image, r *ImageResult, out string) error {
	base := strings.ReplaceAll(c.Name, "/", "__") + "-" + want.Target
	put := func(dst *string, suffix string, m image.Image) error {
		data, err := EncodePNG(m, filepath.Base(c.Source), "")
		if err != nil {
			return err
		}
		*dst = base + suffix
		path := filepath.Join(out, *dst)
		approved := make([]string, len(want.Approved))
		for i, a := range want.Approved {
			approved[i] = c.path(a)
		}
		if err := c.mayWrite(path, approved...); err != nil {
			return err
		}
		return writeFile(path, data)
	}
	if err := put(&r.Actual, "-actual.png", got); err != nil || expected == nil {
		return err
	}
	if err := put(&r.Expected, "-expected.png", expected); err != nil {
		return err
	}
	return put(&r.Difference, "-difference.png", Difference(expected, got, want.Tolerance))
}

// Version is the version of this renderer: the commit it was built from where
// that is known.
func Version() string {
	info := module.Read()
	return info.Short()
}
