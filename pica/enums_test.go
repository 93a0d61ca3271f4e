package pica

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// A value prints as its name in the table of its type, or as a number without one.
func TestEnumStrings(t *testing.T) {
	for _, c := range []struct {
		enum *Enum
		of   func(v uint32) fmt.Stringer
	}{
		{FragmentModes, func(v uint32) fmt.Stringer { return FragmentMode(v) }},
		{BlendModes, func(v uint32) fmt.Stringer { return BlendMode(v) }},
		{BlendEquations, func(v uint32) fmt.Stringer { return BlendEquation(v) }},
		{BlendFactors, func(v uint32) fmt.Stringer { return BlendFactor(v) }},
		{LogicOps, func(v uint32) fmt.Stringer { return LogicOp(v) }},
		{CompareFuncs, func(v uint32) fmt.Stringer { return CompareFunc(v) }},
		{StencilOps, func(v uint32) fmt.Stringer { return StencilOp(v) }},
		{DepthFormats, func(v uint32) fmt.Stringer { return DepthFormat(v) }},
		{ColorFormats, func(v uint32) fmt.Stringer { return ColorFormat(v) }},
		{PixelSizes, func(v uint32) fmt.Stringer { return PixelSize(v) }},
		{GasDepthFuncs, func(v uint32) fmt.Stringer { return GasDepthFunc(v) }},
		{GasLutInputs, func(v uint32) fmt.Stringer { return GasLutInput(v) }},
		{AttribTypes, func(v uint32) fmt.Stringer { return AttribType(v) }},
		{Components, func(v uint32) fmt.Stringer { return Component(v) }},
		{IndexTypes, func(v uint32) fmt.Stringer { return IndexType(v) }},
		{GeoStages, func(v uint32) fmt.Stringer { return GeoStage(v) }},
		{GeometryModes, func(v uint32) fmt.Stringer { return GeometryMode(v) }},
		{ShaderModes, func(v uint32) fmt.Stringer { return ShaderMode(v) }},
		{UniformFormats, func(v uint32) fmt.Stringer { return UniformFormat(v) }},
		{LightTypes, func(v uint32) fmt.Stringer { return LightType(v) }},
		{Fresnels, func(v uint32) fmt.Stringer { return Fresnel(v) }},
		{LightLayers, func(v uint32) fmt.Stringer { return LightLayer(v) }},
		{BumpModes, func(v uint32) fmt.Stringer { return BumpMode(v) }},
		{LutInputs, func(v uint32) fmt.Stringer { return LutInput(v) }},
		{LutScales, func(v uint32) fmt.Stringer { return LutScale(v) }},
		{LightTables, func(v uint32) fmt.Stringer { return LightTable(v) }},
		{CullModes, func(v uint32) fmt.Stringer { return CullMode(v) }},
		{ScissorModes, func(v uint32) fmt.Stringer { return ScissorMode(v) }},
		{DepthModes, func(v uint32) fmt.Stringer { return DepthMode(v) }},
		{EarlyDepthFuncs, func(v uint32) fmt.Stringer { return EarlyDepthFunc(v) }},
		{PrimitiveModes, func(v uint32) fmt.Stringer { return PrimitiveMode(v) }},
		{Sources, func(v uint32) fmt.Stringer { return Source(v) }},
		{OperandRGBs, func(v uint32) fmt.Stringer { return OperandRGB(v) }},
		{OperandAlphas, func(v uint32) fmt.Stringer { return OperandAlpha(v) }},
		{Combines, func(v uint32) fmt.Stringer { return Combine(v) }},
		{Scales, func(v uint32) fmt.Stringer { return Scale(v) }},
		{FogModes, func(v uint32) fmt.Stringer { return FogMode(v) }},
		{GasDensities, func(v uint32) fmt.Stringer { return GasDensity(v) }},
		{TextureFormats, func(v uint32) fmt.Stringer { return TextureFormat(v) }},
		{TextureTypes, func(v uint32) fmt.Stringer { return TextureType(v) }},
		{Wraps, func(v uint32) fmt.Stringer { return Wrap(v) }},
		{Filters, func(v uint32) fmt.Stringer { return Filter(v) }},
		{Texcoord3s, func(v uint32) fmt.Stringer { return Texcoord3(v) }},
		{Texcoord2s, func(v uint32) fmt.Stringer { return Texcoord2(v) }},
		{ProcClamps, func(v uint32) fmt.Stringer { return ProcClamp(v) }},
		{ProcMaps, func(v uint32) fmt.Stringer { return ProcMap(v) }},
		{ProcShifts, func(v uint32) fmt.Stringer { return ProcShift(v) }},
		{ProcFilters, func(v uint32) fmt.Stringer { return ProcFilter(v) }},
		{ProcTables, func(v uint32) fmt.Stringer { return ProcTable(v) }},
		{ScreenFormats, func(v uint32) fmt.Stringer { return ScreenFormat(v) }},
		{FillWidths, func(v uint32) fmt.Stringer { return FillWidth(v) }},
		{TransferScales, func(v uint32) fmt.Stringer { return TransferScale(v) }},
		{Interlaces, func(v uint32) fmt.Stringer { return Interlace(v) }},
		{Semantics, func(v uint32) fmt.Stringer { return Semantic(v) }},
	} {
		for v := range uint32(20) {
			require.Equal(t, c.enum.Format(v), c.of(v).String(), "%T, %d", c.of(0), v)
		}
		require.NotEqual(t, c.of(0).String(), c.of(1).String(), "%T", c.of(0))
	}
}
