package bulk

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/plan"
)

// Estimate is what an export or import would consume and cost.
type Estimate struct {
	Items int64
	Bytes capacity.Bytes // of items, as DynamoDB counts them
	Units tablewright.Units

	// Cost is at the prices of requests on demand; a table with provisioned capacity has paid for its units already, and of
	// one of these it is 0.
	Cost capacity.Money

	Refused  int64     // lines of an import that cannot be written
	Refusals []Refusal // the first 1,000 of them
}

// Takes is how long it takes at a rate of units a second; 0 for no rate.
func (e *Estimate) Takes(unitsPerSecond float64) time.Duration {
	if unitsPerSecond <= 0 {
		return 0
	}
	return time.Duration(max(float64(e.Units.Read), float64(e.Units.Write)) / unitsPerSecond * float64(time.Second)).Round(time.Second)
}

// EstimateExport says what reading a whole table takes: half a unit for each 4 KB of its size, as the service tells that
// with a description (it renews it about every six hours). prices nil: those built in.
func EstimateExport(d *tablewright.Description, prices *capacity.Prices) Estimate {
	e := Estimate{Items: d.Items, Bytes: d.Bytes, Units: tablewright.Units{Read: capacity.Query(d.Bytes, capacity.Eventual)}}
	e.price(d, prices)
	return e
}

// EstimateImport reads a file as Import does, to its end, and says what writing it into a table takes: for each item its size
// in blocks of 1 KB, and the same for its entries in the table's indexes. It takes the table for empty: an item that is
// replaced costs as much as the larger of both. What is wrong with lines is found out as far as no service is needed for it.
// prices nil: those built in.
func EstimateImport[K, T any](d *tablewright.Description, into *tablewright.Entity[K, T], from io.Reader, o ImportOptions, prices *capacity.Prices) (Estimate, error) {
	var e Estimate
	s, err := newSource(from, &o, d.Table.Attributes)
	if err != nil {
		return e, err
	}
	indexes := entries(&d.Table)
	check := entryCheck(&d.Table, true)
	for {
		it, line, bad, err := s.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return e, fmt.Errorf("bulk: behind line %d: %w", line, err)
		}
		if bad == nil && !raw[T]() {
			it, bad = stored(into, it)
		}
		if bad == nil {
			bad = check(it)
		}
		if bad != nil {
			if e.Refused++; e.Refused <= keptRefusals {
				e.Refusals = append(e.Refusals, Refusal{line, bad})
			}
			continue
		}
		e.Items++
		e.Bytes += capacity.Bytes(it.Size())
		e.Units.Write += capacity.Write(0, capacity.Bytes(it.Size()))
		for _, x := range indexes {
			_, units := x.Write(attr.Item{}, it)
			e.Units.Write += units
		}
	}
	e.price(d, prices)
	return e, nil
}

// stored is what an entity makes of an item: with its key and index attributes.
func stored[K, T any](into *tablewright.Entity[K, T], it attr.Item) (attr.Item, error) {
	var item T
	if err := attr.UnmarshalItem(it, &item); err != nil {
		return it, err
	}
	text, err := into.Encode(item)
	if err != nil {
		return it, err
	}
	return attr.ParseItem(text)
}

func (e *Estimate) price(d *tablewright.Description, prices *capacity.Prices) {
	if d.Table.Billing != (plan.Billing{}) {
		return
	}
	if prices == nil {
		prices = capacity.DefaultPrices()
	}
	class := capacity.Standard
	if d.Table.Class == "infrequent-access" {
		class = capacity.InfrequentAccess
	}
	t := prices.Tariff(class, capacity.OnDemand)
	month := prices.Seconds() // a tariff prices units per second over a month
	e.Cost = t.Reads(e.Units.Read/capacity.ReadUnits(month)) + t.Writes(e.Units.Write/capacity.WriteUnits(month))
}

// entries are the table's indexes as package capacity counts what writes do to them.
func entries(t *plan.Table) (all []*capacity.Index) {
	key := []string{t.Key.Partition}
	if t.Key.Sort != "" {
		key = append(key, t.Key.Sort)
	}
	for _, of := range []map[string]plan.Index{t.GSI, t.LSI} {
		for _, x := range of {
			e := &capacity.Index{TableKey: key, Key: slices.Concat(x.Partition, x.Sort), Include: x.Include}
			switch x.Project {
			case plan.Keys:
				e.Projection = capacity.KeysOnly
			case plan.Include:
				e.Projection = capacity.Include
			}
			all = append(all, e)
		}
	}
	return all
}
