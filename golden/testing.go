package golden

import (
	"flag"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The flags exist only in test binaries, and only if they are not already
// defined.
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

// isSet reports whether a flag, or its environment variable, is set.
func isSet(name, variable string) bool {
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

// Updating reports whether the test run approves images: with -update, or with
// GOLDEN_UPDATE=1 in the environment if a test binary has another flag -update.
func Updating() bool { return isSet("update", "GOLDEN_UPDATE") }

// outDir returns the folder for images of failing tests: that in the
// environment variable GOLDEN_OUT, or a temporary folder that stays after the
// test.
func outDir(t testing.TB) string {
	name := strings.NewReplacer("/", "_", "\\", "_", ":", "_").Replace(t.Name())
	if out := os.Getenv("GOLDEN_OUT"); out != "" {
		return filepath.Join(out, name)
	}
	return filepath.Join(os.TempDir(), "golden-"+strconv.Itoa(os.Getuid()), name)
}

// Run runs the cases of the suite in dir as parallel subtests with their names.
// Its options are those of RunDir; -update also sets Options.Update, and an
// empty Options.Out, the folder for images of failures, is GOLDEN_OUT or a
// temporary folder. "go test -parallel" also limits the number of parallel
// cases. With -golden.html, or GOLDEN_HTML=1 in the environment, WriteReports
// writes the reports to Options.Out at the end.
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
	if isSet("golden.html", "GOLDEN_HTML") {
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
	add := res.adder(opt.Progress)
	for i, c := range cases {
		res.Cases[i] = CaseResult{Name: c.Name, File: c.File, Source: c.Source, Status: Failed, Error: "not run"} // by -run, say
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			if jobs != nil {
				jobs <- struct{}{}
				defer func() { <-jobs }()
			}
			r := RunCase(t.Context(), c, opt)
			add(i, r)
			r.tell(t, opt.Out)
		})
	}
}

// tell reports a case to a test. Errors have the line of the case file, so that
// an editor can open it.
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
// test. The zero Tolerance requires equality; any other needs a reason. With
// -update the image is written there instead.
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
