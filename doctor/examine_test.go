package doctor_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/doctor"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
	"github.com/tablewright/tablewright/stats/rules"
)

// Examine has the findings of all that it is given, the most pressing first, and rests where there is nothing.
func testExamine(t *testing.T) {
	_, s := days(t)
	d := doctor.Examine(&doctor.Case{Stats: s, Program: rooms(t), Differences: map[string][]tablewright.Difference{"Chat": {{What: "time to live", Declared: "", Found: "until"}}, "Other": nil}})
	if !slices.IsSortedFunc(d.Findings, func(a, b rules.Finding) int { return int(b.Severity) - int(a.Severity) }) {
		t.Error("a less severe finding comes first")
	}
	count := map[string]int{}
	for _, f := range d.Findings {
		count[f.Rule]++
		if doctor.Rule(f.Rule) == nil {
			t.Errorf("there is no rule %s", f.Rule)
		}
	}
	if d.Promises == nil || count["promise-rate"] != 2 || count["table-differs"] != 1 {
		t.Errorf("%v", count)
	}
	for _, c := range []*doctor.Case{{}, {Stats: doctor.Empty(stats.Thresholds{})}, {Program: rooms(t)}, {Tables: []*rules.Table{{Declared: plan.Table{Name: "T", Key: plan.Key{Partition: "id"}}}}}} {
		if d := doctor.Examine(c); len(d.Findings) > 0 || d.Promises != nil {
			t.Errorf("of nothing: %v", d.Findings)
		}
	}
}

// A model alone is held against DynamoDB's limits at its stated peak.
func TestLimits(t *testing.T) {
	text, err := os.ReadFile("testdata/rooms.yaml")
	must(t, err)
	for _, c := range []struct {
		old, new, want string
	}{
		{"", "", ""},
		{"read: Message, given: [messageId], rate: {average: 0.00125/s, peak: 0.05/s}", "read: Message, given: [messageId], skew: hottest 90%, rate: {average: 2_000/s, peak: 8_000/s}", "critical hot-key/Chat"},
		{"bytes: {average: 200, max: 2_000}", "bytes: {average: 200, max: 390_000}", "warning item-size/Chat"},
	} {
		found := doctor.Limits(compiled(t, []byte(strings.Replace(string(text), c.old, c.new, 1))), nil)
		var got []string
		for _, f := range found {
			if f.Rule != "model-limit" || f.Title == "" || f.Remedy.Text == "" || f.Table != "Chat" {
				t.Errorf("%+v", f)
			}
			got = append(got, f.Severity.String()+" "+strings.TrimPrefix(f.Cause, "model-limit "))
		}
		if c.want == "" && len(got) > 0 || c.want != "" && !slices.Contains(got, c.want) {
			t.Errorf("%s: %v, want %s", c.new, got, c.want)
		}
	}
}

// Every rule says what it is about, under an ID of its own.
func TestRules(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range doctor.Rules() {
		if seen[r.ID] || r.Title == "" || r.Category == "" || doctor.Rule(r.ID) != r {
			t.Errorf("%+v", r)
		}
		seen[r.ID] = true
		if text := doctor.Explain(r); !strings.HasPrefix(text, "# "+r.ID+"\n") || rules.Page(r.ID) == "" && len(text) < 200 {
			t.Errorf("%s: %q", r.ID, text)
		}
	}
	if doctor.Rule("none") != nil || !seen["promise-rate"] || len(rules.All()) >= len(seen) {
		t.Error("rules of both packages are wanted")
	}
}

func TestReadThresholds(t *testing.T) {
	got, ranges, err := doctor.ReadThresholds("t.yaml", []byte("slowCall: 50ms\nlargeItem: 64KB\nhotKey: 60%\nfewCalls: 1_000\nunused: 14 days\npromises:\n  rate: {below: 30%, above: 2}\n  day: 6h\n"))
	must(t, err)
	want := stats.DefaultThresholds()
	want.SlowCall, want.LargeItem, want.HotKey, want.FewCalls, want.Unused = 50*time.Millisecond, 64*capacity.KB, 0.6, 1000, 14*24*time.Hour
	wantRanges := doctor.DefaultRanges()
	wantRanges.Rate, wantRanges.Day = doctor.Range{Below: 0.3, Above: 2}, 6*time.Hour
	if got != want || ranges != wantRanges {
		t.Errorf("%+v %+v", got, ranges)
	}
	if got, ranges, err := doctor.ReadThresholds("t.yaml", nil); err != nil || got != stats.DefaultThresholds() || ranges != doctor.DefaultRanges() {
		t.Errorf("of nothing: %v", err)
	}
	for text, says := range map[string]string{
		"slowcall: 50ms\n":                       "t.yaml:1: there is no threshold slowcall; did you mean slowCall?",
		"a: 1\n":                                 "there is no threshold a",
		"slowCall: 50\n":                         "t.yaml:1:",
		"\nlargeItem: x\n":                       "t.yaml:2:",
		"hotKey: -1\n":                           "less than 0",
		"hotKey: [1]\n":                          "a figure is wanted",
		"promises: 3\n":                          "a map of names and figures",
		"promises:\n  rates: {above: 1}\n":       "t.yaml:2: there is no threshold rates; did you mean rate?",
		"promises:\n  rate: {abov: 1}\n":         "did you mean above?",
		"- 1\n":                                  "thresholds are a map",
		"a: [\n":                                 "yaml",
		"promises: {rate: {above: 1, below: x}}": "(rate)",
	} {
		if _, _, err := doctor.ReadThresholds("t.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %s", text, err, says)
		}
	}
}

