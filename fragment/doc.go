// Package fragment shades the pixels that the rasterizer covers: texture units,
// fragment lighting, combiner stages, fog and gas, the alpha, stencil and depth
// tests, blending, and the shadow and gas modes, which replace tests and
// blending.
//
// An Engine compiles the state of a draw (State: registers, look-up tables,
// texture memory, render target) to a program, a short list of micro-ops, and
// returns a Draw. The rasterizer calls Draw.Shade with batches of up to 16
// blocks of 4x4 pixels. Each op is a kernel over the lanes of a batch, stored
// as structure of arrays in a machine; each worker has one. Results that
// nothing reads are not computed: the compiler walks the list of ops backwards
// from the output.
//
// A View makes a draw write the result of one stage instead. A Probe runs the
// ops for one pixel and records what each did (Record).
//
// The plain Go kernels are the definition. internal/gen/avo writes their AVX2 twins
// (*_amd64.s), and tests hold both to the same bits. The rules that
// documentation leaves open are in docs/accuracy/raster.md and
// docs/accuracy/fragment-units.md.
//
// The package is an internal part of pipeline and may change at any time. The
// types that pipeline's API uses (View, Tables, Record, Pixel) change only with
// that API.
package fragment
