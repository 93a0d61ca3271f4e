package app

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"pica200/viewer/session"
)

// editor opens files in the user's editor.
type editor struct {
	run func(name string, args ...string) error // for tests: replaces starting the editor
}

// terminalEditors are editors that need a terminal; a window has none.
var terminalEditors = []string{"vi", "vim", "nvim", "nano", "ed", "ex", "joe", "pico", "micro", "hx", "helix", "kak", "mg", "ne", "emacs-nox"}

// terminals are programs that run another program in a terminal, after an option.
var terminals = [][]string{{"x-terminal-emulator", "-e"}, {"xterm", "-e"}, {"kitty"}, {"alacritty", "-e"}, {"foot"}, {"gnome-terminal", "--"}, {"konsole", "-e"}}

// editorCommand returns the command that opens a file at a line.
func editorCommand(editor string, location session.Location) ([]string, error) {
	words := strings.Fields(editor)
	if len(words) == 0 {
		return nil, errors.New("no editor is known: set VISUAL or EDITOR")
	}
	line := location.Find()
	if strings.HasPrefix(location.Path, "-") || strings.HasPrefix(location.Path, "+") {
		location.Path = "." + string(filepath.Separator) + location.Path // must not look like an option
	}
	switch name := strings.TrimSuffix(filepath.Base(words[0]), ".exe"); {
	case slices.Contains([]string{"code", "code-insiders", "codium", "vscodium", "cursor"}, name):
		return append(words, "--goto", fmt.Sprintf("%s:%d", location.Path, line)), nil
	case slices.Contains([]string{"subl", "zed", "zeditor", "atom", "hx", "helix"}, name):
		return append(words, fmt.Sprintf("%s:%d", location.Path, line)), nil
	case slices.Contains([]string{"kate", "kwrite", "idea", "goland", "clion", "pycharm"}, name):
		return append(words, "--line", fmt.Sprint(line), location.Path), nil
	}
	// The syntax of vi; nano, emacs, gedit, joe, micro and others accept it too.
	return append(words, fmt.Sprintf("+%d", line), location.Path), nil
}

// inTerminal runs editors that need a terminal in one.
func inTerminal(command []string) ([]string, error) {
	if !slices.Contains(terminalEditors, filepath.Base(command[0])) {
		return command, nil
	}
	for _, t := range terminals {
		if _, err := exec.LookPath(t[0]); err == nil {
			return append(slices.Clone(t), command...), nil
		}
	}
	return nil, fmt.Errorf("%s needs a terminal, and none of those that are known is there; set VISUAL to an editor with a window", command[0])
}

// open opens a position in the editor of $VISUAL or $EDITOR.
func (e *editor) open(a *App, location session.Location) {
	command, err := editorCommand(cmp.Or(os.Getenv("VISUAL"), os.Getenv("EDITOR")), location)
	if err == nil {
		command, err = inTerminal(command)
	}
	if err != nil {
		a.say("%v", err)
		return
	}
	run := e.run
	if run == nil {
		run = start
	}
	if err := run(command[0], command[1:]...); err != nil {
		a.say("the editor did not start: %v", err)
		return
	}
	a.say("opened %s:%d with %s", a.shortPath(location.Path), location.Find(), command[0])
}

// start starts a program without waiting for it.
func start(name string, args ...string) error {
	cmd := exec.Command(name, args...)
	if err := cmd.Start(); err != nil {
		return err
	}
	go cmd.Wait() // it may outlive the window
	return nil
}

// fullPath finds the file of a message: the path itself, or one of the files of the source, which a scene names relative to its
// folder.
func (a *App) fullPath(path string) string {
	if _, err := os.Stat(path); err == nil {
		return path
	}
	for _, f := range a.info.Files {
		if strings.HasSuffix(filepath.ToSlash(f), "/"+filepath.ToSlash(path)) {
			return f
		}
	}
	return path
}

// shortPath returns a path for display: relative to the source's folder if that is shorter.
func (a *App) shortPath(path string) string {
	if rel, err := filepath.Rel(filepath.Dir(a.info.Path), path); err == nil && len(rel) < len(path) {
		return rel
	}
	return path
}
