package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

type versionCmd struct{}

func (versionCmd) Help() string {
	return `Prints the version (the commit it was built from), the Go version and the target.

Example:

  pica200 version`
}

func (versionCmd) Run(con *console) error {
	commit, modified := "unknown", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				commit = s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				modified = ", modified"
			}
		}
	}
	_, err := fmt.Fprintf(con.out, "pica200 commit %.12s%s, %s %s/%s\n", commit, modified, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
