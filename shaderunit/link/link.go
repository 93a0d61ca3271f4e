// Package link combines unlinked shader objects (DVOJ), which package asm makes, to programs.
package link

import (
	"fmt"

	"pica200/assets/shbin"
	"pica200/shaderunit"
	"pica200/shaderunit/asm"
)

// Input is an object with its name for messages.
type Input struct {
	Name   string
	Object *shbin.Object
}

// Options are the options of Objects.
type Options struct {
	// Labels keeps the objects' labels in the label tables of the executables. The
	// reference assembler writes none.
	Labels bool
	// Lines keeps the objects' line numbers and source names in the program.
	Lines bool
}

// Objects combines objects into one program with an executable for each object
// with an entry point, in order. Equal operand descriptors are shared; if
// necessary, those of MAD are moved to the front. A call that leaves an object
// goes to the procedure of that name in another object.
func Objects(opt Options, objects ...Input) (*shbin.File, error) {
	file, external, err := link(opt, objects)
	if err != nil {
		return nil, err
	}
	for _, o := range objects {
		for _, r := range o.Object.Relocs {
			if external[r.Name] && r.Kind == shbin.RelocCall {
				return nil, fmt.Errorf("link: %s%s calls the procedure %q, which no object has", o.Name, lineOf(o.Object, r.Addr), r.Name)
			}
		}
	}
	for i := range file.Executables {
		if err := file.Executables[i].Fits(); err != nil {
			return nil, fmt.Errorf("link: executable %d: %w", i, err)
		}
	}
	return file, nil
}

// Alone makes a program of a single object. Calls to other objects stay
// open; unlinked lists them and the procedures that others may call. An object
// without an entry point gives a program without an executable.
func Alone(o Input) (file *shbin.File, unlinked *asm.Unlinked, err error) {
	file, open, err := link(Options{Labels: true, Lines: len(o.Object.Lines) > 0}, []Input{o})
	if err != nil {
		return nil, nil, err
	}
	unlinked = &asm.Unlinked{External: map[int]string{}, Type: o.Object.Type}
	for _, r := range o.Object.Relocs {
		if r.Kind == shbin.RelocCall && open[r.Name] {
			unlinked.External[int(r.Addr)] = r.Name
		}
	}
	for _, l := range o.Object.Labels {
		if l.Size != shbin.NoSize {
			unlinked.Procs = append(unlinked.Procs, asm.Proc{Name: l.Name, Start: int(l.Addr), Size: int(l.Size)})
		}
	}
	return file, unlinked, nil
}

// lineOf returns the source line of an instruction as text, if the object has
// it.
func lineOf(o *shbin.Object, addr uint32) string {
	if int(addr) < len(o.Lines) {
		return fmt.Sprintf(" (%s:%d)", o.Lines[addr].File, o.Lines[addr].Line)
	}
	return ""
}

// objectEntry returns the entry procedure of an object: all code if it has no
// labels; none if it has labels but no main. A main with a size and without
// endmain is an ordinary procedure.
func objectEntry(o *shbin.Object) (start, end uint32, ok bool) {
	end = uint32(len(o.Code))
	sized, ended := false, false
	for _, l := range o.Labels {
		switch l.Name {
		case shbin.LabelMain:
			if !ok {
				start, ok, sized = l.Addr, true, l.Size != shbin.NoSize
			}
		case shbin.LabelEndMain:
			end, ended = l.Addr, true
		}
	}
	ok = ok && (ended || !sized)
	return start, end, (ok || len(o.Labels) == 0) && len(o.Code) > 0
}

// linkedProc is a procedure of an object with its address in the program.
type linkedProc struct {
	object      int
	start, size uint32
	twice       bool // another object has a procedure of this name
}

