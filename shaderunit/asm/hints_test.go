package asm

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// findings returns the findings of a source, one per line.
func Findings(text string) string {
	_, diags := Assemble(Options{}, Source{"x", []byte(text)})
	var lines []string
	for i := range diags {
		lines = append(lines, diags[i].Error())
	}
	return strings.Join(lines, "\n")
}

// Habits from other languages get a hint at the syntax here.
func TestHints(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"mov r0, 1.0", `x:2:10: error: a number cannot be an operand: "1.0"; expected a register`},
		{"mov r0, 1.0", `(give it a name, .constf name(1.0, 0, 0, 0), and use name.x)`},
		{"mov r0, .5", "a number cannot be an operand"},
		{"mov r0, -2", "a number cannot be an operand: \"-2\""},
		{"add r0, r1, 3.x", "a number cannot be an operand"},
		{"// a comment", `unknown instruction "//" (comments start with a semicolon)`},
		{"mov r0, r1 // a comment", "comments start with a semicolon"},
		{"mov r0, r1.x // a comment", "comments start with a semicolon"},
		{"nop // a, b", "comments start with a semicolon"},
		{"/* a */", "comments start with a semicolon"},
		{"mov r0 r1", `missing parameter; expected the source (a comma is missing after "r0")`},
		{"add r0, r1 r2", `(a comma is missing after "r1")`},
		{"mad r0.xyz r1, r2, r3", `(a comma is missing after "r0.xyz")`},
		{"mov r0.xyz r1, r2", `invalid component selection "xyz r1"; expected one to four of xyzw, rgba or stpq (a comma is missing after "xyz")`},
		{"sub r0, r1, r2", `unknown instruction "sub" (there is no sub: add d, a, -b)`},
		{"abs r0, r1", "max d, a, -a"},
		{"lrp r0, r1, r2, r3", "mad d, a, t, c"},
		{"m4x4 r0, r1, c0", "there is no m4x4: four dp4, one for each component of the destination"},
		{"m3x2 r0, r1, c0", "two dp3"},
		{".uniform x", `unknown directive ".uniform" (.fvec, .ivec and .bool declare uniforms)`},
		{".include \"a\"", "cpp -P"},
		{"if b0", "ifu for a bool uniform"},
		{"endif", ".end ends an if"},
		{"mvo r0, r1", "did you mean mov?"},
		{".fvce a", "did you mean .fvec?"},
	} {
		require.Contains(t, Findings(".proc main\n\t"+strings.TrimSpace(c.line)+"\n\tend\n.end\n"), c.want, c.line)
	}
	require.Contains(t, Findings("\xEF\xBB\xBF.fvec a\n"), "the file starts with a byte order mark; save it as UTF-8 without")
	require.Contains(t, Findings("\xFF\xFE.\x00f\x00"), "x: error: the text is UTF-16 (save it as UTF-8 without a byte order mark)")
	require.Contains(t, Findings("Gfx2\x00\x00\x00\x20"), "this is a shader binary of the Wii U, not a source (which has another GPU)")
	require.Contains(t, Findings("DVLB\x01\x00\x00\x00"), "this is a shader binary, not a source (pica200 disasm makes a source of it)")
}

// A second procedure main gets a hint that .entry names another entry.
func TestSecondMainHint(t *testing.T) {
	twice := func(name string) string {
		return Findings(strings.ReplaceAll(".proc NAME\n\tend\n.end\n.proc NAME\n\tend\n.end\n", "NAME", name))
	}
	require.Contains(t, twice("main"), `x:4:7: error: procedure "main" exists already; expected another name (first at x:1:1; .entry names the procedure that runs first, where it has another name)`)
	require.NotContains(t, twice("other"), "; .entry names")
}

// Every hint is for an instruction or directive that does not exist, and suggests only existing ones.
func TestHintsNameOnlyMissingWords(t *testing.T) {
	for name := range instructionHints {
		require.Nil(t, mnemonics[name], name)
	}
	for name := range directiveHints {
		require.Nil(t, directives[name], name)
		require.Nil(t, extendedDirectives[name], name)
	}
}

