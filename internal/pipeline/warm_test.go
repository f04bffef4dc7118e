package pipeline_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/internal/pipeline"
	"github.com/tablewright/tablewright/plan"
)

// TestDesignIsWarm: what is asked for more than a new table on demand takes is designed to be warm, with a quarter to spare;
// nothing else is. A proof makes none of its tables warm: on AWS that is paid.
func TestDesignIsWarm(t *testing.T) {
	s, j := serve(t), sessions(t)
	table := j.Model.Tables[0]
	if want := (plan.Billing{Read: 62_000, Write: 16_000}); table.Warm != want {
		t.Errorf("%s is warm for %v, want %v", table.Name, table.Warm, want)
	}
	if got, want := table.GSI["ByCustomer"].Warm, (plan.Billing{Read: 12_000, Write: 6_000}); got != want {
		t.Errorf("ByCustomer is warm for %v, want %v", got, want)
	}
	if got := table.GSI["ByParentSession"].Warm; got != (plan.Billing{}) {
		t.Errorf("ByParentSession is warm for %v", got)
	}
	decided := 0
	for _, d := range j.Model.Decisions {
		if d.Rule == "warm throughput" {
			decided++
			if !strings.Contains(d.Because, "a new table on demand takes 12,000 and 4,000") {
				t.Error(d.Because)
			}
		}
	}
	if decided != 2 {
		t.Errorf("%d decisions about it", decided)
	}

	warm := 0
	s.seen = func(operation, body string) {
		if operation == "CreateTable" && strings.Contains(body, "WarmThroughput") {
			warm++
		}
	}
	if err := j.Prove(t.Context(), pipeline.Options{Endpoint: few(s)}); err != nil {
		t.Fatal(err)
	}
	if warm > 0 {
		t.Errorf("a proof has made %d tables warm", warm)
	}
	s.untouched(t)

	for _, name := range []string{"online-shop.yaml", "complaint-management.yaml"} {
		d, err := pipeline.Open(filepath.Join("..", "..", "examples", name))
		if err != nil {
			t.Fatal(err)
		}
		j, err := pipeline.Read(d)
		if err != nil {
			t.Fatal(err)
		}
		if err := j.Design(t.Context(), pipeline.Options{}); err != nil {
			t.Fatal(err)
		}
		text, err := j.ModelText()
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "warm") {
			t.Errorf("%s is designed to be warm", name)
		}
	}
}
