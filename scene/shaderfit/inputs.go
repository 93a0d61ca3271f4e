package shaderfit

import (
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"pica200/assets/shbin"
	"pica200/shaderunit"
	"pica200/shaderunit/symbolic"
)

// outNames are the outputs that indicate an input's stream, in order of precedence.
var outNames = []struct {
	output shbin.OutputType
	stream string
}{
	{shbin.OutColor, "color"}, {shbin.OutTexCoord0, "texcoord"}, {shbin.OutTexCoord1, "texcoord1"}, {shbin.OutTexCoord2, "texcoord2"},
	{shbin.OutTexCoord0W, "texcoord"},
}

// inputsRead returns the inputs used by the code or the file's mask.
func (f *finder) inputsRead() (list []int, read uint16) {
	v := &f.p.File.Executables[f.p.Vertex]
	read = symbolic.Inputs(f.p.File, v)
	for r := range 16 {
		if (v.InputMask|read)>>r&1 != 0 {
			list = append(list, r)
		}
	}
	return list, read
}

// findInputs finds the stream of every input.
func (f *finder) findInputs() {
	regs, read := f.inputsRead()
	f.findPosition(regs)
	reach := f.reaches()
	normals := f.normals()
	quaternions := f.quaternions()
	index, weight := f.skinning()
	for _, reg := range regs {
		name, named := f.inputName(reg)
		in := Input{Reg: reg, Name: name, Constant: mgl64.Vec4{0, 0, 0, 1}}
		byName := ""
		if named {
			byName = streamOf(name)
		}
		say := func(stream, reason string) { in.Stream, in.Reason = stream, reason }
		switch {
		case f.p.Streams[reg] != "":
			say(f.p.Streams[reg], "as given")
		case reg == f.position && len(f.chain) > 0:
			say("position", "goes through "+f.matrixText(&f.chain[len(f.chain)-1])+" to the position")
			in.Said = f.declared(reg) && byName == "position"
		case reg == f.position && !f.p.All && f.declared(reg) && byName == "position":
			say("position", "by its name; no matrix moves it")
			in.Said = true
		case reg == f.position:
			say("ndc", "is the position without a matrix, so it is given as the camera sees it")
		case read>>reg&1 == 0:
			in.Reason = "not read"
		case byName != "":
			say(byName, "by its name")
			in.Said = f.declared(reg)
		case slices.Contains(index, reg):
			say("joints", "chooses registers")
		case slices.Contains(weight, reg):
			say("weights", "weighs matrices")
		case slices.Contains(quaternions, reg):
			in.Reason = "is the normal's quaternion: no turn"
		case reach[reg][shbin.OutNormalQuat] || normals[reg]:
			stream := "normal"
			if reach[reg][shbin.OutNormalQuat] && f.has("normal") {
				stream = "tangent"
			}
			say(stream, "is used as a direction")
		case named && isRotation(name) && reach[reg][shbin.OutPosition]:
			in.Constant, in.Reason = mgl64.Vec4{1, 0, 0, 1}, "is a rotation by its name: cosine 1, sine 0"
		default:
			f.byOutput(&in, reach[reg])
		}
		f.fit.Inputs = append(f.fit.Inputs, in)
	}
}

// declared reports whether an input has a name in the file.
func (f *finder) declared(reg int) bool {
	return slices.ContainsFunc(f.executable(false).Uniforms, func(u shbin.Uniform) bool {
		return u.Start < shbin.UniformFloat && int(u.Start) <= reg && reg <= int(u.End) && u.Name != ""
	})
}

func (f *finder) has(stream string) bool {
	return slices.ContainsFunc(f.fit.Inputs, func(in Input) bool { return in.Stream == stream })
}

