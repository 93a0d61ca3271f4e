package session

import (
	"pica200/explain/rows"
	"pica200/pipeline"
)

// TableRead is one read of a lighting table by a fragment.
type TableRead struct {
	Input float64 // from 0 to 1, or from -1 if signed
	Entry float64 // the table entry, with the fraction of the way to the next
}

// TableReads returns a fragment's reads of the lighting tables, by table number
// (GPUREG_LIGHTING_LUT_INDEX).
func TableReads(e *pipeline.Event) map[int][]TableRead {
	found := map[int][]TableRead{}
	var look func(r *rows.Row)
	look = func(r *rows.Row) {
		number, isTable := r.Get("number").(int)
		input, ok := r.Get("input").(rows.Float)
		if isTable && ok {
			index, _ := r.Get("index").(int)
			fraction, _ := r.Get("fraction").(rows.Float)
			found[number] = append(found[number], TableRead{float64(input), float64(index) + float64(fraction)})
		}
		for i := range r.Rows {
			look(&r.Rows[i])
		}
	}
	row := e.Row()
	look(&row)
	return found
}
