package seeds

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"
)

// scene holds the uniforms and vertex inputs ("paint", "coord0") of a picture by name. It computes the square's colour itself, in
// float64, with the equations of 3dbrew's register page (GPU/Internal Registers) and, for gas and noise, of studies of consoles; it
// uses no registers. Colours are 0 to 255.
type scene map[string]string

type rgba = mgl64.Vec4

// sceneOf parses the settings of a picture.
func sceneOf(settings string, i int) scene {
	s := scene{}
	for _, set := range strings.Split(settings, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(set), "=")
		if name != "every" {
			s[strings.ReplaceAll(name, "%d", strconv.Itoa(i))] = value
			continue
		}
		name, value, _ = strings.Cut(value, "=")
		for k := range 8 {
			s[strings.ReplaceAll(name, "%d", strconv.Itoa(k))] = value
		}
		for _, table := range lightTables {
			s[strings.ReplaceAll(name, "%T", table)] = value
		}
	}
	return s
}

// lightTables are the suffixes of the lighting tables that have an input.
var lightTables = []string{"D0", "D1", "SP", "FR", "RB", "RG", "RR"}

// words returns the values of a name as text, numbers as numbers.
func (s scene) words(name, otherwise string) []string {
	value, ok := s[name]
	if !ok {
		value = otherwise
	}
	return strings.Split(value, ",")
}

func (s scene) word(name, otherwise string) string { return s.words(name, otherwise)[0] }
func (s scene) on(name string) bool                { return s[name] == "true" }

func (s scene) numbers(name, otherwise string) (v rgba) {
	for k, w := range s.words(name, otherwise) {
		x, err := strconv.ParseFloat(w, 64)
		if err != nil {
			panic(name + ": " + err.Error())
		}
		v[k] = x
	}
	return v
}

func (s scene) number(name, otherwise string) float64 { return s.numbers(name, otherwise)[0] }

func clamp(x float64) float64 { return min(max(x, 0), 1) }

// bytes converts a colour of 0..1 to whole numbers of 0..255.
func bytes(c rgba) rgba {
	for k := range c {
		c[k] = math.Floor(clamp(c[k]) * 255)
	}
	return c
}

// entry is entry k of a table of n entries of 12 bits, in the notation of the rows: "/", "\\", "|" or "~0.5".
func (s scene) entry(name string, k, n int) float64 {
	x := float64(k) / float64(n)
	switch value := s.word(name, "~0"); value[0] {
	case '\\':
		x = 1 - x
	case '|':
		x = float64(k & 1)
	case '~':
		x, _ = strconv.ParseFloat(value[1:], 64)
	}
	return math.Floor(x*0xFFF) / 0xFFF
}

// lookup interpolates in a table of n entries for x in 0..1.
func (s scene) lookup(name string, x float64, n int) float64 {
	x = clamp(x) * float64(n)
	k := min(int(x), n-1)
	a, b := s.entry(name, k, n), s.entry(name, min(k+1, n-1), n)
	return a + (b-a)*(x-float64(k))
}

// texels are the left and right halves of the three textures.
var texels = [3][2]rgba{{{200, 100, 50, 255}, {30, 60, 90, 128}}, {{0, 255, 0, 255}, {255, 0, 255, 64}}, {{10, 20, 30, 255}, {210, 220, 230, 32}}}

// texel is the output of texture unit 0, 1 or 2.
func (s scene) texel(unit int) rgba {
	coord := "coord" + strconv.Itoa(unit)
	if unit == 2 && s.word("dmp_Texture[2].texcoord", "GL_TEXTURE2") == "GL_TEXTURE1" {
		coord = "coord1"
	}
	at := s.numbers(coord, map[string]string{"coord0": "0.25,0.25,0.5", "coord1": "0.25,0.25", "coord2": "0.75,0.25"}[coord])
	pick := func(u float64) rgba { return texels[unit][int(truth(u >= 0.5))] }
	switch s.word("dmp_Texture["+strconv.Itoa(unit)+"].samplerType", "GL_FALSE") {
	case "GL_TEXTURE_2D":
		return pick(at[0])
	case "projection":
		return pick(at[0] / at[2])
	case "shadow2d":
		if s.word("dmp_Texture[0].perspectiveShadow", "true") == "true" {
			at[0] /= at[2]
		}
		c := pick(at[0]) // density and 24 bits of depth, least significant first
		z := at[2] - s.number("dmp_Texture[0].shadowZBias", "0")*s.number("dmp_Texture[0].shadowZScale", "1")
		if depth := (c[3]*65536 + c[2]*256 + c[1]) / 0xFFFFFF; z > depth {
			return rgba{}
		}
		return rgba{c[0], c[0], c[0], c[0]}
	}
	return rgba{}
}

