package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/doctor"
	"github.com/tablewright/tablewright/internal/pipeline"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats/rules"
	"github.com/tablewright/tablewright/wire"
)

// doctorFlags are those of doctor beside service and model.
type doctorFlags struct {
	tables     []string
	readUnits  float64
	failOn     string
	explain    string
	only, less []string
	thresholds string
	key        string
	promises   bool

	readUnitsSet bool
	hideKeys     bool
	list         bool
	prices       priceFlag
}

func (a *app) doctorCommand() *cobra.Command {
	var (
		service serviceFlags
		model   modelFlags
		o       doctorFlags
	)
	c := &cobra.Command{
		Use:         "doctor [FILE|URL]...",
		Short:       "Examine a program, a table or a model, and say what to change",
		Annotations: map[string]string{moreOutputs: "sarif"},
		Long: `Prints findings, the most pressing first: what was seen, what to change, what that saves a month. It reads
as much of the following as it is given; rules that need what is missing rest.

  statistics    a file that package stats wrote, an export or a journal, packed or not, or several, merged; or the URL of a
                program's page of statistics (rules.Adviser's handler)
  items         a file with an item on each line, as export and DynamoDB's export to S3 write it, or as plain JSON
  a dump        of tablewright engine dump, packed or not: its tables, looked at as live ones, whole unless --read-units is
                given
  a model       --model, or a model.yaml as FILE: what was promised is held against the statistics (rates, units,
                sizes, skew), pattern by pattern, and its limits are looked at
  live tables   --dir, --endpoint or --aws: what DescribeTable and DescribeTimeToLive tell, and a sample of the items
                within --read-units, spread over the table: --table NAME, as often as wanted, or all tables

A sample is read eventually consistently, half a unit for each 4 KB, and of a provisioned table at a quarter of what is
provisioned. 200 read units are $0.000025 on demand; --read-units 0 reads nothing. It needs dynamodb:DescribeTable and
DescribeTimeToLive, Scan for the sample, and ListTables where neither --table nor --model names the tables.

Severities: by what is critical a program in production loses requests or data, by a warning money or headroom;
advice is what would be better. With --fail-on the exit code is 3 if there is a finding of that severity or a higher
one. --rule and --ignore choose rules; --explain RULE says what one is about and --list names all. --output sarif
prints SARIF 2.1.0 for code hosts and editors.

--thresholds reads figures to compare with, YAML with the names of stats.Thresholds, and under promises those of
doctor.Ranges:

  slowCall: 50ms
  largeItem: 64KB
  promises: {rate: {below: 30%, above: 2}, day: 6h}

` + serviceHelp,
		Example: example(`
			tablewright doctor statistics.json
			tablewright doctor statistics.json --model model.yaml --fail-on warning
			tablewright doctor http://127.0.0.1:6060/debug/tablewright/ --model model.yaml --promises
			tablewright doctor --table Books --dir ./data
			tablewright doctor --table Shop --aws --region eu-central-1 --read-units 1000
			tablewright doctor books.jsonl --key isbn
			tablewright doctor backup.jsonl.gz
			tablewright doctor model.yaml --output sarif > doctor.sarif
			tablewright doctor --explain hot-partition`),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case o.list:
				return a.listRules()
			case o.explain != "":
				return a.explainRule(o.explain)
			}
			o.readUnitsSet = c.Flags().Changed("read-units")
			return a.doctor(c.Context(), &service, &model, &o, args)
		},
	}
	model.add(c, "")
	flags := c.Flags()
	flags.StringArrayVar(&o.tables, "table", nil, "look at the table `NAME`, as often as there are tables; of items in a file what they are of")
	flags.Float64Var(&o.readUnits, "read-units", 200, "read a sample of each table with at most `N` read units, more only where an item is far larger than all before it")
	flags.StringVar(&o.failOn, "fail-on", "critical", "exit with 3 at a finding that is `critical|warning|advice` or worse; none: never")
	flags.StringVar(&o.explain, "explain", "", "say what a `RULE` is about, when it fires and when it does not")
	flags.BoolVar(&o.list, "list", false, "name all rules")
	flags.StringSliceVar(&o.only, "rule", nil, "only findings of these `RULES`")
	flags.StringSliceVar(&o.less, "ignore", nil, "no findings of these `RULES`")
	flags.StringVar(&o.thresholds, "thresholds", "", "compare with the figures in `FILE`")
	flags.StringVar(&o.key, "key", "", "of items in a file: the key's `ATTRIBUTES`, such as PK,SK; else it is guessed")
	flags.BoolVar(&o.promises, "promises", false, "print all promises of the model beside what was measured")
	flags.BoolVar(&o.hideKeys, "hide-keys", false, "show no keys of sampled items, nor words of them: for reports that others read")
	o.prices.add(c)
	service.add(c)
	_ = c.RegisterFlagCompletionFunc("fail-on", cobra.FixedCompletions([]string{"critical", "warning", "advice", "none"}, cobra.ShellCompDirectiveNoFileComp))
	for _, name := range []string{"explain", "rule", "ignore"} {
		_ = c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(ruleIDs(), cobra.ShellCompDirectiveNoFileComp))
	}
	return c
}

