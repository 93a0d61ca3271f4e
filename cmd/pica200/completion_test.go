//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// script writes the completion script of a shell to a file.
func script(t *testing.T, shell string) string {
	stdout := ok(t, "completion", shell)
	path := filepath.Join(t.TempDir(), "pica200."+shell)
	require.NoError(t, os.WriteFile(path, []byte(stdout), 0o666))
	return path
}

// inShell runs a script in a shell; without the shell the test is skipped.
func inShell(t *testing.T, shell, text string) string {
	if _, err := exec.LookPath(shell); err != nil {
		t.Skipf("%s is not installed", shell)
	}
	args := map[string][]string{"bash": {"--norc", "-c", text}, "zsh": {"-f", "-c", text}, "fish": {"--no-config", "-c", text}}[shell]
	out, err := exec.Command(shell, args...).CombinedOutput()
	require.NoError(t, err, string(out))
	return string(out)
}

// completions are command lines with an unfinished last word, and words that must complete it; those after "!" must not.
var completions = []struct{ line, want string }{
	{"pica200 ", "asm golden completion !--help !run-- !report"},
	{"pica200 as", "asm !disasm"},
	{"pica200 golden ", "run report update approve history draws !asm"},
	{"pica200 comp", "compare completion !asm"},
	{"pica200 golden approve report --", "--suite --only --dry-run !--shard"},
	{"pica200 golden run --sh", "--shard !--help"},
	{"pica200 asm --", "--symbols --depfile --no-nop !--engine"},
	{"pica200 run x.pica --engine ", "batch interpreter !bash"},
	{"pica200 run x.pica --engine b", "batch !interpreter"},
	{"pica200 completion ", "bash zsh fish"},
	{"pica200 lint --json -", "--rules -W !--symbols"},
}

// The scripts are valid and complete commands, flags and values.
func TestCompletionBash(t *testing.T) {
	path := script(t, "bash")
	inShell(t, "bash", "bash -n "+path)
	for _, c := range completions {
		words := strings.Split(c.line, " ")
		out := inShell(t, "bash", "source "+path+"; COMP_WORDS=("+quoted(words)+"); COMP_CWORD="+
			string(rune('0'+len(words)-1))+"; _pica200; printf '%s\\n' \"${COMPREPLY[@]}\"")
		requireWords(t, c.line, c.want, out)
	}
	// bash splits --engine=b into three words.
	out := inShell(t, "bash", "source "+path+"; COMP_WORDS=(pica200 run --engine = b); COMP_CWORD=4; _pica200; printf '%s\\n' \"${COMPREPLY[@]}\"")
	require.Equal(t, "batch\n", out)
	out = inShell(t, "bash", "source "+path+"; complete -p pica200")
	require.Equal(t, "complete -o default -F _pica200 pica200\n", out)
}

func quoted(words []string) string {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = shellQuote(w)
	}
	return strings.Join(list, " ")
}

func requireWords(t *testing.T, line, want, out string) {
	t.Helper()
	got := map[string]bool{}
	for l := range strings.Lines(out) {
		w, _, _ := strings.Cut(strings.TrimRight(l, "\n"), "\t")
		w, _, _ = strings.Cut(w, ":")
		got[w] = true
	}
	for _, w := range strings.Fields(want) {
		if no, is := strings.CutPrefix(w, "!"); is {
			require.False(t, got[no], "%q in %q", no, line)
		} else {
			require.True(t, got[w], "%q in %q: %q", w, line, out)
		}
	}
}

func TestCompletionZsh(t *testing.T) {
	path := script(t, "zsh")
	inShell(t, "zsh", "zsh -n "+path)
	for _, c := range completions {
		words := strings.Split(c.line, " ")
		last := words[len(words)-1]
		// Stubs of zsh's completion functions print their arguments; the test filters by the unfinished word as zsh does.
		out := inShell(t, "zsh", `
_describe() { local name=${@[-1]}; print -l -- ${(P)name} }
compadd() { shift; print -l -- "$@" }
_files() { print -- FILES }
source `+path+`
words=(`+quoted(words)+`) CURRENT=`+string(rune('0'+len(words)))+`
_pica200`)
		var fit []string
		for l := range strings.Lines(out) {
			if strings.HasPrefix(l, last) {
				fit = append(fit, l)
			}
		}
		requireWords(t, c.line, c.want, strings.Join(fit, ""))
	}
}

