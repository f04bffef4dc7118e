package tablewright_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/wire"
)

// storm is a bad day: of the writes of each BatchWriteItem a tenth is left unprocessed, and requests are throttled or lose
// their connections before or after they were carried out.
func storm(seed uint64) tablewright.Hook {
	var mu sync.Mutex
	r := rand.New(rand.NewPCG(seed, 1))
	return func(next tablewright.Transport) tablewright.Transport {
		return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
			mu.Lock()
			what, pick := r.Float64(), rand.New(rand.NewPCG(r.Uint64(), 2))
			mu.Unlock()
			switch {
			case what < 0.10:
				return wire.NewError(wire.CodeThroughputExceeded, "slow down")
			case what < 0.13:
				return io.ErrUnexpectedEOF // on the way there
			}
			whole := c.Request
			var left []byte
			if c.Operation == "BatchWriteItem" {
				c.Request, left = split(whole, pick)
			}
			err := next.Do(ctx, c)
			c.Request = whole
			switch {
			case err != nil:
				return err
			case what > 0.97:
				return io.ErrUnexpectedEOF // on the way back
			case left != nil:
				c.Response = append(append([]byte(`{"UnprocessedItems":`), left...), '}')
			}
			return nil
		})
	}
}

// split takes a tenth of the writes out of a request, at least one if there are several.
func split(request []byte, r *rand.Rand) (rest, left []byte) {
	var body struct {
		RequestItems map[string][]json.RawMessage
	}
	if err := json.Unmarshal(request, &body); err != nil {
		panic(err)
	}
	out := map[string][]json.RawMessage{}
	for table, writes := range body.RequestItems {
		r.Shuffle(len(writes), func(i, j int) { writes[i], writes[j] = writes[j], writes[i] })
		n := (len(writes) + r.IntN(10)) / 10
		if n == len(writes) {
			return request, nil
		}
		if n > 0 {
			out[table], body.RequestItems[table] = writes[:n], writes[n:]
		}
	}
	if len(out) == 0 {
		return request, nil
	}
	rest, _ = json.Marshal(body)
	left, _ = json.Marshal(out)
	return bytes.Clone(rest), left
}

// Ten thousand items in a storm: every one is written, or not, exactly as the batch says.
func TestBatchInStorm(t *testing.T) {
	const n = 10_000
	for name, retry := range map[string]tablewright.Retry{
		"patient":   {Attempts: 100, Budget: 1 << 40},
		"impatient": {Attempts: 2},
		"adaptive":  {Attempts: 3, Adaptive: true},
	} {
		t.Run(name, func(t *testing.T) {
			base := open(t, tablewright.Options{}, Shop)
			ctx := t.Context()
			way := storm(uint64(len(name)))
			db := tablewright.New(way(baseTransport(base)), tablewright.Options{Retry: retry, Clock: newClock()})
			items := make([]Customer, n)
			for i := range items {
				items[i] = Customer{ID: CustomerID(fmt.Sprint("c", i)), Name: fmt.Sprint("n", i)}
			}
			items[1234].ID = "" // one that cannot be written at all
			err := Customers.PutAll(slices.Values(items)).Parallel(8).Run(ctx, db)
			failed := map[int]error{}
			var part *tablewright.BatchError
			if !errors.As(err, &part) {
				t.Fatal(err)
			}
			for _, f := range part.Failed {
				if failed[f.Index] != nil {
					t.Errorf("item %d is reported twice", f.Index)
				}
				failed[f.Index] = f.Err
			}
			if part.Done+len(failed) != n || name == "patient" && len(failed) != 1 || name == "impatient" && len(failed) < 100 {
				t.Errorf("%d done, %d failed", part.Done, len(failed))
			}
			keys := make([]CustomerID, n)
			for i := range items {
				if keys[i] = items[i].ID; i == 1234 {
					keys[i] = "none"
				}
			}
			found := must[[]tablewright.Found[Customer]](t)(Customers.GetAll(keys).Run(ctx, base))
			unknown := 0
			for i, f := range found {
				err := failed[i]
				switch {
				case err == nil && (!f.OK || f.Item.Name != items[i].Name):
					t.Fatalf("item %d is reported as done and is %+v", i, f)
				case errors.Is(err, tablewright.ErrUnknownOutcome):
					unknown++
				case err != nil && f.OK:
					t.Fatalf("item %d is there and is reported as failed: %v", i, err)
				}
			}
			t.Logf("%d done, %d failed, of these %d with an unknown outcome", part.Done, len(failed), unknown)
			// And reading them in the same storm.
			again, err := Customers.GetAll(keys).Run(ctx, db.WithRetry(tablewright.Retry{Attempts: 100, Budget: 1 << 40}))
			if err != nil || !slices.Equal(again, found) {
				t.Errorf("read in the storm: %v", err)
			}
		})
	}
}

// baseTransport is the way of another DB.
func baseTransport(db *tablewright.DB) tablewright.Transport { return db.Transport() }
