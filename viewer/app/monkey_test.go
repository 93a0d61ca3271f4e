package app

import (
	"cmp"
	"flag"
	"fmt"
	"image"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/tests/testkit"
	"pica200/viewer/session"
)

var (
	monkeySeed   = flag.Uint64("seed", 1, "of the random session of TestMonkey; 0 takes a new one")
	monkeyEvents = flag.Int("events", 0, "the number of events of TestMonkey; 0 is 500 in make test, 10,000 in make ci")
)

// TestMonkey uses the window at random: keys, characters, clicks, drags, sizes, and files that are touched, replaced and deleted while
// they are open. Nothing panics, no change is lost, and memory stays bounded.
func TestMonkey(t *testing.T) {
	seed, events := *monkeySeed, cmp.Or(*monkeyEvents, 500)
	if *monkeyEvents == 0 && !testkit.Short() {
		events = 10000
	}
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	monkeySession(t, seed, events)
}

func monkeySession(t *testing.T, seed uint64, events int) {
	m := newMonkey(t, seed)
	defer func() {
		if wrong := recover(); wrong != nil || t.Failed() {
			if wrong != nil {
				t.Errorf("%v\n%s", wrong, debug.Stack())
			}
			t.Logf("repeat with -run TestMonkey -seed %d -events %d; the last events: %q", seed, events, m.last)
		}
	}()
	held := []uint64{0, 0}
	for i := range events {
		m.event()
		if i == events/2 {
			held[0] = m.heap()
		}
	}
	held[1] = m.heap()
	m.undoAll()
	t.Logf("%d changes, %d saved and read again; live heap %d MB in the middle, %d MB at the end", m.changed, m.saved, held[0]>>20, held[1]>>20)
	for _, n := range held {
		// The main memory of GPUs counts, although hardly any of it is used.
		const gpu = pica.FCRAMSize + pica.VRAMSize
		require.Less(t, n/gpu, uint64(7), "GPUs in use and kept for later")
		require.Less(t, n%gpu, uint64(48<<20), "live heap besides the memory of GPUs")
	}
}

// monkey is a random session.
type monkey struct {
	*driver
	r        *rand.Rand
	files    []string // to open
	text     map[string][]byte
	last     []string // events
	seen     edits
	kept     edits        // those that were saved
	in       session.Info // where they were seen
	gesture  string
	doing    string
	answers  *question // about changes, which was asked
	discards bool      // it was answered so
	changed  int
	saved    int
}

func newMonkey(t *testing.T, seed uint64) *monkey {
	dir := t.TempDir()
	m := &monkey{r: rand.New(rand.NewPCG(seed, 0)), text: map[string][]byte{}}
	for _, from := range []string{"../testdata/window.yaml", "../testdata/window.v.pica", "../testdata/triangles.yaml", "../../testdata/traces/shadow.ctf", "../../testdata/traces/shadow.case.yaml",
		"../../testdata/traces/shadow-color.png", "../../testdata/traces/shadow-shadow.png", "../../testdata/traces/gas.ctf", "../../testdata/models/arm.cgfx", "../../testdata/models/arm.bnr"} {
		to := filepath.Join(dir, filepath.Base(from))
		m.text[to] = testkit.Read(t, from)
		require.NoError(t, os.WriteFile(to, m.text[to], 0o644))
		if session.CanOpen(to) {
			m.files = append(m.files, to)
		}
	}
	require.Greater(t, len(m.files), 6)
	slices.Sort(m.files)
	out := filepath.Join(dir, "out")
	require.NoError(t, os.Mkdir(out, 0o755))
	t.Chdir(dir)
	m.driver = drive(t, open(t, filepath.Join(dir, "window.yaml")), Options{Open: openFile, OutDir: out, Recent: filepath.Join(dir, "config", "recent")})
	m.driver.edits("vi")
	m.posted = func() { m.check("what came after " + m.doing) }
	m.look()
	return m
}

// one returns one of a list.
func (m *monkey) one(list ...string) string { return list[m.r.IntN(len(list))] }

// event does something, handles what has come, and checks that no change was lost.
func (m *monkey) event() {
	if q := m.asked(); q != nil && q != m.answers && !q.optional {
		m.answers = q
		for i := range q.answers {
			if w := &q.answers[i]; w.text == "discard" {
				do := w.do
				w.do = func() { m.discards = true; do() }
			}
		}
	}
	m.doing = m.act()
	m.last = append(m.last, fmt.Sprintf("%s: %T, %d changes", m.doing, m.screen.Popup(), len(m.req.Edits)))
	m.last = m.last[max(len(m.last)-20, 0):]
	m.check(m.doing)
	m.quit = false
	if m.r.IntN(40) == 0 {
		m.jobs()
	}
	m.Update()
	if m.r.IntN(2) == 0 {
		m.Overlay() // otherwise several events come in one picture
	}
}

