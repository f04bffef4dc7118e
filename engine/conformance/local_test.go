package conformance_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/engine/conformance"
	"github.com/tablewright/tablewright/internal/peers"
)

var update = flag.Bool("update", false, "rewrite the list of DynamoDB Local's answers, keeping the reasons")

const (
	differencesDir   = "testdata/dynamodb-local" // a file for each subject
	differencesAbout = "Where DynamoDB Local answers a case otherwise than the service, and what decides for the service.\n" +
		"go test -run TestDynamoDBLocal -update writes what it answers; the reasons are ours."
)

// TestDynamoDBLocal holds Amazon's own stand-in to the cases: it must differ exactly where the list of differences says
// so, each with the page or measurement that decides for the service. It needs Java and the folder of DynamoDBLocal.jar
// in TABLEWRIGHT_DYNAMODB_LOCAL.
func TestDynamoDBLocal(t *testing.T) {
	url, _ := peers.StartLocal(t, peers.Brief...)
	known := readDifferences(t)
	report, err := conformance.Run(t.Context(), conformance.HTTP(url), conformance.Options{})
	if err != nil {
		t.Fatal(err)
	}
	total := report.Total()
	t.Logf("%d cases: %d passed, %d failed, %d missing, %d skipped", len(report.Results), total.Passed, total.Failed, total.Missing, total.Skipped)
	if *update {
		writeDifferences(t, report.Differences(known))
		return
	}
	for _, s := range again(t, url, report.Surprises(known), known) {
		if s.Result.Status == conformance.Passed {
			t.Errorf("%s: DynamoDB Local agrees now: take it off the list in %s", s.Result.Name, differencesDir)
			continue
		}
		t.Errorf("%s: got %s\n  listed   %s\n%s", s.Result.Name, s.Result.Summary(), s.Known.Got, s.Result.Detail())
	}
}

// again plays what came otherwise than listed once more, with time to settle: DynamoDB Local fills an index a moment
// after it says that it is ACTIVE, which on a loaded machine may be after the next read. Every case that fails would be
// slow with that time, so that only these have it.
func again(t *testing.T, url string, surprises []conformance.Surprise, known conformance.Differences) []conformance.Surprise {
	t.Helper()
	if len(surprises) == 0 {
		return nil
	}
	var cases []conformance.Case
	for _, s := range surprises {
		t.Logf("%s: %s, played again", s.Result.Name, s.Result.Summary())
		cases = append(cases, s.Result.Case)
	}
	report, err := conformance.Run(t.Context(), conformance.HTTP(url), conformance.Options{Cases: cases, Settle: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return report.Surprises(known)
}

func readDifferences(t *testing.T) conformance.Differences {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(differencesDir, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %v, %d files", differencesDir, err, len(files))
	}
	all := conformance.Differences{}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		known, err := conformance.ReadDifferences(f)
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for of, d := range known {
			if subject, _, _ := strings.Cut(of, ": "); subject+".txt" != filepath.Base(name) {
				t.Errorf("%s: %s belongs to another file", name, of)
			}
			all[of] = d
		}
	}
	return all
}

func writeDifferences(t *testing.T, found conformance.Differences) {
	t.Helper()
	subjects := map[string][]conformance.Case{}
	for _, c := range allCases(t) {
		if _, differs := found[c.Name]; differs {
			subjects[c.Subject()] = append(subjects[c.Subject()], c)
		}
	}
	if err := os.RemoveAll(differencesDir); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(differencesDir, 0o755); err != nil {
		t.Fatal(err)
	}
	for subject, cases := range subjects {
		var b strings.Builder
		if err := found.Write(&b, differencesAbout, cases); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(differencesDir, subject+".txt"), []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func allCases(t *testing.T) []conformance.Case {
	t.Helper()
	cases, err := conformance.Cases()
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

// TestDifferencesHaveReasons: a difference without a reason is one that nobody has looked into.
func TestDifferencesHaveReasons(t *testing.T) {
	known := readDifferences(t)
	for name, d := range known {
		if d.Why == "" {
			t.Errorf("%s: no reason", name)
		}
	}
	for _, name := range known.Unknown(allCases(t)) {
		t.Errorf("%s: there is no such case", name)
	}
}
