package pipeline

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/design"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/prove"
	"github.com/tablewright/tablewright/spec"
)

// Document is the text of a requirements or model file, YAML or JSON.
type Document struct {
	Name string // its name in diagnostics
	Text []byte
}

// Open reads a document from a file.
func Open(path string) (Document, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return Document{}, err
	}
	return Document{path, text}, nil
}

// Options of a job; the zero value works.
type Options struct {
	Prices   *capacity.Prices // nil: the embedded ones
	Seed     uint64           // of a proof's data and calls; 0: 1
	Scale    float64          // how much data and work a proof is, as a factor; 0: 1
	Throttle *prove.Throttle  // also prove that the model stays within DynamoDB's limits at peak rates; nil: not
	Endpoint *Endpoint        // where a proof runs; nil: on an engine in this process
	School   string           // that a designed model follows; "": the one that the requirements ask for
	Time     time.Duration    // of the designer's search: then it answers the best it has found; 0: its own default
	Progress func(Event)      // is told what is under way; nil: nobody is
}

// Event says what is under way.
type Event struct {
	Stage    string // check, design, price, prove or document
	Detail   string // "": nothing more to say
	Done, Of int    // Of 0: the length is not known
}

func (o *Options) tell(e Event) {
	if o.Progress != nil {
		o.Progress(e)
	}
}

// Findings is the error of a document that has errors. Its diagnostics hold the warnings too.
type Findings struct{ Diagnostics model.Diagnostics }

// Error names the first error and says how many more there are.
func (f *Findings) Error() string { return f.Diagnostics.Err().Error() }

// Job is one application under way.
type Job struct {
	Requirements *spec.Requirements
	Warnings     model.Diagnostics // of the documents that were read
	Model        *plan.Model
	Program      *plan.Program
	Price        *cost.Report
	Components   []design.Component // what the search says of each part of a model that was designed
	Evidence     *prove.Evidence    // nil until Prove

	source *model.Source // of the requirements
}

// Read reads and checks requirements. The error is a *Findings.
func Read(d Document) (*Job, error) {
	r, source, found := model.ReadRequirements(d.Name, d.Text)
	if r == nil || found.Errors() > 0 {
		return nil, &Findings{found}
	}
	return &Job{Requirements: r, Warnings: found, source: source}, nil
}

// Load reads a model made by hand or by an earlier design, compiles and prices it. The error is a *Findings.
func (j *Job) Load(d Document, o Options) error {
	o.tell(Event{Stage: "check", Detail: d.Name})
	if err := j.priced(o); err != nil {
		return err
	}
	m, source, found := model.ReadModel(d.Name, d.Text)
	if m == nil || found.Errors() > 0 {
		return &Findings{found}
	}
	program, problems := model.CompileModel(m, source, j.Requirements)
	found = append(found, problems...)
	if found.Errors() > 0 {
		return &Findings{found}
	}
	j.Warnings = append(j.Warnings, found...)
	j.take(m, program, o)
	return nil
}

// priced reports whether the prices at hand are those that the requirements ask for. Prices that are given count whatever
// these say.
func (j *Job) priced(o Options) error {
	if asked, have := j.Requirements.Application.Prices, capacity.DefaultPrices().Region; o.Prices == nil && asked != have {
		return fmt.Errorf("application.prices asks for prices of %s, and those built in are of %s: give a price file of %s (--prices FILE), or leave application.prices out", asked, have, asked)
	}
	return nil
}

func (j *Job) take(m *plan.Model, program *plan.Program, o Options) {
	o.tell(Event{Stage: "price"})
	j.Model, j.Program, j.Price = m, program, cost.Price(program, o.Prices)
}

// compile resolves a model that was made here: what is wrong with it is a fault of this program.
func (j *Job) compile(m *plan.Model, o Options) error {
	program, problems := model.CompileModel(m, nil, j.Requirements)
	if err := problems.Err(); err != nil {
		return fmt.Errorf("the designed model does not compile, which is a fault of this program: %w", err)
	}
	j.Warnings = append(j.Warnings, problems...)
	j.take(m, program, o)
	return nil
}

// Proven reports whether the proof was made and every access pattern is proven.
func (j *Job) Proven() bool { return j.Evidence != nil && j.Evidence.Proven }

// Build is the whole: design, price, proof.
func (j *Job) Build(ctx context.Context, o Options) error {
	if err := j.Design(ctx, o); err != nil {
		return err
	}
	return j.Prove(ctx, o)
}
