// Package fragment shades what the rasterizer covers: texture units, fragment
// lighting, the combiner stages, fog and gas, alpha, stencil and depth tests,
// blending, and the shadow and gas modes that take the place of the last.
//
// The package is our own and may change at any time. What the API of pipeline
// names of it (View, Tables, Record, Pixel) changes as that does.
//
// An Engine compiles the state of a draw (State: registers, look-up tables,
// memory for textures, target) to a Program, a short list of micro-ops. The
// rasterizer calls it with batches of up to 16 blocks of 4x4 pixels; each op
// is a kernel over the lanes of a batch, held as structure of arrays in a
// machine, of which every worker has one. What nothing reads is not computed:
// an op list is walked backwards from the output when it is made.
//
// A View compiles the same state so that one stage's result is what is
// written; a Probe runs a program for one pixel and reports what every op did.
//
// The plain Go kernels are the definition. AVX2 twins in *_amd64.s are written
// by gen/avo and are held to the same bits by the tests. The rules that
// documentation leaves open are in docs/accuracy/raster.md and
// docs/accuracy/fragment-units.md.
package fragment
