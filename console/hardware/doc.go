// Package hardware contains test programs for a real console. Each answers a question
// about the GPU that no document and no published test answers: it draws a picture in
// which each possible answer has its own colour.
//
// The package is our own and may change at any time.
//
// A Program is a command list with its vertices and textures. Run draws it with this
// library. Source writes all programs as C for a homebrew program, which runs the same
// commands on a console and saves the colour buffer. Compare reports which answers a
// saved buffer confirms. docs/CONSOLE.md explains how to run them.
package hardware
