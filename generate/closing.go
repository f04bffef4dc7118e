package generate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/spec"
)

// tradeOffs says what the model pays for what it gives.
func (in *Input) tradeOffs(p *page) {
	var points []string
	var lagging []string
	var upkeep, storage capacity.Money
	indexes := 0
	for _, t := range in.Program.Tables {
		for _, x := range t.Indexes {
			place := in.Price.Place(x.Name())
			indexes++
			upkeep += place.Bill.Writes
			storage += place.Bill.Storage
			if x.Global() {
				reads, _ := in.patternsOf(x)
				for _, r := range reads {
					lagging = appendNew(lagging, r)
				}
			}
		}
	}
	if indexes > 0 {
		points = append(points, fmt.Sprintf("**Indexes cost %s a month in writes and %s in storage**, %s of the whole. %s",
			upkeep, storage, show.Percent(float64(upkeep+storage)/math.Max(float64(in.Price.Total()), 1)), in.gain()))
	}
	if len(lagging) > 0 {
		ran := ""
		if in.Proof != nil {
			ran = "; the proof ran with the delay on"
		}
		points = append(points, fmt.Sprintf("**Eventual consistency.** Global indexes follow their table with a delay, usually far below a second: %s may miss what was just written. Their requirements tolerate it%s.", show.List(codes(lagging)), ran))
	}
	var transactions []string
	for _, proc := range in.Program.Procedures {
		if slices.ContainsFunc(proc.Stages, (*plan.Stage).Transacted) {
			transactions = append(transactions, proc.Name)
		}
	}
	if len(transactions) > 0 {
		points = append(points, fmt.Sprintf("**Transactions** double the table's write units and can be cancelled by another one on the same item, to be repeated: %s.", show.List(codes(transactions))))
	}
	for _, t := range in.Program.Tables {
		for _, k := range t.Kinds {
			for _, m := range k.Embeds {
				points = append(points, in.embedded(k, m)...)
			}
			var copies []string
			for _, s := range k.Stored {
				if s.Copy {
					copies = append(copies, code(s.Name)+kept(s.Kept))
				}
			}
			if len(copies) > 0 {
				points = append(points, fmt.Sprintf("**Duplicated in %s**: %s.", k.Name, strings.Join(copies, "; ")))
			}
		}
	}
	turns := slices.ContainsFunc(in.decisions(), func(d plan.Decision) bool {
		all, _ := Turns(d)
		return len(all) > 0
	})
	if len(points) == 0 && !turns {
		return
	}
	p.heading(2, "Trade-offs")
	p.list(points...)
	in.turns(p)
}

// gain says what the indexes are paid for: reads in one request, and which reads still need more.
func (in *Input) gain() string {
	var several, scanning []string
	for _, x := range in.Requirements.Patterns {
		proc := in.Program.Procedure(x.Name)
		if proc == nil || x.Writes() {
			continue
		}
		if Rounds(proc) > 1 {
			several = append(several, code(x.Name))
		}
		if in.scans(x) {
			scanning = append(scanning, code(x.Name))
		}
	}
	text := "In return no read scans"
	if len(scanning) > 0 {
		text = fmt.Sprintf("In return only %s %s", show.List(scanning), map[bool]string{true: "scans", false: "scan"}[len(scanning) == 1])
	}
	if len(several) == 0 {
		return text + ", and every read starts with the request that answers it."
	}
	return fmt.Sprintf("%s. %s still %s more than one round trip: a first request tells the keys of what the next one reads.", text, show.List(several), map[bool]string{true: "takes", false: "take"}[len(several) == 1])
}

// embedded says what it means that children lie inside their parent, and whether they are stored a second time.
func (in *Input) embedded(k *plan.Kind, m *plan.Embedding) []string {
	average := k.Entity.Bytes.Average + m.Way.PerParent.Average*m.Child.Bytes.Average
	most := math.Max(k.Entity.Bytes.Max, k.Entity.Bytes.Average) + m.Way.PerParent.Max*math.Max(m.Child.Bytes.Max, m.Child.Bytes.Average)
	whole := fmt.Sprintf("every change of the %s or of one of its %s writes the whole item (%s on average, at most about %s of 400 KB)",
		k.Entity.Name, m.Way.Inverse, show.Bytes(average), show.Bytes(most))
	own := in.home(m.Child)
	if own == nil {
		return []string{fmt.Sprintf("**%s inside %s**: it is not an item of its own, so no index can lead to a single one, and %s.", m.Child.Name, k.Name, whole)}
	}
	place := in.Price.Place(own.Table.Name)
	var storage float64
	for _, it := range place.Items {
		if it.Name == own.Name {
			storage = float64(place.Bill.Storage) * float64(capacity.Stored(it.Count, it.Bytes)) / math.Max(float64(place.Stored), 1)
		}
	}
	text := fmt.Sprintf("**%s is stored twice**: inside %s (`%s`), and as items of its own in %s%s. The items cost %s a month in storage",
		m.Child.Name, k.Name, m.Attribute, code(own.Table.Name), in.served(own), capacity.Money(storage))
	if len(own.Table.Kinds) == 1 {
		text += fmt.Sprintf(" and %s in writes", place.Bill.Writes)
	}
	text += "."
	if by := in.writers(m.Child); len(by) > 0 {
		text += fmt.Sprintf(" %s %s both; whatever changes it in future has to do so too.", show.List(by), map[bool]string{true: "writes", false: "write"}[len(by) == 1])
	}
	return []string{text, fmt.Sprintf("**%s inside %s**: %s.", m.Child.Name, k.Name, whole)}
}

