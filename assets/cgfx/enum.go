package cgfx

import "fmt"

// enumText names a value by its position in a list.
func enumText(v uint32, names ...string) string {
	if int64(v) < int64(len(names)) {
		return names[v]
	}
	return fmt.Sprintf("unknown (0x%x)", v)
}
