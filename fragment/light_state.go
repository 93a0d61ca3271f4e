package fragment

import "fmt"

// lightTable names a table of fragment lighting by its number in
// GPUREG_LIGHTING_LUT_INDEX (0x1C5). The same number times four is the place
// of its fields in the registers 0x1D0-0x1D2, with spotTable standing for the
// eight spot tables.
type lightTable uint8

const (
	tableD0 lightTable = 0 // distribution of specular term 0
	tableD1 lightTable = 1 // distribution of specular term 1
	tableSP lightTable = 2 // spot attenuation; light i reads table 8+i
	tableFR lightTable = 3 // Fresnel factor
	tableRB lightTable = 4 // reflection of specular term 1, blue
	tableRG lightTable = 5
	tableRR lightTable = 6

	numLightTables = 7

	tableSpot0     = 8  // spot attenuation of light 0
	tableDistance0 = 16 // distance attenuation of light 0
)

func (t lightTable) String() string {
	return [...]string{"D0", "D1", "SP", "FR", "RB", "RG", "RR"}[t]
}

// lightInput is the angle a table is read at (GPUREG_LIGHTING_LUTINPUT_SELECT).
type lightInput uint8

const (
	inputNH lightInput = iota // normal . half vector
	inputVH                   // view . half vector
	inputNV                   // normal . view
	inputLN                   // light . normal
	inputSP                   // light . spot direction, both reversed
	inputCP                   // tangent . half vector projected into the surface

	numLightInputs
)

func (i lightInput) String() string {
	return [...]string{"N.H", "V.H", "N.V", "L.N", "L.P", "cos phi"}[i]
}

// bumpMode says what the bump texture disturbs (GPUREG_LIGHTING_CONFIG0).
type bumpMode uint8

const (
	bumpNone bumpMode = iota
	bumpNormal
	bumpTangent
)

// tableState is how one of the seven kinds of table is read.
type tableState struct {
	enabled bool // not switched off in CONFIG1, and there in the layer configuration
	input   lightInput
	signed  bool    // read over -1..1; otherwise over 0..1
	scale   float32 // of the result: 1/4 to 8
}

// lightState is one light in use.
type lightState struct {
	number      int // 0-7, which registers and tables are its own
	directional bool
	twoSided    bool
	geometric   [2]bool    // the geometric factor multiplies specular term 0, 1
	position    [3]float32 // eye space; direction towards a directional light
	spot        [3]float32 // reversed direction of the spot
	specular    [2][3]float32
	diffuse     [3]float32
	ambient     [3]float32
	spotAtten   bool
	distAtten   bool
	distScale   float32
	distBias    float32
	shadowed    bool
}

// lightingState is the state of fragment lighting in a draw.
type lightingState struct {
	enabled bool
	lights  []lightState // in the order of the permutation
	ambient [3]float32
	tables  [numLightTables]tableState
	hasCP   bool // the input CP exists only in layer configuration 7 (value 8)

	bump            bumpMode
	bumpUnit        int
	recalculateZ    bool
	clampHighlights bool
	alpha           [2]bool // the Fresnel factor becomes primary, secondary alpha

	shadow       bool
	shadowUnit   int
	invertShadow bool
	shadowOn     [2]bool // attenuates the primary, secondary colour
	shadowAlpha  bool
}

// layerTables says which tables each layer configuration (bits 4-7 of
// GPUREG_LIGHTING_CONFIG0) has; a table that is not there reads as 1. Distance
// attenuation is always there. Configuration 7 is selected by the value 8, the
// value 7 and those above 8 do not exist.
var layerTables = [9]uint8{
	0: 1<<tableD0 | 1<<tableSP | 1<<tableRR,
	1: 1<<tableFR | 1<<tableSP | 1<<tableRR,
	2: 1<<tableD0 | 1<<tableD1 | 1<<tableRR,
	3: 1<<tableD0 | 1<<tableD1 | 1<<tableFR,
	4: allLightTables &^ (1 << tableFR),
	5: allLightTables &^ (1 << tableD1),
	6: allLightTables &^ (1<<tableRB | 1<<tableRG),
	7: 0,
	8: allLightTables,
}

const allLightTables = 1<<numLightTables - 1

// lightScale gives the factor of GPUREG_LIGHTING_LUTINPUT_SCALE (0x1D2) for
// its values 0-3, 6 and 7. The values 4 and 5 are not defined.
func lightScale(v uint32) (float32, error) {
	switch v {
	case 0, 1, 2, 3:
		return float32(int(1) << v), nil
	case 6:
		return 0.25, nil
	case 7:
		return 0.5, nil
	}
	return 0, fmt.Errorf("scale %d is none of 0-3, 6, 7", v)
}

// lightColorOne is the value of a light's 10-bit colour fields that means 1.0.
// The fields hold products of two 8-bit colours over 1 as well, up to 4.0.
const lightColorOne = 255

// spotDirectionOne is 1.0 in the 1.1.11 fixed-point components of a spot
// direction: what citro3d and Azahar use (2048 by the name of the format).
const spotDirectionOne = 2047
