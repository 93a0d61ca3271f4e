package shbin

import "pica200/assets/tree"

// Structures lists every structure of DVLB and DVOJ with all of its bytes.
func Structures() []tree.Structure {
	return []tree.Structure{dvlbHeader.Structure, offsets.Structure, dvlpHeader.Structure, dvlpShort.Structure, dvleHeader.Structure, dvojHeader.Structure,
		words.Structure, descriptors.Structure, constants.Structure, labels.Structure, outputs.Structure, uniforms.Structure, lines.Structure, relocs.Structure}
}

// table is where a table stands: its position from the start of the section whose header says
// it, and the number of its entries.
type table struct{ at, n uint32 }

func (t *table) fields(f *tree.Fields, name, entries string) {
	tree.Number(f, name+" offset", &t.at)
	tree.Number(f, entries, &t.n, "%d")
}

// from returns the offset in the file of a table of a section at base.
func (t table) from(base int64) int64 { return base + int64(t.at) }

// entry returns the offset of entry i.
func (t table) entry(base int64, i, size int) int64 { return t.from(base) + int64(size*i) }

// set assigns an offset to a table of n entries and returns the offset after it.
func (t *table) set(at uint32, n, size int) uint32 {
	*t = table{at, uint32(n)}
	return at + uint32(n*size)
}

// parse reads the entries of a table of a section at base. what names it in the error that r keeps.
func parse[T any](r *reader, entry tree.Record[T], base int, t table, what string) []T {
	b := r.array(base, t.at, t.n, entry.Size, what)
	list := make([]T, len(b)/entry.Size)
	for i := range list {
		entry.Read(b[entry.Size*i:], &list[i])
	}
	return list
}

// write writes entries in order.
func write[T any](entry tree.Record[T], list []T) (b []byte) {
	for i := range list {
		b = entry.Append(b, &list[i])
	}
	return b
}
