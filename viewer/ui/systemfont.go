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

// system finds the system's fonts for characters that the embedded font does
// not have: file names can be in any script.
var system = systemFonts{ask: askFontconfig}

// systemFonts are the fonts found so far. The lock of fonts protects them.
type systemFonts struct {
	ask    func(r rune) (path string, index int, err error)
	loaded []systemFont
	bytes  int
	asked  map[rune]*opentype.Font // nil if no font has the character
	failed int                     // number of failed searches
}

type systemFont struct {
	path  string
	index int
	font  *opentype.Font
}

const (
	// maxFontBytes limits the size of the fonts kept. A font with all of CJK has
	// about 20 MB.
	maxFontBytes = 96 << 20
	// maxAsked limits the characters that are searched: each takes some
	// milliseconds, and a hostile name can have many.
	maxAsked = 256
	// maxFailed stops the search where fontconfig is missing or hangs.
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

// load finds and reads a font; if that fails, the character has no font.
func (s *systemFonts) load(r rune) *opentype.Font {
	path, index, err := s.ask(r)
	if err != nil {
		s.failed++
		return nil
	}
	for _, f := range s.loaded {
		if f.path == path && f.index == index {
			return nil // already searched: it does not have the character
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
// fontconfig keep their fonts elsewhere; there, unknown characters are drawn as
// boxes.
func askFontconfig(r rune) (path string, index int, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	// Request a font with outlines, not one of coloured pictures or bitmaps.
	out, err := exec.CommandContext(ctx, "fc-match", "-f", "%{index}\n%{file}", fmt.Sprintf("sans:charset=%x:scalable=true:color=false", r)).Output()
	if err != nil {
		return "", 0, err
	}
	number, path, _ := strings.Cut(string(out), "\n")
	index, err = strconv.Atoi(number)
	// The upper 16 bits of the index select an instance of a variable font.
	return path, index & 0xFFFF, err
}
