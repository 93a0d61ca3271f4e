package seeds

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// piece is a field of a handmade file, written from a document's table: its offset, its bytes and the value they must read as.
type piece struct {
	key   string // structure and offset: "DVLE 0x10", or name: "symbol.type"; "" for bytes between the fields
	says  string // "" for a second field of the same key, which the first one's row also checks
	hex   string
	read  string // path of the value in the parsed file: "Executables.0.InputMask"
	want  any
	table int // for an offset field: the size of the table it points at, which may lie anywhere
}

// sample is a file written by hand.
type sample[F any] struct {
	pieces []piece
	parse  func([]byte) (F, error)
	write  func(F) ([]byte, error)
}

func unhex(t *testing.T, text string) []byte {
	data := testkit.Must(hex.DecodeString(strings.ReplaceAll(text, " ", "")))(t, text)
	return data
}

// location is the position of a piece.
type location struct{ base, at, n int }

// bytes assembles the file. A structure starts at its field 0x0; its other fields lie at their offsets from there.
func (s *sample[F]) bytes(t *testing.T) (data []byte, places []location) {
	bases := map[string]int{}
	for _, p := range s.pieces {
		name, offset, placed := strings.Cut(p.key, " ")
		if placed {
			at := testkit.Must(strconv.ParseInt(offset, 0, 32))(t, p.key)
			if at == 0 {
				bases[name] = len(data)
			}
			require.Equal(t, int(at), len(data)-bases[name], "the place of %s", p.key)
		}
		b := unhex(t, p.hex)
		places = append(places, location{bases[name], len(data), len(b)})
		data = append(data, b...)
	}
	return data, places
}

// rows returns a row for each field of a structure.
func (s *sample[F]) rows(structure string) (list []row) {
	for _, p := range s.pieces {
		if name, _, _ := strings.Cut(strings.Replace(p.key, ".", " ", 1), " "); name == structure && p.says != "" {
			list = append(list, row{key: p.key, says: p.says, check: func(t *testing.T) { s.check(t, p.key) }})
		}
	}
	if list == nil {
		panic("no structure " + structure)
	}
	return list
}

// check reads the file, checks the fields of a key, writes the file back, and moves the table that the field points at.
func (s *sample[F]) check(t *testing.T, key string) {
	data, places := s.bytes(t)
	f := testkit.Must(s.parse(data))(t)
	s.values(t, f, key)
	again := testkit.Must(s.write(f))(t)
	checked := false
	for i, p := range s.pieces {
		if p.key != key {
			continue
		}
		at := places[i]
		require.Equal(t, data[at.at:at.at+at.n], again[at.at:at.at+at.n], "written back, at 0x%X", at.at)
		checked = checked || p.read != "" || p.table != 0
		if p.table == 0 {
			continue
		}
		from := at.base + int(binary.LittleEndian.Uint32(data[at.at:]))
		moved := append(append(append([]byte{}, data...), 0, 0, 0, 0), data[from:from+p.table]...)
		for j := range p.table {
			moved[from+j] = 0xA5
		}
		binary.LittleEndian.PutUint32(moved[at.at:], uint32(len(data)+4-at.base))
		f := testkit.Must(s.parse(moved))(t, "with the table moved")
		s.values(t, f, "")
	}
	require.True(t, checked, "%s is checked", key)
}

// values compares the fields of a key, or all fields.
func (s *sample[F]) values(t *testing.T, f F, key string) {
	for _, p := range s.pieces {
		if p.read != "" && (key == "" || p.key == key) {
			require.EqualValues(t, p.want, value(t, f, p.read), "%s: %s", p.key, p.read)
		}
	}
}

// value follows a path of fields, indices and methods without arguments.
func value(t *testing.T, of any, path string) any {
	v := reflect.ValueOf(of)
	for _, step := range strings.Split(path, ".") {
		if m := v.MethodByName(step); m.IsValid() {
			v = m.Call(nil)[0]
			continue
		}
		if v.Kind() == reflect.Pointer {
			require.False(t, v.IsNil(), "%s at %s", path, step)
			v = v.Elem()
		}
		if i, err := strconv.Atoi(step); err == nil {
			require.Less(t, i, v.Len(), "%s at %s", path, step)
			v = v.Index(i)
		} else if step == "len" {
			v = reflect.ValueOf(v.Len())
		} else {
			v = v.FieldByName(step)
		}
		require.True(t, v.IsValid(), "%s at %s", path, step)
	}
	if b, ok := v.Interface().([]byte); ok {
		return string(b)
	}
	if v.Kind() == reflect.Array || v.Kind() == reflect.Slice {
		return fmt.Sprint(v.Interface())
	}
	return v.Interface()
}
