package main

import (
	"fmt"
	"io"
	"strings"
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

func (c completionCmd) Run(con *console) error {
	d, err := documentation()
	if err != nil {
		return err
	}
	switch c.Shell {
	case "bash":
		return bashCompletion(con.out, d)
	case "zsh":
		return zshCompletion(con.out, d)
	}
	return fishCompletion(con.out, d)
}

// shellQuote puts a text between single quotes, for bash and zsh.
func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// steps calls write for each word of each command: "" and "golden", "golden"
// and "run" for "golden run".
func (d *cmdDoc) steps(write func(from, word string)) {
	d.walk(func(c *cmdDoc) {
		for _, child := range c.children {
			write(c.path, child.name())
		}
	})
}

func (d *cmdDoc) optionWords() (words []string) {
	for _, f := range d.flags {
		words = append(words, "--"+f.long)
		if f.short != "" {
			words = append(words, "-"+f.short)
		}
	}
	return words
}

// enumerated calls f for every option with an enumeration, of every command.
func (d *cmdDoc) enumerated(f func(c *cmdDoc, option string, values []string)) {
	d.walk(func(c *cmdDoc) {
		for _, flag := range c.flags {
			if flag.enum == nil {
				continue
			}
			f(c, "--"+flag.long, flag.enum)
			if flag.short != "" {
				f(c, "-"+flag.short, flag.enum)
			}
		}
	})
}

// arguments returns the possible values of a command's first argument.
func (d *cmdDoc) arguments() []string {
	if len(d.args) == 0 {
		return nil
	}
	return d.args[0].enum
}

func bashCompletion(w io.Writer, d *cmdDoc) error {
	var b strings.Builder
	b.WriteString(`# bash completion of pica200, written by "pica200 completion bash".
_pica200() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} path= words= flags= i
    for ((i = 1; i < COMP_CWORD; i++)); do
        case "$path|${COMP_WORDS[i]}" in
`)
	d.steps(func(from, word string) {
		fmt.Fprintf(&b, "        %s) path=%s ;;\n", shellQuote(from+"|"+word), shellQuote(strings.TrimSpace(from+" "+word)))
	})
	b.WriteString(`        esac
    done
    # --option=value comes as three words.
    if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi
    case "$path|$prev" in
`)
	d.enumerated(func(c *cmdDoc, option string, values []string) {
		fmt.Fprintf(&b, "    %s) COMPREPLY=($(compgen -W %s -- \"$cur\")); return ;;\n", shellQuote(c.path+"|"+option), shellQuote(strings.Join(values, " ")))
	})
	b.WriteString("    esac\n    case $path in\n")
	d.walk(func(c *cmdDoc) {
		words := c.arguments()
		for _, child := range c.children {
			words = append(words, child.name())
		}
		fmt.Fprintf(&b, "    %s) words=%s flags=%s ;;\n", shellQuote(c.path), shellQuote(strings.Join(words, " ")), shellQuote(strings.Join(c.optionWords(), " ")))
	})
	b.WriteString(`    esac
    if [[ $cur == -* ]]; then
        COMPREPLY=($(compgen -W "$flags" -- "$cur"))
    else
        COMPREPLY=($(compgen -W "$words" -- "$cur"))
    fi
}
complete -o default -F _pica200 pica200
`)
	_, err := io.WriteString(w, b.String())
	return err
}

// zshEntry is a word with its description, for _describe.
func zshEntry(word, help string) string {
	return shellQuote(strings.ReplaceAll(word, ":", `\:`) + ":" + oneLine(help))
}

func zshCompletion(w io.Writer, d *cmdDoc) error {
	var b strings.Builder
	b.WriteString(`#compdef pica200
# zsh completion of pica200, written by "pica200 completion zsh".
_pica200() {
    local at= word
    local -a entries options
    for word in "${(@)words[2,CURRENT-1]}"; do
        case "$at|$word" in
`)
	d.steps(func(from, word string) {
		fmt.Fprintf(&b, "        (%s) at=%s ;;\n", shellQuote(from+"|"+word), shellQuote(strings.TrimSpace(from+" "+word)))
	})
	b.WriteString("        esac\n    done\n    case \"$at|$words[CURRENT-1]\" in\n")
	d.enumerated(func(c *cmdDoc, option string, values []string) {
		fmt.Fprintf(&b, "    (%s) compadd -- %s; return ;;\n", shellQuote(c.path+"|"+option), strings.Join(values, " "))
	})
	b.WriteString("    esac\n    case $at in\n")
	d.walk(func(c *cmdDoc) {
		fmt.Fprintf(&b, "    (%s)\n", shellQuote(c.path))
		var entries, options []string
		for _, v := range c.arguments() {
			entries = append(entries, shellQuote(v))
		}
		for _, child := range c.children {
			entries = append(entries, zshEntry(child.name(), child.help))
		}
		for _, f := range c.flags {
			options = append(options, zshEntry("--"+f.long, f.help))
			if f.short != "" {
				options = append(options, zshEntry("-"+f.short, f.help))
			}
		}
		fmt.Fprintf(&b, "        entries=(%s)\n        options=(%s)\n        ;;\n", strings.Join(entries, " "), strings.Join(options, " "))
	})
	b.WriteString(`    esac
    if [[ $words[CURRENT] == -* ]]; then
        _describe -o option options
    elif (( $#entries )); then
        _describe command entries
    else
        _files
    fi
}
if [[ $funcstack[1] == _pica200 ]]; then
    _pica200 "$@"
elif (( $+functions[compdef] )); then
    compdef _pica200 pica200
fi
`)
	_, err := io.WriteString(w, b.String())
	return err
}

// fishQuote puts a text between single quotes, for fish.
func fishQuote(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func fishCompletion(w io.Writer, d *cmdDoc) error {
	var b strings.Builder
	b.WriteString(`# fish completion of pica200, written by "pica200 completion fish".
function __pica200_at
    set -l at ''
    for word in (commandline -opc)[2..-1]
        switch "$at|$word"
`)
	d.steps(func(from, word string) {
		fmt.Fprintf(&b, "            case %s\n                set at %s\n", fishQuote(from+"|"+word), fishQuote(strings.TrimSpace(from+" "+word)))
	})
	b.WriteString(`        end
    end
    test "$at" = "$argv[1]"
end
complete -c pica200 -e
`)
	d.walk(func(c *cmdDoc) {
		at := fishQuote("__pica200_at " + fishQuote(c.path))
		for _, child := range c.children {
			fmt.Fprintf(&b, "complete -c pica200 -n %s -f -a %s -d %s\n", at, child.name(), fishQuote(oneLine(child.help)))
		}
		if values := c.arguments(); values != nil {
			fmt.Fprintf(&b, "complete -c pica200 -n %s -f -a %s\n", at, fishQuote(strings.Join(values, " ")))
		}
		for _, f := range c.flags {
			line := fmt.Sprintf("complete -c pica200 -n %s -l %s", at, f.long)
			if f.short != "" {
				line += " -s " + f.short
			}
			switch {
			case f.enum != nil:
				line += " -x -a " + fishQuote(strings.Join(f.enum, " "))
			case f.value != "":
				line += " -r"
			}
			fmt.Fprintf(&b, "%s -d %s\n", line, fishQuote(oneLine(f.help)))
		}
	})
	_, err := io.WriteString(w, b.String())
	return err
}
