package keysinuse

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/tablewrighttest"
)

// Reading is a measurement: a day of a sensor is a partition, an hour of all of them, in shards, another.
type Reading struct {
	Sensor string    `ddb:"sensorId"`
	At     time.Time `ddb:"at,iso"`
	Value  float64   `ddb:"value"`
}

type ReadingKey struct {
	Sensor string
	At     time.Time
}

type readings struct {
	tablewright.Entity[ReadingKey, Reading]
	Value    tablewright.Number[Reading, float64]
	OfSensor tablewright.Index1[Reading, ReadingKey, time.Time] `index:"Readings"`
	Hourly   tablewright.Index1[Reading, time.Time, float64]
}

func readingsTable() (*tablewright.Table, *readings) {
	t := tablewright.NewTable(plan.Table{Name: "Readings", Key: plan.Key{Partition: "PK", Sort: "SK"},
		GSI: map[string]plan.Index{"Hourly": {Partition: []string{"hour", "part"}, Sort: []string{"value"}}}})
	return t, tablewright.Declare[readings](t, plan.Item{Name: "Reading", Key: m{"PK": "{sensorId}#{at:day}", "SK": "{at:iso}"},
		Set:   map[string]plan.Template{"hour": {Value: "{at:hour}"}, "part": {Value: "{shard}"}},
		Shard: &plan.Shard{Of: 3, By: "sensorId"}})
}

// Buckets are read one behind the other until a page is full, in both directions, cut anywhere, and exactly within the
// range where the order of the index allows it.
func TestAcrossBuckets(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	table, readings := readingsTable()
	kit := tablewrighttest.Start(t, table)
	ctx, db := t.Context(), kit.DB
	var all []Reading
	for i := range 200 {
		at := noon.Add(time.Duration(r.IntN(6*24*60)) * time.Minute)
		if i%5 == 0 {
			at = at.Truncate(24 * time.Hour) // on the border of a bucket
		}
		v := Reading{fmt.Sprint("s", r.IntN(3)), at, float64(i)}
		if !slices.ContainsFunc(all, func(o Reading) bool { return o.Sensor == v.Sensor && o.At.Equal(v.At) }) {
			all = append(all, v)
		}
	}
	if err := readings.PutAll(slices.Values(all)).Run(ctx, db); err != nil {
		t.Fatal(err)
	}
	for range 15 {
		from := noon.Add(time.Duration(r.IntN(7*24)-12) * time.Hour)
		to := from.Add(time.Duration(r.IntN(20)) * time.Hour)
		sensor := fmt.Sprint("s", r.IntN(3))
		q := readings.OfSensor.Across(ReadingKey{sensor, from}, ReadingKey{sensor, to}).Query
		in := func(v Reading) bool { return v.Sensor == sensor && !v.At.Before(from) && !v.At.After(to) }
		order := func(a, b Reading) int { return a.At.Compare(b.At) }
		switch r.IntN(3) {
		case 0: // of all sensors, by value within each hour
			q = readings.Hourly.Across(from, to).Query
			in = func(v Reading) bool {
				return !v.At.Before(from.Truncate(time.Hour)) && v.At.Before(to.Truncate(time.Hour).Add(time.Hour))
			}
			order = func(a, b Reading) int {
				if c := a.At.Truncate(time.Hour).Compare(b.At.Truncate(time.Hour)); c != 0 {
					return c
				}
				return cmp.Compare(a.Value, b.Value)
			}
		case 1: // narrowed by what follows
			q = readings.Hourly.Across(from, to).Before(50)
			in = func(v Reading) bool {
				return !v.At.Before(from.Truncate(time.Hour)) && v.At.Before(to.Truncate(time.Hour).Add(time.Hour)) && v.Value < 50
			}
			order = func(a, b Reading) int {
				return cmp.Or(a.At.Truncate(time.Hour).Compare(b.At.Truncate(time.Hour)), cmp.Compare(a.Value, b.Value))
			}
		}
		if r.IntN(2) == 0 {
			q = q.Descending()
			up := order
			order = func(a, b Reading) int { return up(b, a) }
		}
		if r.IntN(4) == 0 {
			q = q.Evaluate(3 + r.IntN(9))
		}
		want := slices.DeleteFunc(slices.Clone(all), func(v Reading) bool { return !in(v) })
		slices.SortFunc(want, order)
		got, err := q.Slice(ctx, db)
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("%s to %s: %v, %v\nwant %v", from, to, got, err, want)
		}
		if got := cut(t, r, q, db); !slices.Equal(got, want) {
			t.Fatalf("cut: %v\nwant %v", got, want)
		}
		if got, ok := backward(t, r, q, db); ok && !slices.Equal(got, want) {
			t.Fatalf("backward: %v\nwant %v", got, want)
		}
		if n, err := q.Count(ctx, db); err != nil || n != len(want) {
			t.Fatalf("counted %d, %v, want %d", n, err, len(want))
		}
	}
	// The page ends the reading: no bucket behind it is asked for.
	kit.Reset()
	from := noon.Add(24 * time.Hour)
	page, err := readings.OfSensor.Across(ReadingKey{"s1", from}, ReadingKey{"s1", from.AddDate(1, 0, 0)}).Page(ctx, db, 5)
	if n := kit.Count(tablewrighttest.Calls{Operation: "Query"}); err != nil || len(page.Items) != 5 || n.Requests > 3 {
		t.Errorf("%d items with %+v, %v", len(page.Items), n, err)
	}
	other := readings.OfSensor.Across(ReadingKey{"s1", from}, ReadingKey{"s1", from.AddDate(1, 0, 1)})
	if _, err := other.Resume(page.Next).Page(ctx, db, 5); !errors.Is(err, tablewright.ErrCursor) {
		t.Errorf("the cursor of another range: %v", err)
	}
}

func TestAcrossRefused(t *testing.T) {
	_, votes := poll(3)
	_, readings := readingsTable()
	for want, f := range map[string]func() error{
		"no part of the partition of ByTime is": func() error { _, err := votes.ByTime.Across("a", "b").Request(); return err },
		"the lower bound is above the upper":    func() error { _, err := readings.Hourly.Across(noon, noon.Add(-time.Hour)).Request(); return err },
		"spans more than 10000 buckets":         func() error { _, err := readings.Hourly.Across(noon, noon.AddDate(5, 0, 0)).Request(); return err },
		"sensorId differs in both ends": func() error {
			_, err := readings.OfSensor.Across(ReadingKey{"a", noon}, ReadingKey{"b", noon}).Request()
			return err
		},
	} {
		if err := f(); !errors.Is(err, tablewright.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: want %s", err, want)
		}
	}
}
