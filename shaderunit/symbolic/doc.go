// Package symbolic follows a shader with expressions in place of numbers: what every
// output is made of, by which operations, from which inputs and uniforms. It tells tools
// what a program that says nothing about itself wants: which input is the position, which
// uniforms are a matrix.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
//
// Expressions are for one component each. Equal ones are the same node, so that they can
// be compared by address and a program of any length stays small. Where the way depends on data or on a
// bool uniform, all ways are followed, up to a bound.
package symbolic
