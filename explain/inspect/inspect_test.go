package inspect

import (
	"bytes"
	"encoding/json"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"pica200/assets/tree"
	"pica200/tests/testkit"
)

// testFile compares with a file in testdata; -update writes it.
func testFile(t *testing.T, name string, got []byte) {
	t.Helper()
	testkit.Golden(t, filepath.Join("testdata", name), got)
}

// Golden files of every format: the file, its tree with bytes, and the findings.
func TestGolden(t *testing.T) {
	seen := map[string]bool{}
	for name, data := range samples() {
		testFile(t, name, data)
		f := testkit.Must(recognise(data))(t, name)
		require.Equal(t, formatOf[name], f.Name, name)
		seen[f.Name] = true
		d := opened(t, data)
		var text bytes.Buffer
		require.NoError(t, tree.WriteText(&text, d.Document, d.Check(), tree.Options{Hex: true, Data: data}))
		testFile(t, name+".txt", text.Bytes())
		require.Zero(t, d.Check().Problems(), "%s: %v", name, d.Check())
	}
	for _, f := range Formats {
		require.True(t, seen[f.Name], "no sample of %s", f.Name)
	}
}

func opened(t *testing.T, data []byte) *Document {
	t.Helper()
	d := testkit.Must(Open(data, ""))(t)
	return d
}

func schema(t testing.TB) *jsonschema.Schema {
	s := testkit.Must(jsonschema.NewCompiler().Compile("../../docs/inspect.schema.json"))(t)
	return s
}

func validate(t *testing.T, s *jsonschema.Schema, data []byte) map[string]any {
	t.Helper()
	v := testkit.Must(jsonschema.UnmarshalJSON(bytes.NewReader(data)))(t)
	require.NoError(t, s.Validate(v))
	return v.(map[string]any)
}

func TestJSONFollowsTheSchema(t *testing.T) {
	// The schema lists every format.
	names := testkit.Must(json.Marshal(Names()))(t)
	const page = "../../docs/inspect.schema.json"
	text := testkit.Read(t, page)
	listed := regexp.MustCompile(`("What the file was read as.",\s*"enum": )\[.*\]`).ReplaceAllString(string(text), "${1}"+strings.ReplaceAll(string(names), ",", ", "))
	testkit.Golden(t, page, []byte(listed))
	s := schema(t)
	for name, data := range samples() {
		d := opened(t, data)
		for _, hex := range []bool{false, true} {
			var out bytes.Buffer
			require.NoError(t, tree.WriteJSON(&out, d.Document, d.Check(), tree.Options{Hex: hex, Data: data}))
			v := validate(t, s, out.Bytes())
			require.Equal(t, formatOf[name], v["format"])
		}
	}
	// The schema refuses unknown keys.
	var v any
	require.NoError(t, json.Unmarshal([]byte(`{"format": "ctf", "size": 0, "tree": {"nome": ""}, "findings": []}`), &v))
	require.Error(t, s.Validate(v))
}

// Offsets of nodes lie inside the file, and so do their ends.
func TestNodeOffsetsInsideFile(t *testing.T) {
	for name, data := range samples() {
		d := opened(t, data)
		var walk func(n *tree.Node)
		walk = func(n *tree.Node) {
			if n.Offset >= 0 {
				require.LessOrEqual(t, n.Offset+n.Size, int64(len(data)), "%s: %s", name, n.Name)
			}
			if n.Children != nil {
				for c := range n.Children {
					walk(c)
				}
			}
		}
		walk(d.Root)
	}
}

