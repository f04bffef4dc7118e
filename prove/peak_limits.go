package prove

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/wire"
)

// Throttled is what DynamoDB's limits let pass with all access patterns at their peak rates at once; see [Throttle].
type Throttled struct {
	Settle   float64       `json:"settle"`  // seconds of load before it counted
	Time     float64       `json:"time"`    // seconds that counted
	Allowed  float64       `json:"allowed"` // share of a pattern's calls that may be throttled
	Within   bool          `json:"within"`  // no pattern has more
	Patterns []PeakPattern `json:"patterns"`
	Places   []PeakPlace   `json:"places"`
	Limits   []LimitMet    `json:"limits"` // what refused requests, the worst first
}

// PeakPattern is how an access pattern fares at its peak.
type PeakPattern struct {
	Name      string  `json:"name"`
	Rate      float64 `json:"rate"`      // calls per second
	Throttled float64 `json:"throttled"` // share of its calls
	Settling  float64 `json:"settling"`  // the same before it counted
	Within    bool    `json:"within"`
}

// PeakPlace is what a table, with its local indexes, or a global index is asked for at peak.
type PeakPlace struct {
	Where      string  `json:"where"`
	Read       float64 `json:"read"` // units per second
	Write      float64 `json:"write"`
	Partitions int     `json:"partitions"` // at the end
}

// LimitMet is a limit that refused requests, and what is to be done about it.
type LimitMet struct {
	Where     string   `json:"where"`  // Table or Table.Index
	Reason    string   `json:"reason"` // as ThrottlingReasons says it, such as TableWriteKeyRangeThroughputExceeded
	Patterns  []string `json:"patterns"`
	Asked     float64  `json:"asked"`         // units per second of all patterns there
	Admitted  float64  `json:"admitted"`      // of these
	Throttled float64  `json:"throttled"`     // share of what was asked
	Key       *HotKey  `json:"key,omitempty"` // on which most was refused, if it is hot; nil: there are many, none of which matters
	Remedy    string   `json:"remedy"`
}

// HotKey is one partition key, in the words of the model: its template, and whose it is.
type HotKey struct {
	Template string  `json:"template"`        // such as CUSTOMER#{customerId}
	Of       string  `json:"of"`              // an entity, or the attributes that make the key
	Says     string  `json:"says,omitempty"`  // what of it is the same in all calls: of what is written now
	Rank     int64   `json:"rank"`            // 1: the hottest of them
	Among    int64   `json:"among"`           // how many there are
	Shard    int64   `json:"shard,omitempty"` // of a sharded key
	Asked    float64 `json:"asked"`           // units per second
	Limit    float64 `json:"limit"`           // of a partition
}

// String is the key for people: PK = ALL (the one key of Post), customerId = {customerId} (the hottest Customer of 500,000).
func (k HotKey) String() string {
	which := "the hottest"
	if k.Rank > 1 {
		which = fmt.Sprintf("number %s of the hottest", show.Number(float64(k.Rank)))
	}
	if k.Says != "" {
		return fmt.Sprintf("%s (that %s, %s)", k.Template, k.Says, k.Of)
	}
	if k.Among == 1 {
		return fmt.Sprintf("%s (the only key of %s)", k.Template, k.Of)
	}
	return fmt.Sprintf("%s (%s %s of %s)", k.Template, which, k.Of, show.Number(float64(k.Among)))
}

// Pattern is how a pattern fares; nil if it has no plan.
func (t *Throttled) Pattern(name string) *PeakPattern {
	for i := range t.Patterns {
		if t.Patterns[i].Name == name {
			return &t.Patterns[i]
		}
	}
	return nil
}

// cause says in a line why a pattern is not within the limits.
func (t *Throttled) cause(p *PeakPattern) string {
	text := fmt.Sprintf("at its peak of %s calls/s, all patterns at theirs, %s of its calls are throttled", show.Number(p.Rate), show.Percent(p.Throttled))
	for _, m := range t.Limits {
		if slices.Contains(m.Patterns, p.Name) {
			return text + ": " + m.String()
		}
	}
	return text
}

// String is the limit with what is asked, what is admitted, on which key, and the remedy.
func (m *LimitMet) String() string {
	what := "read"
	if strings.Contains(m.Reason, "Write") {
		what = "write"
	}
	text := fmt.Sprintf("%s is asked for %s %s units/s and admits %s (%s)", m.Where, show.Number(m.Asked), what, show.Number(m.Admitted), m.Reason)
	if m.Key != nil {
		text += fmt.Sprintf("; the key %s is asked for %s units/s, a partition does %s", m.Key, show.Number(m.Key.Asked), show.Number(m.Key.Limit))
	}
	return text + "; " + m.Remedy
}

