// Package plural writes counts of things: "1 draw", "2 draws".
package plural

import (
	"fmt"
	"strings"
)

// Of returns a number with the name of what is counted and its plural, which
// ends in s: "1 frame", "2 frames", "2 passes".
func Of(n int, name string) string {
	if n == 1 {
		return "1 " + name
	}
	if strings.HasSuffix(name, "s") || strings.HasSuffix(name, "sh") {
		name += "e"
	}
	return fmt.Sprintf("%d %ss", n, name)
}
