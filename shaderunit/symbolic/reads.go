package symbolic

import (
	"pica200/assets/shbin"
	"pica200/shaderunit"
)

// Inputs returns the input registers that an executable's code can read (bit n:
// v(n)). This can differ from the file's input mask: assemblers set the mask
// for declared inputs, and some files have none.
func Inputs(f *shbin.File, exec *shbin.Executable) (mask uint16) {
	type span struct{ pc, end int } // code from pc to end-1
	code := f.Program.Code
	seen := map[span]bool{}
	todo := []span{{int(exec.Main), len(code)}}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for p.pc >= 0 && p.pc < p.end && p.pc < len(code) && !seen[p] && len(seen) < 1<<16 {
			seen[p] = true
			in := shaderunit.Decode(code[p.pc])
			info := in.Info()
			if info == nil {
				break
			}
			for k := range info.Format.Sources() {
				if in.Src[k] < shaderunit.SrcTemp {
					mask |= 1 << in.Src[k]
				}
			}
			dest, num := int(in.Dest), int(in.Num)
			if info.Flow == shaderunit.FlowEnd {
				break
			}
			switch info.Flow {
			case shaderunit.FlowJump:
				end := p.end
				if dest >= end {
					end = len(code)
				}
				todo = append(todo, span{dest, end})
			case shaderunit.FlowCall:
				todo = append(todo, span{dest, dest + num})
			case shaderunit.FlowIf:
				todo = append(todo, span{dest, p.end}, span{dest + num, p.end})
			}
			p.pc++
		}
	}
	return mask
}
