package golden

import (
	"sort"
	"strings"
)

// Group is one difference and the images that have it: one change that shows
// in a hundred cases is one thing to look at.
type Group struct {
	Change   string // names the difference, "" of an image that shares its with no other
	Members  []Member
	Severity float64 // of the worst member
}

// Member is an image of a case, or the case if it could not be rendered.
type Member struct {
	Case  *CaseResult
	Image *ImageResult // nil if the case could not be rendered
}

// Groups are the images that differ and the cases that could not be rendered,
// with those that differ in the same way together, worst first. Cases that
// failed are together if they failed with the same words but for the name of
// the source.
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
			add(change, Member{Case: c}, c.severity())
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

// sameWords is the error without the names that are the case's own.
func (r *CaseResult) sameWords() string {
	text := r.Error
	for _, own := range []string{r.Source, r.File} {
		if own != "" {
			text = strings.ReplaceAll(text, own, "*")
		}
	}
	return text
}
