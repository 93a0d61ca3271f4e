// Package host holds what programs for the console need of its system to be built for this machine and drawn by
// libpica200, in C (docs/HOST.md), and its tests.
package host
