package rules_test

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/internal/norace"
	"github.com/tablewright/tablewright/stats"
	"github.com/tablewright/tablewright/stats/rules"
	"github.com/tablewright/tablewright/stats/rules/internal/tracebench"
)

// traces are those of every rule, by its ID: at least one that fires it and one near miss. Under "" are those of clean programs.
var traces = map[string][]tracebench.Trace{}

// bench adds the traces of a rule; its file has them as var _ = bench("rule-id", …).
func bench(rule string, all ...tracebench.Trace) bool {
	traces[rule] = append(traces[rule], all...)
	return true
}

// input is what rules are given of a trace.
func input(r *tracebench.Result) rules.Input {
	in := rules.Input{Stats: r.Stats}
	for i, p := range r.Tables {
		t := &rules.Table{Declared: p}
		switch {
		case len(r.Live) > 0:
			t.Live = &r.Live[i]
		case len(r.Stats.Tables) > 0: // the export says how they are declared
			continue
		}
		in.Tables = append(in.Tables, t)
	}
	return in
}

// exported is a snapshot as another program reads it: rules know nothing that an export does not have.
func exported(t *testing.T, s *stats.Snapshot) *stats.Snapshot {
	t.Helper()
	var b bytes.Buffer
	if err := s.Write(&b); err != nil {
		t.Fatal(err)
	}
	again, err := stats.ReadSnapshot(&b)
	if err != nil {
		t.Fatal(err)
	}
	return again
}

// score counts how often a rule was right.
type score struct{ right, wrong, missed int }

// TestTraces plays every trace. Each has to fire the rules that it says, and no others; every saving that is claimed is held to what
// the engine consumes when the trace is played again with the remedy applied. One rule's traces are run by
//
//	go test ./stats/rules -run TestTraces/unused-index -v
func TestTraces(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	defer debug.SetGCPercent(debug.SetGCPercent(800)) // a third of the time otherwise: each trace leaves everything behind
	scores := map[string]*score{}
	for _, r := range rules.All() {
		scores[r.ID] = &score{}
	}
	var savings strings.Builder
	shown := map[string]*examples{}
	for _, rule := range slices.Sorted(maps.Keys(traces)) {
		shown[rule] = &examples{}
		t.Run(cmp.Or(rule, "clean"), func(t *testing.T) {
			for _, tr := range traces[rule] {
				t.Run(tr.Name, func(t *testing.T) {
					savings.WriteString(play(t, rule, &tr, scores, shown[rule]))
				})
			}
		})
	}
	var all score
	for _, id := range slices.Sorted(maps.Keys(scores)) {
		s := scores[id]
		all.right, all.wrong, all.missed = all.right+s.right, all.wrong+s.wrong, all.missed+s.missed
		t.Logf("%-24s fired rightly %d times, wrongly %d, missed %d", id, s.right, s.wrong, s.missed)
	}
	precision := float64(all.right) / max(float64(all.right+all.wrong), 1)
	recall := float64(all.right) / max(float64(all.right+all.missed), 1)
	t.Logf("precision %.3f, recall %.3f", precision, recall)
	if all.right > 0 && (precision < 0.95 || recall < 0.95) {
		t.Errorf("precision %.3f and recall %.3f: both have to be 0.95", precision, recall)
	}
	t.Run("pages", func(t *testing.T) { checkPages(t, shown) })
	t.Logf("savings a month, claimed and played again:\n%s", savings.String())
}

// play plays a trace and compares. What is recorded of some traces is left to chance, as sampling is, so that one play in some hundreds is told
// wrongly: a trace that is has to be told rightly in the next two plays. The scores are those of the first.
func play(t *testing.T, rule string, tr *tracebench.Trace, scores map[string]*score, shown *examples) string {
	for _, id := range tr.Fires {
		if scores[id] == nil {
			t.Fatalf("there is no rule %s", id)
		}
	}
	v := judge(t, rule, tr, scores)
	if len(v.wrong) > 0 {
		t.Logf("wrong in the first play:\n%s", strings.Join(v.wrong, "\n"))
		for range 2 {
			if v = judge(t, rule, tr, nil); len(v.wrong) > 0 {
				t.Fatal(strings.Join(v.wrong, "\n"))
			}
		}
	}
	shown.see(rule, tr, v.found)
	return v.saving
}

// verdict is what there is to say of one play of a trace.
type verdict struct {
	wrong  []string
	found  *rules.Finding // of the rule that the trace is about
	saving string
}

