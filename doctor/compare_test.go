package doctor_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/doctor"
	"github.com/tablewright/tablewright/stats"
	"github.com/tablewright/tablewright/stats/rules"
)

var update = flag.Bool("update", false, "rewrite the files in testdata that tests compare with")

// planned and changed are what a collector saw of the chat on a day as it was planned, and on one that is otherwise.
var (
	once    sync.Once
	planned *stats.Snapshot
	changed *stats.Snapshot
)

func days(t *testing.T) (asPlanned, otherwise *stats.Snapshot) {
	once.Do(func() {
		p := rooms(t)
		planned = watched(t, p, promised())
		other := promised()
		other.text, other.reactions, other.hot = 900, 8, true
		other.perHour = map[string]float64{"messagesOfRoom": 20, "post": 12, "react": 9, "reactionsOf": 9}
		other.also = func(db *tablewright.DB) {
			for range 20 {
				_, err := db.Send(t.Context(), "GetItem", "Chat", []byte(`{"TableName":"Chat","Key":{"messageId":{"S":"x"},"part":{"S":"m"}}}`))
				must(t, err)
			}
		}
		changed = watched(t, p, other)
	})
	if planned == nil || changed == nil {
		t.Fatal("the days were not simulated")
	}
	return planned, changed
}

// Nothing is said of a day that is as it was planned: not of rates, sizes, units, nor of keys.
func testAsPromised(t *testing.T) {
	s, _ := days(t)
	c := doctor.Compare(rooms(t), s, nil)
	for _, f := range c.Findings() {
		t.Error(f.String())
	}
	for _, p := range c.Patterns {
		if p.Out() || p.Estimated != "" || p.Calls < 100 {
			t.Errorf("%+v", p)
		}
		if r := p.Average.Ratio(); r < 0.8 || r > 1.25 {
			t.Errorf("%s was called %v times as often as promised", p.Name, r)
		}
	}
	if m := c.Patterns[0]; m.Name != "messagesOfRoom" || m.Read.Promised != 0.6 || m.Items.Promised != 20 || m.Bytes.Promised != 4700 {
		t.Errorf("what the model states was not taken: %+v", m)
	}
	if m := c.Patterns[3]; m.Name != "post" || math.Abs(m.Write.Promised-2) > 0.1 || m.Write.Measured != 2 || len(m.Units) != 2 || m.Units[0].Place != "Chat" || m.Units[0].Write.Measured != 1 || m.Units[1].Write.Measured != 1 {
		t.Errorf("the units of a post by table and index: %+v", m)
	}
	if c.Month.Is != doctor.Within || c.Month.Measured <= 0 {
		t.Errorf("a month: %+v", c.Month)
	}
}

// What is otherwise than planned is named, once, by its rule, and nothing else is.
func testChanged(t *testing.T) {
	_, s := days(t)
	c := doctor.Compare(rooms(t), s, nil)
	var got []string
	for _, f := range c.Findings() {
		got = append(got, f.Rule+" "+f.Cause[len(f.Rule)+1:]+" "+f.Severity.String())
		if f.Title == "" || len(f.Evidence) == 0 || f.Remedy.Text == "" || f.Remedy.Ease == 0 || f.Confidence == 0 || f.Category == "" {
			t.Errorf("a part is missing: %+v", f)
		}
	}
	want := []string{
		"promise-rate messagesOfRoom warning",    // 20 an hour instead of 9
		"promise-items reactionsOf warning",      // 8 reactions to old messages
		"promise-rate post warning",              // 12 an hour instead of 4.5
		"promise-item-size Chat/Message warning", // and thus promise-units and promise-items of messagesOfRoom, too
		"pattern-unknown table/Chat advice",      // gets without a name, which are what message sends: no pattern-idle
	}
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("missing: %s", w)
		}
	}
	for _, g := range got {
		if !slices.Contains(want, g) {
			t.Errorf("too much: %s", g)
		}
	}
	for _, f := range c.Findings() {
		switch {
		case f.Rule == "promise-item-size" && !(slices.Equal(f.Also, []string{"promise-items", "promise-units"}) && slices.Equal(f.Patterns, []string{"messagesOfRoom"}) && len(f.Evidence) == 4),
			f.Rule == "pattern-unknown" && !(slices.Equal(f.Also, []string{"pattern-idle"}) && slices.Equal(f.Patterns, []string{"message"}) && strings.Contains(f.Remedy.Text, "GetItem on Chat may be message.")):
			t.Errorf("%s is not told of what it is the cause or consequence of: %+v", f.Rule, f)
		}
	}
	if i := slices.IndexFunc(c.Patterns, func(p *doctor.Pattern) bool { return p.Name == "reactionsOf" }); c.Patterns[i].Items.Measured < 4 || c.Patterns[i].Items.Is != doctor.Above {
		t.Errorf("reactions: %+v", c.Patterns[i].Items)
	}
	if len(c.Unknown) != 1 || c.Unknown[0].Operation != "GetItem" || c.Unknown[0].Calls != 20 {
		t.Errorf("unknown: %+v", c.Unknown)
	}
}

