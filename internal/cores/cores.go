// Package cores is for memory that several cores read and write. A core that reads what
// another has written, or writes what another has read, waits for a tenth of a
// microsecond to a whole one. Who knows some time before what it will need asks for it
// and works on meanwhile.
package cores

import "unsafe"

// Line is the number of bytes that cores exchange at a time, or more: some
// fetch two lines together. Allocations of multiples of it begin at one.
const Line = 128

// Apart, between two fields, puts them into different lines, so that who reads
// one does not wait for who writes the other.
type Apart [Line]byte

// Fetch asks for a list that will be read. It changes nothing but the time.
func Fetch[T any](list []T) {
	fetch(unsafe.Pointer(unsafe.SliceData(list)), len(list)*int(unsafe.Sizeof(*new(T))))
}

// Own asks for a list that will be written. It changes nothing but the time.
func Own[T any](list []T) {
	if canOwn {
		own(unsafe.Pointer(unsafe.SliceData(list)), len(list)*int(unsafe.Sizeof(*new(T))))
	}
}
