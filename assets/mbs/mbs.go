// Package mbs reads, writes and checks MBS1 files: the compiled
// shaders of ARM's Mali-200 and Mali-400 GPUs. They are not of the 3DS; they
// are here because the project's documents describe the format.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
//
// A file is a tree of chunks: 4 letters, the size of what follows (the 8 bytes
// of the header not counted), contents. Some chunks hold others, after fixed
// fields or around them. Known:
//
//	MBS1                 the file
//	  CVER, CFRA         u32 core version; a vertex or fragment shader
//	    FINS             u32 unknown, instructions, attribute prefetch (vertex)
//	    FSTA             u32 stack size, u32 stack offset (fragment)
//	    FDIS             u32 1 if the shader discards (fragment)
//	    FBUU             8 bytes, use of the frame buffer (fragment)
//	    SUNI             u32 count, u32 space; uniforms
//	    SVAR, SATT       u32 count; varyings, attributes
//	      VUNI VVAR VATT STRI name, 20 bytes (VATT 16) of symbol, then
//	        VIDX         of uniforms: ITDR, IYUV, IGRD, an i32 each, -1 for none
//	        VINI         of uniforms: u32 count, floats: a compiler's constant
//	    DBIN             the code
//
// The layout is from the MBS1 seed document of the project, completed from
// limare's reader (lib/program.c of the lima driver) and from real files;
// docs/FORMATS.md says where these disagree. SUNI without its space and VATT with
// the 20 bytes of other symbols, as in the seed document, are read too.
package mbs

import (
	"encoding/binary"
	"errors"
	"fmt"

	"pica200/assets/tree"
)

// Magic is the identifier of the outermost chunk.
const Magic = "MBS1"

// ErrFormat is wrapped by every error about a file that is not readable MBS1.
var ErrFormat = errors.New("not a valid MBS1 file")

// Ident is the four letters that identify a chunk.
type Ident string

// Chunk is a chunk and what it holds, in the order of the file.
type Chunk struct {
	Ident  Ident
	Offset int64 // of its header in the file it was parsed from
	Items  []Item
}

// Item is a part of a chunk's contents: another chunk, or plain bytes.
type Item struct {
	Offset int64
	Chunk  *Chunk // nil for plain bytes
	Data   []byte // nil for a chunk
}

const (
	maxDepth  = 6       // MBS1, CVER, SUNI, VUNI, VIDX, ITDR
	maxChunks = 1 << 13 // far more than any shader has symbols
)

type reader struct {
	findings *tree.Findings
	chunks   int
}

// parseChunks reads the tree of chunks. Only a file that is cut short or does
// not start with the magic is an error; whatever else does not add up is kept
// as plain bytes and reported. Data in the tree refers to data.
func parseChunks(data []byte) (*Chunk, tree.Findings, error) {
	if len(data) < 8 || string(data[:4]) != Magic {
		return nil, nil, fmt.Errorf("%w: offset 0x0: want a chunk %s", ErrFormat, Magic)
	}
	size := int64(binary.LittleEndian.Uint32(data[4:]))
	if size > int64(len(data))-8 {
		return nil, nil, fmt.Errorf("%w: offset 0x4: %s has 0x%x bytes, but only 0x%x follow: the file is cut short", ErrFormat, Magic, size, len(data)-8)
	}
	var findings tree.Findings
	r := reader{findings: &findings}
	root := r.chunk(data[:8+size], 0, 0)
	if rest := data[8+size:]; len(rest) > 0 {
		findings.Problemf(8+size, "%d bytes follow the %s chunk; they are not kept", len(rest), Magic)
	}
	return root, findings, nil
}

