package golden

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// balance returns the cases of part i of n (from 1), by the times of cases in an
// earlier run, in seconds by name: cases are assigned from the longest to the shortest, each to the part with
// the least work (Graham, "Bounds on multiprocessing timing anomalies", 1969:
// no part takes more than a third longer than in the best division). A case
// without a time counts as the mean; without any time a part has every n-th case,
// because neighbours often take similar time. Parts keep the order of the suite, and all
// machines with the same times compute the same parts.
func balance(cases []*Case, i, n int, seconds map[string]float64) ([]*Case, error) {
	if n < 1 || i < 1 || i > n {
		return nil, fmt.Errorf("shard %d/%d: expected i/n with 1 <= i <= n", i, n)
	}
	mean, known := 0.0, 0
	for _, c := range cases {
		if s, ok := seconds[c.Name]; ok && s >= 0 && !math.IsInf(s, 0) {
			mean, known = mean+s, known+1
		}
	}
	if mean /= float64(known); known == 0 {
		mean = 1
	}
	cost := func(c *Case) float64 {
		if s, ok := seconds[c.Name]; ok && s >= 0 && !math.IsInf(s, 0) {
			return s
		}
		return mean
	}
	order := slices.Clone(cases)
	sort.SliceStable(order, func(a, b int) bool { return cost(order[a]) > cost(order[b]) })
	load, count, mine := make([]float64, n), make([]int, n), map[*Case]bool{}
	for _, c := range order {
		least := 0
		for k := range load {
			if load[k] < load[least] || load[k] == load[least] && count[k] < count[least] {
				least = k
			}
		}
		load[least] += cost(c)
		count[least]++
		if least == i-1 {
			mine[c] = true
		}
	}
	var out []*Case
	for _, c := range cases {
		if mine[c] {
			out = append(out, c)
		}
	}
	return out, nil
}

// maxShards bounds the number of parts of a suite.
const maxShards = 1 << 16

// parseShard parses "i/n".
func parseShard(s string) (i, n int, err error) {
	first, second, ok := strings.Cut(s, "/")
	i, errI := strconv.Atoi(first)
	n, errN := strconv.Atoi(second)
	if !ok || errI != nil || errN != nil || n < 1 || i < 1 || i > n || n > maxShards {
		return 0, 0, fmt.Errorf("shard %q: expected i/n with 1 <= i <= n <= %d, such as 2/5", s, maxShards)
	}
	return i, n, nil
}

// shardVariables are the variables in which systems tell a process its part of
// the work, from the innermost system to the outermost: a test that Bazel runs
// on an agent of Buildkite in a pod of Kubernetes is divided by Bazel.
var shardVariables = []struct {
	system, index, total string
	first                int // index of the first part
}{
	{"Bazel", "TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS", 0},
	{"GitLab", "CI_NODE_INDEX", "CI_NODE_TOTAL", 1},
	{"CircleCI", "CIRCLE_NODE_INDEX", "CIRCLE_NODE_TOTAL", 0},
	{"Buildkite", "BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT", 0},
	{"Kubernetes", "JOB_COMPLETION_INDEX", "", 0}, // an indexed job does not set the number of completions
}

// ResolveShard converts Options.Shard to "i/n": "" is all cases, "i/n" is
// returned unchanged, "auto" uses both numbers of the environment, and "auto/n"
// only the index, for systems like Kubernetes. "auto" without any variable is
// all cases.
func ResolveShard(s string, getenv func(string) string) (string, error) {
	rest, auto := strings.CutPrefix(s, "auto")
	if s == "" || !auto {
		if s != "" {
			if _, _, err := parseShard(s); err != nil {
				return "", err
			}
		}
		return s, nil
	}
	spec := ""
	if rest != "" {
		var ok bool
		if spec, ok = strings.CutPrefix(rest, "/"); !ok {
			return "", fmt.Errorf("shard %q: expected auto, auto/n or i/n", s)
		}
		if _, _, err := parseShard("1/" + spec); err != nil {
			return "", fmt.Errorf("shard %q: expected auto, auto/n or i/n", s)
		}
	}
	for _, v := range shardVariables {
		index := getenv(v.index)
		if index == "" {
			continue
		}
		total := spec
		if t := getenv(v.total); v.total != "" && t != "" {
			if spec != "" && spec != t {
				return "", fmt.Errorf("shard %q: %s=%s of %s is another number of parts", s, v.total, t, v.system)
			}
			total = t
		}
		if total == "" {
			if v.total == "" {
				return "", fmt.Errorf("shard %q: %s sets only the index (%s=%s); use auto/n with the number of parts", s, v.system, v.index, index)
			}
			return "", fmt.Errorf("shard %q: %s=%s of %s is set without %s", s, v.index, index, v.system, v.total)
		}
		i, err := strconv.Atoi(index)
		if err != nil {
			return "", fmt.Errorf("shard %q: %s=%q of %s is not a number", s, v.index, index, v.system)
		}
		shard := fmt.Sprintf("%d/%s", i+1-v.first, total)
		if _, _, err := parseShard(shard); err != nil {
			return "", fmt.Errorf("shard %q: %s=%s of %s does not fit %s parts", s, v.index, index, v.system, total)
		}
		if status := getenv("TEST_SHARD_STATUS_FILE"); v.system == "Bazel" && status != "" {
			// Bazel needs to see that the test supports shards.
			if f, err := os.OpenFile(status, os.O_CREATE|os.O_WRONLY, 0o666); err == nil {
				f.Close()
			}
		}
		return shard, nil
	}
	if spec != "" {
		return "", fmt.Errorf("shard %q: the environment gives no index", s)
	}
	return "", nil
}

// suiteDigest identifies a list of cases with their images: parts of one suite
// have the same digest.
func suiteDigest(cases []*Case) string {
	h := sha256.New()
	for _, c := range cases {
		fmt.Fprintf(h, "%q %q\n", c.Name, c.targets())
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// divide returns the part of cases that the options ask for.
func (o *Options) divide(cases []*Case) ([]*Case, error) {
	if o.Shard == "" {
		return cases, nil
	}
	i, n, err := parseShard(o.Shard)
	if err != nil {
		return nil, err
	}
	return balance(cases, i, n, o.Seconds)
}
