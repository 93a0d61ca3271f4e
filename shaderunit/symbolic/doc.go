// Package symbolic runs a shader with expressions in place of numbers. The
// result says for every output which operations compute it from which inputs
// and uniforms. Tools use it for shaders without a description, to find which
// input is the position and which uniforms are a matrix.
//
// Run returns a Result with the Paths through the program; each has a Vector of
// expressions (Nodes) for each output. An expression is one component. Equal
// expressions are the same Node, so they can be compared by address, and a
// program of any length stays small. Where the path depends on data or on a
// bool uniform, all paths are followed, up to a bound.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
package symbolic
