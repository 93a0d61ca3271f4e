package pica

// Source is an input of a texture combiner stage.
type Source uint8

// The values of Source.
const (
	SourcePrimaryColor      Source = 0
	SourceFragmentPrimary   Source = 1
	SourceFragmentSecondary Source = 2
	SourceTexture0          Source = 3
	SourceTexture1          Source = 4
	SourceTexture2          Source = 5
	SourceTexture3          Source = 6
	SourcePreviousBuffer    Source = 13
	SourceConstant          Source = 14
	SourcePrevious          Source = 15
)

// Sources names the values of Source.
var Sources = newEnum("Source",
	ev(SourcePrimaryColor, "primary_color", "vertex colour"),
	ev(SourceFragmentPrimary, "fragment_primary_color", "diffuse part of the lighting"),
	ev(SourceFragmentSecondary, "fragment_secondary_color", "specular part of the lighting"),
	ev(SourceTexture0, "texture0", ""),
	ev(SourceTexture1, "texture1", ""),
	ev(SourceTexture2, "texture2", ""),
	ev(SourceTexture3, "texture3", "procedural texture"),
	ev(SourcePreviousBuffer, "previous_buffer", "combiner buffer"),
	ev(SourceConstant, "constant", "constant of the stage"),
	ev(SourcePrevious, "previous", "result of the stage before"),
)

func (s Source) String() string { return Sources.Format(uint32(s)) }

// OperandRGB selects the three components of a source.
type OperandRGB uint8

// The values of OperandRGB.
const (
	OperandSrcColor         OperandRGB = 0
	OperandOneMinusSrcColor OperandRGB = 1
	OperandSrcAlpha         OperandRGB = 2
	OperandOneMinusSrcAlpha OperandRGB = 3
	OperandSrcRed           OperandRGB = 4
	OperandOneMinusSrcRed   OperandRGB = 5
	OperandSrcGreen         OperandRGB = 8
	OperandOneMinusSrcGreen OperandRGB = 9
	OperandSrcBlue          OperandRGB = 12
	OperandOneMinusSrcBlue  OperandRGB = 13
)

// OperandRGBs names the values of OperandRGB.
var OperandRGBs = operandEnum("OperandRGB", rgbReads[:])

// rgbReads is what each OperandRGB reads.
var rgbReads = [16]operandRead{
	OperandSrcColor:         {of: readsSame},
	OperandOneMinusSrcColor: {of: readsSame, inverted: true},
	OperandSrcAlpha:         {of: readsAlpha},
	OperandOneMinusSrcAlpha: {of: readsAlpha, inverted: true},
	OperandSrcRed:           {of: readsRed},
	OperandOneMinusSrcRed:   {of: readsRed, inverted: true},
	OperandSrcGreen:         {of: readsGreen},
	OperandOneMinusSrcGreen: {of: readsGreen, inverted: true},
	OperandSrcBlue:          {of: readsBlue},
	OperandOneMinusSrcBlue:  {of: readsBlue, inverted: true},
}

// Reads returns the component of the source (0 to 3: red, green, blue, alpha)
// that the operand reads for a component of its result, and whether it takes 1
// minus it. Values that are not documented read the colour unchanged.
func (o OperandRGB) Reads(component int) (of int, inverted bool) {
	return rgbReads[o&15].component(component)
}

func (o OperandRGB) String() string { return OperandRGBs.Format(uint32(o)) }

// OperandAlpha selects the component of a source.
type OperandAlpha uint8

// The values of OperandAlpha.
const (
	OperandASrcAlpha         OperandAlpha = 0
	OperandAOneMinusSrcAlpha OperandAlpha = 1
	OperandASrcRed           OperandAlpha = 2
	OperandAOneMinusSrcRed   OperandAlpha = 3
	OperandASrcGreen         OperandAlpha = 4
	OperandAOneMinusSrcGreen OperandAlpha = 5
	OperandASrcBlue          OperandAlpha = 6
	OperandAOneMinusSrcBlue  OperandAlpha = 7
)

// OperandAlphas names the values of OperandAlpha.
var OperandAlphas = operandEnum("OperandAlpha", alphaReads[:])

// alphaReads is what each OperandAlpha reads.
var alphaReads = [8]operandRead{
	OperandASrcAlpha:         {of: readsAlpha},
	OperandAOneMinusSrcAlpha: {of: readsAlpha, inverted: true},
	OperandASrcRed:           {of: readsRed},
	OperandAOneMinusSrcRed:   {of: readsRed, inverted: true},
	OperandASrcGreen:         {of: readsGreen},
	OperandAOneMinusSrcGreen: {of: readsGreen, inverted: true},
	OperandASrcBlue:          {of: readsBlue},
	OperandAOneMinusSrcBlue:  {of: readsBlue, inverted: true},
}

// Reads returns the component of the source (0 to 3: red, green, blue, alpha)
// that the operand reads, and whether it takes 1 minus it.
func (o OperandAlpha) Reads() (of int, inverted bool) { return alphaReads[o&7].component(3) }

