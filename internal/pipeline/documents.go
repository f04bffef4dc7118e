package pipeline

import (
	"bytes"
	"fmt"

	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/generate"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/prove"
)

// File is a file to be written.
type File struct {
	Name string
	Text []byte
}

// Names of the files besides the documents of package generate.
const (
	ModelFile = "model.yaml"
	ProofFile = "proof.json"
)

// Documents are the files of a job that is designed (or loaded) and proven.
func (j *Job) Documents() ([]File, error) {
	in := generate.Input{Requirements: j.Requirements, Program: j.Program, Price: j.Price, Proof: proofOf(j.Evidence)}
	files := []File{
		{generate.RequirementFile, generate.Requirement(in)},
		{generate.DataModelFile, generate.DataModel(in)},
	}
	text, err := j.ModelText()
	if err != nil {
		return nil, err
	}
	files = append(files, File{ModelFile, text})
	if j.Evidence != nil {
		if text, err = j.EvidenceText(); err != nil {
			return nil, err
		}
		files = append(files, File{ProofFile, text})
	}
	return files, nil
}

// proofOf is evidence as documents take it.
func proofOf(e *prove.Evidence) *generate.Proof {
	if e == nil {
		return nil
	}
	p := &generate.Proof{Seed: e.Seed, Entities: e.Entities, Samples: map[string][]generate.Sample{}}
	for _, r := range e.Patterns {
		v := generate.Verdict{Name: r.Name, Proven: r.Proven, Calls: r.Calls, Aims: r.Aims, Refused: r.Refused,
			Estimated: r.Estimated, Consumed: r.Consumed, Measured: r.Measured,
			Answers: r.Verdicts.Answers.Right, Low: r.Verdicts.Units.Low, High: r.Verdicts.Units.High, Heat: r.Verdicts.Heat.Share, Remark: r.Verdicts.Units.Remark}
		if r.Failure != nil {
			v.Cause = r.Failure.Cause
		}
		p.Patterns = append(p.Patterns, v)
	}
	for _, c := range e.Uniqueness {
		p.Concurrent = append(p.Concurrent, generate.Concurrent(c))
	}
	for _, c := range e.Cuts {
		p.Cuts = append(p.Cuts, generate.Cut(c))
	}
	if t := e.Throttled; t != nil {
		p.Throttled = &generate.Throttled{Minutes: t.Time / 60, Settled: t.Settle / 60, Allowed: t.Allowed}
		for _, x := range t.Patterns {
			p.Throttled.Patterns = append(p.Throttled.Patterns, generate.ThrottledPattern{Name: x.Name, Throttled: x.Throttled, Settling: x.Settling})
		}
		for i := range t.Limits {
			m := &t.Limits[i]
			p.Throttled.Limits = append(p.Throttled.Limits, generate.ThrottledLimit{Where: m.Where, Reason: m.Reason, Text: m.String()})
		}
	}
	for place, samples := range e.Samples {
		for _, s := range samples {
			p.Samples[place] = append(p.Samples[place], generate.Sample(s))
		}
	}
	return p
}

// ModelText is the model as model.yaml has it.
func (j *Job) ModelText() ([]byte, error) {
	var b bytes.Buffer
	err := model.WriteModel(&b, j.Model)
	return b.Bytes(), err
}

// EvidenceText is the evidence as proof.json has it.
func (j *Job) EvidenceText() ([]byte, error) {
	var b bytes.Buffer
	err := j.Evidence.Write(&b)
	return b.Bytes(), err
}

// Concerns are limits that the model comes near or exceeds at peak, quotas to be raised, scans, and prices that are
// not those of all Regions in which it runs.
func (j *Job) Concerns() []cost.Finding {
	out := append(j.Price.Findings(), cost.Scans(j.Program)...)
	a, priced := j.Requirements.Application, j.Price.Prices.Region
	switch r := a.Regions; {
	case len(r) > 1:
		out = append(out, cost.Finding{Code: "regions", Of: a.Name, Message: fmt.Sprintf(
			"it runs in %s, and the price is that of one Region, %s: in each further one everything is stored and every write is paid again", show.List(r), priced)})
	case len(r) == 1 && r[0] != priced:
		out = append(out, cost.Finding{Code: "regions", Of: a.Name, Message: fmt.Sprintf("it runs in %s, and the prices are those of %s: --prices takes those of another Region", r[0], priced)})
	}
	return out
}

// PeakLoad says in one line what a model consumes at peak, and where it is hottest.
func PeakLoad(r *cost.Report) string {
	read, write := 0.0, 0.0
	for _, p := range r.Places {
		read += p.PeakRead
		write += p.PeakWrite
	}
	text := fmt.Sprintf("%s read and %s write units/s", show.Number(read), show.Number(write))
	if len(r.Loads) > 0 && r.Loads[0].Heat >= 0.01 {
		l := r.Loads[0]
		text += fmt.Sprintf("; hottest: one %s in %s, %s of a partition's limit", l.Of, l.Place, show.Percent(l.Heat))
	}
	return text
}
