package design

import (
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/model"
)

const moorings = `tablewright: 1
application: moorings
entities:
  Berth:
    identity: [berthId]
    attributes:
      berthId: {type: string, generated: ulid}
      name: {type: string, bytes: 30}
      calls: {type: number, digits: 12}
    count: 400_000
  Stay:
    identity: [stayId]
    attributes:
      stayId: {type: string, generated: ulid}
      berthId: {references: Berth, inverse: stays, per-parent: {average: 90, max: 40_000}}
    bytes: 400
    count: 36_000_000
patterns:
  addBerth: {write: {create: Berth}, rate: {average: 0.01/s, peak: 1/s}}
  addStay: {write: {create: Stay}, rate: {average: 0.01/s, peak: 1/s}}
  getBerth: {read: Berth, given: [berthId], rate: {average: 2/s, peak: 9/s}}
  getStay: {read: Stay, given: [stayId], rate: {average: 2/s, peak: 9/s}}
`

// TestExamine: each pattern that the designer refuses is named by itself, and what it serves is not.
func TestExamine(t *testing.T) {
	for _, c := range []struct{ name, more, want string }{
		{"served", `  stays: {read: Stay, given: [berthId], page: 20, rate: {average: 2/s, peak: 9/s}}`, ""},
		{"no rule", `  named: {read: Berth, where: "contains(name, $word)", page: 20, results: {average: 40, max: 900}, rate: {average: 2/s, peak: 9/s}}`, "named false patterns named where"},
		{"one moment", `  book: {read: Berth, given: [berthId], with: [stays], whole: true, consistency: snapshot, rate: {average: 2/s, peak: 9/s}}`, "book true patterns book"},
		{"too hot", `  call: {write: {update: Berth, set: {calls: calls + 1}}, skew: hottest 50%, rate: {average: 500/s, peak: 9_000/s}}`, "call true patterns call"},
		{"several", `  named: {read: Berth, where: "contains(name, $word)", page: 20, results: {average: 40, max: 900}, rate: {average: 2/s, peak: 9/s}}
  call: {write: {update: Berth, set: {calls: calls + 1}}, skew: hottest 50%, rate: {average: 500/s, peak: 9_000/s}}`, "named false patterns named where, call true patterns call"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, _, ds := model.ReadRequirements("moorings.yaml", []byte(moorings+c.more+"\n"))
			if ds.Errors() > 0 {
				t.Fatal(ds.Err())
			}
			found, all := Examine(t.Context(), r, Options{})
			var got []string
			for _, o := range found {
				limit := " false "
				if o.Limit {
					limit = " true "
				}
				got = append(got, o.Of+limit+strings.Join(o.At, " "))
				if o.Instead == "" {
					t.Errorf("%s: nothing to write instead: %s", o.Of, o.Message)
				}
			}
			if s := strings.Join(got, ", "); s != c.want || !all {
				t.Errorf("%s (all %t), not %s: %v", s, all, c.want, found)
			}
			if _, err := Design(t.Context(), r, Options{Steps: 2_000}); (err != nil) != (c.want != "") {
				t.Errorf("the designer says %v", err)
			}
		})
	}
	hot := `  call: {write: {update: Berth, set: {calls: calls + 1}}, skew: hottest 50%, rate: {average: 500/s, peak: 9_000/s}}`
	r, _, _ := model.ReadRequirements("moorings.yaml", []byte(moorings+hot+"\n"))
	if found, all := Examine(t.Context(), r, Options{Time: time.Nanosecond}); len(found) > 0 || all {
		t.Errorf("in no time it is known that nothing serves it: %v", found)
	}
}

// TestExaminesSoFar: what is looked into is bounded by what is compared, and not by time alone: whoever asks again hears the same.
func TestExaminesSoFar(t *testing.T) {
	r, _, found, err := model.LoadRequirements("testdata/workloads/live-scores.yaml") // the search needs long to find that nothing serves it
	if err != nil || found.Errors() > 0 {
		t.Fatal(found, err)
	}
	if obstacles, all := Examine(t.Context(), r, Options{}); all {
		t.Errorf("all is known: %v", obstacles)
	}
}

// TestChecksAnother: an action that sets nothing is a check in the transaction of the others, by the key that it states.
func TestChecksAnother(t *testing.T) {
	r, _, ds := model.ReadRequirements("tips.yaml", []byte(`tablewright: 1
application: tips
entities:
  Match:
    identity: [matchId]
    attributes: {matchId: {type: string, generated: ulid}, kickOff: timestamp, revision: {type: number, generated: version}}
    count: 3_000
  Tip:
    identity: [matchId, playerId]
    attributes:
      matchId: {references: Match, inverse: tips, per-parent: {average: 40, max: 900}}
      playerId: {type: string, bytes: 12}
    bytes: 90
    count: 120_000
patterns:
  plan: {write: {create: Match}, rate: {average: 0.01/s, peak: 1/s}}
  move: {write: {update: Match, set: [kickOff]}, rate: {average: 0.01/s, peak: 1/s}}
  getMatch: {read: Match, given: [matchId], rate: {average: 1/s, peak: 5/s}}
  tips: {read: Tip, given: [matchId], page: 30, rate: {average: 1/s, peak: 5/s}}
  tip:
    write: [{upsert: Tip}, {update: Match, key: {matchId: $tip.matchId}, condition: kickOff > now, refusal: closed}]
    rate: {average: 1/s, peak: 5/s}
`))
	if ds.Errors() > 0 {
		t.Fatal(ds.Err())
	}
	found, err := Design(t.Context(), r, Options{})
	if err != nil {
		t.Fatal(err)
	}
	text := string(model.AppendModel(nil, found.Model))
	if !strings.Contains(text, "{check: Match, key: {matchId: $tip.matchId}, if: [present, kickOff > now], else: closed}") || strings.Contains(text, "{update: Match, key: {matchId: $tip.matchId}") {
		t.Error(text)
	}
}
