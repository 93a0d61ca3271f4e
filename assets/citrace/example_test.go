package citrace_test

import (
	"fmt"

	"pica200/assets/citrace"
)

// A recording of one register write, encoded and parsed.
func ExampleParse() {
	var b citrace.Builder
	b.Load(0x20000000, []byte("vertices"))
	b.Write(0x10400010, 0x03000000)
	b.EndFrame()
	data, err := b.Encode()
	if err != nil {
		fmt.Println(err)
		return
	}
	t, err := citrace.Parse(data)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range t.Elements {
		switch e.Type {
		case citrace.MemoryLoad:
			fmt.Printf("%q to 0x%08x\n", t.Payload(e), e.Address)
		case citrace.RegisterWrite:
			fmt.Printf("0x%08x = 0x%08x\n", e.Address, e.Value)
		default:
			fmt.Println(e.Type)
		}
	}
	// Output:
	// "vertices" to 0x20000000
	// 0x10400010 = 0x03000000
	// frame marker
}
