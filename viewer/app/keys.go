package app

import "fmt"

// Key is a key of the keyboard. The numbers are those of GLFW: the character
// on a US keyboard in capitals, or a number from 256 on.
type Key int

// Keys without a character of their own.
const (
	KeyEscape    Key = 256
	KeyEnter     Key = 257
	KeyTab       Key = 258
	KeyBackspace Key = 259
	KeyRight     Key = 262
	KeyLeft      Key = 263
	KeyDown      Key = 264
	KeyUp        Key = 265
	KeyPageUp    Key = 266
	KeyPageDown  Key = 267
	KeyHome      Key = 268
	KeyEnd       Key = 269
	KeyF1        Key = 290
	KeyF3        Key = 292
	KeyF9        Key = 298
	KeyF12       Key = 301
	KeyPadEnter  Key = 335
)

var keyNames = map[Key]string{
	KeyEscape: "Esc", KeyEnter: "Enter", KeyTab: "Tab", KeyBackspace: "Backspace", KeyRight: "Right", KeyLeft: "Left",
	KeyDown: "Down", KeyUp: "Up", KeyPageUp: "Page up", KeyPageDown: "Page down", KeyHome: "Home", KeyEnd: "End",
	KeyF1: "F1", KeyF3: "F3", KeyF9: "F9", KeyF12: "F12", ' ': "Space",
}

func (k Key) String() string {
	if n, ok := keyNames[k]; ok {
		return n
	}
	if k > ' ' && k < 127 {
		return string(rune(k))
	}
	return fmt.Sprintf("key %d", int(k))
}

// Mods are the modifier keys that are held.
type Mods uint8

// The modifiers, numbered as in GLFW.
const (
	Shift Mods = 1 << iota
	Ctrl
	Alt
	Super
)

func (m Mods) String() string {
	s := ""
	for i, n := range [...]string{"Shift+", "Ctrl+", "Alt+", "Super+"} {
		if m>>i&1 != 0 {
			s += n
		}
	}
	return s
}

// Button is a button of the mouse, numbered as in GLFW.
type Button uint8

// The buttons.
const (
	ButtonLeft Button = iota
	ButtonRight
	ButtonMiddle
)

// binding is a key with what it does. The key list and the handling of keys
// are both made from the table of them.
type binding struct {
	key   Key
	mods  Mods
	group string
	help  string // "" leaves it out of the list: a variant of the one above;
	// "KEYS: text" names the keys itself
	do func(a *App)
}

// bindings are all keys, in the order of the list.
var bindings []binding

func init() {
	bindings = []binding{
		{'V', 0, "View", "next view", func(a *App) { a.nextView(1) }},
		{'V', Shift, "View", "view before", func(a *App) { a.nextView(-1) }},
		{'S', 0, "View", "render target, screens, stereo", func(a *App) { a.nextScreens() }},
		{'0', 0, "View", "fit the window", func(a *App) { a.setZoom(0) }},
		{'1', 0, "View", "1 to 4: window pixels a pixel", func(a *App) { a.setZoom(1) }},
		{'2', 0, "View", "", func(a *App) { a.setZoom(2) }},
		{'3', 0, "View", "", func(a *App) { a.setZoom(3) }},
		{'4', 0, "View", "", func(a *App) { a.setZoom(4) }},

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
		{']', 0, "Time", "next draw", func(a *App) { a.stepDraw(1) }},
		{'[', 0, "Time", "draw before", func(a *App) { a.stepDraw(-1) }},

		{KeyTab, 0, "Panels", "uniforms", func(a *App) { a.togglePanel() }},
		{'/', 0, "Panels", "search in the uniforms", nil},
		{KeyF1, 0, "Panels", "this list", func(a *App) { a.showKeys = !a.showKeys; a.dirty = true }},
		{KeyF3, 0, "Panels", "timing", func(a *App) { a.showTiming = !a.showTiming; a.dirty = true }},
		{KeyEscape, 0, "Panels", "close", func(a *App) { a.escape() }},

		{KeyF12, 0, "Output", "picture as PNG", func(a *App) { a.screenshot(false) }},
		{KeyF12, Shift, "Output", "whole window as PNG", func(a *App) { a.screenshot(true) }},
		{KeyF9, 0, "Output", "record the picture, stop", func(a *App) { a.toggleRecording(false) }},
		{KeyF9, Shift, "Output", "record the window, stop", func(a *App) { a.toggleRecording(true) }},
		{'S', Ctrl, "Output", "save as scene", func(a *App) { a.save() }},
		{'G', Ctrl, "Output", "copy as golden case", func(a *App) { a.saveGolden() }},
		{'Q', Ctrl, "Output", "quit", func(a *App) { a.quit = true }},
	}
}