// worthNaming is the share of a partition's limit from which on a key is told in a line.
const worthNaming = 0.25

// hotKey is a key on which a limit refused something.
type hotKey struct {
	place, reason, name string
	rank, shard         int64
}

// hot is what was refused on a key while it counted.
type hot struct {
	units    float64 // asked for by the requests that were refused, there
	draw     *draw
	patterns map[string]bool
}

// mostHot is how many keys are remembered: with more, it is none of them.
const mostHot = 50_000

// refused notes a request that a limit refused. The first demand that may not begin is the one that the service names.
func (r *peakRun) refused(f *flow, s *step, err *wire.Error) {
	if !r.counts {
		return
	}
	why := err.Throttling[0]
	write := strings.Contains(why.Reason, "Write")
	where := strings.TrimPrefix(strings.ReplaceAll(why.Resource[strings.LastIndex(why.Resource, ":table/")+len(":table/"):], "/index/", "."), "/")
	for i := range s.asked {
		a := &s.asked[i]
		if a.draw.Write != write || placeOf(a.draw.Demand) != where {
			continue
		}
		key := hotKey{where, why.Reason, a.draw.name, a.rank, a.shard}
		h := r.hot[key]
		if h == nil {
			if len(r.hot) >= mostHot {
				key = hotKey{where, why.Reason, a.draw.name, math.MaxInt64, 0}
				h = r.hot[key]
			}
			if h == nil {
				h = &hot{draw: a.draw, patterns: map[string]bool{}}
				r.hot[key] = h
			}
		}
		h.units += a.units
		h.patterns[f.pattern] = true
	}
}

// met sums up what the limits refused, by place and reason.
func (r *peakRun) met() []LimitMet {
	type group struct {
		units    float64
		patterns map[string]bool
		worst    hotKey
		most     float64
	}
	groups := map[[2]string]*group{}
	keys := slices.SortedFunc(maps.Keys(r.hot), func(a, b hotKey) int {
		return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.reason, b.reason), cmp.Compare(a.name, b.name), cmp.Compare(a.rank, b.rank), cmp.Compare(a.shard, b.shard))
	})
	for _, k := range keys {
		h := r.hot[k]
		g := groups[[2]string{k.place, k.reason}]
		if g == nil {
			g = &group{patterns: map[string]bool{}}
			groups[[2]string{k.place, k.reason}] = g
		}
		g.units += h.units
		maps.Copy(g.patterns, h.patterns)
		if h.units > g.most && k.rank < math.MaxInt64 {
			g.worst, g.most = k, h.units
		}
	}
	var out []LimitMet
	for _, at := range slices.SortedFunc(maps.Keys(groups), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		g := groups[at]
		m := LimitMet{Where: at[0], Reason: at[1], Patterns: slices.Sorted(maps.Keys(g.patterns))}
		read, write := r.askedOf(m.Where)
		asked := read
		if strings.Contains(m.Reason, "Write") {
			asked = write
		}
		refused := math.Min(g.units/r.o.Time.Seconds(), asked)
		m.Asked, m.Admitted, m.Throttled = rounded(asked), rounded(asked-refused), rounded(refused/math.Max(asked, 1e-9))
		if k := r.keyOf(g.worst); k.Asked >= worthNaming*k.Limit {
			m.Key = &k
		}
		m.Remedy = r.remedy(m, r.hot[g.worst].draw, read, write)
		out = append(out, m)
	}
	return out
}

// keyOf is a key as the model has it, with what all patterns ask of it.
func (r *peakRun) keyOf(k hotKey) HotKey {
	h := r.hot[k]
	d := h.draw.Demand
	out := HotKey{Template: d.Template(), Of: d.Of, Says: h.draw.says(), Rank: k.rank, Among: h.draw.among(), Shard: k.shard, Limit: float64(cmp.Or(r.o.Limits.PartitionReads, capacity.PartitionReads))}
	if d.Write {
		out.Limit = float64(cmp.Or(r.o.Limits.PartitionWrites, capacity.PartitionWrites))
	}
	for _, f := range r.flows {
		for _, s := range f.steps {
			for _, o := range s.draws {
				if placeOf(o.Demand) == k.place && o.Write == d.Write && o.name == k.name {
					out.Asked += float64(f.rate * o.Units * o.share(k.rank))
				}
			}
		}
	}
	out.Asked = rounded(out.Asked)
	return out
}

