package main

import (
	"io"
	"os"

	"pica200/internal/module"
	"pica200/shaderunit/lsp"
)

type lspCmd struct {
	Stdio bool `help:"Accepted and ignored: the server always uses standard input and output, but some editors pass this flag."`
}

func (lspCmd) Help() string {
	return `Runs a language server (LSP) for .pica files on standard input and
output. It provides diagnostics, hover texts, definitions and references,
renaming, completion and formatting. docs/EDITORS.md explains the setup for VS
Code, Neovim, Helix and Zed.

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
