package sceneexport

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pica200/internal/lazy"
	"pica200/internal/yamldoc"
	"pica200/scene"
	"pica200/scene/scenebuild"
)

// leaveOut removes a draw from the scene, with a note.
func (e *export) leaveOut(d *draw, why error) {
	d.out = true
	first, _, _ := strings.Cut(why.Error(), "\n")
	e.report.Notes = append(e.report.Notes, fmt.Sprintf("draw %d is left out: %s", d.index, first))
	at := slices.Index(e.drawn, d)
	if at < 0 {
		return
	}
	e.drawn = slices.Delete(e.drawn, at, at+1)
	for i := range e.scene.Passes {
		p := &e.scene.Passes[i]
		if at < len(p.Draws) {
			p.Draws = slices.Delete(p.Draws, at, at+1)
			return
		}
		at -= len(p.Draws)
	}
	e.scene.Draws = slices.Delete(e.scene.Draws, at, at+1)
}

// repair removes from the scene what made reading or drawing it fail, and reports
// whether there was anything.
func (e *export) repair(err error) bool {
	before := len(e.drawn)
	var shader *scenebuild.ShaderError
	var one *yamldoc.Error
	var all yamldoc.Errors
	switch {
	case errors.As(err, &shader):
		e.leaveOutUsers(shader.Program, err)
	case errors.As(err, &all):
		for _, bad := range all {
			e.leaveOutAt(bad)
		}
	case errors.As(err, &one):
		e.leaveOutAt(one)
	case e.begun > 0 && e.begun <= before: // an error of the GPU, in the draw begun last
		e.leaveOut(e.drawn[e.begun-1], errors.Unwrap(err))
	}
	return len(e.drawn) < before && len(e.drawn) > 0
}

var (
	sectionLine = lazy.Regexp(`^([a-z]+):`)
	entryLine   = lazy.Regexp(`^  "?([^ ":]+)"?:`)
	drawLine    = lazy.Regexp(`^ *- name: draw (\d+)$`)
)

// leaveOutAt removes the draw that a line of the scene belongs to, or the draws
// that use the program or texture at that line.
func (e *export) leaveOutAt(bad *yamldoc.Error) {
	section, entry, index := "", "", -1
	for n, line := range strings.Split(e.text, "\n") {
		if n >= bad.Line {
			break
		}
		if m := sectionLine().FindStringSubmatch(line); m != nil {
			section, entry, index = m[1], "", -1
		} else if m := drawLine().FindStringSubmatch(line); m != nil {
			index, _ = strconv.Atoi(m[1])
		} else if m := entryLine().FindStringSubmatch(line); m != nil {
			entry = m[1]
		}
	}
	why := errors.New(bad.Msg)
	switch {
	case index >= 0:
		for _, d := range slices.Clone(e.drawn) {
			if d.index == index {
				e.leaveOut(d, why)
			}
		}
	case section == "programs" || section == "textures" || section == "tables":
		e.leaveOutUsers(entry, why)
	}
}

// leaveOutUsers leaves out the draws that name a program, a texture or a table.
func (e *export) leaveOutUsers(name string, why error) {
	uses := func(w *scene.Draw) bool {
		if w.Program == name {
			return true
		}
		return slices.ContainsFunc(w.Textures, func(t *string) bool { return t != nil && *t == name }) ||
			slices.ContainsFunc(w.Uniforms, func(u scene.Uniform) bool { return len(u.Values) == 1 && u.Values[0] == name })
	}
	var out []*draw
	for i, w := range e.sceneDraws() {
		if uses(w) {
			out = append(out, e.drawn[i])
		}
	}
	for _, d := range out {
		e.leaveOut(d, why)
	}
}
