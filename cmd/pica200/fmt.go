package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"pica200/internal/files"
	"pica200/internal/lazy"
	"pica200/shaderunit/asm"
)

type fmtCmd struct {
	Files []string `arg:"" placeholder:"FILE" help:"Sources in the .pica language, - for standard input."`
	Out   string   `short:"o" ends:".pica .asm .s .vsh .gsh .txt" placeholder:"FILE" help:"File to write; only with one source. Without it: standard output."`
	Write bool     `short:"w" help:"Write changed sources back to their files."`
	Check bool     `help:"Write nothing; list the sources that would change, and exit with status 1 if there are any."`
}

func (fmtCmd) Help() string {
	return `Formats .pica sources: a tab for every block, labels at the margin, one
blank after commas, comments after statements in a column. Line breaks are kept,
and the assembled program has the same bytes.

Examples:

  pica200 fmt vshader.v.pica
  pica200 fmt -w vshader.v.pica program.g.pica
  pica200 fmt --check vshader.v.pica || true`
}

func (c fmtCmd) Run(con *console) error {
	switch {
	case c.Write && (c.Check || c.Out != ""):
		return usagef("-w, -o and --check exclude each other")
	case c.Check && c.Out != "":
		return usagef("-w, -o and --check exclude each other")
	case !c.Write && !c.Check && len(c.Files) > 1:
		return usagef("several sources need -w or --check")
	}
	differ := 0
	for _, name := range c.Files {
		if name == "-" && c.Write {
			return usagef("-w writes files, and - is standard input")
		}
		text, err := con.read(name)
		if err != nil {
			return err
		}
		if line := notSource(text); line > 0 {
			return fmt.Errorf("%s:%d: this is not a source: it contains a control character", inputName(name), line)
		}
		if name != "-" && !slices.Contains(sourceEnds, strings.ToLower(filepath.Ext(name))) && !directive().Match(text) {
			return fmt.Errorf("%s: this is not a source: no line has a directive, such as .proc", inputName(name))
		}
		tidy := asm.Format(text)
		switch {
		case c.Check && !bytes.Equal(text, tidy):
			fmt.Fprintln(con.out, inputName(name))
			differ++
		case c.Check || c.Write && bytes.Equal(text, tidy):
		case c.Write:
			if path := resolved(name); con.outputs[path] {
				err = writtenTwice(name)
			} else {
				con.outputs[path] = true
				err = files.Change(name, files.Max, func(now []byte) ([]byte, error) {
					if !bytes.Equal(now, text) {
						return nil, fmt.Errorf("%s was changed by another program meanwhile and is not overwritten; run the command again", name)
					}
					return tidy, nil
				})
			}
		case c.Out == "":
			err = con.writeBytes("-", tidy)
		default:
			err = con.writeBytes(c.Out, tidy)
		}
		if err != nil {
			return err
		}
	}
	switch differ {
	case 0:
		return nil
	case 1:
		return fmt.Errorf("1 source is not laid out as fmt does")
	}
	return fmt.Errorf("%d sources are not laid out as fmt does", differ)
}

// A file with another ending is a source if it has a directive: -w must not lay out scenes and letters.
var (
	sourceEnds = []string{".pica", ".asm", ".vsh", ".gsh"}
	directive  = lazy.Regexp(`(?m)^[ \t]*\.[a-z]`)
)

// notSource returns the line, from 1, with a character that a source cannot
// have, because a terminal would execute it; 0 if there is none. Comments may
// have any encoding.
func notSource(text []byte) int {
	line := 1
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case r == '\n':
			line++
		case r == '\t' || r == '\r' || r == '\v' || r == '\f':
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			return line
		}
		text = text[n:]
	}
	return 0
}
