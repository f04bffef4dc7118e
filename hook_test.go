package tablewright_test

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/wire"
)

// count counts requests.
func count(n *int) tablewright.Hook {
	return func(next tablewright.Transport) tablewright.Transport {
		return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
			*n++
			return next.Do(ctx, c)
		})
	}
}

// weather makes requests fail now and then: throttled, connections lost before and after the request was carried out.
func weather(seed uint64) tablewright.Hook {
	var mu sync.Mutex
	r := rand.New(rand.NewPCG(seed, 0))
	chance := func() float64 { mu.Lock(); defer mu.Unlock(); return r.Float64() }
	return func(next tablewright.Transport) tablewright.Transport {
		return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
			switch p := chance(); {
			case p < 0.1:
				return wire.NewError(wire.CodeThroughputExceeded, "slow down")
			case p < 0.15:
				return io.ErrUnexpectedEOF
			case p < 0.2:
				if err := next.Do(ctx, c); err != nil {
					return err
				}
				return io.ErrUnexpectedEOF
			}
			return next.Do(ctx, c)
		})
	}
}

// when puts a hook in only while on is set.
func when(on *atomic.Bool, h tablewright.Hook) tablewright.Hook {
	return func(next tablewright.Transport) tablewright.Transport {
		with := h(next)
		return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
			if on.Load() {
				return with.Do(ctx, c)
			}
			return next.Do(ctx, c)
		})
	}
}

// unprocessed leaves a part of every larger BatchWriteItem unprocessed.
func unprocessed(next tablewright.Transport) tablewright.Transport {
	return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
		const split = `},{"PutRequest"`
		i := bytes.LastIndex(c.Request, []byte(split))
		if c.Operation != "BatchWriteItem" || i < 0 {
			return next.Do(ctx, c)
		}
		whole := c.Request
		head := whole[:bytes.IndexByte(whole, '[')+1] // {"RequestItems":{"T":[
		left := append(bytes.Clone(head), whole[i+2:]...)
		c.Request = append(bytes.Clone(whole[:i+1]), "]}}"...)
		err := next.Do(ctx, c)
		c.Request = whole
		if err != nil {
			return err
		}
		c.Response = append([]byte(`{"UnprocessedItems":`), left[len(`{"RequestItems":`):]...)
		return nil
	})
}
