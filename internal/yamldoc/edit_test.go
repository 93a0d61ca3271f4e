package yamldoc

import (
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

const scene = `# A scene with a style of its own.
name: "A   knot"   # quoted

camera: {eye: [0, 1.5,  4], at: [0,0,0]} # flow
uniforms:
  # above
  dmp_FragmentMaterial.diffuse: [ 0.5, 0.25, 1 , 1 ]   # behind
  dmp_Fog.mode:   fog #why


draws:   # both
  - name: floor   # first
    model: floor
    uniforms: {"dmp_TexEnv[0].srcRgb": [GL_TEXTURE0, GL_TEXTURE0, GL_TEXTURE0], a: 'it''s, # so'}
  - {name: knot, model: knot}
  - name: packed
    uniforms:
      a: 1
    model: dense
  -   model: third
      uniforms:
          dmp_Fog.color:
          - 1
          # in the middle
          - 0.5
          - 0   # last
      # the end of the third

# the end
`

// edited requires that changes of a text give another.
func edited(t *testing.T, src, want string, changes ...Change) {
	t.Helper()
	got := testkit.Must(Edit("s.yaml", []byte(src), changes))(t, src)
	require.Equal(t, want, string(got), src)
}

func TestEdit(t *testing.T) {
	for name, tt := range map[string]struct {
		path     []any
		value    any
		old, new string // a part of the text, before and after
	}{
		"a scalar":              {[]any{"uniforms", "dmp_Fog.mode"}, "gas", "dmp_Fog.mode:   fog #why", "dmp_Fog.mode:   gas #why"},
		"one item of a list":    {[]any{"uniforms", "dmp_FragmentMaterial.diffuse"}, []any{0.5, 0.75, 1, 1.0}, "[ 0.5, 0.25, 1 , 1 ]   # behind", "[ 0.5, 0.75, 1 , 1 ]   # behind"},
		"of another length":     {[]any{"uniforms", "dmp_FragmentMaterial.diffuse"}, []any{1, 2}, "[ 0.5, 0.25, 1 , 1 ]   # behind", "[1, 2]   # behind"},
		"a scalar for a list":   {[]any{"uniforms", "dmp_FragmentMaterial.diffuse"}, 3, "[ 0.5, 0.25, 1 , 1 ]", "3"},
		"a quoted text":         {[]any{"name"}, "x: y", `"A   knot"   # quoted`, `"x: y"   # quoted`},
		"text in flow":          {[]any{"draws", 0, "uniforms", "a"}, "b", `'it''s, # so'`, "b"},
		"a key in brackets":     {[]any{"draws", 0, "uniforms", "dmp_TexEnv[0].srcRgb"}, []any{"GL_TEXTURE0", "GL_CONSTANT", "GL_TEXTURE0"}, "[GL_TEXTURE0, GL_TEXTURE0, GL_TEXTURE0]", "[GL_TEXTURE0, GL_CONSTANT, GL_TEXTURE0]"},
		"in flow":               {[]any{"camera", "eye"}, []any{0, -1.5, 4}, "[0, 1.5,  4]", "[0, -1.5,  4]"},
		"added in flow":         {[]any{"draws", 1, "uniforms", "dmp_Fog.mode"}, "fog", "{name: knot, model: knot}", "{name: knot, model: knot, uniforms: {dmp_Fog.mode: fog}}"},
		"added to flow":         {[]any{"camera", "fovy"}, 30, "at: [0,0,0]}", "at: [0,0,0], fovy: 30}"},
		"added to lines":        {[]any{"uniforms", "x"}, true, "fog #why\n", "fog #why\n  x: true\n"},
		"added to the last":     {[]any{"draws", 3, "x"}, 1, "- 0   # last\n", "- 0   # last\n      x: 1\n"},
		"added in the middle":   {[]any{"draws", 2, "uniforms", "b"}, 2, "      a: 1\n", "      a: 1\n      b: 2\n"},
		"added with a mapping":  {[]any{"draws", 3, "x", "z"}, []any{1, 2}, "- 0   # last\n", "- 0   # last\n      x:\n        z: [1, 2]\n"},
		"lines of a list":       {[]any{"draws", 3, "uniforms", "dmp_Fog.color"}, []any{1, 0.25, 0.125}, "- 0.5\n          - 0   # last", "- 0.25\n          - 0.125   # last"},
		"a mapping of lines":    {[]any{"draws", 2, "uniforms"}, yaml.MapSlice{{Key: "b", Value: []any{2}}, {Key: "c", Value: true}}, "      a: 1\n", "      b: [2]\n      c: true\n"},
		"added to the document": {[]any{"time"}, 2.5, "- 0   # last\n", "- 0   # last\ntime: 2.5\n"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, 1, strings.Count(scene, tt.old))
			want := strings.Replace(scene, tt.old, tt.new, 1)
			edited(t, scene, want, Change{tt.path, tt.value})
			edited(t, strings.ReplaceAll(scene, "\n", "\r\n"), strings.ReplaceAll(want, "\n", "\r\n"), Change{tt.path, tt.value})
		})
	}
}

