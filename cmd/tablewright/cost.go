package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/internal/pipeline"
	"github.com/tablewright/tablewright/internal/show"
)

func (a *app) costCommand() *cobra.Command {
	var prices priceFlag
	var limit timeFlag
	c := &cobra.Command{
		Use:   "cost REQUIREMENTS [MODEL]",
		Short: "Price a model at the rates of its requirements",
		Long: `Prints what a month of the model costs: per access pattern (expected capacity units of a call, at
the stated rates, sizes and skews), per table and index, on demand and provisioned, and how hot the
hottest keys get at peak. Without MODEL the model is designed first. Nothing is run.

The free tier is not deducted. Prices are those of us-east-1; --prices reads others from a file like
capacity/prices/us-east-1.txt of the source.`,
		Example: example(`
			tablewright cost shop.yaml
			tablewright cost examples/online-shop.yaml examples/online-shop.published-model.yaml
			tablewright cost shop.yaml model.yaml --output json
			tablewright cost shop.yaml --prices eu-central-1.txt`),
		Args: takes("REQUIREMENTS", "[MODEL]"),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := prices.read()
			if err != nil {
				return err
			}
			within, err := limit.read(c, len(args) == 2)
			if err != nil {
				return err
			}
			a.abrupt.Store(true)
			tell, done := a.progress()
			defer done()
			job, err := a.job(c.Context(), args, pipeline.Options{Prices: p, Time: within, Progress: tell})
			if err != nil {
				return err
			}
			done()
			if a.output == "json" {
				return a.json(costOf(job))
			}
			a.showCost(job)
			return nil
		},
	}
	prices.add(c)
	limit.add(c)
	return c
}

// costReport is what `cost --output json` prints: units a call, dollars a month, units per second.
type costReport struct {
	*summary
	Patterns []patternCost `json:"patterns"`
	Places   []placeCost   `json:"places"`
	Hottest  []loadShown   `json:"hottest"`
}

type patternCost struct {
	Name    string             `json:"name"`
	Average float64            `json:"averageRate"`
	Peak    float64            `json:"peakRate"`
	Read    map[string]float64 `json:"read"`
	Write   map[string]float64 `json:"write"`
	Month   float64            `json:"month"`
}

type placeCost struct {
	Name        string  `json:"name"`
	Items       float64 `json:"items"`
	Bytes       int64   `json:"bytes"`
	Read        float64 `json:"read"`
	Write       float64 `json:"write"`
	PeakRead    float64 `json:"peakRead"`
	PeakWrite   float64 `json:"peakWrite"`
	Reads       float64 `json:"readsMonth"`
	Writes      float64 `json:"writesMonth"`
	Storage     float64 `json:"storageMonth"`
	Provisioned float64 `json:"provisionedMonth"`
}

type loadShown struct {
	Place    string   `json:"place"`
	Of       string   `json:"of"`
	Read     float64  `json:"read"`
	Write    float64  `json:"write"`
	Heat     float64  `json:"heat"`
	Patterns []string `json:"patterns"`
}

func costOf(job *pipeline.Job) costReport {
	r := costReport{summary: summaryOf(job)}
	for _, p := range job.Price.Patterns {
		r.Patterns = append(r.Patterns, patternCost{p.Name, p.Rate.Average, p.Rate.Peak, p.Read, p.Write, p.Cost.Dollars()})
	}
	for _, p := range job.Price.Places {
		r.Places = append(r.Places, placeCost{p.Name, items(p), int64(p.Stored), p.Read, p.Write, p.PeakRead, p.PeakWrite,
			p.Bill.Reads.Dollars(), p.Bill.Writes.Dollars(), p.Bill.Storage.Dollars(), p.Provisioned.Dollars()})
	}
	for _, l := range job.Price.Loads {
		r.Hottest = append(r.Hottest, loadShown{l.Place, l.Of, l.Read, l.Write, l.Heat, l.Patterns})
	}
	return r
}

func items(p *cost.Place) float64 {
	n := 0.0
	for _, it := range p.Items {
		n += it.Count
	}
	return n
}

func (a *app) showCost(job *pipeline.Job) {
	rows := [][]string{{"access pattern", ">calls/s", ">read units", ">write units", ">$ a month"}}
	for _, p := range job.Price.Patterns {
		read, write := p.Units()
		rows = append(rows, []string{p.Name, show.Number(p.Rate.Average), units(read), units(write), p.Cost.String()})
	}
	columns(a.stdout, rows)
	fmt.Fprintln(a.stdout)
	rows = [][]string{{"table or index", ">items", ">GB", ">reads", ">writes", ">storage", ">month", ">provisioned*"}}
	for _, p := range job.Price.Places {
		name := p.Name
		if p.Index != nil {
			name = "  " + name
		}
		rows = append(rows, []string{name, show.Number(items(p)), units(float64(p.Stored) / float64(job.Price.Prices.GB)), p.Bill.Reads.String(), p.Bill.Writes.String(),
			p.Bill.Storage.String(), p.Bill.Total().String(), (p.Provisioned + p.Bill.Storage).String()})
	}
	columns(a.stdout, rows)
	fmt.Fprintf(a.stdout, "* with auto scaling at 70 %% utilization, storage included\n\n")
	rows = [][]string{{"hottest keys at peak", "of", ">read/s", ">write/s", ">of its limit"}}
	for _, l := range job.Price.Loads[:min(5, len(job.Price.Loads))] {
		rows = append(rows, []string{l.Place, l.Of, show.Number(l.Read), show.Number(l.Write), fmt.Sprintf("%.1f %%", 100*l.Heat)})
	}
	columns(a.stdout, rows)
	fmt.Fprintln(a.stdout)
	a.summary(job)
}
