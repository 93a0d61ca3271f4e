package yamldoc

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"

	"pica200/internal/lazy"
)

// Line is a value that Block writes on one line.
type Line struct{ Value any }

// Block writes a mapping with a line for each key. Mappings and lists of mappings in it go
// to lines of their own below their keys, unless they are a Line; other values stay on the
// key's line.
func Block(m yaml.MapSlice) string {
	var b strings.Builder
	writeBlock(&b, m, "", "")
	return b.String()
}

// writeBlock writes the keys of a mapping; first is the beginning of the first line.
func writeBlock(b *strings.Builder, m yaml.MapSlice, first, indent string) {
	for _, item := range m {
		key := fmt.Sprint(item.Key)
		if !isPlain(key) {
			key = strconv.Quote(key)
		}
		b.WriteString(first + key + ":")
		first = indent
		if below, ok := item.Value.(yaml.MapSlice); ok && len(below) > 0 {
			b.WriteByte('\n')
			writeBlock(b, below, indent+"  ", indent+"  ")
		} else if list, ok := item.Value.([]any); ok && isBlock(list) {
			b.WriteByte('\n')
			for _, v := range list {
				if m, ok := v.(yaml.MapSlice); ok && len(m) > 0 {
					writeBlock(b, m, indent+"  - ", indent+"    ")
				} else {
					b.WriteString(indent + "  - " + Flow(v) + "\n")
				}
			}
		} else {
			b.WriteString(" " + Flow(item.Value) + "\n")
		}
	}
}

// isBlock reports whether a list has a line for each item.
func isBlock(list []any) bool {
	for _, v := range list {
		switch v.(type) {
		case yaml.MapSlice, Line:
			return true
		}
	}
	return false
}

// Flow writes a value (a scalar, []any, yaml.MapSlice or Line) in flow style, on one line.
func Flow(v any) string {
	switch x := v.(type) {
	case Line:
		return Flow(x.Value)
	case yaml.MapSlice:
		var parts []string
		for _, item := range x {
			parts = append(parts, scalarText(item.Key)+": "+Flow(item.Value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []any:
		var parts []string
		for _, item := range x {
			parts = append(parts, Flow(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return scalarText(v)
}

// plain matches texts that need no quotes; those with brackets do in flow style.
var plain = lazy.Regexp(`^[A-Za-z_][A-Za-z0-9_./ -]*(\[[0-9]\])?[A-Za-z0-9_./-]*$`)

func scalarText(v any) string {
	switch x := v.(type) {
	case nil:
		return "null"
	case string:
		if isPlain(x) && !strings.Contains(x, "[") {
			return x
		}
		return strconv.Quote(x)
	case float32:
		return floatText(float64(x), 32)
	case float64:
		return floatText(x, 64)
	}
	return fmt.Sprint(v)
}

// isPlain reports whether a text needs no quotes in block style.
func isPlain(s string) bool {
	switch strings.ToLower(s) {
	case "true", "false", "null", "yes", "no", "on", "off", "y", "n":
		return false
	}
	return plain().MatchString(s) && !strings.HasSuffix(s, " ")
}

// floatText formats a number. The YAML library reads a number with an exponent but no point as a text.
func floatText(x float64, bits int) string {
	s := strconv.FormatFloat(x, 'g', -1, bits)
	if m, e, ok := strings.Cut(s, "e"); ok && !strings.Contains(m, ".") {
		return m + ".0e" + e
	}
	return s
}
