// Package pica is the vocabulary of the PICA200, the GPU of the Nintendo 3DS:
// the register map, the values that registers hold, and the number formats
// they are written in. It only packs and unpacks.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
//
// The register map is one table. Each field of a register is a package
// variable (FacecullingMode, TexenvRgbSource0, LightSpotX, ...) that knows its
// register, its bits, how its value is written and which values have names.
// Registers is built from these variables, so that what the engine decodes,
// what a tool prints and what docs/REGISTERS.md says cannot differ.
//
// # Names
//
// Registers have their public names (GPUREG_FACECULLING_CONFIG) and a constant
// made from it by rule (RegFacecullingConfig). The constant of a repeated
// register is that of element 0; the constants named Stride are the distance to
// the next element. Blocks that are not evenly spaced have a function
// (TexenvOffset, TexunitOffset) instead. A field of a repeated register is that
// of element 0, and Field.At moves it:
//
//	two := pica.LightTwoSideDiffuse.At(3 * pica.StrideLight).Bool(regs)
//
// A field's variable is named after its register, without the words that say
// nothing (Config, Param, Dim, the number of element 0), followed by what the
// bits are.
//
// # Sources
//
// The map is that of 3dbrew, "GPU/Internal Registers" and "GPU/External
// Registers"; where emulators or libctru know more or say otherwise, the
// register's Doc says so.
package pica
