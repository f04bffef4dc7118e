package spec

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tablewright/tablewright/attr"
)

// Requirements are what one application needs. Slices are in the order of the document.
type Requirements struct {
	Application Application
	Entities    []*Entity
	Patterns    []*Pattern
	Workflows   []Workflow
	Accept      []Accept
}

// Entity finds an entity by name; nil if there is none.
func (r *Requirements) Entity(name string) *Entity {
	for _, e := range r.Entities {
		if e.Name == name {
			return e
		}
	}
	return nil
}

// Pattern finds an access pattern by name; nil if there is none.
func (r *Requirements) Pattern(name string) *Pattern {
	for _, p := range r.Patterns {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// Application describes the whole.
type Application struct {
	Name, Domain, Context, Source, Figures, Note string
	Compliance, Regions                          []string
	RecoveryPoint, RecoveryTime                  time.Duration // 0: none stated
	Streams                                      []*Entity     // entities that others follow
	School                                       string        // "aggregates" or "single-table"
	Prices                                       string        // Region of the price file
	PeakHours                                    float64       // hours a day at peak
}

// Workflow is a named sequence of access patterns.
type Workflow struct {
	Name     string
	Patterns []*Pattern
}

// Accept silences one finding with a reason.
type Accept struct{ Code, Of, Because string }

// Entity is a kind of thing the application keeps.
type Entity struct {
	Name       string
	Identity   []*Attribute // together unique
	Attributes []*Attribute
	Bytes      Size    // whole entity, names included
	Count      float64 // stored today
	Growth     float64 // created per second, as stated or from the patterns
	Newly      float64 // share of what its upserts are about that is not there already and is made, as growth says
	Retention  time.Duration
	After      *Attribute // timestamp from which Retention counts, as stated; nil: it counts from the creation
	Kept       *Attribute // timestamp from which Retention counts: then it is deleted, and kept while it has none; nil: nothing deletes it
	Stays      string     // why nothing deletes what has a Retention
	Expires    *Attribute // timestamp after which no read returns it; nil: never
	Unique     []Unique
	External   bool // kept elsewhere: known by its identity only, never stored
	Group      string
	Note       string

	Parent *Relationship   // the identifying relationship to its parent; nil: none
	There  []*Relationship // ways there: declared by attributes of this entity
	Back   []*Relationship // named ways back: declared by other entities' attributes
}

// Handful reports whether all instances of an entity, such as regions or currencies, take 64 KB at most, today and
// after five years of growth: a strongly consistent read of all takes 16 read units. It is false for an entity that
// expires.
func (e *Entity) Handful() bool { return e.few(e.Bytes.Average) }

// HandfulOf reports the same of some attributes of all instances, such as a name and the key: an index can hold these
// alone.
func (e *Entity) HandfulOf(attrs ...*Attribute) bool {
	bytes := 0.0
	for _, a := range attrs {
		bytes += float64(len(a.Name)) + a.Bytes.Average
	}
	return e.few(bytes)
}

// few reports whether so many bytes of each instance are 64 KB at most.
func (e *Entity) few(bytes float64) bool {
	const years, most = 5 * 365 * 24 * time.Hour, 64 << 10
	return !e.External && e.Expires == nil && e.Kept == nil && float64((e.Count+float64(e.Growth*years.Seconds()))*bytes) <= most
}

// Unique is attributes that no two instances of an entity have alike.
type Unique struct {
	Of       []*Attribute
	While    Condition // only instances for which it holds count, by what is stored of them alone; nil: all
	Outlives bool      // an instance may still claim it when its retention is over: what keeps it unique has to end with it
}

// Always reports whether it is unique whatever else an instance has.
func (u Unique) Always() bool { return u.While == nil }

// Rests reports whether an attribute decides what an instance claims: it is one of those that are unique, or says
// whether they are.
func (u Unique) Rests(a *Attribute) bool { return slices.Contains(u.Of, a) || u.Tests(a) }

// Tests reports whether an attribute says for which instances it is unique.
func (u Unique) Tests(a *Attribute) bool {
	for t := range Tests(u.While) {
		if len(t.Path) > 0 && t.Path[0] == a.Name {
			return true
		}
	}
	return false
}

// Claimed reports whether an instance claims what is unique: all of it is there, and it is unique for what the instance
// is.
func (u Unique) Claimed(it attr.Item) bool {
	if slices.ContainsFunc(u.Of, func(a *Attribute) bool { return it.Get(a.Name).IsZero() }) {
		return false
	}
	if u.While == nil {
		return true
	}
	holds, err := Holds(u.While, On(it), Env{})
	return err == nil && holds
}

// Attribute finds an attribute by name; nil if there is none.
func (e *Entity) Attribute(name string) *Attribute { return find(e.Attributes, name) }

// WayThere finds a relationship of which e holds the foreign key, by its name; nil if there is none.
func (e *Entity) WayThere(name string) *Relationship {
	for _, r := range e.There {
		if r.Name == name {
			return r
		}
	}
	return nil
}

// GeneratesIdentity reports whether the client generates part of the identity, so that no two entities ever share it.
func (e *Entity) GeneratesIdentity() bool {
	return slices.ContainsFunc(e.Identity, func(a *Attribute) bool {
		return a.Generated == "ulid" || a.Generated == "uuid" || a.Generated == "ksuid"
	})
}

// Under reports whether the identity contains that of the parent, so that children of different parents never share
// one.
func (e *Entity) Under(parent *Relationship) bool {
	return !slices.ContainsFunc(parent.By, func(a *Attribute) bool { return !slices.Contains(e.Identity, a) })
}

// WayOn is the relationship to a parent that a path from e begins with; nil if it begins with something else. A foreign
// key may be called like the way that it declares: at the end of a path the name means the attribute.
func (e *Entity) WayOn(path Path) *Relationship {
	if len(path) == 0 || len(path) == 1 && e.Attribute(path[0]) != nil {
		return nil
	}
	return e.WayThere(path[0])
}

// WayBack finds a relationship to the entities that point to e, by its inverse name; nil if there is none.
func (e *Entity) WayBack(name string) *Relationship {
	for _, r := range e.Back {
		if r.Inverse == name {
			return r
		}
	}
	return nil
}

// IdentityOf takes the identity out of an entity's value, as a string that is unique among values of e.
func (e *Entity) IdentityOf(it attr.Item) string {
	b := make([]byte, 0, 64)
	for _, a := range e.Identity {
		if v := it.Get(a.Name); !v.IsZero() {
			b = attr.AppendValue(b, v)
		}
		b = append(b, ',')
	}
	return string(b)
}

func find(as []*Attribute, name string) *Attribute {
	for _, a := range as {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// Type is the logical type of an attribute. The zero Type is one that could not be read: checks say nothing about what
// has it, since the reason has been reported already. Requirements without errors have none.
type Type uint8

// The types of attributes. States and enums are strings with a list of values.
const (
	String Type = iota + 1
	Number
	Bool
	Binary
	Timestamp // milliseconds
	Date
	MapType
	ListType
	SetType
)

// Attribute is one attribute of an entity, of a map, or the element of a list or set.
type Attribute struct {
	Name      string
	Entity    *Entity       // the entity it belongs to; nil inside a named type used by several
	Type      Type          // of a foreign key: that of the identity it points to
	Reference *Relationship // set if it is (part of) a foreign key
	States    *States       // set if it is a states attribute
	Enum      []string      // values, if it is an enum
	Sorts     Sorting       // of states and enum values: what their order is
	Shares    []Share       // of enum and state values, true and false: every value, summing to 1
	Distinct  float64       // how many values it has among all that are stored; 0: not stated
	Hottest   float64       // share of those that have it whose value is the most frequent; 0: not stated
	Present   float64       // share of entities that have it; 1 unless optional
	Optional  bool
	Derived   *Derived
	Generated string     // "", ulid, uuid, ksuid, now, version
	Sequence  *Attribute // next number per value of that attribute
	Bytes     Size       // of the value alone, as DynamoDB counts it
	Digits    int        // of a number: significant digits
	Scale     int        // of a number: decimals
	Min, Max  *attr.Number
	Fields    []*Attribute // of a map with declared content
	Of        *Attribute   // element of a list or set
	Length    Size         // number of elements
	Sensitive string
	Note      string
	Rest      bool // made up: the opaque attribute that fills the entity's stated size
}

// Given reports whether callers state the attribute when they create its entity: it is neither generated, derived
// nor a sequence.
func (a *Attribute) Given() bool { return a.Generated == "" && a.Derived == nil && a.Sequence == nil }

// Share is the share of stored entities that have a value.
type Share struct {
	Value string
	Of    float64
}

// Sorting says how states and enum values sort.
type Sorting uint8

// The sortings of states and enum values.
const (
	Unsorted Sorting = iota // it is not said: nothing is ordered by them
	AsStated                // in the order in which they are stated
	AsText                  // as the texts that they are
)

// Ranked reports whether the values sort in the order in which they are stated.
func (a *Attribute) Ranked() bool { return a.Sorts == AsStated && len(a.Values()) > 0 }

// Compare orders two values of the attribute: states and enum values as is said of them, false before true, all others
// as they are.
func (a *Attribute) Compare(x, y attr.Value) int {
	if x.Kind() == attr.KindBOOL && y.Kind() == attr.KindBOOL {
		return strings.Compare(strconv.FormatBool(x.Bool()), strconv.FormatBool(y.Bool()))
	}
	if a.Ranked() && x.Kind() == attr.KindS && y.Kind() == attr.KindS {
		values := a.Values()
		return slices.Index(values, x.Str()) - slices.Index(values, y.Str())
	}
	return attr.Compare(x, y)
}

// Constant is the logical value of a state, an enum value, true or false, by the text under which [Attribute.Shares]
// names it.
func (a *Attribute) Constant(text string) attr.Value {
	if a.Type == Bool {
		return attr.Bool(text == "true")
	}
	return attr.Text(text)
}

// ConstantText is the text under which shares name a value.
func ConstantText(v attr.Value) string {
	if v.Kind() == attr.KindBOOL {
		return strconv.FormatBool(v.Bool())
	}
	return v.Str()
}

// States is a life cycle.
type States struct {
	Names   []string            // all, in order of declaration; the first is where create starts
	Next    map[string][]string // the states that may be entered from each, directly or over others
	Forward bool                // stated as a list, which goes from one to the next, and may pass some over
}

// Before lists the states from which v may be entered.
func (s *States) Before(v string) []string {
	var from []string
	for _, n := range s.Names {
		for _, m := range s.Next[n] {
			if m == v {
				from = append(from, n)
				break
			}
		}
	}
	return from
}

// Derived says how an attribute follows from others.
type Derived struct {
	Func   string // "" for a to-one path, else count, sum, min, max, or last
	Path   Path
	Where  Condition     // which of those at the end of a way back count; nil: all
	Within time.Duration // lag that is tolerated
}

// NeverNegative reports whether a number has a least value of at least 0: its own, that of the identity it points to,
// or because it counts on from 1.
func (a *Attribute) NeverNegative() bool {
	if a.Min != nil {
		return a.Min.Sign() >= 0
	}
	if a.Sequence != nil || a.Generated == "version" {
		return true
	}
	if a.Entity == nil {
		return false
	}
	for _, w := range a.Entity.There {
		for i, by := range w.By {
			if by == a && i < len(w.To.Identity) && w.To.Identity[i] != a {
				return w.To.Identity[i].NeverNegative()
			}
		}
	}
	return false
}

// Relationship is declared by the foreign key in From that points to To.
type Relationship struct {
	Name        string       // the way there, a name in From
	Inverse     string       // the way back, a name in To; "": nobody goes back
	From, To    *Entity      // the many side; the one side
	By          []*Attribute // foreign key in From, in the order of To's identity
	Identifying bool         // parent: From lives and dies with To
	PerParent   Children     // number of From per To
}

// Single reports whether the way back leads to at most one: inside its parent's value a child then stands as a map
// instead of a list of them.
func (r *Relationship) Single() bool { return r.PerParent.Stated && r.PerParent.Max <= 1 }

// Children is the number of children per parent.
type Children struct {
	Stated       bool
	Average, Max float64
	Skew         Skew // which parent a new child gets
}

// Pattern is one access pattern.
type Pattern struct {
	Name       string
	Read       *Entity   // what it reads; nil for a write
	Actions    []*Action // of a write
	Given      []Path    // equalities
	Where      Condition // nil: none
	With       []Path    // related entities returned inside
	Returns    []Path    // attributes and to-one paths besides All; nil with All
	All        bool      // the entity's own attributes are returned
	Aggregates []Aggregate
	Order      []Order
	Page, Top  int // 0: none
	Whole      bool
	Results    Size // matches of one `given` over all pages; resolved
	Rate       Rate
	Skew       Skew
	AtPeak     *Skew // how calls spread in the busiest hours; nil: as Skew says
	SkewOf     Path  // of a write: the values over which its calls spread; nil: the identity of what is written
	// Consistency is "eventual", "strong" or "snapshot".
	Consistency        string
	Staleness, Latency time.Duration // 0: none
	Atomic             bool
	Optional           []Optional
	Parameters         []*Parameter // in order of appearance
	Found              []*Parameter // stored entities that the client reads first; [FoundName] is their name
	Idempotency        string
	Bulk               int
	Note               string
}

// PeakSkew is how calls spread in the busiest hours.
func (p *Pattern) PeakSkew() Skew {
	if p.AtPeak != nil {
		return *p.AtPeak
	}
	return p.Skew
}

// Spreads reports whether the skew of a pattern is about the values at a path.
func (p *Pattern) Spreads(path Path) bool { return p.SkewOf == nil || slices.Equal(p.SkewOf, path) }

// Lasts reports whether what is stored of an entity stays while a call writes: no pattern deletes it. What a retention
// ends counts as such: time to live takes it at any time in the days after its end, and whatever a call adds to it may
// as well come just before.
func (r *Requirements) Lasts(e *Entity) bool {
	if e.External || e.Expires != nil {
		return false
	}
	return !slices.ContainsFunc(r.Patterns, func(p *Pattern) bool {
		return slices.ContainsFunc(p.Actions, func(a *Action) bool {
			if a.Verb != Delete {
				return false
			}
			return a.Entity == e || slices.ContainsFunc(a.With, func(way string) bool {
				w := a.Entity.WayBack(way)
				return w == nil || w.From == e
			})
		})
	})
}

// ThereOrNever reports whether a read of an entity by its identity gives the same answer forever: an existing entity
// stays, and a missing one never comes. That holds if the client generates the identity, only creates make the
// entity, and nothing deletes it or lets it expire.
func (r *Requirements) ThereOrNever(e *Entity) bool {
	return e.GeneratesIdentity() && r.Lasts(e) && e.Retention == 0 && !slices.ContainsFunc(r.Patterns, func(p *Pattern) bool {
		return slices.ContainsFunc(p.Actions, func(a *Action) bool {
			return a.Makes && a.Entity == e || (a.Verb == Upsert || a.Verb == Replace) && (a.Entity == e || len(a.With) > 0 && e.Parent != nil)
		})
	})
}

// Settled reports whether an action only asks what is true for good once it is true: what it is about stays, and no
// write changes what its condition tests. A read before the write answers that as well as the write could.
func (r *Requirements) Settled(a *Action) bool {
	if !a.Checks() || len(a.Each) > 0 || !r.Lasts(a.Entity) {
		return false
	}
	stays := func(p Path) bool {
		x := a.Entity.Attribute(p[0])
		return x != nil && x.Derived == nil && !slices.ContainsFunc(r.Patterns, func(q *Pattern) bool {
			return slices.ContainsFunc(q.Actions, func(o *Action) bool { return o.Alters(a.Entity, x) })
		})
	}
	for t := range Tests(a.Condition) {
		if len(t.Path) > 0 && !stays(t.Path) || len(t.Path) == 0 && t.Op == "absent" {
			return false
		}
		for _, v := range t.Args {
			for term := range v.Terms() {
				if term.Now || len(term.Path) > 0 && !stays(term.Path) {
					return false
				}
			}
		}
	}
	return true
}

// Alters reports whether an action can change an attribute of an entity that exists.
func (a *Action) Alters(e *Entity, x *Attribute) bool {
	switch a.Verb {
	case Update:
		return a.Entity == e && (x.Generated == "version" || a.Changes(x.Name))
	case Replace, Upsert:
		return !slices.Contains(e.Identity, x) && (a.Entity == e || slices.ContainsFunc(a.With, func(name string) bool {
			way := a.Entity.WayBack(name)
			return way != nil && way.From == e
		}))
	}
	return false
}

// SpreadsOver reports whether the skew of a pattern is about the instances of an entity that it reads or writes: it is
// not where it is stated of the values of an attribute that tells apart something else.
func (p *Pattern) SpreadsOver(e *Entity) bool {
	return p.SkewOf == nil || len(p.SkewOf) == 1 && len(e.Identity) == 1 && e.Identity[0].Name == p.SkewOf[0]
}

// SkewText says how calls spread, as people write it; "" if they spread evenly.
func (p *Pattern) SkewText() string {
	if p.Skew.Uniform() && p.PeakSkew().Uniform() {
		return ""
	}
	text := p.Skew.String()
	if p.AtPeak != nil {
		text += ", at peak " + p.AtPeak.String()
	}
	if p.SkewOf != nil {
		text += " of " + p.SkewOf.String()
	}
	return text
}

// Writes reports whether the pattern is a write.
func (p *Pattern) Writes() bool { return p.Read == nil }

// Parameter finds a parameter by name; nil if there is none.
func (p *Pattern) Parameter(name string) *Parameter { return named(p.Parameters, name) }

// Known returns the parameter, or the stored entity that the client reads first, with a name; nil if the pattern has
// neither.
func (p *Pattern) Known(name string) *Parameter {
	if q := p.Parameter(name); q != nil {
		return q
	}
	return named(p.Found, name)
}

func named(all []*Parameter, name string) *Parameter {
	for _, q := range all {
		if q.Name == name {
			return q
		}
	}
	return nil
}

// StatesVersion reports whether an attribute is a version of which callers state the one that they know. A parameter of
// its name that is like another attribute says nothing of it.
func (p *Pattern) StatesVersion(at *Attribute) bool {
	q := p.Parameter(at.Name)
	return at.Generated == "version" && q != nil && (q.Like == nil || q.Like == at)
}

// Parameter is what a call passes in: a value like an attribute's, or a whole entity (with children inside).
type Parameter struct {
	Name     string
	Like     *Attribute // type and domain; nil for an entity. For `each` of what is no entity, a map of what is used
	Entity   *Entity    // set for a value of an entity
	With     []string   // children inside the entity's value, by their ways back.
	List     bool       // a list of it
	Length   Size       // of a list: number of elements
	Same     []string   // of a list: attributes that all elements of one call have in common
	Within   []Near     // of a list: how close together times of its elements lie in one call
	Inside   []Inside   // how many children come inside one value, where that is stated
	Min, Max *attr.Number
	Optional bool
	Stated   float64 // share of calls that state it; 1 unless optional
	From     *Action // of what is read first: the action on that stored entity; nil: callers pass it
}

// Near is how close together the times of an attribute lie in one call's list: of its first to its last element.
type Near struct {
	Of           *Attribute
	Average, Max time.Duration // of a list of average length, and at most
}

// Spans is how far the first and the last of so many elements of a list lie apart in a timestamp; false: nobody says.
func (q *Parameter) Spans(a *Attribute, elements float64) (time.Duration, bool) {
	for _, n := range q.Within {
		if n.Of != a {
			continue
		}
		usual := q.Length.Average - 1
		if usual <= 0 {
			return n.Average, true
		}
		return min(time.Duration(float64(n.Average)*max(elements-1, 0)/usual), n.Max), true
	}
	return 0, false
}

// Inside is how many children by a way come inside one value.
type Inside struct {
	Way    *Relationship
	Number Size
}

// Brings is how many children by a way come inside one value that a call passes, of a parent that has so many in all:
// as many as is stated of the calls, else all of them.
func (q *Parameter) Brings(way *Relationship, all Children) Size {
	if q != nil {
		for _, in := range q.Inside {
			if in.Way == way && all.Stated { // a proof may keep fewer
				most := min(in.Number.Max, max(all.Max, all.Average))
				return Size{Average: min(in.Number.Average, most), Max: most}
			}
		}
	}
	return Size{Average: all.Average, Max: max(all.Max, all.Average)}
}

// LengthOf is the statement of how many children by a way come inside one value, at most so many, as it stands in a
// file.
func (q *Parameter) LengthOf(way *Relationship, most float64) string {
	average := min(way.PerParent.Average, most)
	return "parameters: {" + q.Name + "." + way.Inverse + ": {length: {average: " + strconv.FormatFloat(average, 'f', -1, 64) + ", max: " + strconv.FormatFloat(most, 'f', -1, 64) + "}}}"
}

// BringsStated reports whether it is stated of the calls how many children by a way come inside one value.
func (q *Parameter) BringsStated(way *Relationship) bool {
	return q != nil && slices.ContainsFunc(q.Inside, func(in Inside) bool { return in.Way == way })
}

// ValueOf is the parameter from which an action takes the values that it writes whole; nil: it takes none.
func (p *Pattern) ValueOf(a *Action) *Parameter {
	if a.Verb != Create && a.Verb != Replace && a.Verb != Upsert {
		return nil
	}
	name := a.Each
	if len(a.Value) > 0 && a.Value[0] != "each" {
		name = a.Value
	}
	if len(name) == 0 {
		return nil
	}
	return p.Parameter(name[0])
}

// FoundName names a stored entity that a write reads first: loanFound for a Loan. The step of a designed plan that
// reads it has the same name.
func FoundName(e *Entity) string { return strings.ToLower(e.Name[:1]) + e.Name[1:] + "Found" }

// Optional names a parameter that a call may leave out.
type Optional struct {
	Name  string
	Share float64
}

// Aggregate is an answer computed over the matches.
type Aggregate struct {
	Name string
	Func string // count, exists, sum, min, max
	Path Path   // of sum, min and max
}

// Order is one key of an order.
type Order struct {
	Path       Path
	Attribute  *Attribute // at the end of the path
	Descending bool
	First      bool // what has no value comes first; else last. Either way whatever the direction
}

// Compare orders two entities by their values at the path; zero values are absent ones.
func (o Order) Compare(x, y attr.Value) int {
	switch {
	case x.IsZero() && y.IsZero():
		return 0
	case x.IsZero() || y.IsZero():
		if x.IsZero() == o.First {
			return -1
		}
		return 1
	}
	c := 0
	if o.Attribute != nil {
		c = o.Attribute.Compare(x, y)
	} else {
		c = attr.Compare(x, y)
	}
	if o.Descending {
		return -c
	}
	return c
}

// Verb is what an action does.
type Verb string

// The verbs of actions.
const (
	Create  Verb = "create"
	Replace Verb = "replace"
	Upsert  Verb = "upsert"
	Update  Verb = "update"
	Delete  Verb = "delete"
)

// Action is one change of a write pattern.
type Action struct {
	Verb      Verb
	Entity    *Entity
	Value     Reference // of create, replace, upsert: $order
	With      []string  // ways back: children inside the value; deleted children.
	Each      Reference // once per element; zero: once
	Key       []Assign  // identity attribute = value, of update and delete; complete
	Set       []Assign
	Remove    []Path
	Condition Condition    // nil: none
	Refusal   string       // code if the condition fails
	Found     []*Attribute // what other actions use of the stored entity, which is read first and must still be so
	Requires  []*Relationship
	Makes     bool // of an update: what is not there is made, of its key and of what is set
}

// Checks reports whether an action changes nothing: it only lets the others of its write happen while its condition
// holds.
func (a *Action) Checks() bool {
	return a.Verb == Update && len(a.Set) == 0 && len(a.Remove) == 0 && a.Condition != nil
}

// AdmitsNone reports whether an action only lets the others of its write happen where something is not there,
// `condition: absent`, or is not there or is so that a test holds, `absent or until < now`.
func (a *Action) AdmitsNone() bool {
	if !a.Checks() {
		return false
	}
	options := []Condition{a.Condition}
	if l, ok := a.Condition.(*Logic); ok && l.Op == "or" {
		options = l.Args
	}
	return slices.ContainsFunc(options, func(c Condition) bool {
		t, ok := c.(*Test)
		return ok && t.Op == "absent" && len(t.Path) == 0
	})
}

// Demands reports whether an action is an update that is refused where what it is about is not there.
func (a *Action) Demands() bool { return a.Verb == Update && !a.Makes && !a.AdmitsNone() }

// Follows reports whether an attribute is derived along a path: it is what lies at the end of ways there.
func (a *Attribute) Follows() bool { return a.Derived != nil && a.Derived.Func == "" }

// Expiring is who of those that a number is derived from expires: the number changes then, and no write says so. nil:
// nobody does.
func (a *Attribute) Expiring() *Entity {
	if a.Derived == nil || a.Derived.Func == "" {
		return nil
	}
	segs, err := a.Entity.Resolve(a.Derived.Path)
	if err != nil {
		return nil
	}
	for _, s := range segs {
		switch {
		case s.Way == nil:
		case s.Back && s.Way.From.Expires != nil:
			return s.Way.From
		case !s.Back && s.Way.To.Expires != nil:
			return s.Way.To
		}
	}
	return nil
}

// Sets reports whether an action sets an attribute or something inside it.
func (a *Action) Sets(attribute string) bool {
	return slices.ContainsFunc(a.Set, func(s Assign) bool { return s.Path[0] == attribute })
}

// Removes reports whether an action removes an attribute or something inside it.
func (a *Action) Removes(attribute string) bool {
	return slices.ContainsFunc(a.Remove, func(p Path) bool { return p[0] == attribute })
}

// Changes reports whether an action sets or removes an attribute or something inside it.
func (a *Action) Changes(attribute string) bool { return a.Sets(attribute) || a.Removes(attribute) }

// Made is the share of what an action of a pattern is about that it makes instead of updating it. All that make an
// entity share what its stated growth leaves them.
func (a *Action) Made(p *Pattern) float64 {
	if a == nil || !a.Makes || p.Rate.Average <= 0 {
		return 0
	}
	return a.Entity.Newly
}

// InTurn lists the actions of a write in the order in which they happen. What is all or nothing has no order but that
// of the document. Of what is not, an action that requires something comes first, and one that cannot be refused last,
// since what was done before a refusal stays; what is left keeps its order.
func (p *Pattern) InTurn() []*Action {
	out := slices.Clone(p.Actions)
	if !p.Atomic {
		slices.SortStableFunc(out, func(a, b *Action) int { return a.turn() - b.turn() })
	}
	return out
}

// MadeBefore is the action before another one of a write that is all or nothing which creates what a way of that leads
// to; nil: none does. A call may still lead to one that is stored already. What is not all or nothing asks first, and
// then creates.
func (p *Pattern) MadeBefore(a *Action, way *Relationship) *Action {
	if !p.Atomic {
		return nil
	}
	for _, b := range p.Actions {
		if b == a {
			break
		}
		if b.Verb == Create && b.Entity == way.To {
			return b
		}
	}
	return nil
}

// Reading lists the actions of a write so that each comes behind those of whose stored entities its key uses something,
// in the order of the document otherwise.
func (p *Pattern) Reading() []*Action {
	out := slices.Clone(p.Actions)
	if len(p.Found) > 0 {
		slices.SortStableFunc(out, func(a, b *Action) int { return p.depth(a, 0) - p.depth(b, 0) })
	}
	return out
}

// Circular reports whether the key of an action is said by a stored entity that only the action itself leads to.
func (p *Pattern) Circular(a *Action) bool { return p.depth(a, 0) > len(p.Found) }

// depth is how many stored entities are read one after another until the key of an action is known: more than there are
// where they make a circle.
func (p *Pattern) depth(a *Action, behind int) int {
	most := behind
	for _, k := range a.Key {
		for t := range k.Value.Terms() {
			if len(t.Reference) == 0 {
				continue
			}
			if q := named(p.Found, t.Reference[0]); q != nil && behind <= len(p.Found) {
				most = max(most, p.depth(q.From, behind+1))
			}
		}
	}
	return most
}

// turn is the place of an action among those of a write that is not all or nothing.
func (a *Action) turn() int {
	switch {
	case len(a.Requires) > 0:
		return 0
	case a.Refusable():
		return 1
	}
	return 2
}

// Refusable reports whether the action can be refused.
func (a *Action) Refusable() bool {
	switch {
	case len(a.Requires) > 0, a.Condition != nil, slices.ContainsFunc(a.Set, func(s Assign) bool {
		at := a.Entity.Attribute(s.Path[0])
		return at != nil && at.States != nil
	}):
		return true
	case a.Verb == Update:
		return !a.Makes
	case a.Verb == Replace:
		return true
	case a.Verb == Create:
		return len(a.Entity.Unique) > 0 || !slices.ContainsFunc(a.Entity.Identity, func(at *Attribute) bool { return !at.Given() })
	}
	return a.Verb == Upsert && len(a.Entity.Unique) > 0
}

// LeavesNothing reports whether a write leaves nothing behind where it is refused, be it `atomic` or not: at most one
// of its actions can be refused, and that one is about one instance. Of others, what was done before the refusal stays
// with `atomic: false`.
func (p *Pattern) LeavesNothing() bool {
	refusable := 0
	for _, a := range p.Actions {
		if !a.Refusable() {
			continue
		}
		if refusable++; refusable > 1 || len(a.Each) > 0 {
			return false
		}
	}
	return true
}

// Assign gives a path a value.
type Assign struct {
	Path     Path
	Value    Expr
	Optional bool // a call may leave it out
}

// Rate is calls per second.
type Rate struct{ Average, Peak float64 }

// Size is a distribution by its average and maximum: bytes, or a number of elements.
type Size struct {
	Average, Max float64
}

// Skew is how calls or children spread over values.
type Skew struct {
	Zipf    float64 // exponent; 0: uniform unless Hottest or BySize
	Hottest float64 // share of the hottest value, or of the hottest Keys values together; 0: none
	Keys    int     // how many values share Hottest, each as much; 0: one
	BySize  bool    // of calls: a value is asked for in proportion to how much a call finds there
}

// Uniform reports whether all values are alike.
func (s Skew) Uniform() bool { return s.Zipf == 0 && s.Hottest == 0 && !s.BySize }
