package engine

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/serve/internal/frames"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// source is one of the repository's recordings.
func source(t testing.TB, name string) Source {
	t.Helper()
	return recorded(name, testkit.Named(t, name)[0].Read(t), []string{"first"})
}

// recorded is a recording, with names for the draws of each frame.
func recorded(name string, data []byte, names ...[]string) Source {
	return Source{Name: name, Open: func(context.Context) (*picatrace.Trace, [][]string, error) {
		trace, err := picatrace.Parse(data)
		return trace, names, err
	}}
}

// newEngine makes an engine and closes its files at the end of the test.
func newEngine(t testing.TB, o Options, sources ...Source) *Engine {
	e := New(o, sources...)
	t.Cleanup(e.Close)
	return e
}

// ask returns the encoded answer to a request: its JSON and its bytes.
func ask(t testing.TB, e *Engine, request string) (map[string]any, []byte) {
	t.Helper()
	r := testkit.Must(ParseRequest([]byte(request)))(t, request)
	return parts(t, testkit.Must(e.Do(t.Context(), r))(t, request))
}

// parts returns the JSON and the bytes of an answer that was encoded.
func parts(t testing.TB, a *Answer) (map[string]any, []byte) {
	t.Helper()
	data, binaryToo, err := a.Encode()
	require.NoError(t, err)
	var rest []byte
	if binaryToo {
		n := binary.LittleEndian.Uint32(data)
		data, rest = data[4:4+n], data[4+n:]
	}
	var head map[string]any
	require.NoError(t, json.Unmarshal(data, &head))
	return head, rest
}

func failure(t *testing.T, e *Engine, request string) *Error {
	t.Helper()
	r, err := ParseRequest([]byte(request))
	if err == nil {
		_, err = e.Do(t.Context(), r)
	}
	require.Error(t, err, request)
	return ErrorOf(err)
}

// answers are checksums of answers by kind of request, without times.
type answers map[string]hash.Hash32

var timing = regexp.MustCompile(`"us":\d+`)

func (a answers) ask(t testing.TB, e *Engine, request string) (map[string]any, []byte) {
	t.Helper()
	r := testkit.Must(ParseRequest([]byte(request)))(t, request)
	return a.add(t, r, testkit.Must(e.Do(t.Context(), r))(t, request))
}

// add adds the answer to a request to the checksums.
func (a answers) add(t testing.TB, r *Request, answer *Answer) (map[string]any, []byte) {
	t.Helper()
	head, data := parts(t, answer)
	kind := strings.TrimSpace(r.Op + " " + r.What)
	if a[kind] == nil {
		a[kind] = fnv.New32a()
	}
	text := testkit.Must(json.Marshal(head))(t)
	a[kind].Write(timing.ReplaceAll(text, nil))
	a[kind].Write(data)
	return head, data
}

func (a answers) golden(t testing.TB, name string) {
	text := "# Checksums of the answers to requests, by kind. -update writes them.\n"
	for _, kind := range slices.Sorted(maps.Keys(a)) {
		text += fmt.Sprintf("%08x %s\n", a[kind].Sum32(), kind)
	}
	testkit.Golden(t, "testdata/"+name+".txt", []byte(text))
}

