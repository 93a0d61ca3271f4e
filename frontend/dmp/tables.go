package dmp

import (
	"fmt"
	"math"
	"slices"

	"pica200/pica"
)

// NumTables is the number of table units. The original's number is not
// published.
const NumTables = 32

// OwnTable is the value of a sampler with a table from SetTable.
const OwnTable = -1

// uploadID identifies a table of the hardware. Lighting tables have their
// numbers in GPUREG_LIGHTING_LUT_INDEX.
type uploadID uint8

const (
	uploadNoise uploadID = 24 + iota
	uploadRgbMap
	uploadAlphaMap
	uploadProcColor
	uploadFog
	uploadGas
	numUploads
	noUpload uploadID = 0xFF
)

func upload(id uploadID) func(int) uploadID { return func(int) uploadID { return id } }

// lutUploads lists the lighting tables of each dmp_LightEnv.absLutInput.
var lutUploads = [7][]uploadID{
	{uploadID(pica.TableD0)}, {uploadID(pica.TableD1)},
	{8, 9, 10, 11, 12, 13, 14, 15}, // SP of the 8 lights
	{uploadID(pica.TableFR)}, {uploadID(pica.TableRB)}, {uploadID(pica.TableRG)}, {uploadID(pica.TableRR)},
}

// entries returns the number of entries of a table.
func (id uploadID) entries() int {
	switch id {
	case uploadNoise, uploadRgbMap, uploadAlphaMap, uploadFog:
		return 128
	case uploadGas:
		return 8
	}
	return 256
}

// samplersOf lists the samplers of a table: one, or one for each component.
var samplersOf = func() (lists [numUploads][]Location) {
	for i := range Uniforms {
		if id := Uniforms[i].upload; id != noUpload {
			lists[id] = append(lists[id], Location(i))
		}
	}
	return lists
}()

// TexImage1D loads a table into a unit, for samplers with that value. SetTable
// documents the contents.
func (s *State) TexImage1D(unit int, data []float32) error {
	if unit < 0 || unit >= NumTables {
		return fmt.Errorf("table unit %d: expected 0 to %d", unit, NumTables-1)
	}
	if err := checkTable(data); err != nil {
		return fmt.Errorf("table unit %d: %w", unit, err)
	}
	s.units[unit] = append([]float32(nil), data...)
	for id, locs := range samplersOf {
		for _, loc := range locs {
			if s.values[loc][0] == float32(unit) {
				s.dirty[id] = true
			}
		}
	}
	return nil
}

// SetTable sets the table of the sampler with this name; SetTableAt says which
// forms it has.
func (s *State) SetTable(name string, data []float32) error {
	loc, err := Locate(name)
	if err != nil {
		return err
	}
	return s.SetTableAt(loc, data)
}

// SetTableAt sets the table of a sampler. A table of n entries
// (256 for lighting and the colours of the procedural texture, 128 for fog and
// the maps and the noise of the procedural texture, 8 for gas) is given as
//
//   - n values: the difference from each to the next is computed, that of the
//     last is 0;
//   - n + 1 values: the last has a difference too;
//   - 2n numbers, as programs do: the n values, then the n differences.
//
// Entries of lighting tables with signed input (absLutInput false) are in the
// order of the hardware: 0 to 127 for inputs 0 to 1, 128 to 255 for -1 to 0.
func (s *State) SetTableAt(loc Location, data []float32) error {
	if loc >= NumUniforms {
		return fmt.Errorf("%v: the IDs end at 0x%03X", loc, NumUniforms-1)
	}
	u := &Uniforms[loc]
	if u.Type != Sampler1D {
		return fmt.Errorf("%s is a %v; only a %v takes a table", u.Name, u.Type, Sampler1D)
	}
	if err := checkTable(data); err != nil {
		return fmt.Errorf("%s: %w", u.Name, err)
	}
	if err := u.checkLength(len(data)); err != nil {
		return err
	}
	s.own[loc] = append([]float32(nil), data...)
	s.values[loc][0] = OwnTable
	s.dirty[u.upload] = true
	return nil
}

