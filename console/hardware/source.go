package hardware

import (
	"bytes"
	"context"
	_ "embed" // the sources that do not depend on the programs
	"encoding/binary"
	"fmt"
	"image/png"
	"maps"
	"strings"
)

var (
	//go:embed source/main.c
	mainSource []byte
	//go:embed source/programs.h
	headerSource []byte
	//go:embed source/Makefile
	makefile []byte
)

// sources returns the files of the homebrew program, by name: the code that runs
// programs, and the programs as C arrays.
func sources() map[string][]byte {
	return map[string][]byte{
		"source/main.c": mainSource, "source/programs.h": headerSource, "source/programs.c": arrays(), "Makefile": makefile,
	}
}

// Files returns the sources and, for each program, NAME.png, the picture as
// drawn here, and NAME.ctf, the program as a trace.
func Files(ctx context.Context) (map[string][]byte, error) {
	all := maps.Clone(sources())
	for i := range Programs {
		p := &Programs[i]
		buffer, err := p.Run(ctx)
		if err != nil {
			return nil, err
		}
		img, err := p.picture(buffer)
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		if err := png.Encode(&b, img); err != nil {
			return nil, err
		}
		all["expected/"+p.Name+".png"] = b.Bytes()
		if all["traces/"+p.Name+".ctf"], err = p.trace(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// arrays returns all programs as C arrays.
func arrays() []byte {
	var b bytes.Buffer
	b.WriteString("// Written by pica200 (package hardware). DO NOT EDIT.\n\n#include \"programs.h\"\n")
	words := func(name string, w []uint32) {
		fmt.Fprintf(&b, "\nstatic const u32 %s[%d] = {", name, len(w))
		for i, v := range w {
			if i%8 == 0 {
				b.WriteString("\n\t")
			}
			if v < 10 {
				fmt.Fprintf(&b, "%d,", v)
			} else {
				fmt.Fprintf(&b, "0x%X,", v)
			}
		}
		b.WriteString("\n};\n")
	}
	for i := range Programs {
		p := &Programs[i]
		id := strings.ReplaceAll(p.Name, "-", "_")
		c := p.code()
		fmt.Fprintf(&b, "\n// %s: %s\n", p.Name, p.About)
		words(id+"_list", c.list)
		data := make([]uint32, len(c.data)/4)
		for i := range data {
			data[i] = binary.LittleEndian.Uint32(c.data[4*i:])
		}
		words(id+"_data", data)
		fmt.Fprintf(&b, "\nstatic const reloc_t %s_relocs[%d] = {", id, len(c.relocs))
		for i, r := range c.relocs {
			if i%8 == 0 {
				b.WriteString("\n\t")
			}
			fmt.Fprintf(&b, "{%d, %s},", r.word, [...]string{"BUFFER_DATA", "BUFFER_COLOR", "BUFFER_DEPTH"}[r.buffer])
		}
		b.WriteString("\n};\n")
	}
	b.WriteString("\nconst program_t programs[] = {\n")
	for i := range Programs {
		p := &Programs[i]
		c := p.code()
		id := strings.ReplaceAll(p.Name, "-", "_")
		fill := "FILL_32"
		if p.fillBits() == 16 {
			fill = "FILL_16"
		}
		fmt.Fprintf(&b, "\t{\"%s\", 0x%08X, %d, %d, %s, 0x%08X, %s_list, %d, %s_data, %d, %s_relocs, %d},\n",
			p.Name, p.hash(), p.ColorBytes(), p.depthBytes(), fill, p.clearTo, id, len(c.list), id, len(c.data)/4, id, len(c.relocs))
	}
	fmt.Fprintf(&b, "};\n\nconst u32 program_count = %d;\n", len(Programs))
	return b.Bytes()
}
