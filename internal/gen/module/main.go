// Command module changes the path of the module: "make module MODULE=host/owner/name". It rewrites the go.mod files, every import,
// and the places in pages that show either.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 2 || os.Args[1] == "" {
		fmt.Fprintln(os.Stderr, "usage: make module MODULE=host/owner/name, the path under which the repository is to be found")
		os.Exit(2)
	}
	n, err := rename(".", os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "module:", err)
		os.Exit(1)
	}
	fmt.Printf("%d files changed; the module is %s\n", n, os.Args[1])
}
