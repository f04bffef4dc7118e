package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
)

func (a *app) describeCommand() *cobra.Command {
	var (
		service serviceFlags
		model   modelFlags
	)
	c := &cobra.Command{
		Use:   "describe [TABLE]",
		Short: "Show tables as they are: keys, indexes, sizes, settings",
		Long: `Prints a table's key and indexes with their types and projections, how much is in it, and its
settings; without TABLE all tables in a line each. With --model also what lies in it according to the model, and
every difference between the table and the model; the exit code then is 3 if there is one. Sizes are the
service's count, which it renews about every six hours.

` + serviceHelp,
		Example: example(`
			tablewright describe --dir ./data
			tablewright describe Books --dir ./data
			tablewright describe Books --endpoint http://127.0.0.1:8000 --model model.yaml
			tablewright describe --aws --region eu-central-1 --model model.yaml --table-prefix test-`),
		Args: takes("[TABLE]"),
		RunE: func(c *cobra.Command, args []string) error {
			var program *plan.Program
			if model.model != "" {
				var err error
				if program, err = model.load(); err != nil {
					return err
				}
			} else if model.requirements != "" {
				return usage("--requirements goes with --model")
			}
			if err := service.check(); err != nil {
				return err
			}
			return service.with(c.Context(), false, func(db *tablewright.DB) error {
				return a.describe(c.Context(), db, program, &service, args)
			})
		},
	}
	model.add(c, "")
	service.add(c)
	return c
}

// errDifferent ends a command whose output has already said what is otherwise than in the model.
var errDifferent = errors.New("tables are not as the model says")

// described is a table as `describe --output json` prints it.
type described struct {
	Name        string                `json:"name"`
	There       bool                  `json:"there"`
	Status      string                `json:"status,omitempty"`
	ARN         string                `json:"arn,omitempty"`
	Created     string                `json:"created,omitempty"`
	Items       int64                 `json:"items"`
	Bytes       int64                 `json:"bytes"`
	Key         []string              `json:"key,omitempty"` // partition, then sort
	Types       map[string]plan.Type  `json:"types,omitempty"`
	Indexes     []describedIndex      `json:"indexes,omitempty"`
	Billing     string                `json:"billing,omitempty"`
	Class       string                `json:"class,omitempty"`
	TTL         string                `json:"timeToLive,omitempty"`
	Stream      string                `json:"stream,omitempty"`
	Protected   bool                  `json:"deletionProtection,omitempty"`
	Entities    []describedEntity     `json:"entities,omitempty"`
	Differences []describedDifference `json:"differences,omitempty"`
}

type describedIndex struct {
	Name      string   `json:"name"`
	Local     bool     `json:"local,omitempty"`
	Status    string   `json:"status,omitempty"`
	Partition []string `json:"partition"`
	Sort      []string `json:"sort,omitempty"`
	Project   string   `json:"project"`
	Include   []string `json:"include,omitempty"`
	Items     int64    `json:"items"`
	Bytes     int64    `json:"bytes"`
}

type describedEntity struct {
	Name string            `json:"name"`
	Key  map[string]string `json:"key"`
	Set  map[string]string `json:"set,omitempty"`
}

type describedDifference struct {
	What     string `json:"what"`
	Declared string `json:"declared"`
	Found    string `json:"found"`
}

