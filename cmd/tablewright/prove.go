package main

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/pipeline"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/prove"
)

func (a *app) proveCommand() *cobra.Command {
	var (
		endpoint pipeline.Endpoint
		remote   bool
		yes      bool
		maxCost  float64
		seed     uint64
		evidence string
		prices   priceFlag
		limit    timeFlag
		throttle throttleFlags
		scale    dataScale
	)
	c := &cobra.Command{
		Use:   "prove REQUIREMENTS [MODEL]",
		Short: "Prove a model against its requirements",
		Long: `Loads synthetic data that honours the requirements through the model's own write plans, calls
every access pattern many times and compares each answer with an oracle that knows nothing of
tables. Indexes lag behind their tables while it runs. Without MODEL the model is designed first.

It runs on an engine inside this program, or elsewhere with --endpoint, or on AWS with --aws:
always in tables of its own under a random prefix, which it deletes. On AWS it costs money: --yes
says that you know, and --max-cost ends it when what it has consumed costs more.

With --throttle all access patterns then run at their peak rates at once, for 25 simulated minutes,
on an engine that throttles as DynamoDB does (engine/THROTTLING.md): tables and indexes as the model
provisions them, new tables on demand as warm as it says, partitions that take 3,000 reads and 1,000
writes per second and are divided for heat and size, burst capacity used up. Requests are not made
one by one: what each consumes is as measured before, its keys are drawn among all that are stated
by the stated skew. A pattern of which more than --throttle-allow is throttled is not proven; the
output names the table or index, the hot key, the reason, and a remedy.

Each access pattern gets three verdicts: whether its answers are right, whether they consume the
units that were estimated, and whether the hottest key that it reads or writes fits a partition.
Exits 4 if answers are wrong or calls are throttled, 7 if answers are right and units differ.`,
		Example: example(`
			tablewright prove shop.yaml
			tablewright prove examples/online-shop.yaml examples/online-shop.published-model.yaml
			tablewright prove shop.yaml model.yaml --throttle --evidence proof.json
			tablewright prove shop.yaml model.yaml --endpoint http://127.0.0.1:8000
			tablewright prove shop.yaml model.yaml --aws --region eu-central-1 --yes --max-cost 0.50`),
		Args: takes("REQUIREMENTS", "[MODEL]"),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := prices.read()
			if err != nil {
				return err
			}
			o := pipeline.Options{Prices: p, Seed: seed, Scale: float64(scale)}
			if err := scale.check(); err != nil {
				return err
			}
			if o.Time, err = limit.read(c, len(args) == 2); err != nil {
				return err
			}
			if o.Throttle, err = throttle.read(c); err != nil {
				return err
			}
			if remote && endpoint.URL != "" {
				return usage("--aws and --endpoint exclude each other")
			}
			if endpoint.URL != "" {
				if u, err := url.Parse(endpoint.URL); err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
					return usage("--endpoint takes a URL, such as http://127.0.0.1:8000, not %q", endpoint.URL)
				}
			}
			if remote || endpoint.URL != "" {
				endpoint.Prices = p
				if endpoint.MaxCost = capacity.MoneyOf(maxCost * float64(capacity.Dollar)); c.Flags().Changed("max-cost") && endpoint.MaxCost <= 0 {
					return usage("--max-cost takes dollars above zero, such as 0.50")
				}
				if endpoint.AWS() && (!yes || endpoint.MaxCost <= 0) {
					return usage("a proof on AWS costs money: it wants --yes and --max-cost DOLLARS, such as --yes --max-cost 0.50")
				}
				o.Endpoint = &endpoint
			} else if endpoint.Region != "" {
				return usage("--region goes with --aws or --endpoint")
			}
			if evidence != "" {
				if err := hasFolder(evidence); err != nil {
					return err
				}
			}
			if endpoint.URL != "" && !endpoint.AWS() {
				if err := answers(c.Context(), endpoint.URL); err != nil {
					return err
				}
			}
			a.abrupt.Store(o.Endpoint == nil) // elsewhere there are tables to delete
			tell, done := a.progress()
			defer done()
			o.Progress = tell
			job, err := a.job(c.Context(), args, o)
			if err != nil {
				return err
			}
			if err := job.Prove(c.Context(), o); err != nil {
				return err
			}
			if err := c.Context().Err(); err != nil {
				return err
			}
			if evidence != "" {
				if err := writeEvidence(evidence, job); err != nil {
					return err
				}
			}
			done()
			return a.proven(job, evidence)
		},
	}
	flags := c.Flags()
	flags.StringVar(&endpoint.URL, "endpoint", "", "prove on the service at `URL`")
	flags.BoolVar(&remote, "aws", false, "prove on AWS, as its configuration chain says")
	flags.StringVar(&endpoint.Region, "region", "", "AWS `REGION`; as the configuration chain says")
	flags.BoolVar(&yes, "yes", false, "make tables on AWS and pay for requests")
	flags.Float64Var(&maxCost, "max-cost", 0, "end the proof when it has cost more than so many `DOLLARS`")
	flags.Uint64Var(&seed, "seed", 1, "`SEED` of data and calls")
	prices.add(c)
	scale.add(c)
	limit.add(c)
	throttle.add(c)
	flags.StringVar(&evidence, "evidence", "", "write the evidence to `FILE`, as build does to proof.json")
	return c
}

