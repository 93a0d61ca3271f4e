package drawstate

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"pica200/rows"
)

// comparison is a word of a filter such as pixels>1000.
var comparison = regexp.MustCompile(`^(pixels|us|vertices|triangles|drawn|draw|pass)([<>=])([0-9]+)$`)

// Filter makes a test of rows of draws: words that all must occur in what the row says, and
// comparisons of its values, as the lists of window and browser have them.
func Filter(text string) func(r *rows.Row) bool {
	var tests []func(r *rows.Row) bool
	for _, word := range strings.Fields(strings.ToLower(text)) {
		m := comparison.FindStringSubmatch(word)
		if m == nil {
			tests = append(tests, func(r *rows.Row) bool { return strings.Contains(strings.ToLower(r.Line()+" draw"), word) })
			continue
		}
		limit, err := strconv.ParseFloat(m[3], 64)
		tests = append(tests, func(r *rows.Row) bool {
			v, e := strconv.ParseFloat(fmt.Sprint(r.Get(m[1])), 64)
			switch {
			case err != nil || e != nil:
				return false
			case m[2] == "<":
				return v < limit
			case m[2] == ">":
				return v > limit
			}
			return v == limit
		})
	}
	return func(r *rows.Row) bool {
		for _, test := range tests {
			if !test(r) {
				return false
			}
		}
		return true
	}
}
