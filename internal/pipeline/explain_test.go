package pipeline_test

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/internal/pipeline"
	"github.com/tablewright/tablewright/model"
)

func designed(t *testing.T, text []byte) *pipeline.Job {
	t.Helper()
	job, err := pipeline.Read(pipeline.Document{Name: "requirements.yaml", Text: text})
	if err != nil {
		t.Fatal(err)
	}
	if err := job.Design(context.Background(), pipeline.Options{}); err != nil {
		t.Fatal(err)
	}
	return job
}

// TestExplain holds what is said of each sort of name, and what readers could make nothing of.
func TestExplain(t *testing.T) {
	complaints, err := os.ReadFile("../../examples/complaint-management.yaml")
	if err != nil {
		t.Fatal(err)
	}
	starter, other := designed(t, model.Starter()), designed(t, complaints)
	for _, c := range []struct {
		job      *pipeline.Job
		name     string
		has, not []string
	}{
		// What an entity costs cannot be told apart from what lies beside it: a price of $0.00 was none.
		{starter, "Loan", []string{"Loan, entity\n", "Loans.ByReader: 2,000,000 items of", "read or written by getLoansOfReader, "}, []string{"$0.00"}},
		{starter, "ReaderEmails", []string{"ReaderEmail keeps Reader.email unique.", "It holds `name` as well"}, []string{"no decision"}},
		{starter, "Loans.ByReader", []string{"decision: Loans.ByReader (global secondary index)"}, []string{"multi-attribute"}},
		{starter, "getLoansOfBookInTime", []string{"\n2 round trips\n"}, nil},
		{starter, "Loans", nil, []string{"no model serves all patterns"}},
		{other, "Complaints.BySeverityState", []string{"(multi-attribute index)"}, nil},
		{other, "getComplaintsByCustomerId", []string{"\n1 round trip\n", "  calls: stated 40/s; this model is chosen from "}, []string{"the same is cheapest", " points to ", "rate may move"}},
	} {
		text := string(c.job.Explain(c.name).Text())
		for _, x := range c.has {
			if !strings.Contains(text, x) {
				t.Errorf("%s does not say %q:\n%s", c.name, x, text)
			}
		}
		for _, x := range c.not {
			if strings.Contains(text, x) {
				t.Errorf("%s says %q:\n%s", c.name, x, text)
			}
		}
	}
}

// TestEveryNameIsExplained: whatever can be asked for has an answer that says something.
func TestEveryNameIsExplained(t *testing.T) {
	job := designed(t, model.Starter())
	for _, name := range job.Names() {
		if text := job.Explain(name).Text(); !bytes.HasPrefix(text, []byte(name+", ")) || bytes.Count(text, []byte("\n")) < 3 {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// TestRegionsAreNotPassedOver: a price is that of one Region, which has to be said once where others are stated.
func TestRegionsAreNotPassedOver(t *testing.T) {
	for regions, want := range map[string]string{
		"[us-east-1]":               "",
		"[eu-central-1]":            "it runs in eu-central-1, and the prices are those of us-east-1",
		"[us-east-1, eu-central-1]": "it runs in us-east-1 and eu-central-1, and the price is that of one Region, us-east-1",
	} {
		text := bytes.Replace(model.Starter(), []byte("application:\n"), []byte("application:\n  regions: "+regions+"\n"), 1)
		job := designed(t, text)
		got := ""
		for _, f := range job.Concerns() {
			if f.Code == "regions" {
				got += f.Message
			}
		}
		if want == "" && got != "" || !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", regions, got, want)
		}
	}
}
