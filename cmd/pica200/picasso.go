package main

import (
	"errors"
	"fmt"
	"strings"

	"pica200/assets/texture"
	"pica200/internal/files"
	"pica200/internal/module"
	"pica200/shaderunit/asm"
)

// picassoTool is the assembler of devkitPro. It writes the same bytes and, for
// sources that picasso rejects, reports all errors; findings of the linter are
// left to "pica200 lint".
var picassoTool = otherTool{name: "picasso", run: assembleAsPicasso, usage: `Usage: picasso [options] files...
Options:
  -o, --out=<file>        Specifies the name of the SHBIN file to generate
  -h, --header=<file>     Specifies the name of the header file to generate
  -n, --no-nop            Disables the automatic insertion of padding NOPs
  -v, --version           Displays version information

This is pica200 under the name of picasso; "pica200 --help" lists all that it does.
`,
	options: []toolOption{{"out", 'o', true}, {"header", 'h', true}, {"help", '?', false}, {"no-nop", 'n', false}, {"version", 'v', false}}}

func assembleAsPicasso(con *console, p toolArgs) error {
	out := p.last("out")
	switch {
	case p.has("version"):
		fmt.Fprintf(con.out, "picasso - pica200 %s\n", versionText(module.Read()))
		return nil
	case len(p.files) == 0:
		return errToolUsage{errors.New("no input files are specified")}
	case out == "":
		return errToolUsage{errors.New("no output file is specified")}
	}
	sources, err := readPlain(p.files)
	if err != nil {
		return err
	}
	prog, diags := asm.Assemble(asm.Options{NoNop: p.has("no-nop"), Picasso: true}, sources...)
	return writeProgram(con, prog, diags, out, p.last("header"))
}

// readPlain reads sources; "-" is the name of a file.
func readPlain(names []string) (sources []asm.Source, err error) {
	for _, name := range names {
		text, err := files.Read(name, files.Max)
		if err != nil {
			return nil, err
		}
		sources = append(sources, asm.Source{Name: name, Text: text})
	}
	return sources, nil
}

func writeProgram(con *console, prog *asm.Program, diags asm.Diagnostics, out, header string) error {
	if err := report(con, diags, false); err != nil {
		return err
	}
	data, err := prog.Bytes()
	if err != nil {
		return err
	}
	return con.write(output{plainName(header), []byte(prog.Header())}, output{plainName(out), data})
}

// nihstroTool is the assembler of nihstro.
var nihstroTool = otherTool{name: "nihstro-assemble", run: assembleAsNihstro, usage: `Usage: nihstro-assemble <input> [options]
Options:
  -h, --help                 Print this description
  -i, --input <file>         Source, if it is not named alone
  -o, --output <file>        File to write
  -e, --entrypoint <label>   Where the shader starts (default: main)
  -g, --geo_shader           The source is a geometry shader

This is pica200 under the name of nihstro-assemble; "pica200 --help" lists all that it does.
`, options: []toolOption{{"help", 'h', false}, {"input", 'i', true}, {"output", 'o', true}, {"entrypoint", 'e', true}, {"geo_shader", 'g', false}}}

func assembleAsNihstro(con *console, p toolArgs) error {
	if in := p.last("input"); in != "" {
		p.files = append(p.files, in)
	}
	switch {
	case len(p.files) != 1:
		return errToolUsage{fmt.Errorf("one input file is expected, and %d are named", len(p.files))}
	case p.last("output") == "":
		return errToolUsage{errors.New("no output file is specified")}
	}
	sources, err := readPlain(p.files)
	if err != nil {
		return err
	}
	prog, diags := asm.Assemble(asm.Options{Nihstro: &asm.Nihstro{Entry: p.last("entrypoint"), Geometry: p.has("geo_shader"),
		Include: func(name string) ([]byte, error) { return files.Read(name, files.Max) }}}, sources...)
	return writeProgram(con, prog, diags, p.last("output"), "")
}

// tex3dsTool is devkitPro's program for textures.
var tex3dsTool = otherTool{name: "tex3ds", run: makeAsTex3ds, usage: `Usage: tex3ds [options] <picture>
Options:
  -a, --atlas                  Put all pictures into one texture
  -b, --border <type>          none, transparent or edge
  -c, --cubemap                Make a cube map of a cross of 4x3 squares
  -d, --depends <file>         Makefile rule to write
  -f, --format <format>        Format of the texels
  -H, --header <file>          C header to write
  -i, --include <file>         Options and pictures from a file
  -m, --mipmap <filter>        Make levels of detail
  -o, --output <file>          Texture to write
  -p, --preview <file>         PNG file to write
  -q, --quality <quality>      Quality of ETC1: low, medium, high
  -r, --raw                    Write the packed texels alone
  -s, --skybox                 Make a cube map that is seen from within
  -t, --trim                   Cut off edges of one colour
  -v, --version                Version
  -z, --compress <compression> auto, none, huff, lz10, lz11 or rle

This is pica200 under the name of tex3ds; "pica200 --help" lists all that it does.
`, options: tex3dsOptions()}

func tex3dsOptions() (list []toolOption) {
	for _, o := range texture.T3SOptions {
		list = append(list, toolOption{o.Long, o.Short, o.Value})
	}
	return append(list, toolOption{"include", 'i', true}, toolOption{"help", 'h', false}, toolOption{"version", 'v', false})
}

func makeAsTex3ds(con *console, p toolArgs) error {
	job := texJob{con: con, T3S: texture.NewT3S()}
	for _, g := range p.given {
		switch {
		case g.name == "version":
			fmt.Fprintf(con.out, "tex3ds - pica200 %s\n", versionText(module.Read()))
			return nil
		case g.name == "include":
			if err := job.include(plainName(g.value)); err != nil {
				return err
			}
			continue
		}
		for i := range texture.T3SOptions {
			if o := &texture.T3SOptions[i]; o.Long == g.name {
				if o.Output() {
					g.value = plainName(g.value)
				}
				if err := job.Set(o, g.value); err != nil {
					return errToolUsage{errors.New(strings.TrimSpace(err.Error()))}
				}
			}
		}
	}
	for _, name := range p.files {
		job.add(plainName(name))
	}
	if len(job.inputs) == 0 {
		return errToolUsage{errors.New("no pictures are specified")}
	}
	return job.run()
}
