package hardware

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"image"
	"slices"

	"pica200/assets/citrace"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/raster"
)

// Program is one picture to be drawn by a console.
type Program struct {
	Name    string // used in file names: letters, digits and -
	About   string // what the picture shows
	width   int    // pixels, multiples of 8
	height  int
	format  pica.ColorFormat
	clearTo uint32 // value of the memory fill that clears the colour buffer

	questions []openQuestion

	build func(b *builder)
}

// openQuestion is a question that a part of the picture answers.
type openQuestion struct {
	ask     string
	rule    string // the feature of docs/accuracy that the answer decides
	area    image.Rectangle
	answers []outcome
	// Tolerance is the allowed difference of a channel, in steps of 255, where the
	// question is not about single steps.
	Tolerance uint8
}

// ask returns a question whose answer must match exactly.
func ask(text, rule string, area image.Rectangle, answers []outcome) openQuestion {
	return openQuestion{ask: text, rule: rule, area: area, answers: answers}
}

// within allows a difference of a few steps.
func (q openQuestion) within(steps uint8) openQuestion {
	q.Tolerance = steps
	return q
}

// outcome is a picture that a console could draw.
type outcome struct {
	text string
	// color returns the pixel at window coordinates; y counts upwards from 0.
	color func(x, y int) [4]uint8
}

// consoleInput is the input for a console: a command list, the data that it refers to,
// and the words of the list that hold addresses.
type consoleInput struct {
	list   []uint32
	data   []byte
	relocs []reloc
}

// reloc is a word of the list that holds an offset in units of 8 bytes, to
// which the address of a buffer must be added.
type reloc struct {
	word   int
	buffer buffer
}

// buffer is a memory area that a program uses.
type buffer uint8

// The buffers of a program.
const (
	dataBuffer  buffer = iota // vertices and textures
	colorBuffer               // the render target
	depthBuffer               // D24S8, initially 0
)

// Addresses of the buffers when a program runs here.
const (
	listAddr  = pica.FCRAMBase + 0x0100_0000
	dataAddr  = pica.FCRAMBase + 0x0200_0000
	colorAddr = pica.VRAMBase
	depthAddr = pica.VRAMBase + 0x10_0000
)

func (b buffer) address() uint32 {
	return [...]uint32{dataAddr, colorAddr, depthAddr}[b]
}

// code builds the program.
func (p *Program) code() *consoleInput {
	b := newBuilder(p)
	p.build(b)
	b.finish()
	return &consoleInput{list: b.w.Words, data: b.data, relocs: b.relocs}
}

// hash identifies a program by its words, its data and the fill value of the
// buffer. A result file contains the hash of the program that ran.
func (p *Program) hash() uint32 {
	c := p.code()
	h := fnv.New32a()
	write := func(v uint32) { _ = binary.Write(h, binary.LittleEndian, v) }
	for _, w := range c.list {
		write(w)
	}
	h.Write(c.data)
	for _, r := range c.relocs {
		write(uint32(r.word)<<2 | uint32(r.buffer))
	}
	write(p.clearTo)
	return h.Sum32()
}

// ColorBytes returns the size of the colour buffer.
func (p *Program) ColorBytes() int { return p.width * p.height * int(p.format.Bytes()) }

// depthBytes returns the size of the depth buffer.
func (p *Program) depthBytes() int { return p.width * p.height * 4 }

// located returns the list with the addresses that the buffers have here.
func (c *consoleInput) located() []byte {
	words := append([]uint32(nil), c.list...)
	for _, r := range c.relocs {
		words[r.word] += r.buffer.address() >> 3
	}
	return (&pica.CommandWriter{Words: words}).Bytes()
}

// Run draws the program and returns the colour buffer as in memory.
func (p *Program) Run(ctx context.Context) ([]byte, error) {
	g := pipeline.New(pipeline.Options{Workers: 1})
	defer g.Close()
	c := p.code()
	list := c.located()
	for _, f := range []pipeline.Fill{
		{Start: colorAddr, End: colorAddr + uint32(p.ColorBytes()), Value: p.clearTo, Bits: p.fillBits()},
		{Start: depthAddr, End: depthAddr + uint32(p.depthBytes()), Bits: 32},
	} {
		if err := g.Fill(ctx, f); err != nil {
			return nil, err
		}
	}
	if err := g.Load(ctx, dataAddr, c.data); err != nil {
		return nil, err
	}
	if err := g.Load(ctx, listAddr, list); err != nil {
		return nil, err
	}
	if err := g.RunList(ctx, listAddr, uint32(len(list))); err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name, err)
	}
	color, err := g.Read(colorAddr, uint32(p.ColorBytes()))
	return slices.Clone(color), err
}

func (p *Program) fillBits() uint8 {
	if p.format.Bytes() == 2 {
		return 16
	}
	return 32
}

// trace returns the program as a recording of one frame, for all tools that
// read recordings.
func (p *Program) trace() ([]byte, error) {
	c := p.code()
	var b citrace.Builder
	fill := func(start, bytes, value, control uint32) {
		b.Write(0x10400010, start>>3)
		b.Write(0x10400014, (start+bytes)>>3)
		b.Write(0x10400018, value)
		b.Write(0x1040001C, 1|control<<8)
	}
	fill(colorAddr, uint32(p.ColorBytes()), p.clearTo, uint32(p.fillBits())/8-2)
	fill(depthAddr, uint32(p.depthBytes()), 0, 2)
	list := c.located()
	b.Load(dataAddr, c.data)
	b.Load(listAddr, list)
	b.Write(0x104018E0, uint32(len(list))>>3)
	b.Write(0x104018E8, listAddr>>3)
	b.Write(0x104018F0, 1)
	b.EndFrame()
	return b.Encode()
}

// picture returns a colour buffer as an image with row 0 at the top.
func (p *Program) picture(buffer []byte) (*image.NRGBA, error) {
	if len(buffer) != p.ColorBytes() {
		return nil, fmt.Errorf("%s: %d bytes instead of %d", p.Name, len(buffer), p.ColorBytes())
	}
	return pipeline.ColorImage(&raster.Target{
		Width: int32(p.width), Height: int32(p.height), ColorFormat: p.format, Color: buffer,
	})
}

// Find returns the program with a name, or nil.
func Find(name string) *Program {
	for i := range Programs {
		if Programs[i].Name == name {
			return &Programs[i]
		}
	}
	return nil
}
