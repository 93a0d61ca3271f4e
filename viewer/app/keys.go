package app

import (
	"strings"

	"pica200/viewer/session"
	"pica200/viewer/ui"
)

// Keys and characters use the types of ui.
type (
	Key    = ui.Key
	Mods   = ui.Mods
	Button = ui.Button
)

// Keys, modifiers and buttons with names.
const (
	KeyEscape    = ui.KeyEscape
	KeyEnter     = ui.KeyEnter
	KeyTab       = ui.KeyTab
	KeyBackspace = ui.KeyBackspace
	KeyDelete    = ui.KeyDelete
	KeyRight     = ui.KeyRight
	KeyLeft      = ui.KeyLeft
	KeyDown      = ui.KeyDown
	KeyUp        = ui.KeyUp
	KeyPageUp    = ui.KeyPageUp
	KeyPageDown  = ui.KeyPageDown
	KeyHome      = ui.KeyHome
	KeyEnd       = ui.KeyEnd
	KeyF1        = ui.KeyF1
	KeyF3        = ui.KeyF3
	KeyF5        = ui.KeyF5
	KeyF9        = ui.KeyF9
	KeyF10       = ui.KeyF10
	KeyF12       = ui.KeyF12
	KeyPadEnter  = ui.KeyPadEnter

	Shift = ui.Shift
	Ctrl  = ui.Ctrl
	Alt   = ui.Alt
	Super = ui.Super

	ButtonLeft   = ui.ButtonLeft
	ButtonRight  = ui.ButtonRight
	ButtonMiddle = ui.ButtonMiddle
)

// binding is a key and its command. The table of bindings defines both the key list and the handling of keys.
type binding struct {
	key   Key
	mods  Mods
	group string
	help  string // "" omits it from the list: a variant of the one above;
	// "KEYS: text" names the keys itself
	do func(a *App)
}

// state gives the current state of a command.
type state struct {
	on  func(a *App) bool   // it is on
	off func(a *App) string // why it does nothing here; "" if it works
}

// unless returns the reason why a command does nothing unless it works.
func unless(works func(a *App) bool, why string) func(a *App) string {
	return func(a *App) string {
		if works(a) {
			return ""
		}
		return why
	}
}

var (
	moves  = unless(func(a *App) bool { return a.info.Animated || a.info.Frames > 1 }, "nothing moves")
	camera = unless(func(a *App) bool { return a.info.Camera }, "no camera")
)

// states are the states of commands, by help text.
var states = map[string]state{
	"play, pause":                       {func(a *App) bool { return a.motion.playing }, moves},
	"next frame":                        {nil, moves},
	"frame before":                      {nil, moves},
	"to the start":                      {nil, moves},
	"to the end":                        {nil, moves},
	"render target, screens, both eyes": {nil, unless(func(a *App) bool { return a.info.Screens != nil }, "one picture")},
	"turntable":                         {func(a *App) bool { return a.motion.turntable }, camera},
	"uniforms":                          {func(a *App) bool { return a.shows(dockPanel) }, nil},
	"inspector (or click a pixel)":      {func(a *App) bool { return a.shows(dockInspector) }, nil},
	"parts of the scene":                {func(a *App) bool { return a.shows(dockParts) }, camera},
	"warnings":                          {func(a *App) bool { return a.shows(dockWarnings) }, unless(func(a *App) bool { return a.countWarnings() != "" }, "none")},
	"timing":                            {func(a *App) bool { return a.showTiming }, nil},
	"save the camera into the scene file": {nil, func(a *App) string {
		switch {
		case !a.info.Camera:
			return "no camera"
		case a.wanted().Orbit == session.Orbit{}:
			return "not moved"
		}
		return ""
	}},
	"undo a change":                {nil, unless(func(a *App) bool { return len(a.history.past)+len(a.approvals) > 0 }, "nothing")},
	"redo it":                      {nil, unless(func(a *App) bool { return len(a.history.future) > 0 }, "nothing")},
	"the console's pixels":         {func(a *App) bool { return a.console }, camera},
	"light window":                 {func(a *App) bool { return a.prefer.Light }, nil},
	"fit the window":               {func(a *App) bool { return a.win.zoom == 0 }, nil},
	"Arrows: orbit (or drag)":      {nil, camera},
	"focus on the inspected point": {nil, camera},
	"closer (or wheel)":            {nil, camera},
	"further":                      {nil, camera},
	"record the picture, stop":     {func(a *App) bool { return a.recorder.now != nil && !a.recorder.now.window }, nil},
	"record the window, stop":      {func(a *App) bool { return a.recorder.now != nil && a.recorder.now.window }, nil},
	"film the animation, stop":     {func(a *App) bool { return a.recorder.film != nil && !a.recorder.film.turn }, moves},
	"film a turn, stop":            {func(a *App) bool { return a.recorder.film != nil && a.recorder.film.turn }, camera},
}

