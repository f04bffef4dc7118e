package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/internal/plain"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
)

// runFlags are those of run beside service and model.
type runFlags struct {
	params   []string
	all, yes bool
	create   bool
	limit    int
	from     string
}

func (a *app) runCommand() *cobra.Command {
	var (
		service serviceFlags
		model   modelFlags
		o       runFlags
	)
	c := &cobra.Command{
		Use:   "run [PATTERN]",
		Short: "Run an access pattern of a model",
		Long: `Runs the plan of an access pattern as it is, on tables of yours, and prints what it answers: items, the
capacity units of each table and index, the number of requests, and of a paged pattern the cursor of the next page.
Without PATTERN it lists the patterns of the model with their parameters.

Values stand as they are: texts, numbers, true, times such as 2026-11-21T12:00:00Z. Entities, lists and maps are JSON.
With @FILE the value is what the file has. A pattern that writes wants --yes.

The model and the requirements it serves are those that build reads and writes: model.yaml here, or --model FILE.

` + serviceHelp,
		Example: example(`
			tablewright run                                    # which patterns there are
			tablewright run addBook --param 'book={"isbn": "9780201896831", "title": "Sorting", "shelf": "A1", "copies": 2}' --dir ./data --create-tables --yes
			tablewright run getBook --param isbn=9780201896831 --dir ./data
			tablewright run getLoansOfReader --param readerId=01K0 --endpoint http://127.0.0.1:8000 --all
			tablewright run getLoansOfReader --param readerId=01K0 --aws --region eu-central-1 --table-prefix test- --limit 5 --output json`),
		Args: takes("[PATTERN]"),
		RunE: func(c *cobra.Command, args []string) error {
			program, err := model.load()
			if err != nil {
				return err
			}
			if len(args) == 0 {
				return a.listPatterns(program)
			}
			proc := program.Procedure(args[0])
			if proc == nil {
				return usage("the model has no access pattern %s%s\n\n`tablewright run` lists them", args[0], meant(args[0], patternNames(program)))
			}
			values, err := o.check(proc)
			if err != nil {
				return err
			}
			if err := service.check(); err != nil {
				return err
			}
			return service.with(c.Context(), o.create, func(db *tablewright.DB) error {
				if o.create {
					if err := createMissing(c.Context(), db, program); err != nil {
						return err
					}
				}
				return a.runPattern(c.Context(), db, program, proc, values, &o)
			})
		},
		ValidArgsFunction: func(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			program, err := model.load()
			if err != nil || len(args) > 0 {
				return nil, cobra.ShellCompDirectiveDefault
			}
			return patternNames(program), cobra.ShellCompDirectiveNoFileComp
		},
	}
	model.add(c, "model.yaml")
	flags := c.Flags()
	flags.StringArrayVarP(&o.params, "param", "p", nil, "a parameter: `NAME=VALUE`, as often as there are parameters")
	flags.BoolVar(&o.all, "all", false, "read all pages")
	flags.IntVar(&o.limit, "limit", 0, "of a paged pattern: `N` items of a page, instead of the plan's number")
	flags.StringVar(&o.from, "from", "", "go on at a `CURSOR` of the same pattern and parameters")
	flags.BoolVar(&o.yes, "yes", false, "run a pattern that writes")
	flags.BoolVar(&o.create, "create-tables", false, "first make the tables of the model that do not exist")
	service.add(c)
	return c
}

// check holds the flags against the pattern, and reads its parameters.
func (o *runFlags) check(proc *plan.Procedure) (attr.Item, error) {
	values, err := arguments(proc, o.params)
	if err != nil {
		return values, err
	}
	switch {
	case o.limit < 0:
		return values, usage("--limit takes a number of items, 1 or more")
	case (o.limit > 0 || o.from != "") && !proc.Paged():
		return values, usage("%s is not paged: it answers everything at once, and --limit and --from go with pages", proc.Name)
	case o.all && proc.Pattern.Writes():
		return values, usage("%s writes: --all goes with pages", proc.Name)
	case proc.Pattern.Writes() && !o.yes:
		return values, usage("%s writes: --yes says that you want it", proc.Name)
	}
	return values, nil
}

// createMissing makes the tables of a model that are not there.
func createMissing(ctx context.Context, db *tablewright.DB, program *plan.Program) error {
	for _, t := range program.Tables {
		document := *t.Document
		document.Items = nil // what lies in it does not matter for making it
		err := tablewright.NewTable(document).CreateIn(ctx, db)
		if err != nil && !errors.Is(err, tablewright.ErrExists) {
			return err
		}
	}
	return nil
}

// listPatterns prints what can be run.
func (a *app) listPatterns(program *plan.Program) error {
	type parameter struct {
		Name     string `json:"name"`
		Takes    string `json:"takes"`
		Optional bool   `json:"optional,omitempty"`
	}
	type pattern struct {
		Name       string      `json:"name"`
		Writes     bool        `json:"writes"`
		Page       int         `json:"page,omitempty"`
		Parameters []parameter `json:"parameters"`
	}
	var all []pattern
	rows := [][]string{{"access pattern", "", "parameters"}}
	for _, name := range patternNames(program) {
		proc := program.Procedure(name)
		p := pattern{Name: name, Writes: proc.Pattern.Writes(), Page: proc.Page, Parameters: []parameter{}}
		var texts []string
		for _, q := range proc.Pattern.Parameters {
			p.Parameters = append(p.Parameters, parameter{q.Name, takenFor(q), q.Optional})
			text := q.Name + "=" + takenFor(q)
			if q.Optional {
				text = "[" + text + "]"
			}
			texts = append(texts, text)
		}
		kind := "reads"
		if p.Writes {
			kind = "writes"
		}
		all = append(all, p)
		rows = append(rows, []string{name, kind, strings.Join(texts, " ")})
	}
	if a.output == "json" {
		return a.json(struct {
			Version  int       `json:"tablewright"`
			Patterns []pattern `json:"patterns"`
		}{outputVersion, all})
	}
	columns(a.stdout, rows)
	return nil
}

