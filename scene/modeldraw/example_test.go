package modeldraw_test

import (
	"fmt"

	"pica200/assets/cgfx"
	"pica200/scene/modeldraw"
)

// A Set gives the contents of a file and the names of its animations.
func Example() {
	var f cgfx.File
	f.Models.Add("COMMON", &cgfx.Model{Object: cgfx.Object{Kind: cgfx.KindModel, Name: "COMMON"}})
	data, err := f.Relayout()
	if err != nil {
		fmt.Println(err)
	}
	set, err := modeldraw.Open(data)
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(set.Contents())
	_, err = set.Animation("walk")
	fmt.Println(err)
	// Output:
	// model COMMON: 0 meshes, 0 materials, 0 bones; 0 textures, 0 animations
	// there is no animation "walk"; the file has none
}
