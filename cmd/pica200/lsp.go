package main

import (
	"io"
	"os"

	"pica200/internal/module"
	"pica200/shaderunit/lsp"
)

type lspCmd struct {
	Stdio bool `help:"Speak over standard input and output, which it does anyway; some editors add this."`
}

func (lspCmd) Help() string {
	return `Speaks the language server protocol over standard input and output, for editors
that open .pica files: findings as one types, what a word or name means, where it is
declared and used, renaming, completion, layout. docs/EDITORS.md sets up VS Code, Neovim,
Helix and Zed.

Example, which an editor starts:

  pica200 lsp < /dev/null || true`
}

func (lspCmd) Run(con *console) error {
	var in io.Reader = os.Stdin
	if con.in != nil {
		in = con.in
	}
	return lsp.NewServer(versionText(module.Read())).Serve(in, con.raw)
}
