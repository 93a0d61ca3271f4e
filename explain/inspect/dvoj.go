package inspect

import (
	"errors"
	"fmt"
	"slices"

	"pica200/assets/shbin"
	"pica200/assets/tree"
	"pica200/internal/plural"
	"pica200/shaderunit"
)

func openDVOJ(data []byte) (*tree.Node, func() tree.Findings, error) {
	o, err := shbin.ParseObject(data)
	if err != nil {
		return nil, nil, shaderError("dvoj", err)
	}
	f := fields{data}
	table := func(at int64) int64 { return int64(f.u32(at)) }
	lines, relocs := table(0x30), table(0x38)
	n := []*tree.Node{
		tree.Field("magic", 0, 4, "DVOJ", ""),
		f.half("version", 4, ""),
		tree.Fieldf("type", 6, 1, uint8(o.Type), "%v", o.Type),
		tree.Fieldf("merge output maps", 7, 1, o.Merge, "%d", o.Merge),
		f.half("input mask", 8, "%016b"), f.half("output mask", 10, "%016b"),
		geometryNode(o),
		f.word("constant offset", 0x10, ""), f.word("constants", 0x14, "%d"),
		f.word("label offset", 0x18, ""), f.word("labels", 0x1C, "%d"),
		f.word("code offset", 0x20, ""), f.word("code words", 0x24, "%d"),
		f.word("descriptor offset", 0x28, ""), f.word("descriptors", 0x2C, "%d"),
		f.word("line offset", 0x30, ""), f.word("lines", 0x34, "%d"),
		f.word("relocation offset", 0x38, ""), f.word("relocations", 0x3C, "%d"),
		f.word("output offset", 0x40, ""), f.word("outputs", 0x44, "%d"),
		f.word("uniform offset", 0x48, ""), f.word("uniforms", 0x4C, "%d"),
		f.word("symbol offset", 0x50, ""), f.word("symbol bytes", 0x54, "%d"),
		constantsNode(o.Constants, table(0x10)), labelsNode(o.Labels, table(0x18)),
		codeNode(o.Code, o.Descriptors, table(0x20)),
		tree.List("descriptors", table(0x28), 8*int64(len(o.Descriptors)), "", len(o.Descriptors), func(i int) *tree.Node {
			return descriptorNode(i, o.Descriptors[i], table(0x28)+8*int64(i))
		}),
		linesNode(o.Lines, lines),
		tree.List("relocations", relocs, 12*int64(len(o.Relocs)), "", len(o.Relocs), func(i int) *tree.Node {
			r, at := o.Relocs[i], relocs+12*int64(i)
			return tree.Group(fmt.Sprint(i), at, 12, r.Name,
				tree.Fieldf("instruction", at, 4, r.Addr, "%03x", r.Addr),
				tree.Fieldf("kind", at+4, 4, uint32(r.Kind), "%d", uint32(r.Kind)),
				tree.Field("value", at+8, 4, r.Value, ""))
		}),
		outputsNode(o.Outputs, table(0x40)), uniformsNode(o.Uniforms, table(0x48)),
		namesNode("symbols", o.Symbols, table(0x50)),
	}
	root := tree.Group("", 0, 0, fmt.Sprintf("shader object before linking, %v, %s", o.Type, plural.Of(len(o.Code), "instruction")), n...)
	return root, func() tree.Findings { return checkDVOJ(o, data) }, nil
}

func geometryNode(o *shbin.Object) *tree.Node {
	if !o.HasGeometry {
		return tree.Field("geometry", 12, 4, nil, "none")
	}
	return tree.Group("geometry", 12, 4, o.Geometry.Mode.String(),
		tree.Fieldf("mode", 12, 1, uint8(o.Geometry.Mode), "%v", o.Geometry.Mode),
		tree.Fieldf("fixed mode: first uniform", 13, 1, o.Geometry.FixedStart, "c%d", o.Geometry.FixedStart),
		tree.Fieldf("variable mode: full vertices", 14, 1, o.Geometry.VariableNum, "%d", o.Geometry.VariableNum),
		tree.Fieldf("fixed mode: vertices", 15, 1, o.Geometry.FixedNum, "%d", o.Geometry.FixedNum))
}

