package geometry

import "pica200/shaderunit"

// lanesPerBatch is the number of vertices that are shaded at a time.
const lanesPerBatch = 64

// row is one component of a register, for every vertex of the batch.
type row [lanesPerBatch]float32

// batch runs the vertex shader over a batch of vertices, one at a time in the
// interpreter.
type batch struct {
	in, out [16][4]row
	it      shaderunit.Interpreter
}

func newBatch() *batch { return new(batch) }

// In and Out are component c of an input and of an output register.
func (b *batch) In(reg, c int) *row  { return &b.in[reg][c] }
func (b *batch) Out(reg, c int) *row { return &b.out[reg][c] }

// Run shades the first n vertices.
func (b *batch) Run(s *shaderunit.Setup, n int) error {
	for i := range n {
		for r := range b.in {
			for c := range 4 {
				b.it.In[r][c] = b.in[r][c][i]
			}
		}
		if err := b.it.Run(s); err != nil {
			return err
		}
		o := b.it.Out()
		for r := range o {
			for c := range 4 {
				b.out[r][c][i] = o[r][c]
			}
		}
	}
	return nil
}
