package golden

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/files"
	"pica200/tests/testkit"
)

// fake renders a picture chosen by the name of the source.
type fake struct{ calls atomic.Int32 }

func (f *fake) Render(_ context.Context, job Job) (map[string]image.Image, error) {
	f.calls.Add(1)
	out := map[string]image.Image{}
	for _, target := range job.Targets {
		switch {
		case strings.Contains(job.Source, "broken"):
			return nil, errors.New("draw 3: the shader never ends")
		case strings.Contains(job.Source, "panic"):
			panic("index out of range")
		case strings.Contains(job.Source, "small"):
			m := solid(32, 16, color.NRGBA{10, 120, 200, 255})
			m.SetNRGBA(20, 9, color.NRGBA{10, 121, 200, 255})
			out[target] = m
		case strings.Contains(job.Source, "large"):
			out[target] = solid(32, 16, color.NRGBA{200, 120, 10, 255})
		default:
			out[target] = solid(32, 16, color.NRGBA{10, 120, 200, 255})
		}
	}
	return out, nil
}

func (f *fake) DrawHashes(_ context.Context, job Job, v Variant) ([]DrawHash, error) {
	h := []DrawHash{{0, 0, "sky", "a", "b"}, {0, 1, "cube", "c", "d"}, {0, 2, "smoke", "e", "f"}}
	if v.Workers == 7 {
		h[1].Depth, h[2].Color = "x", "y"
	}
	return h, nil
}

func writeSuite(t *testing.T, names ...string) string {
	dir := t.TempDir()
	for _, n := range names {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, n)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, n+Suffix), []byte("source: "+n+".yaml\n"), 0o644))
		picture(t, filepath.Join(dir, n+"-color.png"), solid(32, 16, color.NRGBA{10, 120, 200, 255}))
	}
	return dir
}

// picture writes a picture file and returns its bytes.
func picture(t *testing.T, path string, m image.Image) []byte {
	t.Helper()
	data := testkit.Must(EncodePNG(m, "scene", "test"))(t)
	require.NoError(t, os.WriteFile(path, data, 0o644))
	return data
}

// run runs the suite in dir with the fake renderer.
func run(t *testing.T, dir string, opt Options) *Results {
	t.Helper()
	opt.Renderer = &fake{}
	res := testkit.Must(RunDir(t.Context(), dir, opt))(t)
	return res
}

// statuses lists the status of each case.
func statuses(r *Results) (list []Status) {
	for _, c := range r.Cases {
		list = append(list, c.Status)
	}
	return list
}

func TestRunDir(t *testing.T) {
	dir := writeSuite(t, "a-good", "b-small", "c-large", "d-broken", "e-panic")
	out := t.TempDir()
	steps := 0
	res, err := RunDir(t.Context(), dir, Options{Renderer: &fake{}, Out: out, Jobs: 3, Progress: func(done, total int, r *CaseResult) {
		steps++
		require.Equal(t, steps, done)
		require.Equal(t, 5, total)
	}})
	require.NoError(t, err)
	require.Equal(t, []Status{Match, Differs, Differs, Failed, Failed}, statuses(res))
	require.False(t, res.Passed())
	require.Contains(t, res.Cases[1].Images[0].Message, "1 of 512 pixels differ (0.195%), worst 1 at (20, 9)")
	require.Contains(t, res.Cases[4].Error, "panicked")
	require.NoError(t, res.WriteReports(out))

	html := testkit.Read(t, filepath.Join(out, HTMLFile))
	require.NotContains(t, string(html), "http", "the report loads nothing from the network")
	large, small := strings.Index(string(html), "<b>c-large</b>"), strings.Index(string(html), "<b>b-small</b>")
	require.Greater(t, small, large, "the report lists the greatest difference first")
	require.Greater(t, large, strings.Index(string(html), "<b>d-broken</b>"))
	require.Equal(t, 6*2, strings.Count(string(html), "base64,")*2, "the report embeds three images for each of two cases")

	var suite junitSuite
	data := testkit.Read(t, filepath.Join(out, JUnitFile))
	require.NoError(t, xml.Unmarshal(data, &suite))
	require.Equal(t, []int{5, 2, 2}, []int{suite.Tests, suite.Failures, suite.Errors})

	back := testkit.Must(ReadResults(out))(t)
	want, _ := json.Marshal(res.Cases)
	got, _ := json.Marshal(back.Cases)
	require.JSONEq(t, string(want), string(got))

	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(dir, link))
	require.Len(t, testkit.Must(LoadDir(link))(t), 5)
}

