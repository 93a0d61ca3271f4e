package fragment

import (
	"fmt"

	"pica200/pica"
)

// lightTable is the number of a lighting table in GPUREG_LIGHTING_LUT_INDEX
// (0x1C5). Four times the number is the bit position of its fields in the
// registers 0x1D0-0x1D2. There tableSP stands for all eight spot tables.
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

// tableState says how one of the seven kinds of table is read.
type tableState struct {
	enabled bool // enabled in CONFIG1 and part of the layer configuration
	input   pica.LutInput
	signed  bool    // read over -1..1; otherwise over 0..1
	scale   float32 // of the result: 1/4 to 8
}

// lightState is one light in use.
type lightState struct {
	number      int // 0-7; selects the light's registers and tables
	directional bool
	twoSided    bool
	geometric   [2]bool    // the geometric factor applies to specular term 0, 1
	position    [3]float32 // in eye space; of a directional light the direction to it
	spot        [3]float32 // reversed direction of the spot light
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
	lights  []lightState // in the order of the permutation registers
	ambient [3]float32
	tables  [numLightTables]tableState
	hasCP   bool // the input CP exists only in layer configuration 7 (value 8)

	bump            pica.BumpMode
	bumpUnit        int
	recalculateZ    bool
	clampHighlights bool
	alpha           [2]bool // the Fresnel factor is the primary, secondary alpha

	shadow       bool
	shadowUnit   int
	invertShadow bool
	shadowOn     [2]bool // the shadow attenuates the primary, secondary colour
	shadowAlpha  bool
}

// layerTables says which tables each layer configuration (bits 4-7 of
// GPUREG_LIGHTING_CONFIG0) has. Other tables read as 1. Distance attenuation is
// always there. Configuration 7 has the value 8; the value 7 and values above 8
// do not exist.
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

// lightTableNames maps the names of tables in uniforms and documents to bits.
var lightTableNames = map[string]uint8{"D0": 1 << tableD0, "D1": 1 << tableD1, "SP": 1 << tableSP, "FR": 1 << tableFR, "RB": 1 << tableRB, "RG": 1 << tableRG, "RR": 1 << tableRR}

// LayerHasTable reports whether a layer configuration has a lighting table: D0,
// D1, SP, FR, RB, RG or RR. Missing tables read as 1.
func LayerHasTable(layer pica.LightLayer, table string) bool {
	return int(layer) < len(layerTables) && layerTables[layer]&lightTableNames[table] != 0
}

const allLightTables = 1<<numLightTables - 1

// spotDirectionOne is 1.0 in the 1.1.11 fixed-point components of a spot
// direction, as in citro3d and Azahar. By the name of the format it would be
// 2048.
const spotDirectionOne = 2047

// The fields of the seven tables, in the order of lightTable. The order of RB
// and RR in CONFIG1 is that of 3dbrew, libctru and Panda3DS, in which bit 16+n
// belongs to table n; Azahar has the two exchanged.
var (
	fieldsNoTable = [numLightTables]pica.Field{
		tableD0: pica.LightingNoD0, tableD1: pica.LightingNoD1, tableFR: pica.LightingNoFR,
		tableRB: pica.LightingNoRB, tableRG: pica.LightingNoRG, tableRR: pica.LightingNoRR,
	}
	fieldsSigned = [numLightTables]pica.Field{
		pica.LightingLutSignedD0, pica.LightingLutSignedD1, pica.LightingLutSignedSP, pica.LightingLutSignedFR,
		pica.LightingLutSignedRB, pica.LightingLutSignedRG, pica.LightingLutSignedRR,
	}
	fieldsInput = [numLightTables]pica.Field{
		pica.LightingLutInputD0, pica.LightingLutInputD1, pica.LightingLutInputSP, pica.LightingLutInputFR,
		pica.LightingLutInputRB, pica.LightingLutInputRG, pica.LightingLutInputRR,
	}
	fieldsScale = [numLightTables]pica.Field{
		pica.LightingLutScaleD0, pica.LightingLutScaleD1, pica.LightingLutScaleSP, pica.LightingLutScaleFR,
		pica.LightingLutScaleRB, pica.LightingLutScaleRG, pica.LightingLutScaleRR,
	}
)

