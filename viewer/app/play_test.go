package app

import (
	"fmt"
	"hash/crc32"
	"image"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"pica200/tests/testkit"
)

// TestRandomInputChecksums presses every key and random mouse buttons, and compares requests, panels, messages and checksums of the overlay with a
// file.
func TestRandomInputChecksums(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the camera's place has other last digits where products and sums are fused")
	}
	scene, _ := copyScene(t)
	t.Chdir(filepath.Dir(scene))
	d := drive(t, open(t, "window.yaml"), Options{OutDir: t.TempDir()})
	d.Resize(300, 200, 1)
	d.settle()
	var b strings.Builder
	say := func(what string) {
		for d.jobs(); !d.moving() && !d.Rests(); {
			d.jobs()
		}
		img, _ := d.Overlay()
		note, _, _ := strings.Cut(d.message.text, string(filepath.Separator)) // folders differ
		_, _, dest, smooth := d.Scene()
		fmt.Fprintf(&b, "%s: %+v, panel %d, target %s, %q %q, at %v %v, %08x\n", what, d.req, d.dock, d.target, note, d.Problem(), dest, smooth, crc32.ChecksumIEEE(img.Pix))
		d.motion.playing, d.motion.turntable = false, false // which picture is shown during motion depends on timing
		d.now = d.now.Add(40 * time.Millisecond)
	}
	say("at first")
	left := map[string]bool{"Q": true, "O": true, "S": true, "F5": true, "E": true, "G": true, "F3": true, "F9": true, "F12": true, "P": true} // these end the program, write files, or depend on times
	for i := range bindings {
		if k := &bindings[i]; !left[k.key.String()] && k.mods&Ctrl == 0 {
			d.Key(k.key, k.mods)
			say(fmt.Sprintf("%v%v", k.mods, k.key))
			if d.Screen().Popup() != nil || i%6 == 0 {
				d.Key(KeyEscape, 0)
				say("Esc")
			}
		}
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 30 {
		at, by := image.Pt(r.IntN(300), 20+r.IntN(170)), image.Pt(r.IntN(80)-40, r.IntN(60)-30)
		button := []Button{ButtonLeft, ButtonRight, ButtonMiddle}[r.IntN(3)]
		switch r.IntN(4) {
		case 0:
			d.Move(at)
			d.Scroll(float64(r.IntN(5) - 2))
			say(fmt.Sprintf("wheel at %v", at))
		case 1:
			d.Press(button, 0, at)
			d.Release(at)
			say(fmt.Sprintf("button %d at %v", button, at))
		default:
			d.Press(button, []Mods{0, Shift}[r.IntN(2)], at)
			d.Move(at.Add(by))
			d.Release(at.Add(by))
			say(fmt.Sprintf("button %d from %v by %v", button, at, by))
		}
	}
	testkit.Golden(t, filepath.Join(filepath.Dir(shots), "play.txt"), []byte(b.String()))
}
