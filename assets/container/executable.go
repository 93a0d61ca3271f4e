package container

import (
	"fmt"
)

// extract3DSX searches the segments of a homebrew executable and the file
// system behind them. Linked-in shaders are in the read-only data segment.
func extract3DSX(data []byte) ([]Shader, error) {
	if len(data) < 0x20 {
		return nil, fmt.Errorf("3DSX: a header of 0x20 bytes expected, but the file has 0x%X", len(data))
	}
	header, relocHeader := int64(le.Uint16(data[4:])), int64(le.Uint16(data[6:]))
	sizes := [3]int64{}
	for i := range sizes {
		sizes[i] = int64(le.Uint32(data[0x10+4*i:]))
	}
	bss := int64(le.Uint32(data[0x1C:]))
	if header < 0x20 || bss > sizes[2] {
		return nil, fmt.Errorf("3DSX: header of 0x%X bytes and bss of 0x%X in a data segment of 0x%X", header, bss, sizes[2])
	}
	sizes[2] -= bss
	at := header + 3*relocHeader
	var found []Shader
	for i, name := range [3]string{"code segment", "rodata segment", "data segment"} {
		if at+sizes[i] > int64(len(data)) {
			return nil, fmt.Errorf("3DSX: the %s ends at 0x%X, but the file has 0x%X bytes", name, at+sizes[i], len(data))
		}
		found = append(found, scan(data, int(at), int(at+sizes[i]), name)...)
		at += sizes[i]
	}
	if header >= 0x2C && len(data) >= 0x2C {
		if romfs := int64(le.Uint32(data[0x28:])); romfs >= at && romfs < int64(len(data)) {
			found = append(found, scan(data, int(romfs), len(data), "RomFS")...)
		}
	}
	return found, nil
}

// extractELF searches the loaded segments of a 32-bit little-endian ELF file, or, in an
// object file, which has none, its sections with contents.
func extractELF(data []byte) ([]Shader, error) {
	if len(data) < 0x34 {
		return nil, fmt.Errorf("ELF: a header of 0x34 bytes expected, but the file has 0x%X", len(data))
	}
	if data[4] != 1 || data[5] != 1 {
		return nil, fmt.Errorf("ELF: class %d, byte order %d, expected 1 and 1: 32 bits, little endian", data[4], data[5])
	}
	type segment struct {
		start, end int64
		where      string
	}
	var parts []segment
	table := func(offset, size, count int64, visit func(b []byte, i int64)) error {
		if count == 0 {
			return nil
		}
		if size < 0x20 || offset+size*count > int64(len(data)) {
			return fmt.Errorf("ELF: a table of %d entries of %d bytes at 0x%X, but the file has 0x%X bytes", count, size, offset, len(data))
		}
		for i := range count {
			visit(data[offset+size*i:offset+size*(i+1)], i)
		}
		return nil
	}
	const (
		loadSegment    = 1
		nobitsSection  = 8
		progbitsOffset = 0x10
	)
	err := table(int64(le.Uint32(data[0x1C:])), int64(le.Uint16(data[0x2A:])), int64(le.Uint16(data[0x2C:])), func(b []byte, i int64) {
		if le.Uint32(b) == loadSegment {
			start := int64(le.Uint32(b[4:]))
			parts = append(parts, segment{start, start + int64(le.Uint32(b[progbitsOffset:])), fmt.Sprintf("segment %d", i)})
		}
	})
	if err != nil {
		return nil, err
	}
	if len(parts) == 0 {
		err = table(int64(le.Uint32(data[0x20:])), int64(le.Uint16(data[0x2E:])), int64(le.Uint16(data[0x30:])), func(b []byte, i int64) {
			if kind := le.Uint32(b[4:]); kind != 0 && kind != nobitsSection {
				start := int64(le.Uint32(b[0x10:]))
				parts = append(parts, segment{start, start + int64(le.Uint32(b[0x14:])), fmt.Sprintf("section %d", i)})
			}
		})
		if err != nil {
			return nil, err
		}
	}
	var found []Shader
	seen := map[int]bool{}
	for _, p := range parts {
		if p.end > int64(len(data)) {
			return nil, fmt.Errorf("ELF: %s ends at 0x%X, but the file has 0x%X bytes", p.where, p.end, len(data))
		}
		for _, s := range scan(data, int(p.start), int(p.end), p.where) {
			if !seen[s.Offset] {
				seen[s.Offset] = true
				found = append(found, s)
			}
		}
	}
	return found, nil
}
