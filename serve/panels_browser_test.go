package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"pica200/explain/blame"
	"pica200/internal/demo"
	"pica200/pipeline"
	"pica200/scene"
	"pica200/scene/scenebuild"
	"pica200/serve/engine"
	"pica200/serve/internal/frames"
	"pica200/serve/play"
	"pica200/shaderunit/asm"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// A target that a transfer shows at half its size stands upright, and its pixels have their positions on the screen, also in the
// pictures of the screens.
func TestTargetsStandUprightInABrowser(t *testing.T) {
	testkit.Slow(t)
	p := opened(t, started(t, sourceOf("demo.picatrace", testkit.Must(demo.Trace(t.Context(), 1))(t))))
	p.title("its end")
	p.keys("p")
	p.title("draw 2")
	p.idle()
	const under = `document.getElementById("under").textContent`
	for draw := 2; ; draw-- { // each draw of the frame, the last first
		require.Contains(t, p.text(under), "800×480, shown at half its size")
		if draw == 0 {
			break
		}
		p.keys("p")
		p.title("draw " + strconv.Itoa(draw-1))
	}
	p.keys("n", "n")
	p.title("draw 2")
	p.do(chromedp.Focus("#canvas"))
	p.press(kb.ArrowRight, kb.Enter)
	p.until(`document.getElementById("panel").textContent.includes("The top screen shows it at 200,120.")`)
	require.Contains(t, p.text(under), "chosen 239,401 (top 200,120): ")
	require.Contains(t, p.text("location.hash"), "pixel=239%2C401")
	for _, c := range [][2]string{{"top", "chosen 200,120: "}, {"screens", "chosen 239,401 (top 200,120): "}, {"depth", "chosen 239,401 (top 200,120): "}} {
		p.choose("#picture", c[0])
		p.until(under + `.includes(` + quote(c[1]) + `)`)
	}
	p.do(chromedp.Click("#upright"))
	p.until(under + `.startsWith("480×800, shown at half its size")`)
	require.Contains(t, p.text(under), "chosen 239,401")
	p.do(chromedp.Click("#upright"), chromedp.Click("#tree .row.end"))
	p.until(under + `.includes("chosen top 200,120: ")`)
	p.do(chromedp.Focus("#canvas"))
	p.press(kb.ArrowRight, kb.Enter)
	p.until(`document.getElementById("panel").textContent.includes("The top screen shows it at 201,120.")`)
	p.keys("p")
	p.until(under + `.includes("chosen 238,402 (top 201,120): ")`)
}

// quote returns a text as a JavaScript string.
func quote(text string) string {
	data, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string always encodes
	}
	return string(data)
}

// nativePicture draws a scene natively.
func nativePicture(t *testing.T, st *scenebuild.Stage) (*image.NRGBA, error) {
	t.Helper()
	g, _, err := st.Render(t.Context(), st.Scene.Time, scenebuild.Options{})
	require.NoError(t, err)
	target := testkit.Must(g.LastTarget())(t)
	return pipeline.ColorImage(target)
}

// nrgba converts a picture to NRGBA.
func nrgba(img image.Image) *image.NRGBA {
	if n, ok := img.(*image.NRGBA); ok {
		return n
	}
	out := image.NewNRGBA(img.Bounds())
	p, ok := img.(*image.Paletted)
	if !ok {
		draw.Draw(out, out.Rect, img, img.Bounds().Min, draw.Src)
		return out
	}
	colors := make([]color.NRGBA, 256)
	for i, c := range p.Palette {
		colors[i] = color.NRGBAModel.Convert(c).(color.NRGBA)
	}
	for i, n := range p.Pix {
		c := colors[n]
		copy(out.Pix[4*i:], []byte{c.R, c.G, c.B, c.A})
	}
	return out
}

// otherBuild is a recording as drawn by another build that writes no colours in one draw.
func otherBuild(t *testing.T, name string, draw int) engine.Source {
	t.Helper()
	e := engine.New(engine.Options{}, recording(t, name))
	return engine.Source{Name: "other build", Remote: func(ctx context.Context, r *engine.Request) (*engine.Answer, error) {
		if r.Op == "sums" { // an older build without this request
			return nil, &engine.Error{Code: engine.CodeRequest, Text: "there is no such request"}
		}
		its := *r
		its.File = 0
		if r.Op == "picture" && r.Draw >= draw {
			its.Edits = []engine.Edit{{Draw: draw, Register: "GPUREG_DEPTH_COLOR_MASK", Value: 0}}
		}
		return e.Do(ctx, &its)
	}}
}