// procedural is the output of texture unit 3.
func (s scene) procedural() rgba {
	const p = "dmp_Texture[3]."
	if s.word(p+"samplerType", "GL_FALSE") != "procedural" {
		return rgba{}
	}
	at := s.numbers("coord"+strings.TrimPrefix(s.word(p+"texcoord", "GL_TEXTURE0"), "GL_TEXTURE"), "0.25,0.25")
	if s.word(p+"texcoord", "") == "GL_TEXTURE2" && s["coord2"] == "" {
		at = rgba{0.75, 0.25}
	}
	slope := s.numbers("slope", "0")
	u, v := math.Abs(at[0]+slope[0]*(1.5/4-1)), math.Abs(at[1]+slope[1]*(1-4.5/4))
	if s.on(p + "ptNoiseEnable") {
		u, v = s.noise(u, v)
	}
	clampU, clampV := s.word(p+"ptClampU", "GL_CLAMP_TO_EDGE"), s.word(p+"ptClampV", "GL_CLAMP_TO_EDGE")
	u, v = u+shifted(s.word(p+"ptShiftU", "GL_NONE"), clampU, v), v+shifted(s.word(p+"ptShiftV", "GL_NONE"), clampV, u)
	u, v = clamped(clampU, u), clamped(clampV, v)
	rgb := s.lookup(p+"ptSamplerRgbMap", mapped(s.word(p+"ptRgbMap", "u"), u, v), 128)

	// Each level of detail has half the entries of the previous one.
	filter := strings.TrimPrefix(s.word(p+"ptMinFilter", "GL_LINEAR"), "GL_")
	width := s.number(p+"ptTexWidth", "0")
	level := func(l int) (c rgba) {
		first, last := float64([]int{int(s.number(p+"ptTexOffset", "0")), 0x80, 0xC0, 0xE0, 0xF0, 0xF8, 0xFC, 0xFE}[l]), math.Max(float64(int(width)>>l), 1)-1
		x := rgb * last
		if strings.HasPrefix(filter, "NEAREST") {
			x = math.Round(x)
		}
		for k, name := range []string{"R", "G", "B", "A"} {
			c[k] = 255 * s.lookup(p+"ptSampler"+name, (first+x)/256, 256)
		}
		return c
	}
	c := level(0)
	if _, between, ok := strings.Cut(filter, "_MIPMAP_"); ok {
		lod := math.Log2(width * math.Abs(s.number(p+"ptTexBias", "0.5")) * 2 / 8 * (math.Abs(slope[0]) + math.Abs(slope[1])))
		lod = min(max(lod, 0), 7)
		if c = level(int(math.Round(lod))); between == "LINEAR" {
			l := math.Floor(lod)
			c = level(int(l)).Mul(1 - lod + l).Add(level(min(int(l)+1, 7)).Mul(lod - l))
		}
	}
	if s.on(p + "ptAlphaSeparate") {
		c[3] = 255 * s.lookup(p+"ptSamplerAlphaMap", mapped(s.word(p+"ptAlphaMap", "u"), u, v), 128)
	}
	return c
}

// noise adds noise to the coordinates of the procedural texture.
func (s scene) noise(u, v float64) (float64, float64) {
	random := func(n int) int {
		return (n%9+2)*3&15 ^ []int{0, 4, 10, 8, 4, 9, 7, 12, 5, 15, 13, 14, 11, 15, 2, 11}[n/9&15]
	}
	gradient := func(x, y int) float64 {
		a, b := random(x), random(y)
		b += 4 * int(truth(a&3 == 1))
		b = (b ^ a&1*6) + 10 + a
		b = b&15 ^ []int{10, 2, 15, 8, 0, 7, 4, 5, 5, 13, 2, 6, 13, 9, 3, 14}[a]
		return float64(b)*2/15 - 1
	}
	nu, nv := s.numbers("dmp_Texture[3].ptNoiseU", "0,0,0"), s.numbers("dmp_Texture[3].ptNoiseV", "0,0,0")
	x, y := 9*nu[0]*math.Abs(u+nu[1]), 9*nv[0]*math.Abs(v+nv[1])
	i, j := int(x), int(y)
	x, y = x-float64(i), y-float64(j)
	mix := func(a, b, f float64) float64 { return a + (b-a)*f }
	wx, wy := s.lookup("dmp_Texture[3].ptSamplerNoiseMap", x, 128), s.lookup("dmp_Texture[3].ptSamplerNoiseMap", y, 128)
	n := mix(mix(gradient(i, j)*(x+y), gradient(i+1, j)*(x+y-1), wx), mix(gradient(i, j+1)*(x+y-1), gradient(i+1, j+1)*(x+y-2), wx), wy)
	return math.Abs(u + n*nu[2]), math.Abs(v + n*nv[2])
}

