package main

import (
	"context"
	"fmt"
	"os"
	"slices"

	"pica200/console/hardware"
	"pica200/internal/files"
)

type goldenConsoleCmd struct {
	Results []string `arg:"" help:"Results of a console (*.bin; - for standard input), or folders of them."`
	JSON    bool     `help:"Print the answers as JSON."`
}

func (goldenConsoleCmd) Help() string {
	return `Compares colour buffers that a console saved to its SD card with the
pictures for each possible answer to an open question, and prints which rule of
docs/accuracy each confirms or refutes. docs/CONSOLE.md says how a console draws
them; "pica200 golden homebrew" writes the program for it.

Exit status: 0 all results agree with this implementation; 1 one does not, or
could not be read; 2 wrong command line.

Examples:

  pica200 golden console pica200-console/
  pica200 golden console pica200-console/modulate.bin pica200-console/fill-rule.bin`
}

func (c goldenConsoleCmd) Run(ctx context.Context, con *console) error {
	var paths []string
	for _, name := range c.Results {
		if name == "-" {
			paths = append(paths, name)
			continue
		}
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		if !info.IsDir() {
			paths = append(paths, name)
			continue
		}
		found, err := files.Glob(name, "*.bin")
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return fmt.Errorf("%s holds no results (*.bin)", name)
		}
		paths = append(paths, found...)
	}
	answers := []verdictJSON{}
	confirmed, unread := 0, 0
	for _, path := range paths {
		verdicts, p, err := judge(ctx, con, path)
		if err != nil {
			if ctx.Err() != nil {
				return err
			}
			unread++
			fmt.Fprintf(con.err, "pica200: %s: %v\n", inputName(path), err)
			continue
		}
		if !c.JSON {
			fmt.Fprintf(con.out, "%s: %s\n", p.Name, p.About)
		}
		for i := range verdicts {
			v := &verdicts[i]
			answers = append(answers, verdictJSON{p.Name, v.Rule(), v.Ours >= 0 && v.Confirmed() == v.Ours, v.Text()})
			if v.Ours >= 0 && v.Confirmed() == v.Ours {
				confirmed++
			}
			if !c.JSON {
				fmt.Fprintf(con.out, "%s", v.Text())
			}
		}
	}
	if c.JSON {
		if err := printJSON(con.out, answers); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(con.out, "%d questions: %d answered as here, %d otherwise\n", len(answers), confirmed, len(answers)-confirmed)
	}
	if unread > 0 || confirmed < len(answers) {
		return errFound
	}
	return nil
}

// verdictJSON is the answer to a question.
type verdictJSON struct {
	Program string `json:"program"`
	Rule    string `json:"rule"` // of docs/accuracy
	Ours    bool   `json:"ours"` // the console answered as this implementation does
	Text    string `json:"text"`
}

func judge(ctx context.Context, con *console, path string) ([]hardware.Verdict, *hardware.Program, error) {
	read := files.ReadRegular
	if path == "-" {
		read = con.readUpTo
	}
	data, err := read(path, int64(hardware.MaxDump))
	if err != nil {
		return nil, nil, err
	}
	p, buffer, err := hardware.ParseDump(data)
	if err != nil {
		return nil, nil, err
	}
	verdicts, err := p.Compare(ctx, buffer)
	return verdicts, p, err
}

type goldenHomebrewCmd struct {
	Out string `short:"o" required:"" placeholder:"DIR" help:"Folder for the sources."`
}

func (goldenHomebrewCmd) Help() string {
	return `Writes the source of a homebrew program for the console (libctru alone, no
citro3d) that draws the pictures of "pica200 golden console" and saves each
colour buffer to the SD card, and beside it the pictures as they are drawn here
and as traces. Building it needs devkitARM; docs/CONSOLE.md says more.

Examples:

  pica200 golden homebrew -o console/`
}

// homebrewFiles makes the files. Tests replace it, to make them only once.
var homebrewFiles = hardware.Files

func (c goldenHomebrewCmd) Run(ctx context.Context, con *console) error {
	out, err := files.NewFolder(c.Out)
	if err != nil {
		return err
	}
	defer out.Discard()
	contents, err := homebrewFiles(ctx)
	if err != nil {
		return err
	}
	names := make([]string, 0, len(contents))
	for name := range contents {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if err := out.Write(name, contents[name]); err != nil {
			return err
		}
	}
	if err := out.Commit(false); err != nil {
		return err
	}
	fmt.Fprintf(con.out, "%d programs; build the source with make in %s\n", len(hardware.Programs), c.Out)
	return nil
}
