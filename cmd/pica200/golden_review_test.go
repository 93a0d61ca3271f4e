package main

import (
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"

	"pica200/golden"
	"pica200/tests/testkit"
)

// generated writes a suite of n small scenes with approved images.
func generated(t *testing.T, n int) string {
	dir := t.TempDir()
	for i := range n {
		scene := fmt.Sprintf("target: {width: %d, height: 8, clear: {color: [%g, 0.4, 0.6, 1], depth: 1}}\nmodels: {q: {shape: quad}}\ndraws: [{model: q}]\n", 8+8*(i%3), float64(i%7)/7)
		require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("s%03d.yaml", i)), []byte(scene), 0o666))
		require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("c%03d.case.yaml", i)), fmt.Appendf(nil, "source: s%03d.yaml\n", i), 0o666))
	}
	ok(t, "golden", "update", dir, "-q")
	return dir
}

// timeless reads results without durations.
func timeless(t *testing.T, dir string) []golden.CaseResult {
	res := testkit.Must(golden.ReadResults(dir))(t)
	for i := range res.Cases {
		res.Cases[i].Seconds = 0
	}
	return res.Cases
}

// Eight processes, each with a shard from the environment, balanced by the times of an earlier run, give the results of one run:
// cases, differences, pictures.
func TestEightShardsEqualOneRun(t *testing.T) {
	testkit.Slow(t)
	dir := generated(t, 32)
	for _, i := range []int{3, 17} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("c%03d-color.png", i)), testkit.Read(t, filepath.Join(dir, "c001-color.png")), 0o666))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "c030.case.yaml"), []byte("sauce: s030.yaml\n"), 0o666))
	one, parts, all := filepath.Join(t.TempDir(), "one"), t.TempDir(), filepath.Join(t.TempDir(), "all")
	ends(t, 1, "golden", "run", dir, "-q", "--out", one)

	seen := 0
	for i := range 8 {
		cmd := program(t, "golden", "run", dir, "-q", "--shard", "auto/8", "--times", one, "--out", filepath.Join(parts, fmt.Sprint("part", i)))
		cmd.Env = append(cmd.Env, fmt.Sprint("JOB_COMPLETION_INDEX=", i))
		require.NoError(t, cmd.Start())
		require.Contains(t, []int{exitDone, exitFailed}, wait(t, cmd))
		res := testkit.Must(golden.ReadResults(filepath.Join(parts, fmt.Sprint("part", i))))(t)
		require.Equal(t, fmt.Sprintf("%d/8", i+1), res.Shard)
		seen += len(res.Cases)
	}
	require.Equal(t, 32, seen)
	status, out, _ := invoke(t, "golden", "report", parts, "--out", all)
	require.Equal(t, exitFailed, status)
	require.Contains(t, out, "32 cases: 29 match, 2 differ, 0 updated, 1 could not render")
	require.Equal(t, timeless(t, one), timeless(t, all))
	pictures := snapshot(t, all)
	for path, data := range snapshot(t, one) {
		if strings.HasSuffix(path, ".png") {
			require.Equal(t, data, pictures[filepath.Join(all, filepath.Base(path))])
		}
	}

	// A missing shard gives status 1.
	require.NoError(t, os.RemoveAll(filepath.Join(parts, "part3")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "c030.case.yaml"), []byte("source: s030.yaml\n"), 0o666))
	whole := t.TempDir()
	ends(t, 1, "golden", "run", dir, "-q", "--only", "c00[0-2]", "--out", whole)
	for i := range 2 {
		status, out, _ = invoke(t, "golden", "run", dir, "-q", "--only", "c0*", "--shard", fmt.Sprintf("%d/3", i+1), "--out", filepath.Join(whole, fmt.Sprint(i)))
		require.NotEqual(t, 2, status, out)
	}
	out, _ = ends(t, 1, "golden", "report", filepath.Join(whole, "0"), filepath.Join(whole, "1"), "--out", filepath.Join(whole, "all"))
	require.Contains(t, out, "problem   shard 3/3 is missing")
}