// shifted is the offset of every other row of the procedural texture: a half, or 1 if mirrored.
func shifted(shift, how string, other float64) float64 {
	step := 0.5
	if how == "GL_MIRRORED_REPEAT" {
		step = 1
	}
	switch shift {
	case "odd":
		return step * float64(int(other)/2%2)
	case "even":
		return step * float64((int(other)+1)/2%2)
	}
	return 0
}

func clamped(how string, x float64) float64 {
	switch how {
	case "to_zero":
		return x * truth(x <= 1)
	case "symmetrical_repeat":
		return x - math.Floor(x)
	case "GL_MIRRORED_REPEAT":
		return 1 - math.Abs(math.Mod(x, 2)-1)
	case "pulse":
		return truth(x > 0.5)
	}
	return min(x, 1)
}

// mapped combines the coordinates of the procedural texture.
func mapped(how string, u, v float64) float64 {
	return map[string]float64{"u": u, "u2": u * u, "v": v, "v2": v * v, "add": (u + v) / 2, "add2": (u*u + v*v) / 2, "sqrt2": min(math.Hypot(u, v), 1),
		"min": min(u, v), "max": max(u, v), "rmax": ((u+v)/2 + math.Hypot(u, v)) / 2}[how]
}

// layers are the tables used by each lighting configuration.
var layers = []string{"D0 RR SP", "FR RR SP", "D0 D1 RR", "D0 D1 FR", "D0 D1 RR RG RB SP", "D0 FR RR RG RB SP", "D0 D1 RR SP FR", "D0 D1 RR RG RB SP FR"}

