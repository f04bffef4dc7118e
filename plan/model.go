package plan

// Model is a data model: what a model file says. Templates, paths, values and conditions are text in the
// language of packages spec and keys; Compile parses them.
type Model struct {
	Application string
	Tables      []Table
	Plans       []Plan
	Decisions   []Decision
}

// Type of a wire attribute.
type Type string

// Wire types.
const (
	S Type = "S"
	N Type = "N"
	B Type = "B"
)

// Projections and stream views.
const (
	All       = "all"
	Keys      = "keys"
	Include   = "include"
	NewAndOld = "new-and-old"
)

// Table is one DynamoDB table.
type Table struct {
	Name       string
	Attributes map[string]Type // wire attributes that keys, indexes and TTL name
	Key        Key
	GSI        map[string]Index
	LSI        map[string]Index // Partition is the table's and may be left out; one sort attribute
	TTL        string           // wire attribute, N; "": none
	Stream     string           // "", new-and-old, new, old, keys
	Class      string           // "" or standard, infrequent-access
	Billing    Billing
	Warm       Billing // on demand: units per second for which the table is ready from the start; 0: as a new table is
	Items      map[string]Item
}

// Key of a table.
type Key struct{ Partition, Sort string }

// Index is a GSI (1 to 4 partition and 0 to 4 sort attributes) or an LSI.
type Index struct {
	Partition, Sort []string
	Project         string   // all (default for ""), keys, or include
	Include         []string // with include
	Warm            Billing  // of a GSI on demand, as of a table
}

// Billing is on demand if both are 0, else provisioned units per second.
type Billing struct{ Read, Write float64 }

// Item says what lies in a table and how it is built from its entity.
type Item struct {
	Name    string
	Holds   Holds             // zero: the entity named like the item
	Key     map[string]string // wire attribute → template
	Set     map[string]Template
	Stores  []string // attributes stored under their own names; nil: all of the entity. Several items may store a part each
	Copies  map[string]Copy
	Embed   map[string]Embed // way back → children inside
	Pack    string           // timestamp of the identity: all that the key's bucket of it does not tell apart lie in one item; "": each has its own
	Shard   *Shard
	Stamp   string // wire attribute with a text that every put, and every update that says so, makes anew; "": none
	Kept    *Kept  // of an item that is no entity: how it is kept true
	Promise ItemPromise
}

// Holds says what an item is. At most one field is set, but for While, which goes with Unique.
type Holds struct {
	Entity    string
	Unique    string // Customer.email, or Entity.a+b of several
	While     string // condition: of Unique, which instances have a marker
	Sequence  string // Issue.number
	Aggregate string // Post.likeCount
	CopyOf    string // item
}

// Template builds one wire attribute. When makes it sparse: absent if the condition is false. Else is written where a
// part has no value, so that what lacks it has its place in the order of an index too.
type Template struct{ Value, When, Else string }

// Copy is a stored duplicate of an attribute of another entity.
type Copy struct {
	From string
	Kept Kept // zero: immutable
}

// Kept says how a duplicate stays true: immutable (zero), a snapshot that is never changed, rewritten by named
// patterns, or by a stream consumer.
type Kept struct {
	Snapshot bool
	By       []string // patterns
	Stream   bool
	Recheck  bool // the stream consumer also compares what a new item brings with its source
	Atomic   bool
	Within   string // duration
}

// Embed puts children into their parent's item.
type Embed struct {
	Attribute string
	As        string // map, list, value
	By        string // of a map: the child's attribute that is the key
}

// Shard gives the part {shard}.
type Shard struct {
	Of int
	By string // random, or an attribute whose hash counts
}

// Plan serves one access pattern.
type Plan struct {
	Name    string
	Steps   map[string]Step
	Answer  Answer
	Promise Promise
	Gaps    bool // sequences may have gaps
}

// Step is one request, or one action inside Transact, TransactGet or BatchWrite. Exactly one of the verbs is set. Put,
// Update and Delete can also name children inside an item: Order.items is one child of the item Order.
type Step struct {
	Get, BatchGet              string // item
	Query, Scan                string // table or table.index
	Put, Update, Delete, Check string // item
	Transact, TransactGet      []Step
	BatchWrite                 []Step
	Raw                        map[string]string // imported: an operation with its expressions; it cannot be proven or run

	Items      []string         // of query and scan: all that can fall into the range
	Where      map[string]Range // parts of the key
	Order      string           // "" or ascending, descending
	Evaluate   int              // DynamoDB's Limit; 0: none
	Consistent bool
	Filter     string // condition
	Project    []string
	Scatter    string // shard, or a bucketed part

	Key    map[string]string // path → value
	Each   string            // reference
	Value  string            // of put: $each, $order.invoice; "": the entity's own parameter
	With   map[string]string // of put: path → value, adds or replaces
	Set    map[string]string // path → value
	Add    map[string]string
	Remove []string
	If     []string // conditions, all must hold
	Else   string   // refusal code
	Still  string   // of a write: the step whose items must still be as it found them
	Stamp  bool     // of update: makes the item's stamp anew
	Return string
	Token  string   // of transact: reference
	Needs  []string // of a write: steps that must have found something, or an item for each element; else it is refused as missing
	After  []string
}

// Range constrains one key part. Exactly one form is set: Is, or Between, or one or two of From/After and To/Before,
// or Prefix.
type Range struct {
	Is                      string
	Between                 []string // from, to; inclusive
	From, To, After, Before string
	Prefix                  string
	Absent                  bool // with one end: also what has no value, which the key has at the other end
}

// Answer says how the steps' results become the pattern's answer.
type Answer struct {
	From    []string // steps; empty: the only reading step
	Page    int
	Order   []string // when merging: "path" or "path descending"
	OrderOf string
	Missing string // drop (default) or fail
	Keep    string // condition at the client
	Cursor  string // step, or [CutAnswer]
}

// Promise is what a plan was priced with, per call at average.
type Promise struct {
	AverageRate, PeakRate float64 // calls per second
	Items, Bytes          float64 // read or written
	Read                  map[string]float64
	Write                 map[string]float64 // Table or Table.Index → units
}

// ItemPromise is what is stored.
type ItemPromise struct {
	Count            float64
	Bytes, BytesMost float64
}

// Decision explains one choice.
type Decision struct {
	About    string
	Rule     string
	Because  string
	Inputs   []Input
	Cost     float64 // dollars per month of the model with the choice; 0: not priced
	Rejected []Rejected
}

// Input is one figure a decision rests on.
type Input struct{ Name, Value string }

// Rejected is an alternative and what the whole would have cost with it.
type Rejected struct {
	What    string
	Cost    float64 // dollars per month, best total with the alternative forced; 0 if it is inadmissible
	Because string
}

// StepNames lists a plan's steps so that each comes behind those it refers to, else by name.
func (p *Plan) StepNames() []string {
	names, _ := stepOrder(p.Steps)
	return names
}
