package picatrace_test

import (
	"fmt"
	"log"

	"pica200/assets/citrace"
	"pica200/assets/picatrace"
)

// Parse reads recordings of both versions; here version 1 with two frames.
func ExampleParse() {
	var b citrace.Builder
	b.Load(0x20000000, []byte("vertices"))
	b.EndFrame()
	b.Write(0x10400010, 0x03000000)
	b.EndFrame()
	data, err := b.Encode()
	if err != nil {
		log.Fatal(err)
	}
	t, err := picatrace.Parse(data)
	if err != nil {
		log.Fatal(err)
	}
	for i := range t.Frames() {
		f, err := t.Frame(i)
		if err != nil {
			log.Fatal(err)
		}
		for _, e := range f.Events {
			fmt.Printf("frame %d: %v, %d bytes\n", f.Index, e.Kind, len(e.Data))
			for _, w := range e.Writes() {
				fmt.Printf("0x%08x = 0x%08x\n", w.Addr, w.Value)
			}
		}
	}
	// Output:
	// frame 0: memory, 8 bytes
	// frame 1: register write, 0 bytes
}
