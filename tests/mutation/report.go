package main

import (
	_ "embed"
	"fmt"
	"os"
	"slices"
	"strings"
)

// equivalentText lists the changes that cannot be noticed: the name of each in a line, its
// reason in the next, indented.
//
//go:embed equivalent.txt
var equivalentText string

// readEquivalent returns reasons by names of mutants. It reports names that no longer exist.
func readEquivalent(all []*mutant) (map[string]string, error) {
	names := map[string]bool{}
	files := map[string]bool{}
	for _, m := range all {
		names[m.name()], files[m.file] = true, true
	}
	reasons := map[string]string{}
	name := ""
	for n, line := range strings.Split(equivalentText, "\n") {
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "\t") && name != "":
			reasons[name] = strings.TrimSpace(reasons[name] + " " + strings.TrimSpace(line))
		case strings.HasPrefix(line, "\t"):
			return nil, fmt.Errorf("equivalent.txt:%d: a reason of nothing", n+1)
		default:
			name = line
			if file, _, _ := strings.Cut(name, " | "); files[file] && !names[name] {
				fmt.Fprintf(os.Stderr, "equivalent.txt:%d: there is no such change any more\n", n+1)
			}
			reasons[name] = ""
		}
	}
	for name, why := range reasons {
		if why == "" {
			return nil, fmt.Errorf("equivalent.txt: without a reason: %s", name)
		}
	}
	return reasons, nil
}

// second is the report's result for a mutant that only the second look finds.
const second = "killed by the second look"

// report writes the results by package, and lists the survivors.
func report(seed uint64, possible int, chosen []*mutant, outcomes map[*mutant]result, reasons map[string]string) string {
	counts := map[string]map[string]int{}
	sum := map[string]int{}
	var paths []string
	var alive, same []string
	for _, m := range chosen {
		r, ok := outcomes[m]
		if !ok {
			continue
		}
		c := counts[m.pkg.path]
		if c == nil {
			c = map[string]int{}
			counts[m.pkg.path] = c
			paths = append(paths, m.pkg.path)
		}
		what := r.Status
		if what == killed && r.Look != "" {
			what = second
		}
		c[what]++
		sum[what]++
		switch r.Status {
		case lived, uncovered:
			alive = append(alive, fmt.Sprintf("- %s: `%s:%d` %s: `%s`\n", r.Status, m.file, m.line, m.what, m.source))
		case equivalent:
			same = append(same, fmt.Sprintf("- `%s:%d` %s: `%s`: %s\n", m.file, m.line, m.what, m.source, reasons[m.name()]))
		}
	}
	slices.Sort(paths)
	slices.Sort(alive)
	slices.Sort(same)
	var b strings.Builder
	fmt.Fprintf(&b, `# Mutants

Seed %[3]d drew %[1]d of %[2]d possible changes; %[4]d were built.

| package | made | killed by its own short tests | by long tests or another package's | lived | not covered | equivalent | killed of those that can be |
|---|---|---|---|---|---|---|---|
`, len(outcomes), possible, seed, len(outcomes)-sum[unbuilt])
	row := func(name string, c map[string]int) {
		can := c[killed] + c[second] + c[lived] + c[uncovered]
		share := "-"
		if can > 0 {
			share = fmt.Sprintf("%.1f %%", 100*float64(c[killed]+c[second])/float64(can))
		}
		if can+c[equivalent] > 0 {
			fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d | %s |\n", name, can+c[equivalent], c[killed], c[second], c[lived], c[uncovered], c[equivalent], share)
		}
	}
	for _, path := range paths {
		_, name, _ := strings.Cut(path, "/")
		row("`"+name+"`", counts[path])
	}
	row("all", sum)
	section := func(title string, list []string) {
		if len(list) > 0 {
			fmt.Fprintf(&b, "\n## %s\n\n%s", title, strings.Join(list, ""))
		}
	}
	section("Alive", alive)
	section("Equivalent", same)
	return b.String()
}