// errPressing ends doctor with findings that --fail-on is about; its output has said which.
var errPressing = errors.New("there are findings")

func ruleIDs() (ids []string) {
	for _, r := range doctor.Rules() {
		ids = append(ids, r.ID)
	}
	return ids
}

func knownRules(flag string, ids []string) error {
	known := ruleIDs()
	for _, id := range ids {
		if !slices.Contains(known, id) {
			return usage("--%s: there is no rule %s%s; doctor --list names all", flag, id, meant(id, known))
		}
	}
	return nil
}

func (a *app) listRules() error {
	if a.output == "json" {
		type rule struct {
			ID       string         `json:"id"`
			Title    string         `json:"title"`
			Category rules.Category `json:"category"`
		}
		out := []rule{}
		for _, r := range doctor.Rules() {
			out = append(out, rule{r.ID, r.Title, r.Category})
		}
		return a.json(struct {
			Version int    `json:"tablewright"`
			Rules   []rule `json:"rules"`
		}{outputVersion, out})
	}
	rows := [][]string{{"rule", "category", "what it is about"}}
	for _, r := range doctor.Rules() {
		rows = append(rows, []string{r.ID, string(r.Category), r.Title})
	}
	columns(a.stdout, rows)
	return nil
}

func (a *app) explainRule(id string) error {
	r := doctor.Rule(id)
	if r == nil {
		return usage("there is no rule %s%s; doctor --list names all", id, meant(id, ruleIDs()))
	}
	text := doctor.Explain(r)
	if a.output == "json" {
		return a.json(struct {
			Version int    `json:"tablewright"`
			ID      string `json:"id"`
			Text    string `json:"text"`
		}{outputVersion, r.ID, text})
	}
	_, err := fmt.Fprintln(a.stdout, strings.TrimRight(text, "\n"))
	return err
}

// check says what is wrong with the flags before anything is read.
func (o *doctorFlags) check() error {
	if err := knownRules("rule", o.only); err != nil {
		return err
	}
	if err := knownRules("ignore", o.less); err != nil {
		return err
	}
	if _, err := o.failing(); err != nil {
		return err
	}
	if o.readUnits < 0 {
		return usage("--read-units takes a number of units, 0 or more")
	}
	return nil
}

// failing is the least severity that fails; 0: none does.
func (o *doctorFlags) failing() (s rules.Severity, err error) {
	if o.failOn == "none" {
		return 0, nil
	}
	if s.UnmarshalText([]byte(o.failOn)) != nil {
		return 0, usage("--fail-on is critical, warning, advice or none, not %q%s", o.failOn, meant(o.failOn, []string{"critical", "warning", "advice", "none"}))
	}
	return s, nil
}

// secret is what keys of samples are hashed with, another one each time; nil: they are shown.
func (o *doctorFlags) secret() []byte {
	if !o.hideKeys {
		return nil
	}
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // it never fails
	return secret
}

// asked reports whether a service is named.
func (s *serviceFlags) asked() bool { return s.dir != "" || s.endpoint != "" || s.aws }

