package wire

// LimitsOutput is the answer of DescribeLimits.
type LimitsOutput struct {
	AccountRead  int64 `json:"AccountMaxReadCapacityUnits"`
	AccountWrite int64 `json:"AccountMaxWriteCapacityUnits"`
	TableRead    int64 `json:"TableMaxReadCapacityUnits"`
	TableWrite   int64 `json:"TableMaxWriteCapacityUnits"`
}

// Append appends the answer's JSON to dst.
func (out *LimitsOutput) Append(dst []byte) []byte { return appendJSON(dst, out) }

// EndpointsOutput is the answer of DescribeEndpoints.
type EndpointsOutput struct {
	Endpoints []Endpoint `json:"Endpoints"`
}

// Endpoint is where to send requests, and for how long to remember it.
type Endpoint struct {
	Address string `json:"Address"`
	Minutes int64  `json:"CachePeriodInMinutes"`
}

// Append appends the answer's JSON to dst.
func (out *EndpointsOutput) Append(dst []byte) []byte { return appendJSON(dst, out) }

// DecodeEmpty reads a request without members; class is the structure's name. The error is an *Error.
func DecodeEmpty(body []byte, class string) error {
	r := read(body)
	for range r.Fields(class) {
	}
	return r.finish(nil)
}
