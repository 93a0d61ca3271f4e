package source

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pica200/assets/picatrace"
	"pica200/internal/files"
	"pica200/scene/scenebuild"
)

// Kind is a kind of file that can be drawn.
type Kind struct {
	scenebuild.Kind
	open func(path string, k *Kind, o Options) Source // reads nothing yet
}

// Kinds lists the kinds. A recording is recognised by its contents, the others
// by the ending of the name before their contents.
var Kinds = kinds()

func kinds() []Kind {
	list := []Kind{{scenebuild.Kind{Name: "recorded trace", Ends: []string{".ctf", ".picatrace"}, Begins: picatrace.IsTrace}, newRecording}}
	for _, k := range scenebuild.Kinds {
		list = append(list, Kind{k, newScene})
	}
	return append(list, Kind{scenebuild.Kind{Name: "texture", Ends: []string{".t3x"}}, newTexture}) // without a signature
}

// KindOf returns the kind of a file by its name and first bytes
// (scenebuild.HeadBytes); nil if these do not tell.
func KindOf(name string, head []byte) *Kind {
	if Kinds[0].Begins(head) {
		return &Kinds[0]
	}
	for _, tells := range []func(k *Kind) bool{
		func(k *Kind) bool {
			return slices.Contains(k.Ends, strings.ToLower(filepath.Ext(name))) && !strings.HasSuffix(name, ".case.yaml")
		},
		func(k *Kind) bool { return k.Begins != nil && k.Begins(head) },
	} {
		for i := range Kinds {
			if tells(&Kinds[i]) {
				return &Kinds[i]
			}
		}
	}
	return nil
}

// KindOfFile is KindOf for a regular file; nil if it cannot be read.
func KindOfFile(path string) *Kind {
	head, err := files.Head(path, scenebuild.HeadBytes)
	if err != nil {
		return nil
	}
	return KindOf(path, head)
}

// Find is Open without reading the file, except for its start: for files that
// may be mended later. Only Info, Reload and Close may be called before Reload
// succeeds.
func Find(path string, o Options) (Source, error) {
	data, err := o.Data, error(nil)
	head := data
	switch info, e := os.Stat(path); {
	case data != nil:
	case !o.Named && e == nil && !info.Mode().IsRegular() && !info.IsDir():
		data, err = files.Read(path, files.Max) // a pipe is read once
		head, o.Data = data, data
	default:
		head, err = files.Head(path, scenebuild.HeadBytes)
	}
	kind := KindOf(path, head)
	if err == nil && kind == nil && data == nil {
		data, err = files.ReadRegular(path, files.Max)
	}
	if err != nil {
		return nil, err
	}
	for i := range Kinds {
		if k := &Kinds[i]; kind == nil && k.Detect != nil && k.Detect(data) {
			kind = k
		}
	}
	if kind == nil {
		return nil, fmt.Errorf("%s cannot be drawn: there are %s", path, known())
	}
	return kind.open(path, kind, o), nil
}

// known lists the kinds with the endings of their names.
func known() string {
	var list []string
	for i := range Kinds {
		list = append(list, fmt.Sprintf("%ss (%s)", Kinds[i].Name, strings.Join(Kinds[i].Ends, ", ")))
	}
	return strings.Join(list, ", ")
}
