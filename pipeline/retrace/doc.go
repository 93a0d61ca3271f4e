// Package retrace makes traces of traces: packed, with what the screens showed
// (Pack), some frames with the state and the memory that they need and nothing else
// (Cut), or what the draws of one frame need (Strip). Verify compares a replay with the
// pictures that a trace holds, and Survey says what is in one.
//
// What frames need is found by replaying them: the GPU says what memory it reads
// and wholly writes (pipeline.MemoryUse), and for each byte it is known which load,
// or what was there before, put it where it is read.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
package retrace
