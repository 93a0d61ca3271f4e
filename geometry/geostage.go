package geometry

// geometryUnit is the fourth shader unit when it runs the geometry shader.
type geometryUnit struct {
	enabled bool
	outputs int // output registers of a vertex
}

func (g *geometryUnit) keep(b *batch, dst [][4]float32) {}
