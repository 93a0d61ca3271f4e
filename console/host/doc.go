// Package host replaces the console's system in C, so that programs for the console can be built for this machine and are
// drawn by libpica200 (docs/HOST.md). Its only Go code is its tests.
package host
