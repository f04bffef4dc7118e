package plan

// Codes of problems. Each is explained in Codes.
const (
	CodeSyntax      = "syntax"
	CodeUnknown     = "unknown-name"
	CodeDuplicate   = "duplicate-name"
	CodeType        = "wrong-type"
	CodeKey         = "key"
	CodeHolds       = "holds"
	CodeShard       = "shard"
	CodeEmbed       = "embed"
	CodePath        = "path"
	CodeTemplate    = "template"
	CodeCodec       = "codec"
	CodeNoPlan      = "no-plan"
	CodeConsistency = "consistency"
	CodeProjection  = "projection"
	CodeSparse      = "not-in-index"
	CodeWhere       = "where"
	CodeElsewhere   = "value-from-elsewhere"
	CodeKeyChange   = "key-change"
	CodeRaw         = "raw"
	CodeSteps       = "steps"
	CodeAnswer      = "answer"
)
