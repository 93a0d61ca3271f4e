package dmp

import (
	"fmt"
	"strings"

	"pica200/pica"
)

// Symbol is one value of an enumerated uniform.
type Symbol struct {
	Name  string // name in the register table: "modulate"
	GL    string // name in OpenGL, if it has one: "GL_MODULATE"
	Num   int32  // number in OpenGL or of 3dbrew; noNumber if none is published
	Value uint32 // what the register holds
}

// noNumber marks symbols whose GL number is not published. Such a value is set
// by name or by what the register holds.
const noNumber = -1

// Number returns the number by which the symbol is set and read back: that of
// OpenGL where there is one, otherwise what the register holds.
func (s Symbol) Number() int32 {
	if s.Num != noNumber {
		return s.Num
	}
	return int32(s.Value)
}

// String returns the OpenGL name, or the name in the register table.
func (s Symbol) String() string {
	if s.GL != "" {
		return s.GL
	}
	return s.Name
}

// glName gives a value of a register enum its OpenGL name and number.
type glName struct {
	name string // in the register table
	gl   string
	num  int32
}

// symbols joins the values of a register enum with their OpenGL names. Values
// that the register documentation does not know (reserved ones that act like
// others) are left out.
func symbols(e *pica.Enum, names ...glName) []Symbol {
	var out []Symbol
	for _, v := range e.Values {
		if reserved[v.Name] {
			continue
		}
		s := Symbol{Name: v.Name, Num: noNumber, Value: v.Value}
		for _, n := range names {
			if n.name == v.Name {
				s.GL, s.Num = n.gl, n.num
			}
		}
		out = append(out, s)
	}
	for _, n := range names {
		if _, ok := e.Lookup(n.name); !ok {
			panic(fmt.Sprintf("%s has no value %q", e.Name, n.name))
		}
	}
	return out
}

var reserved = map[string]bool{"none3": true, "add5": true, "add6": true, "add7": true}

// GL numbers that several enumerations share.
const (
	glFalse    = 0
	glTexture0 = 0x84C0
)

