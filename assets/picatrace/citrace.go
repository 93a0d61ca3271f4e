package picatrace

import (
	"fmt"
	"io"
	"math"
	"slices"

	"pica200/assets/citrace"
	"pica200/pica"
)

// ciBlocks maps the blocks of a CiTrace's state to those of this format.
var ciBlocks = [citrace.NumBlocks]Block{
	citrace.GPURegisters:      ExternalRegisters,
	citrace.LCDRegisters:      ScreenRegisters,
	citrace.PICARegisters:     InternalRegisters,
	citrace.DefaultAttributes: FixedAttributes,
	citrace.VSProgram:         VertexCode,
	citrace.VSSwizzle:         VertexDescriptors,
	citrace.VSFloatUniforms:   VertexUniforms,
	citrace.GSProgram:         GeometryCode,
	citrace.GSSwizzle:         GeometryDescriptors,
	citrace.GSFloatUniforms:   GeometryUniforms,
}

// maxCiTrace is the largest CiTrace there can be: its offsets have 32 bits.
const maxCiTrace = math.MaxUint32

// fromCiTrace reads the CiTrace that begins with head.
func fromCiTrace(r io.ReaderAt, size int64, head []byte) (*Trace, error) {
	if !citrace.Is(head) || size > maxCiTrace {
		return nil, fmt.Errorf("%w: offset 0x0: want the magic %q (a recording) or %q (a CiTrace)", ErrFormat, Magic, citrace.Magic)
	}
	data := make([]byte, size)
	if _, err := r.ReadAt(data, 0); err != nil && err != io.EOF {
		return nil, err
	}
	c, err := citrace.Parse(data)
	if err != nil {
		return nil, err
	}
	return FromCiTrace(c), nil
}

// FromCiTrace converts a CiTrace to a recording. Each memory load and each
// register write becomes an event; loads are not cut at pages. Elements after
// the last frame marker are no whole frame and are dropped with a finding, but
// a CiTrace without markers is one frame.
func FromCiTrace(c *citrace.Trace) *Trace {
	t := &Trace{Initial: State{}, Findings: c.Findings}
	for b, words := range c.Initial {
		to := ciBlocks[b]
		if len(words) > 0 {
			t.Initial[to] = words[:min(len(words), to.Words())]
		}
	}
	var events []Event
	for i := range c.Elements {
		e := &c.Elements[i]
		switch e.Type {
		case citrace.FrameMarker:
			t.frames = append(t.frames, frameRef{loaded: &Frame{Index: len(t.frames), Events: events}})
			events = nil
		case citrace.MemoryLoad:
			if e.Address >= pica.FCRAMBase+pica.FCRAMSize && e.Address < pica.FCRAMBase+2*pica.FCRAMSize {
				t.Meta.FCRAM = 2 * pica.FCRAMSize
			}
			events = append(events, Event{Kind: Load, Words: [7]uint32{e.Address}, Data: c.Payload(*e), Offset: c.ElementOffset(i)})
		case citrace.RegisterWrite:
			w := RegisterWrite(e.Address, e.Width, e.Value)
			w.Offset = c.ElementOffset(i)
			events = append(events, w)
		}
	}
	switch {
	case len(t.frames) == 0:
		t.frames = append(t.frames, frameRef{loaded: &Frame{Index: len(t.frames), Events: events}})
	case len(events) > 0:
		t.Findings.Notef(events[0].Offset, "%d elements after the last frame marker: the recording ends in the middle of a frame, which is left out", len(events))
	}
	return t
}

// CiTrace converts the recording to a CiTrace. lost names what that format
// cannot hold: the description, pictures of the screens, the flag that updates
// the gas density. It has no block for the tables of the fragment stage, so
// these become register writes before the first frame.
func (t *Trace) CiTrace() (b *citrace.Builder, lost []string, err error) {
	b = &citrace.Builder{Layout: citrace.Tagged}
	for to, from := range ciBlocks {
		b.Initial[to] = t.Initial[from]
	}
	lose := func(what string) {
		if slices.Contains(lost, what) {
			return
		}
		lost = append(lost, what)
	}
	if t.Meta != (Meta{FCRAM: t.Meta.FCRAM}) {
		lose("the description (producer, title)")
	}
	if len(t.Initial[Primitives]) > 0 {
		lose("primitives that go on from before the first frame")
	}
	for _, w := range t.tableWrites() {
		b.Write(w.Addr, w.Value)
	}
	direct := true
	for i := range t.Frames() {
		f, err := t.Frame(i)
		if err != nil {
			return nil, nil, err
		}
		for _, e := range f.Events {
			switch e.Kind {
			case Load:
				b.Load(e.Words[0], e.Data)
			case Write:
				direct = direct && e.Words[1] == 4
				b.WriteWidth(e.Words[0], uint8(e.Words[1]), uint64(e.Words[3])<<32|uint64(e.Words[2]))
			default:
				if e.Kind == List && e.Words[2]&ListUpdateGas != 0 {
					lose("the update of the gas density after a command list")
				}
				for _, w := range e.Writes() {
					b.Write(w.Addr, w.Value)
				}
			}
		}
		b.EndFrame()
		if len(t.frames[i].shown) > 0 {
			lose("what the screens showed")
		}
	}
	if direct {
		b.Layout = citrace.Direct
	}
	return b, lost, nil
}

// tableWrites returns register writes, as by the CPU, that upload the tables of
// the state and then restore the registers that they used.
func (t *Trace) tableWrites() []RegWrite {
	var ws []RegWrite
	write := func(reg pica.Reg, value uint32) {
		ws = append(ws, RegWrite{pica.ExtInternal + 4*uint32(reg), value})
	}
	regs := t.Initial[InternalRegisters]
	restore := func(reg pica.Reg) {
		if int(reg) < len(regs) {
			write(reg, regs[reg])
		}
	}
	fill := func(b Block, index, data pica.Reg, at func(i int) uint32) {
		words := t.Initial[b]
		for i, w := range words {
			if i%256 == 0 {
				write(index, at(i))
			}
			write(data, w)
		}
		if len(words) > 0 {
			restore(index)
		}
	}
	fill(LightingTables, pica.RegLightingLutIndex, pica.RegLightingLutData0, func(i int) uint32 { return uint32(i / 256 << 8) })
	fill(FogTable, pica.RegFogLutIndex, pica.RegFogLutData0, func(int) uint32 { return 0 })
	fill(GasTable, pica.RegGasLutIndex, pica.RegGasLutData, func(int) uint32 { return 0 })
	for _, p := range []struct {
		b     Block
		table uint32
	}{{ProctexNoise, 0}, {ProctexRGBMap, 2}, {ProctexAlphaMap, 3}, {ProctexColors, 4}, {ProctexColorDiffs, 5}} {
		fill(p.b, pica.RegProctexLut, pica.RegProctexLutData0, func(int) uint32 { return p.table << 8 })
	}
	return ws
}
