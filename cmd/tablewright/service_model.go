package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/pipeline"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
)

// modelFlags name a model that is to be run or compared with what there is, and the requirements that it serves.
type modelFlags struct{ model, requirements string }

func (m *modelFlags) add(c *cobra.Command, def string) {
	m.model = def
	c.Flags().StringVar(&m.model, "model", def, "the model in `FILE`")
	c.Flags().StringVar(&m.requirements, "requirements", "", "the requirements it serves are in `FILE`; else they are looked for beside the model, in the folder above and here")
}

// load reads and compiles the model.
func (m *modelFlags) load() (*plan.Program, error) {
	text, err := pipeline.Open(m.model)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usage("there is no %s: --model FILE says where the model is, as build writes it", m.model)
	}
	if err != nil {
		return nil, err
	}
	if m.requirements == "" {
		if m.requirements, err = requirementsOf(m.model, text.Text); err != nil {
			return nil, err
		}
	}
	r, err := pipeline.Open(m.requirements)
	if err != nil {
		return nil, err
	}
	job, err := read(r, pipeline.Options{}, true, false)
	if err != nil {
		return nil, err
	}
	if err := job.Load(text, pipeline.Options{Prices: capacity.DefaultPrices()}); err != nil { // whatever Region it is priced for
		return nil, err
	}
	return job.Program, nil
}

// heading is what tells a requirements file from a model, and which belong together.
type heading struct {
	application string
	patterns    bool
}

func headingOf(text []byte) (heading, bool) {
	data, err := pipeline.JSON(text)
	if err != nil {
		return heading{}, false
	}
	var document struct {
		Application json.RawMessage
		Patterns    json.RawMessage
		Proven      json.RawMessage // of proof.json, which has patterns, too
	}
	if json.Unmarshal(data, &document) != nil {
		return heading{}, false
	}
	h := heading{patterns: document.Patterns != nil && document.Proven == nil}
	var long struct{ Name string }
	if json.Unmarshal(document.Application, &h.application) != nil && json.Unmarshal(document.Application, &long) == nil {
		h.application = long.Name
	}
	return h, h.application != ""
}

// servesHead begins the line of a model by which build says for which requirements it is, seen from the model's folder.
const servesHead = "# for the requirements in "

// servesLine is that line for a model in a folder; "" if the requirements are no file, or on another drive.
func servesLine(dir, requirements string) string {
	from, err := filepath.Abs(dir)
	to, bad := filepath.Abs(requirements)
	if errors.Join(err, bad) != nil || requirements == "-" {
		return ""
	}
	name, err := filepath.Rel(from, to)
	if err != nil || strings.ContainsAny(name, "\r\n") {
		return ""
	}
	return servesHead + filepath.ToSlash(name) + "\n"
}

// served is the file that the line names; "" if there is no such line, or no such file of the application any more.
func served(path string, model []byte, application string) string {
	_, rest, ok := bytes.Cut(model, []byte("\n"+servesHead))
	if !ok {
		return ""
	}
	name, _, _ := bytes.Cut(rest, []byte("\n"))
	file := filepath.Join(filepath.Dir(path), filepath.FromSlash(string(bytes.TrimSuffix(name, []byte("\r")))))
	if text, err := os.ReadFile(file); err == nil {
		if h, ok := headingOf(text); ok && h.patterns && h.application == application {
			return file
		}
	}
	return ""
}

// requirementsOf looks for the requirements of a model's application: where build says that they are; else beside the model, in
// the folder above, where build has them, and here.
func requirementsOf(path string, model []byte) (string, error) {
	own, ok := headingOf(model)
	if !ok && bytes.Contains(model[:min(len(model), 4096)], []byte(`"tablewrightStats"`)) {
		return "", usage("--model %s: that has statistics, not a model: tablewright doctor %[1]s --model MODEL", path)
	}
	if !ok {
		return "", usage("--requirements FILE: %s does not say of which application it is", path)
	}
	if file := served(path, model, own.application); file != "" {
		return file, nil
	}
	var found, measured, seen []string
	for _, dir := range []string{filepath.Dir(path), filepath.Join(filepath.Dir(path), ".."), "."} {
		full, err := filepath.Abs(dir)
		if err != nil || slices.Contains(seen, full) {
			continue
		}
		seen = append(seen, full)
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			file := filepath.Join(dir, e.Name())
			info, err := e.Info()
			if err != nil || !slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(file)) || !info.Mode().IsRegular() || info.Size() > 4<<20 {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				continue
			}
			if h, ok := headingOf(text); ok && h.patterns && h.application == own.application {
				if bytes.HasPrefix(text, []byte(measuredHead)) {
					measured = append(measured, file)
				} else {
					found = append(found, file)
				}
			}
		}
	}
	if len(found) == 0 {
		found = measured
	}
	switch len(found) {
	case 0:
		return "", usage("a model is run with the requirements it serves, and no file here or beside %s has those of %s: --requirements FILE", path, own.application)
	case 1:
		return found[0], nil
	}
	return "", usage("which requirements of %s? --requirements FILE: %s", own.application, show.List(found))
}

// schemaOf is the model's table; nil without a model, or if it has none of the name.
func schemaOf(p *plan.Program, table string) *plan.Schema {
	if p == nil {
		return nil
	}
	return p.Table(table)
}

// known are the names of the model's access patterns that can be run.
func patternNames(p *plan.Program) (names []string) {
	for _, proc := range p.Procedures {
		names = append(names, proc.Name)
	}
	slices.Sort(names)
	return names
}

// signature says how a pattern is run, as on a command line.
func signature(proc *plan.Procedure) string {
	text := proc.Name
	for _, q := range proc.Pattern.Parameters {
		one := fmt.Sprintf("--param %s=%s", q.Name, takenFor(q))
		if q.Optional {
			one = "[" + one + "]"
		}
		text += " " + one
	}
	return text
}