// Every request answers for every draw of our recordings, and its answers agree with other packages.
func TestEveryRequestAnswers(t *testing.T) {
	cached := answers{}
	ask := cached.ask
	for _, name := range []string{"lights", "shadow"} {
		e := newEngine(t, Options{}, source(t, name))
		info, _ := ask(t, e, `{"op":"open"}`)
		frames := int(info["file"].(map[string]any)["frames"].(float64))
		require.Positive(t, frames)
		trace, _, err := e.sources[0].Open(t.Context())
		require.NoError(t, err)
		plain := testkit.Must(pipeline.NewReplayer(trace, pipeline.ReplayerOptions{}))(t)
		defer plain.GPU.Close()
		for frame := range frames {
			list := testkit.Must(plain.Draws(t.Context(), frame))(t)
			at := func(op string, draw int, more string) string {
				return `{"op":"` + op + `","frame":` + text(frame) + `,"draw":` + text(draw) + more + `}`
			}
			tree, _ := ask(t, e, at("frame", 0, ""))
			n := 0
			for _, i := range tree["items"].([]any) {
				item := i.(map[string]any)
				if item["kind"] != "draw" {
					require.NotEmpty(t, item["text"])
					continue
				}
				pixels, _ := item["pixels"].(float64)
				require.EqualValues(t, list[n].Fragments, pixels)
				pass, _ := item["pass"].(float64)
				require.EqualValues(t, list[n].Pass, pass)
				n++
			}
			require.Equal(t, len(list), n)
			ask(t, e, at("textures", 0, ""))
			ask(t, e, at("list", 0, `,"filter":"draw>0","order":"triangles"`))
			_, thumb := ask(t, e, at("thumb", 0, ""))
			require.NotEmpty(t, thumb)
			for draw := range list {
				d, _ := ask(t, e, at("draw", draw, ""))
				require.NotEmpty(t, d["registers"])
				require.Equal(t, frame == 0 && draw == 0, d["since"] == nil)

				require.NoError(t, plain.Seek(t.Context(), pipeline.Position{Frame: frame, Draw: draw}))
				target := testkit.Must(plain.GPU.LastTarget())(t)
				if target.Color != nil {
					want := testkit.Must(pipeline.ColorImage(target))(t)
					_, got := ask(t, e, at("picture", draw, `,"what":"after"`))
					require.True(t, string(want.Pix) == string(got), "the picture equals that of a replay")
				}
				if draw > 0 && list[draw].Target == list[draw-1].Target {
					_, last := ask(t, e, at("picture", draw-1, `,"what":"after"`))
					_, before := ask(t, e, at("picture", draw, `,"what":"before"`))
					require.True(t, string(last) == string(before), "the picture before a draw equals the one after the previous draw")
				}
				for _, what := range pictureNames() {
					request := at("picture", draw, `,"what":"`+what+`"`)
					r := testkit.Must(ParseRequest([]byte(request)))(t)
					if a, err := e.Do(t.Context(), r); err != nil {
						require.Regexp(t, "depth buffer|stencil buffer|gas and shadow have 4 bytes", err.Error(), what)
					} else {
						cached.add(t, r, a)
					}
				}
				vertices := int(d["vertex_count"].(float64))
				run, _ := ask(t, e, at("run", draw, `,"vertex":`+text(vertices-1)))
				require.Empty(t, run["error"])
				out, _ := ask(t, e, at("vertices", draw, `,"what":"out","from":`+text(vertices-1)))
				require.Len(t, out["rows"], 1)
				for _, u := range []string{"vertex", "geometry"} {
					program, _ := ask(t, e, at("program", draw, `,"what":"`+u+`"`))
					require.NotEmpty(t, program["lines"])
				}
				mesh, data := ask(t, e, at("mesh", draw, ""))
				require.Len(t, data, 16*int(mesh["vertices"].(float64))+12*int(mesh["triangles"].(float64)))
				ask(t, e, at("mesh", draw, `,"what":"in"`))
				for i := range d["textures"].([]any) {
					tx := d["textures"].([]any)[i].(map[string]any)
					_, pix := ask(t, e, at("texture", draw, `,"unit":`+text(int(tx["unit"].(float64)))+`,"face":`+text(int(tx["face"].(float64)))+`,"level":`+text(int(tx["level"].(float64)))))
					require.Len(t, pix, 4*int(tx["width"].(float64))*int(tx["height"].(float64)))
				}
				for i := range d["tables"].([]any) {
					ask(t, e, at("table", draw, `,"from":`+text(i)))
				}
				ask(t, e, at("changes", draw, `,"x":0,"y":0`))
				ask(t, e, at("history", draw, `,"x":20,"y":30`))
				ask(t, e, at("history", -1, `,"x":20,"y":30`))
			}
			ask(t, e, at("sums", 0, ""))
			ask(t, e, at("pairs", 0, `,"other":{"frame":`+text(frames-1)+`}`))
		}
	}
	cached.golden(t, "answers")
}

func text(n int) string {
	b, _ := json.Marshal(n)
	return string(b)
}

