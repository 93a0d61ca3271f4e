package asm

import (
	"fmt"
	"slices"
	"strings"

	"pica200/assets/shbin"
	"pica200/shaderunit"
)

// The extended language (Options.Extended) has notations for programs of other
// tools that the reference assembler does not have.

// dvleFields are the values that .dvle can set.
var dvleFields = []string{"version", "program_version", "merge", "endmain", "inputs", "outputs", "outputs_unknown"}

// extendedDirectives are those of Options.Extended.
var extendedDirectives = map[string]func(*assembler, *statement){
	"word":   (*assembler).wordDirective,
	"opdesc": (*assembler).descriptorDirective,
	"dvle":   (*assembler).fieldDirective,
	"label":  (*assembler).labelDirective,
}

// wordDirective emits an instruction word unchanged.
func (a *assembler) wordDirective(st *statement) {
	if len(a.blocks) == 0 {
		a.err(st.name, ".word outside of a block", ".proc before it", "")
		return
	}
	args, ok := st.args("the instruction word")
	if !ok {
		return
	}
	if w, ok := a.integer(args[0], 0, 0xFFFFFFFF); ok && a.room(st, "") {
		a.afterEnd = false
		a.emit(uint32(w), st)
	}
}

// descriptorDirective appends an operand descriptor.
func (a *assembler) descriptorDirective(st *statement) {
	w, ok := st.need("the operand descriptor")
	if !ok {
		return
	}
	word, ok := a.integer(w, 0, 0xFFFFFFFF)
	flags := 0
	if f, more := st.arg(); more {
		var flagsOK bool
		flags, flagsOK = a.integer(f, 0, 0xFFFFFFFF)
		ok = ok && flagsOK
	}
	if !st.done() || !ok {
		return
	}
	a.addDescriptor(st, uint32(word), uint32(flags))
}

// addDescriptor appends an operand descriptor that the source declares.
func (a *assembler) addDescriptor(st *statement, word, flags uint32) bool {
	if !a.desc.add(word) {
		a.err(st.name, "too many operand descriptors", fmt.Sprintf("at most %d", shaderunit.Descriptors), "")
		return false
	}
	a.descFlags = append(a.descFlags, make([]uint32, a.desc.n-len(a.descFlags))...)
	a.descFlags[a.desc.n-1] = flags
	return true
}

// fieldDirective sets a field of the executable, or of the program, to a value:
// .dvle version 0x0C02.
func (a *assembler) fieldDirective(st *statement) {
	name, ok := st.needBlank(strings.Join(dvleFields, ", "))
	if !ok {
		return
	}
	text, ok := st.needBlank("a value")
	if !ok || !st.done() {
		return
	}
	v, ok := a.integer(text, 0, 0xFFFFFFFF)
	if !ok {
		return
	}
	if slices.Contains(dvleFields, name.text) {
		a.dvle().fields[name.text] = uint32(v)
		return
	}
	a.err(name, fmt.Sprintf("unknown field %q", name.text), strings.Join(dvleFields, ", "), didYouMean(name.text, dvleFields))
}

// labelDirective adds a line to the label table of the executable: .label name,
// id, unknown, address, size.
func (a *assembler) labelDirective(st *statement) {
	args, ok := st.args("a name", "the number of the label", "the value of its unknown field", "its address", "its size")
	if !ok {
		return
	}
	var v [4]int
	for i := range v {
		limit := int64(0xFFFFFFFF)
		if i < 2 {
			limit = 0xFFFF
		}
		if v[i], ok = a.integer(args[i+1], 0, limit); !ok {
			return
		}
	}
	e := a.dvle()
	e.labels = append(e.labels, shbin.Label{ID: uint16(v[0]), Unknown: uint16(v[1]), Addr: uint32(v[2]), Size: uint32(v[3]), Name: args[0].text})
}

// applyFields applies the .dvle directives of a source to the file.
func (e *executable) applyFields(f *shbin.File, x *shbin.Executable) {
	for name, v := range e.fields {
		switch name {
		case "version":
			x.Version = uint16(v)
		case "program_version":
			f.Program.Version = v
		case "merge":
			x.Merge = uint8(v)
		case "endmain":
			x.EndMain = v
		case "inputs":
			x.InputMask = uint16(v)
		case "outputs":
			x.OutputMask = uint16(v)
		case "outputs_unknown":
			for i := range x.Outputs {
				x.Outputs[i].Unknown = uint16(v)
			}
		}
	}
}
