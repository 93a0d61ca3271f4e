//go:build unix

package resources

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"

	"pica200/assets/cgfx"
)

func init() {
	files = append(files,
		hostile{"a CGFX model that draws a mesh ever again", "a.cgfx", manyMeshes, []string{"render FILE -o OUT/", "extract FILE -o OUT2/"}, 0},
		hostile{"a CGFX file whose textures are one", "a.cgfx", oneTexture, []string{"extract FILE -o OUT/"}, 0},
		hostile{"a banner that unpacks to zeros", "a.bnr", zeros, []string{"render FILE -o OUT/"}, 0},
		hostile{"a BCH model of many meshes", "a.bch", manyBCHMeshes, []string{"render FILE -o OUT/", "inspect FILE --check", "extract FILE -o OUT2/"}, 0},
		hostile{"a BCH file whose entries are one model", "a.bch", oneBCHModel, []string{"render FILE -o OUT/", "inspect FILE --check"}, 0},
	)
}

// arm reads a file of testdata/models.
func arm(name string) []byte {
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "models", name))
	if err != nil {
		panic(err)
	}
	return data
}

func must(data []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return data
}

// manyMeshes is a model with 60000 pointers to one mesh.
func manyMeshes() []byte {
	f, err := cgfx.Parse(arm("arm.cgfx"))
	if err != nil {
		panic(err)
	}
	m := f.Models.Values()[0]
	for len(m.Meshes) < 60000 {
		m.Meshes = append(m.Meshes, m.Meshes[0])
	}
	return must(f.Relayout())
}

// oneTexture is a file with a 4 MiB texture under many names.
func oneTexture() []byte {
	f, err := cgfx.Parse(arm("textures.cgfx"))
	if err != nil {
		panic(err)
	}
	t := f.Textures.Values()[0]
	t.Width, t.Height, t.Levels = 1024, 1024, 1
	t.Images[0].Data = make([]byte, 4<<20)
	for _, x := range f.Textures.Values()[1:] {
		x.Width, x.Height, x.Levels, x.Format, x.Kind, x.Images = 1024, 1024, 1, t.Format, t.Kind, t.Images
	}
	for len(f.Textures.Entries) < 2000 {
		f.Textures.Entries = append(f.Textures.Entries, cgfx.Entry[cgfx.Texture]{Name: "t", Value: t})
	}
	return must(f.Relayout())
}

// zeros is a banner whose model decompresses to the maximum size.
func zeros() []byte {
	return must(cgfx.BuildBanner(make([]byte, 8<<20), nil))
}

// flatBCH is arm.bch with its relocations applied, so that parts can be added that have none.
func flatBCH() (data []byte, model uint32) {
	data = arm("arm.bch")
	word := func(at uint32) uint32 { return le.Uint32(data[at:]) }
	contents, texts, commands, raw := word(8), word(12), word(16), word(20)
	base := map[uint32]uint32{0: contents, 1: texts, 2: commands, 4: raw, 5: raw, 6: raw, 7: raw | 1<<31, 8: raw}
	table, size := word(28), word(28+24)
	for at := table; at < table+size; at += 4 {
		v := word(at)
		place, target, source := v&0x1FFFFFF, v>>25&0xF, v>>29
		if target != 1 {
			place *= 4
		}
		place += base[source]
		le.PutUint32(data[place:], word(place)+base[target])
	}
	le.PutUint32(data[28+24:], 0)
	return data, word(word(contents))
}

// meshes gives the model n meshes that are all like its first.
func meshes(data []byte, model uint32, n int) []byte {
	const list, size = 64, 0x38 // where the model has pointer and number of its meshes; bytes of one
	first := le.Uint32(data[model+list:])
	mesh := bytes.Clone(data[first : first+size])
	for len(data)%4 != 0 {
		data = append(data, 0)
	}
	le.PutUint32(data[model+list:], uint32(len(data)))
	le.PutUint32(data[model+list+4:], uint32(n))
	data = append(data, bytes.Repeat(mesh, n)...)
	return append(data, make([]byte, 1<<20)...) // the larger the file, the more its structures may overlap
}

// manyBCHMeshes is a BCH model whose meshes are all one.
func manyBCHMeshes() []byte {
	data, model := flatBCH()
	return meshes(data, model, 400)
}

// oneBCHModel has a dictionary whose entries all point to one model with many meshes.
func oneBCHModel() []byte {
	data, model := flatBCH()
	data = meshes(data, model, 20)
	models := le.Uint32(data[8:])
	le.PutUint32(data[models:], uint32(len(data)))
	le.PutUint32(data[models+4:], 20)
	for range 20 {
		data = le.AppendUint32(data, model)
	}
	return data
}

var le = binary.LittleEndian
