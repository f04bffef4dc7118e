package doctor_test

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/doctor"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/stats"
)

// The requirements with measured figures keep their comments and layout, hold, and have a model that is as promised.
func testUpdate(t *testing.T) {
	_, s := days(t)
	text, err := os.ReadFile("testdata/rooms.yaml")
	must(t, err)
	u, err := doctor.Update("rooms.yaml", text, rooms(t), s, nil)
	must(t, err)
	var log strings.Builder
	log.Write(u.Text)
	log.WriteString("\n# changed:\n")
	for _, c := range u.Changes {
		fmt.Fprintf(&log, "# %s %s: %s -> %s (%s)\n", c.Of, c.What, c.Before, c.After, c.From)
	}
	log.WriteString("\n# left:\n")
	for _, l := range u.Left {
		fmt.Fprintf(&log, "# %s %s: %s\n", l.Of, l.What, l.Why)
	}
	golden(t, "testdata/rooms.measured.golden", log.String())
	for _, of := range []string{"messagesOfRoom rate", "post rate", "Message bytes", "Message growth", "Reaction.messageId per-parent"} {
		if !slices.ContainsFunc(u.Changes, func(c doctor.Change) bool { return c.Of+" "+c.What == of }) {
			t.Errorf("%s is not written", of)
		}
	}

	// The comparison with the updated requirements has nothing to say of what was written.
	c := doctor.Compare(compiled(t, u.Text), s, nil)
	for _, p := range c.Patterns {
		if p.Idle || p.Name == "messagesOfRoom" { // whose promise the model states
			continue
		}
		if p.Out() {
			t.Errorf("still out of its range: %+v", p)
		}
	}
	for _, it := range c.Items {
		if it.Out() {
			t.Errorf("still out of its range: %+v", it)
		}
	}

	// Written once more nothing changes.
	again, err := doctor.Update("rooms.yaml", u.Text, compiled(t, u.Text), s, nil)
	must(t, err)
	if len(again.Changes) > 0 || !bytes.Equal(again.Text, u.Text) {
		t.Errorf("a second time: %+v", again.Changes)
	}
}

// A day as it was planned changes nothing.
func testUpdateAsPlanned(t *testing.T) {
	s, _ := days(t)
	text, err := os.ReadFile("testdata/rooms.yaml")
	must(t, err)
	u, err := doctor.Update("rooms.yaml", text, rooms(t), s, nil)
	must(t, err)
	for _, c := range u.Changes {
		if c.What == "bytes" || c.What == "results" || c.What == "skew" { // others are of calls at random, by more than 5 %
			t.Errorf("%+v", c)
		}
	}
}

// The busiest minute of an hour is no reason to plan for less than what a day may bring; that of a day is.
func testUpdatePeak(t *testing.T) {
	s, _ := days(t)
	text, err := os.ReadFile("testdata/rooms.yaml")
	must(t, err)
	const planned, higher = "peak: 0.1/s}   # one page each", "peak: 90/s}   # one page each"
	if !bytes.Contains(text, []byte(planned)) {
		t.Fatal("no such rate")
	}
	text = bytes.Replace(text, []byte(planned), []byte(higher), 1)
	hour := *s
	hour.From, hour.Watched = s.To.Add(-time.Hour), nil
	for _, x := range []struct {
		of     *stats.Snapshot
		lowers bool
	}{{s, true}, {&hour, false}} {
		u, err := doctor.Update("rooms.yaml", text, compiled(t, text), x.of, nil)
		must(t, err)
		told := slices.ContainsFunc(u.Left, func(l doctor.Left) bool { return l.Of == "messagesOfRoom" && l.What == "peak" })
		if kept := bytes.Contains(u.Text, []byte("peak: 90/s")); kept == x.lowers || told != kept {
			t.Errorf("of %s: kept %v, told %v", x.of.Span(), kept, told)
		}
	}
}

