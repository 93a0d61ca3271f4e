package session

import (
	"pica200/pipeline"
	"pica200/rows"
)

// TableRead is where a fragment read a lighting table.
type TableRead struct {
	Input float64 // from 0 to 1, or from -1 where it is signed
	Entry float64 // of the hardware's, with the part of the way to the next
}

// TableReads returns where a fragment read the lighting tables, by their numbers
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