func TestDamagedFiles(t *testing.T) {
	all := samples()
	for _, c := range []struct {
		file string
		harm func([]byte) []byte
		want string // in the error, or in the findings
	}{
		{"trace.ctf", func(d []byte) []byte { return d[:len(d)-5] }, "cut short"},
		{"shader.shbin", func(d []byte) []byte { d[4] = 9; return d }, "shbin: offset"},
		{"object.dvoj", func(d []byte) []byte { d[0x27] = 1; return d }, "dvoj: offset"},
		{"mali.mbs", func(d []byte) []byte { return d[:40] }, "cut short"},
		{"resource.bcsdr", func(d []byte) []byte { d[4] = 0; return d }, "byte order mark"},
		{"resource.bcsdr", func(d []byte) []byte { return d[:0x40] }, "does not fit"},
		{"model.glb", func(d []byte) []byte { d[12] = 0xFF; d[13] = 0xFF; return d }, "offset 0xc"},
		{"model.glb", func(d []byte) []byte { return append(d, 1, 2, 3, 4) }, "the header says"},
		{"model.gltf", func(d []byte) []byte { return bytes.Replace(d, []byte(`"count": 3`), []byte(`"count": 4`), 1) }, "accessor 0: 4 elements"},
		{"model.gltf", func(d []byte) []byte { return bytes.Replace(d, []byte(`"buffer": 0`), []byte(`"buffer": 7`), 1) }, "lies in buffer 7"},
		{"model.obj", func(d []byte) []byte { return bytes.Replace(d, []byte("-1/1/1"), []byte("4/1/1"), 1) }, "index 4: there are 3"},
		{"scene.yaml", func(d []byte) []byte { return bytes.Replace(d, []byte("shape"), []byte("shap"), 1) }, "shap"},
		{"list.bin", func(d []byte) []byte { d[15] |= 0x70; return d }, "bits 28-30"},
		{"list.bin", func(d []byte) []byte { return d[:len(d)-4] }, "without a header"},
		{"list.bin", func(d []byte) []byte { d[0], d[4], d[5] = 15, 0x8E, 0; return d }, "format is 15, which has no meaning"},
		{"picture.t3x", func(d []byte) []byte { return d[:60] }, "ends early"},
	} {
		data := c.harm(bytes.Clone(all[c.file]))
		d, err := Open(data, formatOf[c.file])
		if err != nil {
			require.ErrorContains(t, err, c.want, c.file)
			continue
		}
		var text bytes.Buffer
		f := d.Check()
		tree.WriteFindings(&text, f)
		require.Contains(t, text.String(), c.want, c.file)
		require.Positive(t, f.Problems(), "%s: %s", c.file, c.want)
	}
	for name, want := range map[string]string{
		"a.gltf": "gltf: offset 0x9, line 2: invalid character", "a.yaml": "scene: offset 0x9, line 2: byte 0x00 is not text",
		"a.obj": "obj: offset 0x9, line 2: byte 0x00", "a.csdr": "csdr: offset 0x9, line 2: byte 0x00", "a.shbin": `it begins with "{\"a\": 1,"`,
	} {
		_, err := OpenNamed(name, []byte("{\"a\": 1,\n\x00}"), "")
		require.ErrorContains(t, err, want, name)
	}
	_, err := Open([]byte("nothing that is known"), "")
	require.ErrorContains(t, err, "not a format that is known")
	_, err = Open(nil, "")
	require.Error(t, err)
	_, err = Open(nil, "what")
	require.ErrorContains(t, err, `no format "what"`)
}

// Text files of other programs are not recognised.
func TestNotRecognised(t *testing.T) {
	for _, s := range []string{"{}", `{"asset": 1}`, "v is for vertex\n", "name: x\n", "a: b\nc: d\n", "draws\n", "RFZMQg==", "\x01\x00\x24\x09", strings.Repeat("\x00", 64)} {
		f, err := recognise([]byte(s))
		require.Error(t, err, "%q is recognised as %s", s, f.Name)
	}
}

func TestCorpus(t *testing.T) {
	var files []string
	for _, pattern := range []string{"mbs/*", "shbin/*", "t3x/*", "models/*.gl*"} {
		files = append(files, testkit.Corpus(t, pattern)...)
	}
	for _, file := range testkit.Recorded(t, "s*") {
		files = append(files, file.Path)
	}
	s := schema(t)
	for _, name := range files {
		data := testkit.Read(t, name)
		d := opened(t, data)
		if want := strings.TrimPrefix(filepath.Ext(strings.SplitN(filepath.Base(name), ".mbs", 2)[0]+filepath.Ext(name)), "."); slices.Contains(Names(), want) {
			require.Equal(t, want, d.Format, name)
		}
		require.Zero(t, d.Check().Problems(), "%s: %v", name, d.Check())
		var out bytes.Buffer
		require.NoError(t, tree.WriteJSON(&out, d.Document, d.Check(), tree.Options{}))
		if out.Len() < 4<<20 {
			validate(t, s, out.Bytes())
		}
	}
}

// A recognised file opens as that format or fails with an error. Bytes after a magic do not
// change the format.
func FuzzRecognise(f *testing.F) {
	for _, data := range samples() {
		f.Add(data)
		f.Add(data[:len(data)/2])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		format, err := recognise(data)
		d, errOpen := Open(data, "")
		if err != nil {
			require.Error(t, errOpen)
			return
		}
		require.Contains(t, Names(), format.Name)
		if errOpen == nil {
			require.Equal(t, format.Name, d.Format)
			require.Equal(t, int64(len(data)), d.Size)
		}
		for _, m := range []string{"CiTr", "DVLB", "DVOJ", "CGFX", "MBS1", "glTF"} {
			if bytes.HasPrefix(data, []byte(m)) {
				again := testkit.Must(recognise(data[:4]))(t)
				require.Equal(t, again.Name, format.Name)
			}
		}
	})
}

func FuzzInspect(f *testing.F) {
	for _, data := range samples() {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, as := range append([]string{""}, Names()...) {
			d, err := Open(data, as)
			if err != nil {
				continue
			}
			d.Check()
			if err := tree.WriteText(io.Discard, d.Document, nil, tree.Options{Hex: true, Data: data}); err != nil {
				t.Fatal(err)
			}
			if as == "" {
				var out bytes.Buffer
				if err := tree.WriteJSON(&out, d.Document, nil, tree.Options{}); err != nil {
					t.Fatal(err)
				}
				if !json.Valid(out.Bytes()) {
					t.Fatalf("not valid JSON: %s", out.Bytes())
				}
			}
		}
	})
}
