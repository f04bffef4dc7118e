package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/stats"
)

var failingConditions = &Rule{
	ID:       "failing-conditions",
	Title:    "Conditions that fail over and over on the same items",
	Category: Reliability,
	Looks: "At writes whose condition did not hold: how many of them, what the condition asks about, and whether it is the same items again and again, which other " +
		"writes do change.",
	Fires: "When Thresholds.RefusedShare (10 %) of an operation's calls are refused, with Thresholds.FewCalls at least, and half of the refusals are on items that " +
		"refused three times or more and yet are written in between: several callers at once on one item.",
	Rests: "When the condition only asks whether the item is there, and items are not made again and again, as locks are: that is how a create is idempotent, and how a value is claimed as unique. When items refuse nearly always, or what is asked about is all that is changed, by one less or more: " +
		"sold out is an answer. When refusals are scattered over many items, once each.",
	Sources: []string{page("BestPractices_ImplementingVersionControl"), page("Expressions.ConditionExpressions"), page("read-write-operations")},
	Find:    findFailingConditions,
}

const (
	// oftenRefused is how often an item has to have refused to be one that callers meet on.
	oftenRefused = 3
	// fewWritten is how often it has to have been written all the same: what is written once was created, or claimed.
	fewWritten = 1.5
	// alwaysRefused is the share of an item's writes that are refused from which on it says no for good.
	alwaysRefused = 0.95
	// createdAgain is how often items are created, each on average, that are deleted and made again: locks, and no claims.
	createdAgain = 2
)

// contention is what failing conditions of an operation's writes are about.
type contention struct {
	top   *stats.Key // the item that refused most, of those that others change
	meets float64    // refusals on such items
	asks  []string   // the attributes that the conditions ask about
	lock  bool       // they ask whether the item is there, and items come and go
}

// cause is the same for whatever is found of such writes.
func (c *contention) cause() string { return cause(ofItem, c.top.Table, keyName(c.top)) }

// contention tells whether conditions of an operation fail because callers meet on items; nil if not.
func (in *Input) contention(o *stats.Operation) *contention {
	refused := o.Outcomes[stats.Refused]
	if o.Calls < in.Thresholds.FewCalls || refused < in.Thresholds.RefusedShare*o.Calls || !writes(o) {
		return nil
	}
	if in.reckonsOnly(o) {
		return nil
	}
	c := contention{asks: in.conditionAsks(o)}
	transaction := o.Operation == "TransactWriteItems"
	if transaction { // which of its items has what else it changes is not told
		c.asks = slices.DeleteFunc(c.asks, func(name string) bool { return reckonedWith(o.Attributes[name]) })
	}
	c.lock = len(c.asks) == 0 && o.Operation == "PutItem" && ended(o) >= createdAgain*in.items(o.Table)
	if len(c.asks) == 0 && !c.lock {
		return nil
	}
	each := o.Write / max(o.Calls, 1)
	if transaction { // of a cancelled one no units are told: what was written is what the others did, part by part
		each = o.Write / max(o.Outcomes[stats.Done]*max(o.Parts/o.Calls, 1), 1)
	}
	for _, k := range in.contendedOf(o) {
		if k.Load < oftenRefused {
			continue
		}
		load := in.itemLoad(k.Hash)
		if transaction && load == nil { // nothing of it was written
			continue
		}
		if load != nil && each > 0 {
			all := load.Write / each
			if transaction {
				all += k.Load
			}
			if k.Load >= alwaysRefused*all || all-k.Load < fewWritten {
				continue
			}
		}
		if c.top == nil {
			c.top = k
		}
		c.meets += k.Load
	}
	if c.top == nil || c.meets < 0.5*refused {
		return nil
	}
	return &c
}