// lightScale returns the factor of GPUREG_LIGHTING_LUTINPUT_SCALE (0x1D2).
func lightScale(v pica.LutScale) (float32, bool) {
	switch v {
	case pica.LutScale1, pica.LutScale2, pica.LutScale4, pica.LutScale8:
		return float32(int(1) << v), true
	case pica.LutScaleQuarter:
		return 0.25, true
	case pica.LutScaleHalf:
		return 0.5, true
	}
	return 0, false
}

// LightsOn returns the numbers of the lights in use, in order; none without
// fragment lighting.
func LightsOn(r *pica.Regs) (list []int) {
	if !lightingOn(r) {
		return nil
	}
	for i := range int(pica.LightingNumLights.Get(r)) + 1 {
		list = append(list, int(lightOrder[i].Get(r)))
	}
	return list
}

// decodeLighting reads the registers of fragment lighting. Values without a
// known meaning are errors: layer configurations 7 and above 8, bump mode 3,
// inputs 6 and 7 and scales 4 and 5 of a table in use.
//
// In a key, colours only say whether they are black, and there are no positions
// (programKey).
//
// LightingEnable: lighting runs if both registers that programs write enable it
// (0x08F bit 0 set, 0x1C6 bit 0 clear); other implementations look at one of
// the two.
func decodeLighting(r *pica.Regs) (*lightingState, error) {
	s := new(lightingState)
	if err := s.decode(r); err != nil {
		return nil, err
	}
	return s, nil
}

func lightingOn(r *pica.Regs) bool {
	return pica.LightingEnable.Bool(r) && !pica.LightingDisable.Bool(r)
}

// decode is decodeLighting into an existing state.
func (s *lightingState) decode(r *pica.Regs) error {
	*s = lightingState{enabled: lightingOn(r), lights: s.lights[:0]}
	if !s.enabled {
		return nil
	}
	layer := pica.LightingLayer.Get(r)
	if int(layer) >= len(layerTables) || layerTables[layer] == 0 {
		return fmt.Errorf("%v: %d does not exist, expected 0-6 or 8", pica.LightingLayer, layer)
	}
	s.hasCP = pica.LightLayer(layer) == pica.LightLayer7
	s.ambient = lightColor(r, pica.LightingAmbientR, pica.LightingAmbientG, pica.LightingAmbientB)

	s.bump = pica.BumpMode(pica.LightingBumpMode.Get(r))
	if !pica.BumpModes.Has(uint32(s.bump)) {
		return fmt.Errorf("%v: %d does not exist, expected 0-%d", pica.LightingBumpMode, s.bump, pica.BumpModes.Len()-1)
	}
	s.bumpUnit = int(pica.LightingBumpTexture.Get(r))
	s.recalculateZ = !pica.LightingBumpNoRenorm.Bool(r)
	s.clampHighlights = pica.LightingClampHighlights.Bool(r)
	fresnel := pica.Fresnel(pica.LightingFresnel.Get(r))
	s.alpha = [2]bool{fresnel&pica.FresnelPrimaryAlpha != 0, fresnel&pica.FresnelSecondaryAlpha != 0}

	s.shadow = pica.LightingShadowEnable.Bool(r)
	s.shadowUnit = int(pica.LightingShadowTexture.Get(r))
	s.invertShadow = pica.LightingShadowInvert.Bool(r)
	s.shadowOn = [2]bool{pica.LightingShadowPrimary.Bool(r), pica.LightingShadowSecondary.Bool(r)}
	s.shadowAlpha = pica.LightingShadowAlpha.Bool(r)

	noSpot := pica.LightingNoSpot.Get(r)
	for k := range s.tables {
		t := &s.tables[k]
		t.enabled = layerTables[layer]>>k&1 != 0
		if lightTable(k) != tableSP {
			t.enabled = t.enabled && !fieldsNoTable[k].Bool(r)
		}
		if !t.enabled || lightTable(k) == tableSP && noSpot == pica.LightingNoSpot.Max() {
			continue
		}
		t.signed = fieldsSigned[k].Bool(r)
		if t.input = pica.LutInput(fieldsInput[k].Get(r)); !pica.LutInputs.Has(uint32(t.input)) {
			return fmt.Errorf("%v: input %d of table %v does not exist, expected 0-%d", fieldsInput[k], t.input, lightTable(k), pica.LutInputs.Len()-1)
		}
		scale := fieldsScale[k].Get(r)
		var ok bool
		if t.scale, ok = lightScale(pica.LutScale(scale)); !ok {
			return fmt.Errorf("%v: scale %d of table %v does not exist, expected 0-3, 6 or 7", fieldsScale[k], scale, lightTable(k))
		}
	}
	for i := range int(pica.LightingNumLights.Get(r)) + 1 {
		s.lights = append(s.lights, decodeLight(r, int(lightOrder[i].Get(r)), s.tables[tableSP].enabled))
	}
	return nil
}

