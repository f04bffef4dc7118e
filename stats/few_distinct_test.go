package stats_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/tablewright/tablewright/stats"
)

// Items that callers of two processes write are the same ones when their statistics are merged, also after they were written down.
func TestEpisodesOfProcesses(t *testing.T) {
	process := func(first uint64) *stats.Snapshot {
		s := newScript(stats.Options{})
		for i := range 60 {
			s.do(first+8*uint64(i), "GetItem", fmt.Sprint("o", i%20))
			s.do(first+8*uint64(i), "PutItem", fmt.Sprint("o", i%20))
			s.wait(1e9)
		}
		s.settle()
		return s.c.Snapshot()
	}
	one, two := process(1000), process(5001)
	var text bytes.Buffer
	if err := two.Write(&text); err != nil {
		t.Fatal(err)
	}
	read, err := stats.ReadSnapshot(&text)
	if err != nil {
		t.Fatal(err)
	}
	merged, err := stats.Merge(one, read)
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, e := range merged.Episodes {
		if e.Kind == stats.ReadPut {
			found = true
			if e.Items < 18 || e.Items > 22 || e.Callers < 105 || e.Callers > 135 || e.Count != 120 || e.ItemSketch.Count() != e.Items {
				t.Errorf("%v callers wrote %v items, %v times", e.Callers, e.Items, e.Count)
			}
		}
	}
	if !found {
		t.Error("there is no episode")
	}
}

// What is written down of a count is read again, and nothing else.
func TestFewDistinctText(t *testing.T) {
	var d, again stats.FewDistinct
	d[3], d[200] = 7, 1
	text, err := d.MarshalText()
	if err != nil || len(text) != 344 {
		t.Fatalf("%d bytes: %v", len(text), err)
	}
	if err := again.UnmarshalText(text); err != nil || again != d || again.Count() != 2 {
		t.Errorf("%v: %v", again.Count(), err)
	}
	d[9] = 99
	wrong, _ := d.MarshalText()
	for _, text := range []string{"", "AAAA", "?", string(wrong)} {
		if again.UnmarshalText([]byte(text)) == nil {
			t.Errorf("%.20q is read", text)
		}
	}
}
