package picatrace

import (
	"encoding/binary"
	"fmt"
)

const indexSize = 16

// indexEntry says where a chunk is. The index lists all chunks before it in
// the order of the file.
type indexEntry struct {
	kind  chunkType
	at    uint64
	count uint32 // pieces, events, or the screen
}

func (e *indexEntry) append(b []byte) []byte {
	le := binary.LittleEndian
	b = append(b, e.kind[:]...)
	b = le.AppendUint32(b, e.count)
	return le.AppendUint64(b, e.at)
}

func (e *indexEntry) decode(b []byte) {
	le := binary.LittleEndian
	copy(e.kind[:], b)
	e.count, e.at = le.Uint32(b[4:]), le.Uint64(b[8:])
}

// readIndex reads the index at the end of the file. ok is false if there is
// none: the file was cut off, or its recorder writes none. The index is only a
// short cut: every chunk's own header is checked when it is read, so a wrong
// index cannot make a reader return wrong data.
func (t *Trace) readIndex() ([]indexEntry, bool) {
	var trailer [trailerSize]byte
	if _, err := t.r.ReadAt(trailer[:], t.size-trailerSize); err != nil || string(trailer[8:]) != trailerMagic {
		return nil, false
	}
	at := binary.LittleEndian.Uint64(trailer[:])
	h, data, err := t.readChunk(int64(at))
	if err != nil || h.kind != chunkIndex || len(data)%indexSize != 0 || int64(at)+chunkSize+int64(h.stored)+trailerSize != t.size {
		return nil, false
	}
	entries := make([]indexEntry, len(data)/indexSize)
	last := uint64(headerSize - 1)
	for i := range entries {
		entries[i].decode(data[i*indexSize:])
		if a := entries[i].at; a <= last || a >= at {
			return nil, false
		}
		last = entries[i].at
	}
	return entries, true
}

// scan reads the headers of all chunks. It stops at the first incomplete one,
// with a finding.
func (t *Trace) scan() (entries []indexEntry, err error) {
	at := int64(headerSize)
	for at < t.size {
		h, err := t.readHeader(at)
		if err != nil {
			t.Findings.Problemf(at, "%v; the recording is read up to here", err)
			break
		}
		if h.kind == chunkIndex {
			break
		}
		e := indexEntry{kind: h.kind, at: uint64(at)}
		switch h.kind {
		case chunkFrame:
			if h.unpacked%eventSize != 0 {
				return nil, fmt.Errorf("%w: offset 0x%x: a frame of %d bytes; events have %d", ErrFormat, at, h.unpacked, eventSize)
			}
			e.count = uint32(h.unpacked / eventSize)
		case chunkPieces:
			// The number of pieces is known only after reading the chunk.
			_, data, err := t.readChunk(at)
			if err == nil {
				var list []piece
				list, err = decodePieces(data, at+chunkSize)
				e.count = uint32(len(list))
			}
			if err != nil {
				t.Findings.Problemf(at, "%v; the recording is read up to here", err)
				return entries, nil
			}
		}
		entries = append(entries, e)
		at += chunkSize + int64(h.stored)
	}
	return entries, nil
}
