package conformance_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/engine/conformance"
	"github.com/tablewright/tablewright/internal/peers"
)

var update = flag.Bool("update", false, "rewrite the list of DynamoDB Local's answers, keeping the reasons")

const (
	differencesFile  = "testdata/dynamodb-local.txt"
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
		var b strings.Builder
		if err := report.Differences(known).Write(&b, differencesAbout, allCases(t)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(differencesFile, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, s := range report.Surprises(known) {
		if s.Result.Status == conformance.Passed {
			t.Errorf("%s: DynamoDB Local agrees now: take it off %s", s.Result.Name, differencesFile)
			continue
		}
		t.Errorf("%s: got %s\n  listed   %s\n%s", s.Result.Name, s.Result.Summary(), s.Known.Got, s.Result.Detail())
	}
}

func readDifferences(t *testing.T) conformance.Differences {
	t.Helper()
	f, err := os.Open(differencesFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	known, err := conformance.ReadDifferences(f)
	if err != nil {
		t.Fatalf("%s: %v", differencesFile, err)
	}
	return known
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
