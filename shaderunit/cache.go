package shaderunit

import "slices"

// Limits of the cache; when one is reached, older entries are dropped.
const (
	maxCachedCodes    = 256
	maxCachedVariants = 64
	maxCachedOps      = 1 << 19 // micro-ops of all programs, about 40 MB
)

// cache holds compiled programs, by the content of code and descriptors and by
// the uniforms that control flow.
type cache struct {
	byHash map[uint64][]*compiledCode
	count  int
	ops    int
	made   uint64 // number of programs compiled

	// The code that was used last, and its entry.
	last    *compiledCode
	content uint64
}

// compiledCode is a program's content with its compiled variants, the most
// recently used first.
type compiledCode struct {
	code     []uint32 // up to the last word that is not 0
	desc     [Descriptors]uint32
	variants []*program
}

// program returns the compiled vertex shader of the setup.
func (c *cache) program(s *Setup) *program { return c.programFor(s, variantMode{}) }

// programFor returns the compiled program of the setup.
func (c *cache) programFor(s *Setup, mode variantMode) *program {
	if c.last == nil || c.content != s.content {
		c.last, c.content = c.find(s), s.content
	}
	p := c.variant(s, mode, false)
	if p.subnormals(&s.Float) {
		p = c.variant(s, mode, true)
	}
	return p
}

// variant returns a variant of the code used last. If there are too many
// programs, it drops all others.
func (c *cache) variant(s *Setup, mode variantMode, flush bool) *program {
	p, compiled := c.last.variant(s, mode, flush)
	if !compiled {
		return p
	}
	c.made++
	size := 0
	for i := range p.blocks {
		size += len(p.blocks[i].ops)
	}
	if c.ops += size; c.ops > maxCachedOps {
		c.byHash, c.count, c.ops = nil, 0, size
		c.last.variants = []*program{p}
	}
	return p
}

// find returns the entry of the setup's content; it adds one if needed.
func (c *cache) find(s *Setup) *compiledCode {
	n := s.used
	const fnvOffset, fnvPrime = 14695981039346656037, 1099511628211
	h := uint64(fnvOffset)
	for _, w := range s.code[:n] {
		h = (h ^ uint64(w)) * fnvPrime
	}
	for _, w := range s.desc {
		h = (h ^ uint64(w)) * fnvPrime
	}
	for _, e := range c.byHash[h] {
		if slices.Equal(e.code, s.code[:n]) && e.desc == s.desc {
			return e
		}
	}
	if c.byHash == nil || c.count >= maxCachedCodes {
		c.byHash, c.count = map[uint64][]*compiledCode{}, 0
	}
	e := &compiledCode{code: slices.Clone(s.code[:n]), desc: s.desc}
	c.byHash[h] = append(c.byHash[h], e)
	c.count++
	return e
}

// variant returns the program for the setup's uniforms. compiled is true if it
// had to be compiled.
func (e *compiledCode) variant(s *Setup, mode variantMode, flush bool) (p *program, compiled bool) {
	for i, p := range e.variants {
		if p.key.matches(s, mode, flush) {
			if i > 0 {
				copy(e.variants[1:i+1], e.variants[:i])
				e.variants[0] = p
			}
			return p, false
		}
	}
	p = compile(s, mode, flush)
	if len(e.variants) == maxCachedVariants {
		e.variants = e.variants[:maxCachedVariants-1]
	}
	e.variants = slices.Insert(e.variants, 0, p)
	return p, true
}

// subnormals reports whether a uniform that reaches a register unflushed is a
// subnormal.
func (p *program) subnormals(f *[96]vec4) bool {
	if p.gathers {
		for i := range f {
			if anySubnormal(&f[i]) {
				return true
			}
		}
		return false
	}
	for _, i := range p.plainReads {
		if anySubnormal(&f[i%96]) {
			return true
		}
	}
	return false
}

func anySubnormal(v *vec4) bool {
	return isSubnormal(v[0]) || isSubnormal(v[1]) || isSubnormal(v[2]) || isSubnormal(v[3])
}