func (m *monkey) act() string {
	r := m.r
	size := m.screen.Img.Rect.Size()
	at := image.Pt(r.IntN(size.X), r.IntN(size.Y))
	if tip := m.screen.AnyTip(m.r.IntN); tip != "" && r.IntN(4) > 0 {
		at, _ = m.screen.Where(tip)
	}
	mods := []Mods{0, 0, 0, Shift, Ctrl}[r.IntN(5)]
	button := []Button{ButtonLeft, ButtonLeft, ButtonLeft, ButtonRight, ButtonMiddle}[r.IntN(5)]
	m.now = m.now.Add(time.Duration(r.IntN(400)) * time.Millisecond)
	switch k := r.IntN(100); {
	case k < 10:
		return m.edit()
	case k < 25:
		b := &bindings[r.IntN(len(bindings))]
		m.Key(b.key, b.mods)
		return fmt.Sprint(b.mods, b.key)
	case k < 40:
		key := []Key{KeyEscape, KeyEnter, KeyUp, KeyDown, KeyLeft, KeyRight, KeyTab, KeyBackspace, KeyDelete, KeyHome, KeyEnd, KeyPageDown, 'Z', 'Y', 'V', 'A', 'X'}[r.IntN(17)]
		m.Key(key, mods)
		return fmt.Sprint(mods, key)
	case k < 50:
		text := m.one("/", "0.25", "0.1 0.2 0.3 1", "material diffuse", "texenv", "x*2", "win", "é", "1e40", ".", string(filepath.Separator), "#80FF00")
		m.typed(text)
		return fmt.Sprintf("%q", text)
	case k < 72:
		m.Press(button, mods, at)
		if r.IntN(10) > 0 {
			m.Release(at)
		}
		return fmt.Sprintf("button %d at %v", button, at)
	case k < 80:
		m.Press(button, mods, at)
		for range r.IntN(3) {
			to := at.Add(image.Pt(r.IntN(120)-60, r.IntN(80)-40))
			m.Move(to)
		}
		m.Release(m.screen.At())
		return fmt.Sprintf("drag %d from %v", button, at)
	case k < 84:
		m.Move(at)
		m.Scroll(float64(r.IntN(7) - 3))
		return "wheel"
	case k < 86:
		w, h := 320+r.IntN(1200), 200+r.IntN(700)
		m.Resize(w, h, []float64{1, 1, 1, 1.5, 2}[r.IntN(5)])
		return fmt.Sprintf("size %dx%d", w, h)
	case k < 88:
		path := m.files[r.IntN(len(m.files))]
		m.OpenFile(path)
		return "open " + filepath.Base(path)
	case k < 91:
		return m.disturb()
	}
	m.Move(at)
	return "move"
}

// edit changes a value in the panel, or saves.
func (m *monkey) edit() string {
	if m.screen.Popup() != nil && m.asked() == nil {
		m.Key(KeyEscape, 0)
	}
	if m.screen.Popup() != nil || m.info.Frames > 0 || m.picture == nil {
		return "nothing"
	}
	if m.r.IntN(3) == 0 {
		m.Key('S', Ctrl)
		return "save"
	}
	if m.dock != dockPanel {
		m.Key(KeyTab, 0)
	}
	if p := m.picture; len(p.Rows) > 0 {
		m.panel.Search.Set("")
		m.panel.Select(p.Rows[m.r.IntN(len(p.Rows))].Key)
		m.screen.Focus(m.panel)
		m.Key([]Key{KeyRight, KeyLeft, KeyEnter}[m.r.IntN(3)], []Mods{0, Shift}[m.r.IntN(2)])
	}
	return "edit"
}

// disturb changes a file on the disk as another program would.
func (m *monkey) disturb() string {
	for again := true; again; again = m.history.writing > 0 { // what is saved is looked at before it is overwritten
		m.jobs()
	}
	path := m.files[m.r.IntN(len(m.files))]
	if m.r.IntN(2) == 0 {
		path = m.info.Path
	}
	text, ok := m.text[path]
	if !ok {
		text = m.text[m.files[len(m.files)-1]] // the window has written the file
	}
	what := m.one("touch", "restore", "restore", "truncate", "replace", "delete")
	switch what {
	case "touch":
		text, _ = os.ReadFile(path)
	case "truncate":
		text = text[:m.r.IntN(len(text))]
	case "replace":
		text = m.text[m.files[m.r.IntN(len(m.files))]]
	}
	if what == "delete" {
		os.Remove(path)
	} else {
		require.NoError(m.t, os.WriteFile(path, text, 0o644))
	}
	return what + " " + filepath.Base(path)
}

// look remembers the changes, for check.
func (m *monkey) look() {
	m.seen, m.kept, m.in, m.gesture = maps.Clone(m.req.Edits), m.history.saved, m.info, m.history.gesture
	if m.history.savedUntil.IsZero() {
		m.history.savedUntil = time.Unix(1, 0) // until another file is opened
	}
}

