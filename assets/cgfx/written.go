package cgfx

import "pica200/assets/tree"

// CheckWritten reports bytes that differ when the parsed file is written again.
func CheckWritten(data []byte, encode func() ([]byte, error)) (out tree.Findings) {
	back, err := encode()
	if err != nil {
		out.Problemf(tree.NoOffset, "it cannot be written back: %v", err)
		return out
	}
	if len(back) != len(data) {
		out.Problemf(tree.NoOffset, "written back it has 0x%x bytes, it had 0x%x", len(back), len(data))
		return out
	}
	for i := 0; i < len(data); i++ {
		if back[i] == data[i] {
			continue
		}
		end := i + 1
		for end < len(data) && back[end] != data[end] {
			end++
		}
		if len(out) == maxDifferences {
			out.Problemf(int64(i), "written back more bytes differ from here on")
			return out
		}
		out.Problemf(int64(i), "written back %d bytes differ", end-i)
		i = end
	}
	return out
}

// maxDifferences bounds the ranges of bytes that CheckWritten reports.
const maxDifferences = 16
