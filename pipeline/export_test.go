package pipeline

// Peek returns memory as it is, without drawing what is queued for it.
func (g *GPU) Peek(addr, n uint32) ([]byte, error) { return g.mem.Slice(addr, n) }

// InBackground reports whether draws go on in the background.
func (g *GPU) InBackground() bool { return g.behind != nil }
