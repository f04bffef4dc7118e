package model

// Code is one kind of finding. The texts of findings change; their codes do not.
type Code struct {
	Name     string
	Severity Severity // the worst it can have
	Meaning  string
	Remedy   string // what to do about it, where a finding has nothing better to say
}

// Codes are all findings that reading a requirements file can make, by name.
var Codes = []Code{
	{"attribute-kind", Error, "an attribute has none, or more than one, of type, references, parent, derived, states and enum", "keep one of them"},
	{"bad-name", Error, "a key is not a name, or is a word of the language", "choose another name: a letter, then letters, digits, _ and -"},
	{"bad-rate", Error, "a peak is below its average", "state what is called at most as the peak, and what is called on the whole as the average"},
	{"bad-share", Error, "shares add up to more than 100 %, or all are named and add up to less", "let the named shares add up to 100%, or leave out those that share the rest"},
	{"bad-spread", Error, "an average is above its maximum", "state an average from 0 to the maximum"},
	{"bad-value", Error, "a value cannot be read as what its key takes", "write it as the key takes it: `tablewright schema requirements` shows an example of each"},
	{"beyond-limits", Warning, "the designer finds no model that serves a statement within DynamoDB's limits", "state less of it; a smaller peak or maximum, `atomic: false`, or a read that may be older"},
	{"children-missing", Error, "a pattern goes along a relationship whose number of children is not said: the size of what it reads is unknown", "add per-parent: {average: …, max: …} to the foreign key"},
	{"circle", Error, "something follows from itself: types, parents, sequences, or creations that need each other", "let one of them rest on something else"},
	{"conflict", Error, "two keys exclude each other", "leave one of the two out"},
	{"count-disagrees", Error, "counts and numbers of children make different totals", "correct one of the figures, or leave out the one that follows from the other"},
	{"count-missing", Error, "an entity has neither a count nor a parent to derive it from: storage cannot be priced", "add count: how many are stored today"},
	{"created-apart", Warning, "a write creates a parent and a child apart, and nothing says that the one is the child of the other: nothing of the parent can lie with the child", "create the child inside its parent, with `with`"},
	{"external", Error, "more than the identity is used of an entity that another system keeps", "ask that system, or keep the entity here, without `external`"},
	{"foreign-key", Error, "a foreign key does not fit the identity it points to", "name the attributes of the foreign key in the order of the identity, this one among them"},
	{"foreign-prices", Warning, "the prices of a Region are asked for that are not built in: nothing can be priced without a price file", "give a price file of that Region to build, design and cost with --prices FILE, or leave it out"},
	{"growth-disagrees", Error, "what is said to be created a month and the rates of what creates it differ by more than 5 %", "correct growth or the rates, or leave growth out: it follows from the rates"},
	{"identity", Error, "an attribute cannot be part of an identity, or unique: it is optional, derived, changes, or has a type that keys have not", "choose attributes that are always there, never change, and are text, numbers, binary, dates or times"},
	{"kept-longer", Warning, "nothing deletes an entity when its retention is over", "add `createdAt: {type: timestamp, generated: now}`, or delete it with a pattern"},
	{"large-answer", Warning, "a call without page, top or whole can answer more than the 1 MB that one request reads", "add page, top or whole: true"},
	{"length-missing", Error, "how many elements a list parameter has is not said", "add length: {average: …, max: …} to the parameter"},
	{"missing-key", Error, "a key that must be there is not", "add it"},
	{"name-clash", Error, "one name means two things", "rename one of them"},
	{"never-written", Warning, "a value is stated to be stored, and no pattern writes it", "add the pattern that writes it, or accept this finding with a reason"},
	{"no-create", Error, "no pattern creates an entity: nothing could be read", "add a pattern that creates it, or leave the entity out"},
	{"no-effect", Warning, "a key is understood, and nothing depends on it yet", "leave it out, or keep it for later"},
	{"not-applicable", Error, "a key means nothing for what it stands in", "leave it out here"},
	{"one-region", Warning, "several Regions are stated, and nothing depends on them yet", "leave all but one out, or accept it; the replicated writes and storage of a global table are to be added to the price"},
	{"orphans", Error, "a delete leaves children behind that live and die with what is deleted", "delete the children with it"},
	{"parameter-clash", Error, "two uses of a parameter give it two types", "give the two uses two names"},
	{"range", Error, "an update can move a number out of its range without a condition", "add a condition that keeps it inside"},
	{"rate-missing", Error, "how often a pattern is called is not said: it can be neither designed nor priced", "add rate: {average: …, peak: …}"},
	{"refused-halfway", Warning, "a write is not all or nothing, and more than one of its actions can be refused: what came before stays", "list first what is to stay, and accept it with a reason; or leave `atomic: false` out"},
	{"repeated-key", Error, "a key or name is there twice", "keep one of them"},
	{"results-disagree", Error, "a read finds more than its relationship has", "correct `results`, or `per-parent` of the relationship"},
	{"results-missing", Error, "how many entities a read finds does not follow from what it states", "add results: {average: …, max: …}"},
	{"retention-disagrees", Warning, "what is stored is not what is created while it is kept", "correct count, growth or retention"},
	{"same-identity", Warning, "a write creates several at once whose identities are the same", "add a part to the identity that tells them apart"},
	{"set-absent", Error, "an update computes with an attribute that may be absent", "use if_missing(path, value)"},
	{"set-fixed", Error, "an update changes what never changes, or what is set by the client itself", "leave it out: it stays as it is, or changes by itself"},
	{"set-required", Error, "an update removes an attribute that is always there", "make the attribute optional, or set it"},
	{"share-disagrees", Warning, "a list of all that have a value finds more or fewer than its share of all there are", "correct the share, the results or the count"},
	{"share-missing", Warning, "how often an optional attribute is there is not said: half is taken", "add share: how often it is there"},
	{"size-disagrees", Error, "an entity's size and those of its attributes cannot both be right; a warning if that concerns only the largest", "correct the entity's bytes or those of its attributes"},
	{"size-missing", Error, "an entity has no size, nor have all of its attributes: nothing can be priced", "add bytes to the entity, or to all of its attributes"},
	{"skew-cut", Warning, "a skew gives one parent more children than any can have", "let the skew and `max` of `per-parent` agree"},
	{"syntax", Error, "the file is not YAML or JSON", "check the brackets and commas before this place"},
	{"too-large", Error, "an entity can be larger than an item of DynamoDB, or its identity than a key", "keep what is large elsewhere, such as in S3, and here where it is; or make its parts entities of their own"},
	{"too-many-actions", Error, "a write that is all or nothing can need more actions than a transaction of DynamoDB takes, whatever the model is", "write `atomic: false`, or state a smaller maximum"},
	{"uncovered", Error, "the designer has no rule for it yet: it makes no model", "leave it out, or make the model by hand: it can be checked, proven and priced all the same"},
	{"unknown-key", Error, "a key does not exist", "leave it out, or see `tablewright schema requirements` for the keys there are"},
	{"unknown-name", Error, "a name leads to nothing", "use a name that is declared, or declare this one"},
	{"unknown-parent", Warning, "a write creates a parent whose identity is made at the call, and a child that has to name its parent", "create the child inside its parent, with `with`, or let the caller choose the identity"},
	{"unknown-word", Error, "a value is none of the words that its key takes", "use one of the words that the key takes"},
	{"unordered", Error, "something is ordered by states or enum values, and how these sort is not said", "add `ordered: true` to them for the order in which they are stated, `ordered: false` for that of their texts"},
	{"unread-write", Warning, "no pattern reads what a pattern writes: it costs, and serves nothing that is known", "add the pattern that reads it, or accept this finding with a reason"},
	{"unused-accept", Warning, "there is no such finding to accept", "leave it out"},
	{"version", Error, "the file has another version of the format", "use a program that reads this version, or write tablewright: 1"},
	{"wrong-kind", Error, "a single value stands where a list or map belongs, or the other way round", "write a single value, a list [a, b] or a map {key: value} as the key takes it"},
	{"wrong-type", Error, "a value, path or attribute has another type than its place needs", "use what has the type that this place needs"},
}

// remedyFor is the general remedy of a code; "" for the codes of plans, whose findings have their own.
func remedyFor(code string) string {
	for _, c := range Codes {
		if c.Name == code {
			return c.Remedy
		}
	}
	return ""
}

func isCode(name string) bool {
	for _, c := range Codes {
		if c.Name == name {
			return true
		}
	}
	return false
}

func codeNames() []string {
	names := make([]string, len(Codes))
	for i, c := range Codes {
		names[i] = c.Name
	}
	return names
}
