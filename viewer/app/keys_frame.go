package app

import (
	"slices"

	"pica200/explain/drawstate"
)

const breakpointHelp = "breakpoint at the instruction"

// init appends the keys of frames and draws to the list of keys.go; Go initializes files in the order of their names.
func init() {
	// Keys of golden cases are inserted in their group.
	at := slices.IndexFunc(bindings, func(b binding) bool { return b.group == "Output" && b.key == 'G' })
	bindings = slices.Insert(bindings, at+1, goldenKeys()...)
	last := 0 // last frame key of keys.go
	for i := range bindings {
		if bindings[i].group == "Frame" {
			last = i
		}
	}
	bindings = slices.Insert(bindings, last+1,
		binding{'L', 0, "Frame", "list of passes and draws", func(a *App) { a.openDraws() }},
		binding{'J', 0, "Frame", "jump to a draw", func(a *App) { a.jumpToDraw() }},
		binding{'J', Shift, "Frame", "jump to a frame or a time", func(a *App) { a.jumpToFrame() }},
		binding{'E', 0, "Frame", "registers, textures, tables of a draw", func(a *App) { a.openState() }},
		binding{'O', 0, "Frame", "outline what a draw added", func(a *App) { a.noOutline = !a.noOutline; a.dirty = true }},
		binding{'D', 0, "Frame", "all depths, or the range drawn", func(a *App) { a.nextDepthRange() }},
		binding{KeyPageUp, Shift, "Frame", "Shift+Page: far end of depths", func(a *App) { a.moveDepthRange(0, 0.25) }},
		binding{KeyPageDown, Shift, "Frame", "", func(a *App) { a.moveDepthRange(0, -0.25) }},
		binding{KeyPageUp, Ctrl, "Frame", "Ctrl+Page: near end of depths", func(a *App) { a.moveDepthRange(0.25, 0) }},
		binding{KeyPageDown, Ctrl, "Frame", "", func(a *App) { a.moveDepthRange(-0.25, 0) }},
		binding{'N', 0, "Frame", drawstate.Words.Forward, func(a *App) { a.stepShader(func(s *stepper) { s.at++ }) }},
		binding{'N', Shift, "Frame", drawstate.Words.Back, func(a *App) { a.stepShader(func(s *stepper) { s.at-- }) }},
		binding{'K', 0, "Frame", drawstate.Words.Stop, func(a *App) { a.stepShader((*stepper).toBreak) }},
		binding{'K', Shift, "Frame", drawstate.Words.Start, func(a *App) { a.stepShader(func(s *stepper) { s.at = -1 }) }},
		binding{'K', Ctrl, "Frame", breakpointHelp, func(a *App) { a.stepShader(func(s *stepper) { s.stopAt(s.unit, s.pc()) }) }},
	)
	for _, help := range []string{drawstate.Words.Forward, drawstate.Words.Back, drawstate.Words.Stop, drawstate.Words.Start, breakpointHelp} {
		states[help] = state{nil, unless(func(a *App) bool { return a.info.Frames > 0 }, "no recording")}
	}
}
