// Package module returns the path of this module and what "go build" recorded
// about it. Only go.mod contains the path ("make module" changes it); code that
// needs it calls Path.
package module

import (
	"reflect"
	"runtime/debug"
	"strings"
)

type here struct{}

// Path returns the path of this module, as in go.mod.
func Path() string {
	return strings.TrimSuffix(reflect.TypeFor[here]().PkgPath(), "/internal/module")
}

// Info is information about the build of this module. Unknown fields are empty.
type Info struct {
	Version  string // v0.1.0, a pseudo-version, or (devel)
	Revision string // of the repository, in full
	Time     string // of the revision, RFC 3339
	Modified bool   // files were changed after Revision
	Go       string // go1.26.0
}

// Read returns what the running program recorded. Revision, Time and Modified
// belong to the program's main module, so they are set only if that is this
// module; other programs know only the version of this module.
func Read() Info {
	b, ok := debug.ReadBuildInfo()
	if !ok {
		return Info{Version: devel}
	}
	return info(b, Path())
}

const devel = "(devel)"

func info(b *debug.BuildInfo, path string) Info {
	i := Info{Version: devel, Go: b.GoVersion}
	if b.Main.Path != path {
		for _, d := range b.Deps {
			if d.Path != path {
				continue
			}
			if d.Replace != nil {
				d = d.Replace
			}
			if d.Version != "" { // it has none if a folder replaces the module
				i.Version = d.Version
			}
		}
		return i
	}
	if b.Main.Version != "" {
		i.Version = b.Main.Version
	}
	for _, s := range b.Settings {
		switch s.Key {
		case "vcs.revision":
			i.Revision = s.Value
		case "vcs.time":
			i.Time = s.Value
		case "vcs.modified":
			i.Modified = s.Value == "true"
		}
	}
	return i
}

// Short returns the first twelve digits of the revision, or the version.
func (i *Info) Short() string {
	if len(i.Revision) >= 12 {
		return i.Revision[:12]
	}
	return i.Version
}
