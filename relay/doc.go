// Package relay gives what GraphQL servers need of a database: connections as the Relay specification has them
// (relay.dev/graphql/connections.htm) from any typed query, and loaders that make of many gets a few requests. It depends on
// no GraphQL library, and serves resolvers of all.
//
//	func (r *customer) Orders(ctx context.Context, args struct{ First, Last *int32; After, Before *string }) (*orders, error) {
//		c, err := relay.Connect(ctx, r.db, Orders.ByCustomer.Of(r.id).Descending(), relay.Args{
//			First: args.First, After: args.After, Last: args.Last, Before: args.Before, Default: 20, Most: 100})
//		…
//	}
//
//	func (r *order) Customer(ctx context.Context) (*customer, error) {
//		c, err := r.loaders.customers.Load(ctx, r.CustomerID) // one request for all orders of the page
//		…
//	}
//
// # Connections
//
// Cursors are the client's own: opaque text, bound to their query (with Options.CursorKey sealed), and those of a query are the
// same whether it is paged forward or backward. A cursor of another query is tablewright.ErrCursor, wrong arguments are
// tablewright.ErrInvalid: both are the caller's mistake.
//
// HasNextPage with first, and HasPreviousPage with last, are exact. That costs: up to two items more than the page has are
// read, or, behind a filter, everything up to the next item that passes it (bound it with Query.Evaluate; it then may be
// true though nothing follows). The other of both is whether there is a cursor to come from, which costs nothing; the
// specification allows that.
//
// # Loaders
//
// A [Loader] belongs to one request of the server's: it keeps what it has read as long as it lives, so that a request sees each
// item once and the same everywhere. Loads that come within a moment of each other ([LoaderOptions].Wait) become one
// BatchGetItem, as soon as there are 100 of them at once; the same key is asked for once. A Load ends with its context; the
// request of a batch ends when nobody waits for it any more.
package relay
