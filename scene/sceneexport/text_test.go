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
	"pica200/tests/testkit"
)

// long is a line of many numbers.
var long = regexp.MustCompile(`[^\n]{300,}`)

// What scenes our own recordings become: the text, what is reported, and the files beside it.
func TestWhatIsWritten(t *testing.T) {
	var b strings.Builder
	write := func(name string, trace *picatrace.Trace) {
		dir := filepath.Join(t.TempDir(), "s")
		report, err := Export(t.Context(), trace, dir, Options{Frame: -1, Name: name})
		require.NoError(t, err)
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
				img, err := png.Decode(bytes.NewReader(data))
				require.NoError(t, err)
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
		trace, err := picatrace.Parse(data)
		require.NoError(t, err)
		write(name, trace)
	}
	for _, name := range []string{"mirror", "fog"} {
		write(name, recorded(t, "../../testdata/scenes/"+name+".yaml", 0.5))
	}
	testkit.Golden(t, "testdata/scenes.txt", []byte(b.String()))
}
