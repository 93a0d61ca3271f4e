package golden

import (
	"fmt"
	"image/color"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/internal/module"
	"pica200/tests/testkit"
)

func text(h *History) string {
	var b strings.Builder
	for _, c := range h.Changes {
		fmt.Fprintf(&b, "%s %s %s %.4s %.4s\n", c.Picture, c.Commit, c.Time.Format("15:04"), c.Was, c.Is)
	}
	return b.String()
}

// Runs are sorted by instant, whatever their time zones.
func TestHistorySortsRunsByTime(t *testing.T) {
	dir := t.TempDir()
	at := time.Date(2026, 3, 29, 0, 30, 0, 0, time.UTC)
	for i, run := range []struct {
		zone int // hours east
		a, b string
	}{{-8, "aaaa", "bbbb"}, {9, "aaaa", "bbbb"}, {0, "cccc", "bbbb"}, {2, "cccc", ""}, {-5, "aaaa", "bbbb"}} {
		r := &Results{Dir: "suite", Version: "v", Commit: fmt.Sprintf("commit%d", i), Time: at.Add(time.Duration(i) * time.Hour).In(time.FixedZone("", run.zone*3600))}
		r.Cases = []CaseResult{{Name: "a", Status: Match, Images: []ImageResult{{Target: "color", SHA256: run.a}}}}
		if b := (CaseResult{Name: "b", Status: Match, Images: []ImageResult{{Target: "color", SHA256: run.b}}}); run.b == "" {
			r.Cases = append(r.Cases, CaseResult{Name: "b", Status: Failed, Error: "x"})
		} else {
			r.Cases = append(r.Cases, b)
		}
		require.NoError(t, r.WriteReports(filepath.Join(dir, fmt.Sprintf("run-%d", 9-i)))) // names sort in the opposite order
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "package.json"), []byte("{}"), 0o644))
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(dir, link))
	h := testkit.Must(HistoryOfRuns(link))(t)
	require.Equal(t, []int{5, 2}, []int{h.Commits, h.Pictures})
	require.Equal(t, "a:color commit2 02:30 aaaa cccc\na:color commit4 04:30 cccc aaaa\nb:color commit3 03:30 bbbb not \nb:color commit4 04:30 not  bbbb\n", text(h))
	require.Len(t, h.Problems, 1)
	require.Contains(t, h.Problems[0], "package.json")
	_, err := HistoryOfRuns(t.TempDir())
	require.ErrorContains(t, err, "holds no golden case, nor results")
}

// A failed case has no pictures of its own; pictures of cases with the same name prefix stay.
func TestHistoryOfAFailedCase(t *testing.T) {
	dir := t.TempDir()
	at := time.Date(2026, 3, 29, 0, 30, 0, 0, time.UTC)
	for i, status := range []Status{Match, Failed, Differs} {
		r := &Results{Dir: "suite", Version: fmt.Sprintf("version%d", i), Commit: []string{"commit0", "", "commit2"}[i], Time: at.Add(time.Duration(i) * time.Hour)}
		for _, name := range []string{"a", "a:b", "ab", "a/b"} {
			c := CaseResult{Name: name, Status: Match}
			if c.Images = []ImageResult{{Target: "color", SHA256: "aaaa"}, {Target: "depth", SHA256: "bbbb"}}; name == "a" && status == Failed {
				c = CaseResult{Name: name, Status: Failed, Error: "x"}
			}
			if status == Differs { // one image fewer
				c.Images = c.Images[:1]
				if name == "ab" {
					c.Status = Failed
				}
			}
			r.Cases = append(r.Cases, c)
		}
		require.NoError(t, r.WriteReports(filepath.Join(dir, fmt.Sprint(i))))
	}
	h := testkit.Must(HistoryOfRuns(dir))(t)
	require.Equal(t, "a:color version1 01:30 aaaa not \na:color commit2 02:30 not  aaaa\na:depth version1 01:30 bbbb not \n", text(h))
}

