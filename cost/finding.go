package cost

import (
	"fmt"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
)

// Finding is a limit that a priced model comes near or exceeds, or a quota that has to be raised for it.
type Finding struct {
	Code    string // stable: hot-key, contention, item-size, table-quota, index-quota, provisioned, scan, skew, assumed, worst-case, client-pages
	Of      string // Table, Table.Index or an access pattern
	Message string
	Over    bool // the limit is exceeded: the model cannot carry the stated peak
}

const (
	warm      = 0.5  // of a key's limit at peak: worth knowing before the figures grow
	nearlyAll = 0.75 // of 400 KB
)

// contention says what it means that transactions meet on an item.
func contention(l Load) string {
	text := fmt.Sprintf("about %s of the transactions on the hottest %s in %s meet another one at peak and have to be repeated", show.Percent(l.Contention), l.Of, l.Place)
	switch {
	case l.Contention >= capacity.ContentionFull:
		return fmt.Sprintf("transactions hold the hottest %s in %s for %.3g s of each second at peak, and only one at a time can: they pile up", l.Of, l.Place, l.Contention)
	case l.Contention >= capacity.ContentionBusy:
		return fmt.Sprintf("transactions of some 10 ms would hold the hottest %s in %s for %.3g s of each second at peak, and only one at a time can: while the peak lasts many are refused with TransactionConflict and have to wait",
			l.Of, l.Place, l.Contention)
	case l.Contention > capacity.ContentionLimit:
		text += fmt.Sprintf(": each is sent %.2g times on average; a write that is not atomic and changes the item by a single update never meets another one", 1/(1-l.Contention))
	}
	return text
}

// Findings checks the report against the limits of DynamoDB, the worst of each thing only.
func (r *Report) Findings() []Finding {
	var out []Finding
	for _, l := range r.Loads {
		if l.Heat > warm {
			and := ""
			if l.Divided {
				and = "; DynamoDB divides it by its sort key over several partitions once it stays so hot, and throttles until then"
			}
			out = append(out, Finding{"hot-key", l.Place, fmt.Sprintf("the hottest %s in %s takes %s read and %s write units per second at peak: %s of what one partition can do (3,000 and 1,000)%s",
				l.Of, l.Place, show.Number(l.Read), show.Number(l.Write), show.Percent(l.Heat), and), l.Heat > 1 && !l.Divided})
		}
		if l.Contention > capacity.ContentionWarning {
			out = append(out, Finding{"contention", l.Place, contention(l), l.Contention >= capacity.ContentionFull})
		}
	}
	for _, p := range r.Places {
		if p.Index == nil {
			for _, it := range p.Items {
				if it.Most > nearlyAll*float64(capacity.ItemBytes) {
					out = append(out, Finding{"item-size", p.Name, fmt.Sprintf("%s can reach %s of the 400 KB that an item may have", it.Name, show.Bytes(it.Most)), it.Most > float64(capacity.ItemBytes)})
				}
			}
			indexes := 0
			for _, x := range p.Table.Indexes {
				if x.Global() {
					indexes++
				}
			}
			if indexes > capacity.GlobalIndexes {
				out = append(out, Finding{"index-quota", p.Name, fmt.Sprintf("%s has %d global secondary indexes: the quota of %d per table has to be raised", p.Name, indexes, capacity.GlobalIndexes), false})
			}
		}
		if b := p.Table.Document.Billing; p.billing() == capacity.Provisioned && (p.Read > b.Read || p.Write > b.Write) {
			out = append(out, Finding{"provisioned", p.Name, fmt.Sprintf("%s is provisioned with %s read and %s write units per second and needs %s and %s on average: calls are throttled",
				p.Name, show.Number(b.Read), show.Number(b.Write), show.Number(p.Read), show.Number(p.Write)), true})
		}
		if p.PeakRead > float64(capacity.TableReads) || p.PeakWrite > float64(capacity.TableWrites) {
			out = append(out, Finding{"table-quota", p.Name, fmt.Sprintf("%s needs %s read and %s write units per second at peak: the quota of %s each per table has to be raised",
				p.Name, show.Number(p.PeakRead), show.Number(p.PeakWrite), show.Number(float64(capacity.TableReads))), false})
		}
	}
	for _, c := range r.Cut {
		out = append(out, Finding{"skew", c.Way.From.Name, fmt.Sprintf("%s of the new %s go to one %s by the stated skew, which can have %s of all at most (%s): calls are priced by the skew, what is stored by the maximum",
			show.Percent(c.Hottest), c.Way.From.Name, c.Way.To.Name, show.Percent(c.Share), show.Number(c.Most)), false})
	}
	for _, p := range r.Patterns {
		out = append(out, p.unlucky()...)
	}
	return out
}

// cutOf is how many entities a page has that the client cuts out of all that was read; 0: it cuts none.
func cutOf(proc *plan.Procedure) int {
	if proc.Cut {
		return proc.Page
	}
	return 0
}

// Scans finds the access patterns whose plans scan what may become many.
func Scans(p *plan.Program) []Finding {
	var out []Finding
	for _, proc := range p.Procedures {
		for _, s := range proc.Stages {
			if s.Verb == plan.Scan && !s.Handful() {
				out = append(out, Finding{"scan", proc.Name, proc.Name + " scans " + s.Access.Name() + ": what it costs grows with everything that is stored there", false})
			}
		}
	}
	return out
}
