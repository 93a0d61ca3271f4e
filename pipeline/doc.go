// Package pipeline is the GPU as a whole: physical memory, the external and
// internal registers, command lists and the FIFO registers they upload
// through, draws, memory fills, display transfers, and the screens. Replay
// feeds it a recorded trace.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
//
// What the registers mean is documented in 3dbrew's GPU/External_Registers
// (fills, transfers, screens) and GPU/Internal_Registers (command lists and
// all else). The rules that those pages leave open are in
// docs/accuracy/pipeline.md.
//
// Draws are queued and drawn when something needs their result: a fill,
// transfer or load that touches the same memory, a texture read from a render
// target, a change of target, the end of a frame. Callers see
// the same results as without a queue; see hazard.go.
package pipeline