func FuzzReadThresholds(f *testing.F) {
	f.Add("slowCall: 50ms\npromises: {rate: {above: 2}}\n")
	f.Add("{}")
	f.Add("a: &x [1]\nb: *x")
	f.Fuzz(func(t *testing.T, text string) {
		_, r, err := doctor.ReadThresholds("t.yaml", []byte(text))
		if err == nil && (r.Rate.Above < 0 || r.Day < 0) {
			t.Errorf("%q: %+v", text, r)
		}
	})
}

// What SARIF 2.1.0 demands of a log, beside what its types hold: docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html.
func testSARIF(t *testing.T) {
	_, s := days(t)
	d := doctor.Examine(&doctor.Case{Stats: s, Program: rooms(t)})
	text, err := os.ReadFile("testdata/rooms.model.yaml")
	must(t, err)
	source, _ := model.NewSource("testdata/rooms.model.yaml", text)
	var out bytes.Buffer
	must(t, doctor.WriteSARIF(&out, d.Findings, doctor.Places{File: "testdata/rooms model.yaml", Source: source}, "v1.2.3"))
	var log struct {
		Schema  string `json:"$schema"`
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name, SemanticVersion, Version, InformationURI string
					Rules                                          []struct {
						ID, Name, HelpURI                 string
						ShortDescription, FullDescription struct{ Text string }
						Help                              struct{ Text, Markdown string }
						DefaultConfiguration              struct{ Level string }
					}
				}
			}
			Results []struct {
				RuleID    string
				RuleIndex int
				Level     string
				Message   struct{ Text string }
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI, URIBaseID string }
						Region           struct{ StartLine, StartColumn, EndColumn int }
					}
					LogicalLocations []struct{ Name, FullyQualifiedName, Kind string }
				}
				PartialFingerprints map[string]string
			}
		}
	}
	must(t, json.Unmarshal(out.Bytes(), &log))
	if !strings.HasPrefix(log.Schema, "https://") || log.Version != "2.1.0" || len(log.Runs) != 1 {
		t.Fatalf("%+v", log)
	}
	run := log.Runs[0]
	if run.Tool.Driver.Name == "" || run.Tool.Driver.SemanticVersion != "1.2.3" || len(run.Results) != len(d.Findings) || len(d.Findings) == 0 {
		t.Errorf("%+v", run.Tool.Driver)
	}
	ids, prints := map[string]bool{}, map[string]bool{}
	for _, r := range run.Tool.Driver.Rules {
		if ids[r.ID] || r.ShortDescription.Text == "" || r.Help.Text == "" || r.DefaultConfiguration.Level == "" || strings.ContainsAny(r.Name, "- ") {
			t.Errorf("rule %+v", r)
		}
		ids[r.ID] = true
	}
	lines := strings.Split(string(text), "\n")
	for i, r := range run.Results {
		f := d.Findings[i]
		if run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID || !slices.Contains([]string{"error", "warning", "note"}, r.Level) || !strings.HasPrefix(r.Message.Text, f.Title+". ") {
			t.Errorf("result %+v", r)
		}
		for _, p := range r.PartialFingerprints {
			if prints[p] {
				t.Errorf("two results have the fingerprint %s", p)
			}
			prints[p] = true
		}
		l := r.Locations[0].PhysicalLocation
		if l.ArtifactLocation.URI != "testdata/rooms%20model.yaml" || l.Region.StartLine < 1 || l.Region.StartColumn < 1 || l.Region.EndColumn < l.Region.StartColumn {
			t.Errorf("place %+v", l)
		}
		if len(f.Patterns) == 1 && source.Has("plans", f.Patterns[0]) && !strings.Contains(lines[l.Region.StartLine-1], f.Patterns[0]) {
			t.Errorf("%s is at line %d: %s", f.Patterns[0], l.Region.StartLine, lines[l.Region.StartLine-1])
		}
	}
	// The fingerprint stays when figures change.
	again := slices.Clone(d.Findings)
	for i := range again {
		again[i].Title, again[i].Calls = "otherwise", 99
	}
	var second bytes.Buffer
	must(t, doctor.WriteSARIF(&second, again, doctor.Places{}, ""))
	for p := range prints {
		if !strings.Contains(second.String(), p) {
			t.Errorf("the fingerprint %s is gone", p)
		}
	}
	var empty bytes.Buffer
	must(t, doctor.WriteSARIF(&empty, nil, doctor.Places{}, "(devel)"))
	if !strings.Contains(empty.String(), `"results": []`) || !strings.Contains(empty.String(), `"rules": []`) {
		t.Errorf("no findings: %s", empty.String())
	}
}

func ExampleCompare() {
	p := rooms(example{})
	s := doctor.Empty(stats.Thresholds{}) // of a program that just began
	for _, q := range doctor.Compare(p, s, nil).Patterns[:2] {
		fmt.Printf("%s %v %s %.1f %s\n", q.Name, q.Average.Promised, q.Average.Is, q.Read.Promised, q.Read.Is)
	}
	// Output:
	// messagesOfRoom 0.0025 early 0.6 unmeasured
	// reactionsOf 0.0025 early 0.5 unmeasured
}

func ExampleUpdate() {
	requirements, _ := os.ReadFile("testdata/rooms.yaml")
	u, err := doctor.Update("rooms.yaml", requirements, rooms(example{}), doctor.Empty(stats.Thresholds{}), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, l := range u.Left[:1] {
		fmt.Println(l.Of, l.What+":", l.Why)
	}
	// Output:
	// messagesOfRoom rate: 0 calls were seen: too few to tell a rate
}

// example is a test's helper outside of a test.
type example struct{ testing.TB }

func (example) Helper() {}

func (example) Fatal(args ...any) { panic(fmt.Sprint(args...)) }
