package shbin

// entry reads and writes entries of a table.
type entry[T any] struct {
	size  int // bytes
	read  func(b []byte) T
	write func(b []byte, v T) []byte // appends to b
}

// The tables of the DVLP, the DVLE and the DVOJ. Names are found in the symbols afterwards.
var (
	words       = entry[uint32]{4, le.Uint32, le.AppendUint32}
	descriptors = entry[Descriptor]{descBytes,
		func(b []byte) Descriptor { return Descriptor{le.Uint32(b), le.Uint32(b[4:])} },
		func(b []byte, d Descriptor) []byte { return append32(b, d.Word, d.Flags) }}
	lines = entry[Line]{lineBytes,
		func(b []byte) Line { return Line{Symbol: le.Uint32(b), Line: le.Uint32(b[4:])} },
		func(b []byte, l Line) []byte { return append32(b, l.Symbol, l.Line) }}
	relocs = entry[Reloc]{relocBytes,
		func(b []byte) Reloc {
			return Reloc{Addr: le.Uint32(b), Kind: RelocKind(le.Uint32(b[4:])), Value: le.Uint32(b[8:])}
		},
		func(b []byte, r Reloc) []byte { return append32(b, r.Addr, uint32(r.Kind), r.Value) }}
	constants = entry[Constant]{constantBytes,
		func(b []byte) Constant {
			return Constant{Kind: ConstantKind(b[0]), Pad1: b[1], Reg: b[2], Pad3: b[3], Data: [16]byte(b[4:20])}
		},
		func(b []byte, c Constant) []byte {
			return append(append(b, byte(c.Kind), c.Pad1, c.Reg, c.Pad3), c.Data[:]...)
		}}
	labels = entry[Label]{labelBytes,
		func(b []byte) Label {
			return Label{ID: le.Uint16(b), Unknown: le.Uint16(b[2:]), Addr: le.Uint32(b[4:]), Size: le.Uint32(b[8:]), Symbol: le.Uint32(b[12:])}
		},
		func(b []byte, l Label) []byte {
			return append32(append16(b, l.ID, l.Unknown), l.Addr, l.Size, l.Symbol)
		}}
	outputs = entry[Output]{outputBytes,
		func(b []byte) Output {
			return Output{OutputType(le.Uint16(b)), le.Uint16(b[2:]), le.Uint16(b[4:]), le.Uint16(b[6:])}
		},
		func(b []byte, o Output) []byte { return append16(b, uint16(o.Type), o.Reg, o.Mask, o.Unknown) }}
	uniforms = entry[Uniform]{uniformBytes,
		func(b []byte) Uniform {
			return Uniform{Symbol: le.Uint32(b), Start: le.Uint16(b[4:]), End: le.Uint16(b[6:])}
		},
		func(b []byte, u Uniform) []byte { return append16(append32(b, u.Symbol), u.Start, u.End) }}
)

// parse reads n entries at base+offset. what names the table in the error that r keeps.
func (t entry[T]) parse(r *reader, base int, offset, n uint32, what string) []T {
	b := r.part(base, offset, n, t.size, what)
	list := make([]T, len(b)/t.size)
	for i := range list {
		list[i] = t.read(b[t.size*i:])
	}
	return list
}

// bytes writes entries one after the other.
func (t entry[T]) bytes(list []T) (b []byte) {
	for _, v := range list {
		b = t.write(b, v)
	}
	return b
}

func append16(b []byte, list ...uint16) []byte {
	for _, v := range list {
		b = le.AppendUint16(b, v)
	}
	return b
}

func append32(b []byte, list ...uint32) []byte {
	for _, v := range list {
		b = le.AppendUint32(b, v)
	}
	return b
}
