package prove

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/spec"
)

// TestLateKeys holds answers that are ordered and cut by a number that may lag against what they may be: whoever has not changed
// stands in its place, once, and is missing only where others may have taken its place.
func TestLateKeys(t *testing.T) {
	text := strings.Replace(boxes, "patterns:", `patterns:
  fullest: {read: Box, order: things descending, top: 2, rate: {average: 1/s, peak: 1/s}}
  full: {read: Box, where: things >= 2, order: things descending, results: {average: 50, max: 100}, rate: {average: 1/s, peak: 1/s}}`, 1)
	r, _, found := model.ReadRequirements("boxes.yaml", []byte(text))
	if r == nil || found.Errors() > 0 {
		t.Fatal(found)
	}
	o := NewOracle(r)
	box, thing := r.Entity("Box"), r.Entity("Thing")
	o.followLate(box.Attribute("things"), time.Second)
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	o.SetNow(at)
	n := 0
	add := func(id string, count int) {
		for range count {
			n++
			o.put(thing, attr.ItemOf(attr.Field{Name: "thingId", Value: attr.Text(strconv.Itoa(n))}, attr.Field{Name: "boxId", Value: attr.Text(id)}))
		}
	}
	for id, count := range map[string]int{"a": 4, "b": 3, "c": 2, "d": 1} {
		o.put(box, attr.ItemOf(attr.Field{Name: "boxId", Value: attr.Text(id)}))
		add(id, count)
	}
	o.SetNow(at.Add(time.Hour))
	add("d", 4) // d was the last, and is the first
	for _, c := range []struct {
		pattern, got string
		after        time.Duration
		cause        string
	}{
		{"fullest", "d5 a4", time.Second, ""},
		{"fullest", "a4 b3", time.Second, ""}, // as it was
		{"fullest", "a4 d3", time.Second, ""}, // on the way
		{"fullest", "a4 d3", time.Minute, "wrong place"},
		{"full", "a4 b3 c2 d1", time.Minute, "wrong place"},
		{"fullest", "a4 b3", time.Minute, "is missing"},
		{"fullest", "b3 d5", time.Second, "is missing"},
		{"fullest", "a4 c2", time.Second, "is missing"},
		{"fullest", "b3 a4", time.Second, "wrong place"},
		{"fullest", "a4 a4", time.Second, "answered before"},
		{"fullest", "a4 d9", time.Second, "other contents"},
		{"full", "d5 a4 b3 c2", time.Second, ""},
		{"full", "a4 b3 c2", time.Second, ""},
		{"full", "a4 c2", time.Second, "is missing"},
		{"full", "a4 b3 x7", time.Second, "never been stored"},
	} {
		p := r.Pattern(c.pattern)
		o.SetNow(at.Add(time.Hour + c.after))
		var got answer
		for _, word := range strings.Fields(c.got) {
			count, _ := strconv.Atoi(word[1:])
			got.items = append(got.items, attr.ItemOf(attr.Field{Name: "boxId", Value: attr.Text(word[:1])}, attr.Field{Name: "things", Value: attr.Num(attr.Int(int64(count)))}))
		}
		keys := lateKeys(p)
		if len(keys) != 1 {
			t.Fatal(keys)
		}
		cause := ""
		if m := o.tolerateLate(o.Read(p, attr.Item{}), got, keys, time.Second, false, o.now.Add(1)); m != nil {
			cause = m.cause
		}
		if (cause == "") != (c.cause == "") || !strings.Contains(cause, c.cause) {
			t.Errorf("%s answers %s %s after: %q, and not %q", c.pattern, c.got, c.after, cause, c.cause)
		}
	}
	o.SetNow(at.Add(2 * time.Hour))
	add("a", 1)
	o.put(box, attr.ItemOf(attr.Field{Name: "boxId", Value: attr.Text("e")}))
	add("e", 5)
	o.SetNow(at.Add(3 * time.Hour)) // three of five things each: any two of them are the fullest
	for _, ids := range []string{"ad", "de", "ea", "ab"} {
		var got answer
		for _, id := range ids {
			count := map[bool]int64{true: 3, false: 5}[id == 'b']
			got.items = append(got.items, attr.ItemOf(attr.Field{Name: "boxId", Value: attr.Text(string(id))}, attr.Field{Name: "things", Value: attr.Num(attr.Int(count))}))
		}
		p := r.Pattern("fullest")
		m := o.tolerateLate(o.Read(p, attr.Item{}), got, lateKeys(p), time.Second, false, o.now.Add(1))
		if (m != nil) != (ids == "ab") {
			t.Errorf("of three that are equally full %s are the fullest two: %v", ids, m)
		}
	}
}

