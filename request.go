package tablewright

import "bytes"

// Request is what a call would send.
type Request struct {
	Operation string
	Body      []byte // JSON, with the table's declared name

	index string
}

// nowhere composes requests that are only shown.
var nowhere = New(nil, Options{})

func (c *Call) request() Request {
	return Request{Operation: c.Operation, Body: bytes.Clone(c.Request), index: c.Index}
}

func requestOf(w write) (Request, error) {
	c := newCall("")
	defer c.release()
	if _, err := nowhere.compose(c, w, returnNothing); err != nil {
		return Request{}, err
	}
	return c.request(), nil
}