func (v *verdict) errorf(format string, args ...any) {
	v.wrong = append(v.wrong, fmt.Sprintf(format, args...))
}

// judge plays a trace once. A rule other than those that it is about may fire where Trace.May says so.
func judge(t *testing.T, rule string, tr *tracebench.Trace, scores map[string]*score) (v verdict) {
	result := tr.Play(t)
	result.Stats = exported(t, result.Stats)
	in := input(result)
	if tr.Alone {
		in.Tables, in.Stats.Tables = nil, nil
	}
	found := rules.Recommend(in)
	fired := map[string]*rules.Finding{}
	for i := range found {
		f := &found[i]
		for _, id := range append([]string{f.Rule}, f.Also...) {
			if fired[id] == nil {
				fired[id] = f
			}
		}
		if problem := f.Check(); problem != "" {
			v.errorf("%s: %s", f.Rule, problem)
		}
	}
	for _, r := range rules.All() {
		s := scores[r.ID]
		if s == nil {
			s = &score{} // of a later play
		}
		switch want := slices.Contains(tr.Fires, r.ID); {
		case want && fired[r.ID] != nil:
			s.right++
		case want:
			s.missed++
			v.errorf("%s finds nothing", r.ID)
		case fired[r.ID] != nil && !slices.Contains(tr.May, r.ID):
			s.wrong++
			v.errorf("%s finds what is not there: %s", r.ID, fired[r.ID].Title)
		}
	}
	f := fired[rule]
	v.found = f
	if tr.Remedied == nil {
		if f != nil && f.Rule == rule && f.Saving != nil && len(tr.Fires) > 0 {
			v.errorf("a saving of %v a month is claimed, and nothing says how the remedy is applied: Trace.Remedied", f.Saving.Monthly())
		}
		return v
	}
	if f == nil || f.Saving == nil {
		v.errorf("the remedy is there, but no saving is claimed")
		return v
	}
	after := tr.PlayRemedied(t)
	b, a := result.PerSecond(), after.PerSecond()
	for _, c := range []struct {
		what              string
		claimed, replayed float64
	}{
		{"dollars a month", f.Saving.Monthly().Dollars(), (result.Bill - after.Bill).Dollars()},
		{"read units a second", f.Saving.ReadBefore - f.Saving.ReadAfter, b.Read - a.Read},
		{"write units a second", f.Saving.WriteBefore - f.Saving.WriteAfter, b.Write - a.Write},
	} {
		if math.Abs(c.claimed-c.replayed) > 0.1*math.Abs(c.replayed)+1e-9 {
			v.errorf("%s: %.6g %s are said to be saved, and %.6g are", f.Rule, c.claimed, c.what, c.replayed)
		}
	}
	v.saving = fmt.Sprintf("  %-24s %-40s claimed $%.6g, played again $%.6g\n", f.Rule, tr.Name, f.Saving.Monthly().Dollars(), (result.Bill - after.Bill).Dollars())
	return v
}

// TestRules holds every rule to its form, and to have traces: one that fires it and one near miss.
func TestRules(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range rules.All() {
		if seen[r.ID] || strings.Trim(r.ID, "abcdefghijklmnopqrstuvwxyz-") != "" || r.Title == "" || r.Category == "" || r.Looks == "" || r.Fires == "" ||
			r.Rests == "" || len(r.Sources) == 0 || r.Find == nil {
			t.Errorf("%s: not whole, or there twice", r.ID)
		}
		seen[r.ID] = true
		for _, text := range []string{r.Looks, r.Fires, r.Rests} {
			if !strings.HasSuffix(text, ".") {
				t.Errorf("%s: no sentence: %s", r.ID, text)
			}
		}
		for _, source := range r.Sources {
			if !strings.HasPrefix(source, "https://") {
				t.Errorf("%s: %s is no address", r.ID, source)
			}
		}
		firing, near := 0, 0
		for _, tr := range traces[r.ID] {
			switch {
			case slices.Contains(tr.Fires, r.ID):
				firing++
			case tr.Near:
				near++
			}
		}
		if firing == 0 || near == 0 {
			t.Errorf("%s: %d traces fire it and %d are near misses: there has to be one of each", r.ID, firing, near)
		}
	}
	for rule := range traces {
		if rule != "" && !seen[rule] {
			t.Errorf("traces of a rule %s that is not there", rule)
		}
	}
}