// doctor examines what it is given.
func (a *app) doctor(ctx context.Context, service *serviceFlags, m *modelFlags, o *doctorFlags, args []string) error {
	if err := o.check(); err != nil {
		return err
	}
	if service.asked() {
		if err := service.check(); err != nil {
			return err
		}
	} else if len(args) == 0 && m.model == "" {
		return usage("what is to be examined? statistics, a model or items as FILE, or tables: --table NAME with --dir, --endpoint or --aws")
	}
	x, err := a.chart(ctx, m, o, args, service.asked())
	if err != nil {
		return err
	}
	switch look := func(db *tablewright.DB) error { return a.live(ctx, db, service, o, x) }; {
	case service.asked():
		err = service.with(ctx, false, look)
	case len(x.dumps) > 0:
		err = a.loaded(ctx, x.dumps, service, look)
	}
	if err != nil {
		return err
	}
	if o.promises && (x.Program == nil || x.Stats == nil || len(x.Stats.Operations) == 0) {
		return usage("--promises needs a model and statistics: tablewright doctor statistics.json --model model.yaml --promises")
	}
	d := doctor.Examine(&x.Case)
	for i := range d.Findings {
		x.qualify(&d.Findings[i])
		x.named(&d.Findings[i])
	}
	d.Findings = slices.DeleteFunc(d.Findings, func(f rules.Finding) bool { return !o.wants(&f) })
	if err := a.diagnosed(d, x, o); err != nil {
		return err
	}
	least, err := o.failing()
	if err == nil && least > 0 && slices.ContainsFunc(d.Findings, func(f rules.Finding) bool { return f.Severity >= least }) {
		return errPressing
	}
	return err
}

// wants reports whether findings of a rule are to be printed: of one that speaks for others too, if one of them is.
func (o *doctorFlags) wants(f *rules.Finding) bool {
	all := append([]string{f.Rule}, f.Also...)
	in := func(ids []string) func(string) bool { return func(id string) bool { return slices.Contains(ids, id) } }
	return (len(o.only) == 0 || slices.ContainsFunc(all, in(o.only))) && !in(o.less)(f.Rule)
}

// chart is a case with what was read for it.
type chart struct {
	doctor.Case
	read    []string // what was read, in words
	places  doctor.Places
	samples []sampled
	bare    []string // tables of which only items are known
	dumps   []string // files
	again   string   // commands that design the model again; "": without statistics of its program
}

// sampled is what a sample of items came to.
type sampled struct {
	Table    string   `json:"table"`
	From     string   `json:"from,omitempty"` // the file; "": the table
	Key      []string `json:"key"`
	Items    int      `json:"items"`
	Bytes    int64    `json:"bytes"`
	Refused  int      `json:"refused,omitempty"` // lines that are no items
	Requests int      `json:"requests,omitempty"`
	Read     float64  `json:"readUnits,omitempty"`
	Whole    bool     `json:"whole,omitempty"` // all of the table
}

func (s *sampled) String() string {
	text := fmt.Sprintf("%s of %s", show.Count(s.Items, "item", ""), s.Table)
	if s.From != "" {
		text += fmt.Sprintf(" in %s, key %s", s.From, strings.Join(s.Key, " and "))
		if s.Refused > 0 {
			text += fmt.Sprintf(", %s passed over", show.Count(s.Refused, "line", ""))
		}
		return text
	}
	switch {
	case s.Whole && s.Items == 1:
		text = "the only item of " + s.Table
	case s.Whole && s.Items > 1:
		text = "all " + text
	}
	return text + fmt.Sprintf(", read with %s units in %s", show.Units(s.Read), show.Count(s.Requests, "request", ""))
}

