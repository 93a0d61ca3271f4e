// Package gl is a drawing API for the GPU in the manner of OpenGL ES 2.0 on the
// console: buffers, textures, render targets, programs and attributes by name,
// the dmp_* uniforms for the fragment stage, draws, clears, and the screens.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
//
// A Context turns its calls into what a program on the console would do:
// memory is filled, command lists are built in memory and run, fills and
// display transfers are started through registers. It drives a Device:
// a GPU, or a Recorder, which writes the same work as a trace.
//
// # Conventions
//
// Calls change state and return nothing; what needs memory, or can be wrong,
// returns an error. Draws are sent to the GPU with the next Flush, which every
// call that needs their result makes by itself.
//
// Vectors and matrices are those of github.com/go-gl/mathgl/mgl32.
//
// State after New is that of OpenGL ES 2.0. Clip space is the PICA200's: z from
// -w at the near plane to 0 at the far plane, which ClipSpace makes of a
// projection for OpenGL. DepthRange gives the depths of these planes; with its
// default of 0 and 1, a depth of 1 is far away.
//
// Render targets are stored from the top row down, as the hardware does; images
// that are read back have the top row first. The screens lie on their side in
// memory: a target for the top screen is 240 pixels wide and 400 high, and its
// rows are columns of what the screen shows; OnSide turns a projection for it.
package gl
