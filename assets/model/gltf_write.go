package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/png"
	"path/filepath"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/ext/texturetransform"
	"github.com/qmuntal/gltf/ext/unlit"
	"github.com/qmuntal/gltf/modeler"

	"pica200/internal/mgl"
)

// EncodeGLB writes the model's nodes, meshes, materials and images as binary
// glTF. It returns an error for a model with skins or animations, which it
// cannot write.
func EncodeGLB(m *Model) ([]byte, error) {
	if len(m.Skins) > 0 || len(m.Animations) > 0 {
		return nil, fmt.Errorf("writing glTF: skins and animations cannot be written")
	}
	doc := gltf.NewDocument()
	doc.Asset.Generator = "pica200"
	for _, im := range m.Images {
		var b bytes.Buffer
		if err := png.Encode(&b, im.Pix); err != nil {
			return nil, fmt.Errorf("writing glTF: image %s: %w", im.Name, err)
		}
		if _, err := modeler.WriteImage(doc, filepath.Base(im.Name), "image/png", &b); err != nil {
			return nil, fmt.Errorf("writing glTF: image %s: %w", im.Name, err)
		}
	}
	for i := range m.Materials {
		writeMaterial(doc, &m.Materials[i])
	}
	for i := range m.Meshes {
		writeMesh(doc, &m.Meshes[i])
	}
	for i, n := range m.Nodes {
		g := &gltf.Node{Name: n.Name}
		if n.Mesh >= 0 {
			g.Mesh = gltf.Index(n.Mesh)
		}
		if n.TRS.Matrix != nil {
			g.Matrix = *n.TRS.Matrix
		} else {
			for k := range 3 {
				g.Translation[k], g.Scale[k] = float64(n.TRS.T[k]), float64(n.TRS.S[k])
			}
			g.Rotation = mgl.WideQuat(n.TRS.R).V.Vec4(float64(n.TRS.R.W))
		}
		doc.Nodes = append(doc.Nodes, g)
		if n.Parent >= 0 {
			doc.Nodes[n.Parent].Children = append(doc.Nodes[n.Parent].Children, i)
		} else if n.Shown {
			doc.Scenes[0].Nodes = append(doc.Scenes[0].Nodes, i)
		}
	}
	var b bytes.Buffer
	if err := gltf.NewEncoder(&b).Encode(doc); err != nil {
		return nil, fmt.Errorf("writing glTF: %w", err)
	}
	return b.Bytes(), nil
}

func writeMaterial(doc *gltf.Document, m *Material) {
	base := [4]float64{}
	for k := range base {
		if base[k] = float64(m.BaseColor[k]); k < 3 {
			base[k] = toLight(m.BaseColor[k])
		}
	}
	g := &gltf.Material{Name: m.Name, DoubleSided: m.DoubleSided, PBRMetallicRoughness: &gltf.PBRMetallicRoughness{
		BaseColorFactor: &base, MetallicFactor: gltf.Float(float64(m.Metallic)), RoughnessFactor: gltf.Float(float64(m.Roughness))}}
	for k := range 3 {
		g.EmissiveFactor[k] = toLight(m.Emissive[k])
	}
	switch m.Alpha {
	case Mask:
		g.AlphaMode, g.AlphaCutoff = gltf.AlphaMask, gltf.Float(float64(m.Cutoff))
	case Blend:
		g.AlphaMode = gltf.AlphaBlend
	}
	if m.Unlit {
		g.Extensions = gltf.Extensions{unlit.ExtensionName: json.RawMessage("{}")}
		if !slices.Contains(doc.ExtensionsUsed, unlit.ExtensionName) {
			doc.ExtensionsUsed = append(doc.ExtensionsUsed, unlit.ExtensionName)
		}
	}
	var infos [5]*gltf.TextureInfo
	for k, t := range m.Textures() {
		if t.Image >= 0 {
			infos[k] = writeTexture(doc, t)
		}
	}
	g.PBRMetallicRoughness.BaseColorTexture, g.PBRMetallicRoughness.MetallicRoughnessTexture, g.EmissiveTexture = infos[0], infos[3], infos[2]
	if t := infos[1]; t != nil {
		g.NormalTexture = &gltf.NormalTexture{Index: &t.Index, TexCoord: t.TexCoord, Scale: gltf.Float(float64(m.NormalScale)), Extensions: t.Extensions}
	}
	if t := infos[4]; t != nil {
		g.OcclusionTexture = &gltf.OcclusionTexture{Index: &t.Index, TexCoord: t.TexCoord, Strength: gltf.Float(float64(m.Occlusion)), Extensions: t.Extensions}
	}
	doc.Materials = append(doc.Materials, g)
}

