// Package modeldraw draws the models of the console's own resource files
// (packages cgfx and bch) through the drawing API (package gl): it poses
// skeletons, applies animations, and runs the command words in materials.
// Package scenebuild uses it for models of scenes that are such files.
//
// Open reads a Set from a file, and Set.New makes a Drawing, which draws
// models. Set.Export converts a model for glTF.
//
// Nearly all files refer to a vertex shader of the console's system that they
// do not contain. The library's program "resource" replaces it. It does what
// the structures of the format ask for; docs/MODELS.md says what is known and
// what is a choice.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
package modeldraw