func (a *app) describe(ctx context.Context, db *tablewright.DB, program *plan.Program, s *serviceFlags, args []string) error {
	names, err := args, error(nil)
	switch {
	case len(names) > 0:
	case program != nil:
		for _, t := range program.Tables {
			names = append(names, t.Name)
		}
	default:
		if names, err = tableNames(ctx, db, s.prefix); err != nil {
			return err
		}
	}
	var all []described
	different := false
	for _, name := range names {
		d, err := describeOne(ctx, db, program, name)
		if errors.Is(err, tablewright.ErrNotFound) {
			there, _ := tableNames(ctx, db, s.prefix)
			return usage("there is no table %s%s", name, meant(name, there))
		}
		if err != nil {
			return err
		}
		different = different || len(d.Differences) > 0
		all = append(all, d)
	}
	if a.output == "json" {
		if all == nil {
			all = []described{}
		}
		err = a.json(struct {
			Version int         `json:"tablewright"`
			Tables  []described `json:"tables"`
		}{outputVersion, all})
	} else if len(args) == 0 {
		a.showTables(all, program != nil)
	} else {
		a.showTable(&all[0], program != nil)
	}
	if err == nil && different {
		return errDifferent
	}
	return err
}

// tableNames are the names of the tables with a prefix, without it.
func tableNames(ctx context.Context, db *tablewright.DB, prefix string) (names []string, err error) {
	for name, err := range db.Tables(ctx) {
		if err != nil {
			return nil, err
		}
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			names = append(names, rest)
		}
	}
	return names, nil
}

func describeOne(ctx context.Context, db *tablewright.DB, program *plan.Program, name string) (described, error) {
	schema := schemaOf(program, name)
	out := described{Name: name}
	d, err := tablewright.Describe(ctx, db, name)
	switch {
	case errors.Is(err, tablewright.ErrNotFound) && schema != nil:
		out.Differences = append(out.Differences, describedDifference{"table " + name, "in the model", ""})
	case err != nil:
		return out, err
	default:
		out.fill(&d)
		if schema != nil {
			document := *schema.Document
			document.Items = nil
			found, err := tablewright.NewTable(document).Compare(ctx, db)
			if err != nil {
				return out, err
			}
			for _, f := range found {
				out.Differences = append(out.Differences, describedDifference(f))
			}
		}
	}
	if schema != nil {
		for _, k := range schema.Kinds {
			e := describedEntity{Name: k.Name, Key: map[string]string{}}
			for _, r := range k.Recipes {
				if r.Key {
					e.Key[r.Wire.Name] = r.Text
					continue
				}
				if e.Set == nil {
					e.Set = map[string]string{}
				}
				e.Set[r.Wire.Name] = r.Text
				if r.WhenText != "" {
					e.Set[r.Wire.Name] += " when " + r.WhenText
				}
			}
			out.Entities = append(out.Entities, e)
		}
	}
	return out, nil
}

func (out *described) fill(d *tablewright.Description) {
	t := &d.Table
	out.There, out.Status, out.ARN, out.Items, out.Bytes, out.Types = true, d.Status, d.ARN, d.Items, int64(d.Bytes), t.Attributes
	if d.Created.Unix() > 0 {
		out.Created = d.Created.Format("2006-01-02T15:04:05Z")
	}
	out.Key = []string{t.Key.Partition}
	if t.Key.Sort != "" {
		out.Key = append(out.Key, t.Key.Sort)
	}
	out.Billing, out.Class, out.TTL, out.Stream, out.Protected = "on demand", "standard", t.TTL, t.Stream, d.Protected
	if t.Class != "" {
		out.Class = t.Class
	}
	if t.Billing != (plan.Billing{}) {
		out.Billing = fmt.Sprintf("%s reads and %s writes a second", show.Number(t.Billing.Read), show.Number(t.Billing.Write))
	}
	for _, of := range []map[string]plan.Index{t.GSI, t.LSI} {
		for _, name := range slices.Sorted(maps.Keys(of)) {
			x, state := of[name], d.Indexes[name]
			_, local := t.LSI[name]
			project := x.Project
			if project == "" {
				project = plan.All
			}
			out.Indexes = append(out.Indexes, describedIndex{name, local, state.Status, x.Partition, x.Sort, project, x.Include, state.Items, int64(state.Bytes)})
		}
	}
}

