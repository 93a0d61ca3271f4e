// Package shaderfit finds out what a shader that says nothing about itself wants: which
// stream of a model goes to which input, what matrices its uniforms are, and what values
// the rest of them can have so that it draws something. It looks at names, and at what the
// code does with inputs and uniforms: what is multiplied by a matrix and reaches the
// position is a position.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
//
// It is a guess and says so: everything found has a reason in words. What somebody says
// about a program goes before it.
package shaderfit
