package session

import (
	"image"
	"time"

	"pica200/pipeline"
	"pica200/replay/drawstate"
)

// DrawList is what a frame draws. What the lists hold is of each draw, in order.
type DrawList struct {
	Draws   []pipeline.DrawRecord
	Shaders []string        // what a scene calls its programs; "" where that is not known
	Took    []time.Duration // what it took here
	Thumbs  [][]*image.RGBA // of its textures, as Draws has them; nil of what cannot be read
}

// follow sets hooks that fill the list with what is drawn from now on.
func (l *DrawList) follow(g *pipeline.GPU, frame int, now func() time.Time) {
	if now == nil {
		now = time.Now
	}
	l.Draws = []pipeline.DrawRecord{}
	pipeline.ListDraws(g, frame, &l.Draws)
	before, after, was := g.BeforeDraw, g.AfterDraw, g.Hooks
	var thumbs drawstate.Thumbs
	var start time.Time
	g.BeforeDraw = func(d *pipeline.DrawInfo) error {
		err := before(d)
		if n := len(l.Draws); n > 1 && l.Draws[n-1].Pass != l.Draws[n-2].Pass {
			thumbs.Forget() // what was drawn may be a texture
		}
		l.Shaders, l.Took, l.Thumbs = append(l.Shaders, ""), append(l.Took, 0), append(l.Thumbs, thumbs.Of(g, d.Regs))
		start = now()
		return err
	}
	g.AfterDraw = func(d *pipeline.DrawInfo) error {
		l.Took[len(l.Took)-1] = now().Sub(start)
		return after(d)
	}
	g.BeforeLoad = func(addr uint32, n int) {
		if thumbs.Forget(); was.BeforeLoad != nil {
			was.BeforeLoad(addr, n)
		}
	}
	g.AfterMove = func() error {
		if thumbs.Forget(); was.AfterMove != nil {
			return was.AfterMove()
		}
		return nil
	}
}