// A geometry shader, run by run and step by step, with its emitted vertices.
func TestGeometryShaderInABrowser(t *testing.T) {
	testkit.Slow(t)
	st := testkit.Must(scenebuild.Load("examples/shards.yaml"))(t)
	data, names, err := st.RecordNamed(t.Context(), []float64{0}, scenebuild.Options{})
	require.NoError(t, err)
	texts := func() [][]asm.Source {
		return play.ShadersOf(st.Scene, func(name string) ([]byte, error) { return os.ReadFile(filepath.Join("examples", name)) })
	}
	const hostile = `<img src=x onerror="document.title='owned'">`
	good, bad, turned := sourceOf("shards.yaml", data, names...), sourceOf(hostile, data, []string{hostile}), sourceOf("turned", data, []string{"\u202Etxt.exe & <b>bold</b>"})
	good.Shaders = texts
	bad.Shaders = func() [][]asm.Source {
		list := texts()
		list[0][1].Name = hostile
		return list
	}
	p := opened(t, started(t, good, bad, turned))
	p.until(count("#tree .row.draw") + " === 1")
	p.idle()
	p.keys("p", "7")
	p.until(count("#panel .line.ran") + " > 3")
	p.enter("#panel select", "geometry")
	p.until(`document.querySelector("#panel .bar").textContent.includes("of 1800")`)
	p.until(count("#panel .line.ran") + " > 20")
	p.choose("#panel input[type=number]", "70")
	p.do(chromedp.Click(`[aria-label^="To the next breakpoint"]`))
	p.until(`document.querySelector("#panel .values").textContent.includes("Emitted: 3 vertices, 1 triangle")`)
	require.Equal(t, "3", p.text(count("#panel .values table[aria-label='Emitted vertices'] tr")))
	require.Contains(t, p.text(`document.querySelector("#panel .listing").textContent`), "emits slot 2, a triangle")
	require.Contains(t, p.text(`document.querySelector("#panel .listing.text .now").textContent`), "end")
	require.Contains(t, p.text(`document.querySelector("#panel .listing.text").getAttribute("aria-label")`), "shards.g.pica")
	p.keep("geometry")

	// A breakpoint stops there.
	p.do(chromedp.Click(`[aria-label^="To the start"]`))
	p.text(`[...document.querySelectorAll("#panel .line.ran .break")].at(9).click()`)
	p.do(chromedp.Click(`[aria-label^="To the next breakpoint"]`))
	require.Regexp(t, `^10 of `, p.text(`document.querySelector("#panel [aria-label=Steps] [role=status]").textContent`))

	// Names of files, draws and texts are shown as text.
	p.enter("#file", "1")
	p.title("its end")
	p.keys("p")
	p.until(`document.getElementById("title").textContent.includes("<img")`)
	p.idle()
	p.until(`(document.querySelector("#panel .listing.text")?.getAttribute("aria-label") || "").includes("<img")`)
	require.Equal(t, "0", p.text(count("img")))
	require.NotEqual(t, "owned", p.text("document.title"))

	// A name does not turn the figures beside it.
	p.enter("#file", "2")
	p.until(`document.title.startsWith("turned")`)
	p.title("its end")
	require.Equal(t, "true", p.text(`["#tree .row.draw .below", "#tree .row.draw .num"].every((s) => {
		const text = document.querySelector(s).firstChild, at = (i) => { const r = document.createRange(); r.setStart(text, i); r.setEnd(text, i + 1); return r.getBoundingClientRect().left; };
		return at(0) < at(1) && at(1) < at(2);
	})`))
	require.Regexp(t, `draw 0 .*txt\.exe & <b>bold</b> .*triangles.* [\d,]+ pixels [\d,]+ µs`, strings.Join(p.heard()["treeitem"], "|"), "figures are read with their names")
	require.Empty(t, p.text(`document.getElementById("problem").textContent`))
}

