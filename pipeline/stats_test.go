package pipeline

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// numbered sets the numbers of a struct and its nested structs to by, 2*by, 3*by and so on.
func numbered(v reflect.Value, by int, n *int) {
	for i := range v.NumField() {
		switch f := v.Field(i); {
		case f.Kind() == reflect.Struct:
			numbered(f, by, n)
		case f.CanUint():
			*n++
			f.SetUint(uint64(*n * by))
		default:
			*n++
			f.SetInt(int64(*n * by))
		}
	}
}

// Add adds each counter to its own.
func TestAddStats(t *testing.T) {
	of := func(by int) (s Stats) {
		numbered(reflect.ValueOf(&s).Elem(), by, new(int))
		return s
	}
	sum, more := of(1), of(100)
	sum.Add(&more)
	require.Equal(t, of(101), sum)
}
