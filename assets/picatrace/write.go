package picatrace

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// Meta says who recorded what. All fields may be empty.
type Meta struct {
	Producer string // the program that recorded: "Panda3DS"
	Version  string // of that program
	Title    string // what was recorded: a game's name or title ID
	FCRAM    uint32 // bytes of main memory, 0 for a 3DS's 128 MiB
	Comment  string
}

// lines returns the fields with their names in the file.
func (m *Meta) lines() []struct{ key, value string } {
	fcram := ""
	if m.FCRAM != 0 {
		fcram = fmt.Sprint(m.FCRAM)
	}
	return []struct{ key, value string }{
		{"producer", m.Producer}, {"version", m.Version}, {"title", m.Title}, {"fcram", fcram}, {"comment", m.Comment},
	}
}

func (m *Meta) encode() []byte {
	var b strings.Builder
	for _, l := range m.lines() {
		if l.value != "" {
			fmt.Fprintf(&b, "%s: %s\n", l.key, strings.Join(strings.Fields(l.value), " "))
		}
	}
	return []byte(b.String())
}

// WriterOptions configure a Writer.
type WriterOptions struct {
	// Raw leaves chunks uncompressed: several times as large, but as fast to write
	// as the file system.
	Raw bool
	// Level is the compression level, 0 for zstd's default; see zstd.EncoderLevel.
	Level zstd.EncoderLevel
}

// Writer writes a recording from front to back. Make one with NewWriter. After
// an error every call returns that error.
type Writer struct {
	w       io.Writer
	zstd    *zstd.Encoder // nil: raw
	packed  []byte        // its last output, whose memory the next chunk reuses
	at      uint64        // bytes written
	err     error
	entries []indexEntry

	known    map[[sha256.Size]byte]uint32 // numbers of all pieces so far, by SHA-256 of their contents
	shown    map[[sha256.Size]byte]uint32 // numbers of all whole pictures so far, likewise
	piece    []byte                       // pieces that are not written yet
	pieces   int                          // how many
	events   []byte                       // events of the current frame
	frames   int
	pictures uint32
}

// NewWriter begins a recording that starts from the given state.
func NewWriter(w io.Writer, m Meta, s State, o WriterOptions) (*Writer, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	wr := &Writer{w: w, known: map[[sha256.Size]byte]uint32{}, shown: map[[sha256.Size]byte]uint32{}}
	if !o.Raw {
		level := o.Level
		if level == 0 {
			level = zstd.SpeedDefault
		}
		enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(level), zstd.WithEncoderConcurrency(1))
		if err != nil {
			return nil, fmt.Errorf("picatrace: %w", err)
		}
		wr.zstd = enc
	}
	head := make([]byte, headerSize)
	binary.LittleEndian.PutUint32(head[copy(head, Magic):], Version)
	wr.write(head)
	wr.chunk(chunkMeta, m.encode(), 0)
	wr.chunk(chunkState, s.encode(), 0)
	return wr, wr.err
}

func (w *Writer) write(b []byte) {
	if w.err != nil {
		return
	}
	n, err := w.w.Write(b)
	w.at += uint64(n)
	if err != nil {
		w.err = fmt.Errorf("picatrace: %w", err)
	}
}

// chunk writes a chunk and records it for the index.
func (w *Writer) chunk(kind chunkType, data []byte, count uint32) {
	if len(data) > maxChunk && w.err == nil {
		w.err = fmt.Errorf("picatrace: a chunk %v of %d bytes; %d are possible", kind, len(data), maxChunk)
	}
	h := chunkHeader{kind: kind, codec: codecRaw, unpacked: uint64(len(data))}
	stored := data
	if w.zstd != nil {
		w.packed = w.zstd.EncodeAll(data, w.packed[:0])
		if len(w.packed) < len(data) {
			stored, h.codec = w.packed, codecZstd
		}
	}
	h.stored, h.sum = uint64(len(stored)), hashOf(stored)[0]
	w.entries = append(w.entries, indexEntry{kind: kind, at: w.at, count: count})
	w.write(h.append(make([]byte, 0, chunkSize)))
	w.write(stored)
}

// Load records that memory from a physical address on now holds data.
func (w *Writer) Load(addr uint32, data []byte) error {
	if uint64(addr)+uint64(len(data)) > 1<<32 && w.err == nil {
		w.err = fmt.Errorf("picatrace: %d bytes of memory at 0x%08X end beyond the address space", len(data), addr)
	}
	for len(data) > 0 && w.err == nil {
		n := min(len(data), PageSize-int(addr%PageSize))
		w.add(&Event{Kind: Load, Words: [7]uint32{addr, w.number(data[:n])}})
		addr, data = addr+uint32(n), data[n:]
	}
	return w.err
}

