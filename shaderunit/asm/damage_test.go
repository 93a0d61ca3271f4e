package asm_test

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"math/rand"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pica200/assets/shbin"
	"pica200/shaderunit"
	"pica200/shaderunit/asm"
	"pica200/shaderunit/disasm"
	"pica200/shaderunit/lint"
	"pica200/tests/testkit"
)

// ownSources returns the sources in testdata and in the corpus of the environment.
func ownSources(t testing.TB) (pool [][]byte) {
	for _, dir := range []string{"testdata", os.Getenv(corpusEnv)} {
		if dir == "" {
			continue
		}
		for _, c := range readCorpus(t, dir) {
			pool = append(pool, c.text)
		}
	}
	return pool
}

// Sources with random changes, one or several linked: those that assemble survive disassembly.
func TestDamagedSourcesRoundTrip(t *testing.T) {
	pool := ownSources(t)
	require.NotEmpty(t, pool)
	came := 0
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewSource(rapid.Int64().Draw(t, "seed")))
		var sources []asm.Source
		for i := range 1 + rng.Intn(8)/6 {
			sources = append(sources, asm.Source{fmt.Sprintf("s%d", i), damage(rng, pool)})
		}
		opt := asm.Options{NoNop: rng.Intn(8) == 0}
		prog, _ := asm.Assemble(opt, sources...)
		if prog == nil {
			return
		}
		came++
		want := testkit.Must(prog.Bytes())(t)
		f, err := shbin.Parse(want)
		if err != nil {
			// An entry point beyond the last word cannot be read back.
			require.ErrorContains(t, err, "entry point")
			return
		}
		d := testkit.Must(disasm.File(f, disasm.Options{}))(t)
		text := func() string {
			var b strings.Builder
			for _, s := range append(sources, d.Sources...) {
				fmt.Fprintf(&b, "==== %s\n%s\n", s.Name, s.Text)
			}
			return b.String()
		}
		require.Empty(t, d.Notes, text())
		again, diags := asm.Assemble(d.Options, d.Sources...)
		require.NoError(t, diags.Err())
		got := testkit.Must(again.Bytes())(t)
		require.Equal(t, want, got, text())
	})
	t.Logf("%d programs came back", came)
}

// Random words survive disassembly.
func TestRandomWordsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := shaderunit.Instructions()
		n := rapid.IntRange(1, 40).Draw(t, "words")
		r := disasm.Raw{Geometry: rapid.Bool().Draw(t, "geometry")}
		for range rapid.IntRange(1, 40).Draw(t, "descriptors") {
			r.Descriptors = append(r.Descriptors, rapid.Uint32().Draw(t, "descriptor"))
		}
		for range n {
			w := rapid.Uint32().Draw(t, "bits")
			if rapid.IntRange(0, 9).Draw(t, "known") > 0 {
				row := rows[rapid.IntRange(0, len(rows)-1).Draw(t, "row")]
				w = w&0x03FFFFFF | uint32(row.Op)<<26
				if rapid.IntRange(0, 3).Draw(t, "near") > 0 {
					// Targets and counts inside the program.
					w = w&^0x3FFFFF | uint32(rapid.IntRange(0, n).Draw(t, "dest"))<<10 | uint32(rapid.IntRange(0, 3).Draw(t, "num"))
				}
			}
			r.Code = append(r.Code, w)
		}
		f := testkit.Must(r.File())(t)
		d := testkit.Must(disasm.File(f, disasm.Options{Addresses: rapid.Bool().Draw(t, "addresses")}))(t)
		text := ""
		for _, s := range d.Sources {
			text += string(s.Text)
		}
		require.Empty(t, d.Notes, text)
		prog, diags := asm.Assemble(d.Options, d.Sources...)
		require.NoError(t, diags.Err(), text)
		require.Equal(t, r.Code, prog.File.Program.Code, text)
		require.Equal(t, f.Program.Descriptors, prog.File.Program.Descriptors)
		require.Equal(t, f.Executables[0].EndMain, prog.File.Executables[0].EndMain)
	})
}

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
