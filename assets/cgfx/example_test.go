package cgfx_test

import (
	"fmt"

	"pica200/assets/cgfx"
)

// A file with an empty model, written and read.
func Example() {
	var f cgfx.File
	f.Models.Add("COMMON", &cgfx.Model{Object: cgfx.Object{Kind: cgfx.KindModel, Revision: 0x07000000, Name: "COMMON"}})
	if err := f.Models.Build(); err != nil {
		fmt.Println(err)
	}
	data, err := f.Relayout()
	if err != nil {
		fmt.Println(err)
	}
	g, err := cgfx.Parse(data)
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(g.Models.Names(), g.Models.Find("COMMON"), len(g.Findings))
	// Output: [COMMON] 0 0
}
