package serve

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

const offered = `[...document.querySelectorAll(".cm-tooltip-autocomplete .cm-completionLabel")].map((e) => e.textContent).join(" ")`

// Real keys in the editor: each row begins with a text and a caret (|), and ends with another. A list in the keys waits until
// completions are shown that begin with it.
func TestEditorKeysInABrowser(t *testing.T) {
	testkit.Slow(t)
	url := site(t).URL + "/"
	for name, begin := range browsers {
		t.Run(name, func(t *testing.T) {
			p := begin(t)
			p.open(url)
			p.drawn()
			editorKeys(t, p)
		})
	}
}

func editorKeys(t *testing.T, p *tab) {
	type list string
	type chord struct {
		key       rune
		modifiers kb.Modifier
	}
	const alt, control, shift = kb.ModifierAlt, kb.ModifierCtrl, kb.ModifierShift
	const enter, tabKey = '\r', '\t'
	const yaml = "scene.yaml"
	for _, c := range []struct {
		file, begin string
		keys        []any
		end         string
	}{
		// Enter belongs to a word that is whole, even if others begin with it.
		{"", "\tmul r0, |\n\tend", []any{"r1", list("r1 r10 r11"), enter}, "\tmul r0, r1\n|\n\tend"},
		{"", "\tmul r0, |\n\tend", []any{"r", list("r0 r1 r2"), "1", list("r1 r10 r11"), enter}, "\tmul r0, r1\n|\n\tend"},
		{"", "\t|\n\tend", []any{"mov", list("mov mova"), enter}, "\tmov\n|\n\tend"},
		{"", "\t|\n\tend", []any{"MOV", list("mov mova"), enter}, "\tMOV\n|\n\tend"},
		{"", "\tmul r0, |\n\tend", []any{"r1", list("r1 r10 r11"), kb.ArrowDown, enter}, "\tmul r0, r10|\n\tend"},
		{"", "\t|\n\tend", []any{"flo", kb.Escape, enter}, "\tflo\n|\n\tend"},
		{"", "\t|\n\tend", []any{"fl", list("flr"), enter}, "\tflr|\n\tend"},
		{"", "\t|\n\tend", []any{"fl", list("flr"), tabKey}, "\tflr|\n\tend"},
		{"", "\t|\n\tend", []any{chord{' ', control}, list(".alias"), kb.Escape}, "\t|\n\tend"},
		// Indentation, as formatting makes it.
		{"", "|", []any{".proc a", kb.Escape, enter, "nop", kb.Escape, enter, "ifc cmp.x", kb.Escape, enter, "nop", kb.Escape, enter, ".else", kb.Escape, enter, "nop", kb.Escape, enter, ".end",
			kb.Escape, enter, ".end", kb.Escape}, ".proc a\n\tnop\n\tifc cmp.x\n\t\tnop\n\t.else\n\t\tnop\n\t.end\n.end|"},
		{"", ".constfa a[]\n\t(1, 2, 3, 4)|", []any{enter, ".end", kb.Escape}, ".constfa a[]\n\t(1, 2, 3, 4)\n.end|"},
		{"", ".constfa a[4]|", []any{enter}, ".constfa a[4]\n\t|"},
		{"", ".proc a\n|nop", []any{tabKey}, ".proc a\n\t|nop"},
		{"", ".proc a\n\tnop|", []any{chord{tabKey, shift}}, ".proc a\nnop|"},
		{yaml, "camera:|", []any{enter, "x"}, "camera:\n  x|"},
		{yaml, "a: |", []any{tabKey}, "a:   |"},
		// Comments, brackets.
		{"", "\tno|p", []any{chord{'/', control}}, "\t; no|p"},
		{"", "\t; no|p", []any{chord{'/', control}}, "\tno|p"},
		{yaml, "nam|e: x", []any{chord{'/', control}}, "# nam|e: x"},
		{"", "\tdp4 r0, c|", []any{"[1]"}, "\tdp4 r0, c[1]|"},
		{"", "\tdp4 r0, c[|]", []any{kb.Backspace}, "\tdp4 r0, c|"},
		// Format keeps the caret's line and is one step.
		{"", ".proc a\n MOV  r0,r1 |; x\n.end\n", []any{chord{'F', alt | shift}, kb.End, "!"}, ".proc a\n\tmov r0, r1 ; x!|\n.end\n"},
		{"", ".proc a\n MOV r0,|r1\n.end\n", []any{chord{'F', alt | shift}, chord{'z', control}}, ".proc a\n MOV r0,|r1\n.end\n"},
		// Undo and redo, in one step what was typed in one go.
		{"", "a|\nb", []any{enter, kb.ArrowDown, "c", chord{'z', control}}, "a\n\n|b"},
		{"", "a|\nb", []any{enter, kb.ArrowDown, "c", chord{'z', control}, chord{'z', control}}, "a|\nb"},
		{"", "a|\nb", []any{enter, kb.ArrowDown, "c", chord{'z', control}, chord{'z', control}, chord{'y', control}, chord{'Z', control | shift}}, "a\n\nc|b"},
		// Scenes: keys and values of the schema, in blocks and in brackets.
		{yaml, "camera:\n  |\ndraws: []", []any{"fo", list("fovy"), enter, "3"}, "camera:\n  fovy: 3|\ndraws: []"},
		{yaml, "camera: {|}", []any{"fov", list("fovy"), kb.Escape, "y: 3, f", list("far"), tabKey}, "camera: {fovy: 3, far: |}"},
		{yaml, "draws:\n  - name: x\n    |", []any{"cu", list("cull"), enter, "b", list("back"), enter}, "draws:\n  - name: x\n    cull: back|"},
		{yaml, "camera:\n  |\n", []any{"fa", list("far"), "r", enter, "n"}, "camera:\n  far\n  n|\n"},
		{yaml, "draws:\n  - uniforms:\n      |", []any{"dmp_TexEnv[1].combineR", list("dmp_TexEnv[1].combineRgb"), enter, "GL_MULT", kb.Escape}, "draws:\n  - uniforms:\n      dmp_TexEnv[1].combineRgb: GL_MULT|"},
	} {
		if c.file != yaml {
			c.file = "hill.v.pica"
		}
		p.text(`[...document.querySelectorAll(".files button")].find((b) => b.textContent.startsWith(` + quote(c.file) + `)).click()`)
		begin := strings.Replace(c.begin, "|", "", 1)
		p.write(begin)
		p.editor(`(v.focus(), v.dispatch({ selection: { anchor: ` + strconv.Itoa(strings.IndexByte(c.begin, '|')) + ` } }))`)
		for _, k := range c.keys {
			switch k := k.(type) {
			case rune:
				p.down(k)
			case string:
				p.press(k)
			case chord:
				p.down(k.key, k.modifiers)
				if k.key == 'F' {
					p.until(shownText + " !== " + quote(begin))
				}
			case list:
				p.until(offered + `.startsWith(` + quote(string(k)) + `)`)
				time.Sleep(100 * time.Millisecond) // a list that has just appeared takes no keys
			}
		}
		require.Equal(t, c.end, p.editor(`v.state.doc.toString().slice(0, v.state.selection.main.head) + "|" + v.state.doc.toString().slice(v.state.selection.main.head)`), "%q and %q", c.begin, c.keys)
	}

	// What is typed takes the position of the chosen words; brackets enclose them.
	p.write("\tmov r0, r1\n")
	p.mark("r1")
	p.press("(")
	require.Equal(t, "\tmov r0, (r1)\n", p.editor(`v.state.doc`))
	p.mark("(r1)")
	p.press("c")
	require.Equal(t, "\tmov r0, c\n", p.editor(`v.state.doc`))

	// Each text has its own history; a removed text comes back.
	p.click(".files button:nth-child(1)")
	p.write("nop\n")
	p.click(".files button:nth-child(2)")
	p.write("name: x\n")
	p.click(".files button:nth-child(1)")
	p.focus("#text")
	p.down('z', control)
	require.NotEqual(t, "nop\n", p.text(shownText))
	p.click("#redo")
	require.Equal(t, "nop\n", p.text(shownText))
	p.click("#drop")
	require.Equal(t, "name: x\n", p.text(shownText))
	p.click("#undo")
	require.Equal(t, "nop\n", p.text(shownText))
	require.Equal(t, "hill.v.pica", p.text(`document.querySelector(".files [aria-selected=true]").textContent`)[:11])

	// While a word is composed, Enter belongs to the input method.
	p.write("")
	p.focus("#text")
	p.press("m")
	p.until(offered + ` !== ""`)
	p.compose("か", "かな")
	p.until(shownText + ` === "mかな"`)
	p.composed("仮名")
	p.until(shownText + ` === "m仮名"`)
	p.down(enter)
	require.Equal(t, "m仮名\n", p.text(shownText))

	// Completions that come after the next key are those of the whole word. Scripts of Marionette cannot change the page's Worker.
	if p.fox == nil {
		p.write("")
		p.focus("#text")
		p.text(`(() => { globalThis.held = []; const post = Worker.prototype.postMessage; Worker.prototype.postMessage = function (m) { m.request?.what === "completion" ? held.push(() => post.call(this, m)) : post.call(this, m); }; globalThis.release = () => { Worker.prototype.postMessage = post; for (const send of held) send(); }; })()`)
		p.press("d")
		p.until(`held.length === 1`)
		p.press("p")
		p.until(shownText + ` === "dp"`)
		p.text(`release()`)
		p.until(offered + `.startsWith("dp3 ")`)
	}

	// Texts keep their line ends, byte for byte.
	for _, text := range []string{"nop\r\nend\r\n", "nop\r\nend\n", "a\rb", "\ufeff\u2028\x00é"} {
		p.text(`(async () => { const { pack } = await import("./link.js"); location.hash = "#p=" + await pack({ files: { "scene.yaml": "", "a.v.pica": ` + quote(text) + ` } }); })()`)
		p.until(shownText + ` === ""`)
		p.drawn()
		p.focus("#text")
		p.press("#")
		p.drawn()
		p.click(".files button:nth-child(2)")
		require.Equal(t, "#"+text, p.await(`import("./link.js").then(async ({ unpack }) => { const { files } = await unpack(location.hash.slice(3)); return files["scene.yaml"] + files["a.v.pica"]; })`))
		p.click(".files button:nth-child(1)")
	}
}

// A key in a long text takes few milliseconds of the page's time, whatever the text's length.
func TestLongTextsInABrowser(t *testing.T) {
	testkit.Slow(t)
	p := newTab(t)
	p.do(chromedp.Navigate(site(t).URL + "/"))
	p.drawn()
	p.write(strings.Repeat("\tmul r0, r1, r2 ; words\n", 5000))
	require.Less(t, p.number(count(".cm-line")), 300.0, "only what is near the window has elements")
}
