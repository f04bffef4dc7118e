package rules

import (
	"fmt"
	"time"

	"github.com/tablewright/tablewright/stats"
)

const (
	// fewOld is how many old items have to be known to have been read when they were young: that none is read later is no chance then.
	fewOld = 15
	// early is how long after it was made an item is read that is read at all, and oldRead the share of old items that may be read later.
	early   = day
	oldRead = 0.02
	// readBack is until when a read is that of who made the item, to see it.
	readBack = time.Minute
)

// oldItems is what is known of the old items of a table: made longer than Thresholds.Unused ago.
type oldItems struct {
	old  float64 // sampled items that are old
	read float64 // of these, that were seen again after they were made and read back, so that they are known to be read
	late float64 // of these, that were seen again later than early
}

// oldItems looks at the sampled items of a table. Of a read that was not looked into nothing is known: that old items are not read is told by
// those that were seen being read when they were young.
func (in *Input) oldItems(table string) (u oldItems) {
	for _, item := range in.sample(table) {
		if in.Stats.To.Sub(item.First) < in.Thresholds.Unused {
			continue
		}
		u.old++
		switch age := item.Last.Sub(item.First); {
		case age > early:
			u.late++
			u.read++
		case age > readBack:
			u.read++
		}
	}
	return u
}

// neverReadAgain is the finding that a table keeps what nobody reads any more.
func (in *Input) neverReadAgain(t *Table) *Finding {
	name := t.Declared.Name
	u := in.oldItems(name)
	if u.read < fewOld || u.late > oldRead*u.old || in.deletes(name) > 0 {
		return nil
	}
	days := in.Thresholds.Unused.Hours() / 24
	f := &Finding{
		Severity: Advice, Table: name, Cause: cause(ofTable, name, "ttl"),
		Title: fmt.Sprintf("%s: what is older than %s is not read any more, and nothing ever deletes it", name, number(days)+" days"),
		Evidence: []Evidence{
			{What: fmt.Sprintf("sampled items made more than %s days ago", number(days)), Value: u.old, Unit: "items"},
			{What: "of these, read within a day", Value: u.read - u.late, Unit: "items", Limit: fewOld},
			share("of these, read or written later than that", u.late/u.old, oldRead, ""),
		},
		Remedy: Remedy{
			Text: "Give items an end, as long after they are made as somebody may want them, and make it the table's time to live: the service deletes them then without write units. " +
				"What has to be kept for other reasons is cheaper in S3 (an export, or the stream of what expires).",
			Snippets: []Snippet{
				{"go", fmt.Sprintf("plan.Table{Name: %q, …, TTL: \"expires\"}", name)},
				{"go", "Expires time.Time `ddb:\"expires,epoch-s\"`"},
			},
			Ease: Code,
		},
		Confidence: 0.5, Because: "That nobody reads them in a week or two says nothing of a year, and some things have to be kept.",
	}
	if count, size, known := t.stored(""); known {
		f.Evidence = append(f.Evidence, Evidence{What: "a month of what is stored", Value: in.storage(name, count, size).Dollars(), Unit: "$"})
	}
	in.affect(f, in.everything(name, func(o *stats.Operation) bool { return writes(o) })...)
	return f
}

// deletes are how many items of a table the program deletes, as far as single deletes tell.
func (in *Input) deletes(table string) (n float64) {
	for _, o := range in.everything(table, func(o *stats.Operation) bool { return o.Operation == "DeleteItem" }) {
		n += o.Outcomes[stats.Done]
	}
	return n
}