// A report is approved from the folder above the suite; from elsewhere the suite must be named.
func TestGoldenApprove(t *testing.T) {
	dir := generated(t, 3)
	wrong := testkit.Read(t, filepath.Join(dir, "c001-color.png"))
	approved := filepath.Join(dir, "c000-color.png")
	require.NoError(t, os.WriteFile(approved, wrong, 0o666))
	report := t.TempDir()
	t.Chdir(filepath.Dir(dir))
	ends(t, 1, "golden", "run", filepath.Base(dir), "-q", "--out", report)
	out := ok(t, "golden", "approve", report, "--dry-run")
	require.Contains(t, out, "updated   c000\n          color: the image is")
	require.Contains(t, out, "1 case approved, 0 were already, 0 could not be\nnothing was written")
	ends(t, 1, "golden", "run", filepath.Base(dir), "-q")
	t.Chdir(t.TempDir())
	fails(t, exitFailed, "--suite says where the suite is", "golden", "approve", report)
	out = ok(t, "golden", "approve", filepath.Join(report, "results.json"), "--suite", dir, "--only", "c000:color")
	require.Contains(t, out, "1 case approved")
	ok(t, "golden", "run", dir, "-q")

	// A report cannot name a suite outside of the working directory.
	for _, elsewhere := range []string{dir, "../" + filepath.Base(dir), "link"} {
		edit := filepath.Join(report, "results.json")
		var raw map[string]any
		require.NoError(t, json.Unmarshal([]byte(mustRead(t, edit)), &raw))
		raw["dir"] = elsewhere
		data := testkit.Must(json.Marshal(raw))(t)
		require.NoError(t, os.WriteFile(edit, data, 0o666))
		if elsewhere == "link" {
			require.NoError(t, os.Symlink(dir, "link"))
		}
		fails(t, exitUsage, "does not lie below this folder", "golden", "approve", report)
	}
	fails(t, exitFailed, "not the results of a golden run", "golden", "approve", filepath.Join(dir, "s000.yaml"), "--suite", dir)
}

func TestGoldenHistoryOfRuns(t *testing.T) {
	dir, runs := generated(t, 3), t.TempDir()
	t.Setenv("GITHUB_SHA", "0123456789abcdef")
	ok(t, "golden", "run", dir, "-q", "--out", filepath.Join(runs, "a"))
	scene := filepath.Join(dir, "s002.yaml")
	require.NoError(t, os.WriteFile(scene, []byte(strings.Replace(mustRead(t, scene), "0.4", "0.9", 1)), 0o666))
	t.Setenv("GITHUB_SHA", "fedcba9876543210")
	ends(t, 1, "golden", "run", dir, "-q", "--out", filepath.Join(runs, "b"))
	out := ok(t, "golden", "history", runs)
	require.Regexp(t, `^c002:color\n  20\d\d-\d\d-\d\d \d\d:\d\dZ  fedcba987654  [0-9a-f]{12} -> [0-9a-f]{12}  \n1 of 3 pictures changed over 2 commits\n$`, out)
	out = ok(t, "golden", "history", runs, "--only", "c001*", "--json")
	require.Contains(t, out, `"changes": []`)
	fails(t, exitFailed, "holds no golden case, nor results", "golden", "history", t.TempDir())
}

// compare exits with 0 for equal, 1 for different, 2 for images that cannot be compared.
func TestCompareExitStatus(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	picture := func(name string, w, h int, c color.NRGBA) {
		data := testkit.Must(golden.EncodePNG(flat(w, h, c), "", ""))(t)
		require.NoError(t, os.WriteFile(at(name), data, 0o666))
	}
	picture("a.png", 8, 4, color.NRGBA{10, 20, 30, 255})
	picture("same.png", 8, 4, color.NRGBA{10, 20, 30, 255})
	picture("near.png", 8, 4, color.NRGBA{10, 22, 30, 255})
	picture("wide.png", 9, 4, color.NRGBA{10, 20, 30, 255})
	require.NoError(t, os.WriteFile(at("none.png"), []byte("no picture"), 0o666))
	for _, tc := range []struct {
		line   string
		status int
		want   string
	}{
		{"a.png same.png", 0, "equal\n"},
		{"a.png near.png", 1, "32 of 32 pixels differ (100.000%), worst 2 at (0, 0), inside (0, 0)-(7, 3), FLIP 0.0"},
		{"a.png near.png -q", 1, ""},
		{"a.png near.png --delta 2", 0, "within the tolerance: 32 of 32 pixels are not identical, worst 2"},
		{"a.png near.png --delta 1 --share 100", 0, "within the tolerance"},
		{"a.png near.png --flip 0.2", 0, "within the tolerance"},
		{"a.png near.png --flip 0.0001", 1, "allowed 0.0001"},
		{"a.png near.png --delta 256", 1, "more than the 255"},
		{"a.png wide.png", 1, "the image is 9x4, expected 8x4"},
		{"a.png wide.png --json", 1, `"match": false`},
		{"a.png none.png", 1, "none.png: not a PNG"},
		{"a.png near.png --delta=-1", 2, "--delta must not be negative"},
		{"a.png near.png --share 101", 2, "--share 101 is out of range"},
		{"a.png near.png -o a.png", 2, "would be overwritten"},
		{"- -", 2, "named twice"},
	} {
		args := []string{"compare"}
		for _, w := range strings.Fields(tc.line) {
			if strings.HasSuffix(w, ".png") {
				w = at(w)
			}
			args = append(args, w)
		}
		stdout, stderr := ends(t, tc.status, args...)
		require.Contains(t, stdout+stderr, tc.want, tc.line)
	}
	status, _, stderr := invoke(t, "compare", at("a.png"), at("wide.png"), "-o", at("d.png"))
	require.Equal(t, 1, status, stderr)
	d := testkit.Must(golden.ReadPNG(at("d.png")))(t)
	require.Equal(t, 9, d.Bounds().Dx())
	status, stdout, stderr := invokeWith(t, []byte(mustRead(t, at("a.png"))), "compare", at("near.png"), "-", "-o", "-")
	require.Equal(t, 1, status, stderr)
	testkit.Must(png.Decode(strings.NewReader(stdout)))(t, "the difference is all that goes to standard output")
}

