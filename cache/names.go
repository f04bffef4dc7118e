package cache

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
)

// place is a partition key of a table: what is forgotten together. table is its name at the service, partition the key's
// attribute in DynamoDB JSON; "" is all of the table.
type place struct{ table, partition string }

// names are the partition keys' attributes by table, learned from the requests that tell them: reads, and writes of single
// items. Of a table that is not here nothing is kept yet; but a read may be about to begin.
type names struct {
	known atomic.Pointer[map[string]string]
	mu    sync.Mutex
}

func (n *names) partition(table string) string {
	if known := n.known.Load(); known != nil {
		return (*known)[table]
	}
	return ""
}

// learn keeps the name of the one attribute of a partition key; it is false for what is none.
func (n *names) learn(table string, key []byte) bool {
	if n.partition(table) != "" {
		return true
	}
	it, err := attr.ParseItem(key)
	if err != nil || it.Len() != 1 {
		return false
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	with := map[string]string{}
	if known := n.known.Load(); known != nil {
		with = maps.Clone(*known)
	}
	with[table] = it.At(0).Name
	n.known.Store(&with)
	return true
}

// of is the place of an item, or of a key, of a table: all of the table if its partition key's name is not known, or the
// item has no such attribute.
func (n *names) of(table string, it attr.Item) place {
	name := n.partition(table)
	if name == "" {
		return place{table: table}
	}
	v := it.Get(name)
	if v.IsZero() {
		return place{table: table}
	}
	return place{table, string(attr.AppendItem(nil, attr.ItemOf(attr.Field{Name: name, Value: v})))}
}

// written are the places that a write concerns.
func (n *names) written(call *tablewright.Call) (places []place) {
	add := func(table string, it attr.Item) {
		if at := n.of(table, it); table != "" && !slices.Contains(places, at) {
			places = append(places, at)
		}
	}
	d := attr.NewDecoder(call.Request)
	switch call.Operation {
	case "BatchWriteItem":
		for member := range d.Fields("") {
			if string(member) != "RequestItems" {
				continue
			}
			for name := range d.Entries("") {
				table := string(name)
				for range d.Elems() {
					for range d.Fields("") { // PutRequest or DeleteRequest
						_, it := tableAndItem(d)
						add(table, it)
					}
				}
			}
		}
	case "TransactWriteItems":
		for member := range d.Fields("") {
			if string(member) != "TransactItems" {
				continue
			}
			for range d.Elems() {
				for range d.Fields("") { // Put, Update, Delete; a ConditionCheck writes nothing, but forgetting does no harm
					add(tableAndItem(d))
				}
			}
		}
	default:
		if call.Key == nil { // a request that somebody else made
			add(tableAndItem(d))
			break
		}
		if table := tableOf(call.Request); n.learn(table, call.Key) {
			it, _ := attr.ParseItem(call.Key)
			add(table, it)
		} else {
			add(table, attr.Item{})
		}
	}
	return places
}

// tableAndItem reads an object with a Key or Item, and a TableName where it has one.
func tableAndItem(d *attr.Decoder) (table string, it attr.Item) {
	for member := range d.Fields("") {
		switch string(member) {
		case "TableName":
			table = d.Text()
		case "Key", "Item":
			it, _ = d.Item()
		}
	}
	return table, it
}

// tableOf is the table of a request that has its name in front, as all of the client do.
func tableOf(request []byte) (table string) {
	d := attr.NewDecoder(request)
	for member := range d.Fields("") {
		if string(member) == "TableName" {
			return d.Text()
		}
	}
	return ""
}
