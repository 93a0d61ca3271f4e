package banner_test

import (
	"fmt"

	"pica200/assets/banner"
	"pica200/assets/cgfx"
	"pica200/assets/model"
	"pica200/pica"
)

// Build makes a banner from a box; Parse reads it.
func ExampleBuild() {
	box, err := model.Box(2, 1, 1, 1)
	if err != nil {
		fmt.Println(err)
	}
	box.Material = -1
	m := &model.Model{Meshes: []model.Mesh{{Parts: []model.Part{box}}}, Nodes: []model.Node{{Name: "box", Parent: -1, TRS: model.Identity, Skin: -1, Shown: true}}}
	f, notes, err := banner.Build(m, banner.Options{Format: pica.TextureFormatETC1A4, Animation: -1})
	if err != nil {
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
	common := g.Models.Get("COMMON")
	fmt.Println(len(notes), g.Check().Problems(), common.Skeleton.Bones.Names(), common.Meshes[0].NodeName)
	// Output: 0 0 [Root box] box_0
}
