package gl

import (
	"fmt"

	"pica200/frontend/dmp"
	"pica200/pica"
)

// Context is the state of the API. Make one with New. Its methods must not be
// called concurrently.
type Context struct {
	// Uniforms are the dmp_* uniforms. Set them at any time before the draw.
	Uniforms *dmp.State

	dev      Device
	regs     pica.Regs          // state for the next draw
	sent     pica.Regs          // state of the device
	known    [pica.NumRegs]bool // whether sent is valid
	touched  [pica.NumRegs]bool // registers that the context sets
	list     []uint32           // commands that were not sent yet
	listMem  block              // where lists are put
	main     heap               // FCRAM: vertices, textures, lists
	video    heap               // VRAM: render targets
	screens  [3]*screenBuffer   // by pipeline.Screen
	units    [3]*Texture        // bound textures
	target   *Target            // drawn to
	program  *Program           // drawn with
	loaded   *Program           // whose code the device has
	inputs   map[string]source  // attributes by name
	gas      bool               // a density pass is in progress
	gasDrawn bool               // the list contains draws of a density pass

	overrides []dmp.Write // for the next draw

	depthNear, depthFar, depthUnits float32
}

// listBytes is the greatest size of a command list.
const listBytes = 1 << 20

// New makes a context on a device, which must be in its state after a reset.
func New(dev Device) (*Context, error) {
	c := &Context{
		dev:   dev,
		main:  newHeap("main memory", pica.FCRAMBase, pica.FCRAMSize),
		video: newHeap("video memory", pica.VRAMBase, pica.VRAMSize),
	}
	var err error
	if c.listMem, err = c.main.alloc(listBytes, "command list"); err != nil {
		return nil, err
	}
	c.inputs = map[string]source{}
	c.Uniforms = dmp.New(&c.regs)
	for reg := range c.regs { // constants beside the uniforms' bits
		c.touched[reg] = c.regs[reg]&^dmp.Owned[reg] != 0
	}
	c.defaults()
	return c, nil
}

// defaults is the state of OpenGL ES 2.0 after context creation.
func (c *Context) defaults() {
	c.putBool(pica.StartDrawConfig, true)
	c.put(pica.ColorOperationConst, 0x0E4)
	c.CullFace(pica.CullNone)
	c.DepthRange(0, 1)
	c.DepthTest(false, pica.CompareLess)
	c.DepthMask(true)
	c.ColorMask(true, true, true, true)
	c.StencilTest(false, pica.CompareAlways, 0, 0xFF)
	c.StencilMask(0xFF)
	c.StencilOp(pica.StencilKeep, pica.StencilKeep, pica.StencilKeep)
	c.Blend(BlendState{
		ColorSource: pica.FactorOne, ColorDest: pica.FactorZero,
		AlphaSource: pica.FactorOne, AlphaDest: pica.FactorZero,
	})
	c.BlendColor(0, 0, 0, 0)
	c.put(pica.LogicOpFunc, uint32(pica.LogicOpCopy))
	c.put(pica.ScissortestMode, uint32(pica.ScissorOff))
	for _, f := range []pica.Field{pica.EarlydepthTest1, pica.EarlydepthTest2} {
		c.putBool(f, false)
	}
	c.put(pica.PostVertexCacheNum, 0x84)
}

// Device returns what the context drives.
func (c *Context) Device() Device { return c.dev }

// Raw sets a whole register, for settings without a call in this API. The value
// stays until a call sets a field of the register. It returns an error for
// registers that start something and those that the context manages for each
// draw.
func (c *Context) Raw(reg pica.Reg, value uint32) error {
	if reg >= pica.NumRegs {
		return fmt.Errorf("register 0x%03X: they end at 0x%03X", uint16(reg), pica.NumRegs-1)
	}
	for _, f := range pica.Registers[reg].Fields {
		if f.Type == pica.TypeTrigger {
			return fmt.Errorf("%v starts something (%s); only registers that keep their value can be set", reg, f.Name)
		}
	}
	if managed(reg) {
		return fmt.Errorf("%v is set for every draw by the context", reg)
	}
	c.regs[reg] = value
	c.touched[reg], c.known[reg] = true, false
	return nil
}

// managed reports whether the context sets a register around draws or uploads
// through it.
func managed(reg pica.Reg) bool {
	switch {
	case reg >= pica.RegAttribbuffersLoc && reg <= pica.RegRestartPrimitive,
		reg >= pica.RegGshBooluniform:
		return true
	case reg >= pica.RegProctexLut && reg < pica.RegProctexLutData0+8,
		reg == pica.RegFogLutIndex, reg >= pica.RegFogLutData0 && reg < pica.RegFogLutData0+8,
		reg == pica.RegGasLutIndex, reg == pica.RegGasLutData,
		reg == pica.RegLightingLutIndex, reg >= pica.RegLightingLutData0 && reg < pica.RegLightingLutData0+8:
		return true
	}
	return false
}
