package tree_test

import (
	"fmt"
	"log"
	"os"

	"pica200/assets/tree"
)

// A file of a number and two bytes as text.
func ExampleWriteText() {
	data := []byte{2, 0, 7, 9}
	root := tree.Group("", 0, 4, "an example",
		tree.Field("count", 0, 2, uint16(2), ""),
		tree.List("values", 2, 2, "", 2, func(i int) *tree.Node {
			return tree.Fieldf(fmt.Sprint(i), 2+int64(i), 1, data[2+i], "%d apples", data[2+i])
		}))
	var found tree.Findings
	found.Problemf(3, "more than 8 apples")
	d := tree.Document{Format: "apples", Size: 4, Root: root}
	if err := tree.WriteText(os.Stdout, d, found, tree.Options{}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 00000000 4        : an example
	// 00000000 2          count: 0x2
	// 00000002 2          values
	// 00000002 1            0: 7 apples
	// 00000003 1            1: 9 apples
	// findings: 1
	//   0x3: problem: more than 8 apples
}
