package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/tablewright/tablewright/design"
	"github.com/tablewright/tablewright/generate"
	"github.com/tablewright/tablewright/internal/pipeline"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/prove"
)

// summary is what build, prove and cost say about a model, as data. It is part of the command line's contract.
type summary struct {
	Version     int          `json:"tablewright"`
	Application string       `json:"application"`
	Tables      []tableShown `json:"tables"`
	Cost        costShown    `json:"cost"`
	Proof       *proofShown  `json:"proof,omitempty"`
	Warnings    []string     `json:"warnings"`
	Offers      []offerShown `json:"offers,omitempty"`
	Files       []string     `json:"files,omitempty"`
}

// offerShown is a statement that the requirements could add.
type offerShown struct {
	Patterns   []string `json:"patterns,omitempty"`
	Attributes []string `json:"attributes,omitempty"`
	Statement  string   `json:"statement"`
	Month      float64  `json:"month"` // dollars that the model would cost then
}

// offers returns those that the designer has noted in the model.
func offers(j *pipeline.Job) (out []design.Offer) {
	for _, d := range j.Program.Model.Decisions {
		if o, ok := design.OfferOf(d); ok {
			out = append(out, o)
		}
	}
	return out
}

type tableShown struct {
	Name    string   `json:"name"`
	Indexes []string `json:"indexes"`
}

// costShown is dollars a month.
type costShown struct {
	Region   string  `json:"region"`
	Date     string  `json:"date"`
	Month    float64 `json:"month"` // the sum of the five parts
	Reads    float64 `json:"reads"`
	Writes   float64 `json:"writes"`
	Storage  float64 `json:"storage"`
	Streams  float64 `json:"streams,omitempty"`
	Recovery float64 `json:"recovery,omitempty"` // point-in-time recovery
	AtPeak   float64 `json:"atPeak"`             // if every access pattern ran at its peak all month
	Free     float64 `json:"freeTier"`
}

type proofShown struct {
	Proven   bool           `json:"proven"`
	Seed     uint64         `json:"seed"`
	Patterns []patternShown `json:"patterns"`

	Throttled *prove.Throttled `json:"throttled,omitempty"` // with --throttle
}

type patternShown struct {
	Name   string `json:"name"`
	Proven bool   `json:"proven"`
	Calls  int    `json:"calls"`
	Cause  string `json:"cause,omitempty"`

	Verdicts prove.Verdicts `json:"verdicts"` // as in proof.json
}

func summaryOf(j *pipeline.Job) *summary {
	p := j.Price
	s := &summary{Version: outputVersion, Application: j.Requirements.Application.Name, Warnings: warnings(j),
		Cost: costShown{
			Region: p.Prices.Region, Date: p.Prices.Date, Month: p.Total().Dollars(), Reads: p.Bill.Reads.Dollars(), Writes: p.Bill.Writes.Dollars(),
			Storage: p.Bill.Storage.Dollars(), Streams: p.Bill.Streams.Dollars(), Recovery: p.Bill.Recovery.Dollars(), AtPeak: p.Peak().Dollars(), Free: p.Free.Dollars(),
		}}
	for _, o := range offers(j) {
		s.Offers = append(s.Offers, offerShown{o.Patterns, o.Attributes, o.Statement, o.Cost.Dollars()})
	}
	for _, t := range j.Program.Tables {
		shown := tableShown{Name: t.Name, Indexes: []string{}}
		for _, x := range t.Indexes {
			shown.Indexes = append(shown.Indexes, x.Index)
		}
		s.Tables = append(s.Tables, shown)
	}
	if e := j.Evidence; e != nil {
		s.Proof = &proofShown{Proven: e.Proven, Seed: e.Seed, Throttled: e.Throttled}
		for _, r := range e.Patterns {
			shown := patternShown{Name: r.Name, Proven: r.Proven, Calls: r.Calls, Verdicts: r.Verdicts}
			if r.Failure != nil {
				shown.Cause = r.Failure.Cause
			}
			s.Proof.Patterns = append(s.Proof.Patterns, shown)
		}
	}
	return s
}

