package files

import (
	"fmt"
	"io/fs"
	"os"
	"sync"
)

// A Run is a piece of work that reads files and writes others: a command, one of the pictures of --watch, the judging of a case.
// Every file that this package opens while a run lasts is an input of it, however the program came to know the file, and nothing
// that this package writes replaces an input. Runs are of the whole process: what one reads, another does not replace either
// while both last. Files are opened deep in readers of formats, which would all have to take a run; two runs at once can only be refused
// an output, and lose none.
//
// Two functions say that a file is to be replaced although it is read: Change, whose new contents are made from the old ones, and
// ReadToReplace.
type Run struct {
	inputs map[string]input // by their paths, absolute and without links
}

type input struct {
	name string // as it was opened
	info fs.FileInfo
}

// maxInputs bounds the files of a run.
const maxInputs = 1 << 16

var runs struct {
	sync.Mutex
	active map[*Run]bool
}

// Begin begins a run. The caller ends it.
func Begin() *Run {
	r := &Run{inputs: map[string]input{}}
	runs.Lock()
	defer runs.Unlock()
	if runs.active == nil {
		runs.active = map[*Run]bool{}
	}
	runs.active[r] = true
	return r
}

// End ends a run; its inputs may be replaced.
func (r *Run) End() {
	runs.Lock()
	defer runs.Unlock()
	delete(runs.active, r)
	clear(r.inputs)
}

// Again begins the run anew: what was opened before is no input any more.
func (r *Run) Again() {
	runs.Lock()
	defer runs.Unlock()
	clear(r.inputs)
}

// Inputs makes files inputs that the work depends on but does not open. Files that do not exist are left out.
func Inputs(names ...string) error {
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			if err := opened(name, info); err != nil {
				return err
			}
		}
	}
	return nil
}

// opened makes an open file an input of the runs.
func opened(name string, info fs.FileInfo) error {
	runs.Lock()
	defer runs.Unlock()
	if len(runs.active) == 0 || !info.Mode().IsRegular() {
		return nil
	}
	path := realPath(name)
	for r := range runs.active {
		if r.inputs[path] = (input{name, info}); len(r.inputs) > maxInputs {
			delete(r.inputs, path)
			return &fs.PathError{Op: "open", Path: name, Err: fmt.Errorf("more than %d files are open in one run", maxInputs)}
		}
	}
	return nil
}

// Overwrites is the error for an output that is an input.
type Overwrites struct{ Output, Input string }

func (e *Overwrites) Error() string {
	if e.Input == e.Output {
		return fmt.Sprintf("%s is an input and would be overwritten; name another file", e.Output)
	}
	return fmt.Sprintf("%s is the same file as %s, which is an input and would be overwritten; name another file", e.Output, e.Input)
}

// Free returns an *Overwrites if the file at path, under whatever name or link, is an input. Write and Folder.Commit check this
// themselves; Free is for work that writes several files or none.
func Free(path string) error {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() { // nothing is lost
		return nil
	}
	return free(path, path, info)
}

// free is Free for an existing file; name is its name in the error.
func free(name, path string, info fs.FileInfo) error {
	runs.Lock()
	defer runs.Unlock()
	if len(runs.active) == 0 {
		return nil
	}
	real := realPath(path)
	for r := range runs.active {
		if in, ok := r.inputs[real]; ok { // also if another program has replaced it meanwhile
			return &Overwrites{name, in.name}
		}
		for at, in := range r.inputs {
			if os.SameFile(in.info, info) && in.exists(at) {
				return &Overwrites{name, in.name}
			}
		}
	}
	return nil
}

// exists reports whether the file that was opened is still there. If it was deleted, a new one may have its number.
func (in *input) exists(at string) bool {
	now, err := os.Stat(at)
	return err == nil && os.SameFile(now, in.info)
}
