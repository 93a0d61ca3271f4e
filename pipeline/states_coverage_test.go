package pipeline_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/pipeline"
)

// coverage counts register values used by draws of random states.
type coverage struct {
	draws, drawn, special, errors int // special: gas and shadow draws with pixels
	pixels                        uint64
	values                        [pica.NumRegs][32]map[uint32]bool // by register and lowest bit of a field; only draws with pixels
}

// maxValues limits the values kept per field.
const maxValues = 64

// draw counts a draw.
func (c *coverage) draw(d *pipeline.DrawInfo) {
	c.draws++
	if d.Fragments == 0 {
		return
	}
	c.drawn++
	c.pixels += d.Fragments
	if pica.ColorOperationMode.Get(d.Regs) != uint32(pica.FragmentModeDefault) {
		c.special++
	}
	for _, r := range pica.Registers {
		for _, f := range r.Fields {
			m := &c.values[r.Reg][f.Lo]
			if *m == nil {
				*m = map[uint32]bool{}
			}
			if len(*m) < maxValues {
				(*m)[f.Get(d.Regs)] = true
			}
		}
	}
}

// count returns how many fields had more than one value in draws with pixels, and how many values of enumerations occurred, with
// their totals. missing lists the others.
func (c *coverage) count() (fields, ofFields, enums, ofEnums int, missing []string) {
	for _, r := range pica.Registers {
		for _, f := range r.Fields {
			if f.Type == pica.TypeTrigger {
				continue
			}
			seen := c.values[r.Reg][f.Lo]
			ofFields++
			if len(seen) > 1 {
				fields++
			} else {
				missing = append(missing, r.Name+" "+f.Name)
			}
			if f.Enum == nil {
				continue
			}
			for _, v := range f.Enum.Values {
				ofEnums++
				if seen[v.Value] {
					enums++
				} else {
					missing = append(missing, r.Name+" "+f.Name+"="+v.Name)
				}
			}
		}
	}
	return fields, ofFields, enums, ofEnums, missing
}

// enough checks that the random states still cover as much, so that changes of the generator lose nothing.
func (c *coverage) enough(t *testing.T) {
	fields, ofFields, enums, ofEnums, missing := c.count()
	require.Greater(t, c.drawn, 3000, "number of draws with pixels")
	require.Greater(t, c.special, 300, "number of gas and shadow draws with pixels")
	require.Less(t, c.errors, 100, "number of traces that end in an error")
	// All registers from the rasterizer to lighting must be covered, except values that programs always write.
	for _, m := range missing {
		name, field, _ := strings.Cut(m, " ")
		r, ok := pica.Lookup(name)
		require.True(t, ok, name)
		if r.Reg < pica.RegTexunitConfig || r.Reg > pica.RegLightingLightPermutation || slices.Contains([]string{
			"one", "constant", // always written by programs
			"format=invalid1", // an error
		}, field) {
			continue
		}
		t.Errorf("all draws with pixels have the same value in %s", m)
	}
	require.Greater(t, fields, ofFields*75/100, "number of fields with several values")
	require.Greater(t, enums, ofEnums*45/100, "number of used enumeration values")
}

// merge adds the counts of another coverage.
func (c *coverage) merge(o *coverage) {
	c.draws += o.draws
	c.drawn += o.drawn
	c.special += o.special
	c.errors += o.errors
	c.pixels += o.pixels
	for r := range o.values {
		for lo, m := range o.values[r] {
			for v := range m {
				if c.values[r][lo] == nil {
					c.values[r][lo] = map[uint32]bool{}
				}
				c.values[r][lo][v] = true
			}
		}
	}
}

func (c *coverage) String() string {
	fields, ofFields, enums, ofEnums, missing := c.count()
	return fmt.Sprintf("%d draws, %d with pixels (%d of gas and shadow), %d pixels; %d of %d fields with several values, %d of %d values of enumerations; %d traces end in an error\nnot seen: %s",
		c.draws, c.drawn, c.special, c.pixels, fields, ofFields, enums, ofEnums, c.errors, strings.Join(missing, ", "))
}
