package rules_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/stats"
	"github.com/tablewright/tablewright/stats/rules"
)

// finds is a rule that finds what it is given.
func finds(id string, found ...rules.Finding) *rules.Rule {
	return &rules.Rule{ID: id, Category: rules.Cost, Find: func(*rules.Input) []rules.Finding { return found }}
}

func saving(before, after capacity.Money) *rules.Saving {
	return &rules.Saving{Before: before, After: after}
}

// What several rules say of one cause is one finding, the one that says most; it names the others and what they saw.
func TestOneFindingForACause(t *testing.T) {
	weak := rules.Finding{Cause: "key Shop/o1", Severity: rules.Warning, Title: "weak", Key: "o1", Patterns: []string{"b"}, Calls: 5,
		Evidence:   []rules.Evidence{{What: "share", Value: 1}, {What: "both", Value: 2}},
		Operations: []rules.OperationRef{{Operation: "Query"}, {Operation: "GetItem"}}}
	strong := rules.Finding{Cause: "key Shop/o1", Severity: rules.Critical, Title: "strong", Patterns: []string{"a", "b"}, Calls: 3,
		Evidence: []rules.Evidence{{What: "both", Value: 3}}, Operations: []rules.OperationRef{{Operation: "GetItem"}}}
	other := rules.Finding{Cause: "key Shop/o2", Severity: rules.Critical, Title: "other", Calls: 9}
	in := rules.Input{Stats: &stats.Snapshot{}}
	for _, order := range [][]*rules.Rule{
		{finds("one", weak), finds("two", strong), finds("three", other), finds("four", weak)},
		{finds("two", strong), finds("four", weak), finds("three", other), finds("one", weak)},
	} {
		found := rules.Run(in, order...)
		if len(found) != 2 || found[1].Title != "strong" || found[0].Title != "other" {
			t.Fatalf("%+v", found)
		}
		f := found[1]
		if f.Rule != "two" || f.Key != "o1" || f.Calls != 5 || !reflect.DeepEqual(f.Patterns, []string{"a", "b"}) || len(f.Also) != 2 ||
			len(f.Evidence) != 2 || f.Evidence[0].Value != 3 || f.Evidence[1].What != "share" || len(f.Operations) != 2 {
			t.Errorf("%+v", f)
		}
	}
	if len(weak.Evidence) != 2 || len(strong.Evidence) != 1 {
		t.Error("what a rule found was changed")
	}
}

// Where a remedy does away with an index, what else is wrong with that index is no second recommendation.
func TestOneFindingForWhatARemedyReplaces(t *testing.T) {
	query := rules.Replacing(rules.Finding{Cause: "reads Shop/ByState", Severity: rules.Warning, Title: "query"}, "index Shop/ByState")
	dear := rules.Finding{Cause: "reads Shop/ByState", Severity: rules.Advice, Title: "dear"}
	wide := rules.Finding{Cause: "index Shop/ByState", Severity: rules.Advice, Title: "wide"}
	idle := rules.Finding{Cause: "index Shop/ByDay", Severity: rules.Advice, Title: "idle"}
	found := rules.Run(rules.Input{Stats: &stats.Snapshot{}}, finds("dear", dear), finds("query", query), finds("wide", wide), finds("idle", idle))
	if len(found) != 2 || found[0].Rule != "query" || !reflect.DeepEqual(found[0].Also, []string{"dear", "wide"}) || found[1].Rule != "idle" {
		t.Errorf("%+v", found)
	}
}

// Findings come by severity, saving, frequency and ease.
func TestPriority(t *testing.T) {
	found := rules.Run(rules.Input{Stats: &stats.Snapshot{}}, finds("r",
		rules.Finding{Cause: "6", Severity: rules.Advice, Remedy: rules.Remedy{Ease: rules.Migration}},
		rules.Finding{Cause: "5", Severity: rules.Advice, Remedy: rules.Remedy{Ease: rules.Setting}},
		rules.Finding{Cause: "4", Severity: rules.Advice, Calls: 2},
		rules.Finding{Cause: "3", Severity: rules.Advice, Calls: 1, Saving: saving(5, 4)},
		rules.Finding{Cause: "2", Severity: rules.Warning, Calls: 1, Saving: saving(5, 4)},
		rules.Finding{Cause: "1", Severity: rules.Warning, Calls: 1, Saving: saving(5, 3)},
		rules.Finding{Cause: "0", Severity: rules.Critical},
	))
	order := ""
	for _, f := range found {
		order += f.Cause
	}
	if order != "0123456" {
		t.Errorf("the order is %s", order)
	}
}

