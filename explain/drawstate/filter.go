package drawstate

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"pica200/internal/lazy"
)

// Number is a number by which draws can be filtered, as in pixels>1000. If it
// has an Order (a label), lists can be sorted by it; if it has a Head, lists
// have a column for it.
type Number struct {
	Name  string `json:"name"`
	Order string `json:"order,omitempty"`
	Head  string `json:"head,omitempty"`

	of func(i *Item) int64
}

// Numbers are all numbers of draws.
var Numbers = []Number{
	{"draw", "", "", func(i *Item) int64 { return int64(i.Draw) }},
	{"pass", "", "", func(i *Item) int64 { return int64(i.Pass) }},
	{"pixels", "by pixels", "pixels", func(i *Item) int64 { return int64(i.Pixels) }},
	{"us", "by time", "µs", func(i *Item) int64 { return i.Micros }},
	{"triangles", "by triangles", "", func(i *Item) int64 { return int64(i.Triangles) }},
	{"vertices", "by vertices", "", func(i *Item) int64 { return int64(i.Vertices) }},
	{"drawn", "", "", func(i *Item) int64 { return int64(i.Drawn) }},
}

// Texts for lists: the label and the help of the unsorted order, and an example
// of a filter.
const (
	asDrawn    = "as drawn"
	SortHint   = "sort the draws"
	FilterHint = "words, pixels>1000, us>50"
)

// Orders returns the possible orders of lists; the first is drawing order.
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

// comparison matches a word of a filter such as pixels>1000.
var comparison = lazy.Regexp(`^([a-z]+)([<>=])([0-9]+)$`)

// filter makes a test of items from a filter text: words that must all occur in
// the row, and comparisons of numbers.
func filter(text string) func(i *Item) bool {
	var words []string
	var tests []func(i *Item) bool
	for _, word := range strings.Fields(strings.ToLower(text)) {
		m := comparison().FindStringSubmatch(word)
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

// Arrange returns the indices of the items that pass a filter: in their order
// or, if by is the name of a number, only draws, with the greatest first.
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
