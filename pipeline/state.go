package pipeline

import (
	"context"

	"pica200/fragment"
	"pica200/pica"
	"pica200/shaderunit"
)

// What draws depend on (registers, tables, shader units, fixed attributes)
// changes through WriteInternal, WriteRegister and RunList alone, so that what
// was derived from it is made anew and draws that are queued keep what they
// had. The methods here return copies.

// ReadInternal returns an internal register; 0 for those that do not exist.
func (g *GPU) ReadInternal(id pica.Reg) uint32 {
	if id >= pica.NumRegs {
		return 0
	}
	if id == pica.RegGasFeedback {
		_ = g.flush(context.Background()) // which is not cancelled
	}
	return g.regs[id]
}

// Registers returns all internal registers, for the fields of package pica to
// be read from. GPUREG_GAS_FEEDBACK lacks the draws that are queued; Finish
// draws them.
func (g *GPU) Registers() pica.Regs { return g.regs }

// Tables returns the look-up tables of the fragment stage.
func (g *GPU) Tables() fragment.Tables { return g.tables }

// TablesVersion returns the Version that Tables has: it grows whenever an entry
// of a table changes.
func (g *GPU) TablesVersion() uint64 { return g.tables.Version }

// VertexShader returns what the vertex shader unit is loaded with.
func (g *GPU) VertexShader() shaderunit.Setup { return g.vs }

// GeometryShader returns what the geometry shader unit is loaded with.
func (g *GPU) GeometryShader() shaderunit.Setup { return g.gs }

// FixedAttributes returns the values of the attributes that no array feeds.
func (g *GPU) FixedAttributes() [16][4]float32 { return g.fixed }
