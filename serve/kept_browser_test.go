package serve

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"pica200/serve/engine"
	"pica200/tests/testkit"
)

const canvasData = `document.getElementById("canvas").toDataURL()`

// title waits until the title ends with end and no request is pending.
func (p *tab) title(end string) {
	p.t.Helper()
	p.until(`document.getElementById("title").textContent.endsWith(` + quote(end) + `)`)
	p.idle()
}

// back navigates in the browser's history.
func (p *tab) back(by string) {
	p.t.Helper()
	p.text(`void history.` + by + `()`)
}

// Values of registers are edited in place: a field by its names, a word and a uniform as text. An invalid value gives an error
// there and changes nothing. Single changes can be removed, and the counts in the tree follow.
func TestEditingInABrowser(t *testing.T) {
	testkit.Slow(t)
	p := opened(t, started(t, recording(t, "lights"))+"#draw=1")
	p.title("draw 1")
	p.enter("#panel input[type=search]", "DEPTH_COLOR_MASK")
	const pixels = `document.querySelector("#tree .chosen .num").textContent`
	was, picture := p.text(pixels), p.text(canvasData)
	require.NotEmpty(t, was)
	field := func(key string) string { return `#panel [data-key="GPUREG_DEPTH_COLOR_MASK ` + key + `"]` }

	// A field with named values.
	p.do(chromedp.Click(field("depth function")))
	p.until(`document.activeElement.localName === "select"`)
	require.Contains(t, p.text(`[...document.activeElement.options].map((o) => o.value)`), "greater_equal")
	p.press(kb.Escape)
	p.until(count(`#panel .editing`) + " === 0")
	p.do(chromedp.Click(field("depth function")))
	p.enter("#panel .editing select", "never")
	p.until(`document.getElementById("edits").textContent.includes("draw 1: DEPTH_COLOR_MASK depth function = never")`)
	p.idle()
	p.until(canvasData + " !== " + quote(picture))
	p.until(pixels + ` === "0"`)
	require.Equal(t, "never", p.text(`document.querySelector(` + quote(field("depth function")) + `).textContent.trim()`)[:5])
	never := p.text(canvasData)

	// Ctrl+Z takes a change back. It is a step of the browser's history if it does not follow the change at once (STEP of main.js).
	p.leave()
	time.Sleep(500 * time.Millisecond)
	p.down('z', kb.ModifierCtrl)
	p.until(`document.getElementById("edits").textContent === ""`)
	p.back("back")
	p.until(`document.getElementById("edits").textContent.includes("depth function = never")`)
	p.idle()

	// Invalid words.
	p.do(chromedp.Click(`#panel [data-key="GPUREG_DEPTH_COLOR_MASK"]`))
	for text, want := range map[string]string{"front": `"front" is not a value of GPUREG_DEPTH_COLOR_MASK`, "0x100000000": "expected a number from 0 to 0xFFFFFFFF", "": "expected a number", "-1": "expected a number"} {
		p.enter("#panel .editing input", text)
		p.press(kb.Enter)
		p.until(`document.querySelector("#panel .editing .bad").textContent.includes(` + quote(want) + `)`)
		require.Equal(t, "true", p.text(`document.querySelector("#panel .editing input").getAttribute("aria-invalid")`))
	}
	require.Equal(t, never, p.text(canvasData))
	p.press(kb.Escape)

	// A second change; the first one is removed alone.
	p.enter("#panel input[type=search]", "FACECULLING")
	p.do(chromedp.Click(`#panel [data-key="GPUREG_FACECULLING_CONFIG mode"]`))
	p.enter("#panel .editing select", "front")
	p.until(`document.getElementById("edits").textContent.startsWith("2 changes")`)
	p.idle()
	p.do(chromedp.Click(`#edits [aria-label^="Take back: DEPTH_COLOR_MASK"]`))
	p.until(`document.getElementById("edits").textContent.startsWith("1 change")`)
	p.idle()
	require.Contains(t, p.text(`document.getElementById("edits").textContent`), "mode = front")
	p.until(canvasData + " !== " + quote(never))
	// A change of the same field replaces the earlier one.
	p.do(chromedp.Click(`#panel [data-key="GPUREG_FACECULLING_CONFIG mode"]`))
	p.enter("#panel .editing select", "back")
	p.until(`document.getElementById("edits").textContent.includes("mode = back")`)
	require.Contains(t, p.text(`document.getElementById("edits").textContent`), "1 change")
	p.idle()

	// A uniform, component by component.
	p.keys("7")
	p.until(count("#panel .line.ran") + " > 3")
	p.text(`[...document.querySelectorAll("#panel details")].find((d) => d.textContent.startsWith("Uniforms")).open = true`)
	p.do(chromedp.Click(`#panel [data-key="c0 1"]`))
	p.enter("#panel .editing input", "wide")
	p.press(kb.Enter)
	p.until(`document.querySelector("#panel .editing .bad").textContent.includes('"wide" is not a value of c0')`)
	p.enter("#panel .editing input", "0.125")
	p.press(kb.Enter)
	p.until(`document.getElementById("edits").textContent.includes("c0 of the vertex shader = ")`)
	p.idle()
	require.Equal(t, "0.125", p.text(`document.querySelector('#panel [data-key="c0 1"]').textContent`))
	p.do(chromedp.Click(`#edits > button`))
	p.until(`document.getElementById("edits").textContent === ""`)
	p.idle()
	p.until(canvasData + " === " + quote(picture))
	p.until(pixels + ` === ` + quote(was))
	require.Empty(t, p.text(`document.getElementById("problem").textContent`))
}

