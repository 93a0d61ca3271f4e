// Command paired compares the speed of two builds of pica200: it runs `bench` of both alternately for several rounds, and prints
// the speed-up of the second for every trace, and their geometric mean.
//
//	go run ./internal/gen/moving -recordings bin
//	go run ./tests/paired -old OLD -new bin/pica200 ../shared/conformance/traces/*.ctf bin/own_*.ctf
//
// Noise only ever adds time, so the minimum of all rounds counts; because the builds alternate, slow phases of the machine affect
// both.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, bench); err != nil {
		fmt.Fprintln(os.Stderr, "paired:", err)
		os.Exit(1)
	}
}

// A measure runs a build's bench once and returns milliseconds per frame.
type measure func(binary, trace string, workers, repeat int) (float64, error)

func run(args []string, w io.Writer, m measure) error {
	fs := flag.NewFlagSet("paired", flag.ContinueOnError)
	oldBin := fs.String("old", "", "the `program` that is compared with")
	newBin := fs.String("new", "bin/pica200", "the `program` that is compared")
	workers := fs.String("workers", "1,2", "numbers of workers, by commas")
	rounds := fs.Int("rounds", 5, "rounds, each of them one bench of each build")
	repeat := fs.Int("repeat", 5, "replays a bench")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if *oldBin == "" || fs.NArg() == 0 || *rounds < 1 || *repeat < 1 {
		return errors.New("usage: paired -old PROGRAM [-new PROGRAM] [-workers 1,2] [-rounds N] [-repeat N] TRACE [TRACE ...]")
	}
	var counts []int
	for _, s := range strings.Split(*workers, ",") {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 {
			return fmt.Errorf("-workers %s: numbers from 1 on, with commas between them", *workers)
		}
		counts = append(counts, n)
	}
	fmt.Fprint(w, "| trace |")
	for _, n := range counts {
		fmt.Fprintf(w, " old, ms (%d) | new, ms (%d) | ratio (%d) |", n, n, n)
	}
	fmt.Fprint(w, "\n|---|", strings.Repeat("---|", 3*len(counts)), "\n")
	logs := make([]float64, len(counts))
	for _, trace := range fs.Args() {
		fmt.Fprintf(w, "| %s |", strings.TrimSuffix(filepath.Base(trace), filepath.Ext(trace)))
		for i, n := range counts {
			times := [2]float64{math.Inf(1), math.Inf(1)}
			for range *rounds {
				for b, binary := range []string{*oldBin, *newBin} {
					t, err := m(binary, trace, n, *repeat)
					if err != nil {
						return fmt.Errorf("%s bench %s: %w", binary, trace, err)
					}
					times[b] = min(times[b], t)
				}
			}
			logs[i] += math.Log(times[0] / times[1])
			fmt.Fprintf(w, " %.3f | %.3f | %.2f |", times[0], times[1], times[0]/times[1])
		}
		fmt.Fprintln(w)
	}
	fmt.Fprint(w, "| geometric mean |")
	for i := range counts {
		fmt.Fprintf(w, " | | %.2f |", math.Exp(logs[i]/float64(fs.NArg())))
	}
	fmt.Fprintln(w)
	return nil
}

func bench(binary, trace string, workers, repeat int) (float64, error) {
	out, err := exec.Command(binary, "bench", "--json", "--workers", strconv.Itoa(workers), "--repeat", strconv.Itoa(repeat), trace).Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("%w: %s", err, exit.Stderr)
		}
		return 0, err
	}
	var r struct {
		MS float64 `json:"ms_per_frame"`
	}
	if err := json.Unmarshal(out, &r); err != nil {
		return 0, err
	}
	if r.MS <= 0 {
		return 0, errors.New("no frames")
	}
	return r.MS, nil
}
