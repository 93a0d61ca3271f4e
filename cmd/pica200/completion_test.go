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
	bin := t.TempDir()
	program := "#!/bin/sh\n" + asProgram + "=1 exec " + shellQuote(os.Args[0]) + " \"$@\"\n"
	require.NoError(t, os.WriteFile(filepath.Join(bin, "pica200"), []byte(program), 0o777))
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
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
	{"pica200 render x.yaml --screen ", "top bottom topright !bash"},
	{"pica200 render x.yaml --screen b", "bottom !top"},
	{"pica200 completion ", "bash zsh fish"},
	{"pica200 lint --json -", "--rules -W !--symbols"},
}

func TestCompletionWords(t *testing.T) {
	for _, c := range completions {
		requireWords(t, c.line, c.want, ok(t, append([]string{"complete"}, strings.Split(c.line, " ")[1:]...)...))
	}
	// bash splits --screen=b into three words.
	require.Equal(t, "bottom\t\n", ok(t, "complete", "render", "--screen", "=", "b"))
	require.Equal(t, "top\t\nbottom\t\ntopright\t\n\t\n", ok(t, "complete", "render", "--screen", "="))
	require.Empty(t, ok(t, "complete", "run", "--number", ""), "names of files")
	require.Empty(t, ok(t, "complete"))
}

// The scripts are valid, and give the program the words of the command line.
func TestCompletionScripts(t *testing.T) {
	for shell, text := range map[string]string{
		"bash": `source FILE; COMP_WORDS=(pica200 golden ap); COMP_CWORD=2; _pica200; printf '%s\n' "${COMPREPLY[@]}"`,
		"zsh":  "_describe() { local name=${@[-1]}; print -l -- ${(P)name} }; _files() { print FILES }; source FILE; words=(pica200 golden ap); CURRENT=3; _pica200",
		"fish": "source FILE; complete -C 'pica200 golden ap'",
	} {
		t.Run(shell, func(t *testing.T) {
			path := script(t, shell)
			out := inShell(t, shell, shell+" -n "+path+"; "+strings.ReplaceAll(text, "FILE", path))
			requireWords(t, shell, "approve !run !ap !FILES", out)
			require.Len(t, strings.Split(out, "\n"), 2, out)
		})
	}
}

// shellQuote puts a text between single quotes.
func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

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
