// Package lsp is a language server for .pica sources. It reports errors and warnings
// while the user types, explains words, finds declarations and uses, renames, completes
// and formats.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
//
// A Server serves one editor over a pair of streams. It reads no files, only the text of
// the editor's open documents. It assumes that a procedure that none of them defines is
// in another source. Ask answers single questions without a server.
//
// Source: Language Server Protocol Specification 3.17.
package lsp