func TestEditMany(t *testing.T) {
	src := "a:\nb: {}\nc: {x: 1,}\nd: 日本 # 語\ne: {f: 日本, g: 2}"
	table := make([]any, 100)
	for i := range table {
		table[i] = float32(i) / 7
	}
	table[98] = float32(1e-30)
	got, err := Edit("s.yaml", []byte(src), []Change{
		{[]any{"a", "k", "l"}, 1}, {[]any{"b", "k"}, 2}, {[]any{"c", "z"}, 3}, {[]any{"d"}, "語"}, {[]any{"e", "g"}, 4},
		{[]any{"tables", "t", "values"}, table}, {[]any{"tables", "u", "values"}, []any{1, 2}},
	})
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(got), "a: {k: {l: 1}}\nb: {k: 2}\nc: {x: 1, z: 3}\nd: \"語\" # 語\ne: {f: 日本, g: 4}\ntables:\n  t: {values: [0, 0.14285715, "), "%s", got)
	for _, l := range strings.Split(string(got), "\n") {
		require.LessOrEqual(t, len(l), flowWidth)
	}
	var back struct {
		Tables map[string]struct{ Values []float32 }
	}
	require.NoError(t, yaml.Unmarshal(got, &back))
	require.Len(t, back.Tables["t"].Values, 100)
	require.Equal(t, float32(1e-30), back.Tables["t"].Values[98])
	require.Equal(t, float32(99)/7, back.Tables["t"].Values[99])
	require.Equal(t, []float32{1, 2}, back.Tables["u"].Values)
}

// Unchanged entries of a list keep their notation.
func TestEditKeepsNumberNotation(t *testing.T) {
	const src = "a: [0x10, 1.0, 0.50, 'x', +7, ~]\nb:\n- 0x10\n- 1.0\n- 0.50 # half\n- 'x'\n- +7\n- ~\n"
	for i, c := range []struct {
		value any
		text  string
	}{{17, "17"}, {2, "2"}, {0.25, "0.25"}, {"z", "z"}, {8, "8"}, {1, "1"}} {
		old := []string{"0x10", "1.0", "0.50", "'x'", "+7", "~"}[i]
		list := []any{16, 1, 0.5, "x", 7, nil}
		list[i] = c.value
		edited(t, src, strings.ReplaceAll(src, old, c.text), Change{[]any{"a"}, list}, Change{[]any{"b"}, list})
	}
}

// In flow mappings of several lines, comments after entries stay.
func TestEditLongFlow(t *testing.T) {
	for src, want := range map[string]string{
		"u: {\n  a: 1, # one, {\n  b: '#' # two ]\n} # end\n": "u: {\n  a: 1, # one, {\n  b: '#', k: 5 # two ]\n} # end\n",
		"u: {\n  a: 1, # one\n  # none\n}\n":                  "u: {\n  a: 1, k: 5 # one\n  # none\n}\n",
		"u: { # empty\n}\n":                                   "u: {k: 5 # empty\n}\n",
	} {
		edited(t, src, want, Change{[]any{"u", "k"}, 5})
	}
}