// A report without differences says so; its list is empty, not null.
func TestReportOfMatches(t *testing.T) {
	res := run(t, writeSuite(t, "good"), Options{})
	var page strings.Builder
	require.NoError(t, res.WriteHTML(&page, t.TempDir()))
	require.Contains(t, page.String(), "|| []")
	require.Contains(t, page.String(), "Every image matches.")
	require.Contains(t, page.String(), "good color")
}

func TestRunUpdate(t *testing.T) {
	dir := writeSuite(t, "good", "large")
	before := testkit.Read(t, filepath.Join(dir, "good-color.png"))
	res := run(t, dir, Options{Update: true})
	require.Equal(t, []Status{Match, Updated}, statuses(res))
	after := testkit.Read(t, filepath.Join(dir, "good-color.png"))
	require.Equal(t, before, after, "-update does not rewrite a matching image")
	res = run(t, dir, Options{})
	require.True(t, res.Passed())
	data := testkit.Read(t, filepath.Join(dir, "large-color.png"))
	require.Contains(t, string(data), "Software\x00pica200 ", "the image file names the program that wrote it")
}

func TestUpdateKeepsImagesOfOthers(t *testing.T) {
	dir := writeSuite(t, "large")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "large"+Suffix), []byte("source: large.yaml\nimages:\n- expected: [{file: large-color.png, from: hardware, by: console}]\n"), 0o644))
	res := run(t, dir, Options{Update: true})
	require.Equal(t, Differs, res.Cases[0].Status)
	require.Contains(t, res.Cases[0].Images[0].Message, "not updated")
}

func TestCaseWithSeveralApprovedImages(t *testing.T) {
	dir := writeSuite(t, "large")
	picture(t, filepath.Join(dir, "second.png"), solid(32, 16, color.NRGBA{200, 120, 10, 255}))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "large"+Suffix), []byte("source: large.yaml\nimages:\n- expected:\n  - {file: large-color.png, from: hardware, by: console}\n  - {file: second.png, from: other, by: emulator 1.2}\n"), 0o644))
	res := run(t, dir, Options{})
	require.Equal(t, Match, res.Cases[0].Status)
	require.Equal(t, "second.png", res.Cases[0].Images[0].Against.File)
}

// An approval replaces the first image that is from self, by its picture or its hash, and no other.
func TestWhatAnApprovalReplaces(t *testing.T) {
	dir := writeSuite(t, "large")
	var hash [3]string
	for i, c := range []color.NRGBA{{1, 2, 3, 255}, {4, 5, 6, 255}, {7, 8, 9, 255}} {
		m := solid(32, 16, c)
		picture(t, filepath.Join(dir, fmt.Sprint(i, ".png")), m)
		hash[i] = pictureHash(m)
	}
	for approved, want := range map[string]string{
		"{file: 0.png, from: hardware, by: x}":                                                                                        "",
		"{file: 0.png, from: hardware, by: x}, {file: 1.png, from: self}, {file: 2.png, from: self}":                                  hash[1],
		"{sha256: " + hash[0] + ", from: hardware, by: x}":                                                                            "",
		"{sha256: " + hash[0] + ", from: other, by: x}, {sha256: " + hash[1] + ", from: self}, {sha256: " + hash[2] + ", from: self}": hash[1],
		"{sha256: " + hash[2] + ", from: self}, {file: 0.png, from: self}, {file: 1.png, from: hardware, by: x}":                      hash[2],
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "large"+Suffix), []byte("source: large.yaml\nimages: [{expected: ["+approved+"]}]\n"), 0o644))
		require.Equal(t, want, run(t, dir, Options{}).Cases[0].Images[0].Replaces, approved)
	}
}