func checkTable(data []float32) error {
	if len(data) == 0 || len(data) > 512 {
		return fmt.Errorf("a table of %d numbers: expected 1 to 512", len(data))
	}
	for i, v := range data {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return fmt.Errorf("entry %d of the table is %v", i, v)
		}
	}
	return nil
}

// TableSize returns the number of entries of the table that a sampler reads; 0
// if it is no sampler.
func (u *Uniform) TableSize() int {
	if u.Type != Sampler1D {
		return 0
	}
	return u.upload.entries()
}

func (u *Uniform) checkLength(n int) error {
	want := u.upload.entries()
	if n == want || n == want+1 || n == 2*want {
		return nil
	}
	return fmt.Errorf("%s: a table of %d numbers: expected %d, %d or %d", u.Name, n, want, want+1, 2*want)
}

// LightTable returns the number of a sampler's lighting table, as in
// GPUREG_LIGHTING_LUT_INDEX; ok is false for other names.
func LightTable(name string) (number int, ok bool) {
	loc, ok := byName[name]
	if !ok || Uniforms[loc].upload >= uploadNoise {
		return 0, false
	}
	return int(Uniforms[loc].upload), true
}

// Table returns the entries of a sampler's table and their differences to the
// next, in the order of the hardware; none if the sampler's unit is empty.
// signed is true if the input is -1 to 1.
func (s *State) Table(name string) (values, diffs []float32, signed bool, err error) {
	loc, err := Locate(name)
	if err != nil {
		return nil, nil, false, err
	}
	u := &Uniforms[loc]
	if u.Type != Sampler1D {
		return nil, nil, false, fmt.Errorf("%s is a %v; only a %v has a table", u.Name, u.Type, Sampler1D)
	}
	values, diffs, err = s.table(loc)
	return slices.Clone(values), slices.Clone(diffs), s.signedInput(u.upload), err
}

// SameTable reports whether two tables, in the form of SetTable, give the
// hardware the same entries.
func (s *State) SameTable(name string, a, b []float32) (bool, error) {
	var writes [2][]Write
	for i, data := range [][]float32{a, b} {
		c := *s
		c.own = map[Location][]float32{} // no others are uploaded with it
		if err := c.SetTable(name, data); err != nil {
			return false, err
		}
		loc, _ := Locate(name)
		id := Uniforms[loc].upload
		for _, l := range samplersOf[id] { // the samplers that are uploaded together
			c.own[l], c.values[l][0] = c.own[loc], OwnTable
		}
		var err error
		if writes[i], err = c.writeTable(id); err != nil {
			return false, err
		}
	}
	return slices.Equal(writes[0], writes[1]), nil
}

// table returns the values and differences of a sampler; nil if its unit is empty.
func (s *State) table(loc Location) (values, diffs []float32, err error) {
	u := &Uniforms[loc]
	data := s.own[loc]
	if unit := s.values[loc][0]; unit != OwnTable {
		data = s.units[int(unit)]
	}
	if data == nil {
		return nil, nil, nil
	}
	if err := u.checkLength(len(data)); err != nil {
		return nil, nil, err
	}
	n := u.upload.entries()
	if len(data) == 2*n {
		return data[:n], data[n:], nil
	}
	diffs = make([]float32, n)
	for i := range diffs {
		if i+1 < len(data) {
			diffs[i] = data[i+1] - data[i]
		}
	}
	if s.signedInput(u.upload) {
		diffs[n/2-1] = 0                 // input 1
		diffs[n-1] = data[0] - data[n-1] // to input 0
	}
	return data[:n], diffs, nil
}

// signedInput reports whether a table is looked up with -1..1.
func (s *State) signedInput(id uploadID) bool {
	for k, ids := range lutUploads {
		if slices.Contains(ids, id) {
			return s.values[LightEnvAbsLutInputD0+Location(k)][0] == 0
		}
	}
	return false
}

