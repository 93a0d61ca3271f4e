// Package module tests that this repository works as a Go module: it can be packed, "make module" changes its path everywhere, and
// programs in other modules can import it from a folder and from a module proxy.
package module