// byOutput selects the stream of the output that an input reaches.
func (f *finder) byOutput(in *Input, reach map[shbin.OutputType]bool) {
	if reach[shbin.OutPosition] {
		if f.subtracted() {
			in.Stream, in.Reason = "position", "is another position: the first is subtracted"
			return
		}
		in.Constant = mgl64.Vec4{}
		in.Reason = "is added to the position"
		if f.multiplies(in.Reg) {
			in.Constant = mgl64.Vec4{1, 1, 1, 1}
			in.Reason = "scales the position"
		}
		return
	}
	for _, o := range outNames {
		if reach[o.output] && !f.packed(in.Reg, reach, o.output) {
			in.Stream, in.Reason = o.stream, "reaches "+o.output.String()
			return
		}
	}
	if reach[shbin.OutView] {
		in.Stream, in.Reason = "position", "reaches view"
		return
	}
	in.Reason = "reaches no output"
}

// subtracted reports whether the position is subtracted from something else, as between two shapes.
func (f *finder) subtracted() (found bool) {
	for _, n := range f.base[:3] {
		if n == nil {
			continue
		}
		walkValue(n, func(n *symbolic.Node) {
			if n.Kind != symbolic.Op || n.Op != shaderunit.OpADD {
				return
			}
			for i, a := range n.Args {
				other := inputsOf(n.Args[1-i])
				if a.Kind == symbolic.Op && a.Op == symbolic.Neg && a.Args[0].Kind == symbolic.Input && len(other) > 0 && !slices.Contains(other, a.Args[0].Reg) {
					found = true
				}
			}
		})
	}
	return found
}

// packed reports whether an input's x and y reach texture coordinates and its other components the colour: it is a texture
// coordinate with a packed colour.
func (f *finder) packed(reg int, reach map[shbin.OutputType]bool, output shbin.OutputType) bool {
	if output != shbin.OutColor || !reach[shbin.OutTexCoord0] {
		return false
	}
	uses := func(output shbin.OutputType) (set [4]bool) {
		for _, o := range f.outs {
			for _, n := range o[output] {
				for c := range set {
					set[c] = set[c] || contains(n, func(n *symbolic.Node) bool { return n.Kind == symbolic.Input && n.Reg == reg && n.Comp == c })
				}
			}
		}
		return set
	}
	c, t := uses(shbin.OutColor), uses(shbin.OutTexCoord0)
	return !c[0] && !c[1] && t[0]
}

// findPosition finds the input that the position depends on.
func (f *finder) findPosition(regs []int) {
	best := -1 << 30
	for _, reg := range regs {
		score, direct := 0, false
		for k := range 3 {
			if f.base[k] == nil {
				continue
			}
			walkValue(f.base[k], func(n *symbolic.Node) {
				if n.Kind == symbolic.Input && n.Reg == reg {
					direct = true
					if n.Comp == k {
						score += 4
					} else {
						score++
					}
				}
			})
		}
		if !direct {
			continue
		}
		name, named := f.inputName(reg)
		stream := f.p.Streams[reg]
		if stream == "" && named {
			stream = streamOf(name)
		}
		switch stream {
		case "position", "ndc":
			score += 1000
		case "":
			if f.multiplies(reg) {
				score -= 6
			}
		default:
			score -= 1000
		}
		if score > best {
			best, f.position = score, reg
		}
	}
	if f.position >= 0 && f.p.Streams[f.position] != "" && best < 0 {
		f.position = -1
	}
}

// walkValue is symbolic.Walk without the indices of relative registers, which are not part of a value.
func walkValue(n *symbolic.Node, each func(*symbolic.Node)) {
	symbolic.Walk(n, func(n *symbolic.Node) bool {
		each(n)
		return n.Kind != symbolic.Relative
	})
}

// multiplies reports whether the input of the first matrix has products of this input with other inputs.
func (f *finder) multiplies(reg int) (found bool) {
	for _, n := range f.base[:3] {
		if n == nil {
			continue
		}
		walkValue(n, func(n *symbolic.Node) {
			if n.Kind != symbolic.Op || n.Op != shaderunit.OpMUL {
				return
			}
			for i, a := range n.Args {
				b := n.Args[1-i]
				if a.Kind == symbolic.Input && a.Reg == reg && slices.ContainsFunc(inputsOf(b), func(o int) bool { return o < reg }) {
					found = true
				}
			}
		})
	}
	return found
}

