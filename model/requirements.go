package model

import (
	"errors"
	"os"
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/near"
	"github.com/tablewright/tablewright/spec"
)

// LoadRequirements reads a requirements file, YAML or JSON. See [ReadRequirements]; the error is one of reading the
// file itself.
func LoadRequirements(path string) (*spec.Requirements, *Source, Diagnostics, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, nil, err
	}
	r, source, diagnostics := ReadRequirements(path, text)
	return r, source, diagnostics, nil
}

// ReadRequirements reads the text of a requirements file and resolves it: names are looked up, short forms written
// out, and every default, count, size and share filled in. The requirements are nil if there is an error among the
// diagnostics; warnings stand beside requirements that can be worked with. file is only the name in diagnostics.
func ReadRequirements(file string, text []byte) (*spec.Requirements, *Source, Diagnostics) {
	source, diagnostics := NewSource(file, text)
	if diagnostics != nil {
		return nil, source, diagnostics
	}
	if source.root.has("tables") && source.root.has("plans") {
		return nil, source, Diagnostics{source.diagnostic(source.Place("tables"), Error, "wrong-kind", "this is a model, not requirements",
			"give the requirements that it serves first: tablewright check REQUIREMENTS MODEL")}
	}
	r := &requirementsReader{
		findings: newFindings(source, requirementsSubject),
		out:      &spec.Requirements{},
		entities: map[*spec.Entity]*entityState{},
		declares: map[*spec.Relationship]*spec.Attribute{},
		uses:     map[*spec.Relationship][]string{},
	}
	r.decode(&r.doc)
	if r.broken[""] { // it is no map: nothing else can be said of it
		return nil, source, r.diags
	}
	r.application()
	r.readEntities()
	r.readPatterns()
	r.lastShown()
	r.agree()
	r.accept()
	all := r.diags.Sorted()
	if all.Errors() > 0 {
		return nil, source, all
	}
	return r.out, source, all
}

// requirementsSubject names what a document path is about: an entity, Entity.attribute, a pattern, or what stands at
// the top.
func requirementsSubject(path []string) string {
	switch {
	case len(path) == 0:
		return ""
	case len(path) == 1 || path[0] != "entities" && path[0] != "patterns" && path[0] != "types" && path[0] != "workflows":
		return path[0]
	case len(path) >= 4 && path[0] == "entities" && path[2] == "attributes":
		return path[1] + "." + path[3]
	}
	return path[1]
}

// requirementsReader resolves one requirements file.
type requirementsReader struct {
	*findings
	doc requirementsDoc
	out *spec.Requirements

	entities map[*spec.Entity]*entityState
	written  []*patternReader                       // of the writes that are whole
	declares map[*spec.Relationship]*spec.Attribute // the attribute under which a relationship is written
	uses     map[*spec.Relationship][]string        // the first document path of a pattern that goes along it
}

// names and places

func (r *requirementsReader) entity(name nameText, path ...string) *spec.Entity {
	if name == "" || r.isBroken(path...) {
		return nil
	}
	if e := r.out.Entity(string(name)); e != nil {
		return e
	}
	var names []string
	for _, e := range r.out.Entities {
		names = append(names, e.Name)
	}
	if r.isBroken("entities") {
		return nil
	}
	r.errorAt(path, "unknown-name", nearest(string(name), names), "there is no entity %s", name)
	return r.out.Entity(near.Name(string(name), names)) // as if it were meant, so that nothing follows from the word
}

// expression reports what is wrong with a path, value or condition at a document path.
func (r *requirementsReader) expression(err error, path []string) {
	var e *spec.Error
	if errors.As(err, &e) {
		code := e.Code
		if code == "" {
			code = "bad-value"
		}
		r.report(r.Inside(e.Offset, path...), Error, code, path, e.Message, e.Remedy)
	}
}

func index(i int) string { return strconv.Itoa(i) }

func (r *requirementsReader) application() {
	if v := r.doc.Tablewright; v != 1 && !r.isBroken("tablewright") {
		r.errorAt([]string{"tablewright"}, "version", "write `tablewright: 1`, or use a newer program", "this program reads version 1 of the format, not %d", v)
	}
	d := r.doc.Application
	r.out.Application = spec.Application{
		Name: d.Name, Domain: d.Domain, Context: d.Context, Source: d.Source, Figures: d.Figures, Note: d.Note,
		Compliance: d.Compliance, Regions: d.Regions,
		RecoveryPoint: duration(d.Recovery.RPO), RecoveryTime: duration(d.Recovery.RTO),
		School: or(d.School, "aggregates"), Prices: or(d.Prices, "us-east-1"), PeakHours: 2,
	}
	if h := d.PeakHours; h != nil {
		if r.out.Application.PeakHours = *h; *h < 0 || *h > 24 {
			r.errorAt([]string{"application", "peak-hours"}, "bad-value", "write a number from 0 to 24", "a day has 24 hours, not %s", spec.FormatNumber(*h))
		} else {
			r.warnAt([]string{"application", "peak-hours"}, "no-effect", "", "nothing depends on the hours at peak yet: a month is priced at average rates")
		}
	}
	if built := capacity.DefaultPrices().Region; r.out.Application.Prices != built {
		r.warnAt([]string{"application", "prices"}, "foreign-prices", "", "the prices that are built in are of %s, not of %s", built, d.Prices)
	}
	if n := len(d.Regions); n > 1 {
		r.warnAt([]string{"application", "regions"}, "one-region", "", "nothing depends on the Regions yet: models are designed, proven and priced in one, not in %d", n)
	}
	// A file without entities or patterns is cut off early: everything else would be reported as missing or unused.
	for _, key := range []string{"entities", "patterns"} {
		if _, n := r.find([]string{key}); n != nil && n.kind == mapping && len(n.children) == 0 {
			r.errorAt([]string{key}, "missing-key", "", "there are no %s", key)
		}
	}
}

// accept drops the warnings that the file accepts.
func (r *requirementsReader) accept() {
	used := make([]bool, len(r.doc.Accept))
	kept := r.diags[:0]
	for _, d := range r.diags {
		accepted := false
		for i, a := range r.doc.Accept {
			if a.Code == d.Code && a.Of == d.Of {
				used[i] = true
				if accepted = true; d.Severity == Error {
					accepted = false
					d.Remedy = strings.TrimPrefix(d.Remedy+"; an error cannot be accepted", "; ")
				}
			}
		}
		if !accepted {
			kept = append(kept, d)
		}
	}
	r.diags = kept
	failed := r.diags.Errors() > 0 // then not all findings are made
	for i, a := range r.doc.Accept {
		r.out.Accept = append(r.out.Accept, spec.Accept(a))
		path := []string{"accept", index(i)}
		if used[i] || r.isBroken(path...) || r.isBroken(with(path, "code")...) || r.isBroken(with(path, "of")...) {
			continue
		}
		if !isCode(a.Code) {
			r.errorAt(with(path, "code"), "unknown-name", nearest(a.Code, codeNames()), "there is no finding with the code %s", a.Code)
			continue
		}
		if failed || a.Code == "uncovered" || a.Code == "beyond-limits" { // the designer finds these
			continue
		}
		r.warnAt(path, "unused-accept", "remove it", "there is no finding %s of %s to accept", a.Code, a.Of)
	}
}