// Pictures of two builds draw by draw, and a screenshot from elsewhere.
func TestCompareInABrowser(t *testing.T) {
	testkit.Slow(t)
	p := newTab(t)
	blamed := func(ctx context.Context, r *pipeline.Replayer, shot []byte, frame int, what string) (any, *image.NRGBA, error) {
		img, err := png.Decode(bytes.NewReader(shot))
		if err != nil {
			return nil, nil, err
		}
		report, err := blame.Run(ctx, r, img, blame.Options{Frame: frame, Screen: what})
		if err != nil {
			return nil, nil, err
		}
		return report, report.Difference, nil
	}
	p.do(chromedp.Navigate(startedWith(t, engine.Options{Blame: blamed}, recording(t, "lights"), otherBuild(t, "lights", 1))))
	p.until(count("#tree .row.draw") + " >= 3")
	p.idle()
	p.keys("9")
	p.until(count("#panel input[type=file]") + " === 1")

	// Keyboard only, also after the panel is rebuilt.
	order := []string{"panel", "Compared with the file", "Frame of that file", "Compare draw by draw", "input", "Show the difference", "Show the other", "Show this one", "Screenshot (PNG)", "What the screenshot shows"}
	p.tabTo("#tabs button")
	for _, want := range order {
		p.press(kb.Tab)
		require.Equal(t, want, p.focused())
	}
	for p.focused() != "Compare draw by draw" {
		p.tabBack()
	}
	p.press(kb.Enter)
	p.until(`document.querySelector("#panel [role=status]").textContent.includes("the first is draw 1")`)
	p.tabTo("#panel td button")
	p.press(kb.Enter)
	p.until(`/^[1-9]\d* pixels differ/.test(document.getElementById("under").textContent)`)
	p.idle()
	require.Contains(t, p.text(`document.getElementById("title").textContent`), "draw 1")
	p.until(`document.activeElement.localName === "button"`)
	require.Equal(t, "Draw 1: show the difference", p.focused())
	p.keep("compare")
	names := p.heard()
	require.Contains(t, names["table"], "Draws side by side")
	require.Subset(t, names["columnheader"], []string{"here", "there", "what", "result"})
	require.Empty(t, p.pale())
	difference := p.text(`document.getElementById("canvas").toDataURL()`)
	for p.focused() != "Show the other" {
		p.tabBack()
	}
	p.press(" ")
	p.until(`document.getElementById("picture").value === "other" && document.getElementById("busy").textContent === ""`)
	require.NotEqual(t, difference, p.text(`document.getElementById("canvas").toDataURL()`))

	// A screenshot without the second draw.
	shown, err := engine.New(engine.Options{}, recording(t, "lights")).Do(t.Context(), &engine.Request{Op: "picture", What: "top", Draw: -1,
		Edits: []engine.Edit{{Draw: 1, Register: "GPUREG_DEPTH_COLOR_MASK", Value: 0}}})
	require.NoError(t, err)
	size := shown.Value.(engine.Picture)
	shot := &image.NRGBA{Pix: shown.Data, Stride: 4 * size.Width, Rect: image.Rect(0, 0, size.Width, size.Height)}
	file := filepath.Join(t.TempDir(), "console.png")
	var data bytes.Buffer
	require.NoError(t, png.Encode(&data, shot))
	require.NoError(t, os.WriteFile(file, data.Bytes(), 0o666))
	p.do(chromedp.SetUploadFiles("#panel input[type=file]", []string{file}))
	p.until(count("#panel table[aria-label=Suspects] tr") + " > 1")
	require.Contains(t, p.text(`document.getElementById("panel").textContent`), "it shows the top")
	p.keep("blame")
	require.Contains(t, p.heard()["table"], "Suspects")

	// The suspects stay listed after going to one of them.
	p.tabTo("#panel table[aria-label=Suspects] button")
	suspect := p.focused()
	require.Regexp(t, `^Go to draw \d of frame 0$`, suspect)
	p.press(kb.Enter)
	p.until(`document.getElementById("title").textContent.endsWith(` + quote(strings.TrimSuffix(strings.TrimPrefix(suspect, "Go to "), " of frame 0")) + `)`)
	p.idle()
	p.until(`document.activeElement.localName === "button"`)
	require.Equal(t, suspect, p.focused())
	require.Empty(t, p.text(`document.getElementById("problem").textContent`))
}