// Brackets in quotes and quotes within words have no meaning.
func TestEditWithQuotedBrackets(t *testing.T) {
	for src, want := range map[string]string{
		"\"a [\": x\nk: v, w\n":                   "\"a [\": x\nk: new\n",
		"a: x\nb: 'y {'\nk: v, w\n":               "a: x\nb: 'y {'\nk: new\n",
		"a: don't it[ x\nk: v, w\n":               "a: don't it[ x\nk: new\n",
		"a: {b: '}', c: [\"]\",'['], k: v}\n":     "a: {b: '}', c: [\"]\",'['], k: new}\n",
		"a: {b: x}\nk: v, w # {\n":                "a: {b: x}\nk: new # {\n",
		"a:\n  b: x# y\nk: v# w#\n":               "a:\n  b: x# y\nk: new\n",
		"l:\n  a: x# y\n  b: z# w # why\nm: 1\n":  "l:\n  a: x# y\n  b: z# w # why\n  k: new\nm: 1\n",
		"l:\n  a: x\n  b: z# w\n\n# of m\nm: 1\n": "l:\n  a: x\n  b: z# w\n  k: new\n\n# of m\nm: 1\n",
	} {
		path := []any{"k"}
		if strings.HasPrefix(src, "a: {b: '}'") {
			path = []any{"a", "k"}
		} else if strings.HasPrefix(src, "l:") {
			path = []any{"l", "k"}
		}
		edited(t, src, want, Change{path, "new"})
	}
}

// Replacing a value of any form between others of any form changes nothing else: brackets, quotes and comment signs in a value do
// not end it. Text between + and - is added.
func TestEditBetweenAnyValues(t *testing.T) {
	values := []string{"1", "word", `""`, "''", `"a \" ] }"`, `"\\"`, `'it''s }, ['`, `'\'`, `'#'`, `" # [ {"`, "don't", "a#b",
		`[1, "]", ']', [2, 3]]`, `{b: "}", c: '{', d: {e: [f]}}`, "[ ]", "{ }", `["a",'b']`, "日本"}
	contexts := []struct {
		text string
		path []any
	}{
		{"k: V\n", []any{"k"}}, {"k:   V   # it's [ {\n", []any{"k"}}, {"k: V", []any{"k"}}, {"# don't [\nx: U # \"{\nk: V\ny: U\n", []any{"k"}},
		{"x: U\na: {x: U, k: V, y: U}\n", []any{"a", "k"}}, {"a: {k: V}\nx: U\n", []any{"a", "k"}}, {"a: {x: [U, U],k: V , y: {z: U}}\n", []any{"a", "k"}},
		{"a: {\n  x: U, # one ]\n  k: V #two }\n}\ny: U\n", []any{"a", "k"}}, {"a:\n  x: U\n  k: V # why\n  y: U\n", []any{"a", "k"}},
		{"x: U\na:\n- x: U\n  k: V\n- U\n", []any{"a", 0, "k"}}, {"a: [{x: U}, {k: V, y: U}]\n", []any{"a", 1, "k"}},
		{"a:\n- k: V # [\n  y: U # {\n", []any{"a", 0, "k"}}, {"a: {x: U, y: U+, k: V-} # ] U\n", []any{"a", "k"}},
		{"a: {\n  x: U+, k: V- #]\n}\n", []any{"a", "k"}}, {"a:\n  x: U # [\n+  k: V\n-", []any{"a", "k"}}, {"a:\n- x: U\n+  k: V\n--  z: U\n", []any{"a", 0, "k"}}, {"\"b [\": U\n'c {': U\nk: V\n", []any{"k"}},
	}
	for _, c := range contexts {
		for i, v := range values {
			for _, u := range []string{values[(i+5)%len(values)], values[(7*i+9)%len(values)]} {
				with := func(text, v string) string { return strings.NewReplacer("V", v, "U", u).Replace(text) }
				old, added, _ := strings.Cut(c.text, "+")
				added, rest, _ := strings.Cut(added, "-")
				edited(t, with(old+rest, v), with(old+added+rest, "new"), Change{c.path, "new"})
			}
		}
	}
}

