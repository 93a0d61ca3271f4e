// Package record holds pica200_record.h, with which emulators write recordings
// (.picatrace, package assets/picatrace): one header in C99 and C++ without
// dependencies. docs/RECORDING.md says where its calls go in existing
// emulators. The Go files here only test it, with hosts that gcc compiles.
//
// The package is our own and may change at any time; programs include the header.
package record
