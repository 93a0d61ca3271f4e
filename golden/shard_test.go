package golden

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

func TestResolveShard(t *testing.T) {
	for _, tc := range []struct{ shard, env, want string }{
		{"", "CI_NODE_INDEX=2 CI_NODE_TOTAL=3", ""},
		{"2/5", "CI_NODE_INDEX=1 CI_NODE_TOTAL=3", "2/5"},
		{"auto", "", ""},
		{"auto", "CI_NODE_TOTAL=1", ""}, // GitLab without "parallel"
		{"auto", "CI_NODE_INDEX=2 CI_NODE_TOTAL=3", "2/3"},
		{"auto", "CIRCLE_NODE_INDEX=0 CIRCLE_NODE_TOTAL=4", "1/4"},
		{"auto", "BUILDKITE_PARALLEL_JOB=3 BUILDKITE_PARALLEL_JOB_COUNT=4", "4/4"},
		{"auto", "TEST_SHARD_INDEX=1 TEST_TOTAL_SHARDS=2 BUILDKITE_PARALLEL_JOB=3 BUILDKITE_PARALLEL_JOB_COUNT=4", "2/2"},
		{"auto/8", "JOB_COMPLETION_INDEX=7", "8/8"},
		{"auto/4", "CIRCLE_NODE_INDEX=0 CIRCLE_NODE_TOTAL=4", "1/4"},
		{"auto", "JOB_COMPLETION_INDEX=7", "error: use auto/n with the number of parts"},
		{"auto/7", "JOB_COMPLETION_INDEX=7", "error: does not fit 7 parts"},
		{"auto/5", "CIRCLE_NODE_INDEX=0 CIRCLE_NODE_TOTAL=4", "error: is another"},
		{"auto/3", "", "error: the environment gives no index"},
		{"auto", "CI_NODE_INDEX=2", "error: is set without CI_NODE_TOTAL"},
		{"auto", "CI_NODE_INDEX=0 CI_NODE_TOTAL=3", "error: does not fit"},
		{"auto", "CI_NODE_INDEX=-1 CI_NODE_TOTAL=3", "error: does not fit"},
		{"auto", "CI_NODE_INDEX=two CI_NODE_TOTAL=3", "error: is not a number"},
		{"auto", "CI_NODE_INDEX=1 CI_NODE_TOTAL=99999999999", "error: does not fit"},
		{"auto/", "", "error: expected auto"},
		{"automatic", "", "error: expected auto"},
		{"3/2", "", "error: expected i/n"},
		{"1/2/3", "", "error: expected i/n"},
	} {
		env := map[string]string{}
		for _, v := range strings.Fields(tc.env) {
			k, v, _ := strings.Cut(v, "=")
			env[k] = v
		}
		got, err := ResolveShard(tc.shard, func(k string) string { return env[k] })
		if want, bad := strings.CutPrefix(tc.want, "error: "); bad {
			require.ErrorContains(t, err, want, tc)
			continue
		}
		require.NoError(t, err, tc)
		require.Equal(t, tc.want, got, tc)
	}
	// The file named by TEST_SHARD_STATUS_FILE is created, which tells Bazel that the test supports shards.
	status := filepath.Join(t.TempDir(), "status")
	env := map[string]string{"TEST_SHARD_INDEX": "0", "TEST_TOTAL_SHARDS": "2", "TEST_SHARD_STATUS_FILE": status}
	testkit.Must(ResolveShard("auto", func(k string) string { return env[k] }))(t)
	require.FileExists(t, status)
}