func findFailingConditions(in *Input) (found []Finding) {
	for _, o := range in.Stats.Operations {
		c := in.contention(o)
		if c == nil {
			continue
		}
		refused, top := o.Outcomes[stats.Refused], c.top
		f := Finding{Severity: Advice, Table: top.Table, Key: top.Key, Cause: c.cause(), Confidence: 0.8,
			Because: "Whether callers could do without the condition is not seen."}
		if refused >= 0.3*o.Calls {
			f.Severity = Warning
		}
		f.Title = fmt.Sprintf("%s: %s of the writes are refused by their condition, over and over on the same items", subject(o), percent(refused/o.Calls))
		f.Evidence = []Evidence{
			share("writes whose condition did not hold", refused/o.Calls, in.Thresholds.RefusedShare, "Thresholds.RefusedShare"),
			{What: "refusals on the item that refused most", Value: top.Load, Unit: "calls"},
			share("of the refusals on items that refused three times or more and are written in between", min(c.meets/refused, 1), 0.5, ""),
		}
		if o.ComputedWrite > 0 {
			wasted := in.perSecond(min(o.ComputedWrite, o.Write))
			f.Evidence = append(f.Evidence,
				Evidence{What: "write units of refused writes, which are charged like others", Value: wasted, Unit: "write units/s", Source: page("read-write-operations")},
				Evidence{What: "a month of them", Value: in.writes(top.Table, wasted).Dollars(), Unit: "$"})
		}
		r := &f.Remedy
		r.Ease = Code
		r.Text = fmt.Sprintf("Several callers read an item, change it and write it back on the condition that nobody was faster (it asks about %s), and most of the time somebody was. Let the write "+
			"itself say what changes, and make it depend on what it needs only: an update that adds, removes or sets single attributes needs no version, and two of them do not refuse each other.",
			strings.Join(c.asks, ", "))
		r.Snippets = []Snippet{{"go", `err := Accounts.Update(id, Accounts.Cents.Minus(200)).
	If(Accounts.Cents.AtLeast(200)). // what it needs, not the whole version
	Else(errTooLittle).
	Run(ctx, db)`}}
		if c.lock {
			r.Text = "Items are made on the condition that there is none, deleted, and made again: locks, which most of those who ask do not get. Each attempt is charged as a write, and who " +
				"asks again and again adds to the load of one item. Wait longer after each refusal; hold the lock for a shorter time, or have one for each part of the work; or hand the work out " +
				"by a queue, so that nobody has to ask."
			r.Snippets = []Snippet{{"go", `for pause := 50 * time.Millisecond; ; pause *= 2 {
	if err := Locks.Create(lock).Run(ctx, db); !errors.Is(err, tablewright.ErrConditionFailed) {
		return err
	}
	time.Sleep(pause/2 + rand.N(pause))
}`}}
		} else if o.Operation == "PutItem" || o.Operation == "TransactWriteItems" {
			r.Text += " Where the whole item has to be written, divide it, so that callers who change different things write different items; or let one worker at a time write it (a queue by key)."
		}
		if in.unhandled(o) {
			r.Text += " What is refused all the same ends as an error of which the program does not ask what it is (see conditions-unhandled), and so takes it for a failure of the service: tell it apart " +
				"by errors.Is(err, tablewright.ErrConditionFailed)" + edited(c.lock) + "."
		}
		in.affect(&f, o)
		found = append(found, f)
	}
	return found
}

// reckonsOnly reports whether an operation changes nothing but attributes that it reckons with, on conditions that ask about nothing else: one
// less, if there is one. No caller can be faster than another there, and who is refused is told that nothing is left. A version is raised
// with something else that is changed.
func (in *Input) reckonsOnly(o *stats.Operation) bool {
	some := false
	for name, a := range o.Attributes {
		if name == others {
			return false
		}
		if in.keyAttribute(o, name) {
			continue
		}
		if !reckonedWith(a) {
			return false
		}
		some = some || a.Written > 0
	}
	return some
}

// reckonedWith reports whether writes of an attribute reckon with it, and conditions ask about it no more often than that.
func reckonedWith(a *stats.AttributeCounts) bool {
	return a.Reckoned >= 0.9*max(a.Written, a.Tested-a.Reckoned-a.Keyed-a.Sifted)
}

// conditionAsks are the attributes that the conditions of an operation's writes ask about, beside those of keys.
func (in *Input) conditionAsks(o *stats.Operation) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(o.Attributes)) {
		if a := o.Attributes[name]; a.Tested > a.Keyed+a.Sifted+a.Reckoned && !in.keyAttribute(o, name) && name != others {
			names = append(names, name)
		}
	}
	return names
}