// withoutFile are the commands that need no file, by help text. The others do nothing while no file is open: their jobs would run
// on the file being read.
var withoutFile = map[string]bool{"open a file": true, "quit": true, "larger letters": true, "smaller letters": true, "light window": true,
	"the menus": true, "close": true, "list of keys": true}

// off returns why a command does nothing here; "" if it works.
func (b *binding) off(a *App) string {
	if a.none && !withoutFile[b.help] {
		return "no file"
	}
	if st := states[b.help]; st.off != nil {
		return st.off(a)
	}
	return ""
}

// names returns a binding's keys as in the list, and its text.
func (b *binding) names() (keys, text string) {
	if k, h, ok := strings.Cut(b.help, ": "); ok {
		return k, h
	}
	return b.mods.String() + b.key.String(), b.help
}

// bindings lists all keys in the order of the list.
var bindings []binding

func init() {
	bindings = []binding{
		{'O', Ctrl, "File", "open a file", func(a *App) { a.openDialog() }},
		{KeyF5, 0, "File", "read the files again", func(a *App) { a.filesChanged() }},
		{'S', Ctrl, "File", "save into the scene file", func(a *App) { a.save(saving{values: true}) }},
		{'S', Ctrl | Shift, "File", "save as a scene", func(a *App) { a.saveAs(saving{values: true}) }},
		{'S', Ctrl | Alt, "File", "save the camera into the scene file", func(a *App) { a.save(saving{camera: true}) }},
		{'Q', Ctrl, "File", "quit", func(a *App) { a.Leave() }},

		{'Z', Ctrl, "Edit", "undo a change", func(a *App) { a.undo(false) }},
		{'Y', Ctrl, "Edit", "redo it", func(a *App) { a.undo(true) }},
		{'Z', Ctrl | Shift, "Edit", "", func(a *App) { a.undo(true) }},
		{'/', 0, "Edit", "search in the uniforms", func(a *App) { a.search() }},

		{'V', 0, "View", "next view", func(a *App) { a.nextView(1) }},
		{'V', Shift, "View", "view before", func(a *App) { a.nextView(-1) }},
		{'S', 0, "View", "render target, screens, both eyes", func(a *App) { a.nextScreens() }},
		{'0', 0, "View", "fit the window", func(a *App) { a.setZoom(0) }},
		{'P', 0, "View", "the console's pixels", func(a *App) {
			a.console = !a.console
			a.say("%s", map[bool]string{false: "pixels of the window", true: "the console's own pixels"}[a.console])
		}},
		{'1', 0, "View", "1 to 4: window pixels a pixel", func(a *App) { a.setZoom(1) }},
		{'2', 0, "View", "", func(a *App) { a.setZoom(2) }},
		{'3', 0, "View", "", func(a *App) { a.setZoom(3) }},
		{'4', 0, "View", "", func(a *App) { a.setZoom(4) }},
		{'=', Ctrl, "View", "larger letters", func(a *App) { a.setScale(1) }},
		{'-', Ctrl, "View", "smaller letters", func(a *App) { a.setScale(-1) }},
		{'L', Ctrl, "View", "light window", func(a *App) { a.toggleLight() }},

		{KeyLeft, 0, "Camera", "Arrows: orbit (or drag)", func(a *App) { a.orbit(-0.1, 0) }},
		{KeyRight, 0, "Camera", "", func(a *App) { a.orbit(0.1, 0) }},
		{KeyUp, 0, "Camera", "", func(a *App) { a.orbit(0, 0.1) }},
		{KeyDown, 0, "Camera", "", func(a *App) { a.orbit(0, -0.1) }},
		{KeyLeft, Shift, "Camera", "Shift+arrows: pan (or right drag)", func(a *App) { a.pan(-0.05, 0) }},
		{KeyRight, Shift, "Camera", "", func(a *App) { a.pan(0.05, 0) }},
		{KeyUp, Shift, "Camera", "", func(a *App) { a.pan(0, 0.05) }},
		{KeyDown, Shift, "Camera", "", func(a *App) { a.pan(0, -0.05) }},
		{'=', 0, "Camera", "closer (or wheel)", func(a *App) { a.zoomCamera(0.25) }},
		{'-', 0, "Camera", "further", func(a *App) { a.zoomCamera(-0.25) }},
		{'F', 0, "Camera", "focus on the inspected point", func(a *App) { a.focus() }},
		{'R', 0, "Camera", "reset camera and zoom", func(a *App) { a.reset() }},
		{'T', 0, "Camera", "turntable", func(a *App) { a.toggleTurntable() }},
		{'C', 0, "Camera", "next camera of a model", func(a *App) { a.nextCamera(1) }},
		{'C', Shift, "Camera", "camera before", func(a *App) { a.nextCamera(-1) }},

		{' ', 0, "Time", "play, pause", func(a *App) { a.togglePlay() }},
		{'.', 0, "Time", "next frame", func(a *App) { a.stepFrame(1) }},
		{',', 0, "Time", "frame before", func(a *App) { a.stepFrame(-1) }},
		{KeyHome, 0, "Time", "to the start", func(a *App) { a.seek(0) }},
		{KeyEnd, 0, "Time", "to the end", func(a *App) { a.seek(1) }},
		{'A', 0, "Time", "next animation of a model", func(a *App) { a.nextAnimation(1) }},
		{'A', Shift, "Time", "animation before", func(a *App) { a.nextAnimation(-1) }},
		{']', 0, "Frame", "next draw", func(a *App) { a.stepDraw(1) }},
		{'[', 0, "Frame", "draw before", func(a *App) { a.stepDraw(-1) }},

		{KeyTab, 0, "Panels", "uniforms", func(a *App) { a.togglePanel() }},
		{'I', 0, "Panels", "inspector (or click a pixel)", func(a *App) { a.toggleInspector() }},
		{'U', 0, "Panels", "parts of the scene", func(a *App) { a.toggleParts() }},
		{'W', 0, "Panels", "warnings", func(a *App) { a.toggleWarnings() }},
		{'P', Shift, "Panels", "panels side by side, or tabs", func(a *App) { a.toggleBeside() }},
		{KeyF10, 0, "Panels", "the menus", func(a *App) { a.openMenu(groups()[0]) }},
		{KeyF3, 0, "Panels", "timing", func(a *App) { a.showTiming = !a.showTiming; a.dirty = true }},
		{KeyEscape, 0, "Panels", "close", func(a *App) { a.escape() }},

		{KeyF12, 0, "Output", "picture as PNG", func(a *App) { a.screenshot(false) }},
		{KeyF12, Shift, "Output", "whole window as PNG", func(a *App) { a.screenshot(true) }},
		{KeyF9, 0, "Output", "record the picture, stop", func(a *App) { a.toggleRecording(false) }},
		{KeyF9, Shift, "Output", "record the window, stop", func(a *App) { a.toggleRecording(true) }},
		{'M', 0, "Output", "film the animation, stop", func(a *App) { a.askFilm(false) }},
		{'M', Shift, "Output", "film a turn, stop", func(a *App) { a.askFilm(true) }},
		{KeyF9, Ctrl, "Output", "format of recordings", func(a *App) { a.nextFormat() }},
		{'G', Ctrl, "Output", "new golden case", func(a *App) { a.newGolden() }},

		{KeyF1, 0, "Help", "list of keys", func(a *App) { a.toggleKeys() }},
	}
}
