// Package plural writes counts of things: "1 draw", "2 draws".
package plural

import "fmt"

// Of returns a number with the name of what is counted and a plural s: "1
// frame", "2 frames".
func Of(n int, name string) string {
	if n == 1 {
		return "1 " + name
	}
	return fmt.Sprintf("%d %ss", n, name)
}
