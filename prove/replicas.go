package prove

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"sync"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

// replicas is a hook that makes reads of tables as stale as the service's may be: a read that does not ask for consistency
// can be answered by a replica that has not seen the latest writes
// (docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.ReadConsistency.html). An engine in this process has one
// copy of everything, and its indexes alone lag. So the hook looks at every item before it is written, and until the lag
// is over answers half of such reads as they would have been answered then. It adds requests of its own and is therefore
// idle while capacity is measured, and wherever the clock is real.
type replicas struct {
	clock  Clock
	lag    time.Duration
	prefix string
	tables map[string]*plan.Schema // by the name that requests say
	on     bool

	mu     sync.Mutex
	before map[string]image // by table and key
}

// image is an item as it lay there before a write; nil: there was none.
type image struct {
	at   time.Time
	item json.RawMessage
}

func newReplicas(o Options, p *plan.Program) *replicas {
	r := &replicas{clock: o.Clock, lag: o.Lag, prefix: o.Prefix, tables: map[string]*plan.Schema{}, before: map[string]image{}}
	for _, t := range p.Tables {
		r.tables[o.Prefix+t.Name] = t
	}
	return r
}

// request is what the hook has to know of a request, of whatever operation.
type request struct {
	TableName            string
	IndexName            string
	ConsistentRead       bool
	ProjectionExpression string
	FilterExpression     string
	Key, Item            json.RawMessage
	TransactItems        []map[string]request
	RequestItems         json.RawMessage
}

func (r *replicas) hook(next tablewright.Transport) tablewright.Transport {
	return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
		if !r.on {
			return next.Do(ctx, c)
		}
		var q request
		if err := json.Unmarshal(c.Request, &q); err != nil {
			return next.Do(ctx, c)
		}
		switch c.Operation {
		case "GetItem", "Query":
			if err := next.Do(ctx, c); err != nil || q.ConsistentRead || q.IndexName != "" {
				return err
			}
			r.answer(c, q)
			return nil
		case "PutItem", "UpdateItem", "DeleteItem":
			return r.write(ctx, next, c, []request{q})
		case "TransactWriteItems":
			var all []request
			for _, action := range q.TransactItems {
				for verb, a := range action {
					if verb != "ConditionCheck" {
						all = append(all, a)
					}
				}
			}
			return r.write(ctx, next, c, all)
		}
		return next.Do(ctx, c)
	})
}

// write notes how items lie there, and writes.
func (r *replicas) write(ctx context.Context, next tablewright.Transport, c *tablewright.Call, all []request) error {
	images := map[string]image{}
	for _, q := range all {
		t := r.tables[q.TableName]
		from := q.Key
		if from == nil {
			from = q.Item
		}
		key, id, ok := keyOf(t, from)
		if !ok {
			continue
		}
		body, err := json.Marshal(map[string]any{"TableName": q.TableName, "Key": json.RawMessage(attr.AppendItem(nil, key)), "ConsistentRead": true})
		if err != nil {
			return err
		}
		look := &tablewright.Call{Operation: "GetItem", Table: t.Name, Request: body}
		if err := next.Do(ctx, look); err != nil {
			continue // it will be told to whoever writes
		}
		var found struct{ Item json.RawMessage }
		if err := json.Unmarshal(look.Response, &found); err != nil {
			return err
		}
		images[id] = image{r.clock.Now(), found.Item}
	}
	if err := next.Do(ctx, c); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, im := range images {
		r.before[id] = im
	}
	return nil
}

// keyOf is the key of an item, and a text that tells it from all others.
func keyOf(t *plan.Schema, raw json.RawMessage) (key attr.Item, id string, ok bool) {
	it, err := attr.ParseItem(raw)
	if t == nil || err != nil {
		return key, "", false
	}
	for _, w := range t.Base.Partition {
		key.Set(w.Name, it.Get(w.Name))
	}
	for _, w := range t.Base.Sort {
		key.Set(w.Name, it.Get(w.Name))
	}
	return key, t.Name + string(attr.AppendItem(nil, key)), true
}

// old is what a replica that lags behind answers for an item; false: none does.
func (r *replicas) old(t *plan.Schema, raw json.RawMessage) (json.RawMessage, bool) {
	_, id, ok := keyOf(t, raw)
	if !ok {
		return nil, false
	}
	r.mu.Lock()
	im, ok := r.before[id]
	r.mu.Unlock()
	if !ok || r.clock.Now().Sub(im.at) >= r.lag {
		return nil, false
	}
	h := fnv.New32a() // by what is read, and not in the order in which requests happen to arrive
	h.Write([]byte(id))
	h.Write([]byte(im.at.Format(time.RFC3339Nano)))
	return im.item, h.Sum32()%2 == 0
}

// answer replaces what a read has found by what a replica would have answered.
func (r *replicas) answer(c *tablewright.Call, q request) {
	t := r.tables[q.TableName]
	var body map[string]json.RawMessage
	if t == nil || json.Unmarshal(c.Response, &body) != nil {
		return
	}
	if c.Operation == "GetItem" {
		item, stale := r.old(t, q.Key)
		if !stale || item != nil && q.ProjectionExpression != "" {
			return
		}
		delete(body, "Item")
		if item != nil {
			body["Item"] = item
		}
	} else {
		var items, shown []json.RawMessage
		if json.Unmarshal(body["Items"], &items) != nil {
			return
		}
		for _, raw := range items {
			item, stale := r.old(t, raw)
			switch {
			case !stale || item != nil && q.ProjectionExpression+q.FilterExpression != "":
				shown = append(shown, raw)
			case item != nil:
				shown = append(shown, item)
			}
		}
		if shown == nil {
			shown = []json.RawMessage{}
		}
		body["Items"], _ = json.Marshal(shown)
		body["Count"], _ = json.Marshal(len(shown))
	}
	if changed, err := json.Marshal(body); err == nil {
		c.Response = changed
	}
}