// chunk reads the chunk that fills data, header and all.
func (r *reader) chunk(data []byte, at int64, depth int) *Chunk {
	c := &Chunk{Ident: Ident(data[:4]), Offset: at}
	r.chunks++
	body, at := data[8:], at+8
	k := kinds[c.Ident]
	fixed, plain := sizeOf(k.fixed), sizeOf(k.plain)
	if !k.children && fixed > 0 && len(body) != fixed {
		r.findings.Problemf(c.Offset+4, "%s has %d bytes, expected %d", c.Ident, len(body), fixed)
	}
	if !k.children || depth >= maxDepth {
		if !c.Ident.known() {
			r.findings.Problemf(c.Offset, "unknown chunk %q", string(c.Ident))
		}
		c.bytes(body, at)
		return c
	}
	for range k.lead {
		n := r.next(body)
		if n == 0 {
			r.findings.Problemf(at, "%s: expected a chunk here", c.Ident)
			c.bytes(body, at)
			return c
		}
		c.Items = append(c.Items, Item{Offset: at, Chunk: r.chunk(body[:n], at, depth+1)})
		body, at = body[n:], at+int64(n)
	}
	if r.ends(body, plain) && !r.ends(body, fixed) {
		fixed = plain
	}
	if len(body) < fixed {
		r.findings.Problemf(at, "%s: %d bytes of fields, expected %d", c.Ident, len(body), fixed)
		c.bytes(body, at)
		return c
	}
	c.bytes(body[:fixed:fixed], at)
	body, at = body[fixed:], at+int64(fixed)
	for len(body) > 0 {
		n := r.next(body)
		if n == 0 {
			r.findings.Problemf(at, "%s: 0x%x bytes that are not a chunk", c.Ident, len(body))
			c.bytes(body, at)
			break
		}
		c.Items = append(c.Items, Item{Offset: at, Chunk: r.chunk(body[:n], at, depth+1)})
		body, at = body[n:], at+int64(n)
	}
	return c
}

// next returns the size of the chunk at the start of data, 0 if there is none.
func (r *reader) next(data []byte) int {
	if len(data) < 8 || r.chunks >= maxChunks {
		return 0
	}
	for _, b := range data[:4] {
		if (b < 'A' || b > 'Z') && (b < '0' || b > '9') {
			return 0
		}
	}
	n := 8 + int64(binary.LittleEndian.Uint32(data[4:]))
	if n > int64(len(data)) {
		return 0
	}
	return int(n)
}

// ends reports whether the contents of a chunk end behind n bytes of fields, or go on with a
// chunk there.
func (r *reader) ends(body []byte, n int) bool {
	return n > 0 && (len(body) == n || len(body) > n && r.next(body[n:]) > 0)
}

func (c *Chunk) bytes(data []byte, at int64) {
	if len(data) > 0 {
		c.Items = append(c.Items, Item{Offset: at, Data: data})
	}
}

// Size is the number of bytes of the contents, as in the chunk's header.
func (c *Chunk) Size() int {
	n := 0
	for _, it := range c.Items {
		if it.Chunk != nil {
			n += 8 + it.Chunk.Size()
		} else {
			n += len(it.Data)
		}
	}
	return n
}

// appendTo writes the chunk, header and all, behind out.
func (c *Chunk) appendTo(out []byte) []byte {
	out = append(out, c.Ident...)
	at := len(out)
	out = append(out, 0, 0, 0, 0)
	for _, it := range c.Items {
		if it.Chunk != nil {
			out = it.Chunk.appendTo(out)
		} else {
			out = append(out, it.Data...)
		}
	}
	binary.LittleEndian.PutUint32(out[at:], uint32(len(out)-at-4))
	return out
}

// find returns the first chunk inside c with the identifier, or nil.
func (c *Chunk) find(id Ident) *Chunk {
	for _, it := range c.Items {
		if it.Chunk != nil && it.Chunk.Ident == id {
			return it.Chunk
		}
	}
	return nil
}

// Fields returns the plain bytes of the chunk that come first, nil if none do.
func (c *Chunk) Fields() []byte {
	for _, it := range c.Items {
		if it.Chunk == nil {
			return it.Data
		}
	}
	return nil
}

// fieldsOffset is the position of Fields in the file.
func (c *Chunk) fieldsOffset() int64 {
	for _, it := range c.Items {
		if it.Chunk == nil {
			return it.Offset
		}
	}
	return c.Offset + 8
}