// The CI templates are valid YAML, and the program accepts their commands.
func TestTemplatesForCI(t *testing.T) {
	calls := 0
	require.NoError(t, filepath.WalkDir("../../docs/ci", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text := mustRead(t, path)
		var doc map[string]any
		require.NoError(t, yaml.Unmarshal([]byte(text), &doc), path)
		for _, call := range regexp.MustCompile(`(?m)\bpica200 (golden [^|;\n]*)`).FindAllStringSubmatch(text, -1) {
			calls++
			line := regexp.MustCompile(`"?\$\{?[A-Za-z@\[\]_]+\}?"?`).ReplaceAllStringFunc(call[1], func(v string) string {
				switch strings.Trim(v, `"${}`) {
				case "args[@]", "times":
					return "--times=golden-times.json"
				case "SHARD":
					return "2/4"
				}
				return "x"
			})
			parser := testkit.Must(newParser(&cli{}))(t)
			testkit.Must(parser.Parse(strings.Fields(line)))(t, "%s: %s", path, line)
		}
		return nil
	}))
	require.Equal(t, 8, calls)
}

// The shell steps of the CI templates work, with the services simulated: artefacts are copied, and shards run one after another.
func TestTemplatesForCIRun(t *testing.T) {
	testkit.Slow(t)
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash is not installed")
	}
	read := func(name string, to any) {
		require.NoError(t, yaml.Unmarshal([]byte(mustRead(t, "../../docs/ci/"+name)), to))
	}
	var action struct {
		Runs struct {
			Steps []struct{ Run string }
		}
	}
	read("github-action.yml", &action)
	var workflow struct {
		Jobs struct {
			Part struct {
				Strategy struct{ Matrix struct{ Part []int } }
			}
			Report struct {
				Steps []struct{ Run string }
			}
		}
	}
	read("github-workflow.yml", &workflow)
	type job struct {
		Parallel int
		Script   []string
	}
	var gitlab struct {
		Golden job
		Report job `yaml:"golden report"`
	}
	read("gitlab.yml", &gitlab)
	require.Equal(t, []int{1, 2, 3, 4}, workflow.Jobs.Part.Strategy.Matrix.Part)
	require.Equal(t, 4, gitlab.Golden.Parallel)

	// For Kubernetes, the scripts of the containers of its jobs.
	var pods []string
	for docs := yaml.NewDecoder(strings.NewReader(mustRead(t, "../../docs/ci/kubernetes.yml"))); ; {
		var doc struct {
			Spec struct {
				Completions int
				Template    struct {
					Spec struct{ Containers []struct{ Args []string } }
				}
			}
		}
		if docs.Decode(&doc) != nil {
			break
		}
		for _, c := range doc.Spec.Template.Spec.Containers {
			pods = append(pods, c.Args[0])
		}
		if len(pods) == 1 {
			require.Equal(t, 8, doc.Spec.Completions)
		}
	}
	require.Len(t, pods, 3)

	// Pods that draw frames of a recording, one frame each.
	recorded := newSandbox(t)
	require.NoError(t, os.Rename(demoTrace(t), filepath.Join(recorded.dir, "game.picatrace")))
	script := strings.NewReplacer("/golden", recorded.dir, "* 100", "* 1", "+ 99", "+ 0").Replace(pods[2])
	for _, index := range []string{"0", "1"} {
		cmd := exec.Command("bash", "-euc", script)
		cmd.Env = append(os.Environ(), asProgram+"=1", "PATH="+filepath.Join(recorded.dir, "bin")+":"+os.Getenv("PATH"), "RECORDING=game.picatrace", "JOB_COMPLETION_INDEX="+index)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		require.Contains(t, listFiles(t, filepath.Join(recorded.dir, "frames")), "frame"+index+"-top.png")
	}

	for _, differs := range []bool{false, true} {
		s := newSandbox(t)
		require.NoError(t, os.RemoveAll(filepath.Join(s.dir, "testdata")))
		s.suite(t)
		if differs {
			s.write(t, "testdata/golden/lit-depth.png", []byte(mustRead(t, "../../testdata/golden/lit-color.png")))
		}
		shell := func(script string, env ...string) int {
			cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
			cmd.Dir = s.dir
			cmd.Env = append(append(os.Environ(), asProgram+"=1", "PATH="+filepath.Join(s.dir, "bin")+":"+os.Getenv("PATH")), env...)
			out, err := cmd.CombinedOutput()
			if err != nil {
				require.ErrorAs(t, err, new(*exec.ExitError), "%s", out)
			}
			return cmd.ProcessState.ExitCode()
		}
		want := map[bool]int{false: 0, true: 1}[differs]
		same := func(report string) { // equals a single run
			res := testkit.Must(golden.ReadResults(filepath.Join(s.dir, report)))(t)
			require.Len(t, res.Cases, 3)
			require.Equal(t, want, res.Count(golden.Differs))
			require.Empty(t, res.Problems)
		}
		// GitHub: the second run uses the times of the first.
		for range 2 {
			worst := 0
			for _, part := range workflow.Jobs.Part.Strategy.Matrix.Part {
				status := shell(action.Runs.Steps[0].Run, "SUITE=testdata/golden", fmt.Sprintf("SHARD=%d/4", part), "TIMES=golden-times.json")
				worst = max(worst, status)
				require.Zero(t, shell(fmt.Sprintf("mkdir -p parts; rm -rf parts/golden-part-%d; mv golden-part parts/golden-part-%d", part, part)))
			}
			require.Equal(t, want, worst)
			var run []string
			for _, step := range workflow.Jobs.Report.Steps {
				if strings.Contains(step.Run, "golden-") {
					run = append(run, step.Run)
				}
			}
			require.Len(t, run, 2)
			require.Equal(t, want, shell(run[0]))
			require.Zero(t, shell(run[1])) // also after a failure (if: always())
			same("golden-report")
			require.FileExists(t, filepath.Join(s.dir, "golden-times.json"))
		}
		require.Zero(t, shell("rm -rf parts golden-report golden-times.json"))
		for i := range 4 {
			status := shell(strings.Join(gitlab.Golden.Script, "\n"), fmt.Sprintf("CI_NODE_INDEX=%d", i+1), "CI_NODE_TOTAL=4", "GITLAB_CI=true")
			require.LessOrEqual(t, status, want)
		}
		require.Equal(t, want, shell(strings.Join(gitlab.Report.Script, "\n")))
		same("golden-report")
		require.FileExists(t, filepath.Join(s.dir, "golden-report", golden.JUnitFile))

		require.NoError(t, os.MkdirAll(filepath.Join(s.dir, "volume", "parts"), 0o777))
		here := strings.NewReplacer("/golden/", filepath.Join(s.dir, "volume")+"/", `git clone --depth 1 "$REPOSITORY" /tmp/suite && cd /tmp/suite || exit 3`, "")
		for i := range 8 {
			require.Zero(t, shell("set +e\n"+here.Replace(pods[0]), fmt.Sprintf("JOB_COMPLETION_INDEX=%d", i)), "a shard with differences exits with 0; the report fails")
		}
		require.Equal(t, want, shell(here.Replace(pods[1])))
		same("volume/report")
	}
}

func flat(w, h int, c color.NRGBA) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := 0; i < len(m.Pix); i += 4 {
		m.Pix[i], m.Pix[i+1], m.Pix[i+2], m.Pix[i+3] = c.R, c.G, c.B, c.A
	}
	return m
}
