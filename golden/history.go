package golden

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"
)

// Change is a change of a picture.
type Change struct {
	Picture string    `json:"picture"` // CASE:TARGET, or the file of an approved picture
	Commit  string    `json:"commit"`  // the first commit with the new picture; the renderer's version if no commit is known
	Time    time.Time `json:"time"`    // UTC
	Subject string    `json:"subject,omitempty"`
	Was     string    `json:"was"` // pictureHash; "" if there was none, notDrawn if it could not be drawn
	Is      string    `json:"is"`  // the same; "" if it was removed
}

// notDrawn stands in a Change for a picture that could not be drawn.
const notDrawn = "not drawn"

// History is the changes of pictures over commits. Unchanged pictures are only
// counted.
type History struct {
	Commits  int      `json:"commits"`  // that were looked at
	Pictures int      `json:"pictures"` // that there were at any time
	Changes  []Change `json:"changes"`  // by picture, and of one in order of time
	// Problems are files that could not be read.
	Problems []string `json:"problems,omitempty"`
}

// timeline records each picture at each commit.
type timeline struct {
	h    History
	last map[string]string
}

func (t *timeline) at(picture, is string, c Change) {
	was, known := t.last[picture]
	if !known {
		t.h.Pictures++
	}
	if t.last[picture] = is; known && was != is {
		c.Picture, c.Was, c.Is = picture, was, is
		t.h.Changes = append(t.h.Changes, c)
	}
}

func (t *timeline) done() *History {
	sort.SliceStable(t.h.Changes, func(i, j int) bool { return t.h.Changes[i].Picture < t.h.Changes[j].Picture })
	return &t.h
}

// HistoryOfRuns reads the results of runs over commits: all files below dir
// with names ending in .json, in the order of their start times. Runs of
// several shards at one commit count as one.
func HistoryOfRuns(dir string) (*History, error) {
	type run struct {
		*Results
		path string
	}
	var runs []run
	t := timeline{last: map[string]string{}}
	err := filepath.WalkDir(dir+"/", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() || !strings.HasSuffix(path, ".json") {
			return nil
		}
		r, err := ReadResults(path)
		switch {
		case err != nil:
			t.h.Problems = append(t.h.Problems, err.Error())
		case r.Time.IsZero():
			t.h.Problems = append(t.h.Problems, path+": it does not state the time of the run, so it cannot be ordered")
		default:
			runs = append(runs, run{r, path})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(runs) == 0 && len(t.h.Problems) > 0 {
		return nil, errors.New(t.h.Problems[0])
	}
	if len(runs) == 0 {
		return nil, fmt.Errorf("%s holds no golden case, nor results of runs (*.json)", dir)
	}
	slices.SortStableFunc(runs, func(a, b run) int { return a.Time.Compare(b.Time) })
	commits := map[string]bool{}
	for _, r := range runs {
		c := Change{Commit: r.Commit, Time: r.Time.UTC()}
		if c.Commit == "" {
			c.Commit = r.Version
		}
		commits[c.Commit] = true
		for _, cs := range r.Cases {
			for _, i := range cs.Images {
				is := i.SHA256
				if is == "" {
					is = notDrawn
				}
				t.at(cs.Name+":"+i.Target, is, c)
			}
			if cs.Status == Failed && len(cs.Images) == 0 {
				for picture := range t.last {
					if picture[:strings.LastIndexByte(picture, ':')] == cs.Name {
						t.at(picture, notDrawn, c)
					}
				}
			}
		}
	}
	t.h.Commits = len(commits)
	return t.done(), nil
}
