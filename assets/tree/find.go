package tree

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Find returns the node at a path below root: names joined by "/", such as
// "frames/frame 0". Among children with the same name it is the first. A name
// may contain "/". The error says how far the path leads and what is there.
func Find(root *Node, path string) (*Node, error) {
	best := &search{node: root, rest: strings.Trim(path, "/")}
	found := find(root, best.rest, best)
	if found != nil {
		return found, nil
	}
	where := strings.TrimSuffix(strings.TrimSuffix(strings.Trim(path, "/"), best.rest), "/")
	if where == "" {
		where = "the file"
	}
	var names []string
	if best.node.Children != nil {
		for c := range best.node.Children {
			if len(names) == maxNamed {
				names = append(names, "...")
				break
			}
			names = append(names, fmt.Sprintf("%q", c.Name))
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("there is no %q: nothing is below %s", best.rest, where)
	}
	return nil, fmt.Errorf("there is no %q in %s; there are %s", best.rest, where, strings.Join(names, ", "))
}

// maxNamed is how many names an error lists.
const maxNamed = 12

// search is how far a path was followed.
type search struct {
	node *Node
	rest string
}

func find(n *Node, path string, best *search) *Node {
	if path == "" {
		return n
	}
	if len(path) < len(best.rest) {
		best.node, best.rest = n, path
	}
	if n.Children == nil {
		return nil
	}
	for c := range n.Children {
		rest, ok := strings.CutPrefix(path, c.Name)
		if !ok || rest != "" && rest[0] != '/' || c.Name == "" {
			continue
		}
		if found := find(c, strings.TrimPrefix(rest, "/"), best); found != nil {
			return found
		}
	}
	return nil
}

// summaryNodes is how many children of a node a summary shows.
const summaryNodes = 16

// WriteSummary writes the two topmost levels of the tree as text, only the
// beginning of long lists, and how many nodes are below each.
func WriteSummary(w io.Writer, d Document) error {
	b := bufio.NewWriter(w)
	head := d.Root.Name
	if v := d.Root.display(); v != "" {
		head += ": " + v
	}
	fmt.Fprintf(b, "%s, %d bytes\n", head, d.Size)
	summarise(b, d.Root, 1)
	return b.Flush()
}

func summarise(b *bufio.Writer, n *Node, depth int) {
	if n.Children == nil {
		return
	}
	shown, more := 0, 0
	for c := range n.Children {
		if shown == summaryNodes {
			more++
			continue
		}
		shown++
		fmt.Fprintf(b, "%s%s", strings.Repeat("  ", depth), c.Name)
		if v := c.display(); v != "" {
			b.WriteString(": " + v)
		}
		if below := children(c); below > 0 {
			fmt.Fprintf(b, " (%d)", below)
		}
		b.WriteByte('\n')
		if depth < 2 {
			summarise(b, c, depth+1)
		}
	}
	if more > 0 {
		fmt.Fprintf(b, "%s... %d more\n", strings.Repeat("  ", depth), more)
	}
}

// children counts those of a node.
func children(n *Node) (count int) {
	if n.Children != nil {
		for range n.Children {
			count++
		}
	}
	return count
}
