package pica

import "slices"

// LightType is positional or directional.
type LightType uint8

// The values of LightType.
const (
	LightPositional  LightType = 0
	LightDirectional LightType = 1
)

// LightTypes names the values of LightType.
var LightTypes = newEnum("LightType",
	ev(LightPositional, "positional", ""),
	ev(LightDirectional, "directional", ""),
)

func (l LightType) String() string { return LightTypes.Format(uint32(l)) }

// Fresnel says to which alpha the Fresnel table applies.
type Fresnel uint8

// The values of Fresnel.
const (
	FresnelNone           Fresnel = 0
	FresnelPrimaryAlpha   Fresnel = 1
	FresnelSecondaryAlpha Fresnel = 2
	FresnelBoth           Fresnel = 3
)

// Fresnels names the values of Fresnel.
var Fresnels = newEnum("Fresnel",
	ev(FresnelNone, "none", ""),
	ev(FresnelPrimaryAlpha, "primary_alpha", ""),
	ev(FresnelSecondaryAlpha, "secondary_alpha", ""),
	ev(FresnelBoth, "both", ""),
)

func (f Fresnel) String() string { return Fresnels.Format(uint32(f)) }

// LightLayer is the set of tables that a light environment can use.
type LightLayer uint8

// The values of LightLayer.
const (
	LightLayer0 LightLayer = 0
	LightLayer1 LightLayer = 1
	LightLayer2 LightLayer = 2
	LightLayer3 LightLayer = 3
	LightLayer4 LightLayer = 4
	LightLayer5 LightLayer = 5
	LightLayer6 LightLayer = 6
	LightLayer7 LightLayer = 8
)

// LightLayers names the values of LightLayer.
var LightLayers = newEnum("LightLayer",
	ev(LightLayer0, "config0", "D0, RR, SP, DA"),
	ev(LightLayer1, "config1", "FR, RR, SP, DA"),
	ev(LightLayer2, "config2", "D0, D1, RR, DA"),
	ev(LightLayer3, "config3", "D0, D1, FR, DA"),
	ev(LightLayer4, "config4", "all but FR"),
	ev(LightLayer5, "config5", "all but D1"),
	ev(LightLayer6, "config6", "all but RB and RG"),
	ev(LightLayer7, "config7", "all; the value is 8"),
)

func (l LightLayer) String() string { return LightLayers.Format(uint32(l)) }

// BumpMode says what the bump texture changes.
type BumpMode uint8

// The values of BumpMode.
const (
	BumpNone    BumpMode = 0
	BumpNormal  BumpMode = 1
	BumpTangent BumpMode = 2
)

// BumpModes names the values of BumpMode.
var BumpModes = newEnum("BumpMode",
	ev(BumpNone, "none", ""),
	ev(BumpNormal, "normal", "the normal"),
	ev(BumpTangent, "tangent", "the tangent"),
)

func (b BumpMode) String() string { return BumpModes.Format(uint32(b)) }

// LutInput is the cosine that a lighting table is looked up with.
type LutInput uint8

// The values of LutInput.
const (
	LutInputNH LutInput = 0
	LutInputVH LutInput = 1
	LutInputNV LutInput = 2
	LutInputLN LutInput = 3
	LutInputSP LutInput = 4
	LutInputCP LutInput = 5
)

// LutInputs names the values of LutInput.
var LutInputs = newEnum("LutInput",
	ev(LutInputNH, "nh", "normal and half vector"),
	ev(LutInputVH, "vh", "view and half vector"),
	ev(LutInputNV, "nv", "normal and view"),
	ev(LutInputLN, "ln", "light and normal"),
	ev(LutInputSP, "sp", "spot direction and inverse light vector"),
	ev(LutInputCP, "cp", "tangent and projection of the half vector"),
)

func (l LutInput) String() string { return LutInputs.Format(uint32(l)) }

// LutScale multiplies the output of a lighting table.
type LutScale uint8

// The values of LutScale.
const (
	LutScale1       LutScale = 0
	LutScale2       LutScale = 1
	LutScale4       LutScale = 2
	LutScale8       LutScale = 3
	LutScaleQuarter LutScale = 6
	LutScaleHalf    LutScale = 7
)

// LutScales names the values of LutScale.
var LutScales = newEnum("LutScale",
	ev(LutScale1, "1x", ""),
	ev(LutScale2, "2x", ""),
	ev(LutScale4, "4x", ""),
	ev(LutScale8, "8x", ""),
	ev(LutScaleQuarter, "0.25x", ""),
	ev(LutScaleHalf, "0.5x", ""),
)

func (l LutScale) String() string { return LutScales.Format(uint32(l)) }

// LightTable is one of the lighting tables that GPUREG_LIGHTING_LUT_INDEX selects.
type LightTable uint8

// The values of LightTable.
const (
	TableD0  LightTable = 0
	TableD1  LightTable = 1
	TableFR  LightTable = 3
	TableRB  LightTable = 4
	TableRG  LightTable = 5
	TableRR  LightTable = 6
	TableSP0 LightTable = 8 // of light 0; those of the other lights follow
	TableDA0 LightTable = 16
)

// LightTables names the values of LightTable.
var LightTables = newEnum("LightTable", slices.Concat([]EnumValue{
	ev(TableD0, "d0", "distribution of specular 0"),
	ev(TableD1, "d1", "distribution of specular 1"),
	ev(TableFR, "fr", "Fresnel"),
	ev(TableRB, "rb", "reflection, blue"),
	ev(TableRG, "rg", "reflection, green"),
	ev(TableRR, "rr", "reflection, red"),
}, numbered(TableSP0, NumLights, "sp", "spot of light 0"), numbered(TableDA0, NumLights, "da", "distance attenuation of light 0"))...)

func (l LightTable) String() string { return LightTables.Format(uint32(l)) }