func TestRunShards(t *testing.T) {
	var names []string
	for i := range 10 {
		names = append(names, fmt.Sprintf("case%02d", i))
	}
	dir := writeSuite(t, names...)
	seen := map[string]int{}
	var outs []string
	for i := 1; i <= 3; i++ {
		out := t.TempDir()
		res := run(t, dir, Options{Shard: fmt.Sprintf("%d/3", i), Out: out})
		for _, c := range res.Cases {
			seen[c.Name]++
		}
		require.NoError(t, res.WriteReports(out))
		outs = append(outs, out)
	}
	require.Len(t, seen, 10)
	all := testkit.Must(Join(t.TempDir(), outs...))(t)
	require.Len(t, all.Cases, 10)
	for _, bad := range []string{"0/3", "4/3", "x", "1/0", "1/2x", "/"} {
		_, err := RunDir(t.Context(), dir, Options{Renderer: &fake{}, Shard: bad})
		require.Error(t, err, bad)
	}
}

func TestRunBisect(t *testing.T) {
	dir := writeSuite(t, "large")
	b := testkit.Must(ParseBisect("workers=7"))(t)
	res := run(t, dir, Options{Bisect: b})
	require.Equal(t, "bisect against 7 workers: the first draw whose target differs (depth) is draw 1 of frame 0 (cube)", res.Cases[0].Bisect)
	b = testkit.Must(ParseBisect("kernels=go"))(t)
	s := testkit.Must(b.first(t.Context(), &fake{}, Job{}))(t)
	require.Contains(t, s, "equal after each of the 3 draws")
	for _, bad := range []string{"", "workers=0", "kernels=avx9", "speed=1", "workers="} {
		_, err := ParseBisect(bad)
		require.Error(t, err, bad)
	}
}

// recorder collects failures instead of failing.
type recorder struct {
	testing.TB
	failed []string
}

func (r *recorder) Errorf(format string, args ...any) {
	r.failed = append(r.failed, fmt.Sprintf(format, args...))
}

// Assert fails for a different picture, a missing one, and a name that leads to another folder.
func TestAssertFails(t *testing.T) {
	if Updating() {
		t.Skip("approves instead")
	}
	same := solid(3, 3, color.NRGBA{1, 2, 3, 255})
	for name, c := range map[string]struct {
		img  image.Image
		name string
		tol  Tolerance
		want string
	}{
		"equal":      {same, "assert-solid", Tolerance{}, ""},
		"other":      {solid(3, 3, color.NRGBA{1, 2, 4, 255}), "assert-solid", Tolerance{}, "golden assert-solid: "},
		"near":       {solid(3, 3, color.NRGBA{1, 2, 4, 255}), "assert-solid", Tolerance{Delta: 1, Reason: "a step is nothing"}, ""},
		"other size": {solid(3, 4, color.NRGBA{1, 2, 3, 255}), "assert-solid", Tolerance{}, "golden assert-solid: "},
		"no reason":  {solid(3, 3, color.NRGBA{1, 2, 4, 255}), "assert-solid", Tolerance{Delta: 1}, "a tolerance needs a reason"},
		"none":       {nil, "assert-solid", Tolerance{}, "there is no image"},
		"outside":    {same, "../assert-solid", Tolerance{}, "below testdata/golden"},
	} {
		t.Run(name, func(t *testing.T) {
			r := &recorder{TB: t}
			Assert(r, c.img, c.name, c.tol)
			if c.want == "" {
				require.Empty(t, r.failed)
				return
			}
			require.Len(t, r.failed, 1)
			require.Contains(t, r.failed[0], c.want)
		})
	}
}

