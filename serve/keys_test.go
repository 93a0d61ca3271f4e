package serve

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// scheme sets the preferred colour scheme: light or dark.
func (p *tab) scheme(name string) {
	p.t.Helper()
	_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}})
	require.NoError(p.t, err)
}

// focused describes the focused element.
func (p *tab) focused() string {
	p.t.Helper()
	return p.text(`(() => { const e = document.activeElement; return e.id || e.getAttribute("aria-label") || e.textContent.trim().slice(0, 40) || e.localName; })()`)
}

// down sends a key without the character event that chromedp adds; a browser sends none if the page handled the key.
func (p *tab) down(key rune, modifiers ...kb.Modifier) {
	p.t.Helper()
	if p.fox != nil {
		all := kb.ModifierNone
		for _, m := range modifiers {
			all |= m
		}
		require.NoError(p.t, p.fox.key(key, all))
		return
	}
	for _, k := range kb.Encode(key) {
		if k.Type != kb.KeyChar {
			for _, m := range modifiers {
				k.Modifiers |= int64(m)
			}
			_, err := chromedp.Call(p.ctx, input.DispatchKeyEvent, *k)
			require.NoError(p.t, err)
		}
	}
}

// tabTo presses Tab until the element of selector has the focus.
func (p *tab) tabTo(selector string) {
	p.t.Helper()
	seen := []string{}
	for range 80 {
		p.press(kb.Escape, kb.Tab) // in a text Tab alone indents
		if p.text(`document.activeElement.matches(`+quote(selector)+`)`) == "true" {
			return
		}
		seen = append(seen, p.focused())
	}
	p.t.Fatalf("no key leads to %s; these are reached: %q", selector, seen)
}

// tabBack presses Shift+Tab; Esc before it leaves a text, in which Tab indents.
func (p *tab) tabBack() {
	p.t.Helper()
	p.press(kb.Escape)
	p.do(chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(chromedp.ModifierShift)))
}

// mustHaveNames are the roles that require an accessible name.
var mustHaveNames = []string{
	"button", "link", "textbox", "searchbox", "spinbutton", "combobox", "checkbox", "listbox", "option", "tree", "treeitem", "tab", "tablist", "tabpanel",
	"application", "image", "img", "region", "dialog", "columnheader", "rowheader", "heading",
}

