package model

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Treatment is what becomes of a property of a glTF file.
type Treatment uint8

// The treatments.
const (
	Drawn        Treatment = iota // as the specification says
	Approximated                  // as near as the hardware comes
	Dropped                       // left out, with a note
	Refused                       // the file is not read
)

func (t Treatment) String() string {
	return [...]string{"drawn", "approximated", "left out", "refused"}[t]
}

// Property is a property of glTF 2.0 or of an extension: its path without the
// numbers of lists, what becomes of it, and how, or the note of one that is left
// out.
type Property struct {
	Path string
	Treatment
	How string
}

// Properties lists the properties of glTF files that affect a picture. The notes about
// those that are left out and a table of docs/MODELS.md are made of it.
var Properties = []Property{
	{"accessors.sparse", Drawn, ""},
	{"animations.channels.target.path", Drawn, "translation, rotation, scale, weights; linear, step, cubic"},
	{"cameras", Drawn, "`--camera`, and the window's list; the picture has the aspect of the target"},
	{"materials.alphaMode", Drawn, "blended parts are not sorted"},
	{"materials.doubleSided", Drawn, ""},
	{"materials.emissiveFactor", Approximated, "factors are converted to sRGB, in which the hardware adds and multiplies"},
	{"materials.emissiveTexture", Drawn, ""},
	{"materials.normalTexture", Drawn, ""},
	{"materials.occlusionTexture", Approximated, "takes ambient light away, where alpha of another map and a combiner are left for it; else a note"},
	{"materials.pbrMetallicRoughness.baseColorFactor", Drawn, "as sRGB"},
	{"materials.pbrMetallicRoughness.baseColorTexture", Drawn, ""},
	{"materials.pbrMetallicRoughness.metallicFactor", Approximated, "highlights of the base colour, without reflections"},
	{"materials.pbrMetallicRoughness.metallicRoughnessTexture", Approximated, "separates metal from the rest, each with its mean roughness"},
	{"materials.pbrMetallicRoughness.roughnessFactor", Approximated, "the exponent of a highlight"},
	{"meshes.primitives.attributes.COLOR_0", Drawn, "as sRGB"},
	{"meshes.primitives.attributes.COLOR_1", Dropped, "colours after the first (COLOR_1) are left out"},
	{"meshes.primitives.attributes.JOINTS_0", Drawn, "20 bones a draw; larger skins in pieces"},
	{"meshes.primitives.attributes.JOINTS_1", Dropped, "joints after the first four of a vertex (JOINTS_1, WEIGHTS_1) are left out"},
	{"meshes.primitives.attributes.TANGENT", Drawn, "made where they are missing"},
	{"meshes.primitives.attributes.TEXCOORD_0", Drawn, "also the other sets, three of them for a material"},
	{"meshes.primitives.mode", Approximated, "triangles, strips and fans; points and lines are left out, with a note"},
	{"meshes.primitives.targets.NORMAL", Drawn, ""},
	{"meshes.primitives.targets.POSITION", Drawn, ""},
	{"meshes.primitives.targets.TANGENT", Dropped, "tangents of morph targets are left out"},
	{"meshes.primitives.targets.TEXCOORD_0", Dropped, "texture coordinates of morph targets are left out"},
	{"meshes.primitives.targets.COLOR_0", Dropped, "colours of morph targets are left out"},
	{"nodes.matrix", Drawn, ""},
	{"nodes.skin", Drawn, ""},
	{"nodes.weights", Drawn, ""},
	{"scene", Drawn, "the nodes of other scenes are not shown"},
	{"textures.sampler", Drawn, "on images whose sides are made powers of two"},
	{"extensions.KHR_lights_punctual", Approximated, "for a model alone: the 8 brightest, at an exposure of 0.5 to 1 in its middle; a scene has its own"},
	{"extensions.EXT_lights_image_based", Dropped, "light from images (EXT_lights_image_based) is left out"},
	{"extensions.KHR_materials_variants", Dropped, "variants of materials (KHR_materials_variants) are left out: the first are shown"},
	{"animations.channels.target.extensions.KHR_animation_pointer", Dropped, "animations of other properties than those of nodes (KHR_animation_pointer) are left out"},
	{"bufferViews.extensions.EXT_meshopt_compression", Drawn, ""},
	{"bufferViews.extensions.KHR_meshopt_compression", Drawn, ""},
	{"materials.extensions.KHR_materials_anisotropy", Dropped, "anisotropy (KHR_materials_anisotropy) is left out"},
	{"materials.extensions.KHR_materials_clearcoat", Dropped, "clear coats (KHR_materials_clearcoat) are left out"},
	{"materials.extensions.KHR_materials_diffuse_transmission", Dropped, "light through surfaces (KHR_materials_diffuse_transmission) is left out"},
	{"materials.extensions.KHR_materials_dispersion", Dropped, "dispersion (KHR_materials_dispersion) is left out"},
	{"materials.extensions.KHR_materials_emissive_strength", Dropped, "emission stronger than 1 (KHR_materials_emissive_strength) is left out"},
	{"materials.extensions.KHR_materials_ior", Dropped, "indices of refraction (KHR_materials_ior) are left out: it is 1.5"},
	{"materials.extensions.KHR_materials_iridescence", Dropped, "iridescence (KHR_materials_iridescence) is left out"},
	{"materials.extensions.KHR_materials_pbrSpecularGlossiness", Dropped, "colours and textures of KHR_materials_pbrSpecularGlossiness are left out; gltf-transform metalrough IN OUT converts them"},
	{"materials.extensions.KHR_materials_sheen", Dropped, "sheen (KHR_materials_sheen) is left out"},
	{"materials.extensions.KHR_materials_specular", Dropped, "strength and colour of highlights (KHR_materials_specular) are left out"},
	{"materials.extensions.KHR_materials_transmission", Dropped, "transparency by transmission (KHR_materials_transmission) is left out: the surface is opaque"},
	{"materials.extensions.KHR_materials_unlit", Drawn, ""},
	{"materials.extensions.KHR_materials_volume", Dropped, "volumes (KHR_materials_volume) are left out"},
	{"meshes.primitives.extensions.KHR_draco_mesh_compression", Refused, "gltf-transform copy IN OUT writes the file without it"},
	{"nodes.extensions.EXT_mesh_gpu_instancing", Dropped, "instances of meshes (EXT_mesh_gpu_instancing) are left out: each mesh is shown once"},
	{"nodes.extensions.KHR_node_visibility", Dropped, "hidden nodes (KHR_node_visibility) are shown"},
	{"nodes.extensions.MSFT_lod", Dropped, "levels of detail (MSFT_lod) are left out: the first is shown"},
	{"textures.extensions.EXT_texture_avif", Dropped, "AVIF images (EXT_texture_avif) are left out; gltf-transform png IN OUT converts them"},
	{"textures.extensions.EXT_texture_webp", Dropped, "WebP images (EXT_texture_webp) are left out; gltf-transform png IN OUT converts them"},
	{"textures.extensions.KHR_texture_basisu", Dropped, "KTX2 images (KHR_texture_basisu) are left out; gltf-transform ktxdecompress IN OUT converts them"},
	{"textures.extensions.MSFT_texture_dds", Dropped, "DDS images (MSFT_texture_dds) are left out"},
	{"materials.pbrMetallicRoughness.baseColorTexture.extensions.KHR_texture_transform", Drawn, "also of the other textures"},
}

