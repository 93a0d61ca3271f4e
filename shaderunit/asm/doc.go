// Package asm holds the shader toolchain: the assembler of the .pica language, the
// disassembler back to it, unlinked objects (DVOJ) and their linking, and the checks
// for what hangs or misrenders on the console.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
//
// The language is that of devkitPro's picasso (Manual.md there, and docs/ASSEMBLER.md
// here). For a source that picasso accepts the output is the same, byte for byte:
// operand descriptors are shared and relaxed in the same way, uniforms are placed in
// the same order, padding NOPs stand in the same places, tables are laid out alike.
// What picasso rejects is an error here too. It also accepts much that is surely a
// mistake (text behind a register number, names in upper case that mean another
// register); that is assembled as picasso does, with a warning.
//
// The instruction words and operand descriptors are those of package shaderunit, the
// file format that of package assets/shbin.
package asm