// link implements Objects; external returns the names of procedures that no object
// has.
func link(opt Options, objects []Input) (file *shbin.File, external map[string]bool, err error) {
	descs, numbers, err := linkDescriptors(objects)
	if err != nil {
		return nil, nil, err
	}
	local := make([]map[string]linkedProc, len(objects))
	global := map[string]linkedProc{}
	var base []uint32
	var words uint32
	for i, o := range objects {
		local[i] = map[string]linkedProc{}
		base = append(base, words)
		for _, l := range o.Object.Labels {
			if l.Size == shbin.NoSize {
				continue
			}
			if n := uint64(len(o.Object.Code)); uint64(l.Addr)+uint64(l.Size) > n {
				return nil, nil, fmt.Errorf("link: %s: the label %q reaches from instruction 0x%X to 0x%X, but there are 0x%X", o.Name, l.Name, l.Addr, uint64(l.Addr)+uint64(l.Size), n)
			}
			p := linkedProc{object: i, start: words + l.Addr, size: l.Size}
			local[i][l.Name] = p
			if _, dup := global[l.Name]; dup {
				p.twice = true
			}
			global[l.Name] = p
		}
		words += uint32(len(o.Object.Code))
	}
	if words > shbin.MaxCode {
		return nil, nil, fmt.Errorf("link: %d instructions, at most %d are possible", words, shbin.MaxCode)
	}
	calls, external, err := resolveCalls(objects, local, global)
	if err != nil {
		return nil, nil, err
	}
	groups := reachable(objects, calls)
	if err := checkUniforms(objects, groups); err != nil {
		return nil, nil, err
	}
	users, err := joinRegisters(objects, groups)
	if err != nil {
		return nil, nil, err
	}
	code := make([]uint32, 0, words)
	for i, o := range objects {
		for at, w := range o.Object.Code {
			if w, err = linkWord(w, numbers[i], users[i], base[i], calls[i][uint32(at)]); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", where(o, uint32(at)), err)
			}
			code = append(code, w)
		}
	}
	var executables []shbin.Executable
	for _, group := range groups {
		i, o := group[0], objects[group[0]]
		start, end, _ := objectEntry(o.Object)
		if int(start) >= len(o.Object.Code) || end < start || int(end) > len(o.Object.Code) {
			return nil, nil, fmt.Errorf("link: %s: entry procedure at 0x%X to 0x%X, but there are 0x%X instructions", o.Name, start, end, len(o.Object.Code))
		}
		e := shbin.Executable{
			Version: o.Object.Version, Type: o.Object.Type, Merge: o.Object.Merge, Main: base[i] + start, EndMain: base[i] + end,
			InputMask: o.Object.InputMask, OutputMask: o.Object.OutputMask, Geometry: o.Object.Geometry,
			Constants: linkedConstants(users, group), Outputs: o.Object.Outputs, Uniforms: linkedUniforms(objects, group),
		}
		if opt.Labels {
			for _, l := range o.Object.Labels {
				l.Addr += base[i]
				e.Labels = append(e.Labels, l)
			}
		}
		executables = append(executables, e)
	}
	program := shbin.Program{Descriptors: descs}
	if file, err = shbin.Build(code, program.DescriptorWords(), executables); err != nil {
		return nil, nil, err
	}
	copy(file.Program.Descriptors, descs)
	if opt.Lines {
		for _, o := range objects {
			if len(o.Object.Lines) != len(o.Object.Code) {
				return nil, nil, fmt.Errorf("link: %s has no line numbers to keep", o.Name)
			}
			file.Program.Lines = append(file.Program.Lines, o.Object.Lines...)
		}
		if err := file.Layout(); err != nil {
			return nil, nil, err
		}
	}
	return file, external, nil
}

// where returns the position of an instruction of an object as text.
func where(o Input, at uint32) string {
	return fmt.Sprintf("link: %s, instruction 0x%X%s", o.Name, at, lineOf(o.Object, at))
}

// resolveCalls finds the procedure of each call, by object and word; external are the
// names that no object has.
func resolveCalls(objects []Input, local []map[string]linkedProc, global map[string]linkedProc) (calls []map[uint32]*linkedProc, external map[string]bool, err error) {
	external = map[string]bool{}
	for i, o := range objects {
		calls = append(calls, map[uint32]*linkedProc{})
		for _, r := range o.Object.Relocs {
			if r.Kind != shbin.RelocCall || r.Name == "" || int(r.Addr) >= len(o.Object.Code) || !shaderunit.Decode(o.Object.Code[r.Addr]).Op.Flow().HasTarget() {
				continue
			}
			p, ok := local[i][r.Name]
			if !ok {
				if p, ok = global[r.Name]; ok && p.twice {
					return nil, nil, fmt.Errorf("%s: the procedure %q is in several objects", where(o, r.Addr), r.Name)
				}
			}
			switch {
			case !ok:
				external[r.Name] = true
			case p.size > shaderunit.BlockLength:
				return nil, nil, fmt.Errorf("%s: the procedure %q of %s has %d instructions, of which a call would run %d; expected at most %d",
					where(o, r.Addr), r.Name, objects[p.object].Name, p.size, p.size&0xFF, shaderunit.BlockLength)
			}
			if ok {
				calls[i][r.Addr] = &p
			} else {
				calls[i][r.Addr] = nil
			}
		}
	}
	return calls, external, nil
}

