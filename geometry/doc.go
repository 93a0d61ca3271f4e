// Package geometry is everything between the trigger of a draw and the
// rasterizer: the vertex loader, reuse of shaded vertices, the runs of the
// vertex and geometry shaders, the output map, primitive assembly, clipping,
// the viewport and face culling.
//
// A Stage runs draws: Stage.Draw takes an Input and appends vertices and
// triangles to an Output. It reads the registers 0x040-0x06B (rasterizer
// set-up), 0x200-0x25F (geometry pipeline), 0x280-0x2AF (geometry shader) and
// 0x2B0-0x2DF (vertex shader) once for each draw. 3dbrew documents them in
// GPU/Internal_Registers; docs/accuracy/geometry.md lists the rules that this
// leaves open, and our choices.
//
// A draw runs in chunks of bounded size. Each chunk is loaded straight into the
// structure-of-arrays batches of the shader unit, shaded, mapped to window
// positions (once for each vertex), and assembled to triangles. Several workers
// may shade batches; each writes its own part of the output, so the result does
// not depend on their number.
//
// The package is an internal part of pipeline and may change at any time. The
// types that pipeline's API uses (Kind, Stats, Vertices) change only with that
// API.
package geometry
