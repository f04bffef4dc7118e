package plan

import (
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/spec"
)

// Program is a model resolved against the requirements it serves. It is immutable and safe for concurrent use; nothing
// in it does I/O.
type Program struct {
	Model        *Model
	Requirements *spec.Requirements
	Tables       []*Schema    // in the order of the document
	Procedures   []*Procedure // in the order of the document

	kinds      map[string]*Kind
	procedures map[string]*Procedure
}

// Table finds a table by name; nil if there is none.
func (p *Program) Table(name string) *Schema {
	for _, t := range p.Tables {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// Kind finds what an item of the document became, by the item's name; nil if there is none.
func (p *Program) Kind(name string) *Kind { return p.kinds[name] }

// Procedure finds the resolved plan of an access pattern; nil if there is none, or if it has mistakes that keep it
// from being run.
func (p *Program) Procedure(pattern string) *Procedure { return p.procedures[pattern] }

// Schema is a resolved table.
type Schema struct {
	Name       string
	Document   *Table
	Attributes []Wire    // declared wire attributes, by name
	Base       *Access   // its own key
	Indexes    []*Access // GSIs, then LSIs, each by name
	Kinds      []*Kind   // what lies in it, by name
	TTL        string    // wire attribute; "": none
	tell       teller
}

// Access finds an index by name, or the table's own key for ""; nil if there is none.
func (t *Schema) Access(index string) *Access {
	if index == "" {
		return t.Base
	}
	for _, a := range t.Indexes {
		if a.Index == index {
			return a
		}
	}
	return nil
}

// Wire is an attribute as DynamoDB sees it.
type Wire struct {
	Name string
	Type Type // S, N or B
}

// Access is a way into a table: its own key or the key of one of its indexes.
type Access struct {
	Table     *Schema
	Index     string // "": the table itself
	Local     bool   // a local secondary index
	Partition []Wire
	Sort      []Wire
	Project   string   // All, Keys or "include"; All for the table itself
	Include   []string // with include
}

// Name is Table or Table.Index, as promises name it.
func (a *Access) Name() string {
	if a.Index == "" {
		return a.Table.Name
	}
	return a.Table.Name + "." + a.Index
}

// Global reports whether it is a global secondary index: eventually consistent, with write units of its own.
func (a *Access) Global() bool { return a.Index != "" && !a.Local }

// Role is what an item of the document is for.
type Role uint8

// The roles.
const (
	EntityItem    Role = iota + 1 // an entity, or a part of each
	UniqueItem                    // a marker that keeps attributes of an entity unique
	SequenceItem                  // the last number given
	AggregateItem                 // a derived attribute kept beside its entity
	CopyItem                      // a whole entity once more, under another key
)

// Kind is a resolved item of the document: what lies under one kind of key, and how it is built from its entity.
type Kind struct {
	Name      string
	Path      []string // its place in the document
	Table     *Schema
	Document  Item
	Role      Role
	Entity    *spec.Entity      // whose values it is built from; of a sequence: the entity with the number
	Of        *Kind             // of a copy: the item it copies
	Unique    []*spec.Attribute // of a unique marker: what is unique
	While     spec.Condition    // of a unique marker: which instances have one; nil: all
	Attribute *spec.Attribute   // of a sequence or aggregate: the number
	Recipes   []*Recipe         // wire attributes built by templates: key first, then set, each by name
	Stored    []*Stored         // attributes stored under their own names, then copies, each in order of declaration
	Embeds    []*Embedding      // children inside, by way back
	Pack      *Packing          // several of the entity lie in one item; nil: each has its own
	Shards    int               // 0: none
	ShardBy   *spec.Attribute   // nil: at random
	Stamp     string            // wire attribute that tells whether something has come to the item since it was read; "": none
	Kept      Kept              // of an item that is no entity

	byStored  map[string]*Stored // by name
	besides   []target           // what its key has besides the identity
	byRecipe  map[string]*Recipe // by wire attribute
	byPath    map[string]*Stored // by canonical path
	readers   []reader           // how what is not stored is read back
	constants []*Recipe          // without parts: what tells kinds apart
	derived   []derivation       // what follows from what is stored
	while     []target           // paths of While
	part      bool               // it holds only some attributes of its entity
}

// Recipe builds one wire attribute.
type Recipe struct {
	Wire     Wire
	Text     string         // the template as written; of a stored attribute that is a key as well: {name}
	Literals []string       // text before, between and after the parts: one more than Parts
	Parts    []*Part        // none: a constant
	When     spec.Condition // nil: always
	WhenText string
	Else     string // written where a part has no value; "": then it is absent
	Key      bool   // part of the table's key
	Native   bool   // no template, or one that writes a stored attribute as it is: an attribute or copy that a key or an index names

	constant attr.Value // without parts
	absent   attr.Value // Else
	when     []target   // paths of When
	texts    *lang      // what it can produce; nil for numbers
}

// Part is one part of a template: {path:codec:codec}.
type Part struct {
	Path      spec.Path       // nil: {shard}
	Attribute *spec.Attribute // the path's last; nil for {shard}
	Codecs    []string        // as written; empty: as it is, or text

	target target
	codec  *codec
}

// Width is how many bytes the part takes in every text; 0 if that varies, or it is a number.
func (p *Part) Width() int { return p.codec.width }

// Stored is an attribute stored under its own name.
type Stored struct {
	Name      string
	Attribute *spec.Attribute
	Path      spec.Path // where its value comes from: its own name, or the path of a copy
	Copy      bool
	Kept      Kept // of a copy

	target target
}

// Embedding is children inside their parent's item.
type Embedding struct {
	Kind      *Kind              // the parent's item
	Way       *spec.Relationship // its Inverse is the way back
	Child     *spec.Entity
	Attribute string          // wire attribute that holds them
	As        string          // "map", "list" or "value"
	By        *spec.Attribute // of a map: the child's attribute that is the key
	Stored    []*Stored       // what is stored of each child: all but what the parent or the map's key tells
}

// Procedure is the resolved plan of one access pattern.
type Procedure struct {
	Name     string
	Pattern  *spec.Pattern
	Document Plan
	Program  *Program
	Stages   []*Stage // in an order in which they can run; what does not depend on each other may run together
	From     []*Stage // stages that the answer is made of; nil for a write
	Cursor   *Stage   // the paged stage; nil: not paged
	Page     int      // entities per call; 0: all
	Cut      bool     // each call reads everything, and the client cuts the page out of it

	order       []orderKey // of the answer
	orderOf     *Stage
	keep        spec.Condition
	keepLocal   bool // keep can be tested on what the paged or topped step reads
	native      bool // the answer is read in its order
	topStage    *Stage
	existsStage *Stage
	late        map[*Stage]bool // see [Stage.Late]
	beside      map[*Stage]bool // stages of the answer that find what a way leads to, of the kind that is asked for
	parts       []soughtPart    // of entities that lie in parts, those that the answer's steps look for
	counted     []*counted      // for each aggregate: where it is kept; nil: it is counted
	codes       map[string]bool // with which the pattern may refuse
	maybe       map[string]bool // those of them that a plan may do without
}

// Verb is what a stage does.
type Verb uint8

// The verbs, as DynamoDB's operations.
const (
	Get Verb = iota + 1
	BatchGet
	Query
	Scan
	Put
	Update
	Delete
	Check // only inside a transaction
	Transact
	TransactGet
	BatchWrite
)

// Stage is a resolved step: one request, or one per element of Each or per shard; or an action inside one.
type Stage struct {
	Name       string   // "" inside a transaction or batch
	Path       []string // its place in the document
	Verb       Verb
	Document   *Step
	Procedure  *Procedure
	Kind       *Kind      // of the verbs on one item; of query and scan the first of Kinds
	Embed      *Embedding // put, update, delete and check of one child inside the item, instead of the item itself
	Access     *Access    // of query and scan; for all others the table's own key
	Kinds      []*Kind    // of query and scan: all that can fall into the range
	Actions    []*Stage   // of transact, transact-get and batch-write
	Where      []*Bound   // of query: what is bound, in the order of the key
	Each       spec.Reference
	Needs      []*Stage // stages whose results it uses, or that must come before
	Consistent bool
	Descending bool
	Evaluate   int      // DynamoDB's Limit; 0: none
	Scatter    int      // requests it is spread over: the number of shards; 0: none, -1: the buckets of a range
	Changes    []string // of writes: top-level wire attributes of an item that is there which it can change, by name
	Code       string   // refusal code of `else`; "condition" without
	Fills      bool     // of update: the item has come without what it writes; see [Fragments.Filling]

	each     *referent // what Each is; nil: once
	value    *referent // of put
	valueRef spec.Reference
	key      []assign
	with     []assign
	sets     []assign
	told     []assign // of an update that makes what is not there: the identity, as far as the item stores it beside its key
	adds     []assign
	removes  []target
	guards   []guard
	still    *Stage // whose items must still be as it found them
	filter   spec.Condition
	project  []target
	lacks    []string              // of what makes an item: wire attributes that the consumer of a stream fills in
	outdated map[*Kind][]spec.Path // of a step of the answer: copies whose originals another one reads
	token    spec.Reference
	rewrites []*Recipe // of update: templates that depend on what it changes
	version  *spec.Attribute
	binds    []bind          // of query: one for each attribute of the key that the range constrains
	uses     map[*Stage]bool // what it refers to
	singles  map[*Stage]bool // what it refers to as one item, not only as `each`
	keyed    map[*Stage]bool // what must have found something if its key leads somewhere
	all      map[*Stage]bool // what must have found the items of all its elements

	projection *expr.Projection
}

// Wanted is how many entities of its pattern a stage finds before it stops: those of a page, or the first so many that
// are asked for. With `evaluate`, and without, it asks again until then. 0: all.
func (s *Stage) Wanted() int {
	switch p := s.Procedure; s {
	case p.Cursor:
		return p.Page
	case p.topStage:
		return p.Pattern.Top
	case p.existsStage:
		return 1
	}
	return 0
}

// Bound is one part of a key that a query binds.
type Bound struct {
	Wire   Wire
	Path   spec.Path   // in its shortest form; nil: {shard}
	Form   string      // is, between, from, to, after, before or prefix; from or after may stand beside to or before of the same part
	Values []spec.Expr // one, or two of between
	Absent bool        // of one end: what has no value lies in the range as well
}
