// Package dmp is the front end that programs were written against: the
// dmp_* uniforms, by which OpenGL ES 2.0 on the console reaches the fixed
// functions of the fragment stage (texture units, combiners, lighting, fog,
// gas, shadow).
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
//
// There are 297 uniforms with the IDs 0x000 to 0x128, all rows of one table
// (Uniforms). Each row says the type, the range or the symbols of its values,
// its value after context creation, and the register fields that setting it
// changes. A State holds the values and writes them to a register file; what
// the hardware keeps behind registers, the look-up tables, goes out as uploads.
//
// # Sources
//
// IDs, names, types and many registers are those of 3dbrew, "Nintendo OpenGL".
// Where it leaves the register open, or names one that its own register pages
// contradict, the register pages are followed; testdata/uniforms.tsv has both,
// with the reason for each difference. How numbers become register values is
// taken from what citro3d sends for the same setting. Values after context
// creation are published nowhere: they follow OpenGL ES 1.1 where it has the
// same state, and otherwise switch the feature off.
package dmp
