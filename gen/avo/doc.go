// Package avo is the root of the generators of the assembly kernels. Each
// folder is a command that a go:generate line of a room runs; kit holds what
// they share.
package avo
