package asm_test

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"math/rand"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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

// judgements give the reason why each finding in the samples is right and stays: a sample shows one feature and is no real program.
// files are patterns.
var judgements = []struct{ rule, files, why string }{
	{"no-output", "code_full.pica descriptor_*.pica dir_*.pica op_*.pica padding.pica syntax_*.pica uniforms_and_constants_meet.pica", "true: the sample is of one directive, instruction or spelling, and declares nothing else"},
	{"output-missing", "dir_out.pica dir_out_short.pica", "true: the outputs are there for their names, and what is left out is read by the rasterizer"},
	{"output-missing", "op_*.pica", "true: the last instruction has a mask, so that a mask of an output is among the forms"},
	{"output-bank", "op_emit.pica", "true: four EMITs after one MOV; the second and the fourth send the other bank, which nothing wrote"},
	{"read-unwritten", "op_flow_conditions.pica op_jmp.pica op_call.pica padding.pica syntax_labels.pica syntax_spacing.pica", "true: the conditions are of flags that no CMP sets"},
	{"read-unwritten", "op_breakc.pica", "true: CMP compares, and MOV copies, a register that nothing writes, and a flag that is tested depends on it"},
	{"read-unwritten", "gsh_variable.pica", "true: a0 is used as an index, and no MOVA sets it"},
	{"read-unwritten", "op_*.pica", "true: indices that nothing sets, and components of temporaries that the masks before left out, reach an output; the sample is of masks, swizzles and indices"},
	{"no-end", "op_jmp.pica", "true: with b0 and b1 false the program jumps back for ever"},
	{"no-end", "syntax_labels.pica", "true: a jump back for ever if the flag is set, which nothing changes, and one to a label after the last instruction"},
	{"no-end", "dir_proc_empty.pica", "true: see block-end"},
	{"block-end", "dir_proc_empty.pica", "true: an empty procedure has no last instruction at which its CALL could return, and the first is at the address of main: it calls itself for ever"},
	{"stack-overflow", "dir_proc_empty.pica", "true: see block-end"},
	{"unreachable", "dir_proc_empty.pica", "true: see block-end"},
	{"unreachable", "op_break.pica", "true: an instruction after a BREAK"},
	{"unreachable", "padding.pica", "true: a procedure that nothing calls, for the NOP at its end"},
	{"too-long", "code_full.pica", "true, and what the sample is of; assembled with --picasso"},
	{"two-inputs", "op_cmp.pica", "true: v0 and v1 in one CMP, which the reference assembler takes"},
	{"int-range", "op_for_missing_int.pica", "true, and what the sample is of"},
}

// sampleFindings counts the findings of lint in the samples, by rule and source.
func sampleFindings(t *testing.T) map[string]map[string]int {
	found := map[string]map[string]int{}
	for _, c := range readCorpus(t, "testdata") {
		src := asm.Source{c.name, c.text}
		prog, _ := asm.Assemble(c.opt, src)
		if prog == nil || c.rejected {
			continue
		}
		for _, d := range lint.Program(prog, []asm.Source{src}) {
			if found[d.RuleID()] == nil {
				found[d.RuleID()] = map[string]int{}
			}
			found[d.RuleID()][c.name]++
		}
	}
	return found
}

// findingTable is the table of testdata/findings.md. Every finding needs a judgement, and every judgement a finding.
func findingTable(t *testing.T) string {
	found, total := sampleFindings(t), 0
	out := "rule | sources | findings | judgement\n---|---|---|---\n"
	for _, j := range judgements {
		var names []string
		n := 0
		for file, count := range found[j.rule] {
			for _, pattern := range strings.Fields(j.files) {
				if ok, err := filepath.Match(pattern, file); err != nil || !ok {
					continue
				}
				names = append(names, strings.TrimSuffix(file, ".pica"))
				n += count
				delete(found[j.rule], file)
				break
			}
		}
		require.NotEmpty(t, names, "no finding %s in %s: remove its row", j.rule, j.files)
		slices.Sort(names)
		if more := len(names) - 3; more > 1 {
			names = append(names[:3], fmt.Sprintf("%d more", more))
		}
		total += n
		out += fmt.Sprintf("%s | %s | %d | %s\n", j.rule, strings.Join(names, ", "), n, j.why)
	}
	for rule, files := range found {
		require.Empty(t, files, "%s: findings without a judgement", rule)
	}
	return out + fmt.Sprintf("all | | %d |\n", total)
}

// Shaders of this project that are drawn (library, scenes, tests) have no findings.
func TestOwnShadersAreClean(t *testing.T) {
	root, seen := "../..", 0
	geometry := regexp.MustCompile(`\.g\.pica$`)
	for _, folder := range []string{"shaders/pica", "scene/scenebuild/testdata/shaders", "testdata/scenes", "testdata/example-module/testdata", "viewer/testdata", "testdata/shaders"} {
		names := testkit.Must(filepath.Glob(filepath.Join(root, folder, "*.pica")))(t)
		for _, name := range names {
			var sources []asm.Source
			if vertex := geometry.ReplaceAllString(name, ".v.pica"); vertex != name && slices.Contains(names, vertex) {
				continue // linted with its vertex shader
			}
			for _, n := range []string{name, strings.TrimSuffix(name, ".v.pica") + ".g.pica"} {
				if text, err := os.ReadFile(n); err == nil {
					sources = append(sources, asm.Source{filepath.Base(n), text})
				}
			}
			prog, diags := asm.Assemble(asm.Options{}, sources...)
			require.Empty(t, diags, name)
			require.Empty(t, lint.Program(prog, sources), name)
			seen++
		}
	}
	require.Greater(t, seen, 60)
}

// Published binaries have no findings.
func TestPublishedBinariesAreClean(t *testing.T) {
	for _, name := range testkit.Corpus(t, "shbin/*.shbin") {
		data := testkit.Read(t, name)
		f := testkit.Must(shbin.Parse(data))(t, name)
		require.Empty(t, lint.File(filepath.Base(name), f, nil))
	}
}

// The page of findings is generated from the code.
func TestDocumentedTablesOfLint(t *testing.T) {
	testkit.Golden(t, "testdata/findings.md", []byte("# Findings of lint in the samples\n\n"+
		"A test writes this page (`go test ./shaderunit/asm -run DocumentedTables -update`); do not edit it. A sample shows one thing of the language,\n"+
		"so findings remain; each has a reason.\n\n"+findingTable(t)))
}

// An object has no findings that its source does not have alone.
func TestLintOfObjectsAddsNoFindings(t *testing.T) {
	for _, c := range readCorpus(t, "testdata") {
		if c.rejected {
			continue
		}
		alone, _ := asm.Assemble(c.opt, asm.Source{c.name, c.text})
		c.opt.Object = true
		object, diags := asm.Assemble(c.opt, asm.Source{c.name, c.text})
		require.NoError(t, diags.Err())
		type finding struct {
			rule, msg string
			addr      int
		}
		before := map[finding]bool{}
		for _, f := range lint.Check(alone.File, nil) {
			for _, at := range append(f.Again, f.Addr) {
				before[finding{f.Rule.ID, f.Msg, at}] = true
			}
		}
		for _, f := range lint.Check(object.File, object.Unlinked()) {
			if f.Executable >= 0 {
				for _, at := range append(f.Again, f.Addr) {
					require.True(t, before[finding{f.Rule.ID, f.Msg, at}], "%s: %s", c.name, f.Msg)
				}
			}
		}
	}
}

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