// A frame of 10,000 draws has elements only for visible rows, when moving by keys, filter or wheel.
func TestManyDrawsInABrowser(t *testing.T) {
	testkit.Slow(t)
	base := states.Parse(t, testkit.Named(t, "lights")[0].Read(t))
	data := testkit.Must(frames.ManyDraws(base, 10000))(t)
	p := opened(t, started(t, sourceOf("many.ctf", data)))
	at := func(title string) {
		t.Helper()
		p.until(`document.getElementById("title").textContent.endsWith(` + quote(title) + `)`)
		p.until(`document.querySelector("#tree .chosen") !== null`)
		p.idle()
		n := testkit.Must(strconv.Atoi(p.text(count("*"))))(t)
		require.Less(t, n, 3000)
	}
	at("its end")
	rows := testkit.Must(strconv.Atoi(p.text(`document.querySelector("#tree .row").getAttribute("aria-setsize")`)))(t)
	require.Greater(t, rows, 10003)
	p.tabTo("#tree")
	p.press(kb.Home)
	at("Frame 0")
	for range 10 {
		p.press(kb.PageDown)
	}
	require.Equal(t, "200", p.text(`document.querySelector("#tree .chosen").dataset.row`))
	at("draw " + p.text(`document.querySelector("#tree .chosen .n").textContent`))
	p.tabBack()
	require.Equal(t, "order", p.focused())
	p.tabBack()
	require.Equal(t, "filter", p.focused())
	p.press("d", "r", "a", "w", "=", "5", "0", "0", "0")
	p.press(kb.Enter, kb.ArrowDown)
	at("draw 5000")
	p.tabBack()
	p.tabBack()
	p.press(kb.Escape)
	require.Equal(t, "5000", p.text(`document.querySelector("#tree .chosen .n").textContent`), "the found draw is visible in the whole list")
	p.press(kb.Tab, kb.Tab, "n", "n", "p")
	at("draw 5001")
	p.text(`document.getElementById("tree").scrollTop = 1e9`)
	p.until(`[...document.querySelectorAll("#tree .n")].some((n) => n.textContent === "10002")`)
	p.text(`([...document.querySelectorAll("#tree .row.draw")].at(-1).click(), "")`) // the end of the frame follows it
	at("draw 10002")
	require.Empty(t, p.text(`document.getElementById("problem").textContent`))
}

// The mesh shows the nearest triangle at each pixel, whatever comes last: of two large ones and a point between them and the eye.
func TestMeshesHideWhatIsBehindInABrowser(t *testing.T) {
	testkit.Slow(t)
	p := opened(t, started(t, recording(t, "lights")))
	p.title("its end")
	const painted = `import("./mesh.js").then(({ View }) => {
		const c = document.createElement("canvas");
		c.style = "width: 100px; height: 100px; color: #f00; position: fixed; top: 0";
		document.body.append(c);
		const v = new View(c), out = [];
		v.turn = [0, 0];
		for (const order of [[0, 1, 2, 3, 4, 5], [3, 4, 5, 0, 1, 2]]) {
			v.show(Float32Array.of(%s), Uint32Array.from(order), %s);
			const at = (x, y) => { const d = c.getContext("2d").getImageData(x * c.width / 100, y * c.height / 100, 1, 1).data; return d[3] === 255 ? "edge" : d[3] ? "inside" : "nothing"; };
			out.push(at(50, 49), at(70, 49), at(2, 2));
		}
		c.remove();
		return out.join(" ");
	})`
	// The lower edge of the first goes through the middle; the second covers it only on the left.
	far := `-1,0,%[1]s, 1,0,%[1]s, 1,1,%[1]s`
	near := `-1,-1,%[2]s, .1,-1,%[2]s, .1,1,%[2]s`
	for _, c := range []struct{ far, near, clip, want string }{
		{"0,1", "1,1", "false", "inside edge nothing inside edge nothing"},
		{"1,1", "0,1", "false", "edge edge nothing edge edge nothing"},
		{"0,1", "-1,1", "true", "inside edge nothing inside edge nothing"}, // without perspective
	} {
		points := strings.NewReplacer("%[1]s", c.far, "%[2]s", c.near).Replace(far + "," + near)
		require.Equal(t, c.want, p.await(fmt.Sprintf(painted, points, c.clip)), c)
	}
	// With perspective the smaller w is nearer, whichever way z grows; what is behind the eye is not drawn.
	for _, z := range []string{"-.5,.5", ".5,-.5"} {
		zs := strings.Split(z, ",")
		points := "-2,0," + zs[0] + ",2, 2,0," + zs[0] + ",2, 2,2," + zs[0] + ",2, -1,-1," + zs[1] + ",1, .1,-1," + zs[1] + ",1, .1,1," + zs[1] + ",1"
		require.Equal(t, "inside edge nothing inside edge nothing", p.await(fmt.Sprintf(painted, points, "true")), z)
		require.Equal(t, "edge edge nothing edge edge nothing", p.await(fmt.Sprintf(painted, strings.Replace(points, ".1,1,"+zs[1]+",1", ".1,1,"+zs[1]+",-1", 1), "true")), z)
	}
}