// A run's last values equal the vertex outputs, which its steps produce.
func TestRunEqualsVertexOutputs(t *testing.T) {
	e := newEngine(t, Options{}, source(t, "lights"))
	run, _ := ask(t, e, `{"op":"run","frame":0,"draw":1,"vertex":3,"count":65536}`)
	steps := run["steps"].([]any)
	require.EqualValues(t, run["total"], len(steps))
	outputs := run["outputs"].(map[string]any)
	written := map[string]any{}
	for _, s := range steps {
		if dst, ok := s.(map[string]any)["dst"].(string); ok {
			written[dst] = s.(map[string]any)["value"]
		}
	}
	require.NotEmpty(t, outputs)
	for reg, value := range outputs {
		require.Equal(t, written[reg], value, reg)
	}
	some, _ := ask(t, e, `{"op":"run","frame":0,"draw":1,"vertex":3,"from":2,"count":3}`)
	require.Equal(t, steps[2:5], some["steps"])
	require.EqualValues(t, len(steps), some["total"])
}

// The history of a pixel ends with the pixel's content and names its draws.
func TestPixelHistory(t *testing.T) {
	e := newEngine(t, Options{}, source(t, "lights"))
	h, _ := ask(t, e, `{"op":"history","frame":0,"draw":2,"x":120,"y":200}`)
	events := h["events"].([]any)
	require.NotEmpty(t, events)
	pixel, _ := ask(t, e, `{"op":"pixel","frame":0,"draw":2,"x":120,"y":200}`)
	require.Equal(t, pixel["after"], events[len(events)-1].(map[string]any)["after"])
	h, _ = ask(t, e, `{"op":"history","frame":0,"what":"top","x":200,"y":120}`)
	require.NotEmpty(t, h["via"])
	require.Equal(t, CodeFailed, failure(t, e, `{"op":"history","frame":0,"draw":2,"x":9999,"y":0}`).Code)
}

