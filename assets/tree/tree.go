// Package tree is the common description of files of every format: a tree of
// named fields (Node), each with its position in the file and its decoded value,
// and a list of findings (Finding): what is missing, unusual or wrong. "pica200
// inspect" prints it with WriteText and WriteJSON.
//
// The package depends on no format. The format packages add a Finding for what
// they notice while parsing; package inspect builds the trees.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
package tree

import (
	"fmt"
	"sort"
)

// Level says whether a finding makes a check fail.
type Level uint8

const (
	// Note is a remark about a valid file that stops nothing, as compilers print
	// "note:", such as a block that a recorder never fills.
	Note Level = iota
	// Problem is a deviation from the format: a check fails.
	Problem
)

// String returns "note" or "problem".
func (l Level) String() string {
	if l == Note {
		return "note"
	}
	return "problem"
}

// NoOffset is the Offset of a finding or node that has no position in the file.
const NoOffset = -1

// Finding is one thing noticed in a file.
type Finding struct {
	Level   Level
	Offset  int64 // bytes from the start of the file, NoOffset when there is no such position
	Message string
}

// String returns the finding as one line: position, level, message.
func (f Finding) String() string {
	if f.Offset < 0 {
		return fmt.Sprintf("%s: %s", f.Level, f.Message)
	}
	return fmt.Sprintf("0x%x: %s: %s", f.Offset, f.Level, f.Message)
}

// Findings collects findings.
type Findings []Finding

// Notef adds a note about the bytes at off.
func (f *Findings) Notef(off int64, format string, args ...any) {
	*f = append(*f, Finding{Note, off, fmt.Sprintf(format, args...)})
}

// Problemf adds a problem with the bytes at off.
func (f *Findings) Problemf(off int64, format string, args ...any) {
	*f = append(*f, Finding{Problem, off, fmt.Sprintf(format, args...)})
}

// Problems reports how many findings are problems.
func (f Findings) Problems() int {
	n := 0
	for _, x := range f {
		if x.Level == Problem {
			n++
		}
	}
	return n
}

// Sort orders findings by position; findings at one position keep their order.
func (f Findings) Sort() {
	sort.SliceStable(f, func(i, j int) bool { return f[i].Offset < f[j].Offset })
}
