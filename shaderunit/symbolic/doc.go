// Package symbolic runs a shader with expressions in place of numbers. The result says
// what every output is made of: which operations, on which inputs and uniforms. Tools
// use it for shaders without a description: which input is the position, which uniforms
// are a matrix.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
//
// Expressions are for one component each. Equal ones are the same node, so that they can
// be compared by address and a program of any length stays small. Where the way depends on data or on a
// bool uniform, all ways are followed, up to a bound.
package symbolic
