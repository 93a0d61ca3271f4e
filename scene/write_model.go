package scene

import (
	"fmt"
	"strconv"
	"strings"
)

func (w *writer) vertices(v *Vertices) {
	if v == nil {
		return
	}
	w.open("vertices")
	w.text("file", v.File)
	w.text("format", v.Format)
	if v.Layout.Elements != nil {
		parts := make([]string, len(v.Layout.Elements))
		for i, e := range v.Layout.Elements {
			if e.Stream == "" {
				parts[i] = fmt.Sprintf("{skip: %d}", e.Size)
				continue
			}
			parts[i] = fmt.Sprintf("{stream: %s, type: %s, size: %d, scale: %s}", e.Stream, e.Type, e.Size, num(e.Scale))
		}
		w.line("layout", "["+strings.Join(parts, ", ")+"]")
	}
	w.whole("offset", v.Layout.Offset)
	w.whole("stride", int64(v.Layout.Stride))
	w.whole("count", int64(v.Layout.Count))
	w.close()
	if i := v.Indices; i != nil && i.List != nil {
		parts := make([]string, len(i.List))
		for k, n := range i.List {
			parts[k] = strconv.Itoa(int(n))
		}
		w.line("indices", "["+strings.Join(parts, ", ")+"]")
	} else if i != nil {
		w.open("indices")
		w.text("file", i.File)
		w.text("format", i.Format)
		w.text("type", i.Type)
		w.whole("offset", i.Offset)
		w.whole("count", int64(i.Count))
		w.close()
	}
	w.text("normals", v.Normals)
}

// whole writes a number that is not 0.
func (w *writer) whole(key string, v int64) {
	if v != 0 {
		w.line(key, strconv.FormatInt(v, 10))
	}
}