// summary prints it for people: what is read in ten seconds.
func (a *app) summary(j *pipeline.Job) {
	w := a.stdout
	if e := j.Evidence; e != nil {
		proven, all := e.Count()
		calls := 0
		for _, r := range e.Patterns {
			calls += r.Calls
		}
		line := fmt.Sprintf("%d of %d access patterns proven", proven, all)
		if e.UnitsAlone() {
			line += ", all answers right"
		}
		color := green
		if proven < all {
			color = red
		}
		fmt.Fprintf(w, "%s: %s in %s calls\n\n", j.Requirements.Application.Name, paint(w, color, line), show.Number(float64(calls)))
		for _, r := range e.Patterns {
			if !r.Proven {
				fmt.Fprintf(w, "  %s %s: %s\n", paint(w, red, unprovenAs(r)), r.Name, r.Failure)
			}
		}
		if proven < all {
			fmt.Fprintln(w)
		}
	} else {
		fmt.Fprintf(w, "%s\n\n", j.Requirements.Application.Name)
	}
	indexes := 0
	var names []string
	for _, t := range j.Program.Tables {
		indexes += len(t.Indexes)
		name := t.Name
		if len(t.Indexes) > 0 {
			var x []string
			for _, i := range t.Indexes {
				x = append(x, i.Index)
			}
			name += " (" + strings.Join(x, ", ") + ")"
		}
		names = append(names, name)
	}
	fmt.Fprintf(w, "  model     %s, %s\n", show.Count(len(j.Program.Tables), "table", ""), show.Count(indexes, "index", "indexes"))
	for _, line := range wrap(strings.Join(names, ", "), 80) {
		fmt.Fprintf(w, "            %s\n", line)
	}
	p := j.Price
	fmt.Fprintf(w, "  cost      %s a month: %s\n", paint(w, bold, p.Total().String()), generate.Parts(p.Bill))
	fmt.Fprintf(w, "            (on demand at average rates, %s prices of %s)\n", p.Prices.Region, p.Prices.Date)
	fmt.Fprintf(w, "  peak      %s\n", pipeline.PeakLoad(p))
	if j.Evidence != nil && j.Evidence.Throttled != nil {
		throttled(w, j.Evidence.Throttled)
	}
	all := warnings(j)
	if len(all) == 0 {
		fmt.Fprintf(w, "  warnings  none\n")
	}
	listed(w, "warnings", all)
	var texts []string
	for _, o := range offers(j) {
		texts = append(texts, fmt.Sprintf("with %s the model would cost %s a month", o, o.Cost))
	}
	listed(w, "offers", texts)
	if j.Evidence != nil {
		listed(w, "remarks", remarks(j.Evidence))
	}
}

// mostRemarks are printed; the documents and the evidence hold all.
const mostRemarks = 4

// remarks say of which patterns the proof's data has something else than is stated, so that what calls consume differs.
func remarks(e *prove.Evidence) (out []string) {
	for _, r := range e.Patterns {
		if text := r.Verdicts.Units.Remark; text != "" {
			out = append(out, r.Name+": "+text)
		}
	}
	if n := len(out) - mostRemarks; n > 0 {
		out = append(out[:mostRemarks], fmt.Sprintf("%s more in the evidence and the documents", show.Count(n, "remark", "")))
	}
	return out
}

// listed prints texts beside a word.
func listed(w io.Writer, word string, texts []string) {
	for i, text := range texts {
		head := ""
		if i == 0 {
			head = word
		}
		for n, line := range wrap(text, 80) {
			if n == 0 {
				fmt.Fprintf(w, "  %s%s  %s\n", paint(w, amber, head), strings.Repeat(" ", 8-len(head)), line)
			} else {
				fmt.Fprintf(w, "              %s\n", line)
			}
		}
	}
}

// throttled says how a model fares within DynamoDB's limits at peak.
func throttled(w io.Writer, t *prove.Throttled) {
	var over, settling []string
	for _, p := range t.Patterns {
		switch {
		case !p.Within:
			over = append(over, p.Name)
		case p.Settling > t.Allowed:
			settling = append(settling, fmt.Sprintf("%s %s", p.Name, show.Percent(p.Settling)))
		}
	}
	text := fmt.Sprintf("all access patterns stay within DynamoDB's limits at their peaks, for %s minutes", show.Number(t.Time/60))
	if len(over) > 0 {
		text = fmt.Sprintf("more than %s of calls throttled at peak: %s", show.Percent(t.Allowed), show.List(over))
	}
	lines := wrap(text, 80)
	if len(settling) > 0 {
		lines = append(lines, wrap("throttled before, until DynamoDB has divided partitions that stay hot: "+show.List(settling), 80)...)
	}
	for i, line := range lines {
		head := ""
		if i == 0 {
			head = "throttle"
		}
		fmt.Fprintf(w, "  %-8s  %s\n", head, line)
	}
}

// warnings are what the documents, limits and quotas warn of.
func warnings(j *pipeline.Job) []string {
	out := []string{}
	for _, d := range j.Warnings {
		out = append(out, d.Message)
	}
	for _, f := range j.Concerns() {
		out = append(out, f.Message)
	}
	return out
}

// wrap breaks a line at spaces so that none is longer than width, unless a word is.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
