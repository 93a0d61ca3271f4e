// Package shaderfit guesses how to draw with a shader that comes without a
// description: which stream of a model each input gets, which matrices its
// uniforms are, and which values let the other uniforms draw something. It uses
// names, and what the code does with inputs and uniforms: an input that is
// multiplied by a matrix and reaches the position output is a position.
//
// The result, a Fit, is a guess; each part of it has a reason in words. What a
// scene says about a program takes precedence.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
package shaderfit
