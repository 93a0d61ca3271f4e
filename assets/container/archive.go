package container

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// ar archives (.a) as linkers read them: a magic, then members, each a header
// of 60 characters and its bytes, padded to an even length.
//
// Source: the manual page ar(5) of the BSDs, and the GNU variant for long
// names: a member "//" holds them, each ended by "/\n", and "/12" is the name
// at offset 12.
const (
	archiveMagic = "!<arch>\n"
	thinMagic    = "!<thin>\n"
	memberHeader = 60
)

// extractArchive searches the members of an archive: the sections of object files, and
// all bytes of others.
func extractArchive(data []byte) (found []Shader, err error) {
	if bytes.HasPrefix(data, []byte(thinMagic)) {
		return nil, fmt.Errorf("archive: it is a thin archive, which contains only names of files")
	}
	longNames := ""
	for at := len(archiveMagic); at < len(data); {
		if len(data)-at < memberHeader {
			return nil, fmt.Errorf("archive: a member's header of %d bytes expected at 0x%X, but the file has 0x%X", memberHeader, at, len(data))
		}
		header := string(data[at : at+memberHeader])
		if header[58:] != "`\n" {
			return nil, fmt.Errorf("archive: the member's header at 0x%X does not end in a grave accent and a line feed", at)
		}
		size, err := strconv.ParseUint(strings.TrimSpace(header[48:58]), 10, 40)
		if err != nil {
			return nil, fmt.Errorf("archive: the member at 0x%X has the size %q", at, header[48:58])
		}
		start := at + memberHeader
		if size > uint64(len(data)-start) {
			return nil, fmt.Errorf("archive: the member at 0x%X ends at 0x%X, but the file has 0x%X bytes", at, uint64(start)+size, len(data))
		}
		end := start + int(size)
		member := data[start:end:end]
		at = end + end&1
		name := strings.TrimSpace(header[:16])
		switch {
		case name == "//":
			longNames = string(member)
			continue
		case name == "/" || name == "/SYM64/" || strings.HasPrefix(name, "__.SYMDEF"):
			continue // the linker's index
		case strings.HasPrefix(name, "/"):
			if n, err := strconv.Atoi(name[1:]); err == nil && n >= 0 && n < len(longNames) {
				name, _, _ = strings.Cut(longNames[n:], "\n")
			}
		case strings.HasPrefix(name, "#1/"): // the name is before the bytes
			if n, err := strconv.Atoi(name[3:]); err == nil && n >= 0 && n <= len(member) {
				name = strings.TrimRight(string(member[:n]), "\x00")
				member, start = member[n:], start+n
			}
		}
		name = strings.TrimSuffix(name, "/")
		var list []Shader
		if bytes.HasPrefix(member, []byte("\x7FELF")) {
			list, err = extractELF(member)
		}
		if err != nil || list == nil {
			list = scan(member, 0, len(member), "")
		}
		for _, s := range list {
			s.Offset += start
			if s.Where != "" {
				s.Where = ", " + s.Where
			}
			s.Where = "member " + name + s.Where
			found = append(found, s)
		}
	}
	return found, nil
}
