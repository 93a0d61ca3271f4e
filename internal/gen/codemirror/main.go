// Command codemirror makes serve/page/codemirror.js, the text editor of the pages:
// CodeMirror and what it needs, of the versions in package-lock.json, in one file.
// It needs npm, which fetches them.
//
//	go -C internal/gen/codemirror run .
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// file is what the pages import.
const file = "../../../serve/page/codemirror.js"

func main() {
	text, err := bundle()
	if err == nil {
		err = os.WriteFile(file, text, 0o666)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "codemirror:", err)
		os.Exit(1)
	}
}

// bundle fetches the packages and joins them to a module that exports them as
// one object.
func bundle() ([]byte, error) {
	npm := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	if said, err := npm.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("npm ci: %w\n%s", err, said)
	}
	r := api.Build(api.BuildOptions{
		EntryPoints: []string{"index.js"}, Bundle: true, Format: api.FormatIIFE, GlobalName: "codemirror", Target: api.ES2022,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, Charset: api.CharsetUTF8,
		Alias: map[string]string{"style-mod": "./style.js"}, Metafile: true,
	})
	if len(r.Errors) > 0 {
		return nil, errors.New(strings.Join(api.FormatMessages(r.Errors, api.FormatMessagesOptions{}), ""))
	}
	licences, err := licences()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "// Made by internal/gen/codemirror. DO NOT EDIT.\n/*\n%s*/\n%sexport const cm = codemirror;\n", licences, r.OutputFiles[0].Contents)
	return out.Bytes(), nil
}

// licences returns the packages by licence, with the texts.
func licences() (string, error) {
	packages := map[string][]string{} // by licence
	files, err := fs.Glob(os.DirFS("node_modules"), "*/LICENSE")
	if err != nil {
		return "", err
	}
	scoped, err := fs.Glob(os.DirFS("node_modules"), "@*/*/LICENSE")
	if err != nil {
		return "", err
	}
	var order []string
	for _, f := range append(scoped, files...) {
		text, err := os.ReadFile("node_modules/" + f)
		if err != nil {
			return "", err
		}
		licence := strings.TrimSpace(string(text)) + "\n"
		if packages[licence] == nil {
			order = append(order, licence)
		}
		packages[licence] = append(packages[licence], path.Dir(f))
	}
	var out strings.Builder
	for _, licence := range order {
		if strings.Contains(licence, "*/") {
			return "", fmt.Errorf("the licence of %s ends comments", packages[licence])
		}
		slices.Sort(packages[licence])
		fmt.Fprintf(&out, "%s:\n\n%s\n", strings.Join(packages[licence], ", "), licence)
	}
	return out.String(), nil
}