// A source in another language gets one error that names the language; our own sources never do.
func TestForeignLanguageIsNamed(t *testing.T) {
	for want, text := range map[string]string{
		"x:1: error: this looks like GLSL":                                                 "#version 100\nuniform mat4 m;\nvoid main() { gl_Position = m * p; }\n",
		"x:2: error: this looks like GLSL":                                                 "\nattribute vec4 position;\n",
		"x:1: error: this looks like an ARB program; the language here is that of picasso": "!!ARBvp1.0\nMOV result.position, vertex.position;\nEND\n",
		"x:1: error: this looks like Direct3D's shader assembly":                           "vs_2_0\ndcl_position v0\nmov oPos, v0\n",
		"x:3: error: this looks like the shader assembly of the Wii U":                     "; $MODE = \"UniformRegister\"\n\n00 CALL_FS NO_BARRIER\n01 ALU: ADDR(32) CNT(16)\n      0  x: MUL ____, R1.w, C3.x\nEND_OF_PROGRAM\n",
	} {
		got := Findings(text)
		require.Contains(t, got, want, text)
		require.Equal(t, 1, strings.Count(got, "this looks like"), text)
		require.Equal(t, 1, strings.Count(got, "error:"), "one error, without follow-up errors:\n%s", got)
	}
	// Words of other languages that are valid labels here do not hide other errors.
	got := Findings(".proc main\nend:\n\tmvo r0, r1\n\tend\n.end\n")
	require.Contains(t, got, "did you mean mov?")
}

// The reported block is the one without .end, as indentation and procedures suggest.
func TestMissingEnd(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
	}{
		{"if", ".proc main\n\tifu b0\n\t\tmov r0, r1\n\tend\n.end\n", "x:2:2: error: this block has no .end; expected .end before the end of the file (the .end in line 5, which stands below line 1, closes this block)"},
		{"if, procedure after", ".proc main\n\tfor i0\n\t\tifu b0\n\t\t\tnop\n\t.end\n\tend\n.end\n.proc f\n\tnop\n.end\n", "x:3:3: error: this block has no .end; expected .end before the end of the file (the .end in line 5, which stands below line 2, closes this block)"},
		{"procedure", ".proc main\n\tend\n.proc f\n\tnop\n.end\n", "x:1:1: error: this block has no .end; expected .end before the end of the file (a procedure starts in line 3, inside of it)"},
		{"last", ".proc main\n\tend\n.end\n.proc f\n\tnop\n", "x:4:1: error: this block has no .end; expected .end before the end of the file"},
		{"no indentation", ".proc main\nifu b0\nnop\nend\n.end\n", "x:1:1: error: this block has no .end; expected .end before the end of the file"},
	} {
		require.Equal(t, c.want, Findings(c.text), c.name)
	}
	// Odd indentation alone is no error.
	require.Empty(t, Findings(".proc main\n  ifu b0\n\tnop\n.end\nend\n.end\n"))
}

// The number of findings is bounded, and a file whose first ten thousand findings are warnings is still an error.
func TestFindingLimit(t *testing.T) {
	_, diags := Assemble(Options{}, Source{"x", []byte(strings.Repeat(".fvce a\n", 3*maxFindings))})
	require.Equal(t, maxFindings+1, len(diags))
	require.Contains(t, diags[maxFindings].Error(), "more than 10000 findings; the rest is left out")
	prog, diags := Assemble(Options{}, Source{"x", []byte(strings.Repeat(".setf c0(0, 0, 0, x)\n", 90) + strings.Repeat(".alias a c0[1x]\n.alias b c0[2x]\n", 1) + ".proc main\n" + strings.Repeat("# 1\n; lint: off\n", maxFindings) + "mvo\nend\n.end\n")})
	require.Nil(t, prog)
	require.Equal(t, 1, diags.Errors())
}

// Wrong numbers and registers get the matching hint only.
func TestNumberAndRegisterHints(t *testing.T) {
	for _, c := range []struct{ text, want, not string }{
		{".gsh point c0\n.proc main\n\tmov o9, v0\n\tend\n.end", "a geometry shader has fewer output registers", ""},
		{".gsh point c0\n.proc main\n\tmov o16, v0\n\tend\n.end", "no such output register: o16", "fewer output registers"},
		{".proc main\n\tmov o16, v0\n\tend\n.end", "no such output register: o16", "fewer output registers"},
		{".gsh point c0\n.proc main\n\tsetemit 1x\n\tend\n.end", `"x" after the number is ignored`, ""},
		{".proc main\n\t.word 0x12z\n\tend\n.end", `"z" after the number is ignored`, ""},
		{".proc main\n\t.word 0x12\n\tend\n.end", "", "ignored"},
		{".gsh point c0\n.proc main\n\tsetemit 1\n\tend\n.end", "", "ignored"},
	} {
		_, diags := Assemble(Options{Extended: true}, Source{"x", []byte(c.text)})
		var b strings.Builder
		diags.Print(&b)
		require.Contains(t, b.String(), c.want, c.text)
		if c.not != "" {
			require.NotContains(t, b.String(), c.not, c.text)
		}
	}
}
