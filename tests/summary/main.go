// Command summary reads what "go test -json" prints and shows it as "go test"
// does, with one line more at the end: how many tests were skipped, and why.
//
//	go test -json ./... | go run ./tests/summary
//
// The exit status is 1 if anything failed.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
)

// event is a line of the output of go tool test2json, and of what "go build
// -json" says of packages that cannot be built.
type event struct {
	Action      string
	ImportPath  string
	Package     string
	Test        string
	Output      string
	FailedBuild string
}

type key struct{ pkg, test string }

// summary is what was seen so far.
type summary struct {
	out     io.Writer
	output  map[key][]string // what a test printed, while it runs
	skipped map[string]int   // by reason
	failed  bool
}

func main() {
	s := &summary{out: os.Stdout, output: map[key][]string{}, skipped: map[string]int{}}
	if err := s.read(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "summary:", err)
		os.Exit(1)
	}
	fmt.Print(s.line())
	if s.failed {
		os.Exit(1)
	}
}

func (s *summary) read(r io.Reader) error {
	in := bufio.NewReader(r)
	for {
		text, err := in.ReadString('\n')
		if text != "" {
			var e event
			if json.Unmarshal([]byte(text), &e) != nil || e.Action == "" {
				fmt.Fprint(s.out, text) // not of the tests: a message of go itself
			} else {
				s.event(e)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (s *summary) event(e event) {
	k := key{e.Package, e.Test}
	switch e.Action {
	case "output":
		s.output[k] = append(s.output[k], e.Output)
	case "build-output":
		fmt.Fprint(s.out, e.Output)
	case "build-fail":
		s.failed = true
	case "pass":
		s.end(e, false)
	case "skip":
		if e.Test != "" {
			s.skipped[reason(s.output[k])]++
		}
		s.end(e, false)
	case "fail":
		s.failed = true
		s.end(e, true)
	}
}

// end prints what is worth it of a test or package that has ended.
func (s *summary) end(e event, failed bool) {
	k := key{e.Package, e.Test}
	for _, line := range s.output[k] {
		mark := strings.HasPrefix(line, "=== ") || line == "PASS\n" || strings.HasPrefix(line, "coverage:")
		if (failed || e.Test == "") && !mark {
			fmt.Fprint(s.out, line)
		}
	}
	delete(s.output, k)
	if e.Test != "" || !failed {
		return
	}
	// The process ended in the middle of these, by a panic or at the time limit.
	var cut []string
	for k := range s.output {
		if k.pkg == e.Package {
			cut = append(cut, k.test)
		}
	}
	slices.Sort(cut)
	for _, test := range cut {
		fmt.Fprintf(s.out, "%s: %s did not end\n%s", e.Package, test, strings.Join(s.output[key{e.Package, test}], ""))
		delete(s.output, key{e.Package, test})
	}
}

// place is what testing puts before a message.
var place = regexp.MustCompile(`^\s+\S+\.go:\d+: `)

// reason is what a test said last before it was skipped.
func reason(output []string) string {
	said := ""
	for _, line := range output {
		if place.MatchString(line) {
			said = strings.TrimSpace(place.ReplaceAllString(line, ""))
		}
	}
	if said == "" {
		return "no reason given"
	}
	return said
}

// line is the last one, "" if nothing was skipped.
func (s *summary) line() string {
	total := 0
	var reasons []string
	for r, n := range s.skipped {
		total += n
		reasons = append(reasons, r)
	}
	if total == 0 {
		return ""
	}
	slices.SortFunc(reasons, func(a, b string) int {
		if s.skipped[a] != s.skipped[b] {
			return s.skipped[b] - s.skipped[a]
		}
		return strings.Compare(a, b)
	})
	for i, r := range reasons {
		reasons[i] = fmt.Sprintf("%d: %s", s.skipped[r], r)
	}
	tests := "tests"
	if total == 1 {
		tests = "test"
	}
	return fmt.Sprintf("%d %s skipped (%s)\n", total, tests, strings.Join(reasons, "; "))
}
