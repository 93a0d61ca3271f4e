package picatrace

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"sort"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"

	"pica200/assets/citrace"
	"pica200/assets/tree"
)

// Trace is a recording. Frames are read on demand, so memory is bounded by
// cacheBytes and the largest frame. It must not be used concurrently.
type Trace struct {
	Meta    Meta
	Initial State

	// Findings says what is missing or unusual. Open fails only if nothing in the
	// file can be used.
	Findings tree.Findings

	r      io.ReaderAt
	size   int64
	zstd   *zstd.Decoder
	frames []frameRef
	chunks []piecesRef // in the order of their first piece
	shown  []int64     // where the pictures of screens are
	cache  pieceCache
}

// frameRef says where a frame is, and the pictures of its end.
type frameRef struct {
	at     int64
	loaded *Frame // the frame, if it is in memory and not at
	shown  []int  // their numbers, in Trace.shown
}

// piecesRef is a chunk of pieces first to first+count-1.
type piecesRef struct {
	at           int64
	first, count uint32
}

// Frame is one frame of a recording.
type Frame struct {
	Index  int
	Offset int64 // of its chunk in the file
	Events []Event
}

// Is reports whether data starts like a recording of this format.
func Is(data []byte) bool { return len(data) >= len(Magic) && string(data[:len(Magic)]) == Magic }

// IsTrace reports whether data starts like a recording that Parse takes, of this
// format or a CiTrace.
func IsTrace(data []byte) bool { return Is(data) || citrace.Is(data) }

// Parse reads a recording that is held in memory, of this format or a CiTrace.
// data must not change while the recording is in use.
func Parse(data []byte) (*Trace, error) {
	return Open(bytes.NewReader(data), int64(len(data)))
}

// Open reads a recording of size bytes. Errors wrap ErrFormat (or
// citrace.ErrFormat) and name the offset.
func Open(r io.ReaderAt, size int64) (*Trace, error) {
	t := &Trace{r: r, size: size}
	var head [headerSize]byte
	n, err := r.ReadAt(head[:min(size, headerSize)], 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch {
	case !Is(head[:n]):
		return fromCiTrace(r, size, head[:n])
	case n < headerSize:
		return nil, fmt.Errorf("%w: offset 0x%x: the file ends inside the header of %d bytes", ErrFormat, n, headerSize)
	}
	if v := binary.LittleEndian.Uint32(head[8:]); v != Version {
		return nil, fmt.Errorf("%w: offset 0x8: version %d, want %d", ErrFormat, v, Version)
	}
	t.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxChunk), zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		return nil, err
	}
	entries, ok := t.readIndex()
	if !ok {
		if entries, err = t.scan(); err != nil {
			return nil, err
		}
	}
	if err := t.arrange(entries); err != nil {
		return nil, err
	}
	return t, nil
}

// arrange builds the lists of frames and pieces from the chunks' positions.
func (t *Trace) arrange(entries []indexEntry) error {
	next := uint64(0)
	sawState := false
	for _, e := range entries {
		at := int64(e.at)
		switch e.kind {
		case chunkMeta:
			_, data, err := t.readChunk(at)
			if err != nil {
				return err
			}
			t.readMeta(string(data), at)
		case chunkState:
			if sawState {
				t.Findings.Problemf(at, "a second state; the first counts")
				break
			}
			_, data, err := t.readChunk(at)
			if err != nil {
				return err
			}
			if t.Initial, err = decodeState(data, at+chunkSize, &t.Findings); err != nil {
				return err
			}
			sawState = true
		case chunkPieces:
			if e.count > maxPieces || next+uint64(e.count) >= 1<<32 {
				return fmt.Errorf("%w: offset 0x%x: a chunk of %d pieces; %d are possible", ErrFormat, at, e.count, maxPieces)
			}
			t.chunks = append(t.chunks, piecesRef{at: at, first: uint32(next), count: e.count})
			next += uint64(e.count)
		case chunkFrame:
			t.frames = append(t.frames, frameRef{at: at})
		case chunkShown:
			t.shown = append(t.shown, at)
			if len(t.frames) == 0 {
				t.Findings.Problemf(at, "a picture before the first frame; left out")
				break
			}
			f := &t.frames[len(t.frames)-1]
			f.shown = append(f.shown, len(t.shown)-1)
		default:
			t.Findings.Notef(at, "a chunk %v is not known here; left out", e.kind)
		}
	}
	if !sawState {
		t.Findings.Notef(headerSize, "no state: the recording begins as the system starts a program")
	}
	if len(t.frames) == 0 {
		t.Findings.Problemf(headerSize, "no frame")
	}
	return nil
}