// reachable returns, for each object that becomes an executable, the objects whose code it
// can run: itself first, then the others in order.
func reachable(objects []Input, calls []map[uint32]*linkedProc) (groups [][]int) {
	for i, o := range objects {
		if _, _, ok := objectEntry(o.Object); !ok {
			continue
		}
		seen := map[int]bool{i: true}
		for todo := []int{i}; len(todo) > 0; todo = todo[1:] {
			for _, p := range calls[todo[0]] {
				if p != nil && !seen[p.object] {
					seen[p.object] = true
					todo = append(todo, p.object)
				}
			}
		}
		group := []int{i}
		for k := range objects {
			if k != i && seen[k] {
				group = append(group, k)
			}
		}
		groups = append(groups, group)
	}
	return groups
}

// linkWord adapts an instruction to its position in the program. numbers are the new numbers
// of the object's descriptors, base is the address of the object's code, and call is the
// procedure that the instruction calls.
func linkWord(w uint32, numbers []int, user *registerUser, base uint32, call *linkedProc) (uint32, error) {
	in := shaderunit.Decode(w)
	info := in.Info()
	if info == nil {
		return w, nil
	}
	descriptor := info.Format.DescLimit() > 0
	if descriptor {
		if int(in.Desc) >= len(numbers) {
			return 0, fmt.Errorf("operand descriptor %d, but there are %d", in.Desc, len(numbers))
		}
		in.Desc = uint8(numbers[in.Desc])
	}
	reg, _ := usedUniform(in)
	moved := reg >= 0 && user.moved[reg] != reg
	if moved {
		setUsedUniform(&in, user.moved[reg])
	}
	if descriptor || moved {
		var err error
		if w, err = in.Encode(); err != nil {
			return 0, err
		}
	}
	switch {
	case call != nil:
		w = w&^0x3FFFFF | call.start<<10 | call.size
	case in.Op.Flow().HasTarget():
		dest := uint32(in.Dest) + base
		if dest > 0xFFF {
			return 0, fmt.Errorf("its target moves to 0x%X, beyond the code memory", dest)
		}
		w = w&^(0xFFF<<10) | dest<<10
	}
	return w, nil
}

// linkDescriptors returns the descriptors of all objects, and for each object the new
// numbers of its own.
func linkDescriptors(objects []Input) (all []shbin.Descriptor, numbers [][]int, err error) {
	mad := map[shbin.Descriptor]bool{}
	for _, o := range objects {
		for _, w := range o.Object.Code {
			if in := shaderunit.Decode(w); in.Info() != nil && in.Info().Format.DescLimit() == shaderunit.DescriptorsMAD && int(in.Desc) < len(o.Object.Descriptors) {
				mad[o.Object.Descriptors[in.Desc]] = true
			}
		}
	}
	if len(objects) == 1 {
		// As it is, repeated entries included.
		identity := make([]int, len(objects[0].Object.Descriptors))
		for i := range identity {
			identity[i] = i
		}
		return objects[0].Object.Descriptors, [][]int{identity}, nil
	}
	place := func(madFirst bool) (map[shbin.Descriptor]int, bool) {
		all = nil
		at := map[shbin.Descriptor]int{}
		fits := true
		add := func(d shbin.Descriptor) {
			if _, ok := at[d]; !ok {
				at[d] = len(all)
				fits = fits && (!mad[d] || len(all) < shaderunit.DescriptorsMAD)
				all = append(all, d)
			}
		}
		for pass := range 2 {
			for _, o := range objects {
				for _, d := range o.Object.Descriptors {
					if pass == 1 || madFirst && mad[d] {
						add(d)
					}
				}
			}
		}
		return at, fits
	}
	at, fits := place(false)
	if !fits {
		at, fits = place(true)
	}
	switch {
	case len(all) > shaderunit.Descriptors:
		return nil, nil, fmt.Errorf("link: %d different operand descriptors, at most %d are possible", len(all), shaderunit.Descriptors)
	case !fits:
		return nil, nil, fmt.Errorf("link: the MADs of all objects use %d different operand descriptors, at most %d are possible", len(mad), shaderunit.DescriptorsMAD)
	}
	for _, o := range objects {
		var list []int
		for _, d := range o.Object.Descriptors {
			list = append(list, at[d])
		}
		numbers = append(numbers, list)
	}
	return all, numbers, nil
}
