package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"Shell to complete in: ${enum}."`
}

func (completionCmd) Help() string {
	return `Writes a script that makes a shell complete commands, options and their
values.

  bash: pica200 completion bash > ~/.local/share/bash-completion/completions/pica200
  zsh:  pica200 completion zsh > a folder of $fpath, as _pica200
  fish: pica200 completion fish > ~/.config/fish/completions/pica200.fish

Examples:

  pica200 completion bash
  pica200 completion zsh
  pica200 completion fish`
}

// completionScripts ask the program what completes the words of a command line
// (completeWords), and complete names of files if there is nothing.
var completionScripts = map[string]string{
	"bash": `# bash completion of pica200, written by "pica200 completion bash".
_pica200() {
    local IFS=$'\n'
    COMPREPLY=($("${COMP_WORDS[0]}" complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _pica200 pica200
`,
	"zsh": `#compdef pica200
# zsh completion of pica200, written by "pica200 completion zsh".
_pica200() {
    local -a found
    found=(${(f)"$(command ${words[1]} complete "${(@)words[2,CURRENT]}" 2>/dev/null)"})
    if (( $#found )); then
        found=("${(@)${(@)found//:/\\:}/$'\t'/:}")
        _describe pica200 found
    else
        _files
    fi
}
if [[ $funcstack[1] == _pica200 ]]; then
    _pica200 "$@"
elif (( $+functions[compdef] )); then
    compdef _pica200 pica200
fi
`,
	"fish": `# fish completion of pica200, written by "pica200 completion fish".
function __pica200
    command pica200 complete (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null
end
complete -c pica200 -e
complete -c pica200 -f -n 'count (__pica200) >/dev/null' -a '(__pica200)'
`,
}

func (c completionCmd) Run(con *console) error {
	_, err := io.WriteString(con.out, completionScripts[c.Shell])
	return err
}

// completeWords prints what may complete the last of the words behind the program's name, a
// line each, with a tab and a description.
func completeWords(out io.Writer, words []string) error {
	parser, err := newParser(&cli{})
	if err != nil || len(words) == 0 {
		return err
	}
	last := words[len(words)-1]
	words = slices.DeleteFunc(words[:len(words)-1], func(w string) bool { return w == "=" }) // bash makes three words of --option=value
	last = strings.TrimPrefix(last, "=")
	offer := func(word, help string) {
		if strings.HasPrefix(word, last) {
			fmt.Fprintf(out, "%s\t%s\n", word, strings.Join(strings.Fields(help), " "))
		}
	}
	values := func(v *kong.Value) {
		if v.Enum == "" {
			return
		}
		for _, value := range v.EnumSlice() {
			offer(value, "")
		}
	}
	at := parser.Model.Node
	for _, w := range words {
		if i := slices.IndexFunc(at.Children, func(n *kong.Node) bool { return n.Name == w }); i >= 0 {
			at = at.Children[i]
		}
	}
	for _, f := range at.Flags {
		long, short := "--"+f.Name, "-"+string(f.Short)
		if n := len(words); n > 0 && (words[n-1] == long || f.Short != 0 && words[n-1] == short) && !f.IsBool() && !f.IsCounter() {
			values(f.Value)
			return nil
		}
		if strings.HasPrefix(last, "-") && !f.Hidden {
			offer(long, f.Help)
			if f.Short != 0 {
				offer(short, f.Help)
			}
		}
	}
	for _, n := range at.Children {
		offer(n.Name, n.Help)
	}
	if len(at.Positional) > 0 {
		values(at.Positional[0])
	}
	return nil
}
