// Package shaderfit finds out how to draw with a shader that comes without a
// description: which stream of a model goes to which input, which matrices its uniforms
// are, and which values make the rest of them draw something. It looks at names, and at
// what the code does with inputs and uniforms: what is multiplied by a matrix and
// reaches the position is a position.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
//
// The result is a guess. Everything found comes with a reason in words. What a scene
// says about a program takes precedence.
package shaderfit
