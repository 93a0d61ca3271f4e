package schema_test

import (
	"encoding/json"
	"errors"
	"math"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"

	"pica200/internal/schema"
	"pica200/internal/yamldoc"
	"pica200/tests/testkit"
)

// house has a value of every kind.
type house struct {
	Name    string
	Roof    string
	Floors  uint8
	Height  float64
	Any     float64
	Lit     bool
	Rooms   []room
	Hall    string
	Colors  map[string]float64
	Stairs  [][]float64
	Box     [2]float64
	Size    *float64
	Garden  *garden
	Lamps   []float64
	Even    []int
	Percent float64
	Tag     string
}

type room struct {
	Name   string
	Doors  int
	Window string
	Wall   string
}

type garden struct{ Trees, Bushes int }

var roomKind = schema.Object("a room", func(r *room, f *schema.Fields) {
	f.Inline()
	if f.Short(func(n yamldoc.Node) bool { return n.IsNumber() }, "doors") {
		f.OnRead(r)
	}
	schema.KeyOr(f, "doors", &r.Doors, schema.Int[int](0, 9), 1, "how many `doors`")
	schema.Key(f, "window", &r.Window, schema.Text, "")
	schema.Key(f, "wall", &r.Wall, schema.Text, "")
	f.Needs("window", "wall")
	if f.Sound() && r.Doors == 7 {
		f.Errorf("seven doors")
	}
})

var houseKind = schema.Object("a house", func(h *house, f *schema.Fields) {
	schema.Key(f.Required("a house needs a name"), "name", &h.Name, schema.Text, "")
	schema.KeyOr(f, "roof", &h.Roof, schema.Enum("roof", []string{"flat", "steep"}), "flat", "its roof")
	schema.KeyOr(f.Always(), "floors", &h.Floors, schema.Int[uint8](1, 200), 2, "")
	schema.Key(f, "height", &h.Height, schema.Number(0, 100).Check(func(v float64) error {
		if v == 13 {
			return errors.New("13 brings no luck")
		}
		return nil
	}), "")
	schema.Key(f, "any", &h.Any, schema.Finite, "")
	schema.Key(f, "lit", &h.Lit, schema.Bool, "")
	schema.Key(f, "rooms", &h.Rooms, schema.Named(roomKind, "room", func(r *room) *string { return &r.Name }), "")
	schema.Key(f, "hall", &h.Hall, schema.Ref("room", "none"), "")
	schema.Key(f, "colors", &h.Colors, schema.Dict(schema.Number(0, 1)), "")
	schema.Key(f, "stairs", &h.Stairs, schema.Rows(schema.Number(0, 9), 3, 2, 3, "places", "place, height"), "")
	schema.Key(f, "box", &h.Box, schema.Fixed[[2]float64](schema.List(schema.Number(-1, 1), 2, 2, "numbers")), "")
	schema.Key(f, "size", &h.Size, schema.Ptr(schema.Number(1, 2)), "")
	schema.Group(f, "trees", &h.Garden, func(g *garden) {
		schema.Key(f, "trees", &g.Trees, schema.Int[int](1, 9), "")
		schema.Key(f, "bushes", &g.Bushes, schema.Int[int](0, 9), "")
	})
	f.Needs("trees", "bushes")
	schema.Key(f, "lamps", &h.Lamps, schema.Either(func(n yamldoc.Node) bool { return n.IsNumber() },
		schema.Via(schema.Number(0, 5), func(v float64) []float64 { return []float64{v} }, func(v []float64) float64 { return v[0] }),
		schema.List(schema.Number(0, 5), 2, math.MaxInt, "lamps"), func(v []float64) bool { return len(v) == 1 }), "")
	schema.Key(f, "even", &h.Even, schema.Each(schema.List(schema.Int[int](0, 50), 0, 3, "numbers"), func(v int) int { return 2 * v }, func(v int) int { return v / 2 }), "")
	schema.Key(f, "percent", &h.Percent, schema.Via(schema.Number(0, 100), func(v float64) float64 { return v / 100 }, func(v float64) float64 { return 100 * v }), "")
	schema.Key(f, "tag", &h.Tag, schema.Text, "")
	f.One("tag", "percent")
})

const whole = `name: Villa
roof: steep
floors: 2
height: 12.5
any: -1.0e+30
lit: true
rooms:
  kitchen: {doors: 3, window: south, wall: red}
  hall: {}
hall: hall
colors:
  blue: 0.25
  red: 1
stairs: [[0, 1], [0.5, 2, 3]]
box: [-1, 0.5]
size: 1.5
trees: 3
bushes: 4
lamps: 4
even: [3, 1]
percent: 25
`