const (
	perShard = 0.25 // of what a partition does that a shard should take: several lie on one partition by chance
	headroom = 1.25 // above what is asked
	almost   = 0.95 // of what a partition does that makes a key too hot
)

// remedy is what helps against a limit.
func (r *peakRun) remedy(m LimitMet, d *draw, read, write float64) string {
	table := d.Access.Table
	where := "tables." + table.Name
	if d.Access.Global() {
		where += ".gsi." + d.Access.Index
	}
	up := func(x float64) float64 { return math.Ceil(x*headroom/1000) * 1000 }
	least := [2]float64{1, 1}
	if table.Document.Billing == (plan.Billing{}) {
		least = [2]float64{float64(capacity.NewTableReads), float64(capacity.NewTableWrites)}
	}
	enough := fmt.Sprintf("{read: %.0f, write: %.0f}", math.Max(up(read), least[0]), math.Max(up(write), least[1]))
	switch {
	case strings.HasSuffix(m.Reason, "ProvisionedThroughputExceeded"):
		return fmt.Sprintf("provision at least %s and %s units per second for %s (tables.%s.billing: %s), or bill it on demand", show.Number(math.Ceil(read)), show.Number(math.Ceil(write)), m.Where, table.Name, enough)
	case strings.HasSuffix(m.Reason, "AccountLimitExceeded"):
		return fmt.Sprintf("have the account's quota for tables on demand raised to %s read and %s write units per second for %s (Service Quotas), and tell the proof (--throttle-quota %.0f)",
			show.Number(up(read)), show.Number(up(write)), m.Where, math.Max(up(read), up(write)))
	case strings.HasSuffix(m.Reason, "MaxOnDemandThroughputExceeded"):
		return "raise the maximum throughput of " + m.Where
	}
	var out []string
	if m.Key != nil && m.Key.Asked > almost*m.Key.Limit {
		out = append(out, hotRemedy(*m.Key, d.Demand))
	}
	ready := r.ready(d.Demand)
	if m.Asked > ready {
		out = append(out, fmt.Sprintf("make it warm for the peak: %s.warm: %s (it is ready for %s units per second; a table on demand takes more 30 minutes after it has had more)", where, enough, show.Number(ready)))
	}
	if quota := float64(capacity.TableReads); len(out) > 0 && m.Asked > quota {
		out = append(out, fmt.Sprintf("have the account's quota of %s units per second for a table raised (Service Quotas; --throttle-quota tells the proof)", show.Number(quota)))
	}
	if len(out) == 0 {
		out = append(out, fmt.Sprintf("begin with more partitions, so that fewer hot keys lie on one: %s.warm: {read: %.0f, write: %.0f}; DynamoDB divides partitions that stay hot by itself, but not at once",
			where, math.Max(up(2*read), least[0]), math.Max(up(2*write), least[1])))
	}
	return strings.Join(out, "; and ")
}

// ready is what the place of a demand is warm for.
func (r *peakRun) ready(d *cost.Demand) float64 {
	t := d.Access.Table.Document
	w := t.Warm
	if d.Access.Global() {
		w = t.GSI[d.Access.Index].Warm
	}
	if d.Write {
		return math.Max(w.Write, float64(capacity.NewTableWrites))
	}
	return math.Max(w.Read, float64(capacity.NewTableReads))
}

// hotRemedy is what helps a partition key that asks for more than a partition does.
func hotRemedy(k HotKey, d *cost.Demand) string {
	n := max(int(math.Ceil(k.Asked/(perShard*k.Limit))), 2)
	if old := d.Partition.Each(); old > 1 {
		return fmt.Sprintf("divide the key over more shards: shard: {of: %d, by: random} of %s instead of %d", n*int(old), d.Kind.Name, old)
	}
	if !d.Write {
		return fmt.Sprintf("keep %d copies of what is read under that key and read one of them at random, or keep answers in a cache: one key does %s read units per second", n, show.Number(k.Limit))
	}
	if d.Own && d.Kind.Role == plan.EntityItem {
		return fmt.Sprintf("one item takes %s write units per second, and none is ever divided: keep what changes so often beside %s in %d shards (holds: {aggregate: …}, shard: {of: %d, by: random}), or gather changes and write them together",
			show.Number(k.Limit), d.Kind.Name, n, n)
	}
	return fmt.Sprintf("divide the key over shards: shard: {of: %d, by: random} of %s, {shard} as a part of its partition key, and scatter: shard where it is read", n, d.Kind.Name)
}
