package scenebuild

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/scene"
)

// The duration of a scene takes every curve into account: each is set alone in a scene with one of everything.
func TestDurationIsThatOfEveryCurve(t *testing.T) {
	found := 0
	var fill func(v reflect.Value, at string, set func(curve reflect.Value, at string))
	fill = func(v reflect.Value, at string, set func(curve reflect.Value, at string)) {
		switch {
		case !v.CanSet():
		case v.Type() == reflect.TypeFor[*scene.Curve]():
			set(v, at)
		case v.Kind() == reflect.Pointer && v.Type().Elem().Kind() == reflect.Struct:
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			fill(v.Elem(), at, set)
		case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct:
			if v.Len() == 0 {
				v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			}
			fill(v.Index(0), at+"[0]", set)
		case v.Kind() == reflect.Struct:
			for i := range v.NumField() {
				fill(v.Field(i), at+"."+v.Type().Field(i).Name, set)
			}
		}
	}
	st := &Stage{Scene: new(scene.Scene)}
	whole := reflect.ValueOf(st.Scene).Elem()
	fill(whole, "", func(reflect.Value, string) {})
	require.Zero(t, st.Duration())
	fill(whole, "scene", func(curve reflect.Value, at string) {
		found++
		curve.Set(reflect.ValueOf(&scene.Curve{Keys: []scene.Key{{T: 1, V: []float64{0}}, {T: 7, V: []float64{1}}}}))
		require.Equal(t, 7.0, st.Duration(), at)
		curve.SetZero()
	})
	require.Greater(t, found, 30)
}
