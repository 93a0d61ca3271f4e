// Package modeldraw draws the models of the console's own resource files (assets/cgfx,
// assets/bch) through the drawing API: it poses skeletons, applies animations, and runs the
// command words that materials hold as they are. scene/scenebuild uses it for the models
// of scenes that are such files.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
//
// Nearly all files name a vertex shader that is part of the console's system and not in
// the file. The program "resource" of the library stands in its place: what it does is
// what the structures of the format ask for, described in docs/MODELS.md with what is
// known and what is a choice.
package modeldraw
