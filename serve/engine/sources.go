package engine

import (
	"pica200/shaderunit"
	"pica200/shaderunit/asm"
)

// sourceLines says from which line of which text each instruction of a program comes.
type sourceLines struct {
	Texts []sourceText `json:"texts"`
	Lines [][2]int     `json:"lines"` // by instruction: number of the text, and line from 1; 0 where none is known
}

type sourceText struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// linesOf finds the sources that a program was assembled from among those that are known:
// texts that give the same code. nil if none does.
func (e *Engine) linesOf(r *Request, setup *shaderunit.Setup, geometry bool) *sourceLines {
	var groups [][]asm.Source
	extended := 0
	for i := range r.Edits {
		if ed := &r.Edits[i]; ed.Source != "" && (ed.Shader == "geometry") == geometry {
			groups = append(groups, []asm.Source{{Name: "edit.pica", Text: []byte(ed.Source)}})
			extended++
		}
	}
	if known := e.sources[r.File].Shaders; known != nil {
		groups = append(groups, known()...)
	}
	for i, group := range groups {
		p, found := asm.Assemble(asm.Options{Extended: i < extended}, group...)
		if found.Errors() > 0 || !assembledTo(p, setup) {
			continue
		}
		out := &sourceLines{Lines: make([][2]int, len(p.Lines))}
		at := map[string]int{}
		for n := range group {
			at[group[n].Name] = n
			out.Texts = append(out.Texts, sourceText{group[n].Name, string(group[n].Text)})
		}
		for pc, pos := range p.Lines {
			out.Lines[pc] = [2]int{at[pos.File], pos.Line}
		}
		return out
	}
	return nil
}

// assembledTo reports whether a program is what a shader unit holds.
func assembledTo(p *asm.Program, setup *shaderunit.Setup) bool {
	code := p.File.Program.Code
	if len(code) == 0 || len(code) > shaderunit.CodeWords {
		return false
	}
	for i, w := range code {
		if setup.Code(i) != w {
			return false
		}
	}
	for i, d := range p.Descriptors() {
		if setup.Desc(i) != d {
			return false
		}
	}
	return true
}
