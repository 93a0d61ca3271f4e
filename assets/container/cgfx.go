package container

import (
	"fmt"
	"slices"
)

// CGFX: a header, then sections; the section DATA starts with counts and offsets of 16
// dictionaries, number 4 being the shaders. Offsets are relative to the word that holds
// them. A dictionary entry points to a name and to an object; the object of a shader
// has the magic SHDR at 4.
const (
	cgfxHeader      = 0x14
	cgfxDicts       = 16
	cgfxShaders     = 4
	dictHeader      = 0x1C
	dictEntry       = 0x10
	maxDictEntries  = 1 << 16
	shaderObject    = 0x18  // size of the common part of objects: type, magic, revision, name, metadata
	shaderObjectMax = 0x200 // bytes after that which are searched for the pointer to the binary
)

type resources struct{ data []byte }

func (f resources) u32(at int) (uint32, error) {
	if at < 0 || at > len(f.data)-4 {
		return 0, fmt.Errorf("CGFX: a word expected at 0x%X, but the file has 0x%X bytes", at, len(f.data))
	}
	return le.Uint32(f.data[at:]), nil
}

// follow returns the place that a self-relative offset points to, -1 if it is 0.
func (f resources) follow(at int) (int, error) {
	v, err := f.u32(at)
	if err != nil || v == 0 {
		return -1, err
	}
	to := int64(at) + int64(int32(v))
	if to < 0 || to >= int64(len(f.data)) {
		return -1, fmt.Errorf("CGFX: the offset at 0x%X points to 0x%X, but the file has 0x%X bytes", at, to, len(f.data))
	}
	return int(to), nil
}

func (f resources) magic(at int, want string) error {
	if at < 0 || at > len(f.data)-4 || string(f.data[at:at+4]) != want {
		return fmt.Errorf("CGFX: %s expected at 0x%X", want, at)
	}
	return nil
}

func (f resources) name(at int) string {
	for end := at; end < len(f.data) && end < at+256; end++ {
		if f.data[end] == 0 {
			return string(f.data[at:end])
		}
	}
	return ""
}

func extractCGFX(data []byte) (found []Shader, err error) {
	f := resources{data}
	if len(data) < cgfxHeader {
		return nil, fmt.Errorf("CGFX: a header of 0x%X bytes expected, but the file has 0x%X", cgfxHeader, len(data))
	}
	if bom := le.Uint16(data[4:]); bom != 0xFEFF {
		return nil, fmt.Errorf("CGFX: byte order mark 0x%04X at 4, expected 0xFEFF, little endian", bom)
	}
	sections, _ := f.u32(0x10)
	section := int(le.Uint16(data[6:]))
	dataAt := -1
	for i := uint32(0); i < sections && section <= len(data)-8; i++ {
		if string(data[section:section+4]) == "DATA" {
			dataAt = section
			break
		}
		size := int64(le.Uint32(data[section+4:]))
		if size < 8 || int64(section)+size > int64(len(data)) {
			break
		}
		section += int(size)
	}
	if dataAt < 0 {
		return nil, fmt.Errorf("CGFX: no DATA section among %d sections from 0x%X on", sections, le.Uint16(data[6:]))
	}
	field := dataAt + 8 + 8*cgfxShaders
	count, err := f.u32(field)
	if err != nil || count == 0 {
		return nil, err
	}
	dict, err := f.follow(field + 4)
	if err != nil {
		return nil, err
	}
	if err := f.magic(dict, "DICT"); err != nil {
		return nil, err
	}
	entries, err := f.u32(dict + 8)
	if err != nil {
		return nil, err
	}
	if entries != count || entries > maxDictEntries {
		return nil, fmt.Errorf("CGFX: %d shaders in the dictionary at 0x%X, expected %d", entries, dict, count)
	}
	names := make([]string, entries)
	objects := make([]int, entries)
	for i := range objects {
		entry := dict + dictHeader + dictEntry*i
		nameAt, err := f.follow(entry + 8)
		if err != nil {
			return nil, err
		}
		if objects[i], err = f.follow(entry + 12); err != nil {
			return nil, err
		}
		if objects[i] >= 0 {
			if err := f.magic(objects[i]+4, "SHDR"); err != nil {
				return nil, err
			}
		}
		names[i] = fmt.Sprintf("shader %d", i)
		if nameAt >= 0 {
			names[i] = "shader " + f.name(nameAt)
		}
	}
	ordered := slices.Sorted(slices.Values(objects))
	seen := map[int]bool{}
	total := 0
	for i, object := range objects {
		if object < 0 || seen[object] {
			continue
		}
		seen[object] = true
		end := object + shaderObject + shaderObjectMax
		if k, _ := slices.BinarySearch(ordered, object+1); k < len(ordered) {
			end = min(end, ordered[k])
		}
		if s, ok := f.shader(object, end); ok {
			s.Where = names[i]
			found = append(found, s)
			// Objects may share a binary, but the total size is bounded.
			if total += len(s.Data); total > 4*len(data) {
				return nil, fmt.Errorf("CGFX: the shader binaries overlap: %d of them have more than four times the file's 0x%X bytes", len(found), len(data))
			}
		}
	}
	return found, nil
}

// shader finds the binary of a SHDR object, which ends before the next object.
// The part after the common fields is not documented, so every word is tried as
// a self-relative offset, which other objects have there; the one that points
// to a shader binary is used. An object that only refers to a shader by name
// has none.
func (f resources) shader(object, end int) (Shader, bool) {
	for field := object + shaderObject; field < end; field += 4 {
		to, err := f.follow(field)
		if err != nil || to < 0 {
			continue
		}
		if s, ok := at(f.data, to); ok {
			return s, true
		}
	}
	return Shader{}, false
}