func TestCompletionFish(t *testing.T) {
	path := script(t, "fish")
	inShell(t, "fish", "fish -n "+path)
	for _, c := range completions {
		requireWords(t, c.line, c.want, inShell(t, "fish", "source "+path+"; complete -C "+fishQuote(c.line)))
	}
}

// Every command has a manual page with the content of --help, which man formats without warnings.
func TestManPages(t *testing.T) {
	dir := t.TempDir()
	ok(t, "man", "-o", dir)
	d := testkit.Must(documentation())(t)
	pages := 0
	d.walk(func(c *cmdDoc) {
		pages++
		text := mustRead(t, filepath.Join(dir, c.manName()+".1"))
		require.Contains(t, text, ".SH NAME\n"+roff(c.manName())+" \\- ")
		for _, f := range c.flags {
			require.Contains(t, text, `\fB\-\-`+roff(f.long)+`\fR`)
		}
		if c.path != "" {
			_, one, _ := invoke(t, append([]string{"man"}, strings.Fields(c.path)...)...)
			require.Equal(t, text, one)
		}
	})
	require.Greater(t, pages, 30)
	require.Len(t, listFiles(t, dir), pages)
	if groff, err := exec.LookPath("groff"); err == nil {
		args := []string{"-man", "-Tutf8", "-ww", "-z"}
		for _, name := range listFiles(t, dir) {
			args = append(args, filepath.Join(dir, name))
		}
		out := testkit.Must(exec.Command(groff, args...).CombinedOutput())(t)
		require.Empty(t, string(out))
		out = testkit.Must(exec.Command(groff, "-man", "-Tascii", "-P-cbou", filepath.Join(dir, "pica200-lint.1")).CombinedOutput())(t)
		require.Contains(t, string(out), "mov outclr, r0        ; lint: allow output-twice")
		require.Contains(t, string(out), "pica200 lint vshader.v.pica -Wno-output-missing --json")
	}
	fails(t, exitUsage, `no command "golden fly"`, "man", "golden", "fly")
	require.Equal(t, "\\&.SH\na\\e\\-b\n\\&'x", roff(".SH\na\\-b\n'x"))
}

func TestFmtCommand(t *testing.T) {
	const wild, tidy = ".proc  main\nmov o0 , v0;x\nend\n.end", ".proc main\n\tmov o0, v0 ;x\n\tend\n.end\n"
	src := shaderFile(t, "a.v.pica", wild)
	good := shaderFile(t, "b.v.pica", tidy)
	status, stdout, stderr := invoke(t, "fmt", src)
	require.Zero(t, status, stderr)
	require.Equal(t, tidy, stdout)
	status, stdout, _ = invokeWith(t, []byte(wild), "fmt", "-")
	require.Zero(t, status)
	require.Equal(t, tidy, stdout)
	stdout, stderr = ends(t, exitFailed, "fmt", "--check", src, good)
	require.Equal(t, src+"\n", stdout)
	require.Contains(t, stderr, "1 source is not laid out")
	require.Equal(t, wild, mustRead(t, src))
	before := testkit.Must(os.Stat(good))(t)
	ok(t, "fmt", "-w", src, good)
	require.Equal(t, tidy, mustRead(t, src))
	after := testkit.Must(os.Stat(good))(t)
	require.True(t, os.SameFile(before, after), "a formatted file is not rewritten")
	ok(t, "fmt", "--check", src, good)
	odd := shaderFile(t, "c.pica", "; \xe9\n; \x1b[2J\n")
	stdout, stderr = ends(t, exitFailed, "fmt", odd)
	require.Empty(t, stdout)
	require.Contains(t, stderr, "c.pica:2: this is not a source")
	for want, args := range map[string][]string{
		"exclude each other":                 {"fmt", "-w", "--check", src},
		"several sources need -w or --check": {"fmt", src, good},
		"- is standard input":                {"fmt", "-w", "-"},
		"would be overwritten":               {"fmt", src, "-o", src},
	} {
		fails(t, exitUsage, want, args...)
	}
}
