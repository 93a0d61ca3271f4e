package golden

import (
	"flag"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// The flags exist in test binaries alone, and only if nobody else has defined
// them before.
func init() {
	if !testing.Testing() {
		return
	}
	for name, help := range map[string]string{
		"update":      "approve images that differ from the golden ones",
		"golden.html": "write a page of what golden.Run compared",
	} {
		if flag.Lookup(name) == nil {
			flag.Bool(name, false, help)
		}
	}
}

// given tells whether a flag was given, or its variable in the environment.
func given(name, variable string) bool {
	if b, err := strconv.ParseBool(os.Getenv(variable)); err == nil && b {
		return true
	}
	f := flag.Lookup(name)
	if f == nil {
		return false
	}
	b, _ := strconv.ParseBool(f.Value.String())
	return b
}

// Updating tells whether the test run approves images anew: with -update, or
// with GOLDEN_UPDATE=1 in the environment where a test binary has a flag of
// that name with another meaning.
func Updating() bool { return given("update", "GOLDEN_UPDATE") }

// outDir is where a failing test leaves its images: the folder that the
// environment variable GOLDEN_OUT names, or one of the system's temporary
// folder that stays after the test.
func outDir(t testing.TB) string {
	name := strings.NewReplacer("/", "_", "\\", "_", ":", "_").Replace(t.Name())
	if out := os.Getenv("GOLDEN_OUT"); out != "" {
		return filepath.Join(out, name)
	}
	return filepath.Join(os.TempDir(), "golden-"+strconv.Itoa(os.Getuid()), name)
}

// Run runs the cases of the suite in dir as parallel subtests named after them.
// It takes the same options as RunDir, with more that go test gives it:
// Options.Update is also set by -update, and Options.Out, where a failure
// leaves the images it names, is GOLDEN_OUT or the temporary folder if empty.
// "go test -parallel" bounds the cases at a time as well as Options.Jobs. With
// -golden.html, or GOLDEN_HTML=1 in the environment, the reports of WriteReports
// are written to Options.Out when all cases are done.
func Run(t *testing.T, dir string, opt Options) {
	t.Helper()
	cases, res, err := opt.load(dir)
	if err != nil {
		t.Fatal(err)
	}
	opt.Update = opt.Update || Updating()
	if opt.Out == "" {
		opt.Out = outDir(t)
	}
	for _, path := range res.Orphans {
		t.Logf("%s belongs to no case of %s", path, dir)
	}
	res.Cases = make([]CaseResult, len(cases))
	if given("golden.html", "GOLDEN_HTML") {
		t.Cleanup(func() { // when the parallel cases are done
			if err := res.WriteReports(opt.Out); err != nil {
				t.Error(err)
				return
			}
			t.Logf("the report is %s", filepath.Join(opt.Out, HTMLFile))
		})
	}
	var jobs chan struct{} // nil for no bound but go test's
	if opt.Jobs > 0 {
		jobs = make(chan struct{}, opt.Jobs)
	}
	var (
		mu   sync.Mutex
		done int
	)
	for i, c := range cases {
		res.Cases[i] = CaseResult{Name: c.Name, File: c.File, Source: c.Source, Status: Failed, Error: "not run"} // by -run, say
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			if jobs != nil {
				jobs <- struct{}{}
				defer func() { <-jobs }()
			}
			r := RunCase(t.Context(), c, opt)
			mu.Lock()
			res.Cases[i] = r
			done++
			if opt.Progress != nil {
				opt.Progress(done, len(cases), &r)
			}
			mu.Unlock()
			r.tell(t, opt.Out)
		})
	}
}

// tell reports a case to a test. What is wrong points at the case file, which
// an editor then opens.
func (r *CaseResult) tell(t testing.TB, out string) {
	if r.Status == Failed {
		t.Errorf("%s: %s", r.File, r.Error)
	}
	for k, i := range r.Images {
		place := fmt.Sprintf("%s:%d: %s", r.File, r.lines[k], i.Target)
		switch i.Status {
		case Differs:
			t.Errorf("%s: %s\n%s", place, i.Message, where(out, i))
		case Updated:
			t.Logf("%s: approved as %s", place, i.Against.name())
		}
	}
	if r.Bisect != "" {
		t.Log(r.Bisect)
	}
}

func where(out string, i ImageResult) string {
	var s []string
	for _, f := range []struct{ what, path string }{{"expected", i.Expected}, {"actual", i.Actual}, {"difference", i.Difference}} {
		if f.path != "" {
			s = append(s, "  "+f.what+": "+filepath.Join(out, f.path))
		}
	}
	return strings.Join(s, "\n")
}

// Assert compares an image with testdata/golden/NAME.png of the package under
// test. The zero Tolerance is exact equality; any other must give its reason.
// Under -update the image is written there instead.
func Assert(t testing.TB, img image.Image, name string, tol Tolerance) {
	t.Helper()
	if err := tol.Check(); err != nil {
		t.Errorf("golden %s: %v", name, err)
		return
	}
	if img == nil {
		t.Errorf("golden %s: there is no image", name)
		return
	}
	if name == "" || !filepath.IsLocal(filepath.FromSlash(name)) {
		t.Errorf("golden %q: the name must be a path below testdata/golden", name)
		return
	}
	c := &Case{Name: name, File: filepath.Join("testdata", "golden", "assert"+Suffix), Source: name}
	want := Image{Target: "image", Approved: []Approved{{File: name + ".png", From: Self}}, Tolerance: tol}
	out := outDir(t)
	r := judge(c, want, img, Options{Update: Updating(), Out: out})
	switch r.Status {
	case Match:
	case Updated:
		t.Logf("golden %s: approved", name)
	default:
		t.Errorf("golden %s: %s\n%s", name, r.Message, where(out, r))
	}
}
