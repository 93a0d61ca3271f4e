// Package asm is the assembler of the .pica language. Assemble translates sources to a
// Program, and Format formats a source. Index and Help serve editors. example_test.go
// has a first program. Packages disasm, link and lint do the rest.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
//
// The language is that of devkitPro's picasso, called the reference assembler here (see
// its Manual.md, and docs/ASSEMBLER.md). For a source that picasso accepts, the output
// is the same byte for byte: it shares operand descriptors, orders uniforms, inserts
// padding NOPs and lays out tables in the same way. What picasso rejects is an error
// here too. picasso also accepts obvious mistakes, such as text after a register number;
// these are assembled like picasso does, with a warning.
//
// Package shaderunit defines the instruction words and operand descriptors, package
// assets/shbin the file format.
package asm
