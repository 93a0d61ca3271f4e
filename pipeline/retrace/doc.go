// Package retrace makes traces from traces: Pack compresses a trace and can add
// what the screens showed, Cut keeps some frames with only the state and memory
// that they need, Strip keeps what the draws of one frame need. Verify compares
// a replay with the pictures in a trace, and Survey describes a trace.
//
// To find what frames need, the package replays them. The GPU reports the
// memory that it reads and completely overwrites (pipeline.MemoryUse), and for
// each byte that is read the package knows which load wrote it, or that it was
// there before.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
package retrace