// ran is what `run --output json` prints.
type ran struct {
	Version    int                     `json:"tablewright"`
	Pattern    string                  `json:"pattern"`
	Items      []json.RawMessage       `json:"items"`
	Aggregates json.RawMessage         `json:"aggregates,omitempty"`
	Cursor     string                  `json:"cursor,omitempty"`
	Pages      int                     `json:"pages"`
	Requests   int                     `json:"requests"`
	Retries    int                     `json:"retries"`
	Read       float64                 `json:"readUnits"`
	Write      float64                 `json:"writeUnits"`
	Consumed   map[string]consumedJSON `json:"consumed"`
}

type consumedJSON struct {
	Read  float64 `json:"readUnits"`
	Write float64 `json:"writeUnits"`
}

func (a *app) runPattern(ctx context.Context, db *tablewright.DB, program *plan.Program, proc *plan.Procedure, args attr.Item, o *runFlags) error {
	var used tablewright.Usage
	measured := db.Measure(&used)
	p := tablewright.NewProgram(program)
	out := ran{Version: outputVersion, Pattern: proc.Name, Items: []json.RawMessage{}, Cursor: o.from}
	var items []attr.Item
	var aggregates attr.Item
	for {
		result, err := p.Run(ctx, measured, proc.Name, args, tablewright.RunOptions{Cursor: tablewright.Cursor(out.Cursor), Page: o.limit})
		if err != nil {
			return runError(err)
		}
		out.Pages++
		items, aggregates = append(items, result.Items...), result.Aggregates
		if out.Cursor = string(result.Cursor); out.Cursor == "" || !o.all {
			break
		}
	}
	out.Requests, out.Retries, out.Read, out.Write = used.Requests, used.Retries, float64(used.Read), float64(used.Write)
	out.Consumed = map[string]consumedJSON{}
	for name, u := range used.Arms {
		out.Consumed[name] = consumedJSON{float64(u.Read), float64(u.Write)}
	}
	if a.output == "json" {
		for _, it := range items {
			out.Items = append(out.Items, plain.AppendItem(nil, it))
		}
		if aggregates.Len() > 0 {
			out.Aggregates = plain.AppendItem(nil, aggregates)
		}
		return a.json(out)
	}
	var order []string
	if proc.Pattern.Read != nil {
		for _, at := range proc.Pattern.Read.Attributes {
			order = append(order, at.Name)
		}
	}
	itemTable(a.stdout, items, order...)
	for name, v := range aggregates.All() {
		fmt.Fprintf(a.stdout, "%s = %s\n", name, cell(v))
	}
	if len(items) > 0 || aggregates.Len() > 0 {
		fmt.Fprintln(a.stdout)
	}
	a.consumed(&out, len(items), proc.Pattern.Writes())
	if out.Cursor != "" {
		fmt.Fprintf(a.stdout, "more follow: --from %s\n", out.Cursor)
	}
	return nil
}

// consumed prints the last lines of a run: how much came, and what it took.
func (a *app) consumed(out *ran, items int, writes bool) {
	head := show.Count(items, "item", "")
	if writes {
		head = "done"
	}
	if out.Pages > 1 {
		head += " in " + show.Count(out.Pages, "page", "")
	}
	var parts []string
	for name, u := range out.Consumed {
		if u.Read > 0 {
			parts = append(parts, fmt.Sprintf("%s read %s", show.Units(u.Read), name))
		}
		if u.Write > 0 {
			parts = append(parts, fmt.Sprintf("%s write %s", show.Units(u.Write), name))
		}
	}
	slices.SortFunc(parts, func(x, y string) int { return strings.Compare(afterNumber(x), afterNumber(y)) })
	text := fmt.Sprintf("%s; %s", head, show.Count(out.Requests, "request", ""))
	if out.Retries > 0 {
		text += fmt.Sprintf(" (%s)", show.Count(out.Retries, "repetition", ""))
	}
	if len(parts) > 0 {
		text += "; units: " + strings.Join(parts, ", ")
	}
	fmt.Fprintln(a.stdout, text)
}

func afterNumber(s string) string {
	_, rest, _ := strings.Cut(s, " ")
	return rest
}

// runError says of a refusal and of tables that are missing what to do.
func runError(err error) error {
	var refused *tablewright.Refused
	switch {
	case errors.As(err, &refused):
		return fmt.Errorf("%s is refused: %s; nothing was written", refused.Pattern, strings.TrimSpace(refused.Code+" "+refused.Of))
	case errors.Is(err, tablewright.ErrCursor):
		return usage("--from is no cursor of this pattern with these parameters")
	case missingTable(err):
		return fmt.Errorf("%w\n--create-tables makes the tables of the model, --table-prefix says how theirs differ in name", err)
	}
	return err
}
