// Package cgfx reads and writes CGFX, the resource files of the console's own tools
// (.cgfx, .bcres, .bcmdl and others): models, materials, textures, tables, lights, fogs,
// cameras, scenes, skeletons and animations; and CBMD, the banners of the HOME Menu,
// which hold CGFX files packed with LZ11.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
//
// # How it is read
//
// Each structure of the format is a Go type with one description, its method fields,
// which names its fields in the order of the file. Reading, writing, laying out and
// showing all run that description (codec.go), so they cannot disagree. A file is a
// graph: pointers are relative to the word that holds them, and what several of them
// lead to is one value in Go as well.
//
// Files are untrusted. What a pointer leads to is read once; reading stops when the
// structures together are much larger than the file. A pointer that leads nowhere, or to
// something else than it should, becomes nil and a finding; Encode keeps its value.
// Every byte of the file belongs to a structure or to one of File.Gaps.
//
// # Sources
//
// 3dbrew's pages "CGFX" and "CBMD"; gdkchan's SPICA and its fork by KillzXGaming
// (CtrGfx); the pattern file of skyfloogle's pycgfx. All were read for facts. Where they
// disagree the real files of homebrew authors decided, and the comment says so. Revisions
// are those of header revision 0x05000000.
package cgfx