// Edits change the picture from their draw on; without them pictures are unchanged, whatever was requested in between.
func TestEdits(t *testing.T) {
	e := newEngine(t, Options{CacheBytes: -1}, source(t, "lights"))
	picture := func(draw int, edits string) string {
		_, data := ask(t, e, `{"op":"picture","what":"after","frame":0,"draw":`+text(draw)+`,"edits":[`+edits+`]}`)
		return string(data)
	}
	before := []string{picture(0, ""), picture(1, ""), picture(2, "")}
	for _, edit := range []string{
		`{"draw":1,"register":"GPUREG_DEPTH_COLOR_MASK","value":0}`,
		`{"draw":1,"register":"facecullingconfig","value":0}`,
		`{"draw":1,"uniform":"c0","values":[0,0,0,0]}`,
		`{"draw":1,"shader":"vertex","source":".proc main\n\tmov o0, v0\n\tend\n.end\n.entry main\n.out o0 position\n"}`,
	} {
		r := testkit.Must(ParseRequest([]byte(`{"op":"picture","what":"after","frame":0,"draw":1,"edits":[` + edit + `]}`)))(t)
		if strings.Contains(edit, "faceculling") {
			_, err := e.Do(t.Context(), r)
			require.ErrorContains(t, err, "there is no register")
			continue
		}
		require.NotEqual(t, before[1], picture(1, edit), edit)
		require.Equal(t, before[0], picture(0, edit), "draws before the edit are unchanged: %s", edit)
		require.Equal(t, before[1], picture(1, ""), "without the edit the picture is as before: %s", edit)
	}
	d, _ := ask(t, e, `{"op":"program","frame":0,"draw":1,"edits":[{"draw":0,"uniform":"c95","values":[1,2,3,4]}]}`)
	require.Equal(t, []any{1.0, 2.0, 3.0, 4.0}, d["floats"].([]any)[95])
	d, _ = ask(t, e, `{"op":"program","frame":0,"draw":1,"edits":[{"draw":1,"uniform":"i3","values":[9,8,7,255]},{"draw":1,"uniform":"b15","values":[1]}]}`)
	require.Equal(t, []any{9.0, 8.0, 7.0, 255.0}, d["ints"].([]any)[3])
	typed, _ := ask(t, e, `{"op":"program","frame":0,"draw":1,"edits":[{"draw":1,"uniform":"c7","text":"1, -2.5,3, 0"},{"draw":1,"uniform":"b2","text":"true"}]}`)
	require.Equal(t, []any{1.0, -2.5, 3.0, 0.0}, typed["floats"].([]any)[7])
	require.EqualValues(t, 4, int(typed["bools"].(float64))&4)
	// A field edit keeps the rest of its register.
	word := func(edits string) uint32 {
		d, _ := ask(t, e, `{"op":"draw","frame":0,"draw":1,"edits":[`+edits+`]}`)
		for _, r := range d["registers"].([]any) {
			if r := r.(map[string]any); r["number"] == float64(pica.RegDepthColorMask) {
				return uint32(r["word"].(float64))
			}
		}
		return 0
	}
	was := word("")
	require.Equal(t, pica.DepthTestFunc.Put(was, uint32(pica.CompareNever)), word(`{"draw":1,"register":"GPUREG_DEPTH_COLOR_MASK","field":"depth function","text":"never"}`))
	require.Equal(t, uint32(0x1F02), word(`{"draw":1,"register":"GPUREG_DEPTH_COLOR_MASK","text":"0x1F02"}`))
	// The frame's counts include the effect of edits.
	counts := func(edits string) (list []any) {
		frame, _ := ask(t, e, `{"op":"frame","frame":0,"edits":[`+edits+`]}`)
		for _, i := range frame["items"].([]any) {
			if i := i.(map[string]any); i["kind"] == "draw" {
				list = append(list, i["pixels"])
			}
		}
		return list
	}
	pixels := counts("")
	changed := counts(`{"draw":1,"register":"GPUREG_DEPTH_COLOR_MASK","field":"depth function","text":"never"},{"draw":1,"register":"GPUREG_DEPTH_COLOR_MASK","field":"depth test enable","text":"true"}`)
	require.Equal(t, pixels[0], changed[0])
	require.Nil(t, changed[1], "a draw without pixels has no bounds")
	require.Equal(t, pixels, counts(""))
	plain, _ := ask(t, e, `{"op":"program","frame":0,"draw":1}`)
	require.EqualValues(t, int(plain["bools"].(float64))|1<<15, d["bools"])
	// Editing one boolean keeps the others, both set ones and those of other edits.
	const set = `{"draw":0,"uniform":"b3","values":[1]},{"draw":0,"uniform":"b14","values":[1]},{"draw":0,"uniform":"b5","values":[1]}`
	d, _ = ask(t, e, `{"op":"program","frame":0,"draw":1,"edits":[`+set+`,{"draw":1,"uniform":"b14","values":[0]},{"draw":1,"uniform":"b4","values":[1]}]}`)
	require.EqualValues(t, (int(plain["bools"].(float64))|1<<3|1<<4|1<<5)&^(1<<14), d["bools"])
	// Edits apply to the requested frame: the draw before its first one, used for comparison, belongs to another frame.
	first, _ := ask(t, e, `{"op":"draw","frame":1,"draw":0}`)
	d, _ = ask(t, e, `{"op":"draw","frame":1,"draw":0,"edits":[{"draw":2,"register":"GPUREG_DEPTH_COLOR_MASK","value":0}]}`)
	require.Equal(t, first, d)
	for edit, want := range map[string]string{
		`{"draw":0}`: "one of register, uniform and source",
		`{"draw":0,"register":"GPUREG_DRAWARRAYS"}`:                                              "holds no state",
		`{"draw":0,"uniform":"c96","values":[1]}`:                                                "there is no uniform",
		`{"draw":0,"uniform":"c","values":[1]}`:                                                  "there is no uniform",
		`{"draw":0,"uniform":"x1","values":[1]}`:                                                 "there is no uniform",
		`{"draw":0,"uniform":"c1","values":[1]}`:                                                 "has 4 values",
		`{"draw":0,"uniform":"i1","values":[1,2,3,0.5]}`:                                         "is not an integer",
		`{"draw":0,"register":"GPUREG_DEPTH_COLOR_MASK","field":"depth function","text":"nevr"}`: `"nevr" is not a value of depth function; expected one of never, always`,
		`{"draw":0,"register":"GPUREG_DEPTH_COLOR_MASK","field":"depth function","text":""}`:     "depth function has no value",
		`{"draw":0,"register":"GPUREG_DEPTH_COLOR_MASK","field":"depth","text":"1"}`:             `has no field "depth"`,
		`{"draw":0,"register":"GPUREG_DEPTH_COLOR_MASK","text":"0x100000000"}`:                   "expected a number from 0 to 0xFFFFFFFF",
		`{"draw":0,"register":"GPUREG_DEPTH_COLOR_MASK","text":"front"}`:                         `"front" is not a value of GPUREG_DEPTH_COLOR_MASK`,
		`{"draw":0,"uniform":"c1","text":"1,2,three,4"}`:                                         `"three" is not a value of c1`,
		`{"draw":0,"uniform":"c1","text":"1,2"}`:                                                 "has 4 values, 2 are given",
		`{"draw":0,"source":"mov nothing"}`:                                                      "does not assemble",
		`{"draw":-1,"uniform":"c1"}`:                                                             "the draw that it comes before is missing",
		`{"draw":0,"shader":"pixel","uniform":"c1"}`:                                             "no shader",
	} {
		require.Contains(t, failure(t, e, `{"op":"draw","frame":0,"draw":1,"edits":[`+edit+`]}`).Text, want, edit)
	}
}

