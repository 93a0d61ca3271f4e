// Package lsp answers editors about .pica sources in the language server protocol:
// findings as one types, what a word means, where a name is declared and used, renaming,
// completion, layout.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
//
// A server speaks with one editor over a pair of streams. It reads no files: what it knows
// is the text of the documents that the editor has open. A procedure that no open document
// has is taken to be another source's.
//
// Source: Language Server Protocol Specification 3.17.
package lsp