// The list is sorted and filtered like the window's, also by keys, and keeps this in other frames; the selected item may be hidden.
// Rows have thumbnails of their textures with the edits applied.
func TestDrawListInABrowser(t *testing.T) {
	testkit.Slow(t)
	p := opened(t, started(t, recording(t, "lights")))
	p.title("its end")
	p.idle()
	const numbers = `[...document.querySelectorAll("#tree .row.draw .n")].map((n) => n.textContent)`
	const orders = `[...document.querySelectorAll("#order option")].map((o) => o.textContent)`
	require.Equal(t, "as drawn,by pixels,by time,by triangles,by vertices", p.text(orders))
	require.Equal(t, "0", p.text(`[...document.querySelectorAll("#picture option")].filter((o) => !/^[a-z]+( [a-z]+)*( \d)?(, [a-z ]+)?$/.test(o.textContent)).length`), "pictures have names in words")
	require.Equal(t, "#,what,pixels,µs", p.text(`[...document.querySelectorAll("#columns span")].map((e) => e.textContent)`))
	require.Equal(t, "0,1,2", p.text(numbers))
	require.Equal(t, "1", p.text(count("#tree .row.pass")))
	require.NotContains(t, p.text(`document.querySelector("#tree .row.draw .below").textContent`), "@", "rows below a pass do not repeat its target")

	p.tabTo("#order")
	p.press(kb.ArrowDown, kb.ArrowDown, kb.ArrowDown)
	p.until(numbers + `.join() === "1,0,2"`)
	require.Equal(t, "0", p.text(count("#tree .row:not(.draw)")))
	require.Contains(t, p.text(`document.querySelector("#tree .row.draw .below").textContent`), "240x400 rgba8@18000000")
	p.keys("]")
	p.title("Frame 1, its end")
	require.Equal(t, "1,0,2", p.text(numbers))
	require.Equal(t, "0", p.text(count("#tree .chosen")))
	p.choose("#filter", "draw>0")
	require.Equal(t, "1,2", p.text(numbers))
	p.do(chromedp.Focus("#filter"))
	p.press(kb.ArrowDown)
	p.title("draw 1")
	p.press(kb.ArrowDown)
	p.title("draw 2")
	p.keys("p", "p")
	p.title("draw 0")
	require.Equal(t, "1,2", p.text(numbers), "the selected draw may be hidden by the filter")
	p.do(chromedp.Reload())
	p.title("draw 0")
	p.until(numbers + `.join() === "1,2"`)
	require.Equal(t, "draw>0 triangles", p.text(`[document.getElementById("filter").value, document.getElementById("order").value].join(" ")`), "the address has filter and order")
	p.choose("#filter", "")
	require.Equal(t, "0", p.text(`document.querySelector("#tree .chosen .n").textContent`))
	p.text(`location.hash = location.hash.replace("order=triangles", "order=nothing&filter=draw=2")`)
	p.until(numbers + `.join() === "2"`)
	require.Equal(t, "as drawn", p.text(`document.getElementById("order").selectedOptions[0].textContent`))
	p.choose("#filter", "")
	p.choose("#order", "")
	require.Equal(t, "0,1,2", p.text(numbers))

	// Draw 1 has no texture.
	const thumbs = `[...document.querySelectorAll("#tree .row.draw")].map((r) => [...r.querySelectorAll("canvas")].map((c) => c.width + "x" + c.height))`
	p.until(thumbs + `.join(";") === "32x32;;32x32"`)
	require.Greater(t, p.number(`new Set(new Uint32Array(document.querySelector("#tree canvas").getContext("2d").getImageData(0, 0, 32, 32).data.buffer)).size`), 1.0)
	p.keys("n", "n")
	p.title("draw 2")
	p.idle()
	p.enter("#panel input[type=search]", "TEXUNIT0_DIM")
	p.do(chromedp.Click("#panel .word button"))
	p.enter("#panel .word input", "0x100008")
	p.press(kb.Enter)
	p.until(thumbs + `.join(";") === "32x32;;16x8"`)
	p.do(chromedp.Click("#edits button"))
	p.until(thumbs + `.join(";") === "32x32;;32x32"`)

	// Thumbnails are kept up to a bound; the least recently used are dropped.
	p.text(`void import("./thumbs.js").then(async ({ Thumbs }) => {
		const asked = [], large = 1024 * 1024 * 4;
		const all = new Thumbs({ later: async (r) => { asked.push(r.draw); return { head: { draws: [[0, -1]], pictures: [{ width: 1024, height: 1024 }] }, data: new Uint8Array(large) }; } });
		const of = (n) => new Promise((done) => { all.of({ file: 0, frame: 0, edits: [] }, 256 * n, done, () => true); });
		for (const n of [0, 1, 2, 3, 0, 4, 0, 1]) await of(n);
		const [first, none] = await of(0);
		window.told = [asked, all.bytes / large, first.width, none].join(" ");
	})`)
	p.until(`window.told !== undefined`)
	require.Equal(t, "0,256,512,768,1024,256 4 1024 ", p.text(`window.told`))
}

