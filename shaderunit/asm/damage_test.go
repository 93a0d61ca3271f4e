package asm_test

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"regexp"
	"testing"

	"pica200/shaderunit/asm"
	"pica200/shaderunit/disasm"
	"pica200/shaderunit/lint"
	"pica200/tests/testkit"
)

// Golden file: errors, assembled code, findings of lint and disassembly of sources with a word or sign removed, replaced, cut or
// extended by a digit.
func TestDamagedSources(t *testing.T) {
	words, signs := regexp.MustCompile(`\S+`), regexp.MustCompile(`[\w.]+|\S`)
	list := readCorpus(t, "testdata")
	for _, s := range readSources(t, "dialects/every.nihstro", "dialects/every.aemstro", "link/shared.pica") {
		list = append(list, corpusSource{name: s.Name, text: s.Text})
	}
	var b bytes.Buffer
	for n, c := range list {
		all, runs, said := crc32.NewIEEE(), 0, 0
		places := words.FindAllIndex(c.text, -1)
		step, times := 3, (len(places)+2)/3
		if n >= len(list)-3 {
			places = signs.FindAllIndex(c.text, -1)
			step, times = 1, 2*len(places)
		}
		at := func(i int) []byte { return c.text[places[i][0]:places[i][1]] }
		for k := range times {
			i := k * step % len(places)
			from, to, word := places[i][0], places[i][1], at(i)
			other := [][]byte{nil, at(max(i-1, 0)), word[:len(word)-1], append(bytes.Clone(word), '9'), at(i * 7 % len(places))}[k%5]
			source := asm.Source{"x.pica", bytes.Join([][]byte{c.text[:from], other, c.text[to:]}, nil)}
			fmt.Fprintf(all, "%s %v\n", asm.Format(source.Text), asm.Blocks(source.Text))
			p, diags := asm.Assemble(c.opt, source)
			fmt.Fprintln(all, diags)
			runs, said = runs+1, said+len(diags)
			if p == nil || diags.Err() != nil {
				continue
			}
			fmt.Fprintln(all, p.File.Program, lint.Program(p, []asm.Source{source}))
			for _, x := range p.File.Executables {
				fmt.Fprintf(all, "%+v\n", x)
			}
			if d, err := disasm.File(p.File, disasm.Options{}); err != nil {
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
