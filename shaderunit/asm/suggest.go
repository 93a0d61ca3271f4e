package asm

import (
	"maps"
	"slices"
	"strings"
)

// nearest returns the candidate with the fewest edits from name, or "" if none
// is close enough to be a typing mistake (a third of its length, at least 1).
// Case does not count as an edit. Ties go to the alphabetically first.
func nearest(name string, candidates []string) string {
	limit := max(1, len(name)/3)
	best, bestDist := "", limit+1
	lower := strings.ToLower(name)
	for _, c := range slices.Sorted(slices.Values(candidates)) {
		if c == name || len(c) > len(name)+limit || len(name) > len(c)+limit {
			continue
		}
		if d := editDistance(lower, strings.ToLower(c), bestDist); d < bestDist {
			best, bestDist = c, d
		}
	}
	return best
}

// meant begins a hint that says what to write instead.
const meant = "did you mean "

// didYouMean returns a hint with the nearest candidate, "" if there is none.
func didYouMean(name string, candidates []string) string {
	if s := nearest(name, candidates); s != "" {
		return meant + s + "?"
	}
	return ""
}

// maxSuggestLen limits the work for very long names.
const maxSuggestLen = 64

// editDistance counts insertions, deletions, replacements and swaps of
// neighbours between a and b (optimal string alignment). It stops at limit.
func editDistance(a, b string, limit int) int {
	if len(a) > maxSuggestLen || len(b) > maxSuggestLen {
		return limit
	}
	var rows [3][maxSuggestLen + 1]int
	before, prev, cur := &rows[0], &rows[1], &rows[2]
	for j := 0; j <= len(b); j++ {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		low := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, before[j-2]+1)
			}
			cur[j] = d
			low = min(low, d)
		}
		if low >= limit {
			return limit
		}
		before, prev, cur = prev, cur, before
	}
	return prev[len(b)]
}

// maxSuggestions limits the findings that get a suggestion, because each
// compares all names.
const maxSuggestions = 200

// suggestFrom suggests the nearest name that a source declares.
func suggestFrom[V any](a *assembler, name string, declared map[string]V) string {
	if len(a.diags) > maxSuggestions {
		return ""
	}
	return didYouMean(name, slices.Collect(maps.Keys(declared)))
}
