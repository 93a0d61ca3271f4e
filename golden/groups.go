package golden

import (
	"sort"
	"strings"
)

// Group is one difference with all images that have it: a change that affects a
// hundred cases must be looked at only once.
type Group struct {
	Change   string // identifies the difference; "" for an image with a unique one
	Members  []Member
	Severity float64 // of the worst member
}

// Member is an image of a case, or the case if it could not be rendered.
type Member struct {
	Case  *CaseResult
	Image *ImageResult // nil if the case could not be rendered
}

// Groups groups the differing images and the cases that failed, worst first.
// Images with the same difference are in one group, and so are cases that
// failed with the same message, except for the name of the source.
func (r *Results) Groups() []Group {
	var groups []Group
	at := map[string]int{}
	add := func(change string, m Member, severity float64) {
		if i, ok := at[change]; ok && change != "" {
			groups[i].Members = append(groups[i].Members, m)
			groups[i].Severity = max(groups[i].Severity, severity)
			return
		}
		at[change] = len(groups)
		groups = append(groups, Group{change, []Member{m}, severity})
	}
	for i := range r.Cases {
		c := &r.Cases[i]
		if c.Status == Failed {
			change := ""
			if c.Error != "" {
				change = "error " + c.sameWords()
			}
			add(change, Member{Case: c}, 1e7) // worse than any difference
			continue
		}
		for k := range c.Images {
			img := &c.Images[k]
			if img.Status != Differs {
				continue
			}
			change := ""
			if img.Change != "" {
				change = img.Target + " " + img.Change
			}
			add(change, Member{c, img}, max(1, img.Comparison.severity()))
		}
	}
	sort.SliceStable(groups, func(i, j int) bool { return groups[i].Severity > groups[j].Severity })
	return groups
}

// sameWords returns the error without the names of the case.
func (r *CaseResult) sameWords() string {
	text := r.Error
	for _, own := range []string{r.Source, r.File} {
		if own != "" {
			text = strings.ReplaceAll(text, own, "*")
		}
	}
	return text
}