func (t *Trace) readMeta(text string, at int64) {
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch key {
		case "producer":
			t.Meta.Producer = value
		case "version":
			t.Meta.Version = value
		case "title":
			t.Meta.Title = value
		case "comment":
			t.Meta.Comment = value
		case "fcram":
			n, err := strconv.ParseUint(value, 10, 32)
			if err != nil {
				t.Findings.Problemf(at, "fcram is %q, not a number of bytes", value)
			}
			t.Meta.FCRAM = uint32(n)
		default:
			t.Findings.Notef(at, "%q of the description is not known here", key)
		}
	}
}

// readHeader reads and checks the header of the chunk at an offset.
func (t *Trace) readHeader(at int64) (chunkHeader, error) {
	var h chunkHeader
	var b [chunkSize]byte
	if at+chunkSize > t.size {
		return h, fmt.Errorf("%w: offset 0x%x: the file ends inside the header of a chunk", ErrFormat, at)
	}
	if _, err := t.r.ReadAt(b[:], at); err != nil && err != io.EOF {
		return h, err
	}
	h.decode(b[:])
	switch {
	case h.stored > uint64(t.size-at-chunkSize):
		return h, fmt.Errorf("%w: offset 0x%x: the file ends inside a chunk %v of %d bytes", ErrFormat, at, h.kind, h.stored)
	case h.unpacked > maxChunk:
		return h, fmt.Errorf("%w: offset 0x%x: a chunk %v of %d bytes unpacked; %d are possible", ErrFormat, at, h.kind, h.unpacked, maxChunk)
	case h.codec > codecZstd:
		return h, fmt.Errorf("%w: offset 0x%x: chunk %v is packed by method %d; 0 (not) and 1 (zstd) are known", ErrFormat, at, h.kind, h.codec)
	case h.codec == codecRaw && h.stored != h.unpacked:
		return h, fmt.Errorf("%w: offset 0x%x: an unpacked chunk %v of %d bytes says that it holds %d", ErrFormat, at, h.kind, h.stored, h.unpacked)
	}
	return h, nil
}

// readChunk reads a chunk, verifies and unpacks it.
func (t *Trace) readChunk(at int64) (chunkHeader, []byte, error) {
	h, err := t.readHeader(at)
	if err != nil {
		return h, nil, err
	}
	stored := make([]byte, h.stored)
	if _, err := t.r.ReadAt(stored, at+chunkSize); err != nil && err != io.EOF {
		return h, nil, err
	}
	if hashOf(stored)[0] != h.sum {
		return h, nil, fmt.Errorf("%w: offset 0x%x: chunk %v is damaged: its checksum differs", ErrFormat, at, h.kind)
	}
	if h.codec == codecRaw {
		return h, stored, nil
	}
	data, err := t.zstd.DecodeAll(stored, make([]byte, 0, h.unpacked))
	if err != nil || uint64(len(data)) != h.unpacked {
		return h, nil, fmt.Errorf("%w: offset 0x%x: chunk %v cannot be unpacked to %d bytes (%v)", ErrFormat, at, h.kind, h.unpacked, err)
	}
	return h, data, nil
}

// IsCiTrace reports whether the recording was read from a CiTrace.
func (t *Trace) IsCiTrace() bool { return t.r == nil }

// Frames is the number of whole frames.
func (t *Trace) Frames() int { return len(t.frames) }

// CheckFrame returns an error if a recording of that many frames has no frame n.
func CheckFrame(n, frames int) error {
	switch {
	case frames == 0:
		return fmt.Errorf("there is no frame %d: the recording has none", n)
	case n < 0 || n >= frames:
		return fmt.Errorf("there is no frame %d; the recording has %d, 0 to %d", n, frames, frames-1)
	}
	return nil
}

