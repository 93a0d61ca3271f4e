// Package shaderunit is the PICA200's programmable shader unit: the block that
// runs vertex shaders (all four units) and geometry shaders (the fourth unit).
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
//
// It holds the instruction set as one table (isa.go) from which decoding,
// encoding and the disassembly of single instructions follow, the float24
// arithmetic (float24.go, transcendental.go), the scalar interpreter that is
// the definition of what a program does (interpreter.go), and the batch engine
// that runs a vertex shader over many vertices at once and gives the same bits.
//
// Sources: the 3dbrew pages "Shader Instruction Set" and "SHBIN", GBATEK's "3DS
// GPU Shader Instruction Set", and the hardware tests named beside each rule.
package shaderunit