// What contradicts figures that nobody measured is left, and told.
func testUpdateLeaves(t *testing.T) {
	_, s := days(t)
	text, err := os.ReadFile("testdata/rooms.yaml")
	must(t, err)
	for _, c := range []struct{ name, old, new, of, why string }{
		{"counts", "    bytes: 71\n", "    bytes: 71\n    count: 200_000\n", "Reaction.messageId per-parent", "Reaction is said to be stored"},
		{"a value that is shared", "rate: {average: 0.0025/s, peak: 0.1/s}   # one page each", "rate: &r {average: 0.0025/s, peak: 0.1/s}", "messagesOfRoom rate", "anchor"},
	} {
		changed := strings.Replace(string(text), c.old, c.new, 1)
		if changed == string(text) {
			t.Fatalf("%s: the requirements do not have %q", c.name, c.old)
		}
		u, err := doctor.Update("rooms.yaml", []byte(changed), compiled(t, []byte(changed)), s, nil)
		must(t, err)
		if i := slices.IndexFunc(u.Left, func(l doctor.Left) bool { return l.Of+" "+l.What == c.of }); i < 0 || !strings.Contains(u.Left[i].Why, c.why) {
			t.Errorf("%s: %+v", c.name, u.Left)
		}
		if _, _, found := model.ReadRequirements("rooms.yaml", u.Text); found.Errors() > 0 {
			t.Errorf("%s: %v", c.name, found.Err())
		}
	}
}

// The skew of a read is known where it reads by key what nobody else does.
func testUpdateSkew(t *testing.T) {
	s, _ := days(t)
	text, err := os.ReadFile("testdata/rooms.yaml")
	must(t, err)
	p := rooms(t)
	var calls float64
	for _, o := range s.Operations {
		if o.Pattern == "messagesOfRoom" {
			calls = o.Calls
		}
	}
	for _, c := range []struct {
		name string
		load func(rank int) float64
		keys int
		want string
	}{
		{"a power of the rank", func(rank int) float64 { return 1 / float64(rank) }, 500, "zipf 1"},
		{"one of many", func(rank int) float64 {
			if rank == 1 {
				return 100
			}
			return 1
		}, 400, "hottest 20%"},
		{"all alike", func(int) float64 { return 1 }, 400, ""},
	} {
		skewed := *s
		var all float64
		for i := range c.keys {
			all += c.load(i + 1)
		}
		skewed.Partitions = &stats.Keys{}
		collector := stats.NewCollector(stats.Options{})
		for i := range c.keys {
			share := c.load(i+1) / all
			collector.Record(&stats.Event{Start: 1, Operation: "Query", Table: "Chat", Index: "ByRoom", Partition: stats.KeyID{Hash: uint64(i+1) * 0x9e3779b97f4a7c15}, Read: 0.5, Weight: 1,
				Arms: []stats.Arm{{Table: "Chat", Index: "ByRoom", Read: 0.5}}, Units: stats.Reported})
			skewed.Partitions.List = append(skewed.Partitions.List, stats.Key{Table: "Chat", Index: "ByRoom", Hash: uint64(i + 1), Read: share * 0.5 * 8 * calls, Calls: share * 8 * calls})
		}
		distinct := collector.Snapshot().Consumed
		skewed.Operations, skewed.Consumed = slices.Clone(s.Operations), slices.Clone(s.Consumed)
		for i, o := range skewed.Operations {
			if o.Pattern == "messagesOfRoom" {
				more := *o
				more.Calls, more.Read, more.Arms = 8*o.Calls, 4*o.Calls, []stats.Arm{{Table: "Chat", Index: "ByRoom", Read: 4 * o.Calls}}
				skewed.Operations[i] = &more
			}
		}
		for i, x := range skewed.Consumed {
			if x.Index == "ByRoom" {
				more := *x
				more.Partitions = distinct[slices.IndexFunc(distinct, func(x *stats.Consumption) bool { return x.Index == "ByRoom" })].Partitions
				skewed.Consumed[i] = &more
			}
		}
		u, err := doctor.Update("rooms.yaml", text, p, &skewed, nil)
		must(t, err)
		got := ""
		for _, x := range u.Changes {
			if x.What == "skew" {
				got = x.After
			}
		}
		if got != c.want || (c.want != "") != strings.Contains(string(u.Text), "skew: "+c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func testUpdateOfOthers(t *testing.T) {
	s, _ := days(t)
	if _, err := doctor.Update("x.yaml", []byte("tablewright: 1\n"), rooms(t), s, nil); err == nil {
		t.Error("requirements with errors are taken")
	}
	if _, err := doctor.Update("starter.yaml", model.Starter(), rooms(t), s, nil); err == nil || !strings.Contains(err.Error(), "these are not its requirements") {
		t.Errorf("requirements of another application: %v", err)
	}
}