// heard returns the accessibility tree: each role with its names. An operable element without a name fails the test.
func (p *tab) heard() map[string][]string {
	p.t.Helper()
	tree, err := chromedp.Call(p.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	require.NoError(p.t, err)
	text := func(v *accessibility.Value) (s string) {
		if v != nil && len(v.Value) > 0 {
			require.NoError(p.t, json.Unmarshal(v.Value, &s))
		}
		return strings.TrimSpace(s)
	}
	names := map[string][]string{}
	for _, n := range tree.Nodes {
		if n.Ignored {
			continue
		}
		role, name := text(n.Role), text(n.Name)
		names[role] = append(names[role], name)
		if name == "" && slices.Contains(mustHaveNames, role) {
			p.t.Errorf("a %s has no name", role)
		}
	}
	return names
}

// pale lists texts with a contrast below 4.5 to 1, the minimum of WCAG 2.2, 1.4.3. Disabled and decorative elements are exempt
// there too.
func (p *tab) pale() string {
	p.t.Helper()
	return p.text(`(() => {
		const one = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
		const parse = (c) => { one.clearRect(0, 0, 1, 1); one.fillStyle = c; one.fillRect(0, 0, 1, 1); const d = one.getImageData(0, 0, 1, 1).data; return [d[0], d[1], d[2], d[3] / 255]; };
		const over = (a, b) => [0, 1, 2].map((i) => a[i] * a[3] + b[i] * (1 - a[3])).concat(1);
		const light = (c) => { const [r, g, b] = c.slice(0, 3).map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
		const ground = (e) => { const c = parse(getComputedStyle(e).backgroundColor); return c[3] === 1 || !e.parentElement ? c : over(c, ground(e.parentElement)); };
		const out = new Set(), walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		while (walk.nextNode()) {
			const e = walk.currentNode.parentElement;
			if (!walk.currentNode.data.trim() || e.closest("[aria-hidden=true], :disabled, option, script") || !e.checkVisibility()) continue;
			const back = ground(e), front = over(parse(getComputedStyle(e).color), back);
			const [a, b] = [light(back), light(front)].sort((x, y) => y - x), ratio = (a + 0.05) / (b + 0.05);
			if (ratio < 4.5) out.add(walk.currentNode.data.trim().slice(0, 30) + " " + ratio.toFixed(2));
		}
		return [...out].join("; ");
	})()`)
}

// The playground without a mouse: every control in visual order, an error and the way to its position, selecting, adding and
// removing texts; accessible names; light and dark.
func TestPlaygroundByKeysInABrowser(t *testing.T) {
	testkit.Slow(t)
	p := newTab(t)
	p.scheme("light")
	p.do(chromedp.Navigate(site(t).URL + "/"))
	p.drawn()
	order := []string{"example", "gallery", "play", "time", "zip", "shbin", "png", "gif", "trace", "link", "debug", "theme", "add", "put", "take", "drop", "format", "hill.v.pica", "text", "Width of: Texts",
		"ch-r", "ch-g", "ch-b", "ch-a", "upright", "zoom-out", "zoom-fit", "zoom-one", "zoom-in", "canvas"}
	for _, want := range order {
		p.press(kb.Escape, kb.Tab)
		require.Equal(t, want, p.focused())
	}
	for i := len(order) - 2; i >= 0; i-- {
		p.tabBack()
		require.Equal(t, order[i], p.focused())
	}

	// An error, found and corrected.
	p.tabTo("#text")
	require.NotEqual(t, "true", p.text(`document.activeElement.getAttribute("aria-invalid")`))
	p.down('\r')
	p.press("m", "u", "k")
	p.until(count("#problems .error") + " > 0")
	p.drawn()
	require.Equal(t, "text", p.focused())
	require.Equal(t, "true", p.text(`document.activeElement.getAttribute("aria-invalid")`))
	names := p.heard()
	require.Contains(t, names["tab"], "hill.v.pica error")
	require.Contains(t, names["textbox"], "Text of hill.v.pica")
	require.Subset(t, names["region"], []string{"Texts", "Picture"})
	require.Subset(t, names["combobox"], []string{"Example", "New text"})
	require.Contains(t, names["list"], "What is wrong, and notes")
	p.tabTo("#problems button")
	p.press(kb.Enter)
	require.Equal(t, "text", p.focused())
	require.Equal(t, "muk", p.text(`getSelection()`))
	p.press(kb.Delete)
	p.until(`document.getElementById("count").textContent === "No errors"`)
	p.drawn()

	// Arrow keys select texts; one is added and removed.
	p.tabBack()
	p.press(kb.ArrowRight)
	require.Equal(t, "scene.yaml", p.focused())
	require.Contains(t, p.text(shownText), "hill.v.pica bends")
	p.press(kb.Enter)
	require.Equal(t, "scene.yaml", p.focused(), "the selected text keeps the focus")
	p.tabTo("#add")
	p.press("n")
	require.Equal(t, "2", p.text(count(".files button")), "selecting a kind adds no text yet")
	p.press(kb.Tab, " ")
	require.Equal(t, "3", p.text(count(".files button")))
	require.Equal(t, "text", p.focused())
	require.Equal(t, "new.v.pica", p.text(`document.querySelector(".files [aria-selected=true]").textContent`))
	p.drawn()
	p.tabTo("#drop")
	p.press(" ")
	require.Equal(t, "2", p.text(count(".files button")))
	require.Equal(t, "text", p.focused())
	p.drawn()

	// The picture.
	p.tabTo("#canvas")
	p.press(kb.ArrowRight, "+")
	require.Regexp(t, `chosen 201,120: \d+ \d+ \d+ 255`, p.text(`document.getElementById("under").textContent`))
	p.press("0")

	// Light and dark, by the system and by the button.
	ground := func() string { return p.text(`getComputedStyle(document.body).backgroundColor`) }
	light := ground()
	require.Empty(t, p.pale(), "light")
	p.scheme("dark")
	dark := ground()
	require.NotEqual(t, light, dark)
	require.Empty(t, p.pale(), "dark")
	p.keep("playground-dark")
	p.tabTo("#theme")
	p.press(" ")
	require.Equal(t, light, ground())
	require.Empty(t, p.pale(), "light by the button while the system is dark")
	p.press(" ")
	require.Equal(t, dark, ground())
}

// axe-core finds no violations of WCAG 2.2 in any panel or in the playground. It needs "npm install -g axe-core".
func TestAxeFindsNoViolations(t *testing.T) {
	root, err := exec.Command("npm", "root", "-g").Output()
	if err != nil {
		t.Skip("there is no npm: ", err)
	}
	axe, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "axe-core", "axe.min.js"))
	if err != nil {
		t.Skip("axe-core is not installed: ", err)
	}
	testkit.Slow(t)
	p := newTab(t)
	check := func(what string) {
		t.Helper()
		testkit.Must(chromedp.Run(p.ctx, chromedp.Evaluate[float64](string(axe)+"; 0")))(t)
		found, err := chromedp.Run(p.ctx, chromedp.Evaluate[string](`axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }).then((r) =>
			r.violations.map((v) => v.id + ": " + v.nodes.map((n) => n.target.join(" ")).join(", ")).join("\n"))`, chromedp.EvalAwaitPromise))
		require.NoError(t, err)
		require.Empty(t, found, what)
	}
	url, play := started(t, recording(t, "lights")), site(t).URL
	for _, scheme := range []string{"light", "dark"} {
		p.scheme(scheme)
		p.do(chromedp.Navigate(url))
		p.title("its end")
		check("the end of a frame")
		p.keys("p")
		p.title("draw 2")
		for i := range int(p.number(`document.querySelectorAll("#tabs button").length`)) {
			p.do(chromedp.Click(fmt.Sprintf("#tabs button:nth-child(%d)", i+1)))
			p.idle()
			check("panel " + strconv.Itoa(i+1))
		}
		p.do(chromedp.Navigate(play + "/"))
		p.drawn()
		check("the playground")
		p.write("\tmuk r0, r1\n")
		p.until(count(".cm-lintRange-error") + " > 0")
		p.do(chromedp.Focus("#text"))
		p.down('f', kb.ModifierCtrl)
		p.press("muk")
		p.until(count(".cm-searchMatch") + " > 0")
		check("a search, and an error in its place")
		p.do(chromedp.Focus("#text"))
		p.press("m")
		p.until(count(".cm-tooltip-autocomplete li") + " > 0")
		check("completions")
		p.do(chromedp.Navigate(play + "/debug.html"))
		p.until(`document.getElementById("problem").textContent.includes("Choose a recording")`)
		check("the debugger without a recording")
	}
}