// light is the result of fragment lighting with one light.
func (s scene) light() (primary, secondary rgba) {
	const env, material = "dmp_LightEnv.", "dmp_FragmentMaterial."
	if !s.on("dmp_FragmentLighting.enabled") {
		return
	}
	config := s.word(env+"config", "config0")
	layer := strings.Fields(layers[config[6]-'0'])
	normal, tangent := mgl64.Vec3{0, 0, 1}, mgl64.Vec3{1, 0, 0}
	unit := func(name string) rgba {
		return s.texel(int(s.word(env+name, "GL_TEXTURE0")[len("GL_TEXTURE")] - '0'))
	}
	bump := unit("bumpSelector").Vec3().Mul(2. / 255).Sub(mgl64.Vec3{1, 1, 1})
	switch s.word(env+"bumpMode", "none") {
	case "normal":
		if s.on(env + "bumpRenorm") {
			bump[2] = math.Sqrt(max(1-bump[0]*bump[0]-bump[1]*bump[1], 0))
		}
		normal = bump
	case "tangent":
		tangent = bump
	}
	q := s.numbers("quaternion", "0,0,0,1")
	turn := mgl64.Quat{W: q[3], V: q.Vec3()}.Normalize()
	normal, tangent = turn.Rotate(normal), turn.Rotate(tangent)
	view := s.numbers("eye", "0,0,1").Vec3()
	shadow := rgba{1, 1, 1, 1}
	shadowed := func(name string) bool { return s.on(env + "shadow" + name) }
	if shadowed("Primary") || shadowed("Secondary") || shadowed("Alpha") {
		shadow = unit("shadowSelector").Mul(1. / 255)
		if s.on(env + "invertShadow") {
			shadow = rgba{1, 1, 1, 1}.Sub(shadow)
		}
	}
	product := func(a, b string) mgl64.Vec3 {
		x, y := s.numbers(a, "0,0,0,1"), s.numbers(b, "0,0,0,1")
		return mgl64.Vec3{x[0] * y[0], x[1] * y[1], x[2] * y[2]}
	}
	lit := product(material+"ambient", "dmp_FragmentLighting.ambient").Add(s.numbers(material+"emission", "0,0,0,1").Vec3())
	shine, fresnel := mgl64.Vec3{}, 1.0
	for i := range 8 {
		name := "dmp_FragmentLightSource[" + strconv.Itoa(i) + "]."
		if !s.on(name + "enabled") {
			continue
		}
		position := s.numbers(name+"position", "0,0,1,0")
		l := position.Vec3()
		if position[3] != 0 {
			l = l.Add(view)
		}
		distance := l.Len()
		l = l.Normalize()
		half := l.Add(view.Normalize())
		both := half.Normalize()
		table := func(k string, enabled bool) float64 {
			if !enabled || !slices.Contains(layer, k) {
				return 1
			}
			across := 0.0
			if config == "config7" {
				across = both.Sub(normal.Mul(normal.Dot(both))).Dot(tangent)
			}
			x := map[string]float64{"nh": normal.Dot(both), "vh": view.Normalize().Dot(both), "nv": normal.Dot(view.Normalize()), "ln": l.Dot(normal),
				"sp": -l.Dot(s.numbers(name+"spotDirection", "0,0,-1").Vec3()), "cp": across}[s.word(env+"lutInput"+k, "nh")]
			sampler := material + "sampler" + k
			if k == "SP" {
				sampler = name + "samplerSP"
			}
			if !s.on(env + "absLutInput" + k) { // negative inputs read the upper half
				if x /= 2; x < 0 {
					x++
				}
			} else if s.on(name + "twoSideDiffuse") {
				x = math.Abs(x)
			}
			return s.number(env+"lutScale"+k, "1") * s.lookup(sampler, x, 256)
		}
		diffuse := l.Dot(normal)
		if s.on(name + "twoSideDiffuse") {
			diffuse = math.Abs(diffuse)
		}
		diffuse = max(diffuse, 0)
		attenuation := table("SP", s.on(name+"spotEnabled"))
		if s.on(name + "distanceAttenuationEnabled") {
			attenuation *= s.lookup(name+"samplerDA", s.number(name+"distanceAttenuationBias", "0")+s.number(name+"distanceAttenuationScale", "1")*distance, 256)
		}
		factor := min(diffuse/half.Dot(half), 1)
		d := [2]float64{table("D0", s.on(env+"lutEnabledD0")), table("D1", s.on(env+"lutEnabledD1"))}
		for k := range d {
			if s.on(name + "geomFactor" + strconv.Itoa(k)) {
				d[k] *= factor
			}
		}
		if s.on(env+"clampHighlights") && diffuse == 0 {
			d = [2]float64{}
		}
		reflected := [3]float64{}
		for k, t := range []string{"RR", "RG", "RB"} {
			if reflected[k] = table(t, s.on(env+"lutEnabledRefl")); !slices.Contains(layer, t) {
				reflected[k] = reflected[0]
			}
		}
		ambient, color := product(material+"ambient", name+"ambient"), product(material+"diffuse", name+"diffuse")
		specular0, specular1 := product(material+"specular0", name+"specular0"), product(material+"specular1", name+"specular1")
		for k := range 3 {
			dark := [2]float64{1, 1}
			if s.on(name + "shadowed") {
				for j, which := range []string{"Primary", "Secondary"} {
					if shadowed(which) {
						dark[j] = shadow[k]
					}
				}
			}
			lit[k] += (color[k]*diffuse*dark[0] + ambient[k]) * attenuation
			shine[k] += (specular0[k]*d[0] + specular1[k]*d[1]*reflected[k]) * attenuation * dark[1]
		}
		fresnel = table("FR", true)
	}
	primary, secondary = lit.Vec4(1), shine.Vec4(1)
	if shadowed("Alpha") {
		fresnel *= shadow[3]
	}
	switch s.word(env+"fresnelSelector", "none") {
	case "primary_alpha":
		primary[3] = fresnel
	case "secondary_alpha":
		secondary[3] = fresnel
	case "both":
		primary[3], secondary[3] = fresnel, fresnel
	}
	return bytes(primary), bytes(secondary)
}

