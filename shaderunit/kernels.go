package shaderunit

// vec4 is a register: x, y, z, w.
type vec4 = [4]float32

// kernel computes the four components of an arithmetic instruction from its
// sources after swizzle and negation. The interpreter writes those in the mask.
type kernel func(s *[3]vec4) vec4

// flagsKernel computes the flags of an instruction that sets cmp.x and cmp.y.
type flagsKernel func(in *Instr, s *[3]vec4) [2]bool

func splat(x float32) vec4 { return vec4{x, x, x, x} }

func kernelADD(s *[3]vec4) (d vec4) {
	for i := range d {
		d[i] = add24(s[0][i], s[1][i])
	}
	return d
}

func kernelMUL(s *[3]vec4) (d vec4) {
	for i := range d {
		d[i] = mul24(s[0][i], s[1][i])
	}
	return d
}

func kernelMAD(s *[3]vec4) (d vec4) {
	for i := range d {
		d[i] = mad24(s[0][i], s[1][i], s[2][i])
	}
	return d
}

func kernelMAX(s *[3]vec4) (d vec4) {
	for i := range d {
		d[i] = max24(s[0][i], s[1][i])
	}
	return d
}

func kernelMIN(s *[3]vec4) (d vec4) {
	for i := range d {
		d[i] = min24(s[0][i], s[1][i])
	}
	return d
}

func kernelSGE(s *[3]vec4) (d vec4) {
	for i := range d {
		d[i] = sge24(s[0][i], s[1][i])
	}
	return d
}

func kernelSLT(s *[3]vec4) (d vec4) {
	for i := range d {
		d[i] = slt24(s[0][i], s[1][i])
	}
	return d
}

func kernelFLR(s *[3]vec4) (d vec4) {
	for i := range d {
		d[i] = flr24(s[0][i])
	}
	return d
}

func kernelMOV(s *[3]vec4) (d vec4) {
	for i := range d {
		d[i] = noNegZero(s[0][i])
	}
	return d
}

func kernelDP3(s *[3]vec4) vec4 { return splat(dot3(&s[0], &s[1])) }
func kernelDP4(s *[3]vec4) vec4 { return splat(dot4(&s[0], &s[1])) }
func kernelDPH(s *[3]vec4) vec4 { return splat(doth(&s[0], &s[1])) }
func kernelRCP(s *[3]vec4) vec4 { return splat(rcp24(s[0][0])) }
func kernelRSQ(s *[3]vec4) vec4 { return splat(rsq24(s[0][0])) }
func kernelEX2(s *[3]vec4) vec4 { return splat(ex224(s[0][0])) }
func kernelLG2(s *[3]vec4) vec4 { return splat(lg224(s[0][0])) }

// kernelDST is Direct3D's dst (distance attenuation). z and w are copies, which
// are not flushed.
func kernelDST(s *[3]vec4) vec4 {
	return vec4{1, mul24(s[0][1], s[1][1]), noNegZero(s[0][2]), noNegZero(s[1][3])}
}

// litpLimit bounds the exponent of LITP: 0x7FFF / 0x100.
const litpLimit = float32(0x7FFF) / 0x100

// flagsCMP compares x and y. Whether the mask matters is unknown (3dbrew); here
// it does not.
func flagsCMP(in *Instr, s *[3]vec4) [2]bool {
	return [2]bool{compare(in.CmpX, s[0][0], s[1][0]), compare(in.CmpY, s[0][1], s[1][1])}
}

func flagsLITP(_ *Instr, s *[3]vec4) [2]bool { return [2]bool{s[0][0] >= 0, s[0][3] >= 0} }

// kernelLITP computes the destination of LITP, flagsLITP the flags. It only
// compares and moves, so it does not flush.
func kernelLITP(s *[3]vec4) vec4 {
	return vec4{litpMax(s[0][0]), litpClamp(s[0][1]), 0, litpMax(s[0][3])}
}

func litpMax(x float32) float32 { return max24(x, 0) }

func litpClamp(x float32) float32 { return max24(min24(x, litpLimit), -litpLimit) }
