package testkit

import (
	"encoding/binary"
	"os"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

const page = 4096

// resident reports for each page of p whether the system has it in memory or swap. Other pages were never written and are 0. It returns
// nil if the system does not tell (Linux does: proc(5), /proc/pid/pagemap).
func resident(p []byte) []bool {
	at := uintptr(unsafe.Pointer(unsafe.SliceData(p)))
	if os.Getpagesize() != page || at%page != 0 || len(p)%page != 0 {
		return nil
	}
	f, err := os.Open("/proc/self/pagemap")
	if err != nil {
		return nil
	}
	defer f.Close()
	entries := make([]byte, 8*(len(p)/page))
	if _, err := f.ReadAt(entries, int64(8*(at/page))); err != nil {
		return nil
	}
	list := make([]bool, len(p)/page)
	for i := range list {
		list[i] = binary.NativeEndian.Uint64(entries[8*i:])>>62 != 0 // 63: present, 62: swapped
	}
	return list
}

// EachPage calls f for pages that may contain anything but 0, with their offsets. It skips pages that the system does not hold:
// reading the 128 MiB of a GPU would take longer than most tests.
func EachPage(p []byte, f func(off int, page []byte)) {
	list := resident(p)
	for off := 0; off < len(p); off += page {
		if list == nil || list[off/page] {
			f(off, p[off:min(off+page, len(p))])
		}
	}
}

// Zero requires that memory is 0.
func Zero(t testing.TB, p []byte, what string) {
	t.Helper()
	EachPage(p, func(off int, data []byte) {
		for i, b := range data {
			if b != 0 {
				require.Fail(t, "not 0", "%s: byte 0x%X is %02X", what, off+i, b)
			}
		}
	})
}
