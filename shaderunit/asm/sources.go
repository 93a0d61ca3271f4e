package asm

import "bytes"

// SourceMark starts each source where several stand in one file or stream, as those that are made
// of a program with several executables; its name follows on the line.
const SourceMark = ";;;; file "

// SplitSources takes a file or stream apart that may hold several sources, whose lines count
// from their marks. One that does not begin with SourceMark is a single source with the given
// name.
func SplitSources(name string, text []byte) (list []Source) {
	if !bytes.HasPrefix(text, []byte(SourceMark)) {
		return []Source{{Name: name, Text: text}}
	}
	for _, part := range bytes.Split(append([]byte("\n"), text...), []byte("\n"+SourceMark))[1:] {
		name, body, _ := bytes.Cut(part, []byte("\n"))
		list = append(list, Source{Name: string(bytes.TrimSpace(name)), Text: body})
	}
	return list
}
