package picatrace

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/twmb/murmur3"
)

const (
	// Magic is what a file starts with.
	Magic = "PICATRAC"
	// Version is the version of the format that this package writes.
	Version = 2
	// PageSize is the greatest size of a piece of memory in bytes. No piece crosses
	// a multiple of it.
	PageSize = 4096

	headerSize = 16 // magic, version, 0
	chunkSize  = 32 // header of a chunk
	eventSize  = 32
	pieceSize  = 24 // header of a piece: hash, bytes, 0

	// maxChunk bounds the unpacked contents of a chunk, and so the memory that a
	// reader needs.
	maxChunk = 64 << 20
	// maxPieces bounds the pieces of a chunk.
	maxPieces = 4096
	// maxEvents bounds the events of a frame.
	maxEvents = maxChunk / eventSize

	trailerMagic = "PTRCINDX" // follows the offset of the index chunk at the end of the file
	trailerSize  = 16
)

// ErrFormat is wrapped by every error about an unreadable recording.
var ErrFormat = errors.New("not a valid picatrace file")

// chunkType is the name of a chunk, four letters.
type chunkType [4]byte

var (
	chunkMeta   = chunkType{'M', 'E', 'T', 'A'} // who recorded what
	chunkState  = chunkType{'S', 'T', 'A', 'T'} // state at the start
	chunkPieces = chunkType{'P', 'A', 'G', 'E'} // contents of memory
	chunkFrame  = chunkType{'F', 'R', 'A', 'M'} // events of a frame
	chunkShown  = chunkType{'S', 'H', 'O', 'W'} // what a screen showed at the end of the last frame
	chunkIndex  = chunkType{'I', 'N', 'D', 'X'} // where the chunks are
)

func (c chunkType) String() string { return fmt.Sprintf("%q", c[:]) }

// Codec says how the contents of a chunk are packed.
type codec uint32

const (
	codecRaw  codec = 0
	codecZstd codec = 1
)

// chunkHeader is what stands before the contents of a chunk.
type chunkHeader struct {
	kind     chunkType
	codec    codec
	stored   uint64 // bytes in the file
	unpacked uint64 // bytes of the contents
	sum      uint64 // first half of the hash of the stored bytes
}

func (h *chunkHeader) append(b []byte) []byte {
	le := binary.LittleEndian
	b = append(b, h.kind[:]...)
	b = le.AppendUint32(b, uint32(h.codec))
	b = le.AppendUint64(b, h.stored)
	b = le.AppendUint64(b, h.unpacked)
	return le.AppendUint64(b, h.sum)
}

func (h *chunkHeader) decode(b []byte) {
	le := binary.LittleEndian
	copy(h.kind[:], b)
	h.codec = codec(le.Uint32(b[4:]))
	h.stored, h.unpacked, h.sum = le.Uint64(b[8:]), le.Uint64(b[16:]), le.Uint64(b[24:])
}

// hash detects damage: MurmurHash3, x64, 128 bits, seed 0. Collisions are easy
// to make, so equal hashes never count as equal contents.
type hash [2]uint64

func hashOf(data []byte) (h hash) {
	h[0], h[1] = murmur3.Sum128(data)
	return h
}
