package asm

import "bytes"

// SourceMark starts each source in a file or stream with several sources, for
// example the disassembly of a program with several executables. The name of
// the source follows on the line.
const SourceMark = ";;;; file "

// SplitSources splits a file or stream into its sources; line numbers start
// after each mark. Text that does not begin with SourceMark is a single source
// with the given name.
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