// size gives the tab the size of a window or of a phone.
func (p *tab) size(width, height int64, mobile bool) {
	p.t.Helper()
	_, err := chromedp.Call(p.ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: 1, Mobile: mobile})
	require.NoError(p.t, err)
	_, err = chromedp.Call(p.ctx, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: mobile})
	require.NoError(p.t, err)
}

func (p *tab) number(js string) float64 {
	p.t.Helper()
	x, err := strconv.ParseFloat(p.text(js), 64)
	require.NoError(p.t, err, js)
	return x
}

// fits fails if anything is wider than the window.
func (p *tab) fits() {
	p.t.Helper()
	require.LessOrEqual(p.t, p.number(`document.documentElement.scrollWidth`), p.number(`innerWidth`))
	require.Empty(p.t, p.text(`[...document.querySelectorAll("button, select, input, canvas")].filter((e) => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 1 && !e.closest("#panel, #timeline")).map((e) => e.id || e.textContent)`))
}

// pinch touches the picture with two fingers and moves them apart.
func (p *tab) pinch() {
	p.t.Helper()
	x, y := p.number(`(() => { const b = document.getElementById("canvas").getBoundingClientRect(); return b.left + b.width / 2; })()`), p.number(`(() => { document.getElementById("canvas").scrollIntoView({block: "center"}); const b = document.getElementById("canvas").getBoundingClientRect(); return b.top + b.height / 2; })()`)
	one, two := 1.0, 2.0
	for i, apart := range []float64{20, 20, 30, 40, 50, 60} {
		kind := input.DispatchTouchEventTypeTouchMove
		if i == 0 {
			kind = input.DispatchTouchEventTypeTouchStart
		}
		_, err := chromedp.Call(p.ctx, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: []*input.TouchPoint{{X: x - apart, Y: y, ID: &one}, {X: x + apart, Y: y, ID: &two}}})
		require.NoError(p.t, err)
	}
	_, err := chromedp.Call(p.ctx, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}})
	require.NoError(p.t, err)
}