func writeTexture(doc *gltf.Document, t *Texture) *gltf.TextureInfo {
	s := &gltf.Sampler{MagFilter: gltf.MagNearest, MinFilter: keyOf(minFilters, [3]bool{t.MinLinear, t.Mipmaps, t.Mipmaps && t.MipLinear}),
		WrapS: keyOf(wraps, t.WrapU), WrapT: keyOf(wraps, t.WrapV)}
	if t.MagLinear {
		s.MagFilter = gltf.MagLinear
	}
	doc.Samplers = append(doc.Samplers, s)
	doc.Textures = append(doc.Textures, &gltf.Texture{Sampler: gltf.Index(len(doc.Samplers) - 1), Source: gltf.Index(t.Image)})
	info := &gltf.TextureInfo{Index: len(doc.Textures) - 1, TexCoord: t.UV}
	if x := t.Transform; x != nil {
		info.Extensions = gltf.Extensions{texturetransform.ExtensionName: &texturetransform.TextureTranform{Offset: x.Offset, Scale: x.Scale, Rotation: x.Rotation}}
		if !slices.Contains(doc.ExtensionsUsed, texturetransform.ExtensionName) {
			doc.ExtensionsUsed = append(doc.ExtensionsUsed, texturetransform.ExtensionName)
		}
	}
	return info
}

func writeMesh(doc *gltf.Document, m *Mesh) {
	g := &gltf.Mesh{Name: m.Name}
	for k := range m.Parts {
		p := &m.Parts[k]
		pr := &gltf.Primitive{Attributes: gltf.PrimitiveAttributes{gltf.POSITION: modeler.WritePosition(doc, plain3(p.Positions))}}
		if p.Loose {
			pr.Mode = gltf.PrimitivePoints
		}
		pr.Indices = gltf.Index(modeler.WriteIndices(doc, p.Indices))
		if p.Normals != nil {
			pr.Attributes[gltf.NORMAL] = modeler.WriteNormal(doc, plain3(p.Normals))
		}
		if p.Tangents != nil {
			pr.Attributes[gltf.TANGENT] = modeler.WriteTangent(doc, plain4(p.Tangents))
		}
		for i, uv := range p.UV {
			if uv == nil {
				continue
			}
			flipped := make([][2]float32, len(uv))
			for v := range uv {
				flipped[v] = [2]float32{uv[v][0], 1 - uv[v][1]}
			}
			pr.Attributes[[]string{gltf.TEXCOORD_0, gltf.TEXCOORD_1, "TEXCOORD_2"}[i]] = modeler.WriteTextureCoord(doc, flipped)
		}
		if p.Colors != nil {
			light := plain4(p.Colors)
			for i := range light {
				for k, c := range light[i][:3] {
					light[i][k] = float32(toLight(c))
				}
			}
			pr.Attributes[gltf.COLOR_0] = modeler.WriteAccessor(doc, gltf.TargetArrayBuffer, light)
		}
		for i, g := range p.Generic {
			if g != nil {
				pr.Attributes[fmt.Sprintf("_V%d", i)] = modeler.WriteAccessor(doc, gltf.TargetArrayBuffer, plain4(g))
			}
		}
		if p.Material >= 0 {
			pr.Material = gltf.Index(p.Material)
		}
		g.Primitives = append(g.Primitives, pr)
	}
	doc.Meshes = append(doc.Meshes, g)
}

// plain3 and plain4 are vectors in the types of package modeler.
func plain3(v []mgl32.Vec3) [][3]float32 {
	out := make([][3]float32, len(v))
	for i := range v {
		out[i] = v[i]
	}
	return out
}

func plain4(v []mgl32.Vec4) [][4]float32 {
	out := make([][4]float32, len(v))
	for i := range v {
		out[i] = v[i]
	}
	return out
}
