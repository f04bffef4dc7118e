package rules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/stats"
)

// throttleKind is what was at its limit when calls were throttled.
type throttleKind string

const (
	provisionedLimit throttleKind = "provisioned" // what is provisioned for the table or index
	maximumLimit     throttleKind = "maximum"     // the bound that its owner gave a table on demand
	accountLimit     throttleKind = "account"     // the account's quota
	rangeLimit       throttleKind = "range"       // a range of keys: one hot key, or a table on demand that grows
	unknownLimit     throttleKind = "unknown"     // the service told no reason
)

// throttles are the calls that were throttled at one table or index for one reason.
type throttles struct {
	table, index string
	kind         throttleKind
	writes       bool
	refused      float64 // calls, each try for itself
	calls        float64 // of the operations that met it
	operations   []*stats.Operation
	reasons      []string
}

// throttling is all throttling, by table, index, reason, and whether it was reads or writes. Reasons name the table as the service
// knows it; what is known of the operation says which declared one that is.
func (in *Input) throttling() (all []*throttles) {
	find := func(t throttles) *throttles {
		for _, x := range all {
			if x.table == t.table && x.index == t.index && x.kind == t.kind && x.writes == t.writes {
				return x
			}
		}
		all = append(all, &t)
		return &t
	}
	for _, o := range in.Stats.Operations {
		for text, n := range o.Throttling {
			reason, resource, _ := strings.Cut(text, " ")
			x := find(throttles{table: in.tableOf(o, resource), index: indexOf(o, reason, resource), kind: kindOf(reason), writes: strings.Contains(reason, "Write") || kindOf(reason) == unknownLimit && writes(o)})
			x.refused += n
			if !slices.Contains(x.operations, o) {
				x.operations = append(x.operations, o)
				x.calls += o.Calls
			}
			if !slices.Contains(x.reasons, reason) {
				x.reasons = append(x.reasons, reason)
			}
		}
	}
	for _, x := range all {
		slices.Sort(x.reasons)
	}
	slices.SortFunc(all, func(a, b *throttles) int {
		return cmp.Or(cmp.Compare(a.table, b.table), cmp.Compare(a.index, b.index), cmp.Compare(a.kind, b.kind), cmp.Compare(b.refused, a.refused))
	})
	return all
}

func kindOf(reason string) throttleKind {
	for suffix, kind := range map[string]throttleKind{"MaxOnDemandThroughputExceeded": maximumLimit, "ProvisionedThroughputExceeded": provisionedLimit,
		"AccountLimitExceeded": accountLimit, "KeyRangeThroughputExceeded": rangeLimit} {
		if strings.HasSuffix(reason, suffix) {
			return kind
		}
	}
	return unknownLimit
}

// tableOf is the declared name of the table that was at its limit.
func (in *Input) tableOf(o *stats.Operation, resource string) string {
	if o.Table != "" {
		return o.Table
	}
	best := ""
	for _, a := range o.Arms { // a batch or transaction: the resource's, or the one it has
		if a.Index == "" && (best == "" || a.Table == resource || strings.HasPrefix(resource, a.Table+".")) {
			best = a.Table
		}
	}
	return cmp.Or(best, resource)
}

func indexOf(o *stats.Operation, reason, resource string) string {
	switch {
	case strings.HasPrefix(reason, "Index"):
		return resource[strings.LastIndexByte(resource, '.')+1:]
	case kindOf(reason) == unknownLimit:
		return o.Index
	}
	return ""
}

// cause names what is behind throttling, so that all that is seen of it becomes one recommendation.
func (x *throttles) cause(in *Input) string {
	switch x.kind {
	case accountLimit:
		return cause(ofProgram, "quota")
	case maximumLimit:
		return cause(ofTable, x.table, "maximum")
	case rangeLimit:
		for _, hot := range in.hotKeys(x.index != "") {
			if k := hot[0].key; k.Table == x.table && k.Index == x.index {
				return cause(ofKey, k.Table, k.Index, keyName(k))
			}
		}
		if c := in.consumed(x.table, x.index); x.index != "" && c != nil {
			if h, _, ok := in.guessHot(c); ok {
				return cause(ofKey, x.table, x.index, keyName(h.key))
			}
		}
		if !in.table(x.table).provisioned() {
			return cause(ofTable, x.table, "warm")
		}
	case unknownLimit:
		if !in.table(x.table).provisioned() {
			return cause(ofTable, x.table, "warm")
		}
	}
	return cause(ofTable, x.table, "capacity")
}

// burst is the busiest minute of the calls that were throttled at a place: how many, at least, and of how many.
func (in *Input) burst(x *throttles) (refused, calls float64) {
	minutes := map[int64]float64{}
	for i := range in.Stats.Throttled.List {
		if k := &in.Stats.Throttled.List[i]; k.Table == x.table && (x.index == "" || k.Index == x.index || k.Index == "") {
			minutes[k.PeakMinute] += k.Peak
		}
	}
	at := int64(0)
	for minute, n := range minutes {
		if n > refused || n == refused && minute < at {
			refused, at = n, minute
		}
	}
	for _, o := range x.operations {
		for when, m := range o.Traffic.All() {
			if when.Unix()/60 == at {
				calls += m.Calls
			}
		}
	}
	return refused, calls
}