// A bad request gives an error with its code.
func TestBadRequests(t *testing.T) {
	e := newEngine(t, Options{}, source(t, "lights"), Source{Name: "gone", Open: func(context.Context) (*picatrace.Trace, [][]string, error) { return nil, nil, os.ErrNotExist }})
	for request, want := range map[string]string{
		``:                                        "no JSON object",
		`[]`:                                      "no JSON object",
		`{"op":"draw"} {}`:                        "something follows",
		`{"op":"draw","nonsense":1}`:              "nonsense",
		`{"op":"nothing"}`:                        `no request "nothing"`,
		`{"op":"frame","file":2}`:                 "no file 2",
		`{"op":"frame","file":-1}`:                "no file -1",
		`{"op":"frame","frame":99}`:               "no frame 99",
		`{"op":"frame","frame":-1}`:               "no frame -1",
		`{"op":"draw","draw":99}`:                 "no draw 99",
		`{"op":"draw"}`:                           "the number of the draw is missing",
		`{"op":"picture","draw":0,"what":"x"}`:    `no picture "x"`,
		`{"op":"picture","what":"after"}`:         "the number of the draw is missing",
		`{"op":"pixel","draw":0,"x":-1}`:          "outside",
		`{"op":"texture","draw":0,"unit":7}`:      "no texture",
		`{"op":"table","draw":0,"from":999}`:      "no table 999",
		`{"op":"run","draw":0,"vertex":1000000}`:  "no vertex",
		`{"op":"run","draw":0,"what":"geometry"}`: "no geometry shader runs",
		`{"op":"run","draw":0,"what":"pixel"}`:    `no shader "pixel"`,
		`{"op":"program","draw":0,"what":"x"}`:    `no shader "x"`,
		`{"op":"vertices","draw":0,"what":"x"}`:   `no vertices "x"`,
		`{"op":"mesh","draw":0,"what":"x"}`:       `no mesh "x"`,
		`{"op":"history","draw":0,"what":"x"}`:    "no history",
	} {
		got := failure(t, e, request)
		require.Equal(t, CodeRequest, got.Code, request)
		require.Contains(t, got.Text, want, request)
	}
	require.Equal(t, CodeFailed, failure(t, e, `{"op":"open","file":1}`).Code)
	_, err := ParseRequest(make([]byte, MaxRequest+1))
	require.ErrorContains(t, err, "at most")
}

