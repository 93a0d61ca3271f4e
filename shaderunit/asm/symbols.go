package asm

import (
	"fmt"
	"strings"

	"pica200/assets/shbin"
	"pica200/shaderunit/internal/picasso"
)

// nameTableOf holds an executable's names of registers, in the order of
// declaration.
type nameTableOf struct {
	file     string
	geometry bool
	uniforms []picasso.Uniform // all of the table, including inputs
	outputs  []output
}

// SymbolHeader returns a C header with the registers of the uniforms, inputs
// and outputs of every executable. The uniforms have the same names and values
// as in Header. The names of a second executable of the same kind start with
// VSH1 or GSH1, and so on. From libctru the header needs only BIT.
func (p *Program) SymbolHeader() string {
	var b strings.Builder
	b.WriteString("// Made by pica200 asm: registers of the shaders' uniforms, inputs and outputs.\n#pragma once\n")
	kinds := map[string]int{}
	for i, e := range p.symbols {
		prefix, kind := "VSH", "vertex"
		if e.geometry {
			prefix, kind = "GSH", "geometry"
		}
		n := kinds[prefix]
		kinds[prefix]++
		if n > 0 {
			prefix = fmt.Sprintf("%s%d", prefix, n)
		}
		fmt.Fprintf(&b, "\n// Executable %d, a %s shader: %s\n#define %s_DVLE %d\n", i, kind, commentText(e.file), prefix, i)
		for _, u := range e.uniforms {
			if u.Reg >= picasso.RegTemp {
				writeUniformDefines(&b, prefix, u)
			}
		}
		for _, u := range e.uniforms {
			if u.Reg < picasso.RegTemp && u.Name != "" {
				fmt.Fprintf(&b, "#define %s_IN_%s %d\n", prefix, u.Name, u.Reg)
			}
		}
		for _, o := range e.outputs {
			if o.name != "" {
				fmt.Fprintf(&b, "#define %s_OUT_%s %d // %s.%s\n", prefix, o.name, o.reg, o.meaning, shbin.ComponentNames(uint16(o.mask)))
			}
		}
	}
	return b.String()
}

// commentText changes a name that would end the comment of its line.
func commentText(s string) string {
	return strings.TrimSuffix(strings.Map(func(r rune) rune {
		if r < ' ' || r == '\\' {
			return '/'
		}
		return r
	}, s), "/")
}

// writeUniformDefines writes the same lines for a uniform as the reference
// assembler.
func writeUniformDefines(b *strings.Builder, prefix string, u picasso.Uniform) {
	n := u.Reg - u.Type.Base()
	switch {
	case u.Type == picasso.TypeFloat:
		fmt.Fprintf(b, "#define %s_FVEC_%s 0x%02X\n", prefix, u.Name, n)
	case u.Type == picasso.TypeInt:
		fmt.Fprintf(b, "#define %s_IVEC_%s 0x%02X\n", prefix, u.Name, n)
	case u.Size == 1:
		fmt.Fprintf(b, "#define %s_FLAG_%s BIT(%d)\n", prefix, u.Name, n)
	default:
		fmt.Fprintf(b, "#define %s_FLAG_%s(_n) BIT(%d+(_n))\n", prefix, u.Name, n)
	}
	fmt.Fprintf(b, "#define %s_ULEN_%s %d\n", prefix, u.Name, u.Size)
}
