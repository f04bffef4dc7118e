package design_test

import (
	"bytes"
	"errors"
	"flag"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/design"
	"github.com/tablewright/tablewright/internal/invent"
	"github.com/tablewright/tablewright/internal/norace"
	"github.com/tablewright/tablewright/internal/pipeline"
)

var (
	pricesN    = flag.Int("prices.n", 12, "hold prices of the designs of so many invented applications against each other")
	pricesFrom = flag.Uint64("prices.from", 1, "the first seed")
)

// TestPrices: what the search says that a design costs is what package cost says of the compiled model, of the model as it is
// written and read again, and what the documents say, to the cent.
func TestPrices(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	served, components, proven := 0, 0, 0
	for seed := *pricesFrom; seed < *pricesFrom+uint64(*pricesN); seed++ {
		text := invent.Requirements(seed, invent.Small)
		job, err := pipeline.Read(pipeline.Document{Name: "requirements.yaml", Text: text})
		if err != nil {
			t.Fatal(err)
		}
		d, err := design.Design(t.Context(), job.Requirements, design.Options{Steps: 3_000, Time: 20 * time.Second})
		var none *design.InfeasibleError
		var unsupported *design.UnsupportedError
		if errors.As(err, &none) || errors.As(err, &unsupported) {
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		served++
		var searched capacity.Money
		for _, c := range d.Components {
			searched += c.Chosen.Cost
			components++
			if c.Proven {
				proven++
			}
		}
		job.Model = d.Model
		model, err := job.ModelText()
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if err := job.Load(pipeline.Document{Name: "model.yaml", Text: model}, pipeline.Options{}); err != nil {
			t.Errorf("seed %d: %v", seed, err)
			continue
		}
		if priced := job.Price.Total(); math.Abs((searched - priced).Dollars()) > 0.005 {
			t.Errorf("seed %d: the search says %s, and package cost %s", seed, searched, priced)
		}
		files, err := job.Documents()
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, f := range files {
			if strings.HasSuffix(f.Name, ".md") && f.Name != files[0].Name && !bytes.Contains(f.Text, []byte(job.Price.Total().String())) {
				t.Errorf("seed %d: %s does not say %s", seed, f.Name, job.Price.Total())
			}
		}
	}
	t.Logf("%d of %d served, %d of %d components proven", served, *pricesN, proven, components)
	if served == 0 {
		t.Error("nothing was served")
	}
}
