// Package lsp is a language server for .pica sources: findings while one types, the
// meaning of a word, where a name is declared and used, renaming, completion, layout.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
//
// A Server serves one editor over a pair of streams. It reads no files, only the text of
// the documents that the editor has open. A procedure that none of them defines is taken
// to be in another source.
//
// Source: Language Server Protocol Specification 3.17.
package lsp
