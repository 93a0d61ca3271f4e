package inspect

import (
	"fmt"
	"iter"

	"pica200/assets/citrace"
	"pica200/assets/tree"
	"pica200/internal/plural"
	"pica200/pica"
)

func isCTF(data []byte) bool { return citrace.Is(data) }

func openCTF(data []byte) (*tree.Node, func() tree.Findings, error) {
	t, err := citrace.Parse(data)
	if err != nil {
		return nil, nil, err
	}
	le := wordsOf(data[:citrace.HeaderSize])
	header := []*tree.Node{
		tree.Field("magic", 0, 4, citrace.Magic, ""),
		tree.Fieldf("version", 4, 4, le[1], "%d", le[1]),
		tree.Fieldf("header_size", 8, 4, le[2], "%d", le[2]),
	}
	for b := range citrace.NumBlocks {
		at := 12 + 8*int64(b)
		p := t.Places[b]
		header = append(header,
			tree.Field(b.String(), at, 4, p.Offset, ""),
			tree.Fieldf(b.String()+"_size", at+4, 4, p.Size, "%d", p.Size))
	}
	at := 12 + 8*int64(citrace.NumBlocks)
	header = append(header, tree.Field("stream_offset", at, 4, t.StreamOffset, ""), tree.Fieldf("stream_size", at+4, 4, t.StreamSize, "%d", t.StreamSize))

	var initial []*tree.Node
	for b := range citrace.NumBlocks {
		if t.Initial[b] != nil {
			initial = append(initial, blockNode(t, b))
		}
	}
	stream := &tree.Node{
		Name: "stream", Offset: int64(t.StreamOffset), Size: int64(len(t.Elements)) * citrace.ElementSize,
		Text:     fmt.Sprintf("%s, %s, register writes %s", plural.Of(len(t.Elements), "element"), plural.Of(t.Frames(), "frame"), t.Layout),
		Children: streamNodes(t, len(data)),
	}
	root := tree.Group("", 0, 0, "CiTrace recording, "+plural.Of(t.Frames(), "frame"),
		tree.Group("header", 0, int64(citrace.HeaderSize), "", header...),
		tree.Group("initial state", tree.NoOffset, 0, "", initial...), stream)
	return root, func() tree.Findings { return checkCTF(t, len(data)) }, nil
}

// blockNode shows a block of initial state without words that are 0: recorders'
// blocks are mostly empty.
func blockNode(t *citrace.Trace, b citrace.Block) *tree.Node {
	words := t.Initial[b]
	at := int64(t.Places[b].Offset)
	n := &tree.Node{Name: b.String(), Offset: at, Size: 4 * int64(len(words)), Text: fmt.Sprintf("%d words, those that are not 0:", len(words))}
	n.Children = func(yield func(*tree.Node) bool) {
		for i, w := range words {
			if w == 0 {
				continue
			}
			place := at + 4*int64(i)
			var c *tree.Node
			switch b {
			case citrace.PICARegisters:
				c = registerNode(pica.Reg(i), w, 0xFFFFFFFF, place)
			case citrace.GPURegisters:
				c = externalNode(0x10400000+4*uint32(i), w, place)
			case citrace.LCDRegisters:
				c = externalNode(0x10202000+4*uint32(i), w, place)
			case citrace.DefaultAttributes, citrace.VSFloatUniforms, citrace.GSFloatUniforms:
				name := "c"
				if b == citrace.DefaultAttributes {
					name = "v"
				}
				c = tree.Fieldf(fmt.Sprintf("%s%d.%c", name, i/4, "xyzw"[i%4]), place, 4, w, "0x%08x = %g", w, pica.TypeFloat24.Decode(w&0xFFFFFF, 24))
			default:
				c = tree.Fieldf(fmt.Sprintf("word 0x%03x", i), place, 4, w, "0x%08x", w)
			}
			if !yield(c) {
				return
			}
		}
	}
	return n
}

// maxListWords, together with the file's size, bounds the words of command
// lists that are decoded for a file. Loads may share bytes, so lists can be far
// longer than the file.
const maxListWords = 2 << 20

func streamNodes(t *citrace.Trace, fileSize int) iter.Seq[*tree.Node] {
	return func(yield func(*tree.Node) bool) {
		lists := newListFinder(t, fileSize)
		frame := 0
		for i := range t.Elements {
			e := &t.Elements[i]
			at := t.ElementOffset(i)
			n := &tree.Node{Offset: at, Size: citrace.ElementSize}
			switch e.Type {
			case citrace.FrameMarker:
				n.Name, n.Value, n.Text = "frame marker", frame, fmt.Sprintf("end of frame %d", frame)
				frame++
			case citrace.MemoryLoad:
				n.Name, n.Value = "memory load", e.Address
				n.Text = fmt.Sprintf("0x%x bytes to 0x%08x from file offset 0x%x", e.Size, e.Address, e.Offset)
			case citrace.RegisterWrite:
				n = externalNode(e.Address, uint32(e.Value), at)
				n.Size = citrace.ElementSize
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
			if !yield(&tree.Node{Name: "command list", Offset: tree.NoOffset, Text: text, Children: commandNodes(p.words, tree.NoOffset)}) {
				return
			}
		}
	}
	return n
}

func checkCTF(t *citrace.Trace, fileSize int) tree.Findings {
	out := append(tree.Findings(nil), t.Findings...)
	lists := newListFinder(t, fileSize)
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
			for _, f := range checkCommands(p.words, 0) {
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
