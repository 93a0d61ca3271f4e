// Package pipeline is the complete GPU: physical memory, the external and
// internal registers, command lists, draws, memory fills, display transfers and
// the screens.
//
// New makes a GPU. A program drives it as it drives the console: it writes
// memory with Load, runs command lists with RunList, writes external registers
// with WriteRegister, and reads the result with Screen or LastTarget. Hooks of
// a GPU watch it work.
//
// Replay, Player and Replayer run recordings (package picatrace): Replay runs a
// whole one, a Player runs it frame by frame, and a Replayer goes to any frame
// or draw, back as well as forth, and reports what happened to a pixel. example_test.go
// shows each of these ways.
//
// A GPU queues draws. It executes them when something needs their result: a
// fill, transfer or load of the same memory, a texture read from a render
// target, a change of target, the end of a frame. Callers see the same results
// as without a queue (queues.go).
//
// 3dbrew documents the registers: GPU/External_Registers has fills, transfers
// and screens, GPU/Internal_Registers has command lists and everything else.
// docs/accuracy/pipeline.md has the rules that those pages leave open.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
package pipeline
