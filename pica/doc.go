// Package pica is the vocabulary of the PICA200, the GPU of the Nintendo 3DS:
// the register map, the meaning of register values, number formats, pixel
// formats and command lists. It only packs and unpacks; package pipeline draws.
//
// The register map is one table, Registers. Each field of a register is a
// package variable (FacecullingMode, TexenvRgbSource0, LightSpotX, ...) of type
// Field, which knows its register, its bits, how its value is encoded and the
// names of its values. The engine, the tools and docs/REGISTERS.md all use
// these variables. A CommandWriter builds a command list and a CommandReader
// splits one (example_test.go).
//
// # Names
//
// Registers have their public names (GPUREG_FACECULLING_CONFIG) and a constant
// derived from it by rule (RegFacecullingConfig). The constant of a repeated
// register is that of element 0; constants named Stride are the distance to the
// next element. Blocks that are not evenly spaced have a function instead
// (TexenvOffset, TexunitOffset). A field of a repeated register is that of
// element 0, and Field.At moves it:
//
//	two := pica.LightTwoSideDiffuse.At(3 * pica.StrideLight).Bool(regs)
//
// A field's variable is named after its register, without redundant words
// (Config, Param, Dim, the number of element 0), followed by the meaning of the
// bits.
//
// # Sources
//
// The map is that of 3dbrew, "GPU/Internal Registers" and "GPU/External
// Registers". If emulators or libctru have more or other information, the
// register's Doc says so.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
package pica
