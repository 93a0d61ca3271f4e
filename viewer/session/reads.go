package session

import "pica200/explain"

// TableRead is one read of a lighting table by a fragment.
type TableRead struct {
	Input float64 // from 0 to 1, or from -1 if signed
	Entry float64 // the table entry, with the fraction of the way to the next
}

// TableReads returns a fragment's reads of the lighting tables, by table number
// (GPUREG_LIGHTING_LUT_INDEX).
func TableReads(e *explain.Event) map[int][]TableRead {
	found := map[int][]TableRead{}
	if e.Fragment == nil || e.Fragment.Lighting == nil {
		return found
	}
	for _, l := range e.Fragment.Lighting.Lights {
		for _, t := range l.Tables {
			found[t.Number] = append(found[t.Number], TableRead{float64(t.Entry.Input), float64(t.Entry.Index) + float64(t.Entry.Fraction)})
		}
	}
	return found
}