// Balanced shards partition the suite into parts of similar duration.
func TestBalancedShards(t *testing.T) {
	var cases []*Case
	seconds := map[string]float64{}
	total := 0.0
	for i := range 100 {
		c := &Case{Name: fmt.Sprintf("c%03d", i)}
		cases = append(cases, c)
		if i%10 != 9 { // every tenth case has no known duration
			seconds[c.Name] = float64(1+i*7%13) / 8
			total += seconds[c.Name]
		}
	}
	total *= 100.0 / 90
	seen := map[string]int{}
	for i := 1; i <= 8; i++ {
		part := testkit.Must(balance(cases, i, 8, seconds))(t)
		load := 0.0
		for k, c := range part {
			require.True(t, k == 0 || part[k-1].Name < c.Name, "cases of a shard keep the order of the suite")
			seen[c.Name]++
			if s, ok := seconds[c.Name]; ok {
				load += s
			} else {
				load += total / 100
			}
		}
		require.InEpsilon(t, total/8, load, 0.02)
	}
	require.Len(t, seen, 100)
	for name, n := range seen {
		require.Equal(t, 1, n, name)
	}
	// If parts have the same load, the first one gets the case.
	for i, want := range [][]*Case{{cases[0], cases[3]}, cases[1:3]} {
		part := testkit.Must(balance(cases[:4], i+1, 2, map[string]float64{"c000": 4, "c001": 2, "c002": 2, "c003": 1}))(t)
		require.Equal(t, want, part)
	}
	// Without known durations, cases are divided by count; a single shard has all of them.
	for _, none := range []map[string]float64{nil, {"c000": 0}} {
		part := testkit.Must(balance(cases, 2, 4, none))(t)
		require.Len(t, part, 25)
		require.Equal(t, []*Case{cases[1], cases[5], cases[97]}, []*Case{part[0], part[1], part[24]})
	}
	part := testkit.Must(balance(cases, 1, 1, seconds))(t)
	require.Len(t, part, 100)
	_, err := balance(cases, 9, 8, seconds)
	require.Error(t, err)
}

// Join reports problems of the parts and still writes the report.
func TestJoinReportsMismatchedParts(t *testing.T) {
	var names []string
	for i := range 9 {
		names = append(names, fmt.Sprintf("case%02d", i))
	}
	dir := writeSuite(t, append(names, "large")...)
	part := func(opt Options) string {
		out, _ := report(t, dir, opt)
		return out
	}
	one, two, three := part(Options{Shard: "1/3"}), part(Options{Shard: "2/3"}), part(Options{Shard: "3/3"})
	half, whole := part(Options{Shard: "1/2"}), part(Options{})
	part2only := part(Options{Shard: "2/3", Only: []string{"case*"}})
	times := part(Options{Shard: "2/3", Seconds: map[string]float64{"case00": 9, "case01": 1}})
	t.Setenv("TEST_SHARD_INDEX", "1")
	t.Setenv("TEST_TOTAL_SHARDS", "3")
	_, res := report(t, dir, Options{Shard: "auto"})
	require.Equal(t, "2/3", res.Shard)
	_, bad, err := (&Options{Shard: "auto/2"}).load(dir)
	require.ErrorContains(t, err, "TEST_TOTAL_SHARDS=3")
	require.Equal(t, err.Error(), bad.Error)
	other := part(Options{Shard: "2/3"})
	require.NoError(t, os.Remove(filepath.Join(other, ResultsFile)))
	alien := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(alien, ResultsFile), []byte(`{"name": "no results"}`), 0o644))
	ninth := part(Options{Shard: "2/3"})
	edit(t, filepath.Join(ninth, ResultsFile), func(s string) string { return strings.Replace(s, `"shard": "2/3"`, `"shard": "9/3"`, 1) })
	damaged := part(Options{Shard: "1/3"})
	require.NoError(t, os.Remove(filepath.Join(damaged, "large-color-actual.png")))
	for _, tc := range []struct {
		parts []string
		want  string // "" for no problem
	}{
		{[]string{one, two, three}, ""}, // one image differs
		{[]string{two, three}, "shard 1/3 is missing"},
		{[]string{two, one}, "shard 3/3 is missing"},
		{[]string{one, two, two, three}, "shard 2/3 appears twice"},
		{[]string{one, half, two, three}, "is shard 1/2,"},
		{[]string{one, two, three, whole}, "is not a shard"},
		{[]string{one, part2only, three}, "of another suite"},
		{[]string{one, times, three}, "is in more than one part"},
		{[]string{one, other, three}, "no such file"},
		{[]string{one, two, alien, three}, "not the results of a golden run"},
		{[]string{one, ninth, three}, `shard "9/3"`},
		{[]string{damaged, two, three}, "large-color-actual.png"},
		{[]string{whole}, ""},
		{[]string{two, three, one, whole}, "is not a shard"},
	} {
		out := t.TempDir()
		res := testkit.Must(Join(out, tc.parts...))(t)
		require.False(t, res.Passed())
		if tc.want == "" {
			require.Empty(t, res.Problems)
			require.Len(t, res.Cases, 10)
		} else {
			require.Contains(t, strings.Join(res.Problems, "\n"), tc.want)
		}
		require.NoError(t, res.WriteReports(out))
		require.FileExists(t, filepath.Join(out, HTMLFile))
	}
	// The joined time is that of the earliest part, in any order of parts.
	for i, p := range []string{one, two, three} {
		edit(t, filepath.Join(p, ResultsFile), func(s string) string {
			return regexp.MustCompile(`"time": "[^"]*"`).ReplaceAllString(s, fmt.Sprintf(`"time": "2026-01-0%dT00:00:00Z"`, 1+(i+2)%3))
		})
	}
	for _, parts := range [][]string{{one, two, three}, {two, three, one}, {three, one, two}} {
		res := testkit.Must(Join(t.TempDir(), parts...))(t)
		require.Equal(t, 1, res.Time.Day())
	}
	// At most twenty missing shards are listed; the rest are counted.
	for of, want := range map[string]string{"21": "shard 21/21 is missing", "22": "1 more shards are missing", "40": "19 more shards are missing"} {
		first := part(Options{Shard: "1/3"})
		edit(t, filepath.Join(first, ResultsFile), func(s string) string { return strings.Replace(s, `"shard": "1/3"`, `"shard": "1/`+of+`"`, 1) })
		res := testkit.Must(Join(t.TempDir(), first))(t)
		require.Len(t, res.Problems, min(21, len(res.Problems)))
		require.Equal(t, want, res.Problems[len(res.Problems)-1])
	}
	_, err = Join(t.TempDir(), alien, filepath.Join(dir, "gone"))
	require.ErrorContains(t, err, "not the results")

	// A folder of parts is read like the parts themselves. The joined report is complete: images can be approved from it alone.
	below := t.TempDir()
	for i, p := range []string{one, two, three} {
		require.NoError(t, os.Rename(p, filepath.Join(below, fmt.Sprint("part", i))))
	}
	out := t.TempDir()
	res = testkit.Must(Join(out, below))(t)
	require.Empty(t, res.Problems)
	require.NoError(t, res.WriteReports(out))
	require.NoError(t, os.RemoveAll(below))
	_, wholeRes := report(t, dir, Options{})
	require.JSONEq(t, timeless(t, wholeRes.Cases), timeless(t, res.Cases), "the joined results equal those of one run")
	res = testkit.Must(Approve(t.Context(), out, dir, ApproveOptions{Blank: true}))(t)
	require.Equal(t, 1, res.Count(Updated))
}

