// Package hardware holds programs for a console. Each answers one question that no
// document and no published test answers: it draws a picture in which the possible
// answers have different colours.
//
// The package is our own and may change at any time.
//
// A Program is a command list with the vertices and textures that it reads.
// Run draws it here; Source writes all of them as C for a homebrew program that
// runs the same words on a console and saves the colour buffer; Compare says
// which answers a saved buffer confirms and which it refutes. docs/CONSOLE.md
// explains how to run them.
package hardware