// Run passes every option on.
func TestRunTakesAllOptions(t *testing.T) {
	dir := writeSuite(t, "one", "other", "two")
	var names []string
	var atOnce, most atomic.Int32
	f := &fake{}
	options := Options{
		Only: []string{"*o*"}, Shard: "1/2", Jobs: 1, Workers: 3,
		Renderer: RendererFunc(func(ctx context.Context, job Job) (map[string]image.Image, error) {
			most.Store(max(most.Load(), atOnce.Add(1)))
			defer atOnce.Add(-1)
			require.Equal(t, 3, job.Workers)
			for _, note := range []string{"one", "two", "one"} {
				job.Note(note)
			}
			return f.Render(ctx, job)
		}),
		Progress: func(done, total int, r *CaseResult) {
			names = append(names, r.Name)
			require.Equal(t, []string{"one", "two"}, r.Notes)
			require.Equal(t, []int{len(names), 2}, []int{done, total})
		},
	}
	t.Run("suite", func(t *testing.T) { Run(t, dir, options) })
	slices.Sort(names)
	res := testkit.Must(RunDir(t.Context(), dir, Options{Only: []string{"*o*"}, Shard: "1/2", Renderer: f}))(t)
	require.Len(t, names, len(res.Cases))
	for i := range res.Cases {
		require.Equal(t, res.Cases[i].Name, names[i])
	}
	require.Equal(t, int32(1), most.Load(), "Workers 1 runs one case at a time")
}

// A JUnit report has every image and every problem.
func TestJUnit(t *testing.T) {
	r := &Results{Dir: "suite", Shard: "2/3", Problems: []string{"one\nmore"}, Error: "ended", Cases: []CaseResult{
		{Name: "broken", Status: Failed, Error: "draw 3\nsecond line", Seconds: 0.5},
		{Name: "two", Status: Differs, Seconds: 1.25, Bisect: "draw 7", Images: []ImageResult{
			{Target: "color", Status: Match},
			{Target: "depth", Status: Differs, Message: "far off", Expected: "e.png", Actual: "a.png", Difference: "d.png"},
		}},
		{Name: "new", Status: Differs, Images: []ImageResult{{Target: "color", Status: Differs, Message: "none", Actual: "n.png"}}},
	}}
	var b strings.Builder
	require.NoError(t, r.WriteJUnit(&b))
	var got junitSuite
	require.NoError(t, xml.Unmarshal([]byte(b.String()), &got))
	require.Equal(t, junitSuite{XMLName: xml.Name{Local: "testsuite"}, Name: "suite shard 2/3", Tests: 6, Failures: 2, Errors: 3, Time: "1.750", Cases: []junitCase{
		{"broken", "render", "0.500", nil, &junitNote{"draw 3", "draw 3\nsecond line"}},
		{"two", "color", "1.250", nil, nil},
		{"two", "depth", "0.000", &junitNote{"far off", "far off\ne.png\na.png\nd.png\ndraw 7"}, nil},
		{"new", "color", "0.000", &junitNote{"none", "none\nn.png"}, nil},
		{"suite", "run", "0.000", nil, &junitNote{"one", "one\nmore"}},
		{"suite", "run", "0.000", nil, &junitNote{"ended", "ended"}},
	}}, got)
}

