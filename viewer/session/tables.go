package session

import "pica200/frontend/dmp"

// A table is shown and edited in the order of its input: from 0 to 1 with one
// number more than the hardware has entries, the end of the last slope; or,
// where the input is signed, from -1 to 1, as many as there are entries.

// tableOf gives the table that a sampler reads, with the range that it is shown
// in; nil if it reads none.
func tableOf(s *dmp.State, name string) (values []float64, lo, hi float64) {
	entries, diffs, signed, err := s.Table(name)
	if err != nil || entries == nil {
		return nil, 0, 0
	}
	n := len(entries)
	for i := range n {
		k := i
		if signed {
			k = (i + n/2) % n // the hardware has -1 to 0 in the second half
		}
		values = append(values, float64(entries[k]))
	}
	if !signed {
		values = append(values, float64(entries[n-1]+diffs[n-1]))
	}
	hi = 1
	for _, v := range values {
		lo, hi = min(lo, v), max(hi, v)
	}
	if lo < 0 {
		lo = min(lo, -hi)
	}
	return values, lo, hi
}

// tableFrom is the opposite: numbers as SetTable takes them.
func tableFrom(values []any, s *dmp.State, name string) []float32 {
	out := make([]float32, len(values))
	for i, v := range values {
		if f, ok := v.(float64); ok {
			out[i] = float32(f)
		}
	}
	if _, _, signed, err := s.Table(name); err == nil && signed && len(out)%2 == 0 {
		h := len(out) / 2
		out = append(out[h:len(out):len(out)], out[:h]...)
	}
	return out
}
