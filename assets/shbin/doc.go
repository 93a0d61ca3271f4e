// Package shbin reads and writes shader binaries (.shbin): one DVLB header, one
// DVLP program (code, operand descriptors) and one DVLE per executable (entry
// point, masks, constants, labels, outputs, uniforms, symbols).
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
//
// The format is that of the 3dbrew page "SHBIN" and GBATEK's "3DS Files - Video
// Shaders"; where they differ (DVLE 0x10-0x17) the more detailed 3dbrew page is
// right, as real files show. Parse keeps where every table lies and the bytes
// that no table covers, so that Write gives the same file again. Layout drops
// that and lays a file out as the picasso assembler does.
package shbin
