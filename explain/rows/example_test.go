package rows_test

import (
	"encoding/json"
	"fmt"
	"os"

	"pica200/explain/rows"
)

// A row with a formula and one with a row below it, as text and as a JSON document.
func Example() {
	red := [4]uint8{255, 0, 0, 255}
	list := []rows.Row{
		rows.New("L.N", "{ln}, lit {lit}", "ln", rows.Float(-0.25), "lit", rows.Float(0)),
		rows.New("texture {unit}", "{color}", "unit", 0, "color", red).In("units[]",
			rows.New("{x},{y}", "{weight|%.3f} at 0x{address|%08X}", "x", 3, "y", 4, "weight", rows.Float(1), "address", 0x18000000).In("texels[]")),
	}
	rows.WriteText(os.Stdout, list, 1)
	document, err := json.Marshal(rows.Document(list))
	fmt.Println(string(document), err)
	// Output:
	//   L.N            -0.25, lit 0
	//   texture 0      255   0   0 255
	//     3,4          1.000 at 0x18000000
	// {"ln":-0.25,"lit":0,"units":[{"unit":0,"color":[255,0,0,255],"texels":[{"x":3,"y":4,"weight":1,"address":402653184}]}]} <nil>
}