// A page describes each image, and its tolerance, in a few words.
func TestPageTexts(t *testing.T) {
	size := image.Pt(3, 2)
	for want, i := range map[string]ImageResult{
		"another hash":                 {Against: Approved{SHA256: "aa"}},
		"new":                          {Against: Approved{SHA256: newHash}},
		"size":                         {Expected: "e", Comparison: Comparison{SizeWant: size, SizeGot: image.Pt(3, 3)}},
		"25.000%, worst 7":             {Expected: "e", Comparison: Comparison{SizeWant: size, SizeGot: size, Compared: 8, Exceeding: 2, Worst: 7}},
		"0.000%, worst 7, FLIP 0.1250": {Expected: "e", Comparison: Comparison{SizeWant: size, SizeGot: size, Worst: 7, FLIP: 0.125}},
	} {
		require.Equal(t, want, i.rank())
	}
	for want, tol := range map[string]Tolerance{
		"exact":   {Reason: "none"},
		"delta 1": {Delta: 1},
		"delta 2, share 0.5%, border 3, perceptual 0.25, FLIP 0.125": {Delta: 2, Share: 0.5, Border: 3, Perceptual: 0.25, FLIP: 0.125},
		"share 1%, FLIP 1": {Share: 1, FLIP: 1},
	} {
		require.Equal(t, want, tol.text())
	}
}

// Pictures are embedded in the page up to a total size; the rest stay files.
func TestPageEmbedsPicturesUpToLimit(t *testing.T) {
	dir := t.TempDir()
	var sizes []int
	for i := range 3 {
		path := filepath.Join(dir, fmt.Sprintf("a b%d.png", i))
		sizes = append(sizes, len(picture(t, path, solid(4+i, 4, color.NRGBA{byte(i), 2, 3, 255}))))
	}
	root := testkit.Must(files.OpenRoot(dir))(t)
	defer root.Close()
	e := embedder{root, sizes[0] + sizes[1]}
	require.True(t, strings.HasPrefix(string(e.url("a b0.png")), "data:image/png;base64,"))
	require.True(t, strings.HasPrefix(string(e.url("a b1.png")), "data:image/png;base64,"))
	require.EqualValues(t, "a%20b2.png", e.url("a b2.png"))
	require.Empty(t, e.url("gone.png"))
	require.Empty(t, e.url(""))
}

// Sources that are not there or not files are errors that name them.
func TestSourceErrors(t *testing.T) {
	dir := t.TempDir()
	_, err := DefaultRenderer.Render(t.Context(), Job{Source: dir, Targets: []string{"color"}})
	require.ErrorContains(t, err, "is a directory")
	_, err = DefaultRenderer.Render(t.Context(), Job{Source: filepath.Join(dir, "gone.yaml"), Targets: []string{"color"}})
	require.ErrorContains(t, err, "gone.yaml")
	res := testkit.Must(RunDir(t.Context(), "../testdata/traces", Options{Only: []string{"lights"}}))(t)
	require.Equal(t, Match, res.Cases[0].Status, res.Cases[0].Error)
}

// The commit is taken from the first CI variable that is set.
// The source of a case lies in its folder, beside the suite, below the working directory, or in a root, with links followed.
func TestSourcesLieWhereTheyMay(t *testing.T) {
	dir, here := t.TempDir(), testkit.Must(filepath.Abs("../testdata/scenes/lit.yaml"))(t)
	text := testkit.Read(t, here)
	for _, name := range []string{"out/x.yaml", "tests/beside/x.yaml", "tests/suite/sub/x.yaml", "here/x.yaml"} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o666))
	}
	suite := filepath.Join(dir, "tests/suite")
	require.NoError(t, os.Symlink("../../out/x.yaml", filepath.Join(suite, "link.yaml")))
	t.Chdir(filepath.Join(dir, "here"))
	for _, c := range []struct {
		name, source string
		ok           bool
	}{
		{"sub/inside", "x.yaml", true},
		{"sub/beside", "../../beside/x.yaml", true},
		{"sub/here", "../../../here/x.yaml", true},
		{"sub/above", "../../../out/x.yaml", false},
		{"above", "../../out/x.yaml", false},
		{"absolute", dir + "/out/x.yaml", false},
		{"link", "link.yaml", false},
	} {
		file := filepath.Join(suite, c.name+Suffix)
		require.NoError(t, os.WriteFile(file, []byte("source: "+c.source+"\n"), 0o666))
		of := testkit.Must(LoadCase(suite, file))(t)
		r := RunCase(t.Context(), of, Options{})
		require.Equal(t, c.ok, r.Error == "", "%s: %s", c.name, r.Error)
		if !c.ok {
			require.Contains(t, r.Error, file+": source: "+c.source+" lies outside of the folder ")
			require.Contains(t, r.Error, "--root")
			require.Empty(t, RunCase(t.Context(), of, Options{Roots: []string{filepath.Join(dir, "out")}}).Error)
		}
	}
}