// Limits of caches and open files hold, and answers do not depend on them.
func TestCacheAndFileBounds(t *testing.T) {
	small := newEngine(t, Options{CacheBytes: 1 << 20, openFiles: 1}, source(t, "lights"), source(t, "arcs"))
	large := newEngine(t, Options{}, source(t, "lights"), source(t, "arcs"))
	for range 2 {
		for _, request := range []string{
			`{"op":"picture","what":"after","draw":0}`, `{"op":"picture","what":"depth","draw":1}`, `{"op":"picture","what":"top"}`,
			`{"op":"picture","what":"overdraw","draw":1}`, `{"op":"picture","file":1,"what":"alone","draw":1}`, `{"op":"thumb","file":1}`,
		} {
			_, a := ask(t, small, request)
			_, b := ask(t, large, request)
			require.Equal(t, string(b), string(a), request)
			require.LessOrEqual(t, small.cache.bytes, int64(1<<20))
			require.Len(t, small.files, 1)
			var held int64
			for e := small.cache.order.Front(); e != nil; e = e.Next() {
				held += e.Value.(*cached).bytes
			}
			require.Equal(t, held, small.cache.bytes)
		}
	}
}

// Files that are dropped close their GPUs, and their memory is reused.
func TestDroppedFilesReleaseMemory(t *testing.T) {
	e := newEngine(t, Options{openFiles: 1, CacheBytes: 1, CheckpointBytes: -1}, source(t, "lights"), source(t, "arcs"))
	var first [2][]byte
	testkit.HandsOn(t, 50, func(i int) {
		var gone *file
		if len(e.files) > 0 {
			gone = e.files[0]
		}
		_, a := ask(t, e, fmt.Sprintf(`{"op":"picture","what":"after","draw":1,"file":%d}`, i%2))
		require.True(t, gone == nil || closed(gone))
		require.False(t, closed(e.files[0]))
		if first[i%2] == nil {
			first[i%2] = a
		}
		require.True(t, bytes.Equal(first[i%2], a), "%d", i)
	})
	e.put(source(t, "lights"))
	ask(t, e, `{"op":"picture","what":"after","draw":1}`)
	gone := e.files[0]
	e.put(source(t, "arcs"))
	require.True(t, closed(gone))
	_, a := ask(t, e, `{"op":"picture","what":"after","draw":1}`)
	require.True(t, bytes.Equal(first[1], a))
}

// closed reports whether a file's GPU was closed: it then has no workers.
func closed(f *file) bool { return f.GPU.Workers() == 0 }

// Cached answers of a replaced file are dropped, and no others.
func TestReplacedFileDropsItsAnswers(t *testing.T) {
	e := newEngine(t, Options{}, source(t, "lights"), source(t, "lights"))
	requests := []string{`{"op":"picture","what":"after","draw":1,"file":`, `{"op":"thumb","file":`, `{"op":"draw","draw":1,"file":`}
	answer := func(e *Engine, request string, file int) [2]any {
		head, data := ask(t, e, request+text(file)+"}")
		return [2]any{head, string(data)}
	}
	others := newEngine(t, Options{}, source(t, "arcs"))
	for _, request := range requests {
		for file := range 2 {
			answer(e, request, file)
		}
	}
	held := func(file int) (keys []cacheKey) {
		for k := range e.cache.entries {
			if k.file == file {
				keys = append(keys, k)
			}
		}
		return keys
	}
	cached := held(1)
	require.NotEmpty(t, cached)
	e.put(source(t, "arcs"))
	require.Empty(t, held(0))
	require.ElementsMatch(t, cached, held(1))
	for _, request := range requests {
		require.Equal(t, answer(others, request, 0), answer(e, request, 0), request)
		require.NotEqual(t, answer(e, request, 1), answer(e, request, 0), request)
	}
}

// A file replaced on disk is noticed. Answers come from the opened file until it is reopened; a file that is briefly missing does
// not count as replaced.
func TestReplacedFileIsNoticed(t *testing.T) {
	now, version := "lights", "1"
	one := source(t, now)
	one.Version = func() string { return version }
	one.Open = func(ctx context.Context) (*picatrace.Trace, [][]string, error) { return source(t, now).Open(ctx) }
	e := newEngine(t, Options{}, one)
	fresh := func() any { head, _ := ask(t, e, `{"op":"fresh"}`); return head["fresh"] }
	picture := func() string { _, data := ask(t, e, `{"op":"picture","what":"after","draw":0}`); return string(data) }
	require.Equal(t, true, fresh())
	first := picture()
	now, version = "arcs", ""
	require.Equal(t, true, fresh())
	version = "2"
	require.Equal(t, false, fresh())
	require.Equal(t, first, picture())
	ask(t, e, `{"op":"open"}`)
	require.Equal(t, true, fresh())
	require.NotEqual(t, first, picture())
}

