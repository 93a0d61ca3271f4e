package fragment

import (
	"errors"

	"pica200/pica"
)

// The parts of the stage that are compiled in files of their own.

func (c *compiler) decodeLighting() (*lightingState, error) {
	return nil, errors.New("fragment lighting cannot be compiled yet")
}

// readsTexture reports whether lighting reads texture unit i (bump, shadow).
func (s *lightingState) readsTexture(i int) bool { return false }

// lighting adds the ops that make cFragPrimary and cFragSecondary, as far as
// c.used says that they are read.
func (c *compiler) lighting(s *lightingState) error {
	return errors.New("fragment lighting cannot be compiled yet")
}

// proceduralTexture adds the ops that make cTex3.
func (c *compiler) proceduralTexture() error {
	return errors.New("the procedural texture cannot be compiled yet")
}

// specialTexture adds the ops that make cTex0 in the texture types other than
// 2D: cube, projection, shadow.
func (c *compiler) specialTexture(kind pica.TextureType, addr uint32) error {
	return errors.New("texture type " + kind.String() + " cannot be compiled yet")
}

// gasOutput is the last op in fragment operation mode gas.
func (c *compiler) gasOutput(color colorRef) (final, error) {
	return nil, errors.New("fragment operation mode gas cannot be compiled yet")
}

// shadowOutput is the last op in fragment operation mode shadow.
func (c *compiler) shadowOutput(color colorRef) (final, error) {
	return nil, errors.New("fragment operation mode shadow cannot be compiled yet")
}

// fogging is what happens to the combiner's result: fog after the alpha test,
// gas shading before it, or nothing.
type fogging struct {
	out           colorRef // the fragment's colour from here on
	alpha         planeRef // what the alpha test looks at
	before, after *op      // to run before and after the alpha test, or nil
	inputs        planeSet // planes that they read
}

func (f *fogging) reads(set *planeSet) { set.union(&f.inputs) }

// compileFog reads the fog mode (GPUREG_TEXENV_UPDATE_BUFFER bits 0-2).
func (c *compiler) compileFog(stages *combiner) (*fogging, error) {
	f := &fogging{out: stages.out, alpha: stages.out[alpha]}
	if m := pica.FogMode(pica.TexenvUpdateFogMode.Get(c.st.Regs)); m == pica.FogModeFog || m == pica.FogModeGas {
		return nil, errors.New("fog mode " + m.String() + " cannot be compiled yet")
	}
	return f, nil
}
