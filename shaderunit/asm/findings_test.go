package asm_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/shbin"
	"pica200/shaderunit/asm"
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
