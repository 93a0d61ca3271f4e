// Package bch reads BCH (.bch), the model files of the console's
// later tools: models, materials, textures, tables, lights, fogs, cameras,
// scenes, skeletons and animations, with their state as stored command lists.
//
// Parse reads a File. File.Resources converts it to the structures of package
// cgfx, from which models are drawn, exported and checked.
//
// No real file was available: the reader follows public descriptions, and tests
// read files that a writer of this project made with the same knowledge.
// Pointers are offsets into sections; a relocation table lists them.
//
// Sources: gdkchan's SPICA and its fork by KillzXGaming (CtrH3D), read for
// facts.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
package bch