// TestLateTies: one that has fewer now may stand where it stood, and then any of those who are tied may be the one that is cut off.
func TestLateTies(t *testing.T) {
	text := strings.Replace(boxes, "patterns:", `patterns:
  fullest: {read: Box, order: things descending, top: 2, rate: {average: 1/s, peak: 1/s}}`, 1)
	r, _, found := model.ReadRequirements("boxes.yaml", []byte(text))
	if r == nil || found.Errors() > 0 {
		t.Fatal(found)
	}
	o := NewOracle(r)
	box, thing, p := r.Entity("Box"), r.Entity("Thing"), r.Pattern("fullest")
	o.followLate(box.Attribute("things"), time.Second)
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	o.SetNow(at)
	item := func(id string, things int64) attr.Item {
		return attr.ItemOf(attr.Field{Name: "boxId", Value: attr.Text(id)}, attr.Field{Name: "things", Value: attr.Num(attr.Int(things))})
	}
	var gone *Instance
	for _, id := range []string{"a", "b", "c", "d"} {
		o.put(box, attr.ItemOf(attr.Field{Name: "boxId", Value: attr.Text(id)}))
		for i := range 2 {
			in := o.put(thing, attr.ItemOf(attr.Field{Name: "thingId", Value: attr.Text(id + strconv.Itoa(i))}, attr.Field{Name: "boxId", Value: attr.Text(id)}))
			if id == "d" {
				gone = in
			}
		}
	}
	o.SetNow(at.Add(time.Hour))
	o.remove(gone)
	held := func(items ...attr.Item) *mismatch {
		return o.tolerateLate(o.Read(p, attr.Item{}), answer{items: items}, lateKeys(p), time.Second, false, o.now.Add(1))
	}
	for _, settled := range []string{"a", "b", "c"} {
		if m := held(item("d", 2), item(settled, 2)); m != nil {
			t.Errorf("d as it was, and %s: %s", settled, m.cause)
		}
	}
	o.SetNow(at.Add(2 * time.Hour))
	if m := held(item("d", 1), item("a", 2)); m == nil {
		t.Error("d stands where it stood an hour ago")
	}
}

// TestLateOrder: a list that is ordered by a copy of what something else is called may be ordered by what that was called, for as long
// as the pattern tolerates it.
func TestLateOrder(t *testing.T) {
	text := strings.Replace(boxes, "patterns:", `patterns:
  rename: {write: {update: Box, set: [label]}, rate: {average: 1/s, peak: 1/s}}
  byLabel: {read: Thing, order: box.label, returns: [thingId, box.label], staleness: 1min, results: {average: 50, max: 100}, rate: {average: 1/s, peak: 1/s}}`, 1)
	text = strings.Replace(text, "Box:\n    identity: [boxId]\n    attributes:", "Box:\n    identity: [boxId]\n    attributes:\n      label: {type: string, bytes: 8}", 1)
	r, _, found := model.ReadRequirements("boxes.yaml", []byte(text))
	if r == nil || found.Errors() > 0 {
		t.Fatal(found)
	}
	o := NewOracle(r)
	box, thing, p := r.Entity("Box"), r.Entity("Thing"), r.Pattern("byLabel")
	o.keep, o.sources = time.Minute, map[*spec.Entity]bool{box: true}
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	field := func(name, value string) attr.Field { return attr.Field{Name: name, Value: attr.Text(value)} }
	call := func(id, label string) { o.put(box, attr.ItemOf(field("boxId", id), field("label", label))) }
	shown := func(id, label string) attr.Item {
		return attr.ItemOf(field("thingId", id), attr.Field{Name: "box", Value: attr.Map(attr.ItemOf(field("label", label)))})
	}
	o.SetNow(at)
	for _, id := range []string{"a", "b", "c"} {
		call(id, id)
		o.put(thing, attr.ItemOf(field("thingId", id), field("boxId", id)))
	}
	o.SetNow(at.Add(time.Hour))
	call("a", "z")
	for _, c := range []struct {
		after time.Duration
		items []attr.Item
		right bool
	}{
		{time.Second, []attr.Item{shown("a", "a"), shown("b", "b"), shown("c", "c")}, true},
		{time.Second, []attr.Item{shown("b", "b"), shown("c", "c"), shown("a", "z")}, true},
		{time.Second, []attr.Item{shown("a", "a"), shown("c", "c"), shown("b", "b")}, false},
		{time.Second, []attr.Item{shown("a", "x"), shown("b", "b"), shown("c", "c")}, false},
		{time.Hour, []attr.Item{shown("a", "a"), shown("b", "b"), shown("c", "c")}, false},
	} {
		o.SetNow(at.Add(time.Hour + c.after))
		m := o.tolerateLate(o.Read(p, attr.Item{}), answer{items: c.items}, lateKeys(p), time.Second, false, o.now.Add(-p.Staleness))
		if (m == nil) != c.right {
			t.Errorf("%s after: %v: %v", c.after, c.items, m)
		}
	}
}
