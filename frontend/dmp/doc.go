// Package dmp is the dmp_* uniforms: the API by which OpenGL ES 2.0 on the
// console sets the fixed functions of the fragment stage (texture units,
// combiners, lighting, fog, gas, shadow).
//
// A State holds the values of all uniforms and writes them to a register file.
// State.Set sets a uniform by name, State.SetAt by its constant
// (TexEnvCombineRgb.At(2)), State.SetTable gives a sampler its look-up table, and
// State.Flush returns the register writes and table uploads for what changed.
// Recover finds uniforms for given registers.
//
// There are 297 uniforms with the IDs 0x000 to 0x128, all rows of one table
// (Uniforms). Each row has the type, the range or the symbols of its values,
// its value after context creation, and the register fields that it sets.
//
// # Sources
//
// IDs, names, types and many registers are those of 3dbrew, "Nintendo OpenGL".
// If it does not name a register, or its own register pages contradict it, the
// register pages are followed; testdata/uniforms.tsv has both, with the reason
// for each difference. How numbers are converted to register values follows
// what citro3d sends for the same setting. The values after context creation
// are not published: they follow OpenGL ES 1.1 if it has the same state;
// otherwise they disable the feature.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
package dmp