// combine evaluates the six combiner stages; last are the sources of the last stage.
func (s scene) combine(sources map[string]rgba) (out rgba, last [3]rgba) {
	buffer := rgba{}
	for i := range 6 {
		name := "dmp_TexEnv[" + strconv.Itoa(i) + "]."
		sources["GL_PREVIOUS"], sources["previous_buffer"] = out, buffer
		previous := out
		sources["GL_CONSTANT"] = bytes(s.numbers(name+"constRgba", "0,0,0,0"))
		start := "GL_PREVIOUS,GL_PREVIOUS,GL_PREVIOUS"
		if i == 0 {
			start = "GL_PRIMARY_COLOR,GL_PRIMARY_COLOR,GL_PRIMARY_COLOR"
		}
		for half, part := range []string{"Rgb", "Alpha"} {
			var a [3]rgba
			operands := s.words(name+"operand"+part, [2]string{"GL_SRC_COLOR,GL_SRC_COLOR,GL_SRC_COLOR", "GL_SRC_ALPHA,GL_SRC_ALPHA,GL_SRC_ALPHA"}[half])
			for k, source := range s.words(name+"src"+part, start) {
				c := sources[source]
				if half == 0 {
					last[k] = c
				}
				a[k] = operandOf(operands[k], c)
			}
			how := s.word(name+"combine"+part, "GL_REPLACE")
			if half == 1 && s.word(name+"combineRgb", "") == "GL_DOT3_RGBA" {
				continue
			}
			for ch := range 4 {
				if half == 0 && ch == 3 && how != "GL_DOT3_RGBA" || half == 1 && ch != 3 {
					continue
				}
				x := 0.0
				if strings.HasPrefix(how, "GL_DOT3") {
					for k := range 3 {
						x += (2*a[0][k]/255 - 1) * (2*a[1][k]/255 - 1)
					}
				} else {
					x = combined3(how, a[0][ch]/255, a[1][ch]/255, a[2][ch]/255)
				}
				scale := s.number(name+"scale"+part, "1")
				out[ch] = min(math.Round(clamp(x)*255)*scale, 255)
			}
		}
		if i == 0 {
			buffer = bytes(s.numbers("dmp_TexEnv[0].bufferColor", "0,0,0,0"))
		}
		for ch := range 4 { // buffer input of the next stage
			if s.words(name+"bufferInput", "previous_buffer,previous_buffer")[ch/3] == "GL_PREVIOUS" {
				buffer[ch] = previous[ch]
			}
		}
	}
	return out, last
}

func operandOf(name string, c rgba) rgba {
	same := func(x float64) rgba { return rgba{x, x, x, x} }
	not := strings.Contains(name, "MINUS") || strings.Contains(name, "minus")
	switch {
	case strings.HasSuffix(name, "ALPHA"):
		c = same(c[3])
	case strings.HasSuffix(name, "red"):
		c = same(c[0])
	case strings.HasSuffix(name, "green"):
		c = same(c[1])
	case strings.HasSuffix(name, "blue"):
		c = same(c[2])
	}
	if not {
		c = same(255).Sub(c)
	}
	return c
}

// combined3 is a combiner function for one channel.
func combined3(how string, a, b, c float64) float64 {
	switch how {
	case "GL_MODULATE":
		return a * b
	case "GL_ADD":
		return a + b
	case "GL_ADD_SIGNED":
		return a + b - 0.5
	case "GL_INTERPOLATE":
		return a*c + b*(1-c)
	case "GL_SUBTRACT":
		return a - b
	case "mult_add":
		return min(a*b, 1) + c
	case "add_mult":
		return min(a+b, 1) * c
	}
	return a
}

// gas is the colour of gas: planar is the shading in the picture plane; densities are those of all gas and of gas in front of other
// objects.
func (s scene) gas(planar float64, densities [2]float64) (c rgba) {
	density := densities[int(truth(s.word("dmp_Gas.shadingDensitySrc", "#605E") == "#605F"))]
	if s.word("dmp_Gas.autoAcc", "true") == "false" {
		density /= s.number("dmp_Gas.accMax", "1")
	}
	at := density
	if s.word("dmp_Gas.colorLutInput", "#6060") == "#6061" {
		xy, z := s.numbers("dmp_Gas.lightXY", "0,0,0"), s.numbers("dmp_Gas.lightZ", "0,0,0,0")
		a, b := planar*(1-xy[2]*density), z[3]*(1-z[2]*density)
		at = xy[1]*a + xy[0]*(1-a) + z[1]*b + z[0]*(1-b)
	}
	for k, name := range []string{"TR", "TG", "TB"} {
		c[k] = s.lookup("dmp_Gas.sampler"+name, at, 8)
	}
	c[3] = s.lookup("dmp_Fog.sampler", densities[1]*s.number("dmp_Gas.attenuation", "1"), 128)
	return bytes(c)
}

