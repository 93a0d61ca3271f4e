package engine

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"

	"pica200/assets/picatrace"
	"pica200/shaderunit"
	"pica200/shaderunit/asm"
)

// sourceLines is the source line of each instruction of a program.
type sourceLines struct {
	Texts []sourceText `json:"texts"`
	Lines [][2]int     `json:"lines"` // for each instruction: number of the text, and line from 1; 0 if unknown
}

type sourceText struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// assembledOf returns possible sources of programs of a request: those of
// edits, and the known ones.
func (e *Engine) assembledOf(r *Request, geometry bool) (list []assembled) {
	for i := range r.Edits {
		if ed := &r.Edits[i]; ed.Source != "" && (ed.Shader == "geometry") == geometry {
			list = assemble(list, true, []asm.Source{{Name: "edit.pica", Text: []byte(ed.Source)}})
		}
	}
	return append(list, e.known(r.File)...)
}

// sourceOf returns the sources from which a program was assembled: those that
// give the same code; nil if none do.
func sourceOf(list []assembled, setup *shaderunit.Setup) *assembled {
	for i := range list {
		if assembledTo(list[i].program, setup) {
			return &list[i]
		}
	}
	return nil
}

// names returns the names of the sources, "" for none.
func (a *assembled) names() string {
	if a == nil {
		return ""
	}
	var list []string
	for _, s := range a.group {
		list = append(list, s.Name)
	}
	return strings.Join(list, ", ")
}

// linesOf returns where the instructions of a program come from, nil if
// unknown.
func (e *Engine) linesOf(r *Request, setup *shaderunit.Setup, geometry bool) *sourceLines {
	a := sourceOf(e.assembledOf(r, geometry), setup)
	if a == nil {
		return nil
	}
	out := &sourceLines{Lines: make([][2]int, len(a.program.Lines))}
	at := map[string]int{}
	for n, s := range a.group {
		at[s.Name] = n
		out.Texts = append(out.Texts, sourceText{s.Name, string(s.Text)})
	}
	for pc, pos := range a.program.Lines {
		out.Lines[pc] = [2]int{at[pos.File], pos.Line}
	}
	return out
}

// assembled is sources with their assembled program.
type assembled struct {
	group   []asm.Source
	program *asm.Program
}

// assemble adds the groups that have no errors.
func assemble(list []assembled, extended bool, groups ...[]asm.Source) []assembled {
	for _, group := range groups {
		if p, found := asm.Assemble(asm.Options{Extended: extended}, group...); found.Errors() == 0 {
			list = append(list, assembled{group, p})
		}
	}
	return list
}

// known returns the known sources of a file, which are assembled once.
func (e *Engine) known(file int) []assembled {
	sources := e.sources[file].Shaders
	if sources == nil {
		return nil
	}
	key := cacheKey{file: file, what: "sources"}
	if cached, ok := e.cache.get(key).([]assembled); ok {
		return cached
	}
	list := assemble(nil, false, sources()...)
	n := int64(0)
	for _, a := range list {
		n += 64 << 10 // a program with its tables
		for _, s := range a.group {
			n += int64(len(s.Text))
		}
	}
	e.cache.put(key, list, n)
	return list
}

// assembledTo reports whether a program is the one in a shader unit.
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

// Known is information about a recording of one frame that the recording does
// not contain.
type Known struct {
	Names   []string       `json:"names,omitempty"`   // of the draws
	Sources [][]sourceText `json:"sources,omitempty"` // of programs, grouped by programs that are assembled together
	Micros  []int64        `json:"us,omitempty"`      // times of the draws on the machine that made it
}

// Add adds the sources of a program if they are new.
func (k *Known) Add(group []asm.Source) {
	var list []sourceText
	for _, s := range group {
		list = append(list, sourceText{s.Name, string(s.Text)})
	}
	k.add(list)
}

// Recorded makes a Source from a recording in memory, with what is known of it.
func Recorded(name string, data []byte, k *Known) Source {
	return Source{Name: name,
		Micros: func() []int64 { return k.Micros },
		Open: func(context.Context) (*picatrace.Trace, [][]string, error) {
			t, err := picatrace.Parse(data)
			return t, [][]string{k.Names}, err
		},
		Shaders: func() (list [][]asm.Source) {
			for _, texts := range k.Sources {
				var group []asm.Source
				for _, t := range texts {
					group = append(group, asm.Source{Name: t.Name, Text: []byte(t.Text)})
				}
				list = append(list, group)
			}
			return list
		}}
}

// Used keeps only those known sources from which programs of the first frame
// were assembled. No other request may run meanwhile.
func (k *Known) Used(ctx context.Context, e *Engine, draws int) error {
	used := &Known{Names: k.Names, Micros: k.Micros}
	seen := map[[32]byte]bool{}
	for draw := range draws {
		r := &Request{Draw: draw}
		s, err := e.shot(ctx, r)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			continue // nothing is known of it
		}
		for _, unit := range []string{"vertex", "geometry"} {
			setup, geometry, err := s.unit(unit)
			if err != nil || geometry && !s.state.GeometryOn() {
				continue
			}
			var code []byte
			for i := range shaderunit.CodeWords {
				code = binary.LittleEndian.AppendUint32(code, setup.Code(i))
			}
			if sum := sha256.Sum256(code); seen[sum] {
				continue
			} else {
				seen[sum] = true
			}
			if lines := e.linesOf(r, setup, geometry); lines != nil {
				used.add(lines.Texts)
			}
		}
	}
	*k = *used
	return nil
}

func (k *Known) add(list []sourceText) {
	for _, g := range k.Sources {
		if slices.Equal(g, list) {
			return
		}
	}
	k.Sources = append(k.Sources, list)
}