func TestCommitFromCIVariables(t *testing.T) {
	env := map[string]string{}
	require.Empty(t, commit(func(v string) string { return env[v] }))
	env["BUILDKITE_COMMIT"] = "b"
	require.Equal(t, "b", commit(func(v string) string { return env[v] }))
	env["CI_COMMIT_SHA"] = "c"
	require.Equal(t, "c", commit(func(v string) string { return env[v] }))
}

// The pictures and pages of a report do not replace approved pictures and other reports.
func TestReportKeepsInputs(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a"+Suffix), []byte("source: a.yaml\nimages: [{expected: [{file: a-color-actual.png, from: self}]}]\n"), 0o644))
	approved := picture(t, filepath.Join(dir, "a-color-actual.png"), solid(32, 16, color.NRGBA{200, 120, 10, 255}))
	res := run(t, dir, Options{Out: dir})
	require.Equal(t, Failed, res.Cases[0].Status)
	require.Contains(t, res.Cases[0].Error, "a-color-actual.png is an input and would be overwritten")
	require.Equal(t, approved, testkit.Read(t, filepath.Join(dir, "a-color-actual.png")))

	require.NoError(t, res.WriteReports(dir))
	require.NoError(t, res.WriteReports(dir), "its own report of before")
	_, err := Join(dir, dir)
	require.ErrorContains(t, err, ResultsFile+" is an input and would be overwritten")
}

