package doctor

import (
	"math"

	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/stats"
)

// measured is what a pattern did; NaN is not known.
type measured struct {
	calls         float64
	estimated     string
	average, peak float64
	items, bytes  float64 // of one call
	read, write   float64
	reads, writes map[string]float64 // read and write units of one call by place
	computed      bool               // the service did not tell most of them: they are the least that it can have been
	mostItems     int
}

// measure adds up what the operations of a pattern did.
func (c *comparer) measure(proc *plan.Procedure, all []*stats.Operation) measured {
	m := measured{items: math.NaN(), bytes: math.NaN(), reads: map[string]float64{}, writes: map[string]float64{}}
	if len(all) == 0 {
		return m
	}
	count := callsOf(proc, all)
	m.calls, m.estimated = count.calls, count.estimated
	if c.seconds > 0 {
		m.average = m.calls / c.seconds
	}
	if m.calls == 0 {
		return m
	}
	m.peak = max(count.of.Traffic.Peak().Calls*m.calls/count.of.Calls, m.average) // a minute that was not seen whole is not quieter

	var computed, items, bytes float64
	whole := true // bytes are known of all that is read or written
	for _, o := range all {
		m.read += o.Read / m.calls
		m.write += o.Write / m.calls
		computed += o.ComputedRead + o.ComputedWrite
		read, write := arms(o)
		for where, n := range read {
			m.reads[where] += n / m.calls
		}
		for where, n := range write {
			m.writes[where] += n / m.calls
		}
		switch {
		case reads(o.Operation):
			items += o.Items
		case o.Parts > 0:
			items += o.Parts
		default:
			items += o.Calls - o.Retries
		}
		m.mostItems = max(m.mostItems, o.MostItems)
		switch {
		case o.Operation == "UpdateItem" || o.Operation == "DeleteItem" || o.Operation == "TransactWriteItems" || o.Counted > 0 || o.Projected > 0:
			whole = false // what is stored there was not seen
		case o.Detailed > 0:
			var seen float64
			for _, a := range o.Attributes {
				seen += a.Bytes
			}
			bytes += seen / o.Detailed * o.Calls
		default:
			whole = false
		}
	}
	m.items = items / m.calls
	if whole {
		m.bytes = bytes / m.calls
	}
	m.computed = computed > 0.1*(m.read+m.write)*m.calls
	return m
}

// arms is what an operation consumed, by Table and Table.Index.
func arms(o *stats.Operation) (read, write map[string]float64) {
	read, write = map[string]float64{}, map[string]float64{}
	if len(o.Arms) == 0 { // of a program that did not tell them apart yet
		if o.Read > 0 {
			read[placeName(o.Table, o.Index)] = o.Read
		}
		if o.Write > 0 {
			write[placeName(o.Table, "")] = o.Write
		}
		return read, write
	}
	for _, a := range o.Arms {
		if a.Read > 0 {
			read[placeName(a.Table, a.Index)] += a.Read
		}
		if a.Write > 0 {
			write[placeName(a.Table, a.Index)] += a.Write
		}
	}
	return read, write
}

func placeName(table, index string) string {
	if index == "" {
		return table
	}
	return table + "." + index
}

// counted is how many calls of a pattern there were, and the operation that tells.
type counted struct {
	of        *stats.Operation
	calls     float64
	estimated string
}

// callsOf tells from the requests of a pattern how often it was called.
func callsOf(proc *plan.Procedure, all []*stats.Operation) counted {
	steps := stepsOf(proc)
	var best counted
	for _, o := range all {
		n, known := steps[stepKey(o.Operation, o.Table, o.Index)]
		if !known || !n.sure {
			continue
		}
		once := o.Calls - o.Retries
		if !n.paged {
			once -= o.Resumed
		}
		if calls := once / n.times; best.of == nil || calls > best.calls {
			best = counted{of: o, calls: calls}
		}
	}
	if best.of != nil {
		return best
	}
	for _, o := range all {
		calls := o.Calls - o.Retries
		if n, known := steps[stepKey(o.Operation, o.Table, o.Index)]; !known || !n.paged {
			calls -= o.Resumed
		}
		if best.of == nil || calls > best.calls {
			best = counted{o, calls, "no step of its plan runs once in each call: these are its requests of " + o.Operation}
		}
	}
	if len(steps) > 0 && !meets(steps, all) {
		best.estimated = "it is served by other requests than those of its plan: these are its requests of " + best.of.Operation
	}
	return best
}

func meets(steps map[string]*requests, all []*stats.Operation) bool {
	for _, o := range all {
		if steps[stepKey(o.Operation, o.Table, o.Index)] != nil {
			return true
		}
	}
	return false
}

// requests are those of one operation on one table or index that a call of a pattern sends.
type requests struct {
	times float64 // in each call
	sure  bool    // so often in every call
	paged bool    // of a step whose pages are calls of the pattern
}

// stepKey names an operation and where it works. Transactions and batches may be on several tables: there can be one of them
// only for this to matter.
func stepKey(operation, table, index string) string {
	switch operation {
	case "TransactWriteItems", "TransactGetItems", "BatchWriteItem":
		return operation
	}
	return operation + " " + placeName(table, index)
}

var operations = map[plan.Verb]string{
	plan.Get: "GetItem", plan.BatchGet: "BatchGetItem", plan.Query: "Query", plan.Scan: "Scan", plan.Put: "PutItem", plan.Update: "UpdateItem",
	plan.Delete: "DeleteItem", plan.Transact: "TransactWriteItems", plan.TransactGet: "TransactGetItems", plan.BatchWrite: "BatchWriteItem",
}

// stepsOf are the requests of a plan.
func stepsOf(proc *plan.Procedure) map[string]*requests {
	out := map[string]*requests{}
	for _, s := range proc.Stages {
		key := stageKey(s)
		r := out[key]
		if r == nil {
			r = &requests{sure: true}
			out[key] = r
		}
		times := 1.0
		if s.Scatter > 0 {
			times = float64(s.Scatter)
		}
		r.times += times
		// A step that needs another one may have nothing to do; one for each element, bucket or part of a batch has as much to
		// do as there are.
		r.sure = r.sure && s.Each == nil && s.Scatter >= 0 && len(s.Needs) == 0 && s.Verb != plan.BatchGet && s.Verb != plan.BatchWrite
		r.paged = r.paged || s == proc.Cursor
	}
	return out
}

func stageKey(s *plan.Stage) string {
	operation := operations[s.Verb]
	switch {
	case s.Access != nil && (s.Verb == plan.Query || s.Verb == plan.Scan):
		return stepKey(operation, s.Access.Table.Name, s.Access.Index)
	case s.Kind != nil:
		return stepKey(operation, s.Kind.Table.Name, "")
	}
	return stepKey(operation, "", "")
}
