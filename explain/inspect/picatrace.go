package inspect

import (
	"fmt"
	"iter"
	"strings"

	"pica200/assets/picatrace"
	"pica200/assets/tree"
	"pica200/internal/plural"
	"pica200/pica"
)

func openPicatrace(data []byte) (*tree.Node, func() tree.Findings, error) {
	t, err := picatrace.Parse(data)
	if err != nil {
		return nil, nil, err
	}
	m := t.Meta
	var state []*tree.Node
	for _, b := range picatrace.Blocks() {
		if len(t.Initial[b]) > 0 {
			state = append(state, stateNode(b, t.Initial[b]))
		}
	}
	frames := &tree.Node{Name: "frames", Offset: tree.NoOffset, Text: plural.Of(t.Frames(), "frame"), Children: frameNodes(t)}
	root := tree.Group("", 0, 0, "recording, "+plural.Of(t.Frames(), "frame"),
		tree.Group("header", 0, 16, "", tree.Field("magic", 0, 8, picatrace.Magic, ""), tree.Field("version", 8, 4, picatrace.Version, "")),
		tree.Group("description", tree.NoOffset, 0, strings.TrimSpace(m.Producer+" "+m.Version), tree.Field("title", tree.NoOffset, 0, m.Title, m.Title),
			tree.Field("fcram", tree.NoOffset, 0, m.FCRAM, ""), tree.Field("comment", tree.NoOffset, 0, m.Comment, m.Comment)),
		tree.Group("state", tree.NoOffset, 0, "", state...), frames)
	return root, func() tree.Findings { return checkPicatrace(t) }, nil
}

// checkPicatrace reads every frame, so that all checksums are compared.
func checkPicatrace(t *picatrace.Trace) tree.Findings {
	found := t.Findings
	draws := 0
	for i := range t.Frames() {
		f, err := t.Frame(i)
		if err == nil {
			_, err = t.Shown(i)
		}
		if err != nil {
			found.Problemf(tree.NoOffset, "%v", err)
			continue
		}
		for j := range f.Events {
			if e := &f.Events[j]; e.Kind == picatrace.List || e.Kind == picatrace.Write && e.Words[0] == pica.ExtCommandListStart {
				draws++
			}
		}
	}
	if draws == 0 {
		found.Problemf(tree.NoOffset, "no frame submits a command list: nothing can be drawn; was the recorder's call in its place?")
	}
	return found
}

// stateNode shows a block of the state without the words that are 0.
func stateNode(b picatrace.Block, words []uint32) *tree.Node {
	n := &tree.Node{Name: b.String(), Offset: tree.NoOffset, Text: fmt.Sprintf("%d words, those that are not 0:", len(words))}
	n.Children = func(yield func(*tree.Node) bool) {
		for i, w := range words {
			if w == 0 {
				continue
			}
			var c *tree.Node
			switch b {
			case picatrace.InternalRegisters:
				c = registerNode(pica.Reg(i), w, 0xFFFFFFFF, tree.NoOffset)
			case picatrace.ExternalRegisters:
				c = externalNode(pica.ExtHardwareID+4*uint32(i), w, tree.NoOffset)
			case picatrace.ScreenRegisters:
				c = externalNode(0x10202000+4*uint32(i), w, tree.NoOffset)
			case picatrace.FixedAttributes, picatrace.VertexUniforms, picatrace.GeometryUniforms:
				name := "c"
				if b == picatrace.FixedAttributes {
					name = "v"
				}
				c = tree.Fieldf(fmt.Sprintf("%s%d.%c", name, i/4, "xyzw"[i%4]), tree.NoOffset, 0, w, "0x%08x = %g", w, pica.TypeFloat24.Decode(w&0xFFFFFF, 24))
			default:
				c = tree.Fieldf(fmt.Sprintf("word 0x%03x", i), tree.NoOffset, 0, w, "0x%08x", w)
			}
			if !yield(c) {
				return
			}
		}
	}
	return n
}

func frameNodes(t *picatrace.Trace) iter.Seq[*tree.Node] {
	return func(yield func(*tree.Node) bool) {
		for i := range t.Frames() {
			n := &tree.Node{Name: fmt.Sprintf("frame %d", i), Offset: tree.NoOffset}
			f, err := t.Frame(i)
			if err != nil {
				n.Text = err.Error()
			} else {
				n.Offset, n.Text, n.Children = f.Offset, plural.Of(len(f.Events), "event"), eventNodes(f.Events)
			}
			if !yield(n) {
				return
			}
		}
	}
}

func eventNodes(events []picatrace.Event) iter.Seq[*tree.Node] {
	return func(yield func(*tree.Node) bool) {
		for i := range events {
			if !yield(eventNode(&events[i])) {
				return
			}
		}
	}
}

// eventNode shows an event; below a command, the registers that carry it out.
func eventNode(e *picatrace.Event) *tree.Node {
	w := e.Words
	n := &tree.Node{Name: e.Kind.String(), Offset: tree.NoOffset, Value: w[0]}
	switch e.Kind {
	case picatrace.Load:
		n.Text = fmt.Sprintf("0x%x bytes to 0x%08x, piece %d", len(e.Data), w[0], w[1])
		return n
	case picatrace.Write:
		n = externalNode(w[0], w[2], tree.NoOffset)
		if w[1] != 4 {
			n.Text += fmt.Sprintf(", %d-bit write", 8*w[1])
		}
		return n
	case picatrace.List:
		n.Text = fmt.Sprintf("at 0x%08x, 0x%x bytes, flags 0x%x", w[0], w[1], w[2])
	}
	n.Children = func(yield func(*tree.Node) bool) {
		for _, r := range e.Writes() {
			if !yield(externalNode(r.Addr, r.Value, tree.NoOffset)) {
				return
			}
		}
	}
	return n
}
