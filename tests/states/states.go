// Package states generates random but valid GPU work for tests that compare ways to do the same. A seed gives a trace, always the
// same bytes: render targets of all formats and odd sizes, shared memory, textures, lighting, fog, gas, shadow, the procedural
// texture, tests and blending, vertex and geometry programs, all kinds of primitives, and, between draws, loads, fills, transfers,
// copies and command lists written by draws. Every fourth seed draws from memory that it overwrites, every third has many frames,
// and a few use more texture states than are cached.
//
// The package does not depend on package pipeline; the register table of package pica defines what is valid.
package states

import (
	"fmt"
	"math/rand/v2"

	"pica200/assets/citrace"
	"pica200/pica"
)

// FCRAM is the size of main memory, in bytes, that the traces need.
const FCRAM = 1 << 20

// Layout of main memory. Render targets and textures may be anywhere in their parts, so they sometimes share memory.
const (
	listBase    = pica.FCRAMBase
	listEnd     = listBase + 0x40000
	vertexBase  = listEnd
	vertexEnd   = vertexBase + 0x20000
	textureBase = vertexEnd
	textureEnd  = textureBase + 0x30000
	targetBase  = textureEnd
	targetEnd   = pica.FCRAMBase + FCRAM
)

// Make returns the trace of a seed, encoded.
func Make(seed uint64) []byte { return newGenerator(seed).make(seed) }

// MakeTame is Make without things that a scene file cannot express: targets of odd sizes, uniforms that are NaN, command lists
// written by draws.
func MakeTame(seed uint64) []byte {
	g := newGenerator(seed)
	g.tame = true
	return g.make(seed)
}

func (g *generator) make(seed uint64) []byte {
	if !g.tame {
		g.reflexive, g.framed, g.manySamplers = seed%4 == 3, seed%3 == 1, seed%256 == 5
	}
	g.sequence()
	return g.encode(seed)
}

// MakeFailing returns a trace whose last list ends in an error while earlier large draws still run.
func MakeFailing(seed uint64) []byte {
	g := newGenerator(seed)
	g.many, g.definite, g.useVRAM = true, true, seed%4 == 3
	g.trace.Load(textureBase, g.texels)
	g.newTarget()
	g.everything()
	g.visible()
	for range 3 {
		g.drawAll()
	}
	g.list.WriteRun(pica.RegCmdbufSize0, 0, 0, 0)
	g.list.Write(pica.RegCmdbufJump0, 1) // jumps to an address without a list
	g.endList()
	return g.encode(seed)
}

func (g *generator) encode(seed uint64) []byte {
	data, err := g.trace.Encode()
	if err != nil {
		panic(fmt.Sprintf("seed %d: %v", seed, err)) // invalid for the builder
	}
	return data
}

// generator makes one trace.
type generator struct {
	random
	trace citrace.Builder

	list    pica.CommandWriter // being written
	listAt  uint32             // address of the next list
	regs    pica.Regs          // register values for draws
	sent    map[pica.Reg]uint32
	vs, gs  unit
	mesh    mesh
	target  target
	texels  []byte     // source of texture loads
	drawn   int        // draws so far
	frames  int        // frame markers so far
	useVRAM bool       // the targets lie in video memory
	filled  memoryFill // the last one

	tame bool // see MakeTame

	// Options of some seeds of Make:
	reflexive    bool // vertices, indices and textures may lie in the render target
	framed       bool // a frame ends after every other step
	manySamplers bool // hundreds of states of texture units

	// For Redraw:
	definite bool // geometry shaders read nothing left by an earlier run
	always   bool // primitives restart, and fixed attributes are always written
	many     bool // meshes have hundreds of vertices
	guided   bool // an int and a bool uniform move the position
}

func newGenerator(seed uint64) *generator {
	g := &generator{
		random: random{rand.New(rand.NewPCG(seed, 0x9E3779B97F4A7C15))},
		listAt: listBase,
		sent:   map[pica.Reg]uint32{},
		vs:     unit{base: pica.OffsetVsh},
		gs:     unit{base: pica.OffsetGsh},
	}
	g.trace.Layout = citrace.Tagged
	g.texels = noise[g.below(len(noise)-texelBytes):][:texelBytes]
	g.useVRAM = g.chance(0.05)
	return g
}

// random adds helpers to the random number generator.
type random struct{ *rand.Rand }

func (r random) chance(p float64) bool        { return r.Float64() < p }
func (r random) below(n int) int              { return r.IntN(n) }
func (r random) between(lo, hi int) int       { return lo + r.IntN(hi-lo+1) }
func (r random) float(lo, hi float32) float32 { return lo + float32((hi-lo)*r.Float32()) }

// oneOf returns one of the values.
func oneOf[T any](r random, values ...T) T { return values[r.IntN(len(values))] }

// noise is the source of texels: random bytes, with constant stretches.
var noise = func() []byte {
	r := random{rand.New(rand.NewPCG(1, 2))}
	b := make([]byte, 1<<18)
	for i := 0; i < len(b); {
		n := min(r.between(64, 4096), len(b)-i)
		part := b[i : i+n]
		switch r.below(4) {
		case 0:
			v := oneOf(r, byte(0), byte(0xFF), byte(r.Uint32()))
			for k := range part {
				part[k] = v
			}
		case 1: // gradual changes, as in a picture
			for k := range part {
				part[k] = byte(k/4) + byte(i)
			}
		default:
			for k := range part {
				part[k] = byte(r.Uint32())
			}
		}
		i += n
	}
	return b
}()

// texelBytes is the size of a seed's initial textures.
const texelBytes = 0xC000
