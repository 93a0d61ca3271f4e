package ui

import "fmt"

// Key is a key of the keyboard, numbered as in GLFW: the capital letter or
// other character on a US keyboard, or a number from 256 on.
type Key int

// Keys without a character.
const (
	KeyEscape    Key = 256
	KeyEnter     Key = 257
	KeyTab       Key = 258
	KeyBackspace Key = 259
	KeyInsert    Key = 260
	KeyDelete    Key = 261
	KeyRight     Key = 262
	KeyLeft      Key = 263
	KeyDown      Key = 264
	KeyUp        Key = 265
	KeyPageUp    Key = 266
	KeyPageDown  Key = 267
	KeyHome      Key = 268
	KeyEnd       Key = 269
	KeyF1        Key = 290
	KeyF2        Key = 291
	KeyF3        Key = 292
	KeyF4        Key = 293
	KeyF5        Key = 294
	KeyF6        Key = 295
	KeyF7        Key = 296
	KeyF8        Key = 297
	KeyF9        Key = 298
	KeyF10       Key = 299
	KeyF11       Key = 300
	KeyF12       Key = 301
	KeyPadEnter  Key = 335
)

var keyNames = map[Key]string{
	KeyEscape: "Esc", KeyEnter: "Enter", KeyTab: "Tab", KeyBackspace: "Backspace", KeyDelete: "Delete", KeyRight: "Right", KeyLeft: "Left",
	KeyDown: "Down", KeyUp: "Up", KeyPageUp: "Page up", KeyPageDown: "Page down", KeyHome: "Home", KeyEnd: "End", ' ': "Space",
	KeyPadEnter: "Enter",
}

func (k Key) String() string {
	if n, ok := keyNames[k]; ok {
		return n
	}
	if k >= KeyF1 && k <= KeyF12 {
		return fmt.Sprintf("F%d", k-KeyF1+1)
	}
	if k > ' ' && k < 127 {
		return string(rune(k))
	}
	return fmt.Sprintf("key %d", int(k))
}

// Mods are the modifier keys held down.
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
	for _, n := range [...]struct {
		mod  Mods
		name string
	}{{Ctrl, "Ctrl+"}, {Alt, "Alt+"}, {Shift, "Shift+"}, {Super, "Super+"}} {
		if m&n.mod != 0 {
			s += n.name
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

// NoChars is a part of Keys that use no characters.
type NoChars struct{}

// Char implements Keys.
func (NoChars) Char(rune) bool { return false }

// Keys receives keyboard input.
type Keys interface {
	// Key handles a key press or repeat, and reports whether it used it.
	Key(k Key, m Mods) bool
	// Char handles a typed character, and reports whether it used it.
	Char(r rune) bool
}
