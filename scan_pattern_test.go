package tablewright_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

type Parcel struct {
	ID    string `ddb:"id"`
	Late  string `ddb:"late,omitzero"`
	Grams int    `ddb:"grams"`
}

type Depot struct {
	Name string `ddb:"name"`
}

type parcels struct {
	tablewright.Entity[string, Parcel]
	Grams tablewright.Number[Parcel, int]
	Delay tablewright.Index1[Parcel, string, string]
}

// A scan is an access pattern as a query is: checked when declared, listed with its plan, seen by hooks and errors under its name,
// run by name, and warned of once, wherever it is called.
func TestScanPattern(t *testing.T) {
	table := tablewright.NewTable(plan.Table{Name: "Parcels", Key: plan.Key{Partition: "PK"},
		GSI: map[string]plan.Index{"Delay": {Partition: []string{"late"}, Sort: []string{"id"}}}})
	declared := tablewright.Declare[parcels](table, plan.Item{Name: "Parcel", Key: map[string]string{"PK": "p#{id}"}})
	tablewright.Declare[tablewright.Entity[string, Depot]](table, plan.Item{Name: "Depot", Key: map[string]string{"PK": "d#{name}"}})
	heavy := tablewright.NewPattern(table, "heavy", func(grams int) tablewright.Scan[Parcel] {
		return declared.Scan().Filter(declared.Grams.AtLeast(grams)).Parallel(2)
	})
	late := tablewright.NewPattern(table, "late", func(struct{}) tablewright.Scan[Parcel] { return declared.Delay.Scan().Intended() })

	var log bytes.Buffer
	var mu sync.Mutex // segments are read at once
	var seen []string
	spy := func(next tablewright.Transport) tablewright.Transport {
		return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
			if mu.Lock(); c.Operation == "Scan" {
				seen = append(seen, c.Pattern+":"+c.Index)
			}
			mu.Unlock()
			return next.Do(ctx, c)
		})
	}
	db := open(t, tablewright.Options{Logger: slog.New(slog.NewTextHandler(&log, nil)), Hooks: []tablewright.Hook{spy}}, table)
	ctx := t.Context()
	for i := range 6 {
		p := Parcel{ID: fmt.Sprint("p", i), Grams: i * 100}
		if i == 3 {
			p.Late = "rail"
		}
		if err := declared.Put(p).Run(ctx, db); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // from two places, and each of them twice
		if n := must[int](t)(heavy.With(400).Count(ctx, db)); n != 2 {
			t.Errorf("%d heavy ones", n)
		}
		if all := must[[]Parcel](t)(heavy.With(200).Slice(ctx, db)); len(all) != 4 {
			t.Errorf("%v", all)
		}
	}
	if one := must[Parcel](t)(late.With(struct{}{}).One(ctx, db)); one.ID != "p3" {
		t.Errorf("late: %v", one)
	}
	byName, _ := table.Pattern("heavy")
	for it, err := range byName.Run(ctx, db, map[string]attr.Value{"value": attr.Num(attr.Int(500))}) {
		if err != nil || it.Get("PK").Str() != "p#p5" {
			t.Errorf("%v, %v", it, err)
		}
	}
	if text := log.String(); strings.Count(text, "\n") != 1 || !strings.Contains(text, "pattern=heavy") || !strings.Contains(text, "scan_pattern_test.go:") {
		t.Errorf("logged %q", text)
	}
	if got := fmt.Sprint(seen); got != "["+strings.Repeat("heavy: ", 8)+"late:Delay heavy: heavy:]" {
		t.Errorf("hooks saw %s", got)
	}
	for name, want := range map[string]plan.Step{
		"heavy": {Scan: "Parcels", Items: []string{"Parcel", "Depot"}, Filter: "grams >= $value"},
		"late":  {Scan: "Parcels.Delay", Items: []string{"Parcel"}},
	} {
		p, _ := table.Pattern(name)
		if got := p.Plan.Steps["scan"]; fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) || p.Operation != "Scan" {
			t.Errorf("%s: %s %+v, want %+v", name, p.Operation, p.Plan.Steps, want)
		}
		if d := p.Differs(plan.Plan{Steps: map[string]plan.Step{"all": want}}); d != nil {
			t.Errorf("%s differs from itself: %v", name, d)
		}
	}
	_, err := late.With(struct{}{}).Resume("x").Slice(ctx, db)
	var e *tablewright.Error
	if !errors.As(err, &e) || e.Pattern != "late" || e.Index != "Delay" {
		t.Errorf("%v", err)
	}
	func() {
		defer func() {
			if m := fmt.Sprint(recover()); !strings.Contains(m, "scan_pattern_test.go:") || !strings.Contains(m, "global index cannot be read consistently") {
				t.Error(m)
			}
		}()
		tablewright.NewPattern(table, "wrong", func(struct{}) tablewright.Scan[Parcel] { return declared.Delay.Scan().Consistent() })
	}()
}
