package inspect

import (
	"errors"
	"fmt"

	"pica200/assets/shbin"
	"pica200/assets/tree"
	"pica200/shaderunit"
)

// instructions is what trees and checks of shader binaries say about code.
var instructions = shbin.Instructions{
	Decode: func(word uint32) shbin.Instruction {
		in := shaderunit.Decode(word)
		info := in.Info()
		if in.Op == shaderunit.NoOpcode || info == nil {
			return shbin.Instruction{Descriptor: int(in.Desc)}
		}
		return shbin.Instruction{Name: info.Name, Operands: info.Format != shaderunit.Format0, Described: info.Format.DescLimit() > 0, Descriptor: int(in.Desc), Unused: in.Unused}
	},
	Text: func(word, descriptor uint32) string {
		return shaderunit.Decode(word).Text(shaderunit.OpDesc(descriptor))
	},
	Descriptor: func(word uint32) string {
		d := shaderunit.OpDesc(word)
		text := "mask " + d.MaskText()
		for s := range 3 {
			sign := ""
			if d.Neg(s) {
				sign = "-"
			}
			text += fmt.Sprintf(", source %d %s%s", s+1, sign, d.SwizzleText(s))
		}
		return text
	},
}

func openShbin(data []byte) (*tree.Node, func() tree.Findings, error) {
	f, err := shbin.Parse(data)
	if err != nil {
		return nil, nil, shaderError("shbin", err)
	}
	return f.Tree(instructions), func() tree.Findings { return f.Check(data, instructions) }, nil
}

func openDVOJ(data []byte) (*tree.Node, func() tree.Findings, error) {
	o, err := shbin.ParseObject(data)
	if err != nil {
		return nil, nil, shaderError("dvoj", err)
	}
	return o.Tree(instructions), func() tree.Findings { return o.Check(data, instructions) }, nil
}

// shaderError returns an error with the position of the damage in a shader file.
func shaderError(format string, err error) error {
	var e *shbin.Error
	if errors.As(err, &e) {
		return fmt.Errorf("%s: offset 0x%x: %s", format, e.Offset, e.Msg)
	}
	return fmt.Errorf("%s: %w", format, err)
}
