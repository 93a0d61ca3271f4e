// Package shaderunit is the PICA200's programmable shader unit, which runs
// vertex shaders (all four units) and geometry shaders (the fourth unit).
//
// A Setup is what a unit is loaded with: program, uniforms and entry point. An
// Interpreter runs it, one instruction after the other, and is the definition
// of what a program does. An Engine compiles it and runs it over a Batch of 64
// vertices at once, with the same bits (example_test.go). For
// programs in source form see package asm, to run a file's shader on a few
// vertices package trial.
//
// Decode, Instr.Encode and Instr.Text convert single instructions. They, and
// everything else that knows instructions, use one table (optable.go). The
// float24 arithmetic is in float24.go and transcendental.go.
//
// Sources: the 3dbrew pages "Shader Instruction Set" and "SHBIN", GBATEK's "3DS
// GPU Shader Instruction Set", and the hardware tests that are named beside
// each rule.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
package shaderunit
