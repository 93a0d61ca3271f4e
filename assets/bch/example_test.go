package bch_test

import (
	"fmt"

	"pica200/assets/bch"
)

// A file with an empty model, written and read.
func Example() {
	f := bch.File{Models: []*bch.Model{{Name: "box", Flags: 1}}}
	data, err := f.Write()
	if err != nil {
		fmt.Println(err)
	}
	g, err := bch.Parse(data)
	if err != nil {
		fmt.Println(err)
	}
	r, notes := g.Resources()
	fmt.Println(r.Models.Names(), len(notes), len(g.Findings))
	// Output: [box] 0 0
}