// whole is a finding with every member.
func whole() rules.Finding {
	return rules.Finding{
		Rule: "hot-partition", Also: []string{"throttle-burst"}, Severity: rules.Critical, Category: rules.Reliability,
		Title: "One partition key of Shop takes 930 write units a second of 1,000", Table: "Shop", Index: "ByStatus", Key: `{"status":{"S":"placed"}}`,
		Cause: "key Shop/ByStatus/placed",
		Evidence: []rules.Evidence{
			{What: "write units of the key in its busiest minute", Value: 930, Unit: "write units/s", Limit: 1000, Source: "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html"},
			{What: "share of calls throttled", Value: 3.25, Unit: "%", Limit: 1, Source: "Thresholds.ThrottledShare"},
			{What: "largest item", Value: 4096, Unit: "B"},
		},
		Remedy: rules.Remedy{Text: "Spread the key over 4 shards: writers choose one at random, readers ask all of them and join the answers. Items that are there have to be copied.",
			Snippets: []rules.Snippet{{Kind: "go", Text: "line one\n\tline two\n"}}, Ease: rules.Migration},
		Saving:     &rules.Saving{Before: 15 * capacity.Dollar, After: 3 * capacity.Dollar, Remedy: capacity.Dollar, ReadBefore: 1, ReadAfter: 2, WriteBefore: 3.5, WriteAfter: 4, Assumes: "Traffic stays as it is."},
		Faster:     &rules.Faster{Before: 80 * time.Millisecond, After: 4 * time.Millisecond, RoundTrips: 12},
		Operations: []rules.OperationRef{{Operation: "PutItem", Table: "Shop", Pattern: "placeOrder"}, {Operation: "Query", Table: "Shop", Index: "ByStatus"}},
		Patterns:   []string{"placeOrder"}, Calls: 0.5, Confidence: 0.9, Because: "Values of one day were seen.",
	}
}

func TestText(t *testing.T) {
	var b strings.Builder
	if err := rules.WriteText(&b, []rules.Finding{whole(), whole()}); err != nil {
		t.Fatal(err)
	}
	const want = `critical: One partition key of Shop takes 930 write units a second of 1,000 [hot-partition, throttle-burst]
  key      {"status":{"S":"placed"}}
  seen     write units of the key in its busiest minute: 930 write units/s (to compare: 1,000 write units/s,
           bp-partition-key-design)
           share of calls throttled: 3.25 % (to compare: 1 %, Thresholds.ThrottledShare)
           largest item: 4 KB
  change   Spread the key over 4 shards: writers choose one at random, readers ask all of them and join the
           answers. Items that are there have to be copied. (a migration of data)
    go           line one
                     line two
  saves    $12.00 a month: $15.00 before, $3.00 after, of which the remedy takes $1.00
           Traffic stays as it is.
  faster   4 ms instead of 80 ms for one caller
           12 requests fewer a second
  affects  PutItem on Shop by placeOrder and Query on Shop.ByStatus: 30 calls a minute
  sure     90 %
  but      Values of one day were seen.
`
	if b.String() != want+"\n"+want {
		t.Errorf("%s", b.String())
	}
	f := whole()
	if s := f.String(); s != "critical: One partition key of Shop takes 930 write units a second of 1,000 (hot-partition)" {
		t.Error(s)
	}
}

// JSON has the names that others rely on, and can be read again.
func TestJSON(t *testing.T) {
	text, err := json.Marshal([]rules.Finding{whole()})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"rule":"hot-partition"`, `"also":["throttle-burst"]`, `"severity":"critical"`, `"category":"reliability"`, `"ease":"migration"`,
		`"saving":{"monthly":12,"before":15,"after":3,"remedy":1,"readBefore":1,"readAfter":2,"writeBefore":3.5,"writeAfter":4,`, `"confidence":0.9`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	var again []rules.Finding
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(again, []rules.Finding{whole()}) {
		t.Errorf("%+v", again)
	}
	for _, wrong := range []string{`{"severity":"bad"}`, `{"remedy":{"ease":"none"}}`, `{"saving":{"before":"x"}}`} {
		if json.Unmarshal([]byte(wrong), &rules.Finding{}) == nil {
			t.Errorf("%s was read", wrong)
		}
	}
}

// A figure of one has its unit in the singular.
func TestEvidenceOfOne(t *testing.T) {
	for want, e := range map[string]rules.Evidence{
		"n: 1 item":                          {What: "n", Value: 1, Unit: "items"},
		"n: 1 read unit/s":                   {What: "n", Value: 1, Unit: "read units/s"},
		"n: 1 ms":                            {What: "n", Value: 1, Unit: "ms"},
		"n: 2 calls (to compare: 1 call, x)": {What: "n", Value: 2, Unit: "calls", Limit: 1, Source: "x"},
		"n: 1 a day":                         {What: "n", Value: 1, Unit: "a day"},
	} {
		if got := e.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
