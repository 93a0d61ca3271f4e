// Package bch reads and writes BCH (.bch), the model files of the console's later tools:
// models, materials, textures, tables, lights, fogs, cameras, scenes, skeletons and
// animations, with their state as stored command lists.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
//
// No real file was at hand: what is read is what public sources describe, and tests read
// files that Write made. Structures are described once (codec.go), for both ways. Pointers
// are offsets into sections, which a table of relocations names.
//
// Resources gives the contents as assets/cgfx has them, which is what is drawn.
//
// Sources: gdkchan's SPICA and its fork by KillzXGaming (CtrH3D), read for facts.
package bch