// writeTable returns the writes that upload a table; none if one of its
// samplers has no data.
func (s *State) writeTable(id uploadID) ([]Write, error) {
	if len(samplersOf[id]) == 0 {
		return nil, nil // a number without a table
	}
	n := id.entries()
	var values, diffs [4][]float32
	for k, loc := range samplersOf[id] {
		v, d, err := s.table(loc)
		if err != nil || v == nil {
			return nil, err
		}
		values[k], diffs[k] = v, d
	}
	words := make([]uint32, n)
	fill := func(entry func(i int) uint32) []uint32 {
		for i := range words {
			words[i] = entry(i)
		}
		return words
	}
	switch id {
	case uploadFog:
		return tableWrites(nil, pica.RegFogLutIndex, 0, pica.RegFogLutData0, fill(func(i int) uint32 {
			return pica.FogLutDataDelta.PutFloat(0, diffs[0][i]) | pica.FogLutDataValue.PutFloat(0, values[0][i])
		})), nil
	case uploadNoise, uploadRgbMap, uploadAlphaMap:
		at := pica.ProctexLutTable.Put(0, map[uploadID]uint32{
			uploadNoise: uint32(pica.ProcTableNoise), uploadRgbMap: uint32(pica.ProcTableRGBMap), uploadAlphaMap: uint32(pica.ProcTableAlphaMap)}[id])
		return tableWrites(nil, pica.RegProctexLut, at, pica.RegProctexLutData0, fill(func(i int) uint32 {
			from, to := mapValue(values[0][i]), mapValue(values[0][i]+diffs[0][i])
			return from | (to-from)&0xFFF<<12
		})), nil
	case uploadProcColor:
		ws := tableWrites(nil, pica.RegProctexLut, pica.ProctexLutTable.Put(0, uint32(pica.ProcTableColor)), pica.RegProctexLutData0,
			fill(func(i int) (word uint32) {
				for k := range 4 {
					word |= pica.TypeUnorm8.Encode(values[k][i], 8) << (8 * k)
				}
				return word
			}))
		return tableWrites(ws, pica.RegProctexLut, pica.ProctexLutTable.Put(0, uint32(pica.ProcTableColorDiff)), pica.RegProctexLutData0,
			fill(func(i int) (word uint32) {
				for k := range 4 { // half of the difference
					from := pica.TypeUnorm8.Encode(values[k][i], 8)
					to := pica.TypeUnorm8.Encode(values[k][i]+diffs[k][i], 8)
					word |= uint32(int32(to-from)>>1) & 0xFF << (8 * k)
				}
				return word
			})), nil
	case uploadGas:
		words = make([]uint32, 2*n)
		return tableWrites(nil, pica.RegGasLutIndex, 0, pica.RegGasLutData, fill(func(i int) (word uint32) {
			for k := range 3 {
				if i < n {
					word |= signMagnitude(diffs[k][i], 0x7F, 7) << (8 * k)
				} else {
					word |= pica.TypeUnorm8.Encode(values[k][i-n], 8) << (8 * k)
				}
			}
			return word
		})), nil
	}
	return tableWrites(nil, pica.RegLightingLutIndex, pica.LightingLutTable.Put(0, uint32(id)), pica.RegLightingLutData0, fill(func(i int) uint32 {
		return pica.LightingLutDataValue.PutFloat(0, values[0][i]) | signMagnitude(diffs[0][i], 0x800, 11)<<12
	})), nil
}

// mapValue encodes an entry of the noise and mapping tables of the procedural
// texture: 12 bits for 0 to 1. The difference after it is that of two such
// entries, in two's complement.
func mapValue(x float32) uint32 { return uint32(min(max(x, 0), 1) * 0xFFF) }

// signMagnitude encodes x times one as a magnitude of n bits with a sign bit
// above.
func signMagnitude(x, one float32, n uint8) uint32 {
	var sign uint32
	if x < 0 {
		sign, x = 1<<n, -x
	}
	return sign | min(uint32(min(x*one, 1<<24)), 1<<n-1)
}

func tableWrites(ws []Write, index pica.Reg, at uint32, data pica.Reg, words []uint32) []Write {
	ws = append(ws, Write{index, 0xF, at})
	for _, w := range words {
		ws = append(ws, Write{data, 0xF, w})
	}
	return ws
}