// An edit that would change something else returns an error.
func TestEditRefuses(t *testing.T) {
	for src, path := range map[string][]any{
		"a: &x [1, 2]\nb: *x\n":       {"a"},
		"a: &x {c: 1}\nb: {<<: *x}\n": {"a", "c"},
		"a: 1\n":                      {"a", "b"},
		"a: [1]\n":                    {"a", 1},
		"a: [\n":                      {"a"},
		"a:\n- 1\n- 2\n":              {"a"},
		"a:\n  b: 1\n":                {"a"},
	} {
		_, err := Edit("s.yaml", []byte(src), []Change{{path, []any{5, 6, 7}}})
		require.Error(t, err, "%q", src)
	}
	for _, src := range []string{"a:\n  b: 1 # why\n  c: 2\n", "a:\n  b: 1\n# why\n  c: 2\n", "a:\n  b: 1\n  # why\n  c: 2\n"} {
		_, err := Edit("s.yaml", []byte(src), []Change{{[]any{"a"}, yaml.MapSlice{{Key: "d", Value: 1}}}})
		require.ErrorContains(t, err, "comments", "%q", src)
	}
	for _, v := range []any{yaml.MapSlice{}, 5, nil} {
		_, err := Edit("s.yaml", []byte("a:\n  b: 1\nc: 2\n"), []Change{{[]any{"a"}, v}})
		require.ErrorContains(t, err, "cannot become a single value", "%v", v)
	}
	_, err := Edit("s.yaml", []byte("- \n- 1\n"), []Change{{[]any{0}, 5}})
	require.ErrorContains(t, err, "the place of the value was not found")
	_, err = Edit("s.yaml", []byte("{k, b: 2}\n"), []Change{{[]any{"k"}, 5}})
	require.ErrorContains(t, err, "cannot be written into it as it is")
	edited(t, "a: &x [1, 2]\nb: *x\n", "a: &x [1, 2]\nb: 3\n", Change{[]any{"b"}, 3})
}

// An edit of any document keeps all other lines, or returns an error.
func FuzzEdit(f *testing.F) {
	f.Add(scene, "dmp_Fog.mode", 0.5)
	f.Add("uniforms:\r\n\ta: [1]\n", "a", 1e300)
	f.Add("- uniforms", "", 0.0)
	f.Add("uniforms: {a: \"\\\"}\", b: '#'} #}\n", "b", 1.0)
	f.Fuzz(func(t *testing.T, src, key string, value float64) {
		if value != value || len(src) > 1<<12 {
			return
		}
		got, err := Edit("s.yaml", []byte(src), []Change{{[]any{"uniforms", key}, []any{value, "x", true}}})
		if err != nil {
			return
		}
		_, _, err = Parse("s.yaml", got)
		require.NoError(t, err)
	})
}

// A key without a value gets one after its colon.
func TestEditFillsKeys(t *testing.T) {
	for src, want := range map[string]string{
		"a:\nk:\nb: 1\n":           "a:\nk: {x: 5}\nb: 1\n",
		"\"a:b\":\nk: # none\n":    "\"a:b\":\nk: {x: 5} # none\n",
		"'x: y':\n\"k\" :\nz: 1\n": "'x: y':\n\"k\" : {x: 5}\nz: 1\n",
		"k:   \n":                  "k: {x: 5}   \n",
		"\"k\": \nz: 'a:b'\n":      "\"k\": {x: 5} \nz: 'a:b'\n",
	} {
		edited(t, src, want, Change{[]any{"k", "x"}, 5})
	}
	for src, want := range map[string]string{
		"a: 1\nk:\nb: 2\n":  "a: 1\nk: 5\nb: 2\n",
		"k: # none\nb: 2":   "k: 5 # none\nb: 2",
		"b: 2\nk:":          "b: 2\nk: 5",
		"k: ~\nb: 2\n":      "k: 5\nb: 2\n",
		"{b: 2, k: , c: 3}": "{b: 2, k: 5 , c: 3}",
	} {
		edited(t, src, want, Change{[]any{"k"}, 5})
	}
	edited(t, "\"a:b\":\nc: 1\n", "\"a:b\": {x: 5}\nc: 1\n", Change{[]any{"a:b", "x"}, 5})
	edited(t, "k: ['a', \"]\"]\nc: 1\n", "k: 5\nc: 1\n", Change{[]any{"k"}, 5})
	// Long lists are wrapped with the indentation of their start.
	long := make([]any, 60)
	for i := range long {
		long[i] = 1000 + i
	}
	got := testkit.Must(Edit("s.yaml", []byte("a:\n  - b: [1]\n"), []Change{{[]any{"a", 0, "b"}, long}}))(t)
	lines := strings.Split(strings.TrimRight(string(got), "\n"), "\n")
	require.Greater(t, len(lines), 3)
	for _, l := range lines[2:] {
		require.Equal(t, 6, len(l)-len(strings.TrimLeft(l, " ")), "%q", l)
		require.LessOrEqual(t, len(l), flowWidth)
	}
}