// A draw opens with its summary, in words and thumbnails that link to registers and textures. Changed pixels are marked; pictures
// that are not colours have a legend; the picture selector names the shown picture.
func TestDrawSummaryInABrowser(t *testing.T) {
	testkit.Slow(t)
	p := opened(t, started(t, recording(t, "lights"), recording(t, "gas"))+"#draw=2")
	p.title("draw 2")
	require.Contains(t, p.text(`document.querySelector("#panel .rows").textContent`), "2 triangles, coloured by vertex colours and texture 0, in fog, tested by alpha, stencil and depth")
	p.until(`document.querySelector("#panel .rows canvas")?.width === 32`)
	require.Greater(t, p.number(`new Set(new Uint32Array(document.querySelector("#panel .rows canvas").getContext("2d").getImageData(0, 0, 32, 32).data.buffer)).size`), 1.0, "the thumbnail has several colours")
	p.text(`[...document.querySelectorAll("#panel .rows button")].find((b) => b.textContent === "depth test").click()`)
	require.Equal(t, "GPUREG_DEPTH_COLOR_MASK", p.text(`document.querySelector("#panel input[type=search]").value`))

	const picture = `document.getElementById("canvas").toDataURL()`
	seen := map[string]string{}
	for _, how := range []string{"nothing", "outline", "box"} {
		p.enter("#marked", how)
		require.NotContains(t, seen, p.text(picture), how)
		seen[p.text(picture)] = how
	}
	for _, view := range [][2]string{
		{"depth", `depth, dark \d+, bright \d+`},
		{"stencil", `stencil`},
		{"overdraw", `fragments on a pixel, 1\.00 on average where there are any, dark 0, bright 1$`},
	} {
		what, legend := view[0], view[1]
		p.choose("#picture", what)
		require.Regexp(t, legend, p.text(`document.getElementById("under").textContent`))
	}
	p.text(`document.querySelector("#panel .rows button[title='Show the texture']").click()`)
	p.until(count("#panel .texture") + " > 0")
	p.idle()
	p.do(chromedp.Click("#panel .texture"))
	require.Equal(t, "texture0, as it is bound", p.text(`document.getElementById("picture").selectedOptions[0].textContent`))
	p.keys("p")
	p.title("draw 1")
	require.Equal(t, "overdraw", p.text(`document.getElementById("picture").value`))
	p.enter("#picture", "after")
	p.enter("#file", "1")
	p.until(`document.title.startsWith("gas")`)
	p.idle()
	p.text(`[...document.querySelectorAll("#tree .row.draw")].find((r) => r.title.includes("gas")).click()`)
	p.until(`document.getElementById("title").textContent.includes(", draw ")`)
	p.idle()
	require.Equal(t, "gas", p.text(`document.getElementById("picture").value`))
	require.Regexp(t, `density of gas, dark 0\.00, bright 0*[1-9.]`, p.text(`document.getElementById("under").textContent`))
}