// float16 encodes a number of 0..1 in 16 bits; ofFloat16 decodes it.
func float16(x float64) int {
	m, e := math.Frexp(x)
	if x == 0 {
		return 0
	}
	return (e+14)<<10 | int(m*2048)&1023
}

func ofFloat16(w int) float64 { return math.Ldexp(float64(w&1023|1024), w>>10-25) }

// depth is the depth of the square, 0 to 1.
func (s scene) depth() float64 {
	d := 1 + s.number("z", "-0.5")
	if w := s.number("dmp_FragOperation.wScale", "0"); w != 0 {
		d *= w
	}
	return d
}

// color is the final content of the pixel.
func (s scene) color() rgba {
	cleared := bytes(s.numbers("clear", "0,0,0,0"))
	if s.on("dmp_FragOperation.enableClippingPlane") {
		at := rgba{1.5/4 - 1, 1 - 4.5/4, s.number("z", "-0.5"), 1}
		if s.numbers("dmp_FragOperation.clippingPlane", "0,0,0,0").Dot(at) < 0 {
			return cleared
		}
	}
	primary, secondary := s.light()
	paint := s.numbers("paint", "0.8,0.6,0.4,1")
	for k := range paint {
		paint[k] = math.Round(paint[k] * 255)
	}
	c, last := s.combine(map[string]rgba{"GL_PRIMARY_COLOR": paint, "fragment_primary_color": primary, "fragment_secondary_color": secondary,
		"GL_TEXTURE0": s.texel(0), "GL_TEXTURE1": s.texel(1), "GL_TEXTURE2": s.texel(2), "GL_TEXTURE3": s.procedural()})
	switch s.word("dmp_Fog.mode", "#0") {
	case "#0B60":
		at := s.depth()
		if s.on("dmp_Fog.zFlip") {
			at = 1 - at
		}
		own, fog := s.lookup("dmp_Fog.sampler", at, 128), bytes(s.numbers("dmp_Fog.color", "0,0,0"))
		for k := range 3 {
			c[k] = c[k]*own + fog[k]*(1-own)
		}
	case "#6050":
		texel := last[2]
		c = s.gas(last[0][0]/255, [2]float64{ofFloat16(int(texel[3])<<8 | int(texel[2])), ofFloat16(int(texel[1])<<8 | int(texel[0]))})
	}
	if s.on("dmp_FragOperation.enableAlphaTest") {
		a, ref := c[3], math.Floor(s.number("dmp_FragOperation.alphaRefValue", "0")*255)
		pass := map[string]bool{"GL_NEVER": false, "GL_ALWAYS": true, "GL_LESS": a < ref, "GL_LEQUAL": a <= ref, "GL_EQUAL": a == ref, "GL_NOTEQUAL": a != ref, "GL_GREATER": a > ref, "GL_GEQUAL": a >= ref}
		if !pass[s.word("dmp_FragOperation.alphaTestFunc", "GL_ALWAYS")] {
			return cleared
		}
	}
	switch s.word("dmp_FragOperation.mode", "default") {
	case "gas": // two numbers of 16 bits
		thick := float16(c[0] / 255)
		seen := thick
		if _, ok := s["depthfunc"]; ok {
			seen = float16(c[0] / 255 * clamp((1-s.depth())*s.number("dmp_Gas.deltaZ", "0")))
		}
		return rgba{float64(seen & 255), float64(seen >> 8), float64(thick & 255), float64(thick >> 8)}
	case "shadow": // 8 bits of density and 24 of depth; a density of 0 marks a shadow caster
		depth := (cleared[3]*65536 + cleared[2]*256 + cleared[1]) / 0xFFFFFF
		if c[1] > 0 {
			scale, bias := s.number("dmp_FragOperation.penumbraScale", "1"), s.number("dmp_FragOperation.penumbraBias", "0")
			cleared[0] = min(cleared[0], math.Floor(c[1]/(bias+scale*(1-s.depth()/depth))))
		}
		return cleared
	}
	return c
}
