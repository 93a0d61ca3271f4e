package sceneexport

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/pica"
	"pica200/tests/testkit"
)

// long matches a line of many numbers.
var long = regexp.MustCompile(`[^\n]{300,}`)

// Stored exports of our recordings: the scene's text, the report, and the files.
func TestExportedFiles(t *testing.T) {
	var b strings.Builder
	write := func(name string, trace *picatrace.Trace) {
		dir := filepath.Join(t.TempDir(), "s")
		report := testkit.Must(Export(t.Context(), trace, dir, Options{Frame: -1, Name: name}))(t)
		fmt.Fprintf(&b, "== %s\n%s\n", name, report)
		require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			name, _ := filepath.Rel(dir, path)
			switch filepath.Ext(name) {
			case ".yaml", ".pica":
				fmt.Fprintf(&b, "-- %s\n%s\n", filepath.ToSlash(name), long.ReplaceAllStringFunc(string(data), func(line string) string {
					return fmt.Sprintf("%s... CRC-32 %08x", line[:160], crc32.ChecksumIEEE([]byte(line)))
				}))
			case ".png":
				img := testkit.Must(png.Decode(bytes.NewReader(data)))(t)
				text := testkit.Dump(img)
				fmt.Fprintf(&b, "-- %s: %v, CRC-32 %08x\n", filepath.ToSlash(name), img.Bounds(), crc32.ChecksumIEEE([]byte(text)))
			case ".sha256":
			default:
				fmt.Fprintf(&b, "-- %s: %d bytes, CRC-32 %08x\n", filepath.ToSlash(name), len(data), crc32.ChecksumIEEE(data))
			}
			return err
		}))
	}
	for _, name := range []string{"arcs", "gas", "lights", "shadow"} {
		data := testkit.Read(t, "../../testdata/traces/"+name+".ctf")
		trace := testkit.Must(picatrace.Parse(data))(t)
		write(name, trace)
	}
	for _, name := range []string{"mirror", "fog"} {
		write(name, recorded(t, "../../testdata/scenes/"+name+".yaml", 0.5))
	}
	testkit.Golden(t, "testdata/scenes.txt", []byte(b.String()))
}

// The report uses singular, plural and zero counts correctly.
func TestReportTexts(t *testing.T) {
	one := &Report{Frame: 3, Draws: 1, Passes: 1, Programs: 1, Textures: 1, Meshes: 1, Raw: []RawRegister{{pica.RegBlendColor, 1}}, Otherwise: []string{"other"}, Notes: []string{"note"},
		Pictures: []Picture{{Name: "top"}, {Name: "pass3", Delta: 2, Pixels: 5, Of: 9}, {Name: "bottom", Problem: "none"}}}
	require.Equal(t, "Frame 3: 1 draw in 1 pass, with 1 program, 1 texture and 1 mesh.\nPicture top: the same as the trace's.\n"+
		"Picture pass3: 5 of 9 pixels differ from the trace's, by 2 of 255 at most.\nPicture bottom: none.\n"+
		"Raw register writes, for what no other key of a scene expresses:\n  - "+pica.RegBlendColor.String()+" in 1 draw\n"+
		"Expressed in another form:\n  - other\nNot expressed:\n  - note\n", one.String())
	require.Equal(t, "Frame 0: 2 draws in 0 passes, with 3 programs, 0 textures and 2 meshes.\n", (&Report{Draws: 2, Programs: 3, Meshes: 2}).String())
	require.False(t, one.Same(9))
	one.Pictures = one.Pictures[:2]
	require.True(t, one.Same(2))
	require.False(t, one.Same(1))
	require.False(t, (&Report{}).Same(9))
}