func (o OperandAlpha) String() string { return OperandAlphas.Format(uint32(o)) }

// An operandRead is what an operand reads of its source. The zero value stands
// for a value that is not documented.
type operandRead struct {
	of       uint8
	inverted bool // 1 minus it
}

// The values of operandRead.of.
const (
	_         = iota
	readsSame // the component that the operand makes
	readsRed  // and so on: components 0 to 3
	readsGreen
	readsBlue
	readsAlpha
)

var operandReads = [...]string{readsSame: "color", readsRed: "red", readsGreen: "green", readsBlue: "blue", readsAlpha: "alpha"}

func (r operandRead) component(same int) (of int, inverted bool) {
	if r.of >= readsRed {
		same = int(r.of - readsRed)
	}
	return same, r.inverted
}

func operandEnum(name string, reads []operandRead) *Enum {
	e := newEnum(name)
	for code, r := range reads {
		word := operandReads[r.of]
		if r.inverted {
			word = "one_minus_" + word
		}
		if r.of != 0 {
			e.Values = append(e.Values, EnumValue{Value: uint32(code), Name: word})
		}
	}
	return e
}

// Combine is the function of a texture combiner stage; its operands are 0, 1
// and 2.
type Combine uint8

// The values of Combine.
const (
	CombineReplace     Combine = 0
	CombineModulate    Combine = 1
	CombineAdd         Combine = 2
	CombineAddSigned   Combine = 3
	CombineInterpolate Combine = 4
	CombineSubtract    Combine = 5
	CombineDot3RGB     Combine = 6
	CombineDot3RGBA    Combine = 7
	CombineMultAdd     Combine = 8
	CombineAddMult     Combine = 9
)

// Combines names the values of Combine.
var Combines = newEnum("Combine",
	ev(CombineReplace, "replace", "0"),
	ev(CombineModulate, "modulate", "0 * 1"),
	ev(CombineAdd, "add", "0 + 1"),
	ev(CombineAddSigned, "add_signed", "0 + 1 - 0.5"),
	ev(CombineInterpolate, "interpolate", "0 * 2 + 1 * (1 - 2)"),
	ev(CombineSubtract, "subtract", "0 - 1"),
	ev(CombineDot3RGB, "dot3_rgb", "4 * ((0 - 0.5) . (1 - 0.5)) in red, green and blue"),
	ev(CombineDot3RGBA, "dot3_rgba", "the same in alpha too"),
	ev(CombineMultAdd, "mult_add", "0 * 1 + 2"),
	ev(CombineAddMult, "add_mult", "(0 + 1) * 2"),
)

// combineInputs is the number of operands of each function, from operand 0 on.
var combineInputs = [...]uint8{
	CombineReplace: 1, CombineModulate: 2, CombineAdd: 2, CombineAddSigned: 2, CombineInterpolate: 3,
	CombineSubtract: 2, CombineDot3RGB: 2, CombineDot3RGBA: 2, CombineMultAdd: 3, CombineAddMult: 3,
}

func (c Combine) String() string { return Combines.Format(uint32(c)) }

// Inputs returns the number of operands of the function, from operand 0 on; 0
// for a function that does not exist.
func (c Combine) Inputs() int {
	if int(c) < len(combineInputs) {
		return int(combineInputs[c])
	}
	return 0
}

// Scale multiplies the result of a combiner stage.
type Scale uint8

// The values of Scale.
const (
	Scale1 Scale = 0
	Scale2 Scale = 1
	Scale4 Scale = 2
)

// Scales names the values of Scale.
var Scales = newEnum("Scale",
	ev(Scale1, "1x", ""),
	ev(Scale2, "2x", ""),
	ev(Scale4, "4x", ""),
)

func (s Scale) String() string { return Scales.Format(uint32(s)) }

// FogMode is the step after the last combiner stage: nothing, fog or gas
// shading.
type FogMode uint8

// The values of FogMode.
const (
	FogModeOff FogMode = 0
	FogModeFog FogMode = 5
	FogModeGas FogMode = 7
)

// FogModes names the values of FogMode.
var FogModes = newEnum("FogMode",
	ev(FogModeOff, "off", ""),
	ev(FogModeFog, "fog", ""),
	ev(FogModeGas, "gas", ""),
)

func (f FogMode) String() string { return FogModes.Format(uint32(f)) }

// GasDensity says which of the two accumulated densities shades gas.
type GasDensity uint8

// The values of GasDensity.
const (
	GasDensityPlain GasDensity = 0
	GasDensityDepth GasDensity = 1
)

// GasDensities names the values of GasDensity.
var GasDensities = newEnum("GasDensity",
	ev(GasDensityPlain, "plain", ""),
	ev(GasDensityDepth, "depth", ""),
)

func (g GasDensity) String() string { return GasDensities.Format(uint32(g)) }
