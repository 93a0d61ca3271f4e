package ui

import (
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"golang.org/x/image/font/opentype"

	"pica200/internal/files"
)

// system finds fonts of the system for characters that the program's own font
// does not have: names of files may be written in any script.
var system = systemFonts{ask: askFontconfig}

// systemFonts are the fonts that were found. The lock of fonts guards them.
type systemFonts struct {
	ask    func(r rune) (path string, index int, err error)
	loaded []systemFont
	bytes  int
	asked  map[rune]*opentype.Font // nil for what no font has
	failed int                     // questions without an answer
}

type systemFont struct {
	path  string
	index int
	font  *opentype.Font
}

const (
	// maxFontBytes bounds what is kept of fonts. Those with all of CJK have
	// about 20 MB.
	maxFontBytes = 96 << 20
	// maxAsked bounds the characters that are looked for: each takes some
	// milliseconds, and a hostile name has many.
	maxAsked = 256
	// maxFailed ends asking where there is no fontconfig, or it hangs.
	maxFailed = 2
)

// find returns a font that has a character, or nil.
func (s *systemFonts) find(r rune) *opentype.Font {
	if f, ok := s.asked[r]; ok {
		return f
	}
	for _, f := range s.loaded {
		if has(f.font, r) {
			return f.font
		}
	}
	if len(s.asked) >= maxAsked || s.failed >= maxFailed {
		return nil
	}
	if s.asked == nil {
		s.asked = map[rune]*opentype.Font{}
	}
	f := s.load(r)
	s.asked[r] = f
	return f
}

func has(f *opentype.Font, r rune) bool {
	i, err := f.GlyphIndex(nil, r)
	return err == nil && i != 0
}

// load asks for a font and reads it; what does not work leaves the character
// without one.
func (s *systemFonts) load(r rune) *opentype.Font {
	path, index, err := s.ask(r)
	if err != nil {
		s.failed++
		return nil
	}
	for _, f := range s.loaded {
		if f.path == path && f.index == index {
			return nil // it does not have the character: it was looked at already
		}
	}
	data, err := files.ReadRegular(path, int64(maxFontBytes-s.bytes))
	if err != nil {
		return nil
	}
	s.bytes += len(data)
	all, err := opentype.ParseCollection(data)
	if err != nil || index >= all.NumFonts() {
		return nil
	}
	f, err := all.Font(index)
	if err != nil {
		return nil
	}
	s.loaded = append(s.loaded, systemFont{path, index, f})
	if !has(f, r) {
		return nil
	}
	return f
}

// askFontconfig asks fontconfig for a font with a character. Systems without
// fontconfig have their fonts elsewhere; there, unknown characters stay boxes.
func askFontconfig(r rune) (path string, index int, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	// A font whose outlines can be read: not one of coloured pictures or bitmaps.
	out, err := exec.CommandContext(ctx, "fc-match", "-f", "%{index}\n%{file}", fmt.Sprintf("sans:charset=%x:scalable=true:color=false", r)).Output()
	if err != nil {
		return "", 0, err
	}
	number, path, _ := strings.Cut(string(out), "\n")
	index, err = strconv.Atoi(number)
	// The upper half of the number names an instance of a variable font.
	return path, index & 0xFFFF, err
}
