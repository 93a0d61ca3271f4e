package main

import (
	"fmt"

	"pica200/assets/mbs"
)

type mbsCmd struct {
	Text mbsTextCmd `cmd:"" help:"Write a Mali shader binary as text."`
	Make mbsMakeCmd `cmd:"" help:"Make a Mali shader binary from its text."`
}

type mbsTextCmd struct {
	File string `arg:"" help:"Mali shader binary (.mbs), - for standard input."`
	Out  string `short:"o" default:"-" placeholder:"FILE" help:"Text to write (YAML). Without it: standard output."`
}

func (mbsTextCmd) Help() string {
	return `Writes every field of every table, and the code in hexadecimal, so that
"pica200 mbs make" makes the same file again. "pica200 disasm" shows what the code
does.

Examples:

  pica200 mbs text mali.mbs -o mali.yaml
  pica200 mbs text mali.mbs | pica200 mbs make - -o same.mbs`
}

func (c mbsTextCmd) Run(con *console) error {
	data, err := con.read(c.File)
	if err != nil {
		return err
	}
	f, err := mbs.Parse(data)
	if err != nil {
		return fmt.Errorf("%s: %w", inputName(c.File), err)
	}
	text, err := f.MarshalText()
	if err != nil {
		return fmt.Errorf("%s: %w", inputName(c.File), err)
	}
	return con.writeBytes(c.Out, text)
}

type mbsMakeCmd struct {
	File   string `arg:"" help:"Text of a Mali shader binary, - for standard input."`
	Out    string `short:"o" required:"" placeholder:"FILE" help:"Mali shader binary to write, - for standard output."`
	Layout bool   `help:"Set places, sizes and strides of the symbols by the layout rules."`
	Force  bool   `help:"Write the file even if checks find problems."`
}

func (mbsMakeCmd) Help() string {
	return `Makes a Mali shader binary (MBS1) from the text that "pica200 mbs text"
writes. Missing fields are 0 or have a neutral default. The file is checked as
by "pica200 inspect --check"; problems are printed and stop the command.

Examples:

  pica200 mbs make mali.yaml -o made.mbs
  pica200 mbs make mali.yaml --layout -o made.mbs`
}

func (c mbsMakeCmd) Run(con *console) error {
	text, err := con.read(c.File)
	if err != nil {
		return err
	}
	f, err := mbs.ParseText(inputName(c.File), text)
	if err != nil {
		return err
	}
	if c.Layout {
		if err := f.Layout(); err != nil {
			return fmt.Errorf("%s: %w", inputName(c.File), err)
		}
	}
	data := f.Encode()
	if f, err = mbs.Parse(data); err != nil {
		return err
	}
	findings := f.Check()
	for _, x := range findings {
		fmt.Fprintf(con.err, "pica200: %s: %s\n", c.Out, x)
	}
	if n := findings.Problems(); n > 0 && !c.Force {
		return fmt.Errorf("%s: %d problems; --force writes the file all the same", inputName(c.File), n)
	}
	return con.writeBytes(c.Out, data)
}
