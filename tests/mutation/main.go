// Command mutation says how much of a mistake the tests notice: it makes one change after
// the other that is likely to be wrong, and runs the tests of the changed package that
// reach the changed line. The source is not touched: the compiler is given the changed
// file as an overlay.
//
//	go run ./tests/mutation [flags] [PACKAGE | FILE.go[:LINE[-LINE]]]...
//
// Changes are drawn at random, by -seed, so that a fresh seed tries what nobody has
// looked at. What came of each is a line of -results, from which a later run goes on;
// it counts until the package or its tests change. Changes that cannot be noticed stand
// with their reasons in equivalent.txt, beside this file.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// rooms are what is looked at where nothing is named.
var rooms = []string{"./pipeline/...", "./geometry", "./raster", "./fragment", "./shaderunit/...", "./assets/...", "./replay/...",
	"./serve/engine", "./golden", "./capi/internal/host", "./internal/...", "./pica", "./pixels", "./scene/sceneexport"}

func main() {
	seed := flag.Uint64("seed", 1, "which changes are drawn")
	count := flag.Int("n", 0, "how many changes are tried; 0: all")
	jobs := flag.Int("jobs", runtime.NumCPU(), "how many are tried at the same time")
	work := flag.String("work", filepath.Join(os.TempDir(), "pica200-mutation"), "`folder` for test binaries and coverage, which is kept")
	results := flag.String("results", "", "`file` of results, which is read and added to (results.jsonl in -work)")
	page := flag.String("report", "", "`file` to write the report to, as Markdown")
	list := flag.Bool("list", false, "only list the changes that would be tried")
	retry := flag.String("retry", "", "try those anew that came out so: lived, uncovered, killed")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if *results == "" {
		*results = filepath.Join(*work, "results.jsonl")
	}
	if err := run(ctx, *seed, *count, *jobs, *work, *results, *page, *list, *retry, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "mutation:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, seed uint64, count, jobs int, work, results, page string, list bool, retry string, args []string) error {
	if len(args) == 0 {
		args = rooms
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
	chosen := slices.Clone(all)
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(chosen), func(i, k int) { chosen[i], chosen[k] = chosen[k], chosen[i] })
	if count > 0 {
		chosen = chosen[:min(count, len(chosen))]
	}
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
	var mu sync.Mutex
	outcomes := map[*mutant]result{}
	// A package's mutants follow each other: what was compiled for one serves the next.
	queue := slices.Clone(chosen)
	slices.SortStableFunc(queue, func(a, b *mutant) int { return strings.Compare(a.pkg.path, b.pkg.path) })
	next := make(chan *mutant)
	go func() {
		defer close(next)
		for _, m := range queue {
			select {
			case next <- m:
			case <-ctx.Done():
				return
			}
		}
	}()
	var workers sync.WaitGroup
	var failed error
	start := time.Now()
	for range max(1, jobs) {
		workers.Go(func() {
			for m := range next {
				r, err := kept.of(ctx, m, work, sameAs)
				mu.Lock()
				if err != nil && failed == nil && ctx.Err() == nil {
					failed = err
				}
				if err == nil {
					outcomes[m] = r
					fmt.Fprintf(os.Stderr, "%4d/%d %5.0f s  %-10s %v\n", len(outcomes), len(queue), time.Since(start).Seconds(), r.Status, m)
				}
				mu.Unlock()
			}
		})
	}
	workers.Wait()
	if failed != nil {
		return failed
	}
	text := report(seed, len(all), chosen, outcomes, sameAs)
	fmt.Print(text)
	if page != "" && ctx.Err() == nil {
		return os.WriteFile(page, []byte(text), 0o644)
	}
	return ctx.Err()
}
