package inspect

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/mbs"
	"pica200/tests/testkit"
)

// badMBS are invalid values of chunk fields, by "chunk.field" or "field".
var badMBS = map[string]struct {
	in     string // a name before the chunk in the file
	values []uint64
}{
	"ident":                        {"", []uint64{0x21212121, 0x5A5A5A5A}},
	"chunk.size":                   {"", []uint64{0, 0xFFFFFFFF}},
	"CVER.version":                 {"", []uint64{0, 1, 5, 7, 8}},
	"CFRA.version":                 {"", []uint64{0, 2, 6, 8}},
	"FINS.unknown":                 {"", []uint64{1}},
	"instructions":                 {"", []uint64{0, 4, 6, 0xFFFFFFFF}},
	"attribute prefetch":           {"", []uint64{6, 0xFFFFFFFF}},
	"stack size":                   {"", []uint64{0x10001, 0xFFFFFFFF}},
	"stack offset":                 {"", []uint64{0x10001, 0xFFFFFFFF}},
	"discard":                      {"", []uint64{2}},
	"reads color":                  {"", []uint64{2, 255}},
	"writes color":                 {"", []uint64{2, 255}},
	"reads depth":                  {"", []uint64{2}},
	"writes depth":                 {"", []uint64{2, 255}},
	"reads stencil":                {"", []uint64{2}},
	"writes stencil":               {"", []uint64{2, 255}},
	"unknown 0":                    {"", []uint64{1}},
	"unknown 1":                    {"", []uint64{1}},
	"count":                        {"", []uint64{0, 1, 100, 0xFFFFFFFF}},
	"space":                        {"", []uint64{0, 8}},
	"unknown":                      {"", []uint64{7}},
	"type":                         {"sky", []uint64{0, 5, 7, 9, 10, 255}},
	"attribute symbol.type":        {"", []uint64{0, 5, 6, 7, 10, 255}},
	"component count":              {"sky", []uint64{0, 2, 4, 0xFFFF}},
	"component size":               {"", []uint64{0, 2, 3, 0xFFFF}},
	"entry count":                  {"sky", []uint64{5, 0xFFFF}},
	"attribute symbol.entry count": {"", []uint64{2, 0xFFFF}},
	"source stride":                {"", []uint64{0, 2, 0xFFFF}},
	"destination stride":           {"", []uint64{0, 255}},
	"precision":                    {"", []uint64{0, 4, 255}},
	"invariant":                    {"", []uint64{2, 0xFFFF}},
	"offset":                       {"material", []uint64{0, 2, 5, 0xFFFF}},
	"attribute symbol.offset":      {"", []uint64{1, 4, 0xFFFF}},
	"parent":                       {"sky", []uint64{0, 2, 4, 0xFFFE}},
	"index":                        {"", []uint64{0xFFFFFFFE, 0x80000000}},
}

// noteMBS are fields whose unusual values give only a note.
var noteMBS = []string{"FINS.unknown", "FBUU.unknown 0", "FBUU.unknown 1", "symbol.unknown", "attribute symbol.unknown"}

// Every field of MBS1 has an invalid value that the check reports.
func TestEveryFieldOfMBSIsChecked(t *testing.T) {
	good := testkit.Read(t, "../../assets/mbs/testdata/own.mbs")
	d := opened(t, good)
	require.Empty(t, d.Check())
	used := map[string]bool{}
	fields, values := 0, 0
	for _, s := range mbs.Structures() {
		for _, f := range s.Fields {
			fields++
			full := s.Name + "." + f.Name
			key := full
			bad, ok := badMBS[full]
			if !ok {
				key = f.Name
				bad, ok = badMBS[f.Name]
			}
			require.True(t, ok, "%s has no invalid value in the table", full)
			used[key] = true
			for _, at := range placesOf(good, s.Name, bad.in) {
				for _, v := range bad.values {
					data := slices.Clone(good)
					switch f.Size {
					case 1:
						data[at+f.Offset] = byte(v)
					case 2:
						binary.LittleEndian.PutUint16(data[at+f.Offset:], uint16(v))
					default:
						binary.LittleEndian.PutUint32(data[at+f.Offset:], uint32(v))
					}
					if bytes.Equal(data, good) {
						continue
					}
					values++
					problems, notes, err := found(data)
					if slices.Contains(noteMBS, full) {
						require.NotZero(t, problems+notes, "%s = 0x%X passes", full, v)
					} else if err == nil && problems == 0 {
						t.Errorf("%s = 0x%X passes (at 0x%X)", full, v, at)
					}
				}
			}
		}
	}
	for k := range badMBS {
		require.True(t, used[k], "%s is no field", k)
	}
	t.Logf("%d fields of %d structures, %d values out of range, all found", fields, len(mbs.Structures()), values)
}

// placesOf returns the offsets of a structure: all of them, or the first after a name.
func placesOf(data []byte, structure, after string) (list []int) {
	from := 0
	if after != "" {
		from = bytes.Index(data, []byte(after+"\x00"))
	}
	idents := []string{structure}
	lead := 8
	switch structure {
	case "chunk":
		return []int{0, bytes.Index(data, []byte("CVER")), bytes.Index(data, []byte("SATT")), bytes.Index(data, []byte("FBUU"))}
	case "symbol":
		idents = []string{"VUNI", "VVAR"}
	case "attribute symbol":
		idents = []string{"VATT"}
	}
	for _, id := range idents {
		for at := 0; ; {
			k := bytes.Index(data[at:], []byte(id))
			if k < 0 {
				break
			}
			at += k + 4
			place := at - 4 + lead
			if strings.HasPrefix(id, "V") && id != "VINI" { // the name comes first
				place += 8 + int(binary.LittleEndian.Uint32(data[place+4:]))
			}
			if place < from {
				continue
			}
			list = append(list, place)
			if after != "" {
				return list
			}
		}
	}
	return list
}
