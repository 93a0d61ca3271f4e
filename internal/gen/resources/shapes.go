package main

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"pica200/assets/banner"
	"pica200/assets/cgfx"
	"pica200/assets/model"
	"pica200/pica"
)

// shapes is a sheet of all kinds of shapes and materials: every vertex component type, in one buffer and in several, strips and
// fans, sets with their own bones, hidden meshes, tests, blending and layers.
func shapes() ([]byte, error) {
	var cells []cell
	add := func(name string, c cell) error {
		q, err := model.Quad(4, 4, 4, 4)
		for _, p := range q.Positions {
			q.Colors = append(q.Colors, mgl32.Vec4{p[0]/4 + 0.5, p[1]/4 + 0.5, 0.3, 1})
		}
		c.name, c.part = name, q
		cells = append(cells, c)
		return err
	}
	for _, name := range []string{"byte", "ubyte", "short", "ushort", "fixed", "streams", "rgb", "constant", "strip", "fan", "sets", "hidden",
		"node", "outside", "back", "front", "masked", "added", "behind", "stencil", "priority"} {
		if err := add(name, cell{blend: name == "added" || name == "rgb"}); err != nil {
			return nil, err
		}
	}
	f, err := sheet(cells, 7)
	if err != nil {
		return nil, err
	}
	m := f.Models.Get(banner.Common)
	for i, c := range cells {
		if err := change(f, m, i, c.name); err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
	}
	if err := f.BuildTrees(); err != nil {
		return nil, err
	}
	return f.Relayout()
}

// change makes the change that the cell's name describes.
func change(f *cgfx.File, m *cgfx.Model, i int, name string) error {
	sh, mesh, mat := m.Shapes[i], m.Meshes[i], m.Materials.Get(name)
	list := sh.Sets[0].Primitives[0].Streams[0]
	switch name {
	case "byte":
		return apart(sh, cgfx.Position, cgfx.Byte, 1.0/32, 3)
	case "ubyte":
		sh.Offset = mgl32.Vec3{-2, -2, 0}
		return apart(sh, cgfx.Position, cgfx.UnsignedByte, 1.0/32, 3)
	case "short":
		return apart(sh, cgfx.Position, cgfx.Short, 1.0/4096, 3)
	case "ushort": // the hardware does not fetch these
		sh.Offset = mgl32.Vec3{-2, -2, 0}
		return apart(sh, cgfx.Position, cgfx.UnsignedShort, 1.0/8192, 3)
	case "fixed":
		return apart(sh, cgfx.Position, cgfx.Fixed, 1, 3)
	case "streams":
		if err := apart(sh, cgfx.Position, cgfx.Float, 1, 3); err != nil {
			return err
		}
		return apart(sh, cgfx.Color, cgfx.Float, 1, 4)
	case "rgb":
		return apart(sh, cgfx.Color, cgfx.UnsignedByte, 1.0/255, 3)
	case "constant":
		if err := apart(sh, cgfx.Color, cgfx.Float, 1, 4); err != nil {
			return err
		}
		sh.Attributes[1] = &cgfx.Attribute{Kind: cgfx.AttributeFixed, Usage: cgfx.Color, Flags: 1, Format: cgfx.Float, Scale: 1, Values: []float32{0.9, 0.5, 0.1, 1}}
	case "strip": // the lowest row
		list.Mode, list.Format, list.Data = 1, cgfx.UnsignedShort, nil
		for x := range 5 {
			list.Data = binary.LittleEndian.AppendUint16(list.Data, uint16(x))
			list.Data = binary.LittleEndian.AppendUint16(list.Data, uint16(x+5))
		}
	case "fan": // about the middle
		list.Mode, list.Format, list.Data = 2, cgfx.UnsignedByte, []byte{12, 0, 4, 24, 20, 0}
	case "sets": // the upper half is attached to the next cell's bone
		bone := *sh.Sets[0]
		bone.Bones = []uint32{sh.Sets[0].Bones[0] + 1}
		half := *list
		list.Data, half.Data = list.Data[:len(list.Data)/2], list.Data[len(list.Data)/2:]
		bone.Primitives = []*cgfx.Primitive{{Streams: []*cgfx.IndexStream{&half}, Objects: []uint32{0}}}
		sh.Sets = append(sh.Sets, &bone)
	case "hidden":
		mesh.Visible = 0
	case "node":
		m.NodeVisibilities.Entries[mesh.Node].Value.Visible = 0
	case "outside": // indices of missing vertices remove their triangles
		for k := 0; k < len(list.Data); k += 9 {
			list.Data[k] = 200
		}
	case "back":
		mat.CullCommand[0] = uint32(pica.CullBack)
	case "front":
		mat.CullCommand[0] = uint32(pica.CullFront)
	case "masked": // by the vertices' alpha
		mat.Fragment.AlphaTest[0] = 1 | uint32(pica.CompareGreater)<<4 | 0x80<<8
		return alpha(sh)
	case "added": // the middle of it, over its neighbour
		mat.BlendCommand[2] = uint32(pica.FactorOne) | uint32(pica.FactorOne)<<4
		mat.BlendCommand[2] = mat.BlendCommand[2]<<16 | mat.BlendCommand[2]<<24
		sh.Offset = mgl32.Vec3{-2.2, 0, 0.5}
	case "behind": // drawn last, and behind its neighbour
		mat.Translucency = 3
		sh.Offset = mgl32.Vec3{2.2, 0, -0.5}
	case "stencil": // outside the frame
		mat.StencilCommand[0] = 1 | uint32(pica.CompareNotEqual)<<4 | 0xFF<<8 | 1<<16 | 0xFF<<24
		sh.Offset = mgl32.Vec3{0, 0.5, 0}
	case "priority": // before its neighbour at the same depth
		mesh.Priority = 0
		m.Meshes[i-1].Priority = 1
		sh.Offset = mgl32.Vec3{-2.2, 0, 0}
	}
	return nil
}

