package hardware

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// accuracyRow is a rule of docs/accuracy.
type accuracyRow struct {
	feature, source, confidence, evidence string
	tests                                 []string
}

// evidence says with which grades of confidence a verdict does not go.
var evidence = map[string]string{
	"confirmed": "guess choice", "changed": "guess choice", "part": "choice", "open": "choice",
	"none": "hardware-tested seen documentation file choice", "own": "hardware-tested seen documentation file",
}

// readAccuracy reads a page of docs/accuracy. A row without a verdict about the evidence is refused, and one whose verdict its source or
// confidence contradicts.
func readAccuracy(page string, data []byte) (rows []accuracyRow, err error) {
	for i, line := range strings.Split(string(data), "\n") {
		c := strings.Split(line, " | ")
		if len(c) < 3 || c[0] == "feature" {
			continue
		}
		bad := func(format string, args ...any) ([]accuracyRow, error) {
			return nil, fmt.Errorf("%s.md:%d: %s: "+format, append([]any{page, i + 1, c[0]}, args...)...)
		}
		if len(c) != 6 {
			return bad("%d cells, not feature, rule, source, confidence, evidence, test", len(c))
		}
		r := accuracyRow{page + ": " + c[0], c[2], c[3], c[4], testName.FindAllString(c[5], -1)}
		grade := strings.FieldsFunc(r.confidence, func(r rune) bool { return strings.ContainsRune(" ,;", r) })[0]
		switch without, ok := evidence[r.evidence]; {
		case !ok:
			return bad("the evidence is %q, not one of confirmed, changed, part, open, none, own", r.evidence)
		case slices.Contains(strings.Fields(without), grade):
			return bad("evidence %q, but the confidence is %q", r.evidence, r.confidence)
		case r.source == "-" && r.evidence != "none" && r.evidence != "own":
			return bad("evidence %q without a source", r.evidence)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

var testName = regexp.MustCompile(`\bTest\w+`)

// Each rule of docs/accuracy has a verdict and names tests that exist, and each question to a console belongs to a rule.
func TestAccuracyRows(t *testing.T) {
	var all []accuracyRow
	for _, path := range testkit.Must(filepath.Glob("../../docs/accuracy/*.md"))(t) {
		page := strings.TrimSuffix(filepath.Base(path), ".md")
		if page != "scene-export" { // has no rules
			all = append(all, testkit.Must(readAccuracy(page, testkit.Read(t, path)))(t)...)
		}
	}
	count, features := map[string]int{}, map[string]bool{}
	for _, r := range all {
		count[r.confidence]++
		count["evidence "+r.evidence]++
		features[r.feature] = true
	}
	t.Logf("%d rules: %v", len(all), count)
	for _, p := range Programs {
		for _, q := range p.questions {
			require.True(t, features[q.rule], "%s asks about %q, which is no rule", p.Name, q.rule)
		}
	}
	var code bytes.Buffer
	for _, pattern := range []string{"../../*/*_test.go", "../../*/*/*_test.go", "../../*/*/*/*_test.go"} {
		for _, path := range testkit.Must(filepath.Glob(pattern))(t) {
			code.Write(testkit.Read(t, path))
		}
	}
	have := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllSubmatch(code.Bytes(), -1) {
		have[string(m[1])] = true
	}
	for _, r := range all {
		for _, name := range r.tests {
			require.True(t, have[name], "%s names %s, which does not exist", r.feature, name)
		}
	}
	const head = "feature | rule | source | confidence | evidence | test\n"
	for row, want := range map[string]string{
		"a | b | c | guess | none | -": "", "a | b | - | guess | none | -": "",
		"a | b | c | guess | -":                   "p.md:2: a: 5 cells",
		"a | b | c | guess |  | -":                "not one of",
		"a | b | c | guess for d | confirmed | -": "confidence is",
		"a | b | c | hardware-tested | none | -":  "confidence is",
		"a | b | - | guess | open | -":            "without a source",
	} {
		if _, err := readAccuracy("p", []byte(head+row)); want == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, want)
		}
	}
}
