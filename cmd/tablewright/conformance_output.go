package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/tablewright/tablewright/engine/conformance"
	"github.com/tablewright/tablewright/internal/show"
)

// shownFailures is how many failures are shown without --details.
const shownFailures = 10

// judgement is a report, held against the differences that are known.
type judgement struct {
	report  *conformance.Report
	known   conformance.Differences
	against bool // --known is given
}

// surprises are the cases that are not as they are expected to be.
func (j *judgement) surprises() []conformance.Surprise { return j.report.Surprises(j.known) }

func (j *judgement) differs() bool { return len(j.surprises()) > 0 }

// asExpected is the report for readers that know only of passed and failed: what is known to differ is skipped with its
// reason, and what no longer does fails.
func (j *judgement) asExpected() *conformance.Report {
	if !j.against {
		return j.report
	}
	surprising := map[string]bool{}
	for _, s := range j.surprises() {
		surprising[s.Result.Name] = true
	}
	r := *j.report
	r.Results = nil
	for _, result := range j.report.Results {
		known, differs := j.known[result.Name]
		switch {
		case surprising[result.Name] && result.Status == conformance.Passed:
			result.Status, result.Reason = conformance.Failed, "passes, and is listed as one that does not"
		case differs && !surprising[result.Name] && result.Status != conformance.Skipped:
			result.Status, result.Reason = conformance.Skipped, "known to differ: "+known.Why
		}
		r.Results = append(r.Results, result)
	}
	return &r
}

// conformanceOutput is what --output json prints.
type conformanceOutput struct {
	Version  int    `json:"tablewright"`
	Endpoint string `json:"endpoint,omitempty"` // none: the embedded engine
	Millis   int64  `json:"milliseconds"`
	conformance.Counts
	Known    *int                        `json:"known,omitempty"`    // differences that are as listed
	Surprise []string                    `json:"surprise,omitempty"` // with --known: cases that are not as listed
	Subjects []conformance.SubjectCounts `json:"subjects"`
	Results  []conformance.Result        `json:"results"`
}

func (j *judgement) json(endpoint string) conformanceOutput {
	out := conformanceOutput{
		Version: outputVersion, Endpoint: endpoint, Millis: j.report.Took.Milliseconds(), Counts: j.report.Total(),
		Subjects: j.report.Subjects(), Results: j.report.Results,
	}
	if j.against {
		n := j.knownDiffer()
		out.Known = &n
		for _, s := range j.surprises() {
			out.Surprise = append(out.Surprise, s.Result.Name)
		}
	}
	return out
}

// knownDiffer is how many cases differ as it is known.
func (j *judgement) knownDiffer() int {
	t, n := j.report.Total(), 0
	for _, s := range j.surprises() {
		if s.Result.Status != conformance.Passed {
			n++
		}
	}
	return t.Failed + t.Missing - n
}

// print shows a table by subject, and what is not as it is expected to be.
func (j *judgement) print(a *app, f *conformanceFlags) {
	rows := [][]string{{"subject", ">passed", ">failed", ">missing", ">skipped"}}
	row := func(name string, c conformance.Counts) {
		cells := []string{name}
		for _, n := range []int{c.Passed, c.Failed, c.Missing, c.Skipped} {
			cells = append(cells, show.Number(float64(n)))
		}
		rows = append(rows, cells)
	}
	for _, s := range j.report.Subjects() {
		row(s.Subject, s.Counts)
	}
	total := j.report.Total()
	row("total", total)
	columns(a.stdout, rows)
	surprises := j.surprises()
	for i, s := range surprises {
		if i == shownFailures && !f.details {
			fmt.Fprintf(a.stdout, "\n… and %s more; --details shows all of them, with requests and answers\n", show.Number(float64(len(surprises)-i)))
			break
		}
		fmt.Fprintf(a.stdout, "\n%s\n", paint(a.stdout, red, s.Result.Name))
		j.surprise(a, s, f.details)
	}
	of := f.endpoint
	if of == "" {
		of = "the embedded engine"
	}
	fmt.Fprintf(a.stdout, "\n%s passes %s of %s (%.1f %%) in %s\n", of, show.Number(float64(total.Passed)), show.Count(total.Done(), "case", ""),
		100*total.Share(), j.report.Took.Round(100*time.Millisecond))
	if j.against {
		fmt.Fprintf(a.stdout, "%s as listed in %s, %s not\n", show.Count(j.knownDiffer(), "difference", ""), f.known, show.Number(float64(len(surprises))))
	}
}

// surprise shows one case.
func (j *judgement) surprise(a *app, s conformance.Surprise, details bool) {
	switch {
	case s.Result.Status == conformance.Passed:
		fmt.Fprintf(a.stdout, "  passes, and is listed as one that does not\n")
		return
	case details:
		for line := range strings.Lines(s.Result.Detail()) {
			fmt.Fprintf(a.stdout, "  %s\n", strings.TrimSuffix(line, "\n"))
		}
	default:
		if s.Result.Failure != nil && !strings.HasPrefix(s.Result.Failure.Expected, "{") {
			fmt.Fprintf(a.stdout, "  expected %s\n", s.Result.Failure.Expected)
		}
		fmt.Fprintf(a.stdout, "  got      %s\n", s.Result.Summary())
		if s.Result.Why != "" {
			fmt.Fprintf(a.stdout, "  because  %s\n", s.Result.Why)
		}
		if s.Result.Page != "" {
			fmt.Fprintf(a.stdout, "  page     %s\n", s.Result.Page)
		}
	}
	if s.Known.Got != "" {
		fmt.Fprintf(a.stdout, "  listed   %s\n", s.Known.Got)
	}
}

// listedCase is a case as --list prints it.
type listedCase struct {
	Name  string `json:"name"`
	Place string `json:"place"`
	Why   string `json:"why,omitempty"`
	Page  string `json:"page,omitempty"`
}

func (a *app) listCases(cases []conformance.Case) error {
	if a.output == "json" {
		var all []listedCase
		for _, c := range cases {
			all = append(all, listedCase{c.Name, c.Place, c.Why, c.Page()})
		}
		return a.json(struct {
			Version int          `json:"tablewright"`
			Cases   []listedCase `json:"cases"`
		}{outputVersion, all})
	}
	if a.output != "text" {
		return usage("--list prints text or json, not %s", a.output)
	}
	for _, c := range cases {
		fmt.Fprintln(a.stdout, c.Name)
		if c.Why != "" {
			fmt.Fprintln(a.stdout, paint(a.stdout, faint, "    "+c.Why))
		}
	}
	return nil
}
