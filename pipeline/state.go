package pipeline

import (
	"context"

	"pica200/fragment"
	"pica200/pica"
	"pica200/shaderunit"
)

// Only WriteInternal, WriteRegister and RunList change what draws depend on
// (registers, tables, shader units, fixed attributes). They renew what was
// derived from it, and queued draws keep what they had. The methods here return
// copies.

// ReadInternal returns an internal register; 0 for those that do not exist.
func (g *GPU) ReadInternal(id pica.Reg) uint32 {
	if id >= pica.NumRegs {
		return 0
	}
	if id == pica.RegGasFeedback {
		_ = g.flush(context.Background()) // cannot be cancelled
	}
	return g.regs[id]
}

// Registers returns all internal registers; read them with the fields of
// package pica. GPUREG_GAS_FEEDBACK does not include queued draws; call Finish
// first if it matters.
func (g *GPU) Registers() pica.Regs { return g.regs }

// Tables returns the look-up tables of the fragment stage.
func (g *GPU) Tables() fragment.Tables { return g.tables }

// TablesVersion returns the Version of Tables, which grows whenever an entry of
// a table changes.
func (g *GPU) TablesVersion() uint64 { return g.tables.Version }

// VertexShader returns the program and uniforms of the vertex shader unit.
func (g *GPU) VertexShader() shaderunit.Setup { return g.vs }

// GeometryShader returns the program and uniforms of the geometry shader unit.
func (g *GPU) GeometryShader() shaderunit.Setup { return g.gs }

// FixedAttributes returns the values of the fixed attributes, which are the
// same for all vertices.
func (g *GPU) FixedAttributes() [16][4]float32 { return g.fixed }
