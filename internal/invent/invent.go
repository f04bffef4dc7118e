package invent

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/spec"
)

// Size is how much an application has.
type Size int

// Small applications have 2 to 4 entities and 3 to 7 access patterns besides what creates the entities, large ones up to 12
// and 30.
const (
	Small Size = iota
	Large
)

// Requirements invents an application. The same seed and size give the same text, which has no errors.
func Requirements(seed uint64, size Size) []byte {
	for draw := uint64(0); ; draw++ {
		v := newInventor(seed+draw<<40, size)
		root := repair(v.application(seed))
		if root == nil {
			continue // so little of it could be read that another is drawn
		}
		v.accept(root)
		return print(root)
	}
}

func newInventor(seed uint64, size Size) *inventor {
	return &inventor{Rand: rand.New(rand.NewPCG(seed, uint64(size)+1)), size: size, patterns: block(), taken: map[string]bool{}, maker: map[*entity]*entity{}, needs: map[*entity][]*entity{}}
}

// accept says of some warnings why they are meant.
func (v *inventor) accept(root *yaml.Node) {
	_, _, found := model.ReadRequirements("requirements.yaml", print(root))
	var meant []*yaml.Node
	for _, d := range found {
		if v.chance(8) && d.Of != "" {
			meant = append(meant, pairs("code", d.Code, "of", d.Of, "because", "It is meant."))
		}
	}
	if len(meant) > 0 {
		set(root, "accept", list(meant...))
	}
}

type inventor struct {
	*rand.Rand
	size     Size
	entities []*entity
	types    []*attribute // named maps
	patterns *yaml.Node
	taken    map[string]bool       // names of entities and patterns
	maker    map[*entity]*entity   // in whose value an entity is created
	needs    map[*entity][]*entity // without which what creates an entity is refused

	// What is unusual is rare in mild applications and does not occur in plain ones: else nearly every application has
	// something that is hard to serve, and little is learned about all else.
	mild, plain bool
}

func (v *inventor) chance(percent int) bool { return v.IntN(100) < percent }

// unusual is the chance of what is seldom asked for.
func (v *inventor) unusual(percent int) bool {
	if v.plain {
		return false
	}
	if v.mild {
		return v.IntN(600) < percent
	}
	return v.chance(percent)
}

// between is a whole number from low to high.
func (v *inventor) between(low, high int) int { return low + v.IntN(high-low+1) }

// wide is a number from low to high of which each power of ten is equally likely.
func (v *inventor) wide(low, high float64) float64 {
	if high <= low {
		return low
	}
	return low * math.Exp(v.Float64()*math.Log(high/low))
}

func pick[T any](v *inventor, from []T) T { return from[v.IntN(len(from))] }

// some are n elements in an order made by chance.
func some[T any](v *inventor, n int, from []T) []T {
	out := slices.Clone(from)
	v.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out[:min(n, len(out))]
}

// round keeps three digits.
func round(x float64) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64)
	return r
}

func number(x float64) string { return spec.FormatNumber(x) }

func (v *inventor) application(seed uint64) *yaml.Node {
	v.mild = v.chance(65)
	v.plain = v.mild && v.chance(50)
	entities, patterns := v.between(2, 4), v.between(3, 7)
	if v.size == Large {
		entities, patterns = v.between(5, 12), v.between(10, 30)
	}
	if v.chance(25) {
		for range v.between(1, 2) {
			v.types = append(v.types, v.namedType())
		}
	}
	for range entities {
		v.entities = append(v.entities, v.newEntity())
	}
	for _, e := range v.entities {
		v.references(e)
	}
	for _, e := range v.entities {
		v.derive(e)
	}
	v.creations()
	for i := range patterns {
		if e := pick(v, v.entities); i < len(v.entities) && v.chance(60) {
			v.read(v.entities[i]) // so that most entities are read
		} else if v.chance(60) {
			v.read(e)
		} else {
			v.write(e)
		}
	}

	root := block()
	set(root, "tablewright", "1")
	set(root, "application", v.head(seed))
	if len(v.types) > 0 {
		types := block()
		for _, t := range v.types {
			set(types, t.name, v.content(t))
		}
		set(root, "types", types)
	}
	all := block()
	for _, e := range v.entities {
		set(all, e.name, v.describe(e))
	}
	set(root, "entities", all)
	set(root, "patterns", v.patterns)
	if names := v.patternNames(); v.chance(15) {
		set(root, "workflows", pairs("usual", words(some(v, v.between(1, 3), names)...)))
	}
	return root
}

func (v *inventor) patternNames() (names []string) {
	for name := range entries(v.patterns) {
		names = append(names, name)
	}
	return names
}

func (v *inventor) head(seed uint64) *yaml.Node {
	name := "invented-" + strconv.FormatUint(seed, 10)
	if v.chance(60) {
		return word(name)
	}
	n := pairs("name", name, "domain", pick(v, []string{"travel", "health", "music"}))
	if v.chance(50) {
		set(n, "context", "Made by chance.")
		set(n, "figures", "Nobody's.")
	}
	if v.chance(30) {
		set(n, "recovery", pairs("rpo", "5min", "rto", "4h"))
	}
	if v.chance(30) {
		set(n, "compliance", words("GDPR"))
	}
	if v.chance(30) {
		set(n, "regions", words("us-east-1"))
	}
	if v.chance(40) {
		set(n, "streams", words(pick(v, v.entities).name))
	}
	if v.chance(20) {
		set(n, "school", "aggregates")
	}
	return n
}

