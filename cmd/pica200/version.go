package main

import (
	"fmt"
	"runtime"
	"strings"

	"pica200/internal/module"
	"pica200/internal/simd"
)

type versionCmd struct{}

func (versionCmd) Help() string {
	return `Prints the version, the commit and its time, whether files were changed
since, the Go version, the target system and the form of the kernels (AVX2,
portable or plain).

Example:

  pica200 version`
}

func (versionCmd) Run(con *console) error {
	_, err := fmt.Fprintf(con.out, "pica200 %s\n", versionText(module.Read()))
	return err
}

func versionText(i module.Info) string {
	parts := []string{i.Version}
	if i.Revision != "" {
		commit := fmt.Sprintf("commit %.12s", i.Revision)
		if i.Time != "" {
			commit += " of " + i.Time
		}
		if i.Modified {
			commit += ", with changes"
		}
		parts = append(parts, commit)
	}
	parts = append(parts, fmt.Sprintf("%s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH), fmt.Sprintf("%s kernels", simd.Best))
	return strings.Join(parts, ", ")
}
