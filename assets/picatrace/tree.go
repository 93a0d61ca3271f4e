package picatrace

import (
	"fmt"
	"iter"
	"strings"

	"pica200/assets/cmdlist"
	"pica200/assets/tree"
	"pica200/internal/plural"
	"pica200/pica"
)

// Tree shows the recording.
func (t *Trace) Tree() *tree.Node {
	m := t.Meta
	var state []*tree.Node
	for _, b := range Blocks() {
		if len(t.Initial[b]) > 0 {
			state = append(state, cmdlist.State(b.String(), tree.NoOffset, t.Initial[b], blockInfo[b].kind))
		}
	}
	frames := &tree.Node{Name: "frames", Offset: tree.NoOffset, Text: plural.Of(t.Frames(), "frame"), Children: frameNodes(t)}
	return tree.Group("", 0, 0, "recording, "+plural.Of(t.Frames(), "frame"),
		tree.Group("header", 0, 16, "", tree.Field("magic", 0, 8, Magic, ""), tree.Field("version", 8, 4, Version, "")),
		tree.Group("description", tree.NoOffset, 0, strings.TrimSpace(m.Producer+" "+m.Version), tree.Field("title", tree.NoOffset, 0, m.Title, m.Title),
			tree.Field("fcram", tree.NoOffset, 0, m.FCRAM, ""), tree.Field("comment", tree.NoOffset, 0, m.Comment, m.Comment)),
		tree.Group("state", tree.NoOffset, 0, "", state...), frames)
}

// Check reads every frame, so that all checksums are compared.
func (t *Trace) Check() tree.Findings {
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
			if e := &f.Events[j]; e.Kind == List || e.Kind == Write && e.Words[0] == pica.ExtCommandListStart {
				draws++
			}
		}
	}
	if draws == 0 {
		found.Problemf(tree.NoOffset, "no frame submits a command list: nothing can be drawn; was the recorder's call in its place?")
	}
	return found
}

func frameNodes(t *Trace) iter.Seq[*tree.Node] {
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

func eventNodes(events []Event) iter.Seq[*tree.Node] {
	return func(yield func(*tree.Node) bool) {
		for i := range events {
			if !yield(eventNode(&events[i])) {
				return
			}
		}
	}
}

// eventNode shows an event; below a command, the registers that carry it out.
func eventNode(e *Event) *tree.Node {
	w := e.Words
	n := &tree.Node{Name: e.Kind.String(), Offset: tree.NoOffset, Value: w[0]}
	switch e.Kind {
	case Load:
		n.Text = fmt.Sprintf("0x%x bytes to 0x%08x, piece %d", len(e.Data), w[0], w[1])
		return n
	case Write:
		n = cmdlist.External(w[0], w[2], tree.NoOffset)
		if w[1] != 4 {
			n.Text += fmt.Sprintf(", %d-bit write", 8*w[1])
		}
		return n
	case List:
		n.Text = fmt.Sprintf("at 0x%08x, 0x%x bytes, flags 0x%x", w[0], w[1], w[2])
	}
	n.Children = func(yield func(*tree.Node) bool) {
		for _, r := range e.Writes() {
			if !yield(cmdlist.External(r.Addr, r.Value, tree.NoOffset)) {
				return
			}
		}
	}
	return n
}