// A frame of 10,000 draws is listed completely, and its last draw can be reached.
func TestManyDraws(t *testing.T) {
	const draws = 10000
	base := states.Parse(t, testkit.Named(t, "lights")[0].Read(t))
	data := testkit.Must(frames.ManyDraws(base, draws))(t)
	e := newEngine(t, Options{}, recorded("many", data))
	tree, _ := ask(t, e, `{"op":"frame"}`)
	require.Empty(t, tree["error"])
	require.EqualValues(t, draws+3, tree["draws"])
	last, _ := ask(t, e, `{"op":"draw","draw":10002}`)
	require.EqualValues(t, 10002, last["record"].(map[string]any)["draw"])
}

// docs/PROTOCOL.md lists every request and every picture from the tables.
func TestProtocolPage(t *testing.T) {
	const page = "../../docs/PROTOCOL.md"
	testkit.GoldenPart(t, page, "pictures", "`"+strings.Join(pictureNames(), "`, `")+"`.\n")
	var b strings.Builder
	b.WriteString("op | looks at | gives\n---|---|---\n")
	for _, o := range ops {
		fmt.Fprintf(&b, "`%s` | %s | %s *%s*\n", o.Name, o.args, o.doc, o.answers)
	}
	testkit.GoldenPart(t, page, "requests", b.String())
}

// After 500 clicks on draws of a recording of 1,000 frames, an engine holds at most its bounds for draws and checkpoints, beside
// the console's memory and data read from the file. Each frame changes memory, so that checkpoints have contents.
func TestEngineMemoryBound(t *testing.T) {
	testkit.Slow(t)
	const frames, clicks, bound = 1000, 500, 8 << 20
	real := states.Parse(t, testkit.Named(t, "lights")[0].Read(t))
	var file bytes.Buffer
	w := testkit.Must(picatrace.NewWriter(&file, picatrace.Meta{}, real.Initial, picatrace.WriterOptions{}))(t)
	random := rand.New(rand.NewPCG(1, 2))
	page := make([]byte, 16<<10)
	for f := range frames {
		for i := range page {
			page[i] = byte(random.Uint32())
		}
		require.NoError(t, w.Load(pica.FCRAMBase+64<<20+uint32(f%64*len(page)), page))
		if f%20 == 0 {
			require.NoError(t, w.CopyFrame(real, 0)) // the other frames draw nothing, which is fast
		} else {
			require.NoError(t, w.EndFrame())
		}
	}
	require.NoError(t, w.Close())
	e := newEngine(t, Options{Workers: 1, CacheBytes: bound, CheckpointBytes: bound}, recorded("long", file.Bytes()))
	do := func(r Request) {
		testkit.Must(e.Do(t.Context(), &r))(t, "%+v", r)
	}
	click := func(frame, draw int) {
		do(Request{Op: "draw", Frame: frame, Draw: draw})
		do(Request{Op: "picture", What: "after", Frame: frame, Draw: draw})
	}
	live := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	click(0, 0)
	before := live() - e.cache.bytes - e.files[0].CheckpointBytes()
	var most int64
	for i := range clicks {
		frame := i * (frames / 20) / clicks * 20
		if i%50 == 49 {
			frame = frame / 40 * 20 // an earlier frame
		}
		click(frame, i%3)
		if i%10 == 0 {
			do(Request{Op: "history", Frame: frame, Draw: 2, X: 100, Y: i % 200})
			do(Request{Op: "thumb", Frame: frame})
		}
		if i%50 == 0 {
			most = max(most, live()-before)
		}
	}
	t.Logf("at most %.1f MiB over %.1f, of %d of draws and %d of checkpoints", float64(most)/(1<<20), float64(before)/(1<<20), e.cache.bytes, e.files[0].CheckpointBytes())
	require.Greater(t, e.cache.bytes, int64(bound*3/4))
	require.Greater(t, e.files[0].CheckpointBytes(), int64(bound/2))
	require.LessOrEqual(t, most, int64(2*bound+file.Len())) // data read from the file is kept too, up to picatrace.CacheBytes
}