// live looks at tables of a service.
func (a *app) live(ctx context.Context, db *tablewright.DB, service *serviceFlags, o *doctorFlags, x *chart) error {
	names, err := o.tables, error(nil)
	switch {
	case len(names) > 0:
	case x.Program != nil:
		for _, t := range x.Program.Tables {
			names = append(names, t.Name)
		}
	default:
		if names, err = tableNames(ctx, db, service.prefix); err != nil {
			return doctorMay(err)
		}
	}
	found := 0
	tell, done := a.progress()
	defer done()
	for _, name := range names {
		if tell != nil {
			tell(pipeline.Event{Stage: "describe", Detail: name})
		}
		d, err := tablewright.Describe(ctx, db, name)
		switch {
		case errors.Is(err, tablewright.ErrNotFound) && len(o.tables) == 0: // a table of the model that is not made yet, or just deleted
			continue
		case errors.Is(err, tablewright.ErrNotFound):
			there, _ := tableNames(ctx, db, service.prefix)
			return usage("there is no table %s%s", name, meant(name, there))
		case err != nil:
			return doctorMay(err)
		}
		found++
		x.know(d.Table, &d)
		if schema := schemaOf(x.Program, name); schema != nil {
			document := *schema.Document
			document.Items = nil
			differences, err := tablewright.NewTable(document).Compare(ctx, db)
			if err != nil {
				return doctorMay(err)
			}
			if x.Differences == nil {
				x.Differences = map[string][]tablewright.Difference{}
			}
			x.Differences[name] = differences
		}
		x.read = append(x.read, "table "+name)
		if o.readUnits == 0 || d.Status != "" && d.Status != "ACTIVE" && d.Status != "UPDATING" {
			continue
		}
		options := doctor.SampleOptions{ReadUnits: capacity.ReadUnits(o.readUnits), HashKeys: o.secret()}
		if len(x.dumps) > 0 && !o.readUnitsSet { // all of it: it is read already
			options.ReadUnits, options.Rate = everything, everything
		}
		if tell != nil {
			options.Progress = func(p doctor.SampleProgress) {
				tell(pipeline.Event{Stage: "sample " + name, Detail: show.Count(p.Items, "item", "") + ", read units", Done: int(p.Read), Of: int(o.readUnits)})
			}
		}
		s, err := doctor.Sample(ctx, db, &d, options)
		if err != nil {
			return doctorMay(err)
		}
		x.take(s.Sampler)
		key := []string{d.Table.Key.Partition}
		if d.Table.Key.Sort != "" {
			key = append(key, d.Table.Key.Sort)
		}
		x.samples = append(x.samples, sampled{Table: name, From: strings.Join(x.dumps, ", "), Key: key, Items: s.Items, Bytes: s.Sampler.Bytes, Requests: s.Requests, Read: float64(s.Read), Whole: s.Whole})
	}
	if found == 0 {
		return fmt.Errorf("there are no tables%s", map[bool]string{true: " of the model", false: ""}[x.Program != nil])
	}
	return nil
}

// doctorMay adds to an error of who may not do something what doctor has to be allowed.
func doctorMay(err error) error {
	var refused *wire.Error
	if errors.As(err, &refused) && refused.Code == "AccessDeniedException" {
		return fmt.Errorf("%w\n(doctor needs dynamodb:DescribeTable and DescribeTimeToLive on each table; Scan for a sample, unless with --read-units 0;\n"+
			"and ListTables where neither --table nor --model names the tables)", err)
	}
	return err
}

// know adds what is known of a table.
func (x *chart) know(declared plan.Table, live *tablewright.Description) {
	for _, t := range x.Tables {
		if t.Declared.Name == declared.Name {
			if live != nil {
				t.Declared, t.Live = declared, live
			}
			return
		}
	}
	x.Tables = append(x.Tables, &rules.Table{Declared: declared, Live: live})
}

// qualify says of a finding what the case does not tell: a file of items has no settings of its table.
func (x *chart) qualify(f *rules.Finding) {
	if f.Rule == "ttl-missing" && slices.Contains(x.bare, f.Table) {
		title, _, _ := strings.Cut(f.Title, ", and ")
		f.Title = title + "; does a time to live delete them?"
		f.Because = strings.TrimSpace(f.Because + " The file does not tell whether the table has a time to live: --dir, --endpoint, --aws or --model does.")
		f.Confidence = min(f.Confidence, 0.5)
	}
}

// named puts the names of the files that were read into the snippets that design the model again.
func (x *chart) named(f *rules.Finding) {
	for i := range f.Remedy.Snippets {
		if s := &f.Remedy.Snippets[i]; s.Text == doctor.Again && x.again != "" {
			s.Text = x.again
		}
	}
}

// withoutAgain is findings without the snippet that many of them share, which is told once.
func (x *chart) withoutAgain(found []rules.Finding) (rest []rules.Finding, again string) {
	rest = slices.Clone(found)
	for i := range rest {
		s := &rest[i].Remedy.Snippets
		*s = slices.DeleteFunc(slices.Clone(*s), func(s rules.Snippet) bool {
			if s.Text != x.again && s.Text != doctor.Again {
				return false
			}
			again = s.Text
			return true
		})
	}
	return rest, again
}

// noneRan reports whether no pattern of the model was seen.
func noneRan(p *doctor.Comparison) bool {
	return !slices.ContainsFunc(p.Patterns, func(p *doctor.Pattern) bool { return p.Calls > 0 })
}

func noneRanText(p *doctor.Comparison) string {
	return fmt.Sprintf("No call in the statistics is of an access pattern of %s: are they of a program that runs this model?", p.Application)
}

