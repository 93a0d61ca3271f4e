//go:build unix

package resources

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"

	"pica200/assets/bch"
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

// manyBCHMeshes is a BCH model whose meshes each use the indices of all meshes.
func manyBCHMeshes() []byte {
	f, err := bch.Parse(arm("arm.bch"))
	if err != nil {
		panic(err)
	}
	m := f.Models[0]
	mesh := m.Meshes[0]
	mesh.Data = mesh.Data[:32*16]
	for len(m.Meshes) < 2000 {
		m.Meshes = append(m.Meshes, mesh)
	}
	return must(f.Write())
}

// oneBCHModel has a dictionary whose entries all point to one model with many meshes.
func oneBCHModel() []byte {
	f, err := bch.Parse(arm("arm.bch"))
	if err != nil {
		panic(err)
	}
	f.Models[0].Meshes[0].Parts[0].Indices = []byte{0, 0, 1, 0, 2, 0}
	f.Models[0].Meshes[0].Data = f.Models[0].Meshes[0].Data[:32*3]
	for i := range 500 {
		m := *f.Models[0]
		m.Name = fmt.Sprint("m", i)
		m.Meshes = nil
		f.Models = append(f.Models, &m)
	}
	for range 300 {
		f.Models[0].Meshes = append(f.Models[0].Meshes, f.Models[0].Meshes[0])
	}
	data := must(f.Write())
	// The pointers of the entries: a dictionary has 12 bytes per entry, and its pointer list is the first of the contents.
	le := binary.LittleEndian
	list := le.Uint32(data[8:]) + le.Uint32(data[le.Uint32(data[8:]):])
	for i := range uint32(500) {
		copy(data[list+4*(i+1):], data[list:list+4])
	}
	return data
}
