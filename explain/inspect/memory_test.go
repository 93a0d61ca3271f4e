package inspect

import (
	"bytes"
	"encoding/binary"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/assets/citrace"
	"pica200/assets/tree"
	"pica200/pica"
	"pica200/tests/testkit"
)

// memoryLimit is the limit for inspecting a file of 1 MiB, in bytes.
const memoryLimit = 64 << 20

// hostile makes files of 1 MiB that need as much memory as possible.
func hostile() map[string][]byte {
	const size = 1 << 20
	fill := func(head, body, tail string) []byte {
		n := (size - len(head) - len(tail)) / len(body)
		return []byte(head + strings.Repeat(body, n) + tail)
	}
	chunk := func(id, body string) string {
		return id + string(binary.LittleEndian.AppendUint32(nil, uint32(len(body)))) + body
	}
	words := func(w ...uint32) string { return string(bytesOf(w)) }
	files := map[string][]byte{
		"commands":          fill("", words(0xFFFFFFFF, 0x000F0080), words(0, 0x000F0010)),
		"long commands":     fill("", words(0xFFFFFFFF, 0x8FFF0000)+strings.Repeat("\xFF", 256*4), words(0, 0x000F0010)),
		"chunks":            []byte(chunk("MBS1", strings.Repeat(chunk("ABCD", ""), size/8-2))),
		"fragment code":     []byte(chunk("MBS1", chunk("CFRA", words(7)+chunk("DBIN", strings.Repeat(words(1), size/4-20))))),
		"vertex code":       []byte(chunk("MBS1", chunk("CVER", words(6)+chunk("DBIN", strings.Repeat("\x5A\xC3\x11", size/3-20))))),
		"empty arrays":      fill(`{"asset":{"version":"2.0"},"accessors":[`, "[],", "0]}"),
		"empty objects":     fill(`{"asset":{"version":"2.0"},"buffers":[`, "{},", "0]}"),
		"numbers":           fill(`{"asset":{"version":"2.0"},"bufferViews":[`, "0,", "0]}"),
		"faces":             fill("v 0 0 0\n", "f 9 9 9\n", ""),
		"lines":             fill("v 0 0 0\n", "\n", ""),
		"scene":             []byte("draws: [" + strings.Repeat("[],", maxScene/3-10) + "0]\n"),
		"aliases":           []byte("draws:\n- &a [b,b,b,b,b,b,b,b]\n" + strings.Repeat("- [*a,*a,*a,*a]\n", maxScene/16-3)),
		"Base64":            fill("", "RFZMQgEAAAA0AAAA\n", ""),
		"subtextures":       append([]byte{0xFF, 0xFF, 0x3F, 0, 0}, bytes.Repeat([]byte{0, 4, 0, 4, 0, 0, 0, 4, 0, 4, 0, 0}, 0xFFFF)...),
		"unpacking texture": hostileT3X(),
		"lists":             hostileTrace(),
	}
	files["subtextures"] = append(files["subtextures"], 0, 0, 0, 0x40)
	var symbols strings.Builder
	symbol := chunk("VUNI", chunk("STRI", "a\x00\x00\x00")+"\x02\x08"+strings.Repeat("\x01\x00", 4)+"\x10\x01"+strings.Repeat("\x00", 8))
	for symbols.Len() < size-200 {
		symbols.WriteString(symbol)
	}
	files["symbols"] = []byte(chunk("MBS1", chunk("CFRA", words(7)+chunk("SUNI", words(1, 4)+symbols.String()))))
	return files
}

// hostileT3X is a cube map of the greatest size in a few bytes.
func hostileT3X() []byte {
	total := 0
	for l := range 8 {
		total += 6 * 4 * (1024 >> l) * (1024 >> l)
	}
	b := append([]byte{0, 0, 0x7F, 0, 7, 0x91}, byte(total), byte(total>>8), byte(total>>16), byte(total>>24), 0, 0, 0)
	b = append(b, 0x7F, 1) // a byte, then matches
	match := []byte{0x1F, 0xFF, 0xF0, 0x00}
	b = append(b, bytes.Repeat(match, 7)...)
	for len(b) < 1<<20 {
		b = append(append(b, 0xFF), bytes.Repeat(match, 8)...)
	}
	return b
}

// hostileTrace starts a list of half the file's size many times.
func hostileTrace() []byte {
	var b citrace.Builder
	list := strings.Repeat(string(bytesOf([]uint32{0xFFFFFFFF, 0x000F0080})), 1<<16)
	b.Load(0x20000000, []byte(list))
	b.Write(pica.ExtCommandListSize, uint32(len(list)/8))
	b.Write(pica.ExtCommandListAddr, 0x20000000/8)
	for range 12 {
		b.Load(0x20000000, []byte(list))
		b.Write(pica.ExtCommandListStart, 1)
	}
	data, err := b.Encode()
	if err != nil {
		panic(err)
	}
	return data
}

// peak returns the greatest growth of the heap while f runs.
func peak(f func()) uint64 {
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	before := m.HeapInuse
	var most atomic.Uint64
	stop, done := make(chan bool), make(chan bool)
	go func() {
		defer close(done)
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			if m.HeapInuse > before {
				most.Store(max(most.Load(), m.HeapInuse-before))
			}
			select {
			case <-stop:
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
	f()
	close(stop)
	<-done
	return most.Load()
}

func TestMemory(t *testing.T) {
	testkit.Slow(t)
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(testkit.Ballast() + Memory + 4<<20))
	for name, data := range hostile() {
		opened := false
		used := peak(func() {
			d, err := Open(data, "")
			if err != nil {
				t.Logf("%s: %v", name, err)
				return
			}
			opened = true
			d.Check()
			require.NoError(t, tree.WriteText(io.Discard, d.Document, nil, tree.Options{}))
		})
		t.Logf("%-18s %4.1f MiB, opened: %t", name, float64(used)/(1<<20), opened)
		require.Less(t, used, uint64(memoryLimit), name)
	}
}