// number returns the number of a piece with these contents, which it stores if
// they are new. It compares by SHA-256: collisions of the format's own hash are
// easy to make, and a recording holds memory of unknown programs.
func (w *Writer) number(data []byte) uint32 {
	name := sha256.Sum256(data)
	if id, ok := w.known[name]; ok {
		return id
	}
	if w.pieces == maxPieces {
		w.flushPieces()
	}
	le := binary.LittleEndian
	h := hashOf(data)
	w.piece = le.AppendUint64(le.AppendUint64(w.piece, h[0]), h[1])
	w.piece = le.AppendUint64(w.piece, uint64(len(data)))
	w.piece = append(w.piece, data...)
	w.pieces++
	id := uint32(len(w.known))
	w.known[name] = id
	return id
}

func (w *Writer) flushPieces() {
	if w.pieces > 0 {
		w.chunk(chunkPieces, w.piece, uint32(w.pieces))
		w.piece, w.pieces = w.piece[:0], 0
	}
}

// Add adds an event to the frame. A Load needs its Data.
func (w *Writer) Add(e Event) error {
	if w.err != nil {
		return w.err
	}
	if e.Kind == Load {
		return w.Load(e.Words[0], e.Data)
	}
	if err := e.Check(); err != nil {
		return fmt.Errorf("picatrace: %w", err)
	}
	w.add(&e)
	return w.err
}

func (w *Writer) add(e *Event) {
	if len(w.events) == maxEvents*eventSize {
		w.err = cmp.Or(w.err, fmt.Errorf("picatrace: frame %d has more than %d events", w.frames, maxEvents))
		return
	}
	w.events = e.append(w.events)
}

// EndFrame ends the frame and writes it.
func (w *Writer) EndFrame() error {
	w.flushPieces()
	w.chunk(chunkFrame, w.events, uint32(len(w.events)/eventSize))
	w.events = w.events[:0]
	w.frames++
	return w.err
}

// CopyFrame writes frame i of another recording as the next frame, with the
// pictures of its end.
func (w *Writer) CopyFrame(t *Trace, i int) error {
	f, err := t.Frame(i)
	if err != nil {
		return err
	}
	for _, e := range f.Events {
		if err := w.Add(e); err != nil {
			return err
		}
	}
	if err := w.EndFrame(); err != nil {
		return err
	}
	shown, err := t.Shown(i)
	if err != nil {
		return err
	}
	for _, s := range shown {
		if err := w.Shown(s); err != nil {
			return err
		}
	}
	return nil
}

// Shown is what a screen showed at the end of a frame.
type Shown struct {
	Screen        int // 0 top, 1 top for the right eye, 2 bottom
	Width, Height int // pixels, as one looks at the screen
	RGB           []byte
}

// Shown stores what a screen showed at the end of the last frame, so that a
// replay can be compared with it. Pictures of the same bytes are stored once.
func (w *Writer) Shown(s Shown) error {
	if err := s.check(); err != nil {
		return fmt.Errorf("picatrace: %w", err)
	}
	le := binary.LittleEndian
	data := le.AppendUint32(nil, uint32(s.Screen))
	data = le.AppendUint32(data, uint32(s.Width))
	data = le.AppendUint32(data, uint32(s.Height))
	name := sha256.Sum256(s.RGB)
	if n, ok := w.shown[name]; ok {
		data = le.AppendUint32(data, n+1)
	} else {
		w.shown[name] = w.pictures
		data = append(le.AppendUint32(data, 0), s.RGB...)
	}
	w.pictures++
	w.chunk(chunkShown, data, uint32(s.Screen))
	return w.err
}

func (s *Shown) check() error {
	switch {
	case s.Screen < 0 || s.Screen > 2:
		return fmt.Errorf("a picture of screen %d; 0 to 2 are possible", s.Screen)
	case s.Width < 1 || s.Height < 1 || s.Width > 4096 || s.Height > 4096:
		return fmt.Errorf("a picture of %dx%d pixels; sides of 1 to 4096 are possible", s.Width, s.Height)
	case len(s.RGB) != 3*s.Width*s.Height:
		return fmt.Errorf("a picture of %dx%d pixels has %d bytes, not %d", s.Width, s.Height, len(s.RGB), 3*s.Width*s.Height)
	}
	return nil
}

// Close writes remaining events as a last frame, and the index. It does not
// close the io.Writer.
func (w *Writer) Close() error {
	if len(w.events) > 0 {
		w.EndFrame()
	}
	start := w.at
	entries := slices.Clone(w.entries)
	data := make([]byte, 0, len(entries)*indexSize)
	for _, e := range entries {
		data = e.append(data)
	}
	w.chunk(chunkIndex, data, uint32(len(entries)))
	w.write(append(binary.LittleEndian.AppendUint64(nil, start), trailerMagic...))
	if w.zstd != nil {
		w.zstd.Close()
	}
	err := w.err
	if err == nil {
		w.err = fmt.Errorf("picatrace: the recording is closed")
	}
	return err
}
