package doctor

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/stats/rules"
)

// Places finds where in a model file what a finding is about stands: the plan of its pattern, else its index or table. The
// result is the file's first line if that is not known, or if there is no model. The zero value knows no file.
type Places struct {
	File   string // the file in reports: that of the model, or what was examined
	Source *model.Source
}

// Of is the line of a finding, from 1.
func (p Places) Of(f *rules.Finding) model.Range {
	if p.Source != nil {
		paths := [][]string{}
		for _, name := range f.Patterns {
			paths = append(paths, []string{"plans", name})
		}
		if f.Index != "" {
			paths = append(paths, []string{"tables", f.Table, "gsi", f.Index}, []string{"tables", f.Table, "lsi", f.Index})
		}
		if f.Table != "" {
			paths = append(paths, []string{"tables", f.Table})
		}
		for _, path := range paths {
			if p.Source.Has(path...) {
				return p.Source.KeyPlace(path...)
			}
		}
	}
	return model.Range{Line: 1, Column: 1, EndColumn: 1}
}

// WriteSARIF writes findings in the Static Analysis Results Interchange Format 2.1.0
// (docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html), which code hosts and editors show beside the code: a run with all
// rules that fired, and for each finding its level (critical: error, warning: warning, advice: note), its text, its place in the
// model's file and in the tables, and a fingerprint by which it is known again, whatever its figures are then. version is that
// of the program that ran.
func WriteSARIF(w io.Writer, found []rules.Finding, at Places, version string) error {
	run := sarifRun{Results: []sarifResult{}}
	driver := &run.Tool.Driver
	driver.Name, driver.Version, driver.InformationURI = "tablewright doctor", version, "https://github.com/tablewright/tablewright"
	driver.Rules = []sarifRule{}
	if version != "" && !semantic(version) {
		driver.Version = version
	} else {
		driver.SemanticVersion = strings.TrimPrefix(version, "v")
	}
	index := map[string]int{}
	for i := range found {
		f := &found[i]
		at, known := index[f.Rule]
		if !known {
			at = len(driver.Rules)
			index[f.Rule] = at
			driver.Rules = append(driver.Rules, ruleSARIF(f))
		}
		if levels[f.Severity] == "error" {
			driver.Rules[at].Default.Level = "error"
		}
	}
	for i := range found {
		run.Results = append(run.Results, resultSARIF(&found[i], index, at))
	}
	run.ColumnKind = "unicodeCodePoints"
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(sarifLog{Schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}})
}

// semantic reports whether a version is one of semver.org: SARIF has a property of its own for those.
func semantic(v string) bool {
	parts := strings.SplitN(strings.TrimPrefix(v, "v"), ".", 3)
	return len(parts) == 3 && !slices.ContainsFunc(parts[:2], func(p string) bool { return p == "" || strings.Trim(p, "0123456789") != "" })
}

var levels = map[rules.Severity]string{rules.Critical: "error", rules.Warning: "warning", rules.Advice: "note"}

func ruleSARIF(f *rules.Finding) sarifRule {
	out := sarifRule{ID: f.Rule, Default: sarifConfiguration{Level: levels[f.Severity]}}
	out.Properties.Tags = []string{string(f.Category)}
	r := Rule(f.Rule)
	if r == nil {
		out.Short.Text = f.Rule
		return out
	}
	out.Name = pascal(r.ID)
	out.Short.Text = sentence(r.Title)
	out.Full = &sarifText{Text: strings.TrimSpace(r.Looks + " " + r.Fires)}
	if out.Full.Text == "" {
		out.Full = nil
	}
	help := Explain(r)
	out.Help = &sarifText{Text: help, Markdown: help}
	if len(r.Sources) > 0 {
		out.HelpURI = r.Sources[0]
		if !strings.HasPrefix(out.HelpURI, "http") {
			out.HelpURI = "https://" + out.HelpURI
		}
	}
	return out
}