// Links lead neither approvals nor reports out of the folder of the case or the report; a link within it is followed.
func TestLinksOutOfSuite(t *testing.T) {
	for _, c := range []struct{ name, to, expected, want string }{
		{"a-color.png", "../holiday.png", "", "a-color.png: it leads out of the folder"},
		{"a-color.png", "../none.png", "", "a-color.png: it leads out of the folder"},
		{"a-color.png", "ABS/holiday.png", "", "a-color.png: it leads out of the folder"},
		{"a-color.png", "b-color.png", "", "a-color.png: it leads out of the folder"}, // a link to a link
		{"sub", "..", "{file: sub/holiday.png, from: self}", "holiday.png: it leads out of the folder"},
		{"sub", "..", "{file: sub/none.png, from: self}", "none.png: it leads out of the folder"},
		{"a-color.png", "kept/within.png", "", ""},
		{"a-color.png", "kept/none.png", "", ""},
	} {
		dir := t.TempDir()
		suite := filepath.Join(dir, "suite")
		require.NoError(t, os.MkdirAll(filepath.Join(suite, "kept"), 0o777))
		old := solid(32, 16, color.NRGBA{200, 120, 10, 255})
		holiday := picture(t, filepath.Join(dir, "holiday.png"), old)
		within := picture(t, filepath.Join(suite, "kept/within.png"), old)
		require.NoError(t, os.Symlink("../holiday.png", filepath.Join(suite, "b-color.png")))
		text := "source: a.yaml\n"
		if c.expected != "" {
			text += "images: [{expected: [" + c.expected + "]}]\n"
		}
		require.NoError(t, os.WriteFile(filepath.Join(suite, "a"+Suffix), []byte(text), 0o644))
		require.NoError(t, os.Symlink(strings.Replace(c.to, "ABS", dir, 1), filepath.Join(suite, c.name)))
		res := run(t, suite, Options{Update: true, Out: filepath.Join(dir, "out")})
		if c.want == "" {
			require.Equal(t, Updated, res.Cases[0].Status, res.Cases[0].Error)
			info := testkit.Must(os.Lstat(filepath.Join(suite, c.name)))(t)
			require.NotZero(t, info.Mode()&os.ModeSymlink, "the link stays")
			require.NotEqual(t, c.to == "kept/within.png", string(within) == string(testkit.Read(t, filepath.Join(suite, "kept/within.png"))))
		} else {
			require.Equal(t, Failed, res.Cases[0].Status)
			require.Contains(t, res.Cases[0].Error, c.want)
		}
		require.Equal(t, holiday, testkit.Read(t, filepath.Join(dir, "holiday.png")))
		require.NoFileExists(t, filepath.Join(dir, "none.png"))
	}
	// A case file that is such a link is not read, and its hash not replaced.
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "suite"), 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "other"), []byte("source: a.yaml\nimages: [{expected: [{sha256: new, from: self}]}]\n"), 0o644))
	require.NoError(t, os.Symlink("../other", filepath.Join(dir, "suite/a"+Suffix)))
	res := run(t, filepath.Join(dir, "suite"), Options{Update: true})
	require.Contains(t, res.Cases[0].Error, "leads out of the folder")
	// A report is neither written nor read through one.
	require.NoError(t, os.Mkdir(filepath.Join(dir, "report"), 0o777))
	for _, name := range reportFiles {
		require.NoError(t, os.Symlink("../gone", filepath.Join(dir, "report", name)))
		require.ErrorContains(t, res.WriteReports(filepath.Join(dir, "report")), "leads out of the folder")
		require.NoError(t, os.Remove(filepath.Join(dir, "report", name)))
	}
	require.NoError(t, res.WriteReports(filepath.Join(dir, "report")))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "copy"), 0o777))
	require.NoError(t, os.Symlink("../report/"+ResultsFile, filepath.Join(dir, "copy", ResultsFile)))
	_, err := ReadResults(filepath.Join(dir, "copy"))
	require.ErrorContains(t, err, "leads out of the folder")
	require.NoFileExists(t, filepath.Join(dir, "gone"))
}

// The other program gets all parameters of the job.
func TestBisectPassesParametersToBinary(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the other program is a shell script")
	}
	dir := t.TempDir()
	bin := filepath.Join(dir, "other")
	script := "#!/bin/sh\nfor a; do echo \"$a\"; done > \"$0.args\"\n[ -e \"$0.fail\" ] && { echo it is broken >&2; exit 3; }\n" +
		`echo '{"frame":0,"draw":0,"what":"sky","color":"a","depth":"b"}'` + "\n" + `echo '{"frame":0,"draw":1,"what":"cube","color":"x","depth":"d"}'` + "\n"
	require.NoError(t, os.WriteFile(bin, []byte(script), 0o755))
	b := testkit.Must(ParseBisect("binary=" + bin))(t)
	s := testkit.Must(b.first(t.Context(), &fake{}, Job{Source: "-a.yaml", Frame: 3, T: 0.5, Workers: 2, Roots: []string{"r", "s"}}))(t)
	require.Equal(t, "bisect against binary "+bin+": the first draw whose target differs (colour) is draw 1 of frame 0 (cube)", s)
	require.Equal(t, "golden\ndraws\n--frame=3\n--time=0.5\n--workers=2\n--root=r\n--root=s\n--\n-a.yaml\n", mustReadFile(t, bin+".args"))
	require.NoError(t, os.WriteFile(bin+".fail", nil, 0o644))
	_, err := b.first(t.Context(), &fake{}, Job{})
	require.ErrorContains(t, err, "it is broken")
	require.Contains(t, b.describe(t.Context(), &Case{Source: "a.yaml"}, Options{Renderer: &fake{}}), "bisect against binary "+bin+": ")
	require.Contains(t, b.describe(t.Context(), &Case{}, Options{Renderer: RendererFunc(nil)}), "cannot render draw by draw")
}