// The address holds the draw, the panel, the picture with its zoom, the pixel, the vertex and the changes. Reload, another tab,
// Back and a typed address restore them; a damaged address is used as far as it can be read.
func TestAddressKeepsStateInABrowser(t *testing.T) {
	testkit.Slow(t)
	p := newTab(t)
	url := started(t, recording(t, "lights"), recording(t, "arcs"))
	p.do(chromedp.Navigate(url))
	p.title("its end")
	p.keys("p", "p")
	p.title("draw 1")
	picture := p.text(canvasData)
	p.enter("#panel input[type=search]", "DEPTH_COLOR_MASK")
	p.do(chromedp.Click(`#panel [data-key="GPUREG_DEPTH_COLOR_MASK depth function"]`))
	p.enter("#panel .editing select", "never")
	p.until(`document.getElementById("edits").textContent.startsWith("1 change")`)
	p.idle()
	p.until(canvasData + " !== " + quote(picture))

	// Another frame has no changes; the first one still has its own.
	p.keys("]")
	p.until(`document.getElementById("title").textContent.startsWith("Frame 1, draw 1")`)
	p.idle()
	require.Empty(t, p.text(`document.getElementById("edits").textContent`))
	p.press("[")
	p.until(`document.getElementById("title").textContent.startsWith("Frame 0, draw 1")`)
	p.idle()
	require.Contains(t, p.text(`document.getElementById("edits").textContent`), "depth function = never")

	// A pixel, the zoom, and the vertex for the shader.
	p.do(chromedp.Focus("#canvas"))
	p.press("+", kb.ArrowRight, kb.ArrowDown, kb.Enter)
	p.until(count("#panel .history details") + " > 0")
	chosen := p.text(`document.getElementById("under").textContent`)
	require.Contains(t, chosen, "chosen ")
	p.keys("7")
	p.until(count("#panel .line.ran") + " > 3")
	p.choose("#panel input[type=number]", "5")
	p.until(`location.hash.includes("vertex=5") && location.hash.includes("zoom=")`)
	address := p.text("location.href")
	same := func(p *tab) {
		t.Helper()
		p.title("draw 1")
		p.until(count("#panel .line.ran") + " > 3")
		require.Equal(t, "5", p.text(`document.querySelector("#panel input[type=number]").value`))
		require.Contains(t, p.text(`document.getElementById("edits").textContent`), "depth function = never")
		p.until(`document.getElementById("under").textContent === ` + quote(chosen))
		p.until(`location.href === ` + quote(address))
	}
	p.do(chromedp.Reload())
	same(p)
	other := opened(t, address)
	same(other)

	// Back and forward restore the view.
	p.keys("p")
	p.title("draw 0")
	p.back("back")
	same(p)
	p.back("forward")
	p.title("draw 0")
	p.back("back")
	same(p)

	// Typed and damaged addresses.
	p.text(`void (location.hash = "#file=1&frame=0&draw=0&panel=mesh")`)
	p.until(`document.title.startsWith("arcs")`)
	p.title("draw 0")
	p.until(`document.querySelector("#tabs [aria-selected=true]").textContent === "Mesh"`)
	for _, bad := range []string{
		`#file=99&frame=-7&draw=1e9`, `#frame=abc&draw=x&move=9999999&panel=%3Cb%3E&picture=%22%5D%7B&pixel=99999,99999&zoom=a,b,c&vertex=-3&run=1e99`,
		`#file=0&draw=1&edits={{{`, `#file=0&draw=1&edits=%5B1%5D`, `#file=0&draw=1&edits={"0":[null]}`, `#%00%ff&&&===`, `#file=0&draw=1&pixel=239,399&zoom=64,1e30,-1e30`,
	} {
		p.text(`void (location.hash = ` + quote(bad) + `)`)
		p.until(`document.getElementById("title").textContent.startsWith("Frame ")`)
		p.idle()
		require.Equal(t, "0", p.text(count("main b.x, main script")))
	}
	p.text(`void (location.hash = '#file=0&draw=1&edits={"0":[{"draw":1,"register":"<img src=x>","value":1}]}')`)
	p.until(`document.getElementById("edits").textContent.includes("<img")`)
	p.until(`document.getElementById("panel").textContent.includes("there is no register")`)
	require.Equal(t, "0", p.text(count("img")))
	p.do(chromedp.Click("#edits > button"))
	p.until(count("#panel .registers") + " > 0")
	p.title("draw 1")
	require.Empty(t, p.text(`document.getElementById("problem").textContent`))
}