// A draw's program is edited in the playground's editor, starting from its source, with colours and the language server's hints,
// errors and completion. The editor stays open after a run, and instructions have the colour of their line.
func TestEditorInABrowser(t *testing.T) {
	testkit.Slow(t)
	p := newTab(t)
	source := recording(t, "lights")
	source.Shaders = func() [][]asm.Source { return play.ShadersOf(&scene.Scene{}, nil) }
	p.do(chromedp.Navigate(started(t, source) + "#draw=0&panel=shader"))
	p.title("draw 0")
	p.until(count("#panel .line.ran") + " > 3")
	const edge = `getComputedStyle(document.querySelector("#panel %s .now")).borderLeftColor`
	p.press("s", "s", "s")
	color := p.text(strings.ReplaceAll(edge, "%s", ".listing"))
	require.Equal(t, color, p.text(strings.ReplaceAll(edge, "%s", ".listing.text")), "an instruction has the colour of its source line")
	p.press("s")
	require.NotEqual(t, color, p.text(strings.ReplaceAll(edge, "%s", ".listing")))

	p.text(`[...document.querySelectorAll("#panel summary")].find((s) => s.textContent === "Change the program").click()`)
	p.until(count("#panel .t-variable") + " > 0")
	require.Equal(t, "lit.v.pica", p.text(`document.querySelector("#panel .files").textContent`))
	for kind, word := range map[string]string{"comment": "; lit: what", "keyword": ".fvec", "operation": "mov", "variable": "projection", "register": "v0", "property": "outPosition"} {
		require.Contains(t, p.text(`[...document.querySelectorAll("#panel .t-`+kind+`")].map((e) => e.textContent).join("|")`), word)
	}
	p.mark("dp4 outPosition.x")
	p.until(`document.getElementById("help-line").textContent.includes("dp4 d, w, n")`)
	p.press("d", "p")
	const choices = `[...document.querySelectorAll(".cm-tooltip-autocomplete .cm-completionLabel")].map((e) => e.textContent)`
	p.until(choices + `.length > 0 && ` + choices + `.every((c) => c.startsWith("dp"))`)
	time.Sleep(100 * time.Millisecond) // a list that has just appeared takes no keys
	p.press(kb.ArrowDown)
	p.down('\r')
	require.Contains(t, p.text(shownText), "\tdp4, projection[0]")
	p.until(`document.querySelector("#panel .cm-lintRange-error")`)
	require.Contains(t, p.text(`document.querySelector("#panel .files").textContent`), "✖")
	// Completions that no longer match are removed at once.
	p.mark("dp4, projection[0]")
	p.press("d")
	p.until(choices + `.length > 1`)
	p.press("q")
	p.until(choices + `.length === 0`)
	p.mark("dq, r1")
	p.press("dp4 outPosition.x, projection[1], r1", kb.Escape)
	p.until(`!document.querySelector("#panel details p[role=status]").textContent.includes("dp4")`)
	p.until(`document.querySelector("#panel .files").textContent === "lit.v.pica"`)
	changed := p.editor(`v.state.doc`)
	p.text(`[...document.querySelectorAll("#panel button")].find((b) => b.textContent === "Run the frame with it").click()`)
	p.until(`document.getElementById("edits").textContent.includes("1 change")`)
	p.idle()
	p.until(count("#panel details[open] .cm-line") + " > 0")
	require.Equal(t, changed, p.editor(`v.state.doc`))
}
