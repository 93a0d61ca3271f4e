package shbin

import (
	"bytes"

	"pica200/assets/tree"
)

// Extent returns the size of the DVLB or DVOJ that data begins with: the end of
// its last table, rounded up to a word if zeros follow, as writers of these
// files do. It is false if the file does not fit into data.
func Extent(data []byte) (size int, ok bool) {
	x := &extent{data: data, ok: true}
	if bytes.HasPrefix(data, []byte(MagicDVOJ)) {
		var o Object
		reach(x, dvojHeader, 0, &o)
		e := o.executable()
		x.tables(&e, 0)
		x.table(0, o.code, words.Structure)
		x.table(0, o.descriptors, descriptors.Structure)
		x.table(0, o.lines, lines.Structure)
		x.table(0, o.relocs, relocs.Structure)
	} else {
		x.file()
	}
	end := x.end
	for end%4 != 0 && end < uint64(len(data)) && data[end] == 0 {
		end++
	}
	return int(end), x.ok
}

// extent finds the end of the last table.
type extent struct {
	data []byte
	end  uint64
	ok   bool
}

func (x *extent) file() {
	var n uint32
	reach(x, dvlbHeader, 0, &n)
	if x.ok = x.ok && n <= MaxExecutables; !x.ok {
		return
	}
	at := uint64(dvlbHeader.Size)
	executables := make([]uint32, n)
	for i := range executables {
		reach(x, offsets, at, &executables[i])
		at += uint64(offsets.Size)
	}
	if !x.ok {
		return
	}
	var p Program
	p.short = programHeader(x.data) == dvlpShort.Size
	reach(x, p.header(), at, &p)
	x.table(at, p.code, words.Structure)
	x.table(at, p.descriptors, descriptors.Structure)
	x.table(at, p.lines, lines.Structure)
	x.table(at, p.names, symbolByte)
	for _, at := range executables {
		var e Executable
		reach(x, dvleHeader, uint64(at), &e)
		x.tables(&e, uint64(at))
	}
}

var symbolByte = tree.Structure{Size: 1}

// reach extends to the end of a structure and reads it.
func reach[T any](x *extent, r tree.Record[T], at uint64, v *T) {
	x.reach(at + uint64(r.Size))
	if x.ok {
		r.Read(x.data[at:], v)
	}
}

func (x *extent) reach(end uint64) {
	x.ok = x.ok && end <= uint64(len(x.data))
	x.end = max(x.end, end)
}

// table extends to the end of a table of a section at base.
func (x *extent) table(base uint64, t table, entry tree.Structure) {
	if t.n > 0 {
		x.reach(base + uint64(t.at) + uint64(t.n)*uint64(entry.Size))
	}
}

func (x *extent) tables(e *Executable, base uint64) {
	x.table(base, e.constants, constants.Structure)
	x.table(base, e.labels, labels.Structure)
	x.table(base, e.outputs, outputs.Structure)
	x.table(base, e.uniforms, uniforms.Structure)
	x.table(base, e.symbols, symbolByte)
}