func parse(text string) (*house, error) {
	return schema.Parse("h.yaml", []byte(text), &schema.Reader{}, houseKind)
}

// Writing a parsed file gives the same text. Defaults are left out, unless the description keeps them.
func TestWriteRoundTrip(t *testing.T) {
	h := testkit.Must(parse(whole))(t)
	size := 1.5
	require.Equal(t, &house{Name: "Villa", Roof: "steep", Floors: 2, Height: 12.5, Any: -1e30, Lit: true,
		Rooms: []room{{"kitchen", 3, "south", "red"}, {"hall", 1, "", ""}}, Hall: "hall", Colors: map[string]float64{"blue": 0.25, "red": 1},
		Stairs: [][]float64{{0, 1}, {0.5, 2, 3}}, Box: [2]float64{-1, 0.5}, Size: &size, Garden: &garden{3, 4}, Lamps: []float64{4}, Even: []int{6, 2}, Percent: 0.25}, h)
	require.Equal(t, whole, yamldoc.Block(houseKind.Write(*h).(yaml.MapSlice)))
	least := testkit.Must(parse("name: x\ntag: y\nrooms: {a: 5}\nlamps: [1, 2]\n"))(t)
	require.Equal(t, &house{Name: "x", Roof: "flat", Floors: 2, Rooms: []room{{Name: "a", Doors: 5}}, Lamps: []float64{1, 2}, Tag: "y"}, least)
	least.Colors, least.Even = map[string]float64{}, []int{}
	require.Equal(t, "name: x\nfloors: 2\nrooms:\n  a: {doors: 5}\nlamps: [1, 2]\ntag: \"y\"\n", yamldoc.Block(houseKind.Write(*least).(yaml.MapSlice)))
}

// Each mistake is reported once, with its position.
func TestMistakesAreReportedOnce(t *testing.T) {
	for text, want := range map[string]string{
		"tag: y\n":                                                    "h.yaml:1:1: a house needs a name",
		"name: ''\ntag: y\n":                                          "a house needs a name",
		"name: x\n":                                                   "a house has exactly one of tag and percent, found 0",
		"name: x\ntag: y\npercent: 3\n":                               "found 2",
		"name: x\ntag: y\nrof: flat\n":                                `h.yaml:3:1: unknown key "rof" in a house; the nearest valid name is "roof"`,
		"name: x\ntag: y\nroof: flt\n":                                `unknown value "flt"`,
		"name: x\ntag: y\nfloors: 0\n":                                "0 is out of range; expected 1 to 200",
		"name: x\ntag: y\nheight: 13\n":                               "13 brings no luck",
		"name: x\ntag: y\nheight: 101\n":                              "101 is out of range; expected 0 to 100",
		"name: x\ntag: y\nhall: attic\n":                              `unknown room "attic" in the house`,
		"name: x\ntag: y\nstairs: [[1, 2], [1, 2]]\n":                 "places must ascend: 1 after 1",
		"name: x\ntag: y\nstairs: [[1]]\n":                            "expected a list of 2 or 3 numbers (place, height), found 1",
		"name: x\ntag: y\nstairs: [[1, 2], [2, 2], [3, 3], [4, 4]]\n": "expected a list of 1 to 3 lists [place, height], found 4",
		"name: x\ntag: y\nbox: [1]\n":                                 "expected a list of 2 numbers, found 1",
		"name: x\ntag: y\nlamps: [1]\n":                               "expected a list of at least 2 lamps, found 1",
		"name: x\ntag: y\neven: [1, 2, 3, 4]\n":                       "h.yaml:3:17: expected a list of at most 3 numbers, found 4",
		"name: x\ntag: y\nbushes: 3\n":                                "h.yaml:3:9: bushes goes with trees",
		"name: x\ntag: y\nrooms: {a: {wall: z}}\n":                    "wall goes with window",
		"name: x\ntag: y\nrooms:\n  b: {doors: 7}\n":                  "h.yaml:4:3: seven doors",
		"name: x\ntag: y\nsize: 3\n":                                  "3 is out of range; expected 1 to 2",
		"name: x\ntag: y\nlit: 3\n":                                   "expected true or false",
	} {
		h, err := parse(text)
		require.ErrorContains(t, err, want, text)
		require.Nil(t, h)
		var all yamldoc.Errors
		require.ErrorAs(t, err, &all)
		require.Len(t, all, 1, "%s: %v", text, err)
	}
	h := testkit.Must(parse("name: x\ntag: y\nhall: none\nrooms: {}\n"))(t, "a name of nothing")
	require.Equal(t, "none", h.Hall)
	// A structure with mistakes is not checked as a whole.
	_, err := parse("name: x\ntag: y\nrooms: {a: {doors: 7, walls: 1}}\n")
	require.NotContains(t, err.Error(), "seven")
}

