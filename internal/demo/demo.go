// Package demo is the scene that "make run" renders: a torus knot under
// fragment lighting on a tiled floor. It is built as a program on the console
// would do it, with a shader, dmp_* uniforms, command lists, a fill and a
// transfer, and recorded as a trace.
package demo

import (
	"fmt"
	"math"

	"pica200/assets/citrace"
	"pica200/assets/shaders"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/pipeline/dmp"
)

// Where things lie. The target has four times the pixels of the screen; the
// transfer averages them.
const (
	width, height = 480, 800

	colorAddr   = 0x18000000
	depthAddr   = 0x18200000
	vertexAddr  = 0x20000000
	textureAddr = 0x20200000
	listAddr    = 0x20300000
	screenAddr  = 0x20400000
	screenBytes = 240 * 400 * 3

	gpuRegs      = 0x10400000
	internalRegs = 0x10401000
)

// Trace records the given number of frames, over which the knot turns once.
func Trace(frames int) ([]byte, error) {
	r := &recorder{knot: torusKnot(320, 24), floor: floor(), sky: sky()}
	r.start()
	for i := range frames {
		if err := r.frame(i, float64(i)/float64(frames)); err != nil {
			return nil, fmt.Errorf("demo: %w", err)
		}
	}
	return r.out.Encode()
}

type recorder struct {
	out              citrace.Builder
	knot, floor, sky mesh
}

// write records writes to consecutive registers.
func (r *recorder) write(addr uint32, values ...uint32) {
	for i, v := range values {
		r.out.Write(addr+4*uint32(i), v)
	}
}

// start records the loading of vertices and texture, and the screens' set-up.
func (r *recorder) start() {
	at := uint32(vertexAddr)
	for _, m := range []*mesh{&r.sky, &r.floor, &r.knot} {
		m.vertexAddr = at
		at += r.load(at, m.vertexBytes())
		m.indexAddr = at
		at += r.load(at, m.indexBytes())
	}
	r.load(textureAddr, tiles())
	r.write(gpuRegs+0x45C, 400<<16|240)
	r.write(gpuRegs+0x55C, 320<<16|240)
	r.write(gpuRegs+0x470, 0x80341) // top screen: RGB8, every line shown twice
	r.write(gpuRegs+0x490, 240*3)
	r.write(gpuRegs+0x478, 0)
	r.write(0x10202A04, 1<<24) // the bottom screen is filled with black
}

// load records a memory load and returns its size, rounded up to 64 bytes.
func (r *recorder) load(addr uint32, data []byte) uint32 {
	r.out.Load(addr, data)
	return uint32(len(data)+63) &^ 63
}

// frame records one frame; turn is the knot's, 0 to 1.
func (r *recorder) frame(n int, turn float64) error {
	const clearDepth = 0 // the far end
	r.fill(0x10, colorAddr, width*height*4, 0x101820FF)
	r.fill(0x20, depthAddr, width*height*4, clearDepth)

	list, err := r.list(turn)
	if err != nil {
		return err
	}
	r.load(listAddr, list.Bytes())
	r.write(internalRegs+4*uint32(pica.RegCmdbufSize0), uint32(4*len(list.Words))>>3)
	r.write(internalRegs+4*uint32(pica.RegCmdbufAddr0), listAddr>>3)
	r.write(internalRegs+4*uint32(pica.RegCmdbufJump0), 1)

	screen := uint32(screenAddr + n%2*screenBytes)
	const toRGB8, scaleXY = 1 << 12, 2 << 24
	r.write(gpuRegs+0xC00, colorAddr>>3, screen>>3, height<<16|width, height<<16|width, toRGB8|scaleXY)
	r.write(gpuRegs+0xC18, 1)
	r.write(gpuRegs+0x468, screen)
	r.write(gpuRegs+0x494, screen)
	r.out.EndFrame()
	return nil
}

// fill records a memory fill with a 32-bit value.
func (r *recorder) fill(unit, addr, bytes, value uint32) {
	r.write(gpuRegs+unit, addr>>3, (addr+bytes)>>3, value, 2<<8|1)
}

