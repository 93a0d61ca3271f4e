package seeds

// Settings shared by rows of the table.
const (
	shadowMap = "dmp_TexEnv[0].srcRgb=GL_TEXTURE0,GL_TEXTURE0,GL_TEXTURE0; dmp_Texture[0].samplerType=shadow2d; coord0=0.75,0.25,0.7,0; dmp_Texture[0].perspectiveShadow=false; "
	procedure = "dmp_TexEnv[0].srcRgb=GL_TEXTURE3,GL_TEXTURE3,GL_TEXTURE3; dmp_TexEnv[0].srcAlpha=GL_TEXTURE3,GL_TEXTURE3,GL_TEXTURE3; dmp_Texture[3].samplerType=procedural; " +
		"dmp_Texture[3].ptSamplerR=/; dmp_Texture[3].ptSamplerG=\\; dmp_Texture[3].ptSamplerB=~0.5; dmp_Texture[3].ptSamplerA=~1; dmp_Texture[3].ptSamplerRgbMap=/; dmp_Texture[3].ptSamplerAlphaMap=\\; " +
		"dmp_Texture[3].ptSamplerNoiseMap=/; dmp_Texture[3].ptTexWidth=255; dmp_Texture[3].ptMinFilter=GL_LINEAR; coord0=0.25,0.625,0,0; "
	// Sources of the stage: a constant (51, 102, 229, 76), the vertex colour (204, 153, 102, 128) and a texture (200, 100, 50,
	// 255).
	combined = "dmp_TexEnv[%d].srcRgb=GL_CONSTANT,GL_PRIMARY_COLOR,GL_TEXTURE0; dmp_TexEnv[%d].srcAlpha=GL_CONSTANT,GL_PRIMARY_COLOR,GL_TEXTURE0; dmp_TexEnv[%d].constRgba=0.2,0.4,0.9,0.3; paint=0.8,0.6,0.4,0.5; dmp_Texture[0].samplerType=GL_TEXTURE_2D; "
	gas      = "dmp_Fog.mode=#6050; dmp_Gas.autoAcc=false; dmp_Gas.accMax=1; dmp_Gas.samplerTR=/; dmp_Gas.samplerTG=\\; dmp_Gas.samplerTB=~0.5; dmp_Gas.attenuation=1; " +
		"dmp_Gas.lightXY=0.1,0.9,0.5; dmp_Gas.lightZ=0.1,0.9,0.5,0.5; dmp_Gas.deltaZ=1; paint=0.5,0.25,0.125,1; dmp_TexEnv[5].srcRgb=GL_PRIMARY_COLOR,GL_PREVIOUS,GL_CONSTANT; " +
		"dmp_TexEnv[5].srcAlpha=GL_PRIMARY_COLOR,GL_PREVIOUS,GL_CONSTANT; dmp_TexEnv[5].constRgba=0,0.2041,0,0.2198; dmp_Fog.sampler=/; " // densities of 0.5 and 0.25
	lightColors = "dmp_FragmentLightSource[%d].diffuse=0.8,0.6,0.4,1; dmp_FragmentLightSource[%d].position=0,0,1,0; "
	secondaryD  = "dmp_FragmentLightSource[%d].specular0=0.8,0.6,0.4,1; dmp_FragmentLightSource[%d].position=0.6,0,0.8,0; "
	half        = "quaternion=0.3,0,0,0.95; "
)

