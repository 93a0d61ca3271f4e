// Package inspect parses files of all formats of the project into one kind of
// tree (package tree), which is written as text or JSON. Open recognises the
// format by the contents of a file and returns a Document;
// Formats lists the formats.
//
// A file of 1 MiB is inspected in less than 64 MiB of memory, whatever its
// contents: trees are produced while they are written, and nothing is decoded
// in advance.
//
// The package is internal to pica200 and may change at any time.
package inspect

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"pica200/assets/citrace"
	"pica200/assets/cmdlist"
	"pica200/assets/mbs"
	"pica200/assets/model"
	"pica200/assets/picatrace"
	"pica200/assets/texture"
	"pica200/assets/tree"
	"pica200/internal/quote"
	"pica200/scene"
)

// Memory is the recommended memory limit of the Go runtime
// (debug.SetMemoryLimit) for programs that inspect files of up to 1 MiB. Little
// memory is in use at a time, but trees make a lot of garbage, which
// accumulates on a busy machine.
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
	Name string // as in --as
	Doc  string
	is   func(data []byte) bool
	open func(data []byte) (*tree.Node, func() tree.Findings, error)
}

// Formats lists all formats in the order in which they are tried: those with a
// magic first, then those recognised by their structure.
var Formats = []Format{
	{"picatrace", "recording of this project", picatrace.Is, of(picatrace.Parse)},
	{"ctf", "CiTrace recording", citrace.Is, of(citrace.Parse)},
	{"shbin", "shader binary, DVLB", magic("DVLB"), openShbin},
	{"dvoj", "shader object before linking, DVOJ", magic("DVOJ"), openDVOJ},
	{"cgfx", "CGFX resources (.cgfx, .bcres, .bcmdl, .bcsdr and others)", magic("CGFX"), openCGFX},
	{"cbmd", "HOME Menu banner, CBMD (.bnr)", magic("CBMD"), openCBMD},
	{"bch", "models of the console's later tools, BCH (.bch)", magic("BCH\x00"), openBCH},
	{"mbs", "Mali shader, MBS1", magic(mbs.Magic), of(mbs.Parse)},
	{"glb", "glTF model, binary", magic("glTF"), openGLB},
	{"gltf", "glTF model, JSON", isGLTF, openGLTF},
	{"csdr", "text with a shader binary in Base64", isCSDR, openCSDR},
	{"t3x", "tex3ds texture", texture.IsT3X, texture.OpenT3X},
	{"scene", "scene of this project, YAML", scene.Detect, openScene},
	{"obj", "Wavefront OBJ model", model.IsOBJ, openOBJ},
	{"cmdlist", "raw command list, 32-bit words", cmdlist.Is, cmdlist.Open},
}

// file is a parsed file that shows and checks itself.
type file interface {
	Tree() *tree.Node
	Check() tree.Findings
}

func of[T file](parse func([]byte) (T, error)) func([]byte) (*tree.Node, func() tree.Findings, error) {
	return func(data []byte) (*tree.Node, func() tree.Findings, error) {
		f, err := parse(data)
		if err != nil {
			return nil, nil, err
		}
		return f.Tree(), f.Check, nil
	}
}

func magic(m string) func([]byte) bool {
	return func(data []byte) bool { return len(data) >= len(m) && string(data[:len(m)]) == m }
}

// recognise returns the format of data.
func recognise(data []byte) (Format, error) {
	for _, f := range Formats {
		if f.is(data) {
			return f, nil
		}
	}
	return Format{}, fmt.Errorf("not a format that is known (%s); %s", strings.Join(Names(), ", "), quote.Start(data))
}

// Names lists the names of the formats.
func Names() []string {
	var names []string
	for _, f := range Formats {
		names = append(names, f.Name)
	}
	return names
}

// OpenNamed is Open for a file with a name, whose ending says the format of a
// text that is too damaged to be recognised.
func OpenNamed(name string, data []byte, as string) (*Document, error) {
	if as == "" {
		if _, err := recognise(data); err != nil {
			as = strings.ToLower(strings.TrimPrefix(filepath.Ext(name), "."))
			switch {
			case scene.Is(name, nil):
				as = "scene"
			case !slices.Contains([]string{"gltf", "obj", "csdr"}, as):
				return nil, err
			}
		}
	}
	return Open(data, as)
}

// Open opens data in the format with the name as; if as is empty it recognises
// the format. The document refers to data. It returns an error if the file is
// too damaged to show; other damage is among the findings.
func Open(data []byte, as string) (*Document, error) {
	var f Format
	if as == "" {
		var err error
		if f, err = recognise(data); err != nil {
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

// maxFindings bounds the findings of a file.
const maxFindings = 1000