// name is the first of some words that nobody has yet, with a number behind it if all are taken.
func name(taken map[string]bool, words ...string) string {
	for _, w := range words {
		if !taken[w] {
			taken[w] = true
			return w
		}
	}
	for i := 2; ; i++ {
		if w := words[0] + strconv.Itoa(i); !taken[w] {
			taken[w] = true
			return w
		}
	}
}

func lower(s string) string { return strings.ToLower(s[:1]) + s[1:] }
func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// Words to choose names from. None is a word of the language or a unit; some are reserved by DynamoDB's expressions.
var (
	nouns = []string{"Boat", "Harbour", "Skipper", "Voyage", "Berth", "Cabin", "Ticket", "Orchestra", "Musician", "Desk", "Reader", "Loan",
		"Shelf", "Device", "Probe", "Reading", "Alarm", "Garden", "Plant", "Recipe", "Kitchen", "Guest", "Invoice", "Parcel", "Depot", "Route", "Driver",
		"Clinic", "Doctor", "Visit", "Patient", "Museum", "Exhibit", "Ward", "League", "Team", "Player", "Concert", "Choir", "Market", "Stall"}
	typeNames = []string{"Place", "Contact", "Measure", "Extent"}

	named = map[string][]string{
		"string":    {"title", "name", "town", "street", "slug", "email", "label", "remark", "language", "currency", "code", "colour", "brand", "phone", "summary"},
		"number":    {"score", "weight", "price", "stock", "amount", "seats", "rank", "level", "quantity", "balance", "points", "size", "count", "width"},
		"bool":      {"active", "hidden", "urgent", "public", "checked"},
		"binary":    {"digest", "picture", "blob", "token"},
		"timestamp": {"createdAt", "placedAt", "endsAt", "seenAt", "changedAt", "startsAt", "timestamp"},
		"date":      {"birthday", "dueOn", "startsOn", "date", "heldOn"},
		"map":       {"address", "settings", "dimensions", "data"},
		"list":      {"tags", "lines", "notes", "codes", "history"},
		"set":       {"labels", "roles", "topics"},
		"enum":      {"kind", "category", "type", "channel", "priority"},
		"states":    {"status", "stage", "phase"},
	}
	enums = [][]string{{"gift-card", "credit-card", "cash"}, {"low", "high"}, {"red", "green", "blue", "black"}, {"sail", "motor", "oar"},
		{"north", "east", "south", "west"}, {"adult", "child", "senior", "group", "crew", "staff"}}
	lives = [][]string{{"open", "closed"}, {"draft", "placed", "paid", "shipped"}, {"queued", "running", "done"}, {"asked", "booked", "boarded", "left"}}
	ends  = []string{"cancelled", "lost", "failed"}
)

// rate is how often something is called: on average and at peak, in one unit, with what that is per second.
func (v *inventor) rate(low, high float64) (*yaml.Node, float64) {
	if v.mild {
		high = min(high, 60)
	}
	average := v.wide(low, high)
	units := []struct {
		name    string
		seconds float64
	}{{"s", 1}, {"min", 60}, {"h", 3600}, {"day", 86400}, {"month", 730 * 3600}}
	unit := units[0]
	for _, u := range units {
		if average*u.seconds >= 0.5 && (unit.name == "s" && average < 0.02 || v.chance(10)) {
			unit = u
			if v.chance(60) {
				break
			}
		}
	}
	a := round(average * unit.seconds)
	peak := a
	if v.chance(90) {
		peak = max(a, round(a*v.wide(1.2, 40)))
	}
	return pairs("average", number(a)+"/"+unit.name, "peak", number(peak)+"/"+unit.name), a / unit.seconds
}

// skew is how calls or children spread; "" leaves it out.
func (v *inventor) skew() string {
	switch n := v.IntN(100); {
	case n < 65:
		return ""
	case n < 70:
		return "uniform"
	case n < 90 || v.mild:
		return "zipf " + number(round(v.wide(0.3, 1.3)))
	case n < 93:
		return "hottest " + strconv.Itoa(v.between(2, 60)) + " have " + number(round(v.wide(1, 60))) + "%"
	default:
		return "hottest " + number(round(v.wide(0.05, 20))) + "%"
	}
}

// calls is how the calls of a pattern spread: now and then otherwise at peak, of a write over something else than what is
// written, of a read that finds several by what is found. nil leaves it out.
func (v *inventor) calls(of string, several bool) *yaml.Node {
	s := v.skew()
	if several && v.chance(5) {
		s = "by-size"
	}
	if v.mild || s != "" && v.chance(80) || s == "" && v.chance(95) {
		if s == "" {
			return nil
		}
		return word(s)
	}
	m := pairs("calls", cmp.Or(s, "uniform"))
	if p := v.skew(); p != "" {
		set(m, "peak", p)
	}
	if of != "" && v.chance(50) {
		set(m, "of", of)
	}
	return m
}

// spread is an average and a maximum, as a single number if they are the same.
func spread(average, most float64) *yaml.Node {
	if average == most {
		return word(number(average))
	}
	return pairs("average", number(average), "max", number(most))
}

func quoted(text string) string { return fmt.Sprintf("'%s'", text) }
