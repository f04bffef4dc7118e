package plan

// Codes of problems.
const (
	CodeSyntax      = "syntax"
	CodeUnknown     = "unknown-name"
	CodeDuplicate   = "duplicate-name"
	CodeType        = "wrong-type"
	CodeKey         = "key"
	CodeHolds       = "holds"
	CodeShard       = "shard"
	CodeEmbed       = "embed"
	CodePack        = "pack"
	CodePath        = "path"
	CodeTemplate    = "template"
	CodeCodec       = "codec"
	CodeNoPlan      = "no-plan"
	CodeSteps       = "steps"
	CodeRaw         = "raw"
	CodeAnswer      = "answer"
	CodeElsewhere   = "value-from-elsewhere"
	CodeKeyChange   = "key-change"
	CodeSparse      = "not-in-index"
	CodeWhere       = "where"
	CodeProjection  = "projection"
	CodeLimit       = "limit"
	CodeIdentity    = "key-and-identity"
	CodeInjective   = "not-injective"
	CodeReadable    = "not-readable"
	CodeKept        = "not-kept"
	CodeCollide     = "keys-collide"
	CodeHome        = "home"
	CodeRange       = "range-overlap"
	CodeServe       = "not-served"
	CodeExtra       = "not-asked"
	CodeOrder       = "order"
	CodePage        = "page"
	CodeCut         = "cut-short"
	CodeReturns     = "not-returned"
	CodeConsistency = "consistency"
	CodeScan        = "scan"
	CodeParameter   = "unused-parameter"
	CodeWrite       = "not-written"
	CodeGuard       = "guard"
	CodeRefusal     = "refusal"
	CodeUnique      = "unique"
	CodeAtomic      = "not-atomic"
	CodeStale       = "read-then-write"
	CodeExpiry      = "time-to-live"
)

// Codes explains each code in a sentence, for lists of them.
var Codes = map[string]string{
	CodeSyntax:      "A path, value, condition or template cannot be read.",
	CodeUnknown:     "A name stands for nothing.",
	CodeDuplicate:   "Two things have one name.",
	CodeType:        "A value or wire attribute has another type than it must have.",
	CodeKey:         "A key cannot be built: a template or a value is missing, or there is one too many.",
	CodeHolds:       "An item cannot hold what it says.",
	CodeShard:       "Shards are declared wrongly, or it is not known in which shard an item lies.",
	CodeEmbed:       "Children cannot lie inside their parent's item so, or a child could be without a parent.",
	CodePack:        "Several entities cannot lie in one item so, or a step cannot be about one of them.",
	CodePath:        "A template or copy follows a path that leads to several values.",
	CodeTemplate:    "The parts of a template run into each other.",
	CodeCodec:       "A codec does not exist, does not fit its attribute, or lacks the order that is asked of it.",
	CodeNoPlan:      "An access pattern has no plan.",
	CodeSteps:       "A step asks for what DynamoDB's operation does not do, or contradicts itself.",
	CodeRaw:         "A step is imported as it was and cannot be proven, priced or run.",
	CodeAnswer:      "It is not clear how the steps' results become the answer.",
	CodeElsewhere:   "A write needs a value that it does not know.",
	CodeKeyChange:   "An update changes what a key is built from.",
	CodeSparse:      "Items are not in the index that a step reads, or not all of them.",
	CodeWhere:       "A range cannot be stated as a key condition.",
	CodeProjection:  "An index does not hold what a step reads or tests.",
	CodeLimit:       "One of DynamoDB's limits is exceeded, at average or at the stated maxima.",
	CodeIdentity:    "A key does not contain the identity, or contains more and lets a second one in.",
	CodeInjective:   "Different values are written alike where they must be told apart.",
	CodeReadable:    "An attribute is neither stored nor readable from a template.",
	CodeKept:        "A copy or derived number does not follow what it is made from.",
	CodeCollide:     "Two kinds of items can have one key.",
	CodeHome:        "An entity lies in no table, or in two places.",
	CodeRange:       "A query can read items of a kind that it does not list.",
	CodeServe:       "A plan does not see to something that its pattern asks for.",
	CodeExtra:       "A plan demands or changes something that its pattern does not ask for.",
	CodeOrder:       "An answer does not come in the pattern's order.",
	CodePage:        "Pages are not those of the pattern.",
	CodeCut:         "A step can stop before it has found everything.",
	CodeReturns:     "An attribute that the pattern returns is not read.",
	CodeConsistency: "A step reads less freshly than the pattern demands.",
	CodeScan:        "A pattern is served by a scan without asking for the whole set.",
	CodeParameter:   "A plan does not use a parameter of its pattern.",
	CodeWrite:       "A plan does not write what its pattern says.",
	CodeGuard:       "A write does not ask what it must before it writes.",
	CodeRefusal:     "A plan refuses with other codes than its pattern.",
	CodeUnique:      "Nothing keeps attributes unique that the requirements call unique.",
	CodeAtomic:      "What must happen all or not at all is written in several steps.",
	CodeExpiry:      "Time to live deletes an entity too early, or what should go stays.",
	CodeStale:       "A write relies on what it read before without checking it again.",
}
