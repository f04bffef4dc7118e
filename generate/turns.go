package generate

import (
	"regexp"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/plan"
)

// Turn says how far the rate of an access pattern may move before another model would be chosen, or be cheaper. The
// designer notes it with the decision about the pattern.
type Turn struct {
	Pattern string
	Rate    string // calls per second, as stated
	Chosen  string // between which rates the model stays: up to 2.5/s
	Below   string // what would be cheapest below a rate: below 1.2/s: …; "" if nothing turns there
	Above   string
}

// String is the turn in one sentence.
func (t Turn) String() string {
	text := "stated " + t.Rate + "; this model is chosen " + t.Chosen
	for _, x := range []string{t.Below, t.Above} {
		if x != "" {
			text += "; cheapest " + x
		}
	}
	return text
}

// moves are the words in which the designer says it.
var moves = regexp.MustCompile(`^(\S+/s); the same is cheapest (.+), and chosen (.+)$`)

// wide is how the designer says that nothing turns as far as it looks.
const wide = "from a tenth to ten times of it"

// Turns separates what a decision notes about moving rates from the figures that it rests on.
func Turns(d plan.Decision) (turns []Turn, rest []plan.Input) {
	value := func(name, whose string) string {
		i := slices.IndexFunc(d.Inputs, func(x plan.Input) bool { return x.Name == name+whose })
		if i < 0 {
			return ""
		}
		instead := strings.TrimPrefix(d.Inputs[i].Value, d.About+": ")
		if strings.EqualFold(instead, strings.TrimSuffix(d.Because, ".")) {
			return "this model"
		}
		return instead
	}
	for _, x := range d.Inputs {
		whose, moved := strings.CutPrefix(x.Name, "rate may move")
		if !moved {
			if !strings.HasPrefix(x.Name, "cheapest below") && !strings.HasPrefix(x.Name, "cheapest above") {
				rest = append(rest, x)
			}
			continue
		}
		m := moves.FindStringSubmatch(x.Value)
		if m == nil {
			rest = append(rest, x)
			continue
		}
		t := Turn{Pattern: d.About, Rate: m[1], Chosen: chosen(m[3])}
		low, high := bounds(m[2])
		if instead := value("cheapest below", whose); instead != "" && low != "" {
			t.Below = "below " + low + ": " + instead
		}
		if instead := value("cheapest above", whose); instead != "" && high != "" {
			t.Above = "above " + high + ": " + instead
		}
		turns = append(turns, t)
	}
	return turns, rest
}

// chosen is a range of rates as one reads it.
func chosen(span string) string {
	if span == wide {
		return "from a tenth to ten times of that"
	}
	return span
}

// bounds are the ends of a range of rates: "from 1.2/s to 9/s", "up to 9/s", "from 1.2/s".
func bounds(span string) (low, high string) {
	if span == wide {
		return "", ""
	}
	if rest, ok := strings.CutPrefix(span, "up to "); ok {
		return "", rest
	}
	low, high, _ = strings.Cut(strings.TrimPrefix(span, "from "), " to ")
	return low, high
}

// turns says what else would be chosen if the access patterns were used more or less often.
func (in *Input) turns(p *page) {
	var rows [][]string
	for _, d := range in.decisions() {
		all, _ := Turns(d)
		for _, t := range all {
			var beyond []string
			for _, x := range []string{t.Below, t.Above} {
				if x != "" {
					beyond = append(beyond, in.named(x))
				}
			}
			rows = append(rows, []string{code(t.Pattern), t.Rate, t.Chosen, strings.Join(beyond, "<br>")})
		}
	}
	if len(rows) == 0 {
		return
	}
	p.heading(3, "If rates move")
	p.text("How far the average rate of an access pattern may move, all else as stated, before another model would be chosen, and what would be the cheapest from where on. " +
		"The cheapest is not chosen as long as a simpler model costs at most 2 %% more, so the two figures can differ. Access patterns that are not listed change nothing between a tenth and ten times of their rate, or cost less than 1 %% of what they share tables with.")
	p.table([]string{"access pattern", ">stated calls a second", "this model is chosen", "the cheapest would be"}, rows)
}