// lightOrder are the fields with the numbers of the lights in use.
var lightOrder = func() (fields [pica.NumLights]pica.Field) {
	for i := range fields {
		fields[i] = pica.LightingPermutation(i)
	}
	return fields
}()

// decodeLight reads the registers of light n.
func decodeLight(r *pica.Regs, n int, spot bool) lightState {
	at := pica.Reg(n) * pica.StrideLight
	color := func(red, green, blue pica.Field) [3]float32 {
		return lightColor(r, red.At(at), green.At(at), blue.At(at))
	}
	direction := func(f pica.Field) float32 { return float32(f.At(at).Signed(r)) / spotDirectionOne }
	off := func(f pica.Field) bool { return f.Get(r)>>n&1 != 0 }
	return lightState{
		number:      n,
		directional: pica.LightConfigType.At(at).Bool(r),
		twoSided:    pica.LightTwoSideDiffuse.At(at).Bool(r),
		geometric:   [2]bool{pica.LightGeomFactor0.At(at).Bool(r), pica.LightGeomFactor1.At(at).Bool(r)},
		position:    [3]float32{pica.LightX.At(at).Float(r), pica.LightY.At(at).Float(r), pica.LightZ.At(at).Float(r)},
		spot:        [3]float32{direction(pica.LightSpotX), direction(pica.LightSpotY), direction(pica.LightSpotZ)},
		specular: [2][3]float32{
			color(pica.LightSpecular0R, pica.LightSpecular0G, pica.LightSpecular0B),
			color(pica.LightSpecular1R, pica.LightSpecular1G, pica.LightSpecular1B),
		},
		diffuse:   color(pica.LightDiffuseR, pica.LightDiffuseG, pica.LightDiffuseB),
		ambient:   color(pica.LightAmbientR, pica.LightAmbientG, pica.LightAmbientB),
		spotAtten: spot && !off(pica.LightingNoSpot),
		distAtten: !off(pica.LightingNoDistance),
		distScale: pica.LightAttenuationScale.At(at).Float(r),
		distBias:  pica.LightAttenuationBias.At(at).Float(r),
		shadowed:  !off(pica.LightingNoShadow),
	}
}

// lightColor reads a colour of three 10-bit fields, in which 255 is 1.0. They
// hold products of two colours and reach up to 4.
func lightColor(r *pica.Regs, red, green, blue pica.Field) [3]float32 {
	return [3]float32{red.Float(r), green.Float(r), blue.Float(r)}
}
