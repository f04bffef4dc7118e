package generate

import (
	"fmt"
	"strings"

	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
)

// Throttled is what DynamoDB's limits let pass with all access patterns at their peaks: package prove's evidence as values.
type Throttled struct {
	Minutes, Settled float64 // that counted, and that came before
	Allowed          float64 // share of a pattern's calls that may be throttled
	Patterns         []ThrottledPattern
	Limits           []ThrottledLimit
}

// ThrottledPattern is how an access pattern fares at its peak: shares of its calls that are throttled.
type ThrottledPattern struct {
	Name                string
	Throttled, Settling float64
}

// ThrottledLimit is a limit that refused requests.
type ThrottledLimit struct {
	Where, Reason string
	Text          string // all of it in a line: asked, admitted, hot key, remedy
}

// peak tells how the model fares within DynamoDB's limits at its peak rates, if that was run.
func (in *Input) peak(p *page) {
	t := in.Proof.Throttled
	if t == nil {
		return
	}
	p.heading(3, "At peak")
	var over, settling []string
	for _, x := range t.Patterns {
		switch {
		case x.Throttled > t.Allowed:
			over = append(over, fmt.Sprintf("%s (%s)", code(x.Name), show.Percent(x.Throttled)))
		case x.Settling > t.Allowed:
			settling = append(settling, fmt.Sprintf("%s (%s)", code(x.Name), show.Percent(x.Settling)))
		}
	}
	verdict := "None has more than %s of its calls throttled."
	if len(over) > 0 {
		verdict = "More than %s of the calls are throttled of " + strings.ReplaceAll(show.List(over), "%", "%%") + "."
	}
	p.text("All access patterns ran at their peak rates at once, for %s simulated minutes after %s that do not count, within DynamoDB's limits: throughput as provisioned or warm, partitions that take 3,000 read and 1,000 write units per "+
		"second and are divided for heat and size, burst capacity used up. Requests consumed what the proof has measured, with keys drawn among all that are stated. "+verdict,
		show.Number(t.Minutes), show.Number(t.Settled), show.Percent(t.Allowed))
	if len(settling) > 0 {
		p.text("Throttled before, until DynamoDB has divided partitions that stay hot: %s.", show.List(settling))
	}
	var limits []string
	for _, m := range t.Limits {
		limits = append(limits, m.Text+".")
	}
	p.list(limits...)
}

// warm says what a table or index is to be ready for from the start.
func warm(p *page, units plan.Billing) {
	if units == (plan.Billing{}) {
		return
	}
	p.text("It has to be warm for %s read and %s write units per second before its first peak (`WarmThroughput` of CreateTable or UpdateTable): a new one on demand takes 12,000 and 4,000. What is above that is paid once, and is never taken back.",
		show.Number(units.Read), show.Number(units.Write))
}