// The page notices that another run of the program answers at its address.
func TestRestartIsNoticedInABrowser(t *testing.T) {
	testkit.Slow(t)
	p := newTabExpecting(t, "403", "ERR_CONNECTION_REFUSED")
	l := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	addr := l.Addr()
	serve := func(l net.Listener) (*Server, func()) {
		s := testkit.Must(New(engine.New(engine.Options{}, recording(t, "lights")), addr))(t)
		ctx, stop := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() { ended <- s.Serve(ctx, l) }()
		return s, func() {
			stop()
			require.NoError(t, <-ended)
		}
	}
	s, end := serve(l)
	p.do(chromedp.Navigate("http://" + addr.String() + s.Path()))
	p.title("its end")
	end()
	p.keys("p")
	p.until(`document.getElementById("problem").textContent.includes("the program does not answer")`)
	l = testkit.Must(net.Listen("tcp", addr.String()))(t)
	_, end = serve(l)
	t.Cleanup(end)
	p.press("7") // a panel that requests no picture
	p.until(`document.getElementById("problem").textContent.includes("another run of the program answers here now")`)
	require.Equal(t, "Try again", p.text(`document.querySelector("#problem button").textContent`))
}

// Typed texts are kept: loading an example leaves them to Back and the list of drafts stored in the browser, until discarded.
func TestTypedTextsAreKeptInABrowser(t *testing.T) {
	testkit.Slow(t)
	p := newTab(t)
	host := site(t)
	p.do(chromedp.Navigate(host.URL + "/"))
	p.drawn()
	const text, list = shownText, `[...document.querySelectorAll("#example optgroup")].map((o) => o.label)`
	begin := p.text(text)
	require.NotContains(t, p.text(list), "Yours")
	require.Equal(t, "true", p.text(`document.getElementById("undo").disabled`))
	p.do(chromedp.Focus("#text"))
	p.editor(`v.dispatch({ selection: { anchor: 0 } })`)
	p.press(";", "m", "i", "n", "e")
	p.down('\r')
	p.drawn()
	typed := p.text(text)
	require.Equal(t, ";mine\n"+begin, typed)

	p.enter("#example", "1")
	p.drawn()
	require.NotContains(t, p.text(text), "mine")
	require.Contains(t, p.text(list), "Yours, kept in this browser")
	p.back("back")
	p.until(text + " === " + quote(typed))
	p.drawn()
	p.back("forward")
	p.until("!" + text + `.includes("mine")`)
	p.drawn()

	// A draft is restored when the page is opened without its address.
	p.do(chromedp.Navigate("about:blank"), chromedp.Navigate(host.URL+"/"))
	p.drawn()
	require.Equal(t, begin, p.text(text))
	p.text(`(() => { const e = document.getElementById("example"); e.value = [...e.options].find((o) => o.value.startsWith("draft:")).value; e.dispatchEvent(new Event("change")); })()`)
	p.until(text + " === " + quote(typed))
	p.drawn()
	p.enter("#example", "discard")
	require.NotContains(t, p.text(list), "Yours")
	p.do(chromedp.Reload())
	p.drawn()
	require.NotContains(t, p.text(list), "Yours")
	p.do(chromedp.Click(".files button:nth-child(1)"))
	require.Equal(t, typed, p.text(text), "the address still has the typed text")

	// Without browser storage the page still works.
	p.script(`for (const s of ["localStorage", "sessionStorage"]) Object.defineProperty(window, s, { get() { throw new Error("no"); } });`)
	testkit.Must(chromedp.Call(p.ctx, page.Enable, page.EnableParams{}))(t)
	p.do(chromedp.Reload())
	p.drawn()
	p.enter("#example", "0")
	p.drawn()
}
