package tree

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
)

// Document is a file as a tree, with the format it was read as.
type Document struct {
	Format string // short name: "ctf", "shbin"
	Size   int64  // of the file
	Root   *Node
}

// Options says how a tree is rendered.
type Options struct {
	// Hex shows the bytes of Data beside each leaf.
	Hex  bool
	Data []byte
}

// hexLine is how many bytes a line of the text form shows, hexBytes how many
// of a leaf are shown in all.
const (
	hexLine  = 16
	hexBytes = 256
)

// bytesOf returns the bytes of a leaf that are in the data.
func (o Options) bytesOf(n *Node) []byte {
	if !o.Hex || n.Children != nil || n.Offset < 0 || n.Size <= 0 || n.Offset+n.Size > int64(len(o.Data)) {
		return nil
	}
	return o.Data[n.Offset : n.Offset+n.Size]
}

// WriteText writes the tree as text: offset and size in hexadecimal, then the
// name, indented by depth, and the value; findings at the end.
func WriteText(w io.Writer, d Document, f Findings, o Options) error {
	b := bufio.NewWriter(w)
	writeText(b, d.Root, 0, o)
	WriteFindings(b, f)
	return b.Flush()
}

// WriteFindings writes findings as text, one a line after a heading; nothing
// if there are none.
func WriteFindings(w io.Writer, f Findings) {
	if len(f) > 0 {
		fmt.Fprintf(w, "findings: %d\n", len(f))
		for _, x := range f {
			fmt.Fprintf(w, "  %v\n", x)
		}
	}
}

func writeText(b *bufio.Writer, n *Node, depth int, o Options) {
	const blank = "                  "
	switch {
	case n.Offset < 0:
		b.WriteString(blank[:17])
	case n.Size == 0:
		fmt.Fprintf(b, "%08x         ", n.Offset)
	default:
		fmt.Fprintf(b, "%08x %-8x", n.Offset, n.Size)
	}
	line := strings.Repeat("  ", depth) + n.Name
	if v := n.display(); v != "" {
		line += ": " + v
	}
	raw := o.bytesOf(n)
	if raw == nil {
		b.WriteString(" " + line + "\n")
	} else {
		fmt.Fprintf(b, " %-56s |", line)
		rest := len(raw) - hexBytes
		for i, x := range raw[:min(len(raw), hexBytes)] {
			if i > 0 && i%hexLine == 0 {
				fmt.Fprintf(b, "\n%08x %8s %-56s |", n.Offset+int64(i), "", "")
			}
			fmt.Fprintf(b, " %02x", x)
		}
		if rest > 0 {
			fmt.Fprintf(b, " ... %d bytes more", rest)
		}
		b.WriteByte('\n')
	}
	if n.Children != nil {
		for c := range n.Children {
			writeText(b, c, depth+1, o)
		}
	}
}

// WriteJSON writes the tree as JSON, one node on a line;
// docs/inspect.schema.json describes it.
func WriteJSON(w io.Writer, d Document, f Findings, o Options) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "{\"format\": %s, \"size\": %d,\n\"tree\": ", quote(d.Format), d.Size)
	writeJSON(b, d.Root, 0, o)
	b.WriteString(",\n\"findings\": [")
	for i, x := range f {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n  {\"level\": " + quote(x.Level.String()))
		if x.Offset >= 0 {
			fmt.Fprintf(b, ", \"offset\": %d", x.Offset)
		}
		b.WriteString(", \"message\": " + quote(x.Message) + "}")
	}
	b.WriteString("]}\n")
	return b.Flush()
}

func writeJSON(b *bufio.Writer, n *Node, depth int, o Options) {
	b.WriteString("{\"name\": " + quote(n.Name))
	if n.Offset >= 0 {
		fmt.Fprintf(b, ", \"offset\": %d, \"size\": %d", n.Offset, n.Size)
	}
	if n.Value != nil {
		b.WriteString(", \"value\": " + jsonValue(n.Value))
	}
	if n.Text != "" {
		b.WriteString(", \"text\": " + quote(n.Text))
	}
	if raw := o.bytesOf(n); raw != nil {
		b.WriteString(", \"bytes\": \"" + hex.EncodeToString(raw[:min(len(raw), hexBytes)]) + "\"")
	}
	if n.Children != nil {
		b.WriteString(", \"children\": [")
		first := true
		for c := range n.Children {
			if !first {
				b.WriteByte(',')
			}
			first = false
			b.WriteByte('\n')
			for range depth + 1 {
				b.WriteByte(' ')
			}
			writeJSON(b, c, depth+1, o)
		}
		b.WriteByte(']')
	}
	b.WriteByte('}')
}

// jsonValue prints a value; numbers that JSON has no form for are strings.
func jsonValue(v any) string {
	switch x := v.(type) {
	case float32:
		return jsonValue(float64(x))
	case float64:
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return quote(fmt.Sprint(x))
		}
	case string:
		return quote(x)
	}
	out, err := json.Marshal(v)
	if err != nil {
		return quote(fmt.Sprint(v))
	}
	return string(out)
}

// quote prints a JSON string; bytes that are not UTF-8 become U+FFFD.
func quote(s string) string {
	out, _ := json.Marshal(s)
	return string(out)
}