// A change of a decoded document must address an existing list item, or a key of a mapping.
func TestChangeDecodedDocument(t *testing.T) {
	doc := func() any { return yaml.MapSlice{{Key: "l", Value: []any{1, []any{2, 3}}}, {Key: "n", Value: 5}} }
	for _, c := range []struct {
		path []any
		want string
	}{
		{[]any{"l", -1}, "there is no item -1"}, {[]any{"l", 2}, "there is no item 2"}, {[]any{"l", 1, 2}, "there is no item 2"}, {[]any{"n", 0}, "there is no item 0"}, {[]any{0}, "there is no item 0"}, {[]any{"l", "k"}, `"k" cannot be put into [1 [2 3]]`}, {[]any{1.5}, "a path of keys and numbers, not of float64"},
	} {
		_, err := (&Change{c.path, 9}).on(doc())
		require.ErrorContains(t, err, c.want, "%v", c.path)
	}
	before := doc()
	for _, c := range []struct{ path, want any }{{[]any{"l", 0}, []any{9, []any{2, 3}}}, {[]any{"l", 1, 1}, []any{1, []any{2, 9}}}, {[]any{"l"}, 9}} {
		got := testkit.Must((&Change{c.path.([]any), 9}).on(before))(t)
		require.Equal(t, yaml.MapSlice{{Key: "l", Value: c.want}, {Key: "n", Value: 5}}, got)
		require.Equal(t, doc(), before, "the original document is unchanged")
	}
}