// The history of a suite in git lists files and hashes that changed.
func TestHistoryOfCommits(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := filepath.Join(t.TempDir(), "sub", "suite")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	when := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	run := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_COMMITTER_DATE="+when.Format(time.RFC3339), "GIT_AUTHOR_DATE="+when.Format(time.RFC3339), "GIT_CONFIG_GLOBAL=/dev/null")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	commit := func(subject string) {
		run("add", "-A", ".")
		run("commit", "-q", "-m", subject)
		// The next commit has an earlier time in another time zone.
		when = when.Add(-30 * time.Minute).In(time.FixedZone("", 5*3600))
	}
	picture := func(name string, shade uint8, source string) {
		data := testkit.Must(EncodePNG(solid(4, 4, color.NRGBA{shade, 0, 0, 255}), source, ""))(t)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o644))
	}
	hash := func(digit string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "h"+Suffix), []byte("source: h.ctf\nimages: [{target: top, expected: [{sha256: "+digit+", from: self}]}]\n"), 0o644))
	}
	run("init", "-q", "../..")
	picture("a-color.png", 1, "")
	picture("b-color.png", 1, "")
	hash("new")
	commit("one")
	picture("a-color.png", 1, "packed another way")
	picture("odd \t\"name\".png", 5, "")
	hash(strings.Repeat("1", 64))
	commit("two")
	picture("b-color.png", 2, "")
	hash(strings.Repeat("2", 64))
	commit("three: with spaces")
	require.NoError(t, os.Remove(filepath.Join(dir, "b-color.png")))
	picture("odd \t\"name\".png", 6, "")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "c.png"), []byte("version https://git-lfs.github.com/spec/v1"), 0o644))
	commit("four")
	h := testkit.Must(HistoryOfCommits(t.Context(), dir))(t)
	require.Equal(t, []int{4, 5}, []int{h.Commits, h.Pictures})
	var got []string
	for _, c := range h.Changes {
		require.Len(t, c.Commit, 40)
		got = append(got, fmt.Sprintf("%s %s %s %.4s %.4s", c.Picture, c.Time.Format("15:04"), c.Subject, c.Was, c.Is))
	}
	one, two, five, six := pictureHash(solid(4, 4, color.NRGBA{1, 0, 0, 255})), pictureHash(solid(4, 4, color.NRGBA{2, 0, 0, 255})),
		pictureHash(solid(4, 4, color.NRGBA{5, 0, 0, 255})), pictureHash(solid(4, 4, color.NRGBA{6, 0, 0, 255}))
	require.Equal(t, []string{
		"b-color.png 11:00 three: with spaces " + one[:4] + " " + two[:4],
		"b-color.png 10:30 four " + two[:4] + " ",
		"h:top 11:00 three: with spaces 1111 2222",
		"odd \t\"name\".png 10:30 four " + five[:4] + " " + six[:4],
	}, got)
	_, err := HistoryOfCommits(t.Context(), t.TempDir())
	require.ErrorContains(t, err, "git has no history")
}

// TestGoTestInAnotherModule runs go test in a copy of testdata/example-module, a module that uses this package. It passes unchanged, fails
// with a damaged image and names the pictures' folder, and is repaired by -update. It needs no network.
func TestGoTestInAnotherModule(t *testing.T) {
	testkit.Slow(t)
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("there is no go command to run")
	}
	root := testkit.Must(filepath.Abs(".."))(t)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS(filepath.Join(root, "testdata", "example-module"))))
	mod := testkit.Read(t, filepath.Join(dir, "go.mod"))
	require.Contains(t, string(mod), "replace "+module.Path()+" => ../..")
	mod = []byte(strings.Replace(string(mod), "=> ../..", "=> "+root, 1))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), mod, 0o644))
	sum := testkit.Read(t, filepath.Join(root, "go.sum"))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o644))
	out := t.TempDir()
	test := func(args ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), goTool, append([]string{"test", "-count=1", "./..."}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -mod=mod", "GOPROXY=off", "GOSUMDB=off", "GOWORK=off", "CGO_ENABLED=0", "GOLDEN_OUT="+out)
		text, err := cmd.CombinedOutput()
		return string(text), err
	}

	text, err := test()
	require.NoError(t, err, text)
	require.Contains(t, text, "ok")

	wrong := testkit.Read(t, filepath.Join(dir, "testdata", "golden", "crate-turned.png"))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "testdata", "golden", "crate-color.png"), wrong, 0o644))
	text, err = test()
	require.Error(t, err)
	require.Contains(t, text, "--- FAIL: TestPictures/crate")
	require.Contains(t, text, "pixels differ")
	require.Contains(t, text, filepath.Join(out, "TestPictures", "crate-color-difference.png"))
	require.FileExists(t, filepath.Join(out, "TestPictures", "crate-color-difference.png"))
	require.NotContains(t, text, "FAIL: TestTurned")

	text, err = test("-update")
	require.NoError(t, err, text)
	text, err = test()
	require.NoError(t, err, text)
}
