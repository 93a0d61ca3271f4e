package quote

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Start is the place and the first bytes of a file whose format is not known.
func Start(data []byte) string {
	if len(data) == 0 {
		return "offset 0x0: the file is empty"
	}
	return fmt.Sprintf("offset 0x0: it begins with %q", data[:min(8, len(data))])
}

// JSON adds the offset and the line to an error of encoding/json about text,
// which lies at an offset of its file.
func JSON(err error, text []byte, at int) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	var end int64 // of what was read
	switch {
	case errors.As(err, &syntax):
		end = syntax.Offset
	case errors.As(err, &kind):
		end = kind.Offset
	default:
		return err
	}
	last := min(max(int(end)-1, 0), len(text))
	return fmt.Errorf("offset 0x%x, line %d: %w", at+last, 1+bytes.Count(text[:last], []byte("\n")), err)
}
