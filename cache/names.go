package cache

import (
	"maps"
	"sync"
	"sync/atomic"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
)

// place is a partition key of a table: what is forgotten together. table is its name at the service, partition the key's
// attribute in DynamoDB JSON.
type place struct{ table, partition string }

// names are the partition keys' attributes by table, learned from the reads that were kept: a table that is not here has
// nothing that a write could make untrue.
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

// written are the places that a write concerns and of which something may be kept.
func (n *names) written(call *tablewright.Call) (places []place) {
	if n.known.Load() == nil {
		return nil
	}
	add := func(table string, it attr.Item) {
		name := n.partition(table)
		if v := it.Get(name); name != "" && !v.IsZero() {
			at := place{table, string(attr.AppendItem(nil, attr.ItemOf(attr.Field{Name: name, Value: v})))}
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
		add(tableAndItem(d))
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