// Every edit gives this text, or this error.
func TestEditTexts(t *testing.T) {
	m := func(key, value any) yaml.MapSlice { return yaml.MapSlice{{Key: key, Value: value}} }
	for _, c := range []struct {
		src   string
		path  []any
		value any
		want  string
	}{
		// What a value ends with.
		{"k: v\t# why\n", []any{"k"}, 5, "k: 5\t# why\n"},
		{"k: v# w\t#why\n", []any{"k"}, 5, "k: 5\t#why\n"},
		{"k: v #", []any{"k"}, 5, "k: 5 #"},
		{"a: {k: v\t#]\n}", []any{"a", "k"}, 5, "a: {k: 5\t#]\n}"},
		{"a: [1,\n#]\n2]", []any{"a", 1}, 5, "a: [1,\n#]\n5]"},
		{"k: [1, #]\n 2]\nb: 1", []any{"k"}, 5, "k: 5\nb: 1"},
		{"k: [x,\"]\", y] # z\n", []any{"k"}, 5, "k: 5 # z\n"},
		{"a: [x,\"]\",'[', y]", []any{"a", 3}, 5, "a: [x,\"]\",'[', 5]"},
		{"a: [1, 2 \"]\nb: 1\n", []any{"a"}, 5, "a: 5\nb: 1\n"},
		{"a: 2 [\nk: v, w]\n", []any{"k"}, 5, "a: 2 [\nk: 5\n"},
		{"[1, {k: [v, w]}, 2]", []any{1, "k", 0}, 5, "[1, {k: [5, w]}, 2]"},
		{"[1, [v w]]", []any{1}, []any{5}, "[1, [5]]"},
		{"[1, 2]", nil, 5, "5"},
		{"5", nil, 6, "6"},
		{"日: {語: \"日\", 本: [日, 語]} # x", []any{"日", "本"}, 5, "日: {語: \"日\", 本: 5} # x"},
		{"a: [\"日\n  本\", [2]] # s\nb: 1\n", []any{"a", 1}, 5, "a: [\"日\n  本\", 5] # s\nb: 1\n"},
		{"k: 'it''s'''\n", []any{"k"}, 5, "k: 5\n"},
		{"k: \"\\\"\\\\\" # x", []any{"k"}, 5, "k: 5 # x"},
		{"a: {b: 1 #x\n, #y\n}", []any{"a", "k"}, 5, "a: {b: 1 #x\n, k: 5 #y\n}"},
		{"a: {b: 2 \"x}\n", []any{"a", "k"}, 5, "a: {b: 2 \"x, k: 5}\n"},
		// Keys.
		{"a: 1\n\"k l\" : v\n", []any{"k l"}, 5, "a: 1\n\"k l\" : 5\n"},
		{"\" k \": v\n", []any{"k"}, 5, "\" k \": 5\n"},
		{"k l: v\n", []any{"k l"}, 5, "k l: 5\n"},
		{"&x k: 1\nb: 2\n", []any{"k"}, 5, "&x k: 5\nb: 2\n"},
		{"~: 1\n", []any{"~"}, 5, "~: 5\n"},
		{"a:b:\nc: 1\n", []any{"a:b", "x"}, 5, "a:b: {x: 5}\nc: 1\n"},
		{"a: 1\n日本 :\nc: 1\n", []any{"日本"}, 5, "a: 1\n日本 : 5\nc: 1\n"},
		{"{\"k\":}", []any{"k"}, 5, "{\"k\": 5}"},
		{"k: ~ # x\n", []any{"k", "l"}, 5, "k: {l: 5} # x\n"},
		{"a: {k: null, l: 1}\n", []any{"a", "k", "l", "m"}, 5, "a: {k: {l: {m: 5}}, l: 1}\n"},
		{"k: {}\n", []any{"k"}, m("a", yaml.MapSlice{}), "k: {a: {}}\n"},
		{"a: 1\n", []any{"k"}, yaml.MapSlice{}, "a: 1\nk: {}\n"},
		{"\"a\": '#' # \nb: 2\n", nil, m("c", 1), "s.yaml:1: a mapping with comments cannot be replaced"},
		{"\"a\": '#'\nb: 2\n\n", nil, m("c", 1), "c: 1\n\n"},
		// Anchors.
		{"a: &x 1\nb: 2\n", []any{"a"}, 5, "a: &x 5\nb: 2\n"},
		{"a: &x {b: 1}\n", []any{"a", "b"}, 5, "a: &x {b: 5}\n"},
		{"a: &x\n  b: 1\n", []any{"a", "c"}, 5, "a: &x\n  b: 1\n  c: 5\n"},
		{"a: &x [1, 2]\n", []any{"a", 1}, 5, "a: &x [1, 5]\n"},
		// Where a mapping ends.
		{"a: 1", []any{"k"}, 5, "a: 1\nk: 5\n"},
		{"a: 1\n---\n", []any{"k"}, 5, "a: 1\nk: 5\n---\n"},
		{"---\na: 1\n--- # x\n", []any{"k"}, 5, "---\na: 1\nk: 5\n--- # x\n"},
		{"a: 1\n...\n", []any{"k"}, 5, "a: 1\nk: 5\n...\n"},
		{"a: 1\n... # b: 2\n# c\n", []any{"k"}, 5, "a: 1\nk: 5\n... # b: 2\n# c\n"},
		{"---a: 1\n---b: 1\n", []any{"k"}, 5, "---a: 1\n---b: 1\nk: 5\n"},
		{"a:\n  - b: 1\n    c: 2\n\n  # why\n...\n", []any{"a", 0, "k"}, 5, "a:\n  - b: 1\n    c: 2\n    k: 5\n\n  # why\n...\n"},
		{"a:\n  b:\n    c: 1\n   # x\n  d: 2\n", []any{"a", "b", "k"}, 5, "a:\n  b:\n    c: 1\n    k: 5\n   # x\n  d: 2\n"},
		{"a:\n  b: |\n    ---\n    ...\n", []any{"a", "k"}, 5, "a:\n  b: |\n    ---\n    ...\n  k: 5\n"},
		{"a: 1\r\n", []any{"k"}, 5, "a: 1\r\nk: 5\r\n"},
		{"a: 1\r\nk: v\nc: 3\n", []any{"k"}, 5, "a: 1\r\nk: 5\nc: 3\n"},
		// Errors.
		{"a: [1]\n", []any{"a", -1}, 5, "s.yaml: there is no item -1 of [a]"},
		{"a: [1]\n", []any{"a", 1}, 5, "s.yaml: there is no item 1 of [a]"},
		{"a: 1\n", []any{"a", 0}, 5, "s.yaml: there is no item 0 of [a]"},
		{"k:\n", []any{"k", 0}, 5, "s.yaml: there is no item 0"},
		{"a: [1]\n", []any{"a", "k"}, 5, `s.yaml:1: "k" cannot be put into a list`},
		{"b: 1\na:\n- 1\n- 2\n", []any{"a"}, []any{5}, "s.yaml:3: a list of 2 lines cannot be replaced; write it in brackets"},
		{"a:\n- 1\n- 2\n", []any{"a"}, 5, "s.yaml:2: a list of 2 lines cannot be replaced; write it in brackets"},
		{"- 1\n- ", []any{1}, 5, "s.yaml:2: the place of the value was not found"},
		{"- # x\n- 1", []any{0}, 5, "s.yaml:1: the place of the value was not found"},
		{"a: 1\n", []any{1.5}, 5, "s.yaml: a path of keys and numbers, not of float64"},
		{"k: |\n  a: b\n", []any{"k"}, 5, "s.yaml: the changes cannot be written into it as it is: s.yaml:1:4: not valid YAML"},
		{"a: &x [*x]\nb: 1\n", []any{"b"}, 5, "s.yaml:1:8: nested deeper than 128 levels when aliases are followed"},
		{"b: 1\na: &x {c: *x}\n", []any{"b"}, 5, "s.yaml:2:11: nested deeper than 128 levels when aliases are followed"},
		{"a: [\n", []any{"b"}, 5, "s.yaml:1:4: not valid YAML"},
		{"\rk: #- 1\n", []any{"k", "a"}, 5, "\rk: #- 1\n {a: 5}"},
	} {
		got, err := Edit("s.yaml", []byte(c.src), []Change{{c.path, c.value}})
		if strings.HasPrefix(c.want, "s.yaml:") {
			require.Error(t, err, "%q %v", c.src, c.path)
			require.True(t, strings.HasPrefix(err.Error(), c.want), "%q %v: %v", c.src, c.path, err)
			continue
		}
		require.NoError(t, err, "%q %v", c.src, c.path)
		require.Equal(t, c.want, string(got), "%q %v", c.src, c.path)
	}
	_, err := Edit("s.yaml", []byte("a: [\n"), nil)
	require.ErrorContains(t, err, "s.yaml:1:4: not valid YAML")
}

