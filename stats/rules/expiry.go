package rules

import (
	"maps"
	"regexp"
	"slices"
	"time"

	"github.com/tablewright/tablewright/stats"
)

// expiry is an attribute of a table's sampled items that says when they end.
type expiry struct {
	name    string
	with    int     // items that have it
	seconds int     // of those, as a number of seconds since 1970, which is what the service wants
	millis  int     // as a number of milliseconds
	texts   int     // as text
	dates   int     // of those, as a day or moment that can be read
	over    int     // whose end was over when they were last seen
	late    float64 // seconds by which it was, on average of these
	ahead   float64 // seconds by which it lay ahead when they were first seen, on average
}

// over is how long after its end an item is seen that somebody asked for all the same: who comes back a little late is no fault.
const over = time.Hour

// expiryName is how attributes are called that are an item's end: ttl and exp as words of their own, expires, deleteAfter, keepUntil,
// and the like. expiredAt is when something has ended, and lockedUntil no end of the item.
var expiryName = regexp.MustCompile(`(?i:expir(e_?-?date|e[^d]|e$|[^e]|$)|^exp([_-]?(at|on|time|date))?$|[_-]exp$|(delete|purge|remove|evict|discard|drop|cleanup|clean_up)_?-?(at|after|on)$|` +
	`(keep|retain|retention|valid)_?-?(until|till)$|time_?-?to_?-?live)|(^|[^A-Za-z])(ttl|TTL)|[a-z](TTL|Ttl|Exp$)|^Ttl`)

// periodEnd and periodBegin are the ends of a period for which something holds, such as a price. Without a begin it is the end of the item.
var (
	periodEnd   = regexp.MustCompile(`(?i)valid_?-?(to|thru|through)$`)
	periodBegin = regexp.MustCompile(`(?i)valid_?-?from$`)
)

// isExpiry reports whether a name is one of an item's end.
func isExpiry(name string) bool { return expiryName.MatchString(name) || periodEnd.MatchString(name) }

// milliseconds are above what seconds are until the year 5138.
const milliseconds = 1e11

// expiries are the attributes with a name that is given, or that is one of an item's end, of a table's sampled items.
func (in *Input) expiries(table, name string) []*expiry {
	all, is := map[string]*expiry{}, map[string]bool{}
	for _, item := range in.sample(table) {
		for _, p := range item.Attributes {
			of, known := is[p.Name]
			if !known {
				of = name == p.Name || name == "" && isExpiry(p.Name)
				is[p.Name] = of
			}
			if !of {
				continue
			}
			x := all[p.Name]
			if x == nil {
				x = &expiry{name: p.Name}
				all[p.Name] = x
			}
			x.add(&item, &p)
		}
	}
	var out []*expiry
	for _, x := range slices.Sorted(maps.Keys(all)) {
		if x != name && periodEnd.MatchString(x) && slices.ContainsFunc(slices.Collect(maps.Keys(is)), periodBegin.MatchString) {
			continue
		}
		out = append(out, all[x])
	}
	return out
}

// moments are the items that say when they end.
func (x *expiry) moments() int { return x.seconds + x.millis + x.dates }

func (x *expiry) add(item *stats.SizedItem, p *stats.Print) {
	x.with++
	end := p.Number
	switch {
	case p.Type == "S":
		x.texts++
		if end == 0 {
			return
		}
		x.dates++
	case p.Type != "N" || end == 0:
		return
	case end >= milliseconds:
		x.millis++
		end /= 1000
	default:
		x.seconds++
	}
	n := float64(x.moments())
	x.ahead += (end - float64(item.First.Unix()) - x.ahead) / n
	if late := float64(item.Last.Unix()) - end; late > over.Seconds() {
		x.late = (x.late*float64(x.over) + late) / float64(x.over+1)
		x.over++
	}
}