func init() {
	add := func(name, scene string, steps ...string) { pictures[name] = &picture{name, scene, steps} }
	add("dmp_Texture[0].perspectiveShadow", shadowMap+"coord0=0.4,0.25,0.6,0; ", "true: 000000FF", "false: C8C8C8FF")
	add("dmp_Texture[0].shadowZBias", shadowMap, "0: 000000FF", "0.125: 000000FF", "0.25: 1E1E1EFF")
	add("dmp_Texture[0].shadowZScale", shadowMap+"dmp_Texture[0].shadowZBias=0.5; ", "0: 000000FF", "1: 1E1E1EFF")
	add("dmp_Texture[0].samplerType", "dmp_TexEnv[0].srcRgb=GL_TEXTURE0,GL_TEXTURE0,GL_TEXTURE0; coord0=0.75,0.25,0.7,0; ", "GL_TEXTURE_2D: 1E3C5AFF", "shadow2d: 000000FF", "projection: 1E3C5AFF", "GL_FALSE: 000000FF")
	add("dmp_Texture[1].samplerType", "dmp_TexEnv[0].srcRgb=GL_TEXTURE1,GL_TEXTURE1,GL_TEXTURE1; ", "GL_TEXTURE_2D: 00FF00FF", "GL_FALSE: 000000FF")
	add("dmp_Texture[2].samplerType", "dmp_TexEnv[0].srcRgb=GL_TEXTURE2,GL_TEXTURE2,GL_TEXTURE2; ", "GL_TEXTURE_2D: D2DCE6FF", "GL_FALSE: 000000FF")
	add("dmp_Texture[3].samplerType", procedure, "procedural: 3EBF7FFF", "GL_FALSE: 00000000")
	add("dmp_Texture[2].texcoord", "dmp_TexEnv[0].srcRgb=GL_TEXTURE2,GL_TEXTURE2,GL_TEXTURE2; dmp_Texture[2].samplerType=GL_TEXTURE_2D; ", "GL_TEXTURE1: 0A141EFF", "GL_TEXTURE2: D2DCE6FF")
	add("dmp_Texture[3].texcoord", procedure+"coord1=0.5,0.5,0,0; ", "GL_TEXTURE0: 3EBF7FFF", "GL_TEXTURE1: 7D7F7FFF", "GL_TEXTURE2: BD407FFF")
	add("dmp_Texture[3].ptRgbMap", procedure, "u: 3EBF7FFF", "u2: 0EEE7FFF", "v: 9D5F7FFF", "v2: 629B7FFF", "add: 6E8F7FFF", "add2: 38C57FFF", "sqrt2: A9537FFF", "min: 3EBF7FFF", "max: 9D5F7FFF", "rmax: 8C717FFF")
	add("dmp_Texture[3].ptAlphaMap", procedure+"dmp_Texture[3].ptAlphaSeparate=true; ", "u: 3EBF7FBF", "u2: 3EBF7FEF", "v: 3EBF7F5F", "v2: 3EBF7F9B", "add: 3EBF7F8F", "add2: 3EBF7FC5", "sqrt2: 3EBF7F53", "min: 3EBF7FBF", "max: 3EBF7F5F", "rmax: 3EBF7F71")
	add("dmp_Texture[3].ptAlphaSeparate", procedure+"dmp_Texture[3].ptSamplerA=/; ", "true: 3EBF7FBF", "false: 3EBF7F3E")
	add("dmp_Texture[3].ptClampU", procedure+"coord0=1.25,0.5,0,0; ", "to_zero: 00FF7FFF", "GL_CLAMP_TO_EDGE: FB027FFF", "symmetrical_repeat: 3EBF7FFF", "GL_MIRRORED_REPEAT: BD407FFF", "pulse: FB027FFF")
	add("dmp_Texture[3].ptClampV", procedure+"dmp_Texture[3].ptRgbMap=v; coord0=0.5,1.25,0,0; ", "to_zero: 00FF7FFF", "GL_CLAMP_TO_EDGE: FB027FFF", "symmetrical_repeat: 3EBF7FFF", "GL_MIRRORED_REPEAT: BD407FFF", "pulse: FB027FFF")
	add("dmp_Texture[3].ptShiftU", procedure+"dmp_Texture[3].ptClampU=symmetrical_repeat; coord0=0.25,1.625,0,0; ", "odd: 3EBF7FFF", "even: BD407FFF", "GL_NONE: 3EBF7FFF", "odd; coord0=0.25,3.625,0,0: BD407FFF")
	add("dmp_Texture[3].ptShiftV", procedure+"dmp_Texture[3].ptRgbMap=v; dmp_Texture[3].ptClampV=symmetrical_repeat; coord0=1.625,0.25,0,0; ", "odd: 3EBF7FFF", "even: BD407FFF", "GL_NONE: 3EBF7FFF", "odd; coord0=3.625,0.25,0,0: BD407FFF")
	add("dmp_Texture[3].ptMinFilter", procedure+"dmp_Texture[3].ptSamplerR=|; coord0=0.3,0,0,0; dmp_Texture[3].ptTexBias=2; slope=0.1,0,0,0; ", "GL_NEAREST: 00C37FFF", "GL_LINEAR: 46C27FFF", "GL_NEAREST_MIPMAP_NEAREST: FF0C7FFF", "GL_LINEAR_MIPMAP_NEAREST: AC0B7FFF", "GL_NEAREST_MIPMAP_LINEAR: FF0F7FFF", "GL_LINEAR_MIPMAP_LINEAR: BD0F7FFF")
	add("dmp_Texture[3].ptTexWidth", procedure, "255: 3EBF7FFF", "128: 1EDE7FFF")
	add("dmp_Texture[3].ptTexOffset", procedure+"dmp_Texture[3].ptTexWidth=128; ", "0: 1EDE7FFF", "100: 827A7FFF")
	add("dmp_Texture[3].ptTexBias", procedure+"dmp_Texture[3].ptMinFilter=GL_NEAREST_MIPMAP_NEAREST; dmp_Texture[3].ptTexWidth=64; slope=0.1,0,0,0; ", "0.5: 0BF37FFF", "2: C23C7FFF")
	add("dmp_Texture[3].ptNoiseEnable", procedure+"dmp_Texture[3].ptNoiseU=2,0.3,0.5; dmp_Texture[3].ptNoiseV=3,0.1,0; ", "true: 19E47FFF", "false: 3EBF7FFF")
	add("dmp_Texture[3].ptNoiseU", procedure+"dmp_Texture[3].ptNoiseEnable=true; dmp_Texture[3].ptNoiseV=3,0.1,0; ", "2,0.3,0.5: 19E47FFF", "5,0.3,0.5: 47B57FFF", "2,0.8,0.5: 4AB27FFF", "2,0.3,0.1: 37C67FFF")
	add("dmp_Texture[3].ptNoiseV", procedure+"dmp_Texture[3].ptNoiseEnable=true; dmp_Texture[3].ptRgbMap=v; dmp_Texture[3].ptNoiseU=3,0.1,0; ", "2,0.3,0.5: 97657FFF", "5,0.3,0.5: 97667FFF", "2,0.8,0.5: 78847FFF", "2,0.3,0.1: 9C607FFF")
	add("dmp_Texture[3].ptSamplerRgbMap", procedure, "/: 3EBF7FFF", "\\: BD407FFF", "~0.75: BD407FFF")
	add("dmp_Texture[3].ptSamplerAlphaMap", procedure+"dmp_Texture[3].ptAlphaSeparate=true; ", "/: 3EBF7F3F", "\\: 3EBF7FBF", "~0.75: 3EBF7FBF")
	add("dmp_Texture[3].ptSamplerNoiseMap", procedure+"dmp_Texture[3].ptNoiseEnable=true; dmp_Texture[3].ptNoiseU=2,0.3,0.5; ", "/: 43BA7FFF", "~0.25: 67957FFF")
	add("dmp_Texture[3].ptSamplerR", procedure, "/: 3EBF7FFF", "\\: BFBF7FFF", "~1: FFBF7FFF")
	add("dmp_Texture[3].ptSamplerG", procedure, "/: 3E3E7FFF", "\\: 3EBF7FFF", "~1: 3EFF7FFF")
	add("dmp_Texture[3].ptSamplerB", procedure, "/: 3EBF3EFF", "\\: 3EBFBFFF", "~1: 3EBFFFFF")
	add("dmp_Texture[3].ptSamplerA", procedure, "/: 3EBF7F3E", "\\: 3EBF7FBF", "~1: 3EBF7FFF")
	add("dmp_FragOperation.mode", "paint=0.5,0,0,1; ", "default: 800000FF", "gas: 04380438", "shadow: 00000000")
	add("dmp_FragOperation.penumbraScale", "clear=1,1,1,1; dmp_FragOperation.mode=shadow; paint=0.5,0.25,0.5,0.5; dmp_FragOperation.penumbraBias=0.5; ", "1: 40FFFFFF", "2: 2AFFFFFF", "4: 19FFFFFF")
	add("dmp_FragOperation.penumbraBias", "clear=1,1,1,1; dmp_FragOperation.mode=shadow; paint=0.5,0.25,0.5,0.5; dmp_FragOperation.penumbraScale=1; ", "0.25: 55FFFFFF", "0.5: 40FFFFFF")
	add("dmp_FragOperation.wScale", "", "0: depth 7FFF", "0.5: depth 3FFF", "0.25: depth 1FFF")
	add("dmp_FragOperation.enableClippingPlane", "dmp_FragOperation.clippingPlane=1,0,0,0; ", "true: 00000000", "false: CC9966FF")
	add("dmp_FragOperation.clippingPlane", "dmp_FragOperation.enableClippingPlane=true; ", "1,0,0,0: 00000000", "-1,0,0,0: CC9966FF", "0,1,0,0.5: CC9966FF", "0,0,1,0.25: 00000000", "0,0,0,1: CC9966FF")
	add("dmp_FragOperation.enableAlphaTest", "dmp_FragOperation.alphaTestFunc=GL_NEVER; ", "true: 00000000", "false: CC9966FF")
	add("dmp_FragOperation.alphaTestFunc", "dmp_FragOperation.enableAlphaTest=true; dmp_FragOperation.alphaRefValue=0.5; paint=1,1,1,0.6; ", "GL_NEVER: 00000000", "GL_LESS: 00000000", "GL_EQUAL: 00000000", "GL_LEQUAL: 00000000", "GL_GREATER: FFFFFF99", "GL_NOTEQUAL: FFFFFF99", "GL_GEQUAL: FFFFFF99", "GL_ALWAYS: FFFFFF99",
		"GL_LESS; paint=1,1,1,0.4: FFFFFF66", "GL_LEQUAL; paint=1,1,1,0.4: FFFFFF66", "GL_GREATER; paint=1,1,1,0.4: 00000000", "GL_EQUAL; paint=1,1,1,1; dmp_FragOperation.alphaRefValue=1: FFFFFFFF", "GL_LEQUAL; paint=1,1,1,1; dmp_FragOperation.alphaRefValue=1: FFFFFFFF", "GL_GREATER; paint=1,1,1,1; dmp_FragOperation.alphaRefValue=1: 00000000", "GL_GEQUAL; paint=1,1,1,1; dmp_FragOperation.alphaRefValue=1: FFFFFFFF", "GL_NOTEQUAL; paint=1,1,1,1; dmp_FragOperation.alphaRefValue=1: 00000000")
	add("dmp_FragOperation.alphaRefValue", "dmp_FragOperation.enableAlphaTest=true; dmp_FragOperation.alphaTestFunc=GL_GREATER; paint=1,1,1,0.6; ", "0.5: FFFFFF99", "0.7: 00000000")
	add("dmp_Gas.lightXY", gas+"dmp_Gas.colorLutInput=#6061; ", "0.1,0.9,0.5: CA337F3F", "0.5,0.9,0.5: DF1F7F3F", "0.1,0.2,0.5: 87767F3F", "0.1,0.9,1: B04D7F3F")
	add("dmp_Gas.lightZ", gas+"dmp_Gas.colorLutInput=#6061; ", "0.1,0.9,0.5,0.5: CA337F3F", "0.5,0.9,0.5,0.5: DF1F7F3F", "0.1,0.2,0.5,0.5: 87767F3F", "0.1,0.9,1,0.5: B04D7F3F", "0.1,0.9,0.5,1: DF1F7F3F")
	add("dmp_Gas.deltaZ", "dmp_FragOperation.mode=gas; paint=0.5,0.5,0.5,1; depthfunc=less; ", "1: 04340438", "0.25: 042C0438")
	add("dmp_Gas.accMax", gas, "1: 7F7F7F3F", "4: 1FDF7F3F")
	add("dmp_Gas.autoAcc", gas+"dmp_Gas.accMax=1; dmp_Gas.autoAcc=true; dmp_Gas.accMax=4; ", "true: 7F7F7F3F", "false: 1FDF7F3F")
	add("dmp_Gas.attenuation", gas, "1: 7F7F7F3F", "4: 7F7F7FFD")
	add("dmp_Gas.colorLutInput", gas, "#6060: 7F7F7F3F", "#6061: CA337F3F")
	add("dmp_Gas.shadingDensitySrc", gas, "#605E: 7F7F7F3F", "#605F: 3FBF7F3F")
	add("dmp_Gas.samplerTR", gas+"dmp_Gas.accMax=2; ", "/: 3FBF7F3F", "\\: BFBF7F3F", "~1: FFBF7F3F")
	add("dmp_Gas.samplerTG", gas+"dmp_Gas.accMax=2; ", "/: 3F3F7F3F", "\\: 3FBF7F3F", "~1: 3FFF7F3F")
	add("dmp_Gas.samplerTB", gas+"dmp_Gas.accMax=2; ", "/: 3FBF3F3F", "\\: 3FBFBF3F", "~1: 3FBFFF3F")
	add("dmp_FragmentLighting.enabled", primary+"dmp_FragmentLighting.ambient=0.5,0.25,1,1; ", "true: 7F3FFFFF", "false: 000000FF")
	add("dmp_FragmentLighting.ambient", primary+"dmp_FragmentMaterial.ambient=1,0.5,1,1; ", "0.5,0.5,1,1: 7F3FFFFF", "0.25,1,0.5,1: 3F7F7FFF")
	add("dmp_FragmentMaterial.emission", primary, "0.5,0.25,1,1: 7F3FFFFF", "0.25,1,0.5,1: 3FFF7FFF")
	add("dmp_FragmentMaterial.ambient", primary+"dmp_FragmentLighting.ambient=0.5,0.5,0.5,1; dmp_FragmentLightSource[0].ambient=0.25,0.25,0,1; ", "1,0.5,0.25,1: BE5E1FFF", "0.25,1,0.5,1: 2EBE3FFF")
	add("dmp_FragmentMaterial.diffuse", primary+"dmp_FragmentLightSource[0].diffuse=1,1,0.5,1; ", "1,0.5,0.25,1: FF7F1FFF", "0.25,1,0.5,1: 3FFF3FFF")
	add("dmp_FragmentMaterial.specular0", secondary+"dmp_FragmentLightSource[0].specular0=1,1,0.5,1; ", "1,0.5,0.25,1: FF7F1FFF", "0.25,1,0.5,1: 3FFF3FFF")
	add("dmp_FragmentMaterial.specular1", secondary+"dmp_FragmentLightSource[0].specular1=1,1,0.5,1; ", "1,0.5,0.25,1: FF7F1FFF", "0.25,1,0.5,1: 3FFF3FFF")
	add("dmp_FragmentLightSource[%d].enabled", primary+lightColors+"dmp_FragmentLightSource[%d].enabled=false; ", "true: CC9966FF", "false: 000000FF")
	add("dmp_FragmentLightSource[%d].ambient", primary, "0.8,0.6,0.4,1: CC9966FF", "0.2,0.4,0.6,1: 336699FF")
	add("dmp_FragmentLightSource[%d].diffuse", primary, "0.8,0.6,0.4,1: CC9966FF", "0.2,0.4,0.6,1: 336699FF")
	add("dmp_FragmentLightSource[%d].specular0", secondary, "0.8,0.6,0.4,1: CC9966FF", "0.2,0.4,0.6,1: 336699FF")
	add("dmp_FragmentLightSource[%d].specular1", secondary, "0.8,0.6,0.4,1: CC9966FF", "0.2,0.4,0.6,1: 336699FF")
	add("dmp_FragmentLightSource[%d].position", primary+lightColors+"eye=0,0,0.5,1; ", "0,0,1,0: CC9966FF", "0.6,0,0.8,0: A37A51FF", "0,0.8,0.6,0: 7A5B3DFF", "0.5,0,0,1: 906C48FF", "0.5,0,0,0: 000000FF")
	add("dmp_FragmentLightSource[%d].spotDirection", primary+lightColors+"dmp_FragmentLightSource[%d].spotEnabled=true; dmp_FragmentLightSource[%d].samplerSP=/; dmp_LightEnv.absLutInputSP=true; dmp_LightEnv.lutInputSP=sp; dmp_FragmentLightSource[%d].position=0.6,0,0.8,0; ",
		"0,0,-1: 826241FF", "-0.6,0,-0.8: A27951FF", "-1,0,0: 614930FF", "0,-1,0: 000000FF")
	add("dmp_FragmentLightSource[%d].shadowed", primary+lightColors+"dmp_LightEnv.shadowPrimary=true; dmp_LightEnv.shadowSelector=GL_TEXTURE0; dmp_Texture[0].samplerType=GL_TEXTURE_2D; ", "true: A03C14FF", "false: CC9966FF")
	add("dmp_FragmentLightSource[%d].geomFactor0", secondary+secondaryD+half, "true: 251B12FF", "false: CC9966FF")
	add("dmp_FragmentLightSource[%d].geomFactor1", secondary+"dmp_FragmentLightSource[%d].specular1=0.8,0.6,0.4,1; dmp_FragmentLightSource[%d].position=0.6,0,0.8,0; "+half, "true: 251B12FF", "false: CC9966FF")
	add("dmp_FragmentLightSource[%d].twoSideDiffuse", primary+lightColors+"dmp_FragmentLightSource[%d].position=0.6,0,-0.8,0; ", "true: A37A51FF", "false: 000000FF")
	add("dmp_FragmentLightSource[%d].samplerSP", primary+lightColors+"dmp_FragmentLightSource[%d].spotEnabled=true; dmp_LightEnv.absLutInputSP=true; dmp_LightEnv.lutInputSP=nv; eye=0.6,0,0.8,0; ", "/: A37A51FF", "\\: 281E14FF", "~0.25: 332619FF")
	add("dmp_FragmentLightSource[%d].spotEnabled", primary+lightColors+"dmp_FragmentLightSource[%d].samplerSP=~0.5; ", "true: 664C33FF", "false: CC9966FF")
	add("dmp_FragmentLightSource[%d].distanceAttenuationBias", primary+lightColors+"dmp_FragmentLightSource[%d].position=0,0,1,1; eye=0,0,0.5,0; dmp_FragmentLightSource[%d].distanceAttenuationEnabled=true; dmp_FragmentLightSource[%d].distanceAttenuationScale=0.5; dmp_FragmentLightSource[%d].samplerDA=/; ", "0: 99724CFF", "0.25: CB9865FF")
	add("dmp_FragmentLightSource[%d].distanceAttenuationScale", primary+lightColors+"dmp_FragmentLightSource[%d].position=0,0,1,1; eye=0,0,0.5,0; dmp_FragmentLightSource[%d].distanceAttenuationEnabled=true; dmp_FragmentLightSource[%d].samplerDA=/; ", "0.25: 4C3926FF", "0.5: 99724CFF")
	add("dmp_FragmentLightSource[%d].distanceAttenuationEnabled", primary+lightColors+"dmp_FragmentLightSource[%d].position=0,0,1,1; dmp_FragmentLightSource[%d].samplerDA=~0.5; ", "true: 664C33FF", "false: CC9966FF")
	add("dmp_FragmentLightSource[%d].samplerDA", primary+lightColors+"dmp_FragmentLightSource[%d].position=0,0,1,1; eye=0,0,0.5,0; dmp_FragmentLightSource[%d].distanceAttenuationEnabled=true; dmp_FragmentLightSource[%d].distanceAttenuationScale=0.5; ", "/: 99724CFF", "\\: 332619FF", "~0.25: 332619FF")

	table := "eye=0.6,0,-0.8,0; dmp_FragmentLightSource[0].position=0.8,0,0.6,0; "
	tables := map[string]string{
		"D0": secondary + "dmp_FragmentLightSource[0].specular0=1,0.5,0.25,1; dmp_LightEnv.lutEnabledD0=true; ",
		"D1": secondary + "dmp_FragmentLightSource[0].specular1=1,0.5,0.25,1; dmp_LightEnv.lutEnabledD1=true; ",
		"SP": primary + "dmp_LightEnv.config=config7; every=dmp_LightEnv.absLutInput%T=true; dmp_FragmentLightSource[0].diffuse=1,0.5,0.25,1; dmp_FragmentLightSource[0].spotEnabled=true; ",
		"FR": secondary + "dmp_TexEnv[0].srcAlpha=fragment_secondary_color,fragment_secondary_color,fragment_secondary_color; dmp_LightEnv.fresnelSelector=secondary_alpha; ",
		"RR": secondary + "dmp_FragmentLightSource[0].specular1=1,0,0,1; dmp_LightEnv.lutEnabledRefl=true; ",
		"RG": secondary + "dmp_FragmentLightSource[0].specular1=0,1,0,1; dmp_LightEnv.lutEnabledRefl=true; ",
		"RB": secondary + "dmp_FragmentLightSource[0].specular1=0,0,1,1; dmp_LightEnv.lutEnabledRefl=true; ",
	}
	for k, scene := range tables {
		sampler := "dmp_FragmentMaterial.sampler" + k
		if k == "SP" {
			sampler = "dmp_FragmentLightSource[0].sampler" + k
		}
		rest := ""
		for _, other := range []string{"RR", "RG", "RB"} {
			if k[0] == 'R' && other != k {
				rest += "dmp_FragmentMaterial.sampler" + other + "=~0; "
			}
		}
		if k != "SP" {
			add(sampler, scene+rest+"dmp_LightEnv.lutInput"+k+"=ln; eye=0,0,1,0; dmp_FragmentLightSource[0].position=0.8,0,0.6,0; ", tableSteps[k]["sampler"]...)
		}
		// The N.V input is -0.8: with absolute input it is 0.8, otherwise it reads the second half of the table.
		add("dmp_LightEnv.absLutInput"+k, scene+rest+sampler+"=/; dmp_LightEnv.lutInput"+k+"=nv; "+table, tableSteps[k]["absLutInput"]...)
		add("dmp_LightEnv.lutInput"+k, scene+rest+sampler+"=/; eye=0.28,0,0.96,0; dmp_FragmentLightSource[0].position=0.8,0,0.6,0; dmp_FragmentLightSource[0].spotDirection=-0.5,0,-0.5; quaternion=0,0.2,0,0.98; ", tableSteps[k]["lutInput"]...)
		add("dmp_LightEnv.lutScale"+k, scene+rest+sampler+"=~0.1; ", tableSteps[k]["lutScale"]...)
	}
	shaded := primary + "dmp_FragmentLightSource[0].diffuse=0.8,0.6,0.4,1; dmp_FragmentLightSource[0].shadowed=true; dmp_Texture[0].samplerType=GL_TEXTURE_2D; dmp_Texture[1].samplerType=GL_TEXTURE_2D; dmp_Texture[2].samplerType=GL_TEXTURE_2D; "
	add("dmp_LightEnv.shadowSelector", shaded+"dmp_LightEnv.shadowPrimary=true; ", "GL_TEXTURE0: A03C14FF", "GL_TEXTURE1: 009900FF", "GL_TEXTURE2: A8845CFF")
	add("dmp_LightEnv.bumpSelector", shaded+"dmp_LightEnv.bumpMode=normal; dmp_LightEnv.bumpRenorm=true; ", "GL_TEXTURE0: A17950FF", "GL_TEXTURE1: 000000FF", "GL_TEXTURE2: 2F2317FF")
	add("dmp_LightEnv.bumpMode", shaded+"dmp_LightEnv.bumpRenorm=true; ", "none: CC9966FF", "normal: A17950FF",
		"tangent; dmp_TexEnv[0].srcRgb=fragment_secondary_color,GL_PREVIOUS,GL_PREVIOUS; dmp_LightEnv.config=config7; dmp_LightEnv.lutEnabledD0=true; dmp_LightEnv.lutInputD0=cp; every=dmp_LightEnv.absLutInput%T=true; dmp_FragmentMaterial.samplerD0=/; "+
			"dmp_FragmentLightSource[0].specular0=1,0.5,0.25,1; dmp_FragmentLightSource[0].position=0.8,0,0.6,0: 402010FF")
	add("dmp_LightEnv.bumpRenorm", shaded+"dmp_LightEnv.bumpMode=normal; ", "true: A17950FF", "false: 000000FF")
	add("dmp_LightEnv.config", secondary+"dmp_FragmentLightSource[0].specular0=1,0.5,0.25,1; dmp_FragmentLightSource[0].specular1=0.25,0.25,0.25,1; dmp_LightEnv.lutEnabledD0=true; dmp_LightEnv.lutEnabledD1=true; dmp_LightEnv.lutEnabledRefl=true; dmp_LightEnv.fresnelSelector=secondary_alpha; "+
		"dmp_TexEnv[0].srcAlpha=fragment_secondary_color,fragment_secondary_color,fragment_secondary_color; dmp_FragmentLightSource[0].spotEnabled=true; dmp_FragmentLightSource[0].samplerSP=~0.9; dmp_FragmentMaterial.samplerD0=~0.5; dmp_FragmentMaterial.samplerD1=~0.25; dmp_FragmentMaterial.samplerFR=~0.125; dmp_FragmentMaterial.samplerRR=~0.75; dmp_FragmentMaterial.samplerRG=~0.5; dmp_FragmentMaterial.samplerRB=~0.25; ",
		"config0: 9D6346FF", "config1: FF9C631F", "config2: 8B4B2BFF", "config3: 8F4F2F1F", "config4: 7D401FFF", "config5: 9D552A1F", "config6: 7D43261F", "config7: 7D401F1F")
	add("dmp_LightEnv.invertShadow", shaded+"dmp_LightEnv.shadowPrimary=true; ", "true: 2C5D52FF", "false: A03C14FF")
	add("dmp_LightEnv.shadowPrimary", shaded, "true: A03C14FF", "false: CC9966FF")
	add("dmp_LightEnv.shadowSecondary", secondary+"dmp_FragmentLightSource[0].specular0=0.8,0.6,0.4,1; dmp_FragmentLightSource[0].shadowed=true; dmp_Texture[0].samplerType=GL_TEXTURE_2D; ", "true: A03C14FF", "false: CC9966FF")
	add("dmp_LightEnv.shadowAlpha", tables["FR"]+"dmp_FragmentMaterial.samplerFR=~1; coord0=0.75,0.25,0,0; dmp_FragmentLightSource[0].shadowed=true; dmp_Texture[0].samplerType=GL_TEXTURE_2D; ", "true: 00000080", "false: 000000FF")
	fresnel := secondary + "dmp_FragmentMaterial.samplerFR=~0.5; dmp_TexEnv[0].srcRgb=fragment_primary_color,GL_PREVIOUS,GL_PREVIOUS; dmp_TexEnv[0].operandRgb=GL_SRC_ALPHA,GL_SRC_COLOR,GL_SRC_COLOR; dmp_TexEnv[0].srcAlpha=fragment_secondary_color,GL_PREVIOUS,GL_PREVIOUS; "
	add("dmp_LightEnv.fresnelSelector", fresnel, "none: FFFFFFFF", "primary_alpha: 7F7F7FFF", "secondary_alpha: FFFFFF7F", "both: 7F7F7F7F")
	add("dmp_LightEnv.clampHighlights", secondary+"dmp_FragmentLightSource[0].specular0=0.8,0.6,0.4,1; dmp_FragmentLightSource[0].position=0,0,-1,0; ", "true: 000000FF", "false: CC9966FF")
	add("dmp_LightEnv.lutEnabledD0", tables["D0"]+"dmp_FragmentMaterial.samplerD0=~0.5; ", "true: 7F3F1FFF", "false: FF7F3FFF")
	add("dmp_LightEnv.lutEnabledD1", tables["D1"]+"dmp_FragmentMaterial.samplerD1=~0.5; ", "true: 7F3F1FFF", "false: FF7F3FFF")
	add("dmp_LightEnv.lutEnabledRefl", secondary+"dmp_FragmentLightSource[0].specular1=1,1,1,1; dmp_FragmentMaterial.samplerRR=~0.75; dmp_FragmentMaterial.samplerRG=~0.5; dmp_FragmentMaterial.samplerRB=~0.25; ", "true: BF7F3FFF", "false: FFFFFFFF")

	add("dmp_TexEnv[%d].combineRgb", combined, "GL_REPLACE: 3366E54C", "GL_MODULATE: 293D5C4C", "GL_ADD: FFFFFF4C", "GL_ADD_SIGNED: 7F7FCB4C", "GL_INTERPOLATE: 54857F4C", "GL_SUBTRACT: 00007F4C", "GL_DOT3_RGB: 0000004C", "GL_DOT3_RGBA: 00000000", "mult_add: F1A18E4C", "add_mult: C864324C")
	add("dmp_TexEnv[%d].combineAlpha", combined, "GL_REPLACE: 3366E54C", "GL_MODULATE: 3366E526", "GL_ADD: 3366E5CC", "GL_ADD_SIGNED: 3366E54C", "GL_INTERPOLATE: 3366E54C", "GL_SUBTRACT: 3366E500", "mult_add: 3366E5FF", "add_mult: 3366E5CC")
	add("dmp_TexEnv[%d].srcRgb", combined+"dmp_TexEnv[%d].combineRgb=mult_add; dmp_Texture[0].samplerType=GL_TEXTURE_2D; dmp_Texture[1].samplerType=GL_TEXTURE_2D; dmp_Texture[2].samplerType=GL_TEXTURE_2D; ",
		"GL_CONSTANT,GL_PRIMARY_COLOR,GL_TEXTURE1: 29FF5C4C", "GL_PRIMARY_COLOR,GL_TEXTURE0,GL_CONSTANT: D3A2F94C", "GL_TEXTURE2,GL_CONSTANT,GL_PRIMARY_COLOR: F6F1FF4C", "GL_TEXTURE0,GL_TEXTURE0,GL_TEXTURE1: 9DFF0A4C")
	add("dmp_TexEnv[%d].srcAlpha", combined+"dmp_TexEnv[%d].combineAlpha=mult_add; dmp_Texture[2].samplerType=GL_TEXTURE_2D; ", "GL_CONSTANT,GL_PRIMARY_COLOR,GL_TEXTURE2: 3366E546", "GL_PRIMARY_COLOR,GL_TEXTURE2,GL_CONSTANT: 3366E55C", "GL_TEXTURE2,GL_CONSTANT,GL_PRIMARY_COLOR: 3366E58A")
	add("dmp_TexEnv[%d].operandRgb", combined+"dmp_TexEnv[%d].combineRgb=mult_add; ", "GL_SRC_COLOR,GL_SRC_COLOR,GL_SRC_COLOR: F1A18E4C", "GL_ONE_MINUS_SRC_COLOR,GL_SRC_ALPHA,red: FFFFD54C", "GL_ONE_MINUS_SRC_ALPHA,green,blue: 9D9D9D4C", "one_minus_red,one_minus_green,one_minus_blue: FFFFFF4C")
	add("dmp_TexEnv[%d].operandAlpha", combined+"dmp_TexEnv[%d].combineAlpha=mult_add; ", "GL_SRC_ALPHA,GL_SRC_ALPHA,GL_SRC_ALPHA: 3366E5FF", "GL_ONE_MINUS_SRC_ALPHA,red,green: 3366E5F3", "blue,one_minus_red,one_minus_green: 3366E5C9", "one_minus_blue,GL_SRC_ALPHA,blue: 3366E53F")
	add("dmp_TexEnv[%d].scaleRgb", combined+"dmp_TexEnv[%d].constRgba=0.1,0.15,0.3,0.2; ", "1: 19264C33", "2: 324C9833", "4: 6498FF33")
	add("dmp_TexEnv[%d].scaleAlpha", combined+"dmp_TexEnv[%d].constRgba=0.1,0.15,0.3,0.2; ", "1: 19264C33", "2: 19264C66", "4: 19264CCC")
	add("dmp_TexEnv[%d].constRgba", combined, "0.1,0.2,0.3,0.4: 19334C66", "0.8,0.7,0.6,0.5: CCB2997F")
	add("dmp_TexEnv[0].bufferColor", "dmp_TexEnv[1].srcRgb=previous_buffer,previous_buffer,previous_buffer; dmp_TexEnv[1].srcAlpha=previous_buffer,previous_buffer,previous_buffer; ", "0.1,0.2,0.3,0.4: 19334C66", "0.8,0.7,0.6,0.5: CCB2997F")
	add("dmp_TexEnv[%d].bufferInput", "dmp_TexEnv[0].bufferColor=0.1,0.2,0.3,0.4; paint=0.9,0.8,0.7,0.6; dmp_TexEnv[5].srcRgb=previous_buffer,previous_buffer,previous_buffer; dmp_TexEnv[5].srcAlpha=previous_buffer,previous_buffer,previous_buffer; ", "previous_buffer,previous_buffer: 19334C66", "GL_PREVIOUS,previous_buffer: E5CCB266", "previous_buffer,GL_PREVIOUS: 19334C99")
	add("dmp_Fog.mode", "dmp_Fog.color=0.1,0.5,0.9; dmp_Fog.sampler=~0.5; ", "#0: CC9966FF", "#0B60: 738CA5FF")
	add("dmp_Fog.color", "dmp_Fog.mode=#0B60; dmp_Fog.sampler=~0.5; ", "0.1,0.5,0.9: 738CA5FF", "0.9,0.1,0.5: D85972FF")
	add("dmp_Fog.zFlip", "dmp_Fog.mode=#0B60; dmp_Fog.color=0.1,0.5,0.9; dmp_Fog.sampler=/; z=-0.25; ", "true: 4686C5FF", "false: 9F9386FF")
	add("dmp_Fog.sampler", "dmp_Fog.mode=#0B60; dmp_Fog.color=0.1,0.5,0.9; z=-0.25; ", "/: 9F9386FF", "\\: 4686C5FF", "~0.5: 738CA5FF")
}

