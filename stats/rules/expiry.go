package rules

import (
	"maps"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/stats"
)

// expiry is an attribute of a table's sampled items that says when they end.
type expiry struct {
	name    string
	with    int     // items that have it
	seconds int     // of those, as a number of seconds since 1970, which is what the service wants
	millis  int     // as a number of milliseconds
	texts   int     // as text
	over    int     // whose end was over when they were last seen
	late    float64 // seconds by which it was, on average of these
}

// expiryWords are what such attributes are called.
var expiryWords = []string{"ttl", "expir", "validuntil", "deleteat", "deleteafter", "purgeat", "purgeafter", "timetolive", "notafter", "endoflife"}

// isExpiry reports whether a name is one of an item's end.
func isExpiry(name string) bool {
	plain := strings.ToLower(strings.NewReplacer("_", "", "-", "", ".", "").Replace(name))
	return slices.ContainsFunc(expiryWords, func(w string) bool { return strings.Contains(plain, w) })
}

// milliseconds are above what seconds are until the year 5138.
const milliseconds = 1e11

// expiries are the attributes with a name that is given, or that is one of an item's end, of a table's sampled items.
func (in *Input) expiries(table, name string) []*expiry {
	all := map[string]*expiry{}
	for _, item := range in.sample(table) {
		for _, p := range item.Attributes {
			if name != "" && p.Name != name || name == "" && !isExpiry(p.Name) {
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
	for _, name := range slices.Sorted(maps.Keys(all)) {
		out = append(out, all[name])
	}
	return out
}

func (x *expiry) add(item *stats.SizedItem, p *stats.Print) {
	x.with++
	end := p.Number
	switch {
	case p.Type == "S":
		x.texts++
		return
	case p.Type != "N" || end == 0:
		return
	case end >= milliseconds:
		x.millis++
		end /= 1000
	default:
		x.seconds++
	}
	if late := float64(item.Last.Unix()) - end; late > 60 {
		x.late = (x.late*float64(x.over) + late) / float64(x.over+1)
		x.over++
	}
}
