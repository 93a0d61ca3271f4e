package shaderunit

import "fmt"

// Engine runs vertex shaders over batches. It keeps the compiled forms of the
// programs it has seen. An Engine belongs to one goroutine at a time; use one
// per worker.
type Engine struct {
	// MaxSteps bounds the instructions of a run per vertex; 0 means
	// DefaultMaxSteps.
	MaxSteps int

	scalar Interpreter
}

// NewEngine makes an engine.
func NewEngine() *Engine { return new(Engine) }

// VertexError says at which vertex of a batch a program failed.
type VertexError struct {
	Lane int // index in the batch
	Err  error
}

func (e *VertexError) Error() string { return fmt.Sprintf("vertex %d of the batch: %v", e.Lane, e.Err) }

// Unwrap gives the cause, an *ExecError.
func (e *VertexError) Unwrap() error { return e.Err }

// RunVertices runs the program of s over the first n vertices of b. Every
// vertex starts with registers and flags at 0. On an error the outputs are not
// to be used.
func (e *Engine) RunVertices(s *Setup, b *Batch, n int) error {
	if n < 0 || n > Lanes {
		return fmt.Errorf("batch of %d vertices, expected 0 to %d", n, Lanes)
	}
	return e.runScalar(s, b, n)
}

// runScalar runs the interpreter vertex by vertex.
func (e *Engine) runScalar(s *Setup, b *Batch, n int) error {
	it := &e.scalar
	it.MaxSteps = e.MaxSteps
	for lane := range n {
		it.Reset()
		for r := range it.In {
			for c := range it.In[r] {
				it.In[r][c] = b.In(r, c)[lane]
			}
		}
		if err := it.Run(s); err != nil {
			return &VertexError{lane, err}
		}
		out := it.Out()
		for r := range out {
			for c := range out[r] {
				b.Out(r, c)[lane] = out[r][c]
			}
		}
	}
	return nil
}
