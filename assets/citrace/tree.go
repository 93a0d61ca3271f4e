package citrace

import (
	"fmt"
	"iter"

	"pica200/assets/cmdlist"
	"pica200/assets/tree"
	"pica200/internal/plural"
)

// Tree shows a parsed trace.
func (t *Trace) Tree() *tree.Node {
	var initial []*tree.Node
	for b := range NumBlocks {
		if t.Initial[b] != nil {
			initial = append(initial, cmdlist.State(b.String(), int64(t.Ranges[b].Offset), t.Initial[b], blocks[b].kind))
		}
	}
	stream := &tree.Node{
		Name: "stream", Offset: int64(t.StreamOffset), Size: int64(len(t.Elements)) * ElementSize,
		Text:     fmt.Sprintf("%s, %s, register writes %s", plural.Of(len(t.Elements), "element"), plural.Of(t.Frames(), "frame"), t.Layout),
		Children: t.streamNodes(),
	}
	return tree.Group("", 0, 0, "CiTrace recording, "+plural.Of(t.Frames(), "frame"),
		header.Node("header", 0, "", t),
		tree.Group("initial state", tree.NoOffset, 0, "", initial...), stream)
}

// maxListWords, together with the file's size, bounds the words of command
// lists that are decoded for a file. Loads may share bytes, so lists can be far
// longer than the file.
const maxListWords = 2 << 20

func (t *Trace) streamNodes() iter.Seq[*tree.Node] {
	return func(yield func(*tree.Node) bool) {
		lists := newListFinder(t)
		frame := 0
		for i := range t.Elements {
			e := &t.Elements[i]
			at := t.ElementOffset(i)
			n := &tree.Node{Offset: at, Size: ElementSize}
			switch e.Type {
			case FrameMarker:
				n.Name, n.Value, n.Text = "frame marker", frame, fmt.Sprintf("end of frame %d", frame)
				frame++
			case MemoryLoad:
				n.Name, n.Value = "memory load", e.Address
				n.Text = fmt.Sprintf("0x%x bytes to 0x%08x from file offset 0x%x", e.Size, e.Address, e.Offset)
			case RegisterWrite:
				n = cmdlist.External(e.Address, uint32(e.Value), at)
				n.Size = ElementSize
				if e.Width != 4 {
					n.Text += fmt.Sprintf(", %d-bit write", 8*e.Width)
				}
				if e.Width == 8 {
					n.Text = fmt.Sprintf("0x%016x, 64-bit write", e.Value)
				}
				if l, ok := lists.write(i); ok {
					n = listNode(n, l)
				}
			}
			if !yield(n) {
				return
			}
		}
	}
}

// listNode adds the commands that a write starts below its node.
func listNode(n *tree.Node, l list) *tree.Node {
	for _, s := range []string{l.problem, l.note} {
		if s != "" {
			n.Text += "; " + s
		}
	}
	n.Children = func(yield func(*tree.Node) bool) {
		for _, p := range l.pieces {
			text := fmt.Sprintf("at 0x%08x, 0x%x bytes", p.addr, 4*len(p.words))
			if !yield(&tree.Node{Name: "command list", Offset: tree.NoOffset, Text: text, Children: cmdlist.Commands(p.words, tree.NoOffset)}) {
				return
			}
		}
	}
	return n
}

// Check returns the findings of Parse, and what is wrong with command lists.
func (t *Trace) Check() tree.Findings {
	out := append(tree.Findings(nil), t.Findings...)
	lists := newListFinder(t)
	for i := range t.Elements {
		l, ok := lists.write(i)
		if !ok {
			continue
		}
		at := t.ElementOffset(i)
		if l.problem != "" {
			out.Problemf(at, "%s", l.problem)
		}
		if l.note != "" {
			out.Notef(at, "%s", l.note)
		}
		for _, p := range l.pieces {
			for _, f := range cmdlist.Check(p.words) {
				out = append(out, tree.Finding{Level: f.Level, Offset: at, Message: fmt.Sprintf("command list at 0x%08x, byte 0x%x: %s", p.addr, f.Offset, f.Message)})
			}
		}
		if len(out) > maxFindings {
			out.Notef(at, "and so on: no more than about %d findings are listed", maxFindings)
			break
		}
	}
	out.Sort()
	return out
}

// maxFindings bounds the findings of Check.
const maxFindings = 1000
