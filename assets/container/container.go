// Package container finds shader binaries in other files: CGFX (.bcsdr), BCH,
// banners (CBMD), csdr (ASCII with Base64), homebrew executables (3DSX, ELF),
// archives of object files (.a), C source with arrays, and bare DVLB and DVOJ
// files.
//
// Extract returns all shader binaries of a file. It searches each format by its
// structure: the shader dictionary of a CGFX, the Base64 runs of a text, the
// segments of an executable, the initialisers of arrays. A result counts only
// if it parses as a shader binary.
//
// Sources: 3dbrew's pages "CGFX", "3DSX Format" and "SHBIN", GBATEK's "3DS
// Files - Video Shaders" for csdr and bcsdr, the ELF specification.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
package container

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"

	"pica200/assets/bch"
	"pica200/assets/cgfx"
	"pica200/assets/shbin"
	"pica200/internal/quote"
)

var le = binary.LittleEndian

// Format is the kind of file that Extract recognised.
type Format string

// The formats.
const (
	FormatDVLB Format = "DVLB"     // .shbin
	FormatDVOJ Format = "DVOJ"     // unlinked object
	FormatCGFX Format = "CGFX"     // .bcsdr and other resource files
	FormatBCH  Format = "BCH"      // resource files of the later tools
	FormatCBMD Format = "CBMD"     // banners, which pack CGFX
	FormatCSDR Format = "csdr"     // text with Base64
	Format3DSX Format = "3DSX"     // homebrew executable
	FormatELF  Format = "ELF"      // executable or object file
	FormatAR   Format = "archive"  // of object files, .a
	FormatC    Format = "C source" // arrays
)

// Shader is a shader binary that was found.
type Shader struct {
	Data   []byte // the binary alone; it may be a slice of the file's bytes: do not change it
	Object bool   // DVOJ rather than DVLB
	Offset int    // in the file, -1 where it was decoded from text
	Where  string // what contains it: "shader basic", "code segment", "array vshader_shbin"
}

// kind is a format with how it is recognised and read.
type kind struct {
	Format
	is      func([]byte) bool
	extract func([]byte) ([]Shader, error)
}

func begins(magic string) func([]byte) bool {
	return func(data []byte) bool { return bytes.HasPrefix(data, []byte(magic)) }
}

// formats are tried in this order.
var formats = []kind{
	{FormatDVLB, begins(shbin.MagicDVLB), whole}, {FormatDVOJ, begins(shbin.MagicDVOJ), whole},
	{FormatCGFX, begins("CGFX"), extractCGFX}, {FormatBCH, bch.Is, extractBCH}, {FormatCBMD, cgfx.IsBanner, extractBanner},
	{Format3DSX, begins("3DSX"), extract3DSX}, {FormatELF, begins("\x7FELF"), extractELF},
	{FormatAR, begins(archiveMagic), extractArchive}, {FormatAR, begins(thinMagic), extractArchive},
	{FormatCSDR, isText, func(data []byte) ([]Shader, error) { return extractBase64(data), nil }},
}

// Extract returns all shader binaries of a file, by offset. It fails if the
// file's format is unknown, if the file is damaged, or if it contains none.
func Extract(data []byte) (Format, []Shader, error) {
	i := slices.IndexFunc(formats, func(k kind) bool { return k.is(data) })
	if i < 0 {
		return "", nil, fmt.Errorf("container: unknown file format, expected DVLB, DVOJ, CGFX, BCH, CBMD, 3DSX, ELF, an archive, or text with Base64 or C arrays; %s", quote.Start(data))
	}
	format := formats[i].Format
	found, err := formats[i].extract(data)
	if format == FormatCSDR && len(found) == 0 {
		if found = extractArrays(data); len(found) > 0 {
			format = FormatC
		}
	}
	if err != nil {
		return format, nil, fmt.Errorf("container: %w", err)
	}
	if len(found) == 0 && format == FormatCSDR {
		return format, nil, fmt.Errorf("container: no shader binary in this text, neither in Base64 as in .csdr files nor as a C array")
	}
	if len(found) == 0 {
		return format, nil, fmt.Errorf("container: no shader binary in this %s file", format)
	}
	return format, found, nil
}

// whole reads a file that is a shader binary itself. The error is the parser's.
func whole(data []byte) ([]Shader, error) {
	if _, ok := at(data, 0); ok {
		return []Shader{{Data: data, Object: data[3] == 'J', Where: "the file"}}, nil
	}
	return nil, parses(data)
}

// at returns the shader binary that starts at an offset of data, false if none
// does.
func at(data []byte, offset int) (Shader, bool) {
	if offset < 0 || offset > len(data)-8 {
		return Shader{}, false
	}
	rest := data[offset:]
	object := bytes.HasPrefix(rest, []byte(shbin.MagicDVOJ))
	if !object && !bytes.HasPrefix(rest, []byte(shbin.MagicDVLB)) {
		return Shader{}, false
	}
	n, ok := shbin.Extent(rest[:min(len(rest), maxBinary)])
	if !ok || parses(rest[:n]) != nil {
		return Shader{}, false
	}
	return Shader{Data: rest[:n:n], Object: object, Offset: offset}, true
}

// parses returns the parser's error for a shader binary.
func parses(data []byte) (err error) {
	if data[3] == 'J' {
		_, err = shbin.ParseObject(data)
	} else {
		_, err = shbin.Parse(data)
	}
	return err
}

// maxBinary bounds the size of a shader binary inside of a file, so that the
// search of a damaged file is short. Code and descriptors have at most 17 KiB,
// tables about as much.
const maxBinary = 1 << 18

// scan finds all shader binaries in a part of a file, for segments of programs,
// where data has no directory. Each result has been parsed.
func scan(data []byte, start, end int, where string) (found []Shader) {
	part := data[start:end]
	for pos := 0; ; {
		k := bytes.Index(part[pos:], []byte("DV"))
		if k < 0 {
			return found
		}
		pos += k
		s, ok := at(part, pos)
		if !ok {
			pos += 2
			continue
		}
		s.Offset += start
		s.Where = where
		found = append(found, s)
		pos += len(s.Data)
	}
}
