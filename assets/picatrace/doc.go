// Package picatrace reads and writes recordings of what a program sent to the
// GPU, version 2 (.picatrace). It also reads CiTraces, version 1 (.ctf), as the
// same type.
//
// Parse or Open reads a Trace: the complete state at its start, and frames. A
// Frame is a list of Events: memory that changed, the five commands by which
// all systems and emulators drive the GPU (command list, fill, transfer, copy,
// screens), and single register writes, of which CiTraces consist. A Writer
// writes one. Package pipeline replays it.
//
// Memory is stored in pieces of at most a page of 4 KiB that never cross a page
// border; equal pieces are stored once. docs/FORMATS.md describes every byte.
//
// Files are written from front to back, a frame at a time, without offsets that
// must be filled in later: if a recorder crashes, what it wrote can be read up
// to the last whole frame.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
package picatrace
