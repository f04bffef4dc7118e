// Command tally makes the output of `go test -json` readable: a line per package, the output of what failed, and at the
// end which tests were skipped and why, and how many passed and failed.
//
//	go test -json ./... | go run ./internal/tally
//
// Lines that are not of go test pass through. It exits 1 if a test or package failed, or if there was none.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

func main() {
	ok, err := tally(os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "tally:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// event is a line of `go test -json`, as `go doc test2json` describes it.
type event struct {
	Action, Package, Test, Output, ImportPath string
	Elapsed                                   float64
}

type test struct{ pkg, name string }

// tally reads events and reports whether tests ran and none failed.
func tally(in io.Reader, out io.Writer) (ok bool, err error) {
	said := map[test][]string{} // of tests and, under the name "", packages and builds, until they have ended
	var skipped, failed []string
	passed, packages, failedPackages := 0, 0, 0
	w := bufio.NewWriter(out)
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) == 0 && err != nil {
			if err != io.EOF {
				return false, err
			}
			break
		}
		var e event
		if !bytes.HasPrefix(line, []byte("{")) || json.Unmarshal(line, &e) != nil || e.Action == "" {
			_, _ = w.Write(line)
			if err := w.Flush(); err != nil { // somebody may be watching
				return false, err
			}
			continue
		}
		of := test{e.Package + e.ImportPath, e.Test}
		switch {
		case e.Action == "output" || e.Action == "build-output":
			said[of] = append(said[of], e.Output)
			continue
		case e.Action == "build-fail":
			fmt.Fprint(w, strings.Join(said[of], ""))
		case e.Test != "" && e.Action == "pass":
			passed++
		case e.Test != "" && e.Action == "skip":
			skipped = append(skipped, fmt.Sprintf("skipped: %s %s: %s", e.Package, e.Test, reason(said[of])))
		case e.Test != "" && e.Action == "fail":
			failed = append(failed, e.Package+" "+e.Test)
			fmt.Fprint(w, strings.Join(said[of], ""))
		case e.Action == "pass" || e.Action == "skip":
			packages++
			if e.Action == "pass" {
				fmt.Fprintf(w, "ok   %s  %.1fs\n", e.Package, e.Elapsed)
			}
		case e.Action == "fail":
			failedPackages++
			fmt.Fprint(w, unfinished(said, e.Package))
			fmt.Fprintf(w, "FAIL %s  %.1fs\n", e.Package, e.Elapsed)
		default: // start, run, pause, cont, bench
			continue
		}
		delete(said, of)
		if err := w.Flush(); err != nil {
			return false, err
		}
	}
	fmt.Fprintln(w)
	for _, lines := range [][]string{skipped, failed} {
		slices.Sort(lines)
	}
	for _, s := range skipped {
		fmt.Fprintln(w, s)
	}
	for _, f := range failed {
		fmt.Fprintln(w, "failed:", f)
	}
	fmt.Fprintf(w, "%d tests passed, %d failed, %d skipped; %d packages passed, %d failed\n", passed, len(failed), len(skipped), packages, failedPackages)
	return passed > 0 && len(failed) == 0 && failedPackages == 0, w.Flush()
}

// reason is what a test said when it skipped.
func reason(said []string) string {
	var words []string
	for _, line := range said {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "=== ") && !strings.HasPrefix(line, "--- ") {
			words = append(words, line)
		}
	}
	if len(words) == 0 {
		return "it does not say why"
	}
	return strings.Join(words, " ")
}

// unfinished is what a failed package and those of its tests that never came to an end have said: a panic, or a time
// limit, ends them all.
func unfinished(said map[test][]string, pkg string) string {
	var names []string
	for of := range said {
		if of.pkg == pkg {
			names = append(names, of.name)
		}
	}
	slices.Sort(names)
	var b strings.Builder
	for _, name := range names {
		b.WriteString(strings.Join(said[test{pkg, name}], ""))
		delete(said, test{pkg, name})
	}
	return b.String()
}
