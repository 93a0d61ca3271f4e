// Package picatrace reads and writes recordings of what a program sent to the
// GPU, version 2 (.picatrace), and takes the CiTraces of version 1 (.ctf) for
// the same.
//
// A recording is the complete state at its start and a list of frames. A frame
// is a list of events: memory that changed, the five commands by which all
// systems and emulators drive the GPU (command list, fill, transfer, copy,
// screens), and single register writes, which CiTraces are made of. Memory is
// held in pieces of at most a page of 4 KiB that never cross the border of one,
// each stored once and named by its contents. docs/FORMATS.md says every byte.
//
// Files are written from front to back, a frame at a time, and hold no offset
// that must be filled in later: what a recorder wrote before it died can be
// read up to its last whole frame.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
package picatrace