// reaches returns which outputs depend on each input.
func (f *finder) reaches() map[int]map[shbin.OutputType]bool {
	reach := map[int]map[shbin.OutputType]bool{}
	for _, o := range f.outs {
		for kind, v := range o {
			for _, reg := range inputsOf(v[:]...) {
				if reach[reg] == nil {
					reach[reg] = map[shbin.OutputType]bool{}
				}
				reach[reg][kind] = true
			}
		}
	}
	return reach
}

// normals returns the inputs whose x, y and z go into a dot product of three components but not into the position, or, with
// anything but a uniform, into one of four.
func (f *finder) normals() map[int]bool {
	found := map[int]bool{}
	for _, o := range f.outs {
		for _, v := range o {
			for _, n := range v {
				symbolic.Walk(n, func(n *symbolic.Node) bool {
					if n.Kind == symbolic.Op && n.Op == shaderunit.OpDP4 && len(n.Args) == 6 {
						for _, half := range [][]*symbolic.Node{n.Args[:3], n.Args[3:]} {
							if reg, ok := whole(half); ok {
								found[reg] = true
							}
						}
					}
					// A direction with four components has w 0.
					if n.Kind == symbolic.Op && n.Op == shaderunit.OpDP4 && len(n.Args) == 8 {
						for _, half := range [][]*symbolic.Node{n.Args[:4], n.Args[4:]} {
							if reg, ok := whole(half[:3]); ok && half[3].Kind == symbolic.Const && half[3].Value == 0 {
								found[reg] = true
							}
						}
					}
					return true
				})
			}
		}
	}
	delete(found, f.position)
	return found
}

// whole reports whether three nodes are x, y and z of one input, up to signs and factors.
func whole(v []*symbolic.Node) (reg int, ok bool) {
	for k, n := range v {
		for n.Kind == symbolic.Op && (n.Op == symbolic.Neg || n.Op == shaderunit.OpMUL) {
			next := n.Args[0]
			if n.Op == shaderunit.OpMUL && len(inputsOf(next)) == 0 {
				next = n.Args[1]
			}
			n = next
		}
		if n.Kind != symbolic.Input || n.Comp != k || k > 0 && n.Reg != reg {
			return 0, false
		}
		reg = n.Reg
	}
	return reg, true
}

// quaternions lists the inputs copied to the quaternion output.
func (f *finder) quaternions() (list []int) {
	for _, o := range f.outs {
		v, ok := o[shbin.OutNormalQuat]
		if !ok || v[0] == nil || v[1] == nil {
			continue
		}
		if v[0].Kind == symbolic.Input && v[1].Kind == symbolic.Input && v[0].Reg == v[1].Reg {
			list = append(list, v[0].Reg)
		}
	}
	return list
}

// skinning finds the inputs that index registers, and those that weight the indexed values.
func (f *finder) skinning() (index, weight []int) {
	relative := slices.ContainsFunc(f.chain, func(m matrix) bool { return m.relative })
	for _, o := range f.outs {
		v := o[shbin.OutPosition]
		for _, n := range v {
			symbolic.Walk(n, func(n *symbolic.Node) bool {
				if n.Kind == symbolic.Relative {
					index = append(index, inputsOf(n.Args[0])...)
				}
				return true
			})
			if !relative || n == nil {
				continue
			}
			walkValue(n, func(n *symbolic.Node) {
				if n.Kind == symbolic.Input && n.Reg != f.position && !slices.Contains(inputsOf(f.base[:]...), n.Reg) {
					weight = append(weight, n.Reg)
				}
			})
		}
	}
	return index, weight
}
