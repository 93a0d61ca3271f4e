package container

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"pica200/assets/bch"
	"pica200/assets/cgfx"
	"pica200/assets/tree"
)

// extractCGFX reads the shaders of a CGFX file. Invalid binaries are skipped, and
// objects that only name a shader.
func extractCGFX(data []byte) (found []Shader, err error) {
	f, err := cgfx.Parse(data)
	if err != nil {
		return nil, err
	}
	seen := map[*cgfx.Shader]bool{}
	total := 0
	for i, e := range f.Shaders.Entries {
		if e.Value == nil || seen[e.Value] {
			continue
		}
		seen[e.Value] = true
		s, ok := at(e.Value.Binary, 0)
		if !ok {
			continue
		}
		s.Offset, s.Where = f.OffsetOf(e.Value.Binary), "shader "+cmp.Or(e.Name, fmt.Sprint(i))
		found = append(found, s)
		// Objects may share a binary, but the total size is bounded.
		if total += len(s.Data); total > 4*len(data) {
			return nil, fmt.Errorf("CGFX: the shader binaries overlap: %d of them have more than four times the file's 0x%X bytes", len(found), len(data))
		}
	}
	for _, x := range f.Findings { // of the dictionary, or of a file that has one
		about := strings.HasPrefix(x.Message, "shaders:") || len(f.Shaders.Entries) > 0
		if len(found) == 0 && x.Level == tree.Problem && about {
			return nil, fmt.Errorf("CGFX: no shader binary; the file is damaged: %v", x)
		}
	}
	return found, nil
}

// extractBCH reads the shaders of a BCH file, whose objects have the position and
// size of their binaries. Invalid binaries are skipped.
func extractBCH(data []byte) (found []Shader, err error) {
	f, err := bch.Parse(data)
	if err != nil {
		return nil, err
	}
	total := 0
	for _, x := range f.Shaders {
		if x == nil {
			continue
		}
		s, ok := at(x.Binary, 0)
		if !ok {
			continue
		}
		// Relocation does not change binaries, so it is in the file unchanged.
		s.Offset, s.Where = bytes.Index(data, s.Data), "shader "+x.Name
		found = append(found, s)
		if total += len(s.Data); total > 4*len(data) {
			return nil, fmt.Errorf("BCH: the shader binaries overlap: %d of them have more than four times the file's 0x%X bytes", len(found), len(data))
		}
	}
	return found, nil
}

// extractBanner reads the shaders of a banner's models. Models are packed, so
// the binaries have no offset in the file. Regions may share a model.
func extractBanner(data []byte) (found []Shader, err error) {
	b, err := cgfx.ParseBanner(data)
	if err != nil {
		return nil, err
	}
	seen := map[*cgfx.Packed]bool{}
	for i, p := range b.Models {
		if p == nil || seen[p] || !cgfx.Is(p.Data) {
			continue
		}
		seen[p] = true
		list, err := extractCGFX(p.Data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", cgfx.Regions[i], err)
		}
		for _, s := range list {
			s.Offset, s.Where = -1, cgfx.Regions[i]+", "+s.Where
			found = append(found, s)
		}
	}
	return found, nil
}