// extensions are the names in Properties.
var extensions = func() map[string]bool {
	list := map[string]bool{}
	for _, p := range Properties {
		if _, name, ok := strings.Cut(p.Path, "extensions."); ok {
			list[name] = true
		}
	}
	return list
}()

// noteDropped notes the properties of a file that are left out.
func (d *document) noteDropped(text []byte) {
	// All but what can be as large as the file.
	var top struct{ Animations, Extensions, Materials, Meshes, Nodes, Textures any }
	if json.Unmarshal(text, &top) != nil {
		return
	}
	root := map[string]any{"animations": top.Animations, "extensions": top.Extensions, "materials": top.Materials, "meshes": top.Meshes, "nodes": top.Nodes, "textures": top.Textures}
	for _, p := range Properties {
		if p.Treatment == Dropped && hasProperty(root, strings.Split(p.Path, ".")) {
			d.note(p.How)
		}
	}
	var rest []string
	for _, e := range d.ExtensionsUsed {
		if !known[e] && !extensions[e] && !slices.Contains(rest, e) {
			rest = append(rest, e)
		}
	}
	if len(rest) > 0 {
		d.note("extensions that are not read: " + strings.Join(rest, ", "))
	}
}

// hasProperty reports whether a value has a property, in any item of lists.
func hasProperty(v any, path []string) bool {
	switch v := v.(type) {
	case []any:
		return slices.ContainsFunc(v, func(item any) bool { return hasProperty(item, path) })
	case map[string]any:
		inner, ok := v[path[0]]
		return ok && (len(path) == 1 || hasProperty(inner, path[1:]))
	}
	return false
}

// PropertyTable is the table of docs/MODELS.md.
func PropertyTable() string {
	var b strings.Builder
	b.WriteString("| property | | |\n|---|---|---|\n")
	for _, p := range Properties {
		how := p.How
		if p.Treatment == Dropped {
			_, how, _ = strings.Cut(how+":", ": ")
			how = strings.TrimSuffix(how, ":")
		}
		fmt.Fprintf(&b, "| `%s` | %v | %s |\n", strings.Replace(p.Path, "extensions.", "", 1), p.Treatment, how)
	}
	return b.String()
}
