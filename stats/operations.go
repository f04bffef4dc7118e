package stats

import "sync"

// operations bounds how many different operations are told apart, and has their traffic, which all shards share.
type operations struct {
	mu    sync.Mutex
	known map[operationKey]*operationTraffic
	most  int
	hours int
}

// admit is the key under which an operation is counted.
func (o *operations) admit(key operationKey) operationKey {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.known[key] == nil && len(o.known) >= o.most {
		return operationKey{operation: others}
	}
	o.make(key)
	return key
}

func (o *operations) make(key operationKey) *operationTraffic {
	if o.known == nil {
		o.known = map[operationKey]*operationTraffic{}
	}
	t := o.known[key]
	if t == nil {
		t = &operationTraffic{key: key, call: kindOf(key.does())}
		t.hash = fast(placeHash(key.table, key.index), []byte(key.operation+key.as+"\x00"+key.pattern))
		t.traffic.keep = o.hours
		o.known[key] = t
	}
	return t
}

// traffic is that of an operation.
func (o *operations) traffic(key operationKey) *operationTraffic {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.make(key)
}
