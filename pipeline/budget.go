package pipeline

import (
	"fmt"

	"pica200/pica"
)

// A few bytes can ask for endless work: a list that jumps to itself, a recording that
// fills all memory again and again. So what one frame of a recording asks for is
// limited, and without a Player, what one call does. The limits are far from what a
// console does in a frame: seconds of its time.

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

// costLimits says how much of each there may be.
var costLimits = [costs]struct {
	what string
	most uint64
}{
	costBytes:    {"bytes loaded, filled, copied and transferred", 1 << 33},
	costWords:    {"words of command lists", 1 << 28},
	costDraws:    {"draws", 1 << 20},
	costVertices: {"vertices", 1 << 25},                                  // two seconds of the console's greatest rate
	costPixels:   {"pixels in the rectangles around triangles", 1 << 32}, // four or more
}

// costOfLine is what a line of a texture copy costs besides its bytes.
const costOfLine = 64

// budget is what was spent.
type budget struct {
	spent [costs]uint64
	frame bool // in a frame that a Player plays; otherwise in a call
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
	return fmt.Errorf("more than %d %s in %s, which no program means: %w", limit.most, limit.what, in, pica.ErrHang)
}

// begin begins a call that works: it may spend anew what a call may, if it is not
// part of a frame or a hook's.
func (g *GPU) begin() {
	if !g.budget.frame && !g.scratch.running {
		g.budget = budget{}
	}
}
