package asm

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"regexp"
	"testing"

	"pica200/tests/testkit"
)

// Sources in which a word is missing, stands for another, lacks its end or has a digit more:
// what is said of them, what is assembled of them nevertheless, what lints find in it, and
// how it is written as a source again, stays what it was.
func TestSourcesWithAWrongWord(t *testing.T) {
	words := regexp.MustCompile(`\S+`)
	var b bytes.Buffer
	for _, c := range readCorpus(t, "testdata") {
		all, runs, said := crc32.NewIEEE(), 0, 0
		places := words.FindAllIndex(c.text, -1)
		for i := 0; i < len(places); i += 3 {
			from, to := places[i][0], places[i][1]
			word, before := c.text[from:to], c.text[places[max(i-1, 0)][0]:places[max(i-1, 0)][1]]
			other := [][]byte{nil, before, word[:len(word)-1], append(bytes.Clone(word), '9')}[i/3%4]
			source := Source{"x.pica", bytes.Join([][]byte{c.text[:from], other, c.text[to:]}, nil)}
			p, diags := Assemble(c.opt, source)
			fmt.Fprintln(all, diags)
			runs, said = runs+1, said+len(diags)
			if p == nil || diags.Err() != nil {
				continue
			}
			fmt.Fprintln(all, p.File.Program, LintProgram(p, []Source{source}))
			for _, x := range p.File.Executables {
				fmt.Fprintf(all, "%+v\n", x)
			}
			if d, err := Disassemble(p.File, DisasmOptions{}); err != nil {
				fmt.Fprintln(all, err)
			} else {
				for _, s := range d.Sources {
					all.Write(s.Text)
				}
				fmt.Fprintln(all, d.Notes)
			}
		}
		fmt.Fprintf(&b, "%s: %d changes, %d sentences, CRC-32 %08x\n", c.name, runs, said, all.Sum32())
	}
	testkit.Golden(t, "testdata/wrong-words.txt", b.Bytes())
}