// pascal is a rule's name as SARIF wants it: HotPartition.
func pascal(id string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(id, "-") {
		if word != "" {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

func sentence(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:] + "."
}

func resultSARIF(f *rules.Finding, index map[string]int, at Places) sarifResult {
	r := sarifResult{RuleID: f.Rule, RuleIndex: index[f.Rule], Level: levels[f.Severity]}
	text := f.Title + "." // it often begins with the name of a pattern or table, which is as it is written
	if f.Remedy.Text != "" {
		text += " " + f.Remedy.Text
	}
	r.Message.Text = text
	place := at.Of(f)
	l := sarifLocation{}
	if at.File != "" {
		l.Physical = &sarifPhysical{}
		l.Physical.Artifact.URI = uri(at.File)
		if !filepath.IsAbs(at.File) && !strings.Contains(at.File, "://") {
			l.Physical.Artifact.Base = "%SRCROOT%"
		}
		l.Physical.Region = sarifRegion{StartLine: max(place.Line, 1), StartColumn: max(place.Column, 1), EndColumn: max(place.EndColumn, place.Column, 1)}
	}
	for _, name := range f.Patterns {
		l.Logical = append(l.Logical, sarifLogical{Name: name, Kind: "function", Full: name})
	}
	if f.Table != "" {
		l.Logical = append(l.Logical, sarifLogical{Name: placeName(f.Table, f.Index), Kind: "resource", Full: placeName(f.Table, f.Index)})
	}
	if l.Physical != nil || l.Logical != nil {
		r.Locations = []sarifLocation{l}
	}
	h := fnv.New64a()
	_, _ = io.WriteString(h, f.Rule+"\x00"+f.Cause)
	r.Fingerprints = map[string]string{"tablewrightCause/v1": fmt.Sprintf("%016x", h.Sum64())}
	r.Properties.Evidence, r.Properties.Confidence, r.Properties.Calls = f.Evidence, f.Confidence, f.Calls
	r.Properties.Remedy, r.Properties.Saving, r.Properties.Category = f.Remedy, f.Saving, f.Category
	r.Properties.Also, r.Properties.Key = f.Also, f.Key
	return r
}

// uri is a file's name as a reference in a URI.
func uri(file string) string {
	if strings.Contains(file, "://") {
		return file
	}
	path := filepath.ToSlash(file)
	var b strings.Builder
	for _, c := range []byte(path) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("-._~/", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	if filepath.IsAbs(file) {
		return "file://" + b.String()
	}
	return b.String()
}

// The parts of a SARIF log that are written.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver sarifDriver `json:"driver"`
		} `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifDriver struct {
		Name            string      `json:"name"`
		Version         string      `json:"version,omitempty"`
		SemanticVersion string      `json:"semanticVersion,omitempty"`
		InformationURI  string      `json:"informationUri"`
		Rules           []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID         string             `json:"id"`
		Name       string             `json:"name,omitempty"`
		Short      sarifText          `json:"shortDescription"`
		Full       *sarifText         `json:"fullDescription,omitempty"`
		Help       *sarifText         `json:"help,omitempty"`
		HelpURI    string             `json:"helpUri,omitempty"`
		Default    sarifConfiguration `json:"defaultConfiguration"`
		Properties struct {
			Tags []string `json:"tags"`
		} `json:"properties"`
	}
	sarifConfiguration struct {
		Level string `json:"level"`
	}
	sarifText struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints"`
		Properties   struct {
			Category   rules.Category   `json:"category,omitempty"`
			Also       []string         `json:"also,omitempty"`
			Key        string           `json:"key,omitempty"`
			Evidence   []rules.Evidence `json:"evidence,omitempty"`
			Remedy     rules.Remedy     `json:"remedy"`
			Saving     *rules.Saving    `json:"saving,omitempty"`
			Confidence float64          `json:"confidence"`
			Calls      float64          `json:"callsPerSecond"`
		} `json:"properties"`
	}
	sarifLocation struct {
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct {
		Artifact struct {
			URI  string `json:"uri"`
			Base string `json:"uriBaseId,omitempty"`
		} `json:"artifactLocation"`
		Region sarifRegion `json:"region"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndColumn   int `json:"endColumn"`
	}
	sarifLogical struct {
		Name string `json:"name"`
		Full string `json:"fullyQualifiedName"`
		Kind string `json:"kind"`
	}
)
