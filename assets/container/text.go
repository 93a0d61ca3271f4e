package container

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
)

// isText reports whether the file looks like text: no control characters in its first
// kilobyte but white space.
func isText(data []byte) bool {
	head := data[:min(len(data), 1024)]
	for _, c := range head {
		if c < ' ' && !blank(c) {
			return false
		}
	}
	return len(head) > 0
}

// base64Byte reports whether a byte is of the Base64 alphabet, the padding included.
func base64Byte(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '/' || c == '='
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }

// minBase64 is the number of digits of the smallest shader binary, a DVLB header with a
// DVLP header.
const minBase64 = (8 + 0x28) * 4 / 3

// extractBase64 finds Base64-encoded shader binaries in a text such as a csdr:
// runs of digits, possibly with white space, that decode to a shader binary. If
// a word precedes the digits in such a run, decoding starts at the digits of
// the magic.
//
// The search gives up if it has decoded far more than the size of the text,
// which may be full of magics.
func extractBase64(data []byte) (found []Shader) {
	budget := 4*len(data) + 4*maxBinary
	for pos := 0; pos < len(data); {
		if !base64Byte(data[pos]) {
			pos++
			continue
		}
		end := pos
		var digits []byte
		var starts []int // of words, in digits
		for end < len(data) && (base64Byte(data[end]) || blank(data[end])) {
			if base64Byte(data[end]) {
				if end == pos || blank(data[end-1]) {
					starts = append(starts, len(digits))
				}
				digits = append(digits, data[end])
			}
			end++
		}
		pos = end
		used := 0
		for _, start := range starts {
			if start < used || len(digits)-start < minBase64 || !magicDigits(digits[start:]) {
				continue
			}
			b := decodePrefix(digits[start:min(len(digits), start+maxBinary/3*4)])
			if budget -= len(b); budget < 0 {
				return found
			}
			if s, ok := at(b, 0); ok {
				s.Data = bytes.Clone(s.Data)
				s.Offset, s.Where = -1, fmt.Sprintf("Base64, number %d", len(found)+1)
				found = append(found, s)
				used = start + (len(s.Data)+2)/3*4
			}
		}
	}
	return found
}

// magicDigits reports whether Base64 digits start with DVLB or DVOJ.
func magicDigits(d []byte) bool {
	head := decodePrefix(d[:min(len(d), 8)])
	return bytes.HasPrefix(head, []byte("DVLB")) || bytes.HasPrefix(head, []byte("DVOJ"))
}

// decodePrefix decodes up to the first padding or invalid end.
func decodePrefix(d []byte) []byte {
	if k := bytes.IndexByte(d, '='); k >= 0 {
		d = d[:k]
	}
	out := make([]byte, base64.RawStdEncoding.DecodedLen(len(d)))
	n, err := base64.RawStdEncoding.Decode(out, d)
	if err != nil {
		// Bits may be left over at the end; whole groups are valid.
		n, _ = base64.RawStdEncoding.Decode(out, d[:len(d)/4*4])
	}
	return out[:n]
}

// extractArrays finds C arrays whose initialiser is a shader binary, in bytes or in
// 32-bit words.
func extractArrays(data []byte) (found []Shader) {
	text := stripComments(data)
	for pos := 0; ; {
		open := bytes.IndexByte(text[pos:], '{')
		if open < 0 {
			return found
		}
		open += pos
		end := bytes.IndexAny(text[open+1:], "{}")
		if end < 0 {
			return found
		}
		end += open + 1
		pos = open + 1
		if text[end] != '}' {
			continue
		}
		b, ok := parseNumbers(text[open+1 : end])
		if !ok {
			continue
		}
		if s, ok := at(b, 0); ok {
			s.Offset = -1
			s.Where = "array " + arrayName(text[:open])
			found = append(found, s)
			pos = end
		}
	}
}

// stripComments replaces C comments with blanks.
func stripComments(data []byte) []byte {
	out := bytes.Clone(data)
	for i := 0; i+1 < len(out); i++ {
		if out[i] != '/' {
			continue
		}
		stop := ""
		switch out[i+1] {
		case '/':
			stop = "\n"
		case '*':
			stop = "*/"
		default:
			continue
		}
		end := bytes.Index(out[i+2:], []byte(stop))
		if end < 0 {
			end = len(out) - i - 2
		} else if stop == "*/" {
			end += 2
		}
		for k := i; k < i+2+end && k < len(out); k++ {
			out[k] = ' '
		}
		i += 1 + end
	}
	return out
}

// parseNumbers parses a list of numbers to bytes. Lists with a value above 255,
// and those that are no shader binary as bytes, are little-endian 32-bit words.
func parseNumbers(list []byte) ([]byte, bool) {
	var values []uint32
	wide := false
	for _, field := range strings.FieldsFunc(string(list), func(r rune) bool { return r == ',' || r < 0x80 && blank(byte(r)) }) {
		field = strings.TrimRight(field, "uUlL")
		v, err := strconv.ParseUint(field, 0, 32)
		if err != nil {
			return nil, false
		}
		wide = wide || v > 255
		values = append(values, uint32(v))
	}
	out := make([]byte, 0, len(values))
	for _, v := range values {
		if wide {
			out = le.AppendUint32(out, v)
		} else {
			out = append(out, byte(v))
		}
	}
	return out, len(values) > 0
}

// arrayName returns the name before "[...] =".
func arrayName(before []byte) string {
	s := strings.TrimRight(string(before[max(0, len(before)-256):]), " \t\r\n=")
	for strings.HasSuffix(s, "]") {
		k := strings.LastIndexByte(s, '[')
		if k < 0 {
			break
		}
		s = strings.TrimRight(s[:k], " \t\r\n")
	}
	end := len(s)
	for end > 0 && (s[end-1] == '_' || s[end-1]|0x20 >= 'a' && s[end-1]|0x20 <= 'z' || s[end-1] >= '0' && s[end-1] <= '9') {
		end--
	}
	if s[end:] == "" {
		return "without a name"
	}
	return s[end:]
}

// CArray writes data as a C array of bytes with its size, as bin2s names them:
// name[] and name_size.
func CArray(name string, data []byte) string {
	id := []byte(name)
	for i, c := range id {
		if c|0x20 < 'a' || c|0x20 > 'z' {
			if c < '0' || c > '9' || i == 0 {
				id[i] = '_'
			}
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "#include <stdint.h>\n\n__attribute__((aligned(4))) const uint8_t %s[] = {", id)
	for i, v := range data {
		if i%12 == 0 {
			b.WriteString("\n\t")
		} else {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "0x%02x,", v)
	}
	fmt.Fprintf(&b, "\n};\nconst uint32_t %s_size = %d;\n", id, len(data))
	return b.String()
}
