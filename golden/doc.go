// Package golden compares rendered images with approved ones: for the suite of
// this project, and for other people's tests.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
//
// A suite is a folder of case files (*.case.yaml). A case names a source (a
// scene, a model or a recorded trace) and, for each image wanted of it, the
// approved PNGs with their provenance: hardware, another implementation at a
// version, or this one. Comparison is exact unless the case file gives a
// tolerance together with the reason for it.
//
// Run runs a suite as subtests, Assert compares one image in any test; both
// write the approved images anew under "go test -update". The command
// "pica200 golden" runs suites outside of go test and writes HTML, JSON and
// JUnit reports. docs/GOLDEN.md explains both by example.
package golden
