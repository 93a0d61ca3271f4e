package asm

import (
	"fmt"
	"slices"
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

// optionsDirective reads .options.
func (a *assembler) optionsDirective(st *statement) {
	if a.started {
		a.err(st.name, ".options comes after another statement", ".options before all others", "")
		return
	}
	words := OptionWords()
	w, more := st.arg()
	if !more {
		st.missing(strings.Join(words, ", "))
	}
	for ; more; w, more = st.arg() {
		if i := slices.Index(words, w.text); i >= 0 {
			*sourceOptions[i].field(&a.opt) = true
		} else {
			a.err(w, fmt.Sprintf("unknown option %q", w.text), strings.Join(words, ", "), didYouMean(w.text, words))
		}
	}
}

// Words returns the set options by their names in .options: those of the
// program, where whole is true, and those of each source.
func (o Options) Words(whole bool) (names []string) {
	for _, s := range sourceOptions {
		if *s.field(&o) && (whole || !s.whole) {
			names = append(names, s.name)
		}
	}
	return names
}
