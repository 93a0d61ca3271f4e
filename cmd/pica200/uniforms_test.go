package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/frontend/dmp"
)

func TestUniformsCommand(t *testing.T) {
	out := ok(t, "uniforms")
	require.Equal(t, dmp.NumUniforms, strings.Count(out, "\n"))
	require.Regexp(t, `(?m)^0x125 +GL_INT +dmp_Fog.mode +0x0E0 bit0-2$`, out)
	require.Regexp(t, `(?m)^0x000 +GL_BOOL +dmp_Texture\[0\].perspectiveShadow +0x08B bit0$`, out)

	out = ok(t, "uniforms", "texenv[0]")
	require.Equal(t, 10, strings.Count(out, "\n"))

	fails(t, exitFailed, "nearest name is dmp_Fog.color", "uniforms", "dmp_Fog.colour")
}

func TestUniformsJSON(t *testing.T) {
	out := ok(t, "uniforms", "--json")
	var list []uniformJSON
	require.NoError(t, json.Unmarshal([]byte(out), &list))
	require.Len(t, list, dmp.NumUniforms)
	mode := list[0x125]
	require.Equal(t, "dmp_Fog.mode", mode.Name)
	require.Equal(t, []any{"GL_FALSE"}, mode.Default)
	require.Contains(t, mode.Values, symbolJSON{"gas", "", 0x6050, 7})
	require.Equal(t, "GPUREG_TEXENV_UPDATE_BUFFER", mode.Registers[0].Name)
	require.Equal(t, float32(1), *list[0x11A].Max)
	require.Equal(t, []float32{1, 2, 4}, list[0x10E].Steps)
	require.Equal(t, []any{true}, list[0].Default)
}
