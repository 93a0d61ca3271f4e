package pipeline

// Peek returns memory as it is, without drawing what is queued for it.
func (g *GPU) Peek(addr, n uint32) ([]byte, error) { return g.mem.Slice(addr, n) }
