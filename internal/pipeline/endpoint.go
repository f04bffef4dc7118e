package pipeline

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/prove"
)

// Endpoint is a service to prove on. Tables are made under a random prefix and deleted afterwards, whatever happens; no
// other table is touched.
type Endpoint struct {
	URL    string // "": AWS's own, as its configuration chain says
	Region string // "": as the chain says

	// Calls, Measured and Roots are as in [prove.Options]; fewer than it takes by itself save time and money.
	Calls, Measured, Roots int

	// MaxCost ends the proof once what it has consumed costs more, at Prices on demand; 0: no limit.
	MaxCost capacity.Money
	Prices  *capacity.Prices // nil: the embedded ones
}

// AWS reports whether the proof would run on AWS itself, where it costs money.
func (e *Endpoint) AWS() bool {
	u, err := url.Parse(e.URL)
	if err != nil || u.Hostname() == "" {
		return true
	}
	for _, domain := range []string{"amazonaws.com", "amazonaws.com.cn", "api.aws", "api.amazonwebservices.com.cn", "amazonaws.eu", "c2s.ic.gov", "sc2s.sgov.gov", "cloud.adc-e.uk", "csp.hci.ic.gov"} {
		if h := strings.ToLower(u.Hostname()); h == domain || strings.HasSuffix(h, "."+domain) {
			return true
		}
	}
	return false
}

// catchUp is how long the proof says indexes may lag on an endpoint: longer than any pause between two calls, so that
// the clock below can tell the waits that have to be real.
const catchUp = 5 * time.Second

func (e *Endpoint) prove(ctx context.Context, j *Job, o prove.Options) (*prove.Evidence, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	clock := &shifted{wait: catchUp}
	if e.AWS() {
		clock.settle = 2 * time.Second // indexes of the service usually follow within a fraction of a second
	}
	spent := &budget{limit: e.MaxCost, prices: e.Prices, exceeded: cancel}
	if spent.prices == nil {
		spent.prices = capacity.DefaultPrices()
	}
	o.Calls, o.Measured, o.Roots = e.Calls, e.Measured, e.Roots
	o.Clock, o.Lag, o.Prefix = clock, catchUp, "tablewright-proof-"+strings.ToLower(rand.Text())[:12]+"-"
	var db *tablewright.DB
	o.Open = func(to tablewright.Options) (*tablewright.DB, error) {
		to.Endpoint, to.Region = e.URL, e.Region
		to.Hooks = append(to.Hooks, spent.hook)
		var err error
		db, err = tablewright.Connect(ctx, to)
		return db, err
	}
	evidence, err := prove.Run(ctx, j.Program, o)
	if err != nil && db != nil {
		// A proof that did not come to its end may have left tables; their names are its own.
		if clean := tablewright.NewProgram(j.Program).DeleteTables(context.WithoutCancel(ctx), db); clean != nil {
			err = fmt.Errorf("%w; tables whose names begin with %s may be left: %w", err, o.Prefix, clean)
		}
	}
	if cause := context.Cause(ctx); cause != nil && err != nil {
		err = fmt.Errorf("%w (%w)", cause, err)
	}
	return evidence, err
}

// shifted is a clock for proofs on an endpoint. It stands still between two pauses, so that what the oracle and the
// client take for the time of a call is the same time. Short pauses only move it ahead of the real time, so that
// generated times spread without anybody waiting, and so that what expires in the proof has not expired for the service;
// a pause of at least wait is one in which indexes are to catch up, and takes settle.
type shifted struct {
	wait, settle time.Duration
	mu           sync.Mutex
	now          time.Time     // as of the last pause
	ahead        time.Duration // of the real time
}

func (c *shifted) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.now.IsZero() {
		c.now = time.Now()
	}
	return c.now
}

func (c *shifted) Advance(d time.Duration) {
	if d >= c.wait {
		time.Sleep(min(c.settle, d))
		d -= min(c.settle, d)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += d
	c.now = time.Now().Add(c.ahead)
}

// Sleep waits in real time: it is asked for between repetitions of a request.
func (c *shifted) Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// budget adds up what all requests consume, and ends the proof when it costs too much.
type budget struct {
	limit    capacity.Money
	prices   *capacity.Prices
	exceeded context.CancelCauseFunc
	mu       sync.Mutex
	read     capacity.ReadUnits
	write    capacity.WriteUnits
	largest  capacity.WriteUnits // of one request
}

func (b *budget) hook(next tablewright.Transport) tablewright.Transport {
	if b.limit <= 0 {
		return next
	}
	return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
		c.Measure = c.Measure || measurable[c.Operation]
		err := next.Do(ctx, c)
		b.mu.Lock()
		defer b.mu.Unlock()
		b.read += c.Read
		b.write += c.Write
		switch {
		case !changing[c.Operation]:
		case err == nil:
			b.largest = max(b.largest, c.Write)
		default:
			// What a condition refuses consumes write units all the same, by the size of the item that is there or would be
			// (read-write-operations), and its answer does not say how many: as many as the largest write so far, and no
			// fewer than one for 128 bytes of the request, which is more than eight times what its items take.
			b.write += max(b.largest, capacity.WriteUnits(1+len(c.Request)/128))
		}
		if cost := b.cost(); cost > b.limit {
			b.exceeded(fmt.Errorf("the proof has cost %s, more than the limit of %s", cost, b.limit))
		}
		return err
	})
}

// cost is what the units consumed so far cost on demand. A tariff prices units per second over a month.
func (b *budget) cost() capacity.Money {
	t := b.prices.Tariff(capacity.Standard, capacity.OnDemand)
	month := b.prices.Seconds()
	return t.Reads(b.read/capacity.ReadUnits(month)) + t.Writes(b.write/capacity.WriteUnits(month))
}

// measurable are the operations that can be asked for what they consume.
var measurable = map[string]bool{
	"GetItem": true, "PutItem": true, "UpdateItem": true, "DeleteItem": true, "Query": true, "Scan": true,
	"BatchGetItem": true, "BatchWriteItem": true, "TransactGetItems": true, "TransactWriteItems": true,
}

// changing are the operations that consume write units also where a condition refuses them.
var changing = map[string]bool{"PutItem": true, "UpdateItem": true, "DeleteItem": true, "TransactWriteItems": true}
