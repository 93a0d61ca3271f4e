// Package inspect takes files of all formats of the project apart into one neutral tree,
// which assets/tree writes as text or JSON. It recognises a format by the contents of a
// file, never by its name.
//
// The package is our own and may change at any time.
//
// A file of 1 MiB is inspected in less than 64 MiB of memory whatever is in
// it: trees are produced while they are written, and nothing is decoded ahead.
package inspect

import (
	"fmt"
	"strings"

	"pica200/assets/model"
	"pica200/assets/picatrace"
	"pica200/assets/tree"
	"pica200/scene"
)

// Memory is what a program that inspects files of up to 1 MiB should give the
// Go runtime as its memory limit (debug.SetMemoryLimit). Little is alive at a
// time, but a tree makes a lot of garbage, which piles up on a busy machine.
const Memory = 48 << 20

// Document is an opened file.
type Document struct {
	tree.Document
	// Check runs every consistency check of the format. It may take longer
	// than opening.
	Check func() tree.Findings
}

// Format is a file format.
type Format struct {
	Name string // as --as takes it
	Doc  string
	is   func(data []byte) bool
	open func(data []byte) (*tree.Node, func() tree.Findings, error)
}

// Formats lists all formats in the order in which they are tried: those with
// a magic first, then those told by their structure.
var Formats = []Format{
	{"picatrace", "recording of this project", picatrace.Is, openPicatrace},
	{"ctf", "CiTrace recording", isCTF, openCTF},
	{"shbin", "shader binary, DVLB", magic("DVLB"), openShbin},
	{"dvoj", "shader object before linking, DVOJ", magic("DVOJ"), openDVOJ},
	{"cgfx", "CGFX resources (.cgfx, .bcres, .bcmdl, .bcsdr and others)", magic("CGFX"), openCGFX},
	{"cbmd", "HOME Menu banner, CBMD (.bnr)", magic("CBMD"), openCBMD},
	{"bch", "models of the console's later tools, BCH (.bch)", magic("BCH\x00"), openBCH},
	{"mbs", "Mali shader, MBS1", magic("MBS1"), openMBS},
	{"glb", "glTF model, binary", magic("glTF"), openGLB},
	{"gltf", "glTF model, JSON", isGLTF, openGLTF},
	{"csdr", "text with a shader binary in Base64", isCSDR, openCSDR},
	{"t3x", "tex3ds texture", isT3X, openT3X},
	{"scene", "scene of this project, YAML", scene.Looks, openScene},
	{"obj", "Wavefront OBJ model", model.IsOBJ, openOBJ},
	{"cmdlist", "raw command list, 32-bit words", isCommandList, openCommandList},
}

func magic(m string) func([]byte) bool {
	return func(data []byte) bool { return len(data) >= len(m) && string(data[:len(m)]) == m }
}

// Recognise tells what format data is in.
func Recognise(data []byte) (Format, error) {
	for _, f := range Formats {
		if f.is(data) {
			return f, nil
		}
	}
	return Format{}, fmt.Errorf("not a format that is known (%s)", strings.Join(Names(), ", "))
}

// Names lists the names of the formats.
func Names() []string {
	var names []string
	for _, f := range Formats {
		names = append(names, f.Name)
	}
	return names
}

// Open opens data, as the format with the name as, or as what it is recognised
// to be if as is empty. The document refers to data. An error says that the
// file is too damaged to show; lesser damage is among the findings.
func Open(data []byte, as string) (*Document, error) {
	var f Format
	if as == "" {
		var err error
		if f, err = Recognise(data); err != nil {
			return nil, err
		}
	} else {
		for _, g := range Formats {
			if g.Name == as {
				f = g
			}
		}
		if f.open == nil {
			return nil, fmt.Errorf("there is no format %q; known are %s", as, strings.Join(Names(), ", "))
		}
	}
	root, check, err := f.open(data)
	if err != nil {
		return nil, err
	}
	root.Name, root.Offset, root.Size = f.Name, 0, int64(len(data))
	return &Document{tree.Document{Format: f.Name, Size: int64(len(data)), Root: root}, check}, nil
}
