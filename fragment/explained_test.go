package fragment_test

import (
	"pica200/explain"
	"pica200/explain/rows"
	"pica200/fragment"
	"pica200/pipeline"
)

func init() {
	fragment.TextOf = func(r *fragment.Record) []rows.Row {
		e := explain.Event{Event: pipeline.Event{Fragment: r}}
		row := e.Row()
		return row.Rows
	}
	fragment.CombinersOf = explain.CombinerRows
}
