package lint_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/shaderunit/asm"
	"pica200/shaderunit/link"
	"pica200/shaderunit/lint"
	"pica200/tests/testkit"
)

// lintObject lints a source as an object, from the source and from its file.
func lintObject(t *testing.T, text string) (rules []string) {
	src := asm.Source{Name: "x", Text: []byte(text)}
	prog, diags := asm.Assemble(asm.Options{Object: true}, src)
	require.NoError(t, diags.Err(), text)
	for _, d := range append(diags, lint.Program(prog, []asm.Source{src})...) {
		rules = append(rules, d.Rule[:len(d.Rule)-len(lintRuleSource(d.Rule))])
	}
	o := testkit.Must(prog.Object())(t)
	file, unlinked, err := link.Alone(link.Input{Name: "x", Object: o})
	require.NoError(t, err)
	require.Len(t, lint.File("x.dvoj", file, unlinked), len(rules), text)
	return rules
}

func lintRuleSource(rule string) string {
	for _, r := range lint.Rules() {
		if len(rule) >= len(r.ID)+2 && rule[:len(r.ID)+2] == r.ID+": " {
			return rule[len(r.ID):]
		}
	}
	return ""
}

// A call to another object may have any effect: lint reports nothing that depends on it.
func TestLintAssumesNothingOfOtherObjects(t *testing.T) {
	for _, text := range []string{
		".fvec u\n.out pos position\n.proc main\n\tmov r0, u\n\tcall f\n\tmov pos, r3\n\tend\n.end\n",
		".out pos position\n.proc main\n\tcall writes_pos\n\tend\n.end\n",
		".out pos position\n.proc main\n\tcall ends\n\tjmpc cmp.x, on\n\tnop\non:\n\tmov pos, c0[a0.x]\n\tcall ends_too\n\tnop\n.end\n.proc other\n\tadd r1, c3[aL], r2\n.end\n",
		".out d dummy\n.proc main\n\tcall f\nagain:\n\tcallc cmp.x, f\n\tjmpu b0, again2\nagain2:\n\tjmpu !b0, again\n\tend\n.end\n",
		".gsh point c0\n.out d dummy\n.proc main\n\tcall f\n\temit\n\tend\n.end\n",
		".nodvle\n.proc f\n\tmov r3, r0\n\tcall elsewhere\n\tnop\n.end\n",
		".nodvle\n.proc f\n\tcall g\n\tend\n.end\n.proc g\n\tmov o0, r1\n.end\n",
		".nodvle\n.gsh point c0\n.proc f\n\temit\n.end\n",
	} {
		require.Empty(t, lintObject(t, text), text)
	}
}

// Findings that depend only on the object itself are still reported.
func TestLintFindsFaultsInsideObjects(t *testing.T) {
	for rule, text := range map[string]string{
		"read-unwritten":        ".proc main\n\tmov o0, r1\n\tcall f\n\tend\n.end\n",
		"mova-adjacent":         ".nodvle\n.proc f\n\tmova a0.x, c0\n\tmova a0.y, c0\n.end\n",
		"output-twice":          ".proc main\n\tmov o0, c0\n\tcall f\n\tmov o0, c1\n\tend\n.end\n",
		"block-end":             ".nodvle\n.proc f\n\tcall g\n.end\n",
		"unreachable":           ".proc main\n\tcall f\n\tend\n\tmov r0, c0\n.end\n",
		"break-outside-loop":    ".nodvle\n.proc f\n\tbreak\n\tnop\n.end\n",
		"emit-in-vertex-shader": ".nodvle\n.proc f\n\temit\n.end\n",
		"no-end":                ".nodvle\n.proc f\nagain:\n\tjmpu b0, again2\nagain2:\n\tjmpu !b0, again\n\tjmpu b0, again\n\tnop\n.end\n",
	} {
		prog, _ := asm.Assemble(asm.Options{Object: true, NoNop: rule == "block-end"}, asm.Source{Name: "x", Text: []byte(text)})
		require.NotNil(t, prog, rule)
		var found []string
		for _, f := range lint.Check(prog.File, prog.Unlinked()) {
			found = append(found, f.Rule.ID)
		}
		require.Contains(t, found, rule, text)
	}
}
