package pipeline

import (
	"fmt"

	"pica200/pica"
)

// A few bytes can ask for endless work: a list that jumps to itself, a
// recording that fills all memory again and again. So the work of one frame of
// a recording is limited; without a Player, the work of one call. The limits
// are far above what a console can do in a frame: they are seconds of its time.

// cost is a kind of work that is limited.
type cost uint8

const (
	costBytes cost = iota
	costWords
	costDraws
	costVertices
	costPixels
	costs
)

// costLimits is the limit of each kind of work.
var costLimits = [costs]struct {
	what string
	most uint64
}{
	costBytes:    {"bytes loaded, filled, copied and transferred", 1 << 33},
	costWords:    {"words of command lists", 1 << 28},
	costDraws:    {"draws", 1 << 20},
	costVertices: {"vertices", 1 << 25},                                  // two seconds at the console's greatest rate
	costPixels:   {"pixels in the rectangles around triangles", 1 << 32}, // four or more
}

// costOfLine is the cost of a line of a texture copy, besides its bytes.
const costOfLine = 64

// budget counts the work done so far.
type budget struct {
	spent [costs]uint64
	frame bool // a Player plays a frame, which has one budget; otherwise each call has one
}

// spend counts work before it is done. The error names the limit.
func (g *GPU) spend(c cost, n uint64) error {
	b := &g.budget
	limit := &costLimits[c]
	if b.spent[c] += n; b.spent[c] <= limit.most {
		return nil
	}
	in := "one call"
	if b.frame {
		in = "one frame"
	}
	return fmt.Errorf("more than %d %s in %s, beyond what a program needs: %w", limit.most, limit.what, in, pica.ErrHang)
}

// begin starts a call with a new budget, unless the call is part of a frame or
// comes from a hook.
func (g *GPU) begin() {
	if !g.budget.frame && !g.scratch.running {
		g.budget = budget{}
	}
}
