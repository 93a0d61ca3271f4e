package inspect

import (
	"bytes"
	"iter"
)

// line is a line of a text file.
type line struct {
	number int // from 1
	at     int64
	text   []byte // without the end of line
}

// lines returns the lines of a text.
func lines(data []byte) iter.Seq[line] {
	return func(yield func(line) bool) {
		for n, at := 1, 0; at < len(data); n++ {
			end := bytes.IndexByte(data[at:], '\n')
			next := len(data)
			text := data[at:]
			if end >= 0 {
				text, next = data[at:at+end], at+end+1
			}
			if !yield(line{n, int64(at), bytes.TrimSuffix(text, []byte("\r"))}) {
				return
			}
			at = next
		}
	}
}

// cutText shortens text for showing.
func cutText(b []byte) string {
	const most = 120
	if len(b) > most {
		return string(bytes.ToValidUTF8(b[:most], []byte("?"))) + "..."
	}
	return string(bytes.ToValidUTF8(b, []byte("?")))
}