// take puts a sample beside the statistics.
func (x *chart) take(s *doctor.Sampler) {
	if x.Stats == nil {
		x.Stats = doctor.Empty(x.Thresholds)
	}
	s.Into(x.Stats)
}

// diagnosis is what `doctor --output json` prints.
type diagnosis struct {
	Version  int                `json:"tablewright"`
	Examined []string           `json:"examined"`
	From     *time.Time         `json:"from,omitempty"` // of the statistics
	To       *time.Time         `json:"to,omitempty"`
	Samples  []sampled          `json:"samples,omitempty"`
	Findings []rules.Finding    `json:"findings"`
	Promises *doctor.Comparison `json:"promises,omitempty"`
	Notes    []string           `json:"notes,omitempty"` // what findings leave out, and why
}

// diagnosed prints what was found.
func (a *app) diagnosed(d *doctor.Diagnosis, x *chart, o *doctorFlags) error {
	switch a.output {
	case "sarif":
		return doctor.WriteSARIF(a.stdout, d.Findings, x.places, buildInfo().Version)
	case "json":
		out := diagnosis{Version: outputVersion, Examined: x.read, Samples: x.samples, Findings: d.Findings, Promises: d.Promises, Notes: x.notes(d)}
		if out.Findings == nil {
			out.Findings = []rules.Finding{}
		}
		if x.Stats != nil && len(x.Stats.Operations) > 0 {
			out.From, out.To = &x.Stats.From, &x.Stats.To
		}
		return a.json(out)
	}
	for i := range x.samples {
		fmt.Fprintf(a.stdout, "%s\n", &x.samples[i])
	}
	if len(x.samples) > 0 {
		fmt.Fprintln(a.stdout)
	}
	if o.promises {
		if err := d.Promises.WriteText(a.stdout); err != nil {
			return err
		}
		fmt.Fprintln(a.stdout)
	}
	findings, again := x.withoutAgain(d.Findings)
	if err := rules.WriteText(a.stdout, findings); err != nil {
		return err
	}
	if len(d.Findings) > 0 {
		fmt.Fprintln(a.stdout)
	}
	if again != "" {
		fmt.Fprintf(a.stdout, "The measured figures get into the requirements, and these into a model, by:\n  %s\n\n", strings.ReplaceAll(again, "\n", "\n  "))
	}
	if _, err := fmt.Fprintf(a.stdout, "%s: %s\n", strings.Join(x.read, ", "), tally(d.Findings)); err != nil {
		return err
	}
	for _, note := range x.notes(d) {
		if _, err := fmt.Fprintln(a.stdout, strings.Join(wrap(note, 110), "\n")); err != nil {
			return err
		}
	}
	return nil
}

// notes are what the findings leave out, and why.
func (x *chart) notes(d *doctor.Diagnosis) (notes []string) {
	if x.Stats == nil || len(x.Stats.Operations) == 0 {
		return nil
	}
	if p := d.Promises; p != nil && len(p.Unknown) > 0 && noneRan(p) {
		notes = append(notes, noneRanText(p))
	}
	if rate := x.Stats.Rate; rate > 0 && rate < 1 {
		notes = append(notes, fmt.Sprintf("Of the calls %s were recorded: rules that look for what several calls do together, such as single-gets or read-before-write, had nothing to go on.", show.Percent(rate)))
	}
	if watched := doctor.Watched(x.Stats); watched < time.Hour {
		notes = append(notes, fmt.Sprintf("The statistics are of %s only: what is said of a month supposes that all of it is like that, and rules that look for more calls, or for days, had nothing to go on.", show.Lasting(watched)))
	}
	return notes
}

// tally counts findings by severity, and adds up what they save.
func tally(found []rules.Finding) string {
	if len(found) == 0 {
		return "nothing to object to"
	}
	var n [4]int
	var saving capacity.Money
	for i := range found {
		n[found[i].Severity]++
		saving += found[i].Saving.Monthly()
	}
	var words []string
	for s := rules.Critical; s >= rules.Advice; s-- {
		switch {
		case n[s] == 0:
		case s == rules.Warning:
			words = append(words, show.Count(n[s], "warning", ""))
		default:
			words = append(words, fmt.Sprintf("%d %s", n[s], s))
		}
	}
	text := show.List(words)
	if saving > 0 {
		text += fmt.Sprintf("; together they save %v a month", saving)
	}
	return text
}
