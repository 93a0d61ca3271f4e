package asm

import (
	"fmt"
	"strings"
)

// A source can set the options that it needs: ".options no-nop, extended",
// before every other statement. A disassembly does. picasso does not know the
// directive.

// sourceOption is a word of .options, which is also the name of a flag of
// "pica200 asm".
type sourceOption struct {
	name  string
	field func(*Options) *bool
	// whole is set if the option applies to the whole program, not only to this
	// source.
	whole bool
}

var sourceOptions = []sourceOption{
	{"object", func(o *Options) *bool { return &o.Object }, true},
	{"no-nop", func(o *Options) *bool { return &o.NoNop }, false},
	{"extended", func(o *Options) *bool { return &o.Extended }, false},
	{"lines", func(o *Options) *bool { return &o.Lines }, true},
	{"picasso", func(o *Options) *bool { return &o.Picasso }, true},
}

func sourceOptionNames() (names []string) {
	for _, o := range sourceOptions {
		names = append(names, o.name)
	}
	return names
}

// optionsDirective reads .options.
func (a *assembler) optionsDirective(st *statement) {
	if a.started {
		a.err(st.name, ".options comes after another statement", ".options before all others", "")
		return
	}
	any := false
next:
	for {
		w, more := st.arg()
		if !more {
			break
		}
		any = true
		for _, o := range sourceOptions {
			if o.name == w.text {
				*o.field(&a.opt) = true
				continue next
			}
		}
		a.err(w, fmt.Sprintf("unknown option %q", w.text), strings.Join(sourceOptionNames(), ", "), didYouMean(w.text, sourceOptionNames()))
	}
	if !any {
		st.missing(strings.Join(sourceOptionNames(), ", "))
	}
}

// words returns the set options by their names in .options: those of the
// program, where whole is true, and those of each source.
func (o Options) words(whole bool) (names []string) {
	for _, s := range sourceOptions {
		if *s.field(&o) && (whole || !s.whole) {
			names = append(names, s.name)
		}
	}
	return names
}
