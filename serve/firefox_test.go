package serve

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// browsers open a tab.
var browsers = map[string]func(t *testing.T) *tab{"Chromium": newTab, "Firefox": newFirefox}

// firefox is a Firefox without a screen, driven through Marionette, its protocol for tests: a number of bytes, a colon and JSON,
// [0, number, command, parameters] or [1, number, error, result].
type firefox struct {
	conn net.Conn
	in   *bufio.Reader
	sent int
}

func newFirefox(t *testing.T) *tab {
	t.Helper()
	if os.Getenv("PICA200_FIREFOX") == "" {
		t.Skip("Firefox is tried with PICA200_FIREFOX=1; on a busy machine it loses chords with Alt")
	}
	path, err := exec.LookPath("firefox")
	if err != nil {
		if path, err = exec.LookPath("firefox-esr"); err != nil {
			t.Skip("no Firefox (Debian: apt-get install firefox-esr)")
		}
	}
	profile := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(profile, "user.js"), []byte(`user_pref("marionette.port", 0); user_pref("app.update.enabled", false); user_pref("ui.key.menuAccessKeyFocuses", false); user_pref("datareporting.policy.dataSubmissionEnabled", false);`), 0o666))
	cmd := exec.Command(path, "--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", profile)
	require.NoError(t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	f := &firefox{}
	t.Cleanup(func() {
		if f.conn != nil {
			_ = f.call("Marionette:Quit", map[string]any{"flags": []string{"eForceQuit"}}, nil)
			_ = f.conn.Close()
		}
		select {
		case <-ended:
		case <-time.After(20 * time.Second):
			_ = cmd.Process.Kill()
			<-ended
		}
	})
	port := ""
	for end := time.Now().Add(2 * time.Minute); port == ""; time.Sleep(20 * time.Millisecond) {
		data, _ := os.ReadFile(filepath.Join(profile, "MarionetteActivePort"))
		port = strings.TrimSpace(string(data))
		require.True(t, time.Now().Before(end), "Firefox does not start")
	}
	conn, err := net.Dial("tcp", "127.0.0.1:"+port)
	require.NoError(t, err)
	f.conn, f.in = conn, bufio.NewReader(conn)
	require.NoError(t, conn.SetDeadline(time.Now().Add(15*time.Minute)))
	_, err = f.read() // what the protocol is
	require.NoError(t, err)
	require.NoError(t, f.call("WebDriver:NewSession", map[string]any{}, nil))
	require.NoError(t, f.call("WebDriver:SetWindowRect", map[string]any{"width": 1500, "height": 990}, nil))
	return &tab{t: t, fox: f}
}

func (f *firefox) read() ([]byte, error) {
	head, err := f.in.ReadString(':')
	if err != nil {
		return nil, err
	}
	n := 0
	if _, err := fmt.Sscanf(head, "%d:", &n); err != nil {
		return nil, err
	}
	data := make([]byte, n)
	_, err = io.ReadFull(f.in, data)
	return data, err
}

