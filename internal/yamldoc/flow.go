package yamldoc

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
)

// Flow writes a value (a scalar, []any, or yaml.MapSlice) in flow style, on one
// line.
func Flow(v any) string {
	switch x := v.(type) {
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

// plain matches texts that need no quotes, in flow style either. Texts that
// YAML would take for something else do not match.
var plain = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_./ -]*(\[[0-9]\])?[A-Za-z0-9_./-]*$`)

func scalarText(v any) string {
	switch x := v.(type) {
	case nil:
		return "null"
	case string:
		switch strings.ToLower(x) {
		case "true", "false", "null", "yes", "no", "on", "off", "y", "n":
			return strconv.Quote(x)
		}
		if plain.MatchString(x) && !strings.HasSuffix(x, " ") && !strings.Contains(x, "[") {
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

// floatText writes a number. The YAML library takes one with an exponent for a
// text where it has no point.
func floatText(x float64, bits int) string {
	s := strconv.FormatFloat(x, 'g', -1, bits)
	if m, e, ok := strings.Cut(s, "e"); ok && !strings.Contains(m, ".") {
		return m + ".0e" + e
	}
	return s
}