const percent = `Number(/(\d+) %/.exec(document.getElementById("under").textContent)[1])`

// The debugger on a phone, in windows and in print: nothing is wider than the page, two fingers zoom the picture and one scrolls,
// column widths are kept, and the picture stays in place when the text below it grows.
func TestDebuggerWidthsInABrowser(t *testing.T) {
	testkit.Slow(t)
	p := opened(t, started(t, recording(t, "lights"))+"#draw=1")
	p.title("draw 1")
	for _, width := range []int64{390, 1024, 1440, 3840} {
		p.size(width, 900, false)
		p.fits()
	}

	// Dividers move by keys; their positions are kept after a reload.
	p.size(1440, 900, false)
	const tree = `document.getElementById("events").getBoundingClientRect().width`
	is := p.number(tree)
	p.do(chromedp.Focus(".divider"))
	p.press(kb.ArrowRight, kb.ArrowRight, kb.ArrowRight)
	p.until(tree + " > " + strconv.FormatFloat(is+60, 'f', 0, 64))
	wide := p.number(tree)
	p.do(chromedp.Reload())
	p.title("draw 1")
	require.InDelta(t, wide, p.number(tree), 1)
	p.do(chromedp.Focus(".divider"))
	p.press(kb.Home)
	require.InDelta(t, is, p.number(tree), 1)

	// The picture does not move.
	const height = `document.getElementById("canvas").getBoundingClientRect().height`
	was := p.number(height)
	p.text(`document.getElementById("under").textContent = "many words ".repeat(60)`)
	require.InDelta(t, was, p.number(height), 0.5)

	p.size(390, 844, true)
	p.text(`document.getElementById("zoom-fit").click()`)
	require.Equal(t, "pan-x pan-y", p.text(`getComputedStyle(document.getElementById("canvas")).touchAction`))
	small := p.number(percent)
	p.pinch()
	p.until(percent + " > 2 * " + strconv.FormatFloat(small, 'f', 0, 64))
	require.Equal(t, "none", p.text(`getComputedStyle(document.getElementById("canvas")).touchAction`), "one finger moves an enlarged picture")

	testkit.Must(chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}))(t)
	require.Equal(t, "none", p.text(`getComputedStyle(document.querySelector("header")).display`))
	require.LessOrEqual(t, p.number(`document.getElementById("panel").scrollHeight`), p.number(`document.getElementById("panel").clientHeight + 1`), "the whole panel is printed")
}

// The playground on a phone and in print.
func TestPlaygroundWidthsInABrowser(t *testing.T) {
	testkit.Slow(t)
	p := newTab(t)
	p.size(390, 844, true)
	p.do(chromedp.Navigate(site(t).URL + "/"))
	p.drawn()
	p.fits()
	require.Greater(t, p.number(`document.getElementById("text").getBoundingClientRect().width`), 300.0)
	require.Greater(t, p.number(`document.getElementById("canvas").getBoundingClientRect().width`), 370.0)
	small := p.number(percent)
	p.pinch()
	p.until(percent + " > 2 * " + strconv.FormatFloat(small, 'f', 0, 64))
	for _, width := range []int64{1024, 1440, 3840} {
		p.size(width, 900, false)
		p.fits()
	}
	testkit.Must(chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}))(t)
	p.until(count(".cm-line") + " > 40")
	require.Equal(t, "none", p.text(`getComputedStyle(document.querySelector(".cm-gutters")).display`))
	require.Greater(t, p.number(`document.querySelector(".cm-editor").getBoundingClientRect().height`), 600.0, "the whole text is printed")
	require.Contains(t, p.text(shownText), ".proc main")
}