// call sends a command and reads its result.
func (f *firefox) call(command string, parameters, result any) error {
	f.sent++
	data, err := json.Marshal([]any{0, f.sent, command, parameters})
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(f.conn, "%d:%s", len(data), data); err != nil {
		return err
	}
	if data, err = f.read(); err != nil {
		return err
	}
	var answer [4]json.RawMessage
	if err := json.Unmarshal(data, &answer); err != nil {
		return err
	}
	if string(answer[2]) != "null" {
		return fmt.Errorf("%s: %s", command, answer[2])
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(answer[3], result)
}

func (f *firefox) eval(js string) (string, error) {
	var got struct{ Value string }
	err := f.call("WebDriver:ExecuteScript", map[string]any{"script": "return " + js, "args": []any{}, "sandbox": nil}, &got)
	return got.Value, err
}

func (f *firefox) screenshot() ([]byte, error) {
	var got struct{ Value string }
	if err := f.call("WebDriver:TakeScreenshot", map[string]any{"full": false}, &got); err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(got.Value)
}

// named are keys by the characters that chromedp and WebDriver use for them.
var named = map[string]string{kb.Enter: "\ue007", kb.Tab: "\ue004", kb.Escape: "\ue00c", kb.Backspace: "\ue003", kb.Delete: "\ue017",
	kb.ArrowLeft: "\ue012", kb.ArrowUp: "\ue013", kb.ArrowRight: "\ue014", kb.ArrowDown: "\ue015", kb.End: "\ue010", kb.Home: "\ue011"}

// key presses a key with modifiers, and releases it.
func (f *firefox) key(key rune, modifiers kb.Modifier) error {
	keys := []string{}
	for _, m := range []struct {
		bit kb.Modifier
		key string
	}{{kb.ModifierCtrl, "\ue009"}, {kb.ModifierShift, "\ue008"}, {kb.ModifierAlt, "\ue00a"}} {
		if modifiers&m.bit != 0 {
			keys = append(keys, m.key)
		}
	}
	k, ok := named[string(key)]
	if !ok {
		k = string(key)
	}
	keys = append(keys, k)
	actions := []map[string]string{}
	for _, k := range keys {
		actions = append(actions, map[string]string{"type": "keyDown", "value": k})
	}
	for i := range keys {
		actions = append(actions, map[string]string{"type": "keyUp", "value": keys[len(keys)-1-i]})
	}
	return f.call("WebDriver:PerformActions", map[string]any{"actions": []any{map[string]any{"type": "key", "id": "keys", "actions": actions}}}, nil)
}

// chrome runs a script of Firefox itself.
func (f *firefox) chrome(js string) error {
	if err := f.call("Marionette:SetContext", map[string]string{"value": "chrome"}, nil); err != nil {
		return err
	}
	if _, err := f.eval(js + ", 'done'"); err != nil {
		return err
	}
	return f.call("Marionette:SetContext", map[string]string{"value": "content"}, nil)
}

// compose types with an input method: each text takes the position of the one before, and none is chosen yet. The Enter that
// composed sends is the input method's.
func (p *tab) compose(texts ...string) {
	p.t.Helper()
	for i, text := range texts {
		if p.fox != nil {
			begin := ""
			if i == 0 {
				begin = `window.typing = Cc["@mozilla.org/text-input-processor;1"].createInstance(Ci.nsITextInputProcessor), window.typing.beginInputTransactionForTests(window), `
			}
			require.NoError(p.t, p.fox.chrome(begin+`window.typing.setPendingCompositionString(`+quote(text)+`), window.typing.appendClauseToPendingComposition(`+quote(text)+`.length, window.typing.ATTR_RAW_CLAUSE),
				window.typing.setCaretInPendingComposition(`+quote(text)+`.length), window.typing.flushPendingComposition(new window.KeyboardEvent("", { key: "k" }))`))
			continue
		}
		n := int64(len([]rune(text)))
		_, err := chromedp.Call(p.ctx, input.ImeSetComposition, input.ImeSetCompositionParams{Text: text, SelectionStart: n, SelectionEnd: n})
		require.NoError(p.t, err)
	}
}

// composed chooses a text with Enter.
func (p *tab) composed(text string) {
	p.t.Helper()
	if p.fox != nil {
		require.NoError(p.t, p.fox.chrome(`window.typing.commitCompositionWith(`+quote(text)+`, new window.KeyboardEvent("", { key: "Enter" }))`))
		return
	}
	for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeRawKeyDown, input.DispatchKeyEventTypeKeyUp} {
		_, err := chromedp.Call(p.ctx, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kind, Key: "Process", Code: "Enter", WindowsVirtualKeyCode: 229})
		require.NoError(p.t, err)
	}
	_, err := chromedp.Call(p.ctx, input.InsertText, input.InsertTextParams{Text: text})
	require.NoError(p.t, err)
}
