package fragment

import "pica200/pica"

// lightValues are the values of fragment lighting in a draw.
type lightValues struct {
	ambient [3]float32
	lights  [pica.NumLights]lightValue // in the order of the permutation registers
	table   [numTables]*lut256         // the tables that the program reads, by number
}

// lightValue are the values of one light.
type lightValue struct {
	position [3]float32 // in eye space; of directional lights the unit vector to them
	spot     [3]float32
	diffuse  [3]float32
	ambient  [3]float32
	specular [2][3]float32

	distScale, distBias float32

	// Of directional lights, for which these are the same at all fragments:
	distance float32 // input of the distance attenuation
	spotCos  float32 // L.P
}

// numTables is the number of lighting tables.
const numTables = 24

// bind copies the values of a state and decodes the tables in want.
func (v *lightValues) bind(s *lightingState, t *Tables, cache *tableCache, want uint32, serials *drawSerials) {
	v.ambient = s.ambient
	for i := range s.lights {
		l, d := &s.lights[i], &v.lights[i]
		*d = lightValue{
			position: l.position, spot: l.spot, diffuse: l.diffuse, ambient: l.ambient, specular: l.specular,
			distScale: l.distScale, distBias: l.distBias,
		}
		if l.directional {
			// For a directional light, the distance is the length of its vector.
			d.distance = float32(vectorLength(l.position)*l.distScale) + l.distBias
			d.position = direction(l.position)
			d.spotCos = dot3(d.position, l.spot)
		}
	}
	for n := range v.table {
		if want>>n&1 != 0 {
			v.table[n] = cache.light[n].get(&t.Light[n], t.Version, decodeLightTable, serials)
		}
	}
}