// Answers that have other bytes because all items of their kind have are told with these; a pattern that nothing may be is told alone.
func testOneCause(t *testing.T) {
	_, s := days(t)
	c := doctor.Compare(rooms(t), s, nil)
	for _, p := range c.Patterns {
		switch p.Name {
		case "message": // read now, at its promise's units, each message larger
			p.Idle, p.Bytes = false, doctor.Figure{Promised: 205, Measured: 960, Is: doctor.Above}
			if p.Kind != "Chat/Message" {
				t.Errorf("message reads %q", p.Kind)
			}
		case "reactionsOf":
			p.Idle = true
		case "post": // puts of larger messages
			p.Write = doctor.Figure{Promised: 2, Measured: 8, Is: doctor.Above}
		case "react": // puts that cost more while reactions are as they were
			p.Write = doctor.Figure{Promised: 1, Measured: 4, Is: doctor.Above}
		}
	}
	var sizes, idle, units int
	for _, f := range c.Findings() {
		switch {
		case f.Rule == "promise-units":
			if units++; !slices.Equal(f.Patterns, []string{"react"}) {
				t.Errorf("told again: %s", f.Title)
			}
		case f.Rule == "promise-items" && slices.Contains(f.Patterns, "message"):
			t.Errorf("told again: %s", f.Title)
		case f.Rule == "promise-item-size":
			sizes++
			if !slices.Equal(f.Also, []string{"promise-items", "promise-units"}) || !slices.Equal(f.Patterns, []string{"messagesOfRoom", "message", "post"}) {
				t.Errorf("not told of the pattern: %+v", f)
			}
		case f.Rule == "pattern-idle":
			if idle++; !slices.Equal(f.Patterns, []string{"reactionsOf"}) {
				t.Errorf("idle: %s", f.Title)
			}
		}
	}
	if sizes != 1 || idle != 1 || units != 1 {
		t.Errorf("%d findings of sizes, %d of idle patterns, %d of units", sizes, idle, units)
	}
}

// A pattern that no model has is named whatever its tables; where none of them is the model's, it may belong to another one.
func testStrangers(t *testing.T) {
	_, s := days(t)
	more := *s
	op := func(pattern, table string) *stats.Operation {
		return &stats.Operation{Operation: "GetItem", Pattern: pattern, Table: table, Counts: stats.Counts{Calls: 100, Read: 50}, Traffic: new(stats.Traffic)}
	}
	more.Operations = append(slices.Clone(s.Operations), op("lastSeen", "Chat"), op("lastSeen", "Profiles"), op("getProfile", "Profiles"), op("", "Profiles"))
	got := map[string]rules.Finding{}
	for _, f := range doctor.Compare(rooms(t), &more, nil).Findings() {
		if f.Rule == "pattern-unknown" {
			got[strings.Join(f.Patterns, "")+f.Table] = f
		}
	}
	if f := got["lastSeen"]; f.Severity != rules.Warning || f.Because != "" || f.Confidence != 1 {
		t.Errorf("on a table of the model: %+v", f)
	}
	if f := got["getProfile"]; f.Severity != rules.Advice || !strings.Contains(f.Because, "another") || f.Confidence >= 1 {
		t.Errorf("on another table: %+v", f)
	}
	if len(got) != 3 {
		t.Errorf("%d findings: %v", len(got), got)
	}
}

