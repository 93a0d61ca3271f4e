package bch_test

import (
	"fmt"
	"os"

	"pica200/assets/bch"
)

// A file is read and converted to the structures of CGFX.
func Example() {
	data, err := os.ReadFile("testdata/whole.bch")
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := bch.Parse(data)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, notes := f.Resources()
	fmt.Println(r.Models.Names(), len(notes) > 0, len(f.Findings))
	// Output: [Model] true 0
}
