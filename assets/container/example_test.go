package container_test

import (
	"bytes"
	"fmt"
	"log"

	"pica200/assets/container"
	"pica200/assets/shbin"
)

// Extract finds a shader in the C source of a homebrew program.
func ExampleExtract() {
	f, err := shbin.Build([]uint32{0x88000000}, nil, []shbin.Executable{{EndMain: 1}})
	if err != nil {
		log.Fatal(err)
	}
	binary, err := f.Write()
	if err != nil {
		log.Fatal(err)
	}
	format, found, err := container.Extract([]byte(container.CArray("program_shbin", binary)))
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range found {
		fmt.Printf("%s, %s: %d bytes, the same: %v\n", format, s.Where, len(s.Data), bytes.Equal(s.Data, binary))
	}
	// Output: C source, array program_shbin: 120 bytes, the same: true
}
