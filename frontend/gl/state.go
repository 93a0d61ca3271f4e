package gl

import "pica200/pica"

// CullFace sets which triangles are discarded by their winding.
func (c *Context) CullFace(mode pica.CullMode) { c.put(pica.FacecullingMode, uint32(mode)) }

// FlatShading gives each triangle the colour of its last vertex, or
// interpolates colours. A context that never does so leaves the register alone.
func (c *Context) FlatShading(on bool) {
	if on != pica.FlatShading.Bool(&c.regs) {
		c.putBool(pica.FlatShading, on)
	}
}

// Viewport sets the rectangle of the render target that clip space maps to:
// lower left corner and size in pixels.
func (c *Context) Viewport(x, y, width, height int) {
	w, h := float32(width), float32(height)
	c.putFloat(pica.ViewportWidth, w/2)
	c.putFloat(pica.ViewportInvw, 2/max(w, 1))
	c.putFloat(pica.ViewportHeight, h/2)
	c.putFloat(pica.ViewportInvh, 2/max(h, 1))
	c.putFloat(pica.ViewportX, float32(x))
	c.putFloat(pica.ViewportY, float32(y))
}

// Scissor discards fragments outside of a rectangle of pixels. A width or
// height of 0 or less disables the test.
func (c *Context) Scissor(x, y, width, height int) {
	if width <= 0 || height <= 0 {
		c.put(pica.ScissortestMode, uint32(pica.ScissorOff))
		return
	}
	c.put(pica.ScissortestMode, uint32(pica.ScissorInclude))
	c.putFloat(pica.ScissortestX1, float32(x))
	c.putFloat(pica.ScissortestY1, float32(y))
	c.putFloat(pica.ScissortestX2, float32(x+width-1))
	c.putFloat(pica.ScissortestY2, float32(y+height-1))
}

// DepthRange sets the depth of the near plane (z = -w) and of the far plane (z
// = 0).
func (c *Context) DepthRange(near, far float32) {
	c.depthNear, c.depthFar = near, far
	c.setDepth()
}

// PolygonOffset adds to the depth of every fragment.
func (c *Context) PolygonOffset(units float32) {
	c.depthUnits = units
	c.setDepth()
}

// setDepth sets the registers of the depth range. In them the near plane is z =
// 0, so the ends are exchanged.
func (c *Context) setDepth() {
	c.Uniforms.SetDepthRange(c.depthFar, c.depthNear, c.depthUnits)
}

// DepthTest compares a fragment's depth (left) with the stored depth (right).
// Unlike in OpenGL, depth is written even without the test if DepthMask allows
// it.
func (c *Context) DepthTest(on bool, f pica.CompareFunc) {
	c.putBool(pica.DepthTestEnable, on)
	c.put(pica.DepthTestFunc, uint32(f))
	// The gas unit has only the direction of the test.
	gas := pica.GasDepthNever
	switch f {
	case pica.CompareAlways:
		gas = pica.GasDepthAlways
	case pica.CompareGreater, pica.CompareGreaterEqual:
		gas = pica.GasDepthGreater
	case pica.CompareLess, pica.CompareLessEqual, pica.CompareEqual, pica.CompareNotEqual:
		gas = pica.GasDepthLess
	}
	c.put(pica.GasDeltazFunc, uint32(gas))
}

// DepthMask allows or forbids writing depth.
func (c *Context) DepthMask(on bool) { c.putBool(pica.DepthWriteEnable, on) }

// ColorMask allows or forbids writing each component.
func (c *Context) ColorMask(r, g, b, a bool) {
	c.putBool(pica.ColorMaskR, r)
	c.putBool(pica.ColorMaskG, g)
	c.putBool(pica.ColorMaskB, b)
	c.putBool(pica.ColorMaskA, a)
}

// StencilTest compares the reference (left) with the stored value (right), both
// masked.
func (c *Context) StencilTest(on bool, f pica.CompareFunc, reference, mask uint8) {
	c.putBool(pica.StencilTestEnable, on)
	c.put(pica.StencilTestFunc, uint32(f))
	c.put(pica.StencilTestRef, uint32(reference))
	c.put(pica.StencilTestMask, uint32(mask))
}

// StencilMask sets which bits of the stencil buffer are written.
func (c *Context) StencilMask(mask uint8) { c.put(pica.StencilTestWriteMask, uint32(mask)) }

// StencilOp sets what happens to a stencil value if the stencil test fails, if
// it passes but the depth test fails, and if both pass.
func (c *Context) StencilOp(fail, zfail, zpass pica.StencilOp) {
	c.put(pica.StencilOpFail, uint32(fail))
	c.put(pica.StencilOpZFail, uint32(zfail))
	c.put(pica.StencilOpZPass, uint32(zpass))
}

// BlendState is how colours are blended. In the zero value all factors are
// zero, so they must be set.
type BlendState struct {
	ColorEquation, AlphaEquation pica.BlendEquation
	ColorSource, ColorDest       pica.BlendFactor
	AlphaSource, AlphaDest       pica.BlendFactor
}

// Blend enables blending, which replaces a logic operation. Source factors of
// one and destination factors of zero mean no blending.
func (c *Context) Blend(b BlendState) {
	c.put(pica.ColorOperationBlend, uint32(pica.BlendModeBlend))
	c.put(pica.BlendRgbEquation, uint32(b.ColorEquation))
	c.put(pica.BlendAlphaEquation, uint32(b.AlphaEquation))
	c.put(pica.BlendRgbSource, uint32(b.ColorSource))
	c.put(pica.BlendRgbDest, uint32(b.ColorDest))
	c.put(pica.BlendAlphaSource, uint32(b.AlphaSource))
	c.put(pica.BlendAlphaDest, uint32(b.AlphaDest))
}

// BlendFunc sets the same factors for colour and alpha, added.
func (c *Context) BlendFunc(source, dest pica.BlendFactor) {
	c.Blend(BlendState{ColorSource: source, ColorDest: dest, AlphaSource: source, AlphaDest: dest})
}

// BlendColor sets the constant of blend factors, 0 to 1.
func (c *Context) BlendColor(r, g, b, a float32) {
	c.putFloat(pica.BlendColorR, r)
	c.putFloat(pica.BlendColorG, g)
	c.putFloat(pica.BlendColorB, b)
	c.putFloat(pica.BlendColorA, a)
}

// LogicOp combines colours by a bitwise operation, in place of blending.
func (c *Context) LogicOp(op pica.LogicOp) {
	c.put(pica.ColorOperationBlend, uint32(pica.BlendModeLogicOp))
	c.put(pica.LogicOpFunc, uint32(op))
}
