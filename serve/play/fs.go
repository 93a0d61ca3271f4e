package play

import (
	"encoding/base64"
	"io/fs"
	"strings"
	"testing/fstest"
)

// coded is the prefix of a file that is not text: base64 follows.
const coded = "base64,"

// textFS is a folder of texts, for scene.Scene.FS.
type textFS map[string]string

// Open opens a text. There are no folders.
func (t textFS) Open(name string) (fs.File, error) {
	text, ok := t[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	if coded, ok := strings.CutPrefix(text, coded); ok {
		data, err := base64.StdEncoding.DecodeString(coded)
		if err != nil {
			return nil, &fs.PathError{Op: "open", Path: name, Err: err}
		}
		text = string(data)
	}
	return fstest.MapFS{name: {Data: []byte(text), Mode: 0o444}}.Open(name)
}

func (t textFS) read(name string) ([]byte, error) { return fs.ReadFile(t, name) }
