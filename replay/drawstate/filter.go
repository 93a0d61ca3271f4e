package drawstate

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Number is one that draws are filtered by, as pixels>1000. Lists are sorted by those that have
// an Order, which is what that is called, and have a column of those with a Head.
type Number struct {
	Name  string `json:"name"`
	Order string `json:"order,omitempty"`
	Head  string `json:"head,omitempty"`

	of func(i *Item) int64
}

// Numbers are those of draws.
var Numbers = []Number{
	{"draw", "", "", func(i *Item) int64 { return int64(i.Draw) }},
	{"pass", "", "", func(i *Item) int64 { return int64(i.Pass) }},
	{"pixels", "by pixels", "pixels", func(i *Item) int64 { return int64(i.Pixels) }},
	{"us", "by time", "µs", func(i *Item) int64 { return i.Micros }},
	{"triangles", "by triangles", "", func(i *Item) int64 { return int64(i.Triangles) }},
	{"vertices", "by vertices", "", func(i *Item) int64 { return int64(i.Vertices) }},
	{"drawn", "", "", func(i *Item) int64 { return int64(i.Drawn) }},
}

// Texts of lists: what it is called that one is sorted by no number, what choosing that does, and
// an example of a filter.
const (
	asDrawn    = "as drawn"
	SortHint   = "sort the draws"
	FilterHint = "words, pixels>1000, us>50"
)

// Orders are what lists can be sorted by: first by no number, as drawn.
func Orders() []Number {
	return append([]Number{{Order: asDrawn}}, slices.DeleteFunc(slices.Clone(Numbers), func(n Number) bool { return n.Order == "" })...)
}

// numberOf finds a number, nil for none.
func numberOf(name string) *Number {
	if k := slices.IndexFunc(Numbers, func(n Number) bool { return n.Name == name }); k >= 0 {
		return &Numbers[k]
	}
	return nil
}

// comparison is a word of a filter such as pixels>1000.
var comparison = regexp.MustCompile(`^([a-z]+)([<>=])([0-9]+)$`)

// filter makes a test of items: words that all must occur in what the row says, and comparisons
// of the numbers of draws.
func filter(text string) func(i *Item) bool {
	var words []string
	var tests []func(i *Item) bool
	for _, word := range strings.Fields(strings.ToLower(text)) {
		m := comparison.FindStringSubmatch(word)
		if m == nil || numberOf(m[1]) == nil {
			words = append(words, word)
			continue
		}
		limit, err := strconv.ParseInt(m[3], 10, 64) // the greatest there is, if it is beyond that
		want := map[string]int{"<": -1, "=": 0, ">": 1}[m[2]]
		n := numberOf(m[1])
		tests = append(tests, func(i *Item) bool {
			return i.Kind == "draw" && cmp.Compare(n.of(i), limit) == want && (err == nil || want < 0)
		})
	}
	return func(i *Item) bool {
		for _, test := range tests {
			if !test(i) {
				return false
			}
		}
		if len(words) == 0 {
			return true
		}
		says := strings.ToLower(i.Line() + " " + i.Kind + " " + i.Shader)
		return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(says, w) })
	}
}

// Arrange gives the places of those of the items that a filter leaves: in their order, or where by is the
// name of a number draws alone, those with the greatest first.
func Arrange(items []Item, text, by string) []int {
	list, passes, number := []int{}, filter(text), numberOf(by)
	for i := range items {
		if one := &items[i]; (number == nil || one.Kind == "draw") && passes(one) {
			list = append(list, i)
		}
	}
	if number != nil {
		slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(number.of(&items[b]), number.of(&items[a])) })
	}
	return list
}