// served are the reads for which items of a kind are there.
func (in *Input) served(k *plan.Kind) string {
	var out []string
	for _, a := range append([]*plan.Access{k.Table.Base}, k.Table.Indexes...) {
		for _, name := range in.queriesOf(k, a) {
			if x := in.Requirements.Pattern(name); x != nil && !x.Writes() {
				out = appendNew(out, code(name))
			}
		}
	}
	if len(out) == 0 {
		return ""
	}
	return " for " + show.List(out)
}

// keepingCopy says what the consumer of a stream does for a copy.
func (in *Input) keepingCopy(k *plan.Kind, s *plan.Stored) string {
	text := fmt.Sprintf("**Keeping %s.%s true**: a consumer of the stream rewrites it within %s.", k.Name, s.Name, s.Kept.Within)
	if follow := k.Followers(s); len(follow) > 0 {
		text += fmt.Sprintf(" In the same write it rewrites %s, which is made of it.", show.List(follow))
	}
	if plan.NewFragments(in.Requirements).Turns(s) {
		text += fmt.Sprintf(" Where what lies on the way of %s points to something else, it gets that and rewrites the copies as well; after each of both it looks once more, and begins anew if the way has changed in between.", s.Path)
	}
	var finds []string
	for _, c := range in.Price.Patterns {
		for _, x := range append([]*plan.Access{k.Table.Base}, k.Table.Indexes...) {
			if c.Finds[x.Name()] > 0 {
				finds = appendNew(finds, code(x.Name()))
			}
		}
	}
	if len(finds) > 0 {
		text += fmt.Sprintf(" It finds the items by %s; what it reads and writes is part of the price.", show.List(finds))
	}
	return text
}

// keeping says what the consumer of a stream does for an item that it keeps true, or for a number in it.
func (in *Input) keeping(k *plan.Kind, number *spec.Attribute, kept plan.Kept) string {
	if number == nil {
		return fmt.Sprintf("**Keeping %s true**: a consumer of the stream rewrites it within %s.", k.Name, kept.Within)
	}
	name := k.Name
	if k.Role == plan.EntityItem {
		name += "." + number.Name
	}
	way := k.Entity.WayBack(number.Derived.Path[0])
	if way == nil {
		return fmt.Sprintf("**Keeping %s true**: a consumer of the stream rewrites it within %s.", name, kept.Within)
	}
	var rows []string
	for _, c := range in.Price.Patterns {
		if n := c.Kept[k.Table.Name]; n > 0 {
			rows = append(rows, fmt.Sprintf("%s write units for each call of %s", show.Units(n), code(c.Name)))
		}
	}
	text := fmt.Sprintf("**Keeping %s true**: it is %s of %s, %s late at most. A consumer of the stream of %s adds what the old and the new image of each record differ by, in one write, "+
		"and remembers how far it has got in the same transaction or beside it: a record that comes twice counts once.", name, number.Name, k.Entity.Name, kept.Within, way.From.Name)
	if mirrors := k.Mirrors(number); len(mirrors) > 0 {
		text += fmt.Sprintf(" In the same write it takes as much from %s, which holds the number with its sign turned.", show.List(mirrors))
	}
	if len(rows) > 0 {
		text += fmt.Sprintf(" That is %s, which the price contains.", show.List(rows))
	}
	return text
}

// outside says what is not DynamoDB's work here, and how it is connected.
func (in *Input) outside(p *page) {
	p.heading(2, "Outside DynamoDB")
	r := in.Requirements
	var points []string
	for _, e := range r.Application.Streams {
		for _, k := range in.Program.Parts(e) {
			of := e.Name
			if k.Part() {
				of += ", as far as " + k.Name + " holds it"
			}
			points = append(points, fmt.Sprintf("**Followers of %s**: the stream of %s (%s) carries every change to whoever consumes it, search, analytics, other services, with a Lambda trigger or the Kinesis adapter.",
				of, code(k.Table.Name), orNone(k.Table.Document.Stream)))
		}
	}
	for _, t := range in.Program.Tables {
		for _, k := range t.Kinds {
			for _, s := range k.Stored {
				switch {
				case s.Copy && s.Kept.Stream:
					points = append(points, in.keepingCopy(k, s))
				case s.Kept.Stream:
					points = append(points, in.keeping(k, s.Attribute, s.Kept))
				}
			}
			if k.Kept.Stream {
				points = append(points, in.keeping(k, k.Attribute, k.Kept))
			}
		}
	}
	if len(r.Application.Regions) > 1 {
		points = append(points, fmt.Sprintf("**Replication** to %s: the model is for one Region and is priced for %s. As global tables, each further Region stores everything and pays every write again; "+
			"writes of one item in two Regions at once are settled by the later one, and transactions hold within the Region that they are made in.", show.List(r.Application.Regions[1:]), in.Price.Prices.Region))
	}
	for _, x := range r.Patterns {
		if in.scans(x) {
			points = append(points, fmt.Sprintf("**%s** reads a whole set by scanning, as its requirement asks. Where it grows beyond what a scan should read, an export to Amazon S3 (from point-in-time recovery, without read units) and a query engine there do it.", code(x.Name)))
		}
	}
	if len(points) == 0 {
		p.text("Nothing: all %s access patterns are served by these tables alone, without a search engine, cache or stream consumer. What the requirements do not state (text search, free reports, "+
			"analytics over everything) is not DynamoDB's work; it would be fed by a stream of the tables concerned or by exports to Amazon S3, and neither is on.", show.Number(float64(len(r.Patterns))))
		return
	}
	p.list(points...)
}

func orNone(s string) string {
	if s == "" {
		return "to be turned on"
	}
	return s
}