// showTables prints a line for each table.
func (a *app) showTables(all []described, compared bool) {
	rows := [][]string{{"table", "status", ">items", ">size", "indexes", "billing"}}
	if compared {
		rows[0] = append(rows[0], ">differences")
	}
	for _, d := range all {
		status, indexes := d.Status, []string{}
		if !d.There {
			status = "missing"
		}
		for _, x := range d.Indexes {
			indexes = append(indexes, x.Name)
		}
		row := []string{d.Name, status, show.Number(float64(d.Items)), show.Bytes(float64(d.Bytes)), strings.Join(indexes, ", "), d.Billing}
		if compared {
			row = append(row, show.Number(float64(len(d.Differences))))
		}
		rows = append(rows, row)
	}
	if len(all) == 0 {
		fmt.Fprintln(a.stdout, "no tables")
		return
	}
	columns(a.stdout, rows)
	for _, d := range all {
		a.showDifferences(&d)
	}
}

func (a *app) showDifferences(d *described) {
	if len(d.Differences) == 0 {
		return
	}
	fmt.Fprintf(a.stdout, "\n%s is not as the model says:\n", d.Name)
	for _, x := range d.Differences {
		fmt.Fprintf(a.stdout, "  %s\n", tablewright.Difference(x))
	}
}

// showTable prints all of one table.
func (a *app) showTable(d *described, compared bool) {
	typed := func(names []string) string {
		var texts []string
		for _, n := range names {
			texts = append(texts, fmt.Sprintf("%s (%s)", n, d.Types[n]))
		}
		return strings.Join(texts, ", ")
	}
	if d.There {
		rows := [][]string{{d.Name, strings.ToLower(d.Status)}}
		line := func(name, text string) {
			if text != "" {
				rows = append(rows, []string{"  " + name, text})
			}
		}
		line("key", typed(d.Key))
		line("items", fmt.Sprintf("%s, %s", show.Number(float64(d.Items)), show.Bytes(float64(d.Bytes))))
		line("billing", d.Billing)
		if d.Class != "standard" {
			line("class", d.Class)
		}
		line("time to live", d.TTL)
		line("stream", d.Stream)
		if d.Protected {
			line("protected", "against deletion")
		}
		line("created", d.Created)
		line("arn", d.ARN)
		columns(a.stdout, rows)
		if len(d.Indexes) > 0 {
			fmt.Fprintln(a.stdout)
			rows = [][]string{{"index", "partition", "sort", "projects", ">items", ">size"}}
			for _, x := range d.Indexes {
				name, project := x.Name, x.Project
				if x.Local {
					name += " (local)"
				}
				if x.Status != "" && x.Status != "ACTIVE" {
					name += " (" + strings.ToLower(x.Status) + ")"
				}
				if len(x.Include) > 0 {
					project = "keys, " + strings.Join(x.Include, ", ")
				}
				rows = append(rows, []string{name, typed(x.Partition), typed(x.Sort), project, show.Number(float64(x.Items)), show.Bytes(float64(x.Bytes))})
			}
			columns(a.stdout, rows)
		}
	} else {
		fmt.Fprintf(a.stdout, "%s does not exist\n", d.Name)
	}
	if len(d.Entities) > 0 {
		fmt.Fprintln(a.stdout)
		rows := [][]string{{"holds", "key", "computed"}}
		for _, e := range d.Entities {
			rows = append(rows, []string{e.Name, templates(e.Key), templates(e.Set)})
		}
		columns(a.stdout, rows)
	}
	a.showDifferences(d)
	if compared && len(d.Differences) == 0 {
		fmt.Fprintf(a.stdout, "\n%s is as the model says\n", d.Name)
	}
}

// templates are wire attributes with the templates that build them. One that is stored as it is needs no template.
func templates(of map[string]string) string {
	var texts []string
	for _, name := range slices.Sorted(maps.Keys(of)) {
		if of[name] == "{"+name+"}" {
			texts = append(texts, name)
			continue
		}
		texts = append(texts, name+" = "+of[name])
	}
	return strings.Join(texts, ", ")
}