// tableSteps are the steps of each lighting table.
var tableSteps = map[string]map[string][]string{
	"D0": {
		"sampler":     {"/: 984C25FF", "\\: 663219FF", "~0.25: 3F1F0FFF"},
		"absLutInput": {"true: 000000FF", "false: 994C25FF"},
		"lutInput":    {"nh: F97C3DFF", "vh: F1783BFF", "nv: FD7E3EFF", "ln: DC6D36FF", "sp: B2582CFF", "cp: 33190CFF"},
		"lutScale":    {"1: 190C06FF", "2: 32190CFF", "4: 653219FF", "8: CB6532FF", "0.25: 060301FF", "0.5: 0C0603FF"},
	},
	"D1": {
		"sampler":     {"/: 984C25FF", "\\: 663219FF", "~0.25: 3F1F0FFF"},
		"absLutInput": {"true: 000000FF", "false: 994C25FF"},
		"lutInput":    {"nh: F97C3DFF", "vh: F1783BFF", "nv: FD7E3EFF", "ln: DC6D36FF", "sp: B2582CFF", "cp: 33190CFF"},
		"lutScale":    {"1: 190C06FF", "2: 32190CFF", "4: 653219FF", "8: CB6532FF", "0.25: 060301FF", "0.5: 0C0603FF"},
	},
	"SP": {
		"absLutInput": {"true: 000000FF", "false: 5B2D16FF"},
		"lutInput":    {"nh: D86B35FF", "vh: D16833FF", "nv: DB6D36FF", "ln: BF5F2FFF", "sp: 9A4C26FF", "cp: 2C160AFF"},
		"lutScale":    {"1: 190C06FF", "2: 32190CFF", "4: 653219FF", "8: CB6532FF", "0.25: 060301FF", "0.5: 0C0603FF"},
	},
	"FR": {
		"sampler":     {"/: 00000098", "\\: 00000066", "~0.25: 0000003F"},
		"absLutInput": {"true: 00000000", "false: 00000099"},
		"lutInput":    {"nh: 000000F9", "vh: 000000F1", "nv: 000000FD", "ln: 000000DC", "sp: 000000B2", "cp: 00000033"},
		"lutScale":    {"1: 00000019", "2: 00000032", "4: 00000065", "8: 000000CB", "0.25: 00000006", "0.5: 0000000C"},
	},
	"RR": {
		"sampler":     {"/: 980000FF", "\\: 660000FF", "~0.25: 3F0000FF"},
		"absLutInput": {"true: 000000FF", "false: 990000FF"},
		"lutInput":    {"nh: F90000FF", "vh: F10000FF", "nv: FD0000FF", "ln: DC0000FF", "sp: B20000FF", "cp: 330000FF"},
		"lutScale":    {"1: 190000FF", "2: 320000FF", "4: 650000FF", "8: CB0000FF", "0.25: 060000FF", "0.5: 0C0000FF"},
	},
	"RG": {
		"sampler":     {"/: 009800FF", "\\: 006600FF", "~0.25: 003F00FF"},
		"absLutInput": {"true: 000000FF", "false: 009900FF"},
		"lutInput":    {"nh: 00F900FF", "vh: 00F100FF", "nv: 00FD00FF", "ln: 00DC00FF", "sp: 00B200FF", "cp: 003300FF"},
		"lutScale":    {"1: 001900FF", "2: 003200FF", "4: 006500FF", "8: 00CB00FF", "0.25: 000600FF", "0.5: 000C00FF"},
	},
	"RB": {
		"sampler":     {"/: 000098FF", "\\: 000066FF", "~0.25: 00003FFF"},
		"absLutInput": {"true: 000000FF", "false: 000099FF"},
		"lutInput":    {"nh: 0000F9FF", "vh: 0000F1FF", "nv: 0000FDFF", "ln: 0000DCFF", "sp: 0000B2FF", "cp: 000033FF"},
		"lutScale":    {"1: 000019FF", "2: 000032FF", "4: 000065FF", "8: 0000CBFF", "0.25: 000006FF", "0.5: 00000CFF"},
	},
}
