// Package xscreen runs an X server without a screen (Xvfb), sends it real keys
// and movements of the mouse (xdotool), and reads what it shows. It is for tests
// and films of the viewer's window.
package xscreen

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Screen is an X server with a screen of its own, without a window manager.
type Screen struct {
	Display string      // its name, for DISPLAY
	Server  *os.Process // Xvfb
	dir     string      // of its framebuffer, which is a file
	wait    func() error
}

// ErrMissing reports that a program is not installed.
var ErrMissing = errors.New("\"make setup\" installs it on Debian and Ubuntu")

// Start starts a server.
func Start(w, h int) (s *Screen, err error) {
	for _, tool := range []string{"Xvfb", "xdotool"} {
		if _, err := exec.LookPath(tool); err != nil {
			return nil, fmt.Errorf("%s is not installed; %w", tool, ErrMissing)
		}
	}
	s = &Screen{}
	if s.dir, err = os.MkdirTemp("", "xscreen"); err != nil {
		return nil, err
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer read.Close()
	// Without -noreset the server starts afresh when its last client goes, and
	// refuses the next one that comes too soon.
	x := exec.Command("Xvfb", "-noreset", "-displayfd", "3", "-screen", "0", fmt.Sprintf("%dx%dx24", w, h), "-fbdir", s.dir, "-nolisten", "tcp")
	x.ExtraFiles = []*os.File{write}
	err = x.Start()
	write.Close()
	if err != nil {
		return nil, err
	}
	s.Server, s.wait = x.Process, x.Wait
	number, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		s.Close()
		return nil, fmt.Errorf("the X server did not start: %w", err)
	}
	s.Display = ":" + strings.TrimSpace(number)
	return s, nil
}

// Close ends the server.
func (s *Screen) Close() {
	_ = s.Server.Signal(os.Interrupt)
	_ = s.wait()
	os.RemoveAll(s.dir)
}

// Env are the variables with which a program shows its windows there, drawn by
// Mesa without a graphics card.
func (s *Screen) Env() []string {
	return []string{"DISPLAY=" + s.Display, "LIBGL_ALWAYS_SOFTWARE=1", "GALLIUM_DRIVER=llvmpipe"}
}

// Do runs xdotool, which returns when the server has carried out its commands.
func (s *Screen) Do(args ...string) error {
	cmd := exec.Command("xdotool", args...)
	cmd.Env = append(os.Environ(), s.Env()...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("xdotool %v: %w: %s", args, err, out)
	}
	return nil
}

// Shot reads the screen: a file in the format of xwd (X11/XWDFile.h): a header
// of 25 words, a name, colours of 12 bytes, and the pixels, 32 bits each.
func (s *Screen) Shot() (*image.RGBA, error) {
	data, err := os.ReadFile(filepath.Join(s.dir, "Xvfb_screen0"))
	if err != nil {
		return nil, err
	}
	word := func(i int) int { return int(binary.BigEndian.Uint32(data[4*i:])) }
	w, h, line := word(4), word(5), word(12)
	at := word(0) + 12*word(19)
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		from, to := data[at+y*line:][:4*w], img.Pix[y*img.Stride:][:4*w]
		for i := 0; i < len(to); i += 4 {
			to[i], to[i+1], to[i+2], to[i+3] = from[i+2], from[i+1], from[i], 255
		}
	}
	return img, nil
}