// Placed gets each structure with its node.
func TestPlacedGetsNodes(t *testing.T) {
	lines := map[string]int{}
	r := &schema.Reader{OnRead: func(v any, n yamldoc.Node) {
		switch v := v.(type) {
		case *house:
			lines["house"] = n.Line()
		case *garden:
			lines["garden"] = n.Line()
		case *float64:
			lines["size"] = n.Line()
		case *room:
			lines["room"] += n.Line()
		default:
			t.Errorf("%T", v)
		}
	}}
	testkit.Must(schema.Parse("h.yaml", []byte(whole), r, houseKind))(t)
	require.Equal(t, map[string]int{"house": 1, "garden": 17, "size": 16, "room": 8 + 9}, lines)
}

// The published schema has every key with bounds and default.
func TestPublishedSchema(t *testing.T) {
	p := schema.Publish(houseKind)
	require.Equal(t, []string{"name", "roof", "floors", "height", "any", "lit", "rooms", "hall", "colors", "stairs", "box", "size", "trees", "bushes", "lamps", "even", "percent", "tag"}, p.Keys())
	var got struct {
		Title, Ref  string
		Definitions map[string]json.RawMessage
	}
	data := p.Schema("Houses")
	require.NoError(t, json.Unmarshal(data, &got))
	require.Equal(t, "Houses", got.Title)
	require.JSONEq(t, `{"type": "object", "additionalProperties": false, "required": ["name"], "oneOf": [{"required": ["tag"]}, {"required": ["percent"]}],
		"dependencies": {"bushes": ["trees"]}, "properties": {
		"name": {"type": ["string", "number"]}, "roof": {"enum": ["flat", "steep"], "default": "flat", "description": "its roof"},
		"floors": {"type": "integer", "minimum": 1, "maximum": 200, "default": 2}, "height": {"type": "number", "minimum": 0, "maximum": 100},
		"any": {"type": "number"}, "lit": {"type": "boolean"},
		"rooms": {"type": ["object", "null"], "additionalProperties": {"$ref": "#/definitions/room"}, "maxProperties": 1024},
		"hall": {"type": ["string", "number"]}, "colors": {"type": ["object", "null"], "additionalProperties": {"type": "number", "minimum": 0, "maximum": 1}, "maxProperties": 1024},
		"stairs": {"type": "array", "minItems": 1, "maxItems": 3, "items": {"type": "array", "minItems": 2, "maxItems": 3, "items": {"type": "number", "minimum": 0, "maximum": 9}}},
		"box": {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "number", "minimum": -1, "maximum": 1}},
		"size": {"type": "number", "minimum": 1, "maximum": 2}, "trees": {"type": "integer", "minimum": 1, "maximum": 9}, "bushes": {"type": "integer", "minimum": 0, "maximum": 9},
		"lamps": {"anyOf": [{"type": "number", "minimum": 0, "maximum": 5}, {"type": "array", "minItems": 2, "items": {"type": "number", "minimum": 0, "maximum": 5}}]},
		"even": {"type": "array", "maxItems": 3, "items": {"type": "integer", "minimum": 0, "maximum": 50}}, "percent": {"type": "number", "minimum": 0, "maximum": 100},
		"tag": {"type": ["string", "number"]}}}`, string(got.Definitions["house"]))
	require.JSONEq(t, `{"anyOf": [{"type": "integer", "minimum": 0, "maximum": 9, "description": "how many doors"},
		{"type": "object", "additionalProperties": false, "dependencies": {"wall": ["window"]}, "properties": {
		"doors": {"type": "integer", "minimum": 0, "maximum": 9, "default": 1, "description": "how many doors"},
		"window": {"type": ["string", "number"]}, "wall": {"type": ["string", "number"]}}}]}`, string(got.Definitions["room"]))
	tables := p.Tables()
	for _, line := range []string{
		"**A house** has exactly one of `tag`, `percent`.\n\nkey | value | meaning\n---|---|---\n`name` | text\n",
		"`roof` | `flat`, `steep` (flat) | its roof\n", "`floors` | 1 to 200 (2)\n", "`any` | number\n", "`lit` | true or false\n",
		"`rooms` | by name: a room\n", "`hall` | name of a room\n", "`colors` | names, each with 0 to 1\n", "`stairs` | list of [place, height]\n",
		"`box` | list of 2 numbers\n", "`lamps` | 0 to 5, or list of at least 2 lamps\n", "`even` | list of at most 3 numbers\n",
		"**A room** It may be just the value of `doors`.\n", "`doors` | 0 to 9 (1) | how many `doors`\n",
	} {
		require.Contains(t, tables, line)
	}
}