// shaderError returns an error with the place of the damage in a shader file.
func shaderError(format string, err error) error {
	var e *shbin.Error
	if errors.As(err, &e) {
		return fmt.Errorf("%s: offset 0x%x: %s", format, e.Offset, e.Msg)
	}
	return fmt.Errorf("%s: %w", format, err)
}

func checkDVOJ(o *shbin.Object, data []byte) tree.Findings {
	var out tree.Findings
	if again, err := shbin.WriteObject(o); err != nil {
		out.Problemf(0, "cannot be written again: %v", err)
	} else if !slices.Equal(again, data) {
		out.Notef(0, "comes out of the writer with its tables in another order or place")
	}
	odd(&out, o.Odd)
	f := fields{data}
	table := func(field int64) int64 { return int64(f.u32(field)) }
	if !knownVersion(uint32(o.Version)) {
		out.Notef(4, "version 0x%X; 0, 0x0C02 and 0x1002 are known", o.Version)
	}
	if len(o.Code) == 0 {
		out.Problemf(0x24, "the object has no code")
	}
	checkCode(&out, o.Code, o.Descriptors, table(0x20), table(0x28))
	checkLines(&out, o.Lines, o.Symbols, table(0x30), len(o.Code))
	checkRelocs(&out, o, table(0x38))
	s := shaderTables{
		out: &out, words: len(o.Code), typ: o.Type, merge: o.Merge, inputMask: o.InputMask, outputMask: o.OutputMask,
		geometry: o.Geometry, constants: o.Constants, labels: o.Labels, outputs: o.Outputs, uniforms: o.Uniforms, symbols: o.Symbols,
		typeAt: 6, maskAt: 8, geometryAt: 0xC,
		constantAt: table(0x10), labelAt: table(0x18), outputAt: table(0x40), unifAt: table(0x48), symbolAt: table(0x50),
	}
	s.check()
	if o.Type == shbin.GeometryShader && !o.HasGeometry {
		out.Notef(0xC, "a geometry shader without its mode")
	}
	return out
}

// checkRelocs checks that each instruction with operands has one relocation. A
// relocation of something else than the instruction refers to is only a note:
// other tools may write other words there.
func checkRelocs(out *tree.Findings, o *shbin.Object, at int64) {
	of := map[uint32]bool{}
	for i, r := range o.Relocs {
		where := at + 12*int64(i)
		if of[r.Addr] {
			out.Problemf(where, "relocation %d is for instruction %03x, which has one", i, r.Addr)
		}
		of[r.Addr] = true
		in := shaderunit.Decode(o.Code[r.Addr])
		info := in.Info()
		if info == nil || info.Format == shaderunit.Format0 {
			out.Problemf(where, "relocation %d is for instruction %03x, which has no operands", i, r.Addr)
			continue
		}
		described := info.Format.DescLimit() > 0
		switch r.Kind {
		case shbin.RelocDescriptor:
			if !described || r.Value != uint32(in.Desc) {
				out.Notef(where+8, "relocation %d: operand descriptor %d, instruction %03x (%s) has %d", i, r.Value, r.Addr, info.Name, in.Desc)
			}
		case shbin.RelocAddress:
			if described || r.Value > uint32(len(o.Code)) {
				out.Notef(where+8, "relocation %d: address %03x in instruction %03x (%s), the code has %d words", i, r.Value, r.Addr, info.Name, len(o.Code))
			}
		case shbin.RelocCall:
			if described || r.Name == "" {
				out.Notef(where+8, "relocation %d: procedure %q in instruction %03x (%s)", i, r.Name, r.Addr, info.Name)
			}
		case shbin.RelocNone:
			if described || r.Value != 0 {
				out.Notef(where+4, "relocation %d: none in instruction %03x (%s), with the value 0x%X", i, r.Addr, info.Name, r.Value)
			}
		default:
			out.Notef(where+4, "relocation %d: kind %d; 0 to 3 are known", i, uint32(r.Kind))
		}
	}
	missing := 0
	for i, w := range o.Code {
		if info := shaderunit.Decode(w).Info(); info != nil && info.Format != shaderunit.Format0 && !of[uint32(i)] {
			missing++
		}
	}
	if missing > 0 {
		out.Problemf(0x3C, "%d instructions with operands have no relocation", missing)
	}
}