var (
	compareSymbols = symbols(pica.CompareFuncs,
		glName{"never", "GL_NEVER", 0x0200}, glName{"less", "GL_LESS", 0x0201},
		glName{"equal", "GL_EQUAL", 0x0202}, glName{"less_equal", "GL_LEQUAL", 0x0203},
		glName{"greater", "GL_GREATER", 0x0204}, glName{"not_equal", "GL_NOTEQUAL", 0x0205},
		glName{"greater_equal", "GL_GEQUAL", 0x0206}, glName{"always", "GL_ALWAYS", 0x0207})

	combineSymbols = symbols(pica.Combines,
		glName{"replace", "GL_REPLACE", 0x1E01}, glName{"modulate", "GL_MODULATE", 0x2100},
		glName{"add", "GL_ADD", 0x0104}, glName{"add_signed", "GL_ADD_SIGNED", 0x8574},
		glName{"interpolate", "GL_INTERPOLATE", 0x8575}, glName{"subtract", "GL_SUBTRACT", 0x84E7},
		glName{"dot3_rgb", "GL_DOT3_RGB", 0x86AE}, glName{"dot3_rgba", "GL_DOT3_RGBA", 0x86AF})

	sourceSymbols = symbols(pica.Sources,
		glName{"primary_color", "GL_PRIMARY_COLOR", 0x8577}, glName{"constant", "GL_CONSTANT", 0x8576},
		glName{"previous", "GL_PREVIOUS", 0x8578},
		glName{"texture0", "GL_TEXTURE0", glTexture0}, glName{"texture1", "GL_TEXTURE1", glTexture0 + 1},
		glName{"texture2", "GL_TEXTURE2", glTexture0 + 2}, glName{"texture3", "GL_TEXTURE3", glTexture0 + 3})

	operandRgbSymbols = symbols(pica.OperandRGBs,
		glName{"color", "GL_SRC_COLOR", 0x0300}, glName{"one_minus_color", "GL_ONE_MINUS_SRC_COLOR", 0x0301},
		glName{"alpha", "GL_SRC_ALPHA", 0x0302}, glName{"one_minus_alpha", "GL_ONE_MINUS_SRC_ALPHA", 0x0303})

	operandAlphaSymbols = symbols(pica.OperandAlphas,
		glName{"alpha", "GL_SRC_ALPHA", 0x0302}, glName{"one_minus_alpha", "GL_ONE_MINUS_SRC_ALPHA", 0x0303})

	bufferInputSymbols = []Symbol{
		{"previous_buffer", "", noNumber, 0}, {"previous", "GL_PREVIOUS", 0x8578, 1},
	}

	// Fog and gas values are those that 3dbrew gives.
	fogModeSymbols = symbols(pica.FogModes,
		glName{"off", "GL_FALSE", glFalse}, glName{"fog", "GL_FOG", 0x0B60}, glName{"gas", "", 0x6050})
	gasDensitySymbols  = symbols(pica.GasDensities, glName{"plain", "", 0x605E}, glName{"depth", "", 0x605F})
	gasLutInputSymbols = symbols(pica.GasLutInputs, glName{"density", "", 0x6060}, glName{"light_factor", "", 0x6061})

	fragmentModeSymbols = symbols(pica.FragmentModes)

	sampler0Symbols = symbols(pica.TextureTypes,
		glName{"2d", "GL_TEXTURE_2D", 0x0DE1}, glName{"cube", "GL_TEXTURE_CUBE_MAP", 0x8513},
		glName{"disabled", "GL_FALSE", glFalse})
	samplerSymbols     = []Symbol{{"disabled", "GL_FALSE", glFalse, 0}, {"2d", "GL_TEXTURE_2D", 0x0DE1, 1}}
	samplerProcSymbols = []Symbol{{"disabled", "GL_FALSE", glFalse, 0}, {"procedural", "", noNumber, 1}}

	texcoord2Symbols = symbols(pica.Texcoord2s,
		glName{"texcoord1", "GL_TEXTURE1", glTexture0 + 1}, glName{"texcoord2", "GL_TEXTURE2", glTexture0 + 2})
	texcoord3Symbols = symbols(pica.Texcoord3s,
		glName{"texcoord0", "GL_TEXTURE0", glTexture0}, glName{"texcoord1", "GL_TEXTURE1", glTexture0 + 1},
		glName{"texcoord2", "GL_TEXTURE2", glTexture0 + 2})
	unitSymbols = []Symbol{
		{"texture0", "GL_TEXTURE0", glTexture0, 0}, {"texture1", "GL_TEXTURE1", glTexture0 + 1, 1},
		{"texture2", "GL_TEXTURE2", glTexture0 + 2, 2}, {"texture3", "GL_TEXTURE3", glTexture0 + 3, 3},
	}

	procMapSymbols   = symbols(pica.ProcMaps)
	procShiftSymbols = symbols(pica.ProcShifts, glName{"none", "GL_NONE", glFalse})
	procClampSymbols = symbols(pica.ProcClamps,
		glName{"to_edge", "GL_CLAMP_TO_EDGE", 0x812F}, glName{"mirrored_repeat", "GL_MIRRORED_REPEAT", 0x8370})
	procFilterSymbols = symbols(pica.ProcFilters,
		glName{"nearest", "GL_NEAREST", 0x2600}, glName{"linear", "GL_LINEAR", 0x2601},
		glName{"nearest_mipmap_nearest", "GL_NEAREST_MIPMAP_NEAREST", 0x2700},
		glName{"linear_mipmap_nearest", "GL_LINEAR_MIPMAP_NEAREST", 0x2701},
		glName{"nearest_mipmap_linear", "GL_NEAREST_MIPMAP_LINEAR", 0x2702},
		glName{"linear_mipmap_linear", "GL_LINEAR_MIPMAP_LINEAR", 0x2703})

	lightLayerSymbols = symbols(pica.LightLayers)
	bumpModeSymbols   = symbols(pica.BumpModes)
	fresnelSymbols    = symbols(pica.Fresnels)
	lutInputSymbols   = symbols(pica.LutInputs)
)

// findName returns the symbol with a name, in either spelling, in any case.
func findName(list []Symbol, name string) (Symbol, bool) {
	for _, s := range list {
		if strings.EqualFold(name, s.Name) || s.GL != "" && strings.EqualFold(name, s.GL) {
			return s, true
		}
	}
	return Symbol{}, false
}

// findNumber returns the symbol with a GL number, or else with a register value.
func findNumber(list []Symbol, n int64) (Symbol, bool) {
	for _, s := range list {
		if s.Num != noNumber && int64(s.Num) == n {
			return s, true
		}
	}
	for _, s := range list {
		if int64(s.Value) == n {
			return s, true
		}
	}
	return Symbol{}, false
}

func symbolNames(list []Symbol) string {
	names := make([]string, len(list))
	for i, s := range list {
		names[i] = s.String()
	}
	return strings.Join(names, ", ")
}
