package serve

import (
	"strconv"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

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
