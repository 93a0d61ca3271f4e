// Package golden compares rendered images with approved ones, for this
// project's suite and for tests of other projects.
//
// A suite is a folder of case files (*.case.yaml). A case names a source (a
// scene, a model or a recorded trace) and, for each wanted image, the approved
// PNGs with their origin: hardware, another implementation at a version, or
// this one. Images must be equal, unless the case file has a tolerance with a
// reason.
//
// Run runs a suite as subtests, Assert compares one image in any test; with "go
// test -update" both write the approved images. RunDir runs a suite outside of
// tests, as the command "pica200 golden" does, which writes HTML, JSON and
// JUnit reports. docs/GOLDEN.md explains both by example.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
package golden