// timeless returns the results as JSON without their durations.
func timeless(t *testing.T, cases []CaseResult) string {
	cases = append([]CaseResult(nil), cases...)
	for i := range cases {
		cases[i].Seconds = 0
	}
	data := testkit.Must(json.Marshal(cases))(t)
	return string(data)
}

func TestReportFileNamesAreUnique(t *testing.T) {
	seen := map[string]string{}
	long := strings.Repeat("x", 60)
	// The first two names share a prefix and the first 32 bits of their SHA-256.
	for _, name := range []string{long + "?63784", long + "?102599", "a/b", "a__b", "a_b", "a b", "a?b", "../a", "..", ".a", "-a", strings.Repeat("x", 300), strings.Repeat("x", 301), "ä", "a/", "con\x00"} {
		f := fileName(name)
		require.NotContains(t, seen, f, "%q and %q", name, seen[f])
		seen[f] = name
		require.Regexp(t, `^[A-Za-z0-9_-][A-Za-z0-9._-]*$`, f)
		require.LessOrEqual(t, len(f), 100)
	}
	require.Equal(t, "deep__lit", fileName("deep/lit"))
}

// Folders whose names begin with a dot or an underscore are hidden; files are not.
func TestHiddenFolderNames(t *testing.T) {
	for path, want := range map[string]bool{"a.yaml": false, ".a.yaml": false, "_a.yaml": false, "a/b.yaml": false, ".a/b": true, "_a/b": true, "a/.b/c": true, "a/_b/c/d": true, "a.b/c_d/e": false, "/a": false, "a//b": false} {
		require.Equal(t, want, hidden(path), path)
	}
}
