package spec_test

import (
	"strings"
	"testing"

	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/spec"
)

// TestOver: a condition holds for nobody once the time is there from which a retention counts, if each update that states the time ends
// it, and none brings it back.
func TestOver(t *testing.T) {
	base := strings.Replace(implied, "    count: 1_000\n", "    count: 1_000\n    retention: 1 year after endedAt\n", 1)
	for _, line := range []string{"  move:", "  shut:"} { // what states a caller sets is not known
		i := strings.Index(base, line)
		base = base[:i] + base[i+strings.Index(base[i:], "\n")+1:]
	}
	again := "  again: {write: {update: Shift, set: {state: open}, condition: state = closed}, rate: {average: 1/s, peak: 1/s}}\n"
	for _, x := range []struct {
		name, text, while string
		over              bool
	}{
		{"what is closed is open no more", base, "state in ('open', 'paused')", true},
		{"it is closed, though", base, "state = 'closed'", false},
		{"it comes back", strings.Replace(base, "closed: []", "closed: [open]", 1) + again, "state in ('open', 'paused')", false},
		{"it need not be closed", strings.Replace(base, "set: {state: closed, endedAt: now}", "set: {endedAt: now}", 1), "state in ('open', 'paused')", false},
	} {
		r, _, found := model.ReadRequirements("implied.yaml", []byte(x.text))
		if r == nil || found.Errors() > 0 {
			t.Fatal(x.name, found)
		}
		e := r.Entity("Shift")
		c, err := spec.ParseCondition(x.while)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Over(e, c); got != x.over {
			t.Errorf("%s: over %t, want %t", x.name, got, x.over)
		}
		if !r.Updates(e, e.Attribute("endedAt")) || r.Updates(e, e.Attribute("shiftId")) {
			t.Errorf("%s: endedAt is updated, and the identity is not", x.name)
		}
	}
	for text, once := range map[string]bool{"if_missing(at, now)": true, "now": false, "if_missing(other, now)": false} {
		v, err := spec.ParseValue(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := (spec.Assign{Path: spec.Path{"at"}, Value: v}).Once(); got != once {
			t.Errorf("at: %s is set once: %t, want %t", text, got, once)
		}
	}
}
