// Package shbin reads and writes shader binaries (.shbin): a DVLB header, a
// DVLP program (code, operand descriptors) and a DVLE for each executable
// (entry point, masks, constants, labels, outputs, uniforms, symbols).
//
// Parse reads a File, Build makes one from its parts, and File.Write returns
// its bytes. Parse keeps the position of every table and the bytes outside of
// tables, so that Write returns the same file again. Layout drops that and lays
// a file out like the picasso assembler. ParseObject and WriteObject do the
// same for unlinked objects (DVOJ).
//
// The format is that of the 3dbrew page "SHBIN" and GBATEK's "3DS Files - Video
// Shaders". Where they differ (DVLE 0x10-0x17), real files agree with the more
// detailed 3dbrew page.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
package shbin