// Frame reads frame i, 0 to Frames()-1, with the contents of its loads.
// Its caller does not change it.
func (t *Trace) Frame(i int) (*Frame, error) {
	ref := &t.frames[i]
	if ref.loaded != nil {
		return ref.loaded, nil
	}
	h, data, err := t.readChunk(ref.at)
	if err != nil {
		return nil, err
	}
	if h.kind != chunkFrame || len(data)%eventSize != 0 {
		return nil, fmt.Errorf("%w: offset 0x%x: chunk %v of %d bytes is not a frame", ErrFormat, ref.at, h.kind, len(data))
	}
	f := &Frame{Index: i, Offset: ref.at, Events: make([]Event, len(data)/eventSize)}
	for n := range f.Events {
		e := &f.Events[n]
		e.decode(data[n*eventSize:])
		e.Offset = ref.at
		err := e.Check()
		if err == nil && e.Kind == Load {
			e.Data, err = t.piece(e.Words[1], ref.at)
			if err == nil && int(e.Words[0]%PageSize)+len(e.Data) > PageSize {
				err = fmt.Errorf("%d bytes at 0x%08X cross a page", len(e.Data), e.Words[0])
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%w: frame %d (offset 0x%x), event %d: %w", ErrFormat, i, ref.at, n, err)
		}
	}
	return f, nil
}

// piece returns the contents of a piece for the frame at offset before: only
// earlier chunks may be used.
func (t *Trace) piece(id uint32, before int64) ([]byte, error) {
	c := sort.Search(len(t.chunks), func(i int) bool { return t.chunks[i].first > id }) - 1
	if c < 0 || id-t.chunks[c].first >= t.chunks[c].count || t.chunks[c].at > before {
		return nil, fmt.Errorf("piece %d of memory is not in the file, or comes after the frame", id)
	}
	ref := t.chunks[c]
	list, ok := t.cache.get(ref.at)
	if !ok {
		h, data, err := t.readChunk(ref.at)
		if err == nil && h.kind != chunkPieces {
			err = fmt.Errorf("%w: offset 0x%x: chunk %v holds no memory", ErrFormat, ref.at, h.kind)
		}
		if err == nil {
			list, err = decodePieces(data, ref.at+chunkSize)
		}
		if err == nil && len(list) != int(ref.count) {
			err = fmt.Errorf("%w: offset 0x%x: %d pieces of memory; the index says %d", ErrFormat, ref.at, len(list), ref.count)
		}
		if err != nil {
			return nil, err
		}
		t.cache.put(ref.at, list, len(data))
	}
	return list[id-ref.first], nil
}

// Shown returns what the screens showed at the end of frame i, in file order.
// Pictures that are alike may share their bytes.
func (t *Trace) Shown(i int) ([]Shown, error) {
	var all []Shown
	whole := map[int]Shown{} // those that others refer to
	for _, n := range t.frames[i].shown {
		s, of, err := t.picture(n)
		if err == nil && of >= 0 {
			same, ok := whole[of]
			if !ok {
				next := -1
				if of < n {
					same, next, err = t.picture(of)
				}
				if of >= n || next >= 0 {
					err = fmt.Errorf("%w: offset 0x%x: the same as picture %d, which has no rows before it", ErrFormat, t.shown[n], of)
				}
				whole[of] = same
			}
			s.RGB = same.RGB
		}
		if err != nil {
			return nil, err
		}
		if err := s.check(); err != nil {
			return nil, fmt.Errorf("%w: offset 0x%x: %w", ErrFormat, t.shown[n], err)
		}
		all = append(all, s)
	}
	return all, nil
}

// picture reads picture n of the file. Unless of is -1, its rows are those of
// picture of.
func (t *Trace) picture(n int) (s Shown, of int, err error) {
	_, data, err := t.readChunk(t.shown[n])
	if err != nil {
		return Shown{}, -1, err
	}
	if len(data) < 16 {
		return Shown{}, -1, fmt.Errorf("%w: offset 0x%x: a picture of %d bytes", ErrFormat, t.shown[n], len(data))
	}
	le := binary.LittleEndian
	return Shown{Screen: int(le.Uint32(data)), Width: int(le.Uint32(data[4:])), Height: int(le.Uint32(data[8:])), RGB: data[16:]}, int(le.Uint32(data[12:])) - 1, nil
}