// check requires that changes that are gone can be made again, by undo, redo, or from the file, and that a file has what was saved.
func (m *monkey) check(what string) {
	now, was, h := m.req.Edits, m.seen, &m.history
	defer m.look()
	if h.savedUntil.IsZero() { // another file is open
		require.True(m.t, m.discards || differ(was, m.kept) == 0, "changes were lost without a question: %v, saved %v", was, m.kept)
		m.discards = false
		return
	}
	again := m.info.Base != m.in.Base
	if !again && differ(h.saved, m.kept) > 0 {
		damaged := func(path string) bool {
			data, err := os.ReadFile(path)
			return path != m.info.Path && (err != nil || m.text[path] != nil && !slices.Equal(data, m.text[path]))
		}
		if !slices.ContainsFunc(m.info.Files, damaged) {
			s, err := openFile(m.info.Path)
			require.NoError(m.t, err, "a saved file")
			require.Empty(m.t, m.lacks(s, h.saved), "a saved change is not in the file:\n%s", testkit.Read(m.t, m.info.Path))
			s.Close()
		}
		m.saved++
	}
	if edited(was, now) == "" {
		return
	}
	m.changed++
	has := func(list []edits) bool {
		return slices.ContainsFunc(list, func(c edits) bool { e := edited(c, was); return e == "" || e == m.gesture })
	}
	switch {
	case has(h.past) || has(h.future):
	case h.gesture != "" && edited(was, now) == h.gesture:
	case again: // what was saved is that of the other program
		for k, e := range was {
			require.True(m.t, slices.Equal(e.Values, now[k].Values) || slices.Equal(e.Values, m.kept[k].Values), "a change was lost, %s: %v became %v, saved %v", what, was, now, m.kept)
		}
	default:
		require.Failf(m.t, "a change was lost", "%s: %v became %v", what, was, now)
	}
}

// edited returns the name of what differs between two states: that of a uniform, "several", or "".
func edited(a, b edits) (name string) {
	for _, two := range [][2]edits{{a, b}, {b, a}} {
		for k, e := range two[0] {
			if f, ok := two[1][k]; ok && slices.Equal(e.Values, f.Values) || name == e.Name {
				continue
			}
			if name != "" {
				return "several"
			}
			name = e.Name
		}
	}
	return name
}

// lacks returns a change that a file does not have, "" if it has all.
func (m *monkey) lacks(s session.Source, changes edits) string {
	for _, e := range changes {
		draw, _, _ := strings.Cut(e.Draw, ": ")
		if slices.ContainsFunc(slices.Collect(maps.Values(changes)), func(o session.Edit) bool {
			return o.Name == e.Name && o.Draw != e.Draw && (draw == "" || strings.HasPrefix(o.Draw, draw+": "))
		}) {
			continue // a draw, or a part of it, has its own value, and may be all that is shown
		}
		p, err := s.Render(m.t.Context(), &session.Request{Draw: -1, Rows: true, Target: e.Draw, Time: s.Info().Start})
		if err != nil {
			return err.Error()
		}
		for i := range p.Rows {
			u := &p.Rows[i]
			if u.Key != e.Name || len(u.Values) != len(e.Values) || u.Type == "bool" || e.Draw == "" && u.Mixed != nil {
				continue
			}
			near := 1e-5
			if u.Type == "table" { // saved with the digits that the hardware can tell apart
				if near = 1.0 / 2048; strings.HasPrefix(u.Key, "dmp_Gas.") {
					near = 1.0 / 255
				}
			}
			for n, v := range e.Values {
				if f, ok := v.(float64); ok && math.Abs(f-u.Values[n]) > near*max(1, math.Abs(f)) {
					return fmt.Sprintf("%s has %v, not %v", e.Key(), u.Values, e.Values)
				}
			}
		}
	}
	return ""
}

// undoAll takes back every change, and makes all again.
func (m *monkey) undoAll() {
	for m.screen.Popup() != nil {
		m.screen.Close(m.screen.Popup())
	}
	m.panel.Cancel()
	m.screen.Focus(nil)
	m.stopTurntable()
	m.jobs()
	if m.info.Golden {
		return
	}
	want := maps.Clone(m.req.Edits)
	n := len(m.history.past)
	for _, k := range []Key{'Z', 'Y'} {
		for range n {
			m.Key(k, Ctrl)
		}
	}
	require.Zero(m.t, differ(want, m.req.Edits))
	m.jobs()
}

// heap returns the bytes in use at rest, with the first file.
func (m *monkey) heap() uint64 {
	for m.screen.Popup() != nil {
		m.screen.Close(m.screen.Popup())
	}
	m.motion.playing, m.motion.turntable = false, false
	m.flicker.on = false
	if m.recorder.now != nil {
		m.stopRecording()
	}
	for path, text := range m.text {
		require.NoError(m.t, os.WriteFile(path, text, 0o644))
	}
	m.discards = true
	m.openFile(m.files[len(m.files)-1], func(err error) { require.NoError(m.t, err) }, nil)
	m.jobs()
	m.look()
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc - uint64(testkit.Ballast())
}
