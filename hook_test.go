package tablewright_test

import (
	"context"

	"github.com/tablewright/tablewright"
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
