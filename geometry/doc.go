// Package geometry is everything between the trigger of a draw and the
// rasterizer: the vertex loader, the post-transform reuse of vertices, the
// runs of the vertex and geometry shaders, the output map, primitive assembly,
// clipping, the viewport and face culling.
//
// The package is our own and may change at any time. What the API of pipeline
// names of it (Kind, Stats, Vertices) changes as that does.
//
// Its state are the registers 0x040-0x06B (rasterizer set-up), 0x200-0x25F
// (geometry pipeline), 0x280-0x2AF (geometry shader) and 0x2B0-0x2DF (vertex
// shader), documented in 3dbrew's GPU/Internal_Registers page. A Stage reads
// them once per draw; docs/accuracy/geometry.md lists the rules that the
// documentation leaves open and the choice made for each.
//
// A draw runs in chunks of bounded size. Each chunk is loaded straight into
// the structure-of-arrays batches of the shader unit, shaded, mapped to
// pica.ScreenVertex (projected once per vertex, not once per triangle), and
// assembled to triangles. Batches may be shaded by several workers; each writes
// its own part of the output, so the result does not depend on their number.
package geometry
