// Command mutation measures which mistakes the tests find: it makes one likely wrong change (a mutant) at a time and runs the tests
// that cover the changed line: first those of the package as "make test" runs them; for survivors those that "make test" skips, and
// those of packages that use the changed one (cover.go). The source files are not touched: the compiler gets changed files as an
// overlay, with all mutants of a package in one test binary (schema.go).
//
//	go run ./tests/mutation [flags] [PACKAGE | FILE.go[:LINE[-LINE]]]...
//
// Mutants are drawn at random by -seed, so that a new seed tries new ones; the sample stays the same when other lines change. Each
// result is a line of the -results file, from which a later run continues; it is valid until the package or its tests change.
// Mutants that no test can find are listed with reasons in equivalent.txt, beside this file.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// folders are the default packages, slowest last.
var folders = []string{"./pipeline/retrace", "./raster", "./geometry", "./golden", "./assets/picatrace", "./explain/...",
	"./emulator/capi/internal/host", "./internal/...", "./fragment", "./shaderunit/...", "./assets/...", "./pica/...", "./scene/...",
	"./serve/...", "./viewer/...", "./pipeline"}

func main() {
	seed := flag.Uint64("seed", 1, "which changes are drawn")
	count := flag.Int("n", 0, "how many changes are tried; 0: all")
	jobs := flag.Int("jobs", runtime.NumCPU(), "how many are tried at the same time")
	work := flag.String("work", filepath.Join(os.TempDir(), "pica200-mutation"), "`folder` for test binaries and coverage, which is kept")
	results := flag.String("results", "", "`file` of results, which is read and added to (results.jsonl in -work)")
	page := flag.String("report", "", "`file` to write the report to, as Markdown")
	list := flag.Bool("list", false, "only list the changes that would be tried")
	limit := flag.Duration("limit", 20*time.Second, "how long a test may take on the processor; slower ones are left out")
	retry := flag.String("retry", "", "try those anew that came out so: lived, killed")
	named := flag.String("named", "", "`file` with names as -list prints them, of which alone changes are tried")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if *results == "" {
		*results = filepath.Join(*work, "results.jsonl")
	}
	if err := run(ctx, *seed, *count, *jobs, *work, *results, *page, *list, *limit, *retry, *named, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "mutation:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, seed uint64, count, jobs int, work, results, page string, list bool, limit time.Duration, retry, named string, args []string) error {
	if len(args) == 0 {
		args = folders
	}
	work, err := filepath.Abs(work)
	if err != nil {
		return err
	}
	packages, err := load(ctx, args)
	if err != nil {
		return err
	}
	var all []*mutant
	for _, p := range packages {
		all = append(all, p.mutants...)
	}
	sameAs, err := readEquivalent(all)
	if err != nil {
		return err
	}
	if named != "" {
		text, err := os.ReadFile(named)
		if err != nil {
			return err
		}
		names := strings.Split(string(text), "\n")
		all = slices.DeleteFunc(all, func(m *mutant) bool { return !slices.Contains(names, m.name()) })
	}
	chosen := draw(all, seed, count)
	fmt.Fprintf(os.Stderr, "%d changes in %d packages are possible, %d are tried\n", len(all), len(packages), len(chosen))
	if list {
		for _, m := range chosen {
			fmt.Println(m.name())
		}
		return nil
	}
	kept, err := openResults(results, retry)
	if err != nil {
		return err
	}
	defer kept.Close()
	outcomes := map[*mutant]result{}
	var mu sync.Mutex
	start := time.Now()
	tell := func(m *mutant, r result) {
		mu.Lock()
		defer mu.Unlock()
		outcomes[m] = r
		fmt.Fprintf(os.Stderr, "%4d/%d %5.0f s  %-10s %v\n", len(outcomes), len(chosen), time.Since(start).Seconds(), r.Status, m)
	}
	packages = slices.DeleteFunc(packages, func(p *pack) bool {
		p.mutants = slices.DeleteFunc(slices.Clone(chosen), func(m *mutant) bool { return m.pkg != p })
		return len(p.mutants) == 0
	})
	measured := &covers{work: work, limit: limit, list: map[string]*coverage{}}
	together := max(1, min(jobs, len(packages)))
	queue := make(chan *pack, len(packages))
	for _, p := range packages {
		queue <- p
	}
	close(queue)
	errs := make([]error, together)
	var workers sync.WaitGroup
	for n := range errs {
		workers.Go(func() {
			for p := range queue {
				if errs[n] == nil {
					errs[n] = p.run(ctx, p.mutants, kept, measured, jobs/together, sameAs, tell)
				}
			}
		})
	}
	workers.Wait()
	if err := errors.Join(errs...); err != nil && ctx.Err() == nil {
		return err
	}
	text := report(seed, len(all), chosen, outcomes, sameAs)
	fmt.Print(text)
	if page != "" && ctx.Err() == nil {
		return os.WriteFile(page, []byte(text), 0o644)
	}
	return ctx.Err()
}

// draw selects a sample of mutants: those whose names come first in the order given by the seed.
func draw(all []*mutant, seed uint64, count int) []*mutant {
	order := map[*mutant][32]byte{}
	for _, m := range all {
		order[m] = sha256.Sum256(fmt.Appendln(nil, seed, m.name()))
	}
	chosen := slices.SortedFunc(maps.Keys(order), func(a, b *mutant) int {
		x, y := order[a], order[b]
		return bytes.Compare(x[:], y[:])
	})
	if count > 0 {
		chosen = chosen[:min(count, len(chosen))]
	}
	return chosen
}
