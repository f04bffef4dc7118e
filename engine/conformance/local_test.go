package conformance_test

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/engine/conformance"
	"github.com/tablewright/tablewright/internal/peers"
)

var update = flag.Bool("update", false, "rewrite the list of DynamoDB Local's answers, keeping the reasons")

const differencesFile = "testdata/dynamodb-local.txt"

// TestDynamoDBLocal holds Amazon's own stand-in to the cases: it must differ exactly where the list of differences says
// so, each with the page or measurement that decides for the service. It needs Java and the folder of DynamoDBLocal.jar
// in TABLEWRIGHT_DYNAMODB_LOCAL.
func TestDynamoDBLocal(t *testing.T) {
	url, _ := peers.StartLocal(t)
	cases, err := conformance.Cases()
	if err != nil {
		t.Fatal(err)
	}
	known, err := readDifferences()
	if err != nil {
		t.Fatal(err)
	}
	target := conformance.HTTP(url)
	got := map[string]string{}
	for _, c := range cases {
		err := c.Run(context.Background(), target)
		var f *conformance.Failure
		switch {
		case err == nil:
			if _, differs := known[c.Name]; differs && !*update {
				t.Errorf("%s: DynamoDB Local agrees now: take it off %s", c.Name, differencesFile)
			}
			continue
		case !errors.As(err, &f):
			t.Fatalf("%s: %v", c.Name, err)
		}
		got[c.Name] = summary(f)
		if d, ok := known[c.Name]; !*update && (!ok || d.got != got[c.Name]) {
			t.Errorf("%s: %v\n  because  %s", c.Name, err, c.Why)
		}
	}
	t.Logf("%d cases, %d differences", len(cases), len(got))
	if *update {
		if err := writeDifferences(cases, got, known); err != nil {
			t.Fatal(err)
		}
	}
}

// summary is what was got in a form that is the same every time: answers have times in them.
func summary(f *conformance.Failure) string {
	switch {
	case !strings.HasPrefix(f.Got, "{"):
		return f.Got
	case strings.HasPrefix(f.Expected, "{"):
		return "another answer"
	}
	return "no error"
}

// difference is what DynamoDB Local answers to a case, and why the case is right.
type difference struct{ got, why string }

// readDifferences reads lines "case name", " got", " why".
func readDifferences() (map[string]difference, error) {
	known := map[string]difference{}
	f, err := os.Open(differencesFile)
	if os.IsNotExist(err) {
		return known, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var name string
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		switch d := known[name]; {
		case strings.HasPrefix(line, "#") || line == "":
		case strings.HasPrefix(line, "  got "):
			d.got = line[len("  got "):]
			known[name] = d
		case strings.HasPrefix(line, "  why "):
			d.why = line[len("  why "):]
			known[name] = d
		default:
			name = line
		}
	}
	return known, lines.Err()
}

func writeDifferences(cases []conformance.Case, got map[string]string, known map[string]difference) error {
	var b strings.Builder
	b.WriteString("# Where DynamoDB Local answers a case otherwise than the service, and what decides for the service.\n" +
		"# go test -run TestDynamoDBLocal -update writes what it answers; the reasons are ours.\n")
	for _, c := range cases {
		g, ok := got[c.Name]
		if !ok {
			continue
		}
		why := known[c.Name].why
		if why == "" {
			why = c.Why
		}
		fmt.Fprintf(&b, "\n%s\n  got %s\n  why %s\n", c.Name, g, why)
	}
	if err := os.MkdirAll(filepath.Dir(differencesFile), 0o755); err != nil {
		return err
	}
	return os.WriteFile(differencesFile, []byte(b.String()), 0o644)
}

// TestDifferencesHaveReasons: a difference without a reason is one that nobody has looked into.
func TestDifferencesHaveReasons(t *testing.T) {
	known, err := readDifferences()
	if err != nil {
		t.Fatal(err)
	}
	cases, err := conformance.Cases()
	if err != nil {
		t.Fatal(err)
	}
	for name, d := range known {
		if d.why == "" {
			t.Errorf("%s: no reason", name)
		}
		if !slices.ContainsFunc(cases, func(c conformance.Case) bool { return c.Name == name }) {
			t.Errorf("%s: there is no such case", name)
		}
	}
}