// What is too little to conclude from is said to be so.
func testTooEarly(t *testing.T) {
	_, s := days(t)
	short := *s
	short.From = s.To.Add(-time.Hour)
	short.Watched = nil
	c := doctor.Compare(rooms(t), &short, nil)
	for _, f := range c.Findings() {
		if f.Rule == "promise-rate" && !strings.Contains(f.Title, "busiest minute") {
			t.Errorf("after an hour: %s", f.String())
		}
	}
	for _, p := range c.Patterns {
		if p.Calls > 0 && p.Average.Is != doctor.Early {
			t.Errorf("%s: the average of an hour is %s", p.Name, p.Average.Is)
		}
		if p.Peak.Measured < p.Average.Measured {
			t.Errorf("%s is called %v times a second, in its busiest minute %v times", p.Name, p.Average.Measured, p.Peak.Measured)
		}
	}
	if c.Short() == "" {
		t.Error("nobody is told that an hour is short")
	}
	few := doctor.DefaultRanges()
	few.FewCalls = 1e6
	c = doctor.Compare(rooms(t), s, &doctor.Options{Ranges: few})
	for _, f := range c.Findings() {
		if f.Rule != "promise-rate" && f.Rule != "pattern-idle" && f.Rule != "pattern-unknown" && !strings.Contains(f.Title, "largest") {
			t.Errorf("of few calls: %s", f.String())
		}
	}
}

// Nobody called anything, yet.
func TestNothingSeen(t *testing.T) {
	c := doctor.Compare(rooms(t), doctor.Empty(stats.Thresholds{}), nil)
	if f := c.Findings(); len(f) > 0 {
		t.Errorf("%v", f)
	}
	for _, p := range c.Patterns {
		if p.Items.Is == doctor.Within || p.Read.Is == doctor.Within || p.Average.Is == doctor.Below {
			t.Errorf("%+v", p)
		}
	}
	var b strings.Builder
	must(t, c.WriteText(&b))
	if _, err := json.Marshal(c); err != nil { // no NaN
		t.Error(err)
	}
}

// fewKeys is the share of a partition that the hottest key takes where too few calls tell it.
var fewKeys = regexp.MustCompile(`→ [0-9.]+ % …`)

func testText(t *testing.T) {
	_, s := days(t)
	c := doctor.Compare(rooms(t), s, nil)
	var b strings.Builder
	must(t, c.WriteText(&b))
	// The collector samples keys at random, so that of a few calls the hottest key takes a little more or less.
	golden(t, "testdata/promises.golden", fewKeys.ReplaceAllString(b.String(), "→ a little …"))
	text, err := json.Marshal(c)
	must(t, err)
	var again doctor.Comparison
	must(t, json.Unmarshal(text, &again))
	if fmt.Sprintf("%+v", *again.Patterns[0]) != fmt.Sprintf("%+v", *c.Patterns[0]) {
		t.Errorf("JSON: %+v became %+v", *c.Patterns[0], *again.Patterns[0])
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		must(t, os.WriteFile(file, []byte(got), 0o666))
	}
	want, err := os.ReadFile(file)
	must(t, err)
	if got != string(want) {
		t.Errorf("%s is otherwise (-update writes it anew):\n%s", file, got)
	}
}

