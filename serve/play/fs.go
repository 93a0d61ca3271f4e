package play

import (
	"encoding/base64"
	"io/fs"
	"strings"
	"time"
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
	return &textFile{*strings.NewReader(text), name, int64(len(text))}, nil
}

func (t textFS) read(name string) ([]byte, error) { return fs.ReadFile(t, name) }

// textFile is an open text with its file information.
type textFile struct {
	strings.Reader
	name string
	size int64
}

func (f *textFile) Stat() (fs.FileInfo, error) { return textInfo{f}, nil }
func (f *textFile) Close() error               { return nil }

type textInfo struct{ f *textFile }

func (i textInfo) Name() string       { return i.f.name }
func (i textInfo) Size() int64        { return i.f.size }
func (i textInfo) Mode() fs.FileMode  { return 0o444 }
func (i textInfo) ModTime() time.Time { return time.Time{} }
func (i textInfo) IsDir() bool        { return false }
func (i textInfo) Sys() any           { return nil }
