// Package avo is the root of the generators of the assembly kernels. Each folder is a command that a go:generate line runs; kit is
// the code that they share.
package avo
