package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"pica200/assets/container"
	"pica200/assets/shbin"
	"pica200/shaderunit/asm"
	"pica200/shaderunit/disasm"
	"pica200/shaderunit/link"
)

type disasmCmd struct {
	File string `arg:"" help:"Shader binary, - for standard input: .shbin, DVOJ, .bcsdr (CGFX), .csdr, .3dsx, ELF or C source."`
	Out  string `short:"o" ends:".pica .asm .s .vsh .gsh .txt" placeholder:"OUT" help:"Source file to write; a folder (ends in a slash) if there are several sources. Without it: standard output."`

	Number      int    `default:"0" placeholder:"N" help:"Number of the shader, from 0, in a file with several."`
	Addresses   bool   `short:"a" help:"Show the address and the word of each instruction."`
	Portable    bool   `help:"Write only syntax that picasso accepts, even if it does not assemble to the same bits."`
	Raw         bool   `help:"FILE is raw code, one 32-bit word for each instruction."`
	Descriptors string `placeholder:"FILE" help:"With --raw: operand descriptors, 32 bits each."`
	Entry       uint32 `placeholder:"ADDRESS" help:"With --raw: entry point in words."`
	Geometry    bool   `help:"With --raw: it is a geometry shader."`
}

func (disasmCmd) Help() string {
	return `Writes .pica source that assembles to the same program again: code,
operand descriptors and tables. What cannot be reproduced is listed at the top,
together with the options for asm (.options).

Examples:

  pica200 disasm vshader.shbin
  pica200 disasm program.shbin -o src/
  pica200 disasm - < vshader.shbin | pica200 asm - -o again.shbin
  pica200 disasm game.3dsx --number 2 --addresses
  pica200 disasm --raw code.bin --descriptors desc.bin --entry 0x10`
}

func (c disasmCmd) Run(con *console) error {
	data, err := con.read(c.File)
	if err != nil {
		return err
	}
	opt := disasm.Options{Name: sourceBase(c.File), Addresses: c.Addresses, Portable: c.Portable}
	file, external, err := c.program(con, data)
	if err != nil {
		return fmt.Errorf("%s: %w", inputName(c.File), err)
	}
	opt.External = external
	d, err := disasm.File(file, opt)
	if err != nil {
		return fmt.Errorf("%s: %w", inputName(c.File), err)
	}
	for _, n := range d.Notes {
		fmt.Fprintf(con.err, "pica200: %s: not the same after assembling: %s\n", inputName(c.File), n)
	}
	if d.Layout != "" {
		fmt.Fprintf(con.err, "pica200: %s: the same program after assembling, in another layout of the file: %s\n", inputName(c.File), d.Layout)
	}
	if strings.HasSuffix(c.Out, "/") {
		if err := con.makeFolder(c.Out); err != nil {
			return err
		}
		for _, s := range d.Sources {
			if err := con.writeBytes(filepath.Join(c.Out, s.Name), s.Text); err != nil {
				return err
			}
		}
		return nil
	}
	var text []byte
	for _, s := range d.Sources {
		if len(d.Sources) > 1 {
			text = append(text, asm.SourceMark+s.Name+"\n"...)
		}
		text = append(text, s.Text...)
	}
	if c.Out == "" {
		c.Out = "-"
	}
	return con.writeBytes(c.Out, text)
}

// program finds the program in a file, and the names of external procedures
// that it calls.
func (c disasmCmd) program(con *console, data []byte) (*shbin.File, map[int]string, error) {
	if c.Raw {
		code, err := rawWords(data)
		if err != nil {
			return nil, nil, err
		}
		raw := disasm.Raw{Code: code, Entry: c.Entry, Geometry: c.Geometry}
		if c.Descriptors != "" {
			desc, err := con.read(c.Descriptors)
			if err != nil {
				return nil, nil, err
			}
			if raw.Descriptors, err = rawWords(desc); err != nil {
				return nil, nil, err
			}
		}
		f, err := raw.File()
		return f, nil, err
	}
	_, found, err := container.Extract(data)
	if err != nil {
		return nil, nil, err
	}
	if c.Number < 0 || c.Number >= len(found) {
		return nil, nil, fmt.Errorf("no shader %d, the file holds %d", c.Number, len(found))
	}
	s := found[c.Number]
	if !s.Object {
		f, err := shbin.Parse(s.Data)
		return f, nil, err
	}
	o, err := shbin.ParseObject(s.Data)
	if err != nil {
		return nil, nil, err
	}
	f, unlinked, err := link.Alone(link.Input{Name: inputName(c.File), Object: o})
	if err != nil {
		return nil, nil, err
	}
	return f, unlinked.External, nil
}

func rawWords(data []byte) ([]uint32, error) {
	if len(data)%4 != 0 {
		return nil, fmt.Errorf("%d bytes, expected words of 4", len(data))
	}
	out := make([]uint32, len(data)/4)
	for i := range out {
		b := data[4*i:]
		out[i] = uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
	}
	return out, nil
}

// sourceBase returns the base of source names for a file name.
func sourceBase(name string) string {
	if name == "-" {
		return "shader"
	}
	base := filepath.Base(name)
	return strings.TrimSuffix(base, filepath.Ext(base))
}
