// Package cores is for memory that several cores read and write. A core that reads what
// another has written, or writes what another has read, waits for a tenth of a
// microsecond to a whole one. Who knows some time before what it will need asks for it
// and works on meanwhile.
package cores

import "unsafe"

// CacheLine is the number of bytes that cores exchange at a time, or more: some
// fetch two lines together. Allocations of multiples of it begin at one.
const CacheLine = 128

// CacheLinePad, between two fields, puts them into different lines, so that who reads
// one does not wait for who writes the other.
type CacheLinePad [CacheLine]byte

// Prefetch asks for a list that will be read. It changes nothing but the time.
func Prefetch[T any](list []T) {
	prefetch(unsafe.Pointer(unsafe.SliceData(list)), len(list)*int(unsafe.Sizeof(*new(T))))
}

// PrefetchWrite asks for a list that will be written. It changes nothing but the time.
func PrefetchWrite[T any](list []T) {
	if canPrefetchWrite {
		prefetchWrite(unsafe.Pointer(unsafe.SliceData(list)), len(list)*int(unsafe.Sizeof(*new(T))))
	}
}