// apart moves a shape's attribute from the common buffer to a packed one of its own.
func apart(sh *cgfx.Shape, usage cgfx.Usage, format cgfx.DataType, scale float32, components int) error {
	in := sh.Attributes[0]
	for k, s := range in.Streams {
		if s.Usage != usage {
			continue
		}
		out := &cgfx.Attribute{Kind: cgfx.AttributeStream, Usage: usage, Format: format, Components: uint32(components), Scale: scale}
		for v := 0; v < len(in.Data); v += int(in.Stride) {
			for c := range components {
				x := in.Data[v+int(s.Offset):]
				value := float32(0)
				if s.Format == cgfx.Float {
					value = math.Float32frombits(binary.LittleEndian.Uint32(x[4*c:]))
				} else {
					value = float32(x[c]) * s.Scale
				}
				if usage == cgfx.Position {
					value -= sh.Offset[c]
				}
				whole := int32(math.Round(float64(value / scale)))
				switch format {
				case cgfx.Byte, cgfx.UnsignedByte:
					out.Data = append(out.Data, byte(whole))
				case cgfx.Short, cgfx.UnsignedShort:
					out.Data = binary.LittleEndian.AppendUint16(out.Data, uint16(whole))
				case cgfx.Fixed:
					out.Data = binary.LittleEndian.AppendUint32(out.Data, uint32(int32(value*65536)))
				case cgfx.Float:
					out.Data = binary.LittleEndian.AppendUint32(out.Data, math.Float32bits(value))
				}
			}
		}
		in.Streams = append(in.Streams[:k:k], in.Streams[k+1:]...)
		sh.Attributes = append(sh.Attributes, out)
		if len(in.Streams) == 0 {
			sh.Attributes = sh.Attributes[1:]
		}
		return nil
	}
	return fmt.Errorf("there is no %v", usage)
}

// alpha makes vertices more transparent towards the right.
func alpha(sh *cgfx.Shape) error {
	in := sh.Attributes[0]
	for _, s := range in.Streams {
		if s.Usage == cgfx.Color {
			for v := 0; v < len(in.Data); v += int(in.Stride) {
				in.Data[v+int(s.Offset)+3] = in.Data[v+int(s.Offset)]
			}
			return nil
		}
	}
	return fmt.Errorf("there are no colours")
}