// list makes the command list of a frame.
func (r *recorder) list(turn float64) (*pica.CommandWriter, error) {
	w := new(pica.CommandWriter)
	target(w)
	file, err := shaders.Load("lit")
	if err != nil {
		return nil, err
	}
	program, err := pipeline.NewProgram(file, 0, -1)
	if err != nil {
		return nil, err
	}
	if err := program.Append(w); err != nil {
		return nil, err
	}
	var regs pica.Regs
	state := dmp.New(&regs)

	eye := perspective(40*math.Pi/180, 400.0/240, 1, 30)
	camera := mul(translate(0, -0.35, -7.2), rotateX(0.38))
	model := mul(translate(0, 0.75, 0), mul(rotateY(2*math.Pi*turn+0.5), rotateX(0.25)))

	for _, d := range []struct {
		mesh              *mesh
		view              matrix
		projection        matrix
		material          func(*dmp.State) error
		depthTest, depthW bool
	}{
		{&r.sky, identity(), identity(), skyMaterial, false, false},
		{&r.floor, camera, eye, floorMaterial, true, true},
		{&r.knot, mul(camera, model), eye, knotMaterial, true, true},
	} {
		if err := d.material(state); err != nil {
			return nil, err
		}
		if err := lights(state, camera); err != nil {
			return nil, err
		}
		writes, err := state.Flush()
		if err != nil {
			return nil, err
		}
		w.Words = dmp.AppendCommands(w.Words, writes)
		for _, u := range []struct {
			name string
			rows [][4]float32
		}{
			{"projection", rows(d.projection, 4)}, {"modelView", rows(d.view, 4)}, {"normalMatrix", rows(d.view, 3)},
		} {
			if err := program.AppendUniform(w, false, u.name, u.rows...); err != nil {
				return nil, err
			}
		}
		mask := uint32(0xF << 8) // all colours
		if d.depthTest {
			mask |= 1 | uint32(pica.CompareGreater)<<4
		}
		if d.depthW {
			mask |= 1 << 12
		}
		w.Write(pica.RegDepthColorMask, mask)
		d.mesh.draw(w)
	}
	w.Finish()
	return w, nil
}

// target adds what no dmp_* uniform stands for: the render target, the
// viewport and the state of the output stage.
func target(w *pica.CommandWriter) {
	f24 := pica.Float24.Encode
	w.Write(pica.RegFramebufferFlush, 1)
	w.Write(pica.RegFramebufferInvalidate, 1)
	dim := uint32(1<<24 | (height-1)<<12 | width)
	w.WriteRun(pica.RegDepthbufferLoc, depthAddr>>3, colorAddr>>3, dim)
	w.Write(pica.RegRenderbufDim, dim)
	w.Write(pica.RegDepthbufferFormat, uint32(pica.DepthFormatD24S8))
	w.Write(pica.RegColorbufferFormat, uint32(pica.ColorFormatRGBA8)<<16|2)
	w.Write(pica.RegFramebufferBlock32, 0)
	w.WriteRun(pica.RegColorbufferRead, 0xF, 0xF, 3, 3)
	w.WriteRun(pica.RegViewportWidth, f24(width/2), pica.Float31.Encode(2.0/width)<<1, f24(height/2), pica.Float31.Encode(2.0/height)<<1)
	w.Write(pica.RegViewportXy, 0)
	w.Write(pica.RegScissortestMode, uint32(pica.ScissorOff))
	w.Write(pica.RegFacecullingConfig, uint32(pica.CullBack))
	w.Write(pica.RegDepthmapEnable, 1)
	w.Write(pica.RegDepthmapScale, f24(-1))
	w.Write(pica.RegDepthmapOffset, f24(0))
	w.Write(pica.RegEarlydepthTest1, 0)
	w.Write(pica.RegEarlydepthTest2, 0)
	w.Write(pica.RegStencilTest, 0)
	w.Write(pica.RegLogicOp, 0)
	// Blending: source * 1 + destination * 0.
	w.Write(pica.RegColorOperation, 0x00E40100)
	w.Write(pica.RegBlendFunc, 0x01010000)

	w.Write(pica.RegTexunit0Dim, 64<<16|64)
	const repeat, linear = 2, 1
	w.Write(pica.RegTexunit0Param, repeat<<12|repeat<<8|linear<<2|linear<<1)
	w.Write(pica.RegTexunit0Lod, 0)
	w.Write(pica.RegTexunit0Addr1, textureAddr>>3)
	w.Write(pica.RegTexunit0Type, uint32(pica.TextureFormatRGB565))
}