// A document may have 128 levels with aliases, and no more.
func TestEditDepthLimit(t *testing.T) {
	for _, c := range [][2]string{{"{b: ", "}"}, {"[", "]"}} {
		nest := func(n int, inner string) string { return strings.Repeat(c[0], n) + inner + strings.Repeat(c[1], n) }
		src := "k: 1\nx: &x " + nest(60, "1") + "\ny: &y " + nest(60, "*x") + "\nz: "
		edited(t, src+nest(7, "*y"), strings.Replace(src, "1", "2", 1)+nest(7, "*y"), Change{[]any{"k"}, 2})
		_, err := Edit("s.yaml", []byte(src+nest(8, "*y")), []Change{{[]any{"k"}, 2}})
		require.Error(t, err)
		require.True(t, strings.HasPrefix(err.Error(), "s.yaml:2:"), "%v", err)
		require.ErrorContains(t, err, "nested deeper than 128 levels when aliases are followed")
	}
}

// A line of more than 120 characters is broken after the first comma behind the 100th one that is not quoted.
func TestLongLinesAreWrapped(t *testing.T) {
	word := func(n int) string { return strings.Repeat("w", n) }
	for _, c := range []string{ // | is where a line ends
		"[" + word(109) + ", " + word(7) + "]",
		"[" + word(109) + ",|" + word(8) + "]",
		`"` + word(130) + `, , "`,
		"[" + word(98) + ", " + word(3) + ",|" + word(98) + ", " + word(3) + ",|" + word(8) + ", " + word(9) + "]",
		"[" + word(99) + ",|" + word(99) + ", w,|" + word(100) + ",|" + word(8) + ", " + word(9) + "]",
		"[" + word(130) + ",|" + `"a, \", b", 3]`,
		"[" + word(95) + `, "a,  b, ",|c, ` + word(9) + ", " + word(9) + "]",
		"[" + word(80) + `, "\\", "a\"", "b, ",|c, ` + word(9) + ", " + word(9) + "]",
		"{" + word(109) + `: "` + word(109) + `,,",|b: ["` + word(90) + `,,,,",|1], c: ` + word(20) + "}",
	} {
		require.Equal(t, strings.ReplaceAll(c, "|", "\n  "), breakLong(strings.ReplaceAll(c, "|", " "), "\n  "))
	}
	value := []any{word(97), `\`, "b,  c", "d,  e"}
	got := testkit.Must(Edit("s.yaml", []byte("a:\n- k: 1\n"), []Change{{[]any{"a", 0, "k"}, value}, {[]any{"a", 0, "l"}, value}}))(t)
	list := "[" + word(97) + `, "\\",` + "\n    " + `"b,  c", "d,  e"]`
	require.Equal(t, "a:\n- k: "+list+"\n  l: "+list+"\n", string(got))
}