// answers is an error if nothing listens at a URL. It is asked before anything is designed or made: a client would try
// again for seconds, as it should with a service that is there.
func answers(ctx context.Context, service string) error {
	u, err := url.Parse(service)
	if err != nil {
		return err
	}
	port := u.Port()
	if port == "" {
		port = u.Scheme // which names its port
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	c, err := new(net.Dialer).DialContext(ctx, "tcp", net.JoinHostPort(u.Hostname(), port))
	if err != nil {
		return fmt.Errorf("nothing answers at %s: %w", service, err)
	}
	return c.Close()
}

// proven prints the verdicts.
func (a *app) proven(job *pipeline.Job, evidence string) error {
	if a.output == "json" {
		if err := a.json(summaryOf(job)); err != nil {
			return err
		}
	} else {
		rows := [][]string{{"access pattern", "verdict", ">calls", ">units estimated", ">consumed", ">hottest key"}}
		for _, r := range job.Evidence.Patterns {
			heat := ""
			if share := r.Verdicts.Heat.Share; share > 0 {
				heat = show.Percent(share)
			}
			rows = append(rows, []string{r.Name, strings.ToUpper(unprovenAs(r)), show.Number(float64(r.Calls)), units(sum(r.Estimated)), units(sum(r.Consumed)), heat})
			if r.Proven {
				rows[len(rows)-1][1] = "proven"
			}
		}
		columns(a.stdout, rows)
		fmt.Fprintln(a.stdout)
		a.summary(job)
	}
	if !job.Proven() {
		if a.output == "text" {
			where := "written with --evidence FILE"
			if evidence != "" {
				where = "in " + evidence
			}
			fmt.Fprintf(a.stdout, "\nThe first counterexample of each access pattern that is not proven is %s.\n", where)
		}
		return unproven(job)
	}
	return nil
}

// unprovenAs says in a word or two what of an access pattern is not proven.
func unprovenAs(r *prove.PatternResult) string {
	switch v := r.Verdicts; {
	case v.Answers.Right && !v.Units.Within:
		return "units differ"
	case v.Answers.Right && !v.Heat.Fits && v.Heat.Throttled != nil:
		return "throttled"
	}
	return "not proven"
}

func sum(m map[string]float64) float64 {
	n := 0.0
	for _, x := range m {
		n += x
	}
	return n
}

func units(n float64) string { return strconv.FormatFloat(n, 'f', 2, 64) }

func writeEvidence(path string, job *pipeline.Job) error {
	text, err := job.EvidenceText()
	if err != nil {
		return err
	}
	return writeFile(path, text)
}
