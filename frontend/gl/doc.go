// Package gl is a drawing API for the GPU, similar to OpenGL ES 2.0 on the
// console: buffers, textures, render targets, programs, attributes by name, the
// dmp_* uniforms (package dmp) for the fragment stage, draws, clears, and the
// screens.
//
// A Context turns calls into what a program on the console would do: it fills
// memory, builds command lists in memory and runs them, and starts fills and
// display transfers through registers. It drives a Device: a pipeline.GPU, or a
// Recorder, which also writes the work to a trace. example_test.go
// draws a triangle.
//
// # Conventions
//
// Calls that only change state return nothing; calls that need memory, or that
// can fail, return an error. Draws are sent to the GPU by Flush. Every call
// that needs their result flushes by itself.
//
// Vectors and matrices are those of github.com/go-gl/mathgl/mgl32.
//
// The state after New is that of OpenGL ES 2.0. Clip space is the PICA200's: z
// is -w at the near plane and 0 at the far plane; ClipSpace converts a
// projection for OpenGL. DepthRange sets the depths of these planes; with its
// default of 0 and 1, a depth of 1 is far away.
//
// Render targets are stored from the top row down, as on the hardware; images
// that are read back have the top row first. The screens lie on their side in
// memory: a target for the top screen is 240 pixels wide and 400 high, and its
// rows are columns of the screen. OnSide rotates a projection for it.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
package gl