// A hot key is named only above what a partition notices.
func testHottestKey(t *testing.T) {
	s, _ := days(t)
	hot := *s
	keys := *s.Partitions
	hot.Partitions = &keys
	for _, c := range []struct {
		share float64 // of what a partition can do, in the busiest minute
		want  rules.Severity
	}{{0.05, 0}, {0.2, rules.Advice}, {0.7, rules.Warning}} {
		keys.List = append([]stats.Key{{Table: "Chat", Index: "ByRoom", Hash: 1, Key: `{"roomId":{"S":"r"}}`, Peak: 60 * c.share}}, s.Partitions.List...)
		var got rules.Severity
		for _, f := range doctor.Compare(rooms(t), &hot, nil).Findings() {
			if f.Rule == "promise-skew" {
				if got = f.Severity; f.Table != "Chat" || f.Index != "ByRoom" || f.Key == "" {
					t.Errorf("%+v", f)
				}
			}
		}
		if got != c.want {
			t.Errorf("%v of a partition: severity %v, want %v", c.share, got, c.want)
		}
	}
}

// Units that were computed are the least that they can have been: that they are few means nothing.
func testComputedUnits(t *testing.T) {
	s, _ := days(t)
	for _, computed := range []bool{false, true} {
		less := *s
		less.Operations = slices.Clone(s.Operations)
		for i, o := range less.Operations {
			if o.Pattern == "react" {
				c := *o
				c.Write, c.Arms = o.Write/4, nil
				if computed {
					c.ComputedWrite = c.Write
				}
				less.Operations[i] = &c
			}
		}
		found := slices.ContainsFunc(doctor.Compare(rooms(t), &less, nil).Findings(), func(f rules.Finding) bool { return f.Rule == "promise-units" && f.Severity == rules.Advice })
		if found == computed {
			t.Errorf("computed %v: a finding %v", computed, found)
		}
	}
}

// Pages are calls where the pattern's rate counts them; else what goes on with an answer is none, nor is what repeats a request.
func testCallsOfAPattern(t *testing.T) {
	s, _ := days(t)
	more := *s
	more.Operations = slices.Clone(s.Operations)
	for i, o := range more.Operations {
		c := *o
		switch o.Pattern {
		case "reactionsOf":
			c.Calls, c.Resumed, c.More = 2*o.Calls, o.Calls, o.Calls
		case "messagesOfRoom":
			c.Resumed = o.Calls / 2
		case "post":
			c.Calls, c.Retries = 3*o.Calls, 2*o.Calls
		}
		more.Operations[i] = &c
	}
	was, is := doctor.Compare(rooms(t), s, nil), doctor.Compare(rooms(t), &more, nil)
	for i, p := range is.Patterns {
		if p.Calls != was.Patterns[i].Calls {
			t.Errorf("%s: %v calls, and %v before", p.Name, p.Calls, was.Patterns[i].Calls)
		}
	}
	// A program that serves a pattern by other requests.
	for i, o := range more.Operations {
		if o.Pattern == "message" {
			c := *o
			c.Operation = "BatchGetItem"
			more.Operations[i] = &c
		}
	}
	for _, p := range doctor.Compare(rooms(t), &more, nil).Patterns {
		if (p.Estimated != "") != (p.Name == "message") {
			t.Errorf("%s: %s", p.Name, p.Estimated)
		}
	}
}

// What is sent as statements of PartiQL is what they do, called as it was sent.
func testStatements(t *testing.T) {
	_, s := days(t)
	stated := *s
	stated.Operations = nil
	for _, o := range s.Operations {
		one := *o
		if one.Operation == "GetItem" || one.Operation == "Query" {
			one.Operation, one.As = "ExecuteStatement", o.Operation
		}
		stated.Operations = append(stated.Operations, &one)
	}
	p := rooms(t)
	want, got := doctor.Compare(p, s, nil), doctor.Compare(p, &stated, nil)
	if len(got.Unknown) != 1 || got.Unknown[0].Operation != "ExecuteStatement" {
		t.Errorf("unknown: %+v", got.Unknown)
	}
	want.Unknown, got.Unknown = nil, nil
	if !reflect.DeepEqual(want, got) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
