// Package module holds the tests that this repository is a Go module which
// others can use: that it can be packed as one, that "make module" gives it
// another path everywhere, and that programs of other modules get it, from a
// folder and from a module proxy.
package module
