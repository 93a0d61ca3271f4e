package states

import (
	"fmt"
	"slices"

	"pica200/assets/citrace"
)

// Changes names what Redraw can change.
func Changes() (names []string) {
	for i := range changes {
		names = append(names, changes[i].name)
	}
	return names
}

// Redraw gives three traces that are to be played one after the other: one that
// sets everything up and draws, then either one that changes something and
// draws again, or one that draws again without the change.
func Redraw(name string, seed uint64) (first, changed, again []byte) {
	at := slices.IndexFunc(changes, func(c change) bool { return c.name == name })
	encode := func(b *citrace.Builder) []byte {
		data, err := b.Encode()
		if err != nil {
			panic(fmt.Sprintf("%s, seed %d: %v", name, seed, err))
		}
		return data
	}
	// Made twice up to the change, since a generator cannot be copied.
	for _, with := range []bool{true, false} {
		g := newGenerator(seed)
		g.definite, g.many = true, seed%3 == 0
		g.trace.Load(textureBase, g.texels)
		g.newTarget()
		g.everything()
		g.drawAll()
		g.endList()
		first = encode(&g.trace)
		g.trace = citrace.Builder{Layout: citrace.Tagged}
		if with {
			changes[at].make(g)
		}
		g.drawAll()
		g.endList()
		if with {
			changed = encode(&g.trace)
		} else {
			again = encode(&g.trace)
		}
	}
	return first, changed, again
}

// drawAll draws with a new start of the primitives, so that nothing of an
// earlier draw is left.
func (g *generator) drawAll() {
	g.always = true
	g.draw()
	g.always = false
}
