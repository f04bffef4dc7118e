package tablewright

import "sync/atomic"

// Handling counts what becomes of errors, for hooks that watch them: see Call.Follow. Both are sums of weights.
type Handling struct {
	// Surfaced are errors that whoever made the call was given.
	Surfaced atomic.Int64
	// Asked are those of them that somebody asked what they are, however often: errors.Is found their kind or the error given
	// with Else, errors.As the service's *wire.Error or what Else gave, or Refused the item that made the condition fail.
	Asked atomic.Int64
}

// Follow has the client count in h, with a weight, what becomes of the error that this call ends with. A hook asks for it once Do
// has returned an error, before it returns itself; of several hooks the one next to the service is heard.
//
// Only a condition that failed is followed, of a single PutItem, UpdateItem or DeleteItem that the client made of a declared kind
// of items, and only until the error is asked about for the first time, which may be at any time, by any goroutine: h must not be
// used for anything else, and stays in use as long as the error does. Failures that the client itself deals with, as Edit does by
// reading again, count as asked about. Not followed are errors of transactions (*TxError) and of a Program's writes (*Refused), whose
// reasons can be read without asking, errors that are also ErrUnknownOutcome, and calls that this package did not make.
//
// To print an error is not to ask, nor are questions that it answers with no, such as for context.Canceled, and errors.As to *Error,
// which says where an error is from and not what it is. Somebody who handles an error by its text alone is therefore not noticed.
func (c *Call) Follow(h *Handling, weight int64) {
	if c.handling == nil {
		c.handling, c.weight = h, weight
	}
}

// follow begins to count what becomes of e, if a hook wants to know.
func (e *Error) follow(c *Call) {
	if c.handling != nil && !e.is(ErrUnknownOutcome) {
		e.followed = &followed{in: c.handling, weight: c.weight}
		c.handling.Surfaced.Add(c.weight)
	}
}

// followed is an error of which a hook wants to know whether it is handled.
type followed struct {
	in     *Handling
	weight int64
	asked  atomic.Bool
}

// ask says that somebody learned what the error is.
func (f *followed) ask() {
	if f != nil && !f.asked.Swap(true) {
		f.in.Asked.Add(f.weight)
	}
}
