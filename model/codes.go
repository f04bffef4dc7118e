package model

// Code is one kind of finding. The texts of findings change; their codes do not.
type Code struct {
	Name     string
	Severity Severity // the worst it can have
	Meaning  string
}

// Codes are all findings that reading a requirements file can make, by name.
var Codes = []Code{
	{"attribute-kind", Error, "an attribute has none, or more than one, of type, references, parent, derived, states and enum"},
	{"bad-name", Error, "a key is not a name, or is a word of the language"},
	{"bad-rate", Error, "a peak is below its average"},
	{"bad-share", Error, "shares add up to more than 100 %, or all are named and add up to less"},
	{"bad-spread", Error, "an average is above its maximum"},
	{"bad-value", Error, "a value cannot be read as what its key takes"},
	{"children-missing", Error, "a pattern goes along a relationship whose number of children is not said: the size of what it reads is unknown"},
	{"circle", Error, "something follows from itself: types, parents, sequences"},
	{"conflict", Error, "two keys exclude each other"},
	{"count-disagrees", Error, "counts and numbers of children make different totals; a warning where the child does not live with its parent, since then each figure has a use of its own"},
	{"count-missing", Error, "an entity has neither a count nor a parent to derive it from: storage cannot be priced"},
	{"foreign-key", Error, "a foreign key does not fit the identity it points to"},
	{"growth-disagrees", Error, "what is said to be created a month and the rates of what creates it differ by more than 5 %"},
	{"identity", Error, "an attribute cannot be part of an identity, or unique: it is optional, derived, changes, or has a type that keys have not"},
	{"large-answer", Warning, "a call without page, top or whole can answer more than the 1 MB that one request reads"},
	{"length-missing", Error, "how many elements a list parameter has is not said"},
	{"missing-key", Error, "a key that must be there is not"},
	{"name-clash", Error, "one name means two things"},
	{"no-create", Error, "no pattern creates an entity: nothing could be read"},
	{"not-applicable", Error, "a key means nothing for what it stands in"},
	{"orphans", Error, "a delete leaves children behind that live and die with what is deleted"},
	{"parameter-clash", Error, "two uses of a parameter give it two types"},
	{"range", Error, "an update can move a number out of its range without a condition"},
	{"rate-missing", Error, "how often a pattern is called is not said: it can be neither designed nor priced"},
	{"repeated-key", Error, "a key or name is there twice"},
	{"results-disagree", Error, "a read finds more than its relationship has"},
	{"results-missing", Error, "how many entities a read finds does not follow from what it states"},
	{"retention-disagrees", Warning, "what is stored is not what is created while it is kept"},
	{"set-absent", Error, "an update computes with an attribute that may be absent"},
	{"set-fixed", Error, "an update changes what never changes, or what is set by the client itself"},
	{"set-required", Error, "an update removes an attribute that is always there"},
	{"share-missing", Warning, "how often an optional attribute is there is not said: half is taken"},
	{"size-disagrees", Error, "an entity's size and those of its attributes cannot both be right; a warning if that concerns only the largest"},
	{"size-missing", Error, "an entity has no size, nor have all of its attributes: nothing can be priced"},
	{"syntax", Error, "the file is not YAML or JSON"},
	{"unknown-key", Error, "a key does not exist"},
	{"unknown-name", Error, "a name leads to nothing"},
	{"unknown-word", Error, "a value is none of the words that its key takes"},
	{"unread-write", Warning, "no pattern reads what a pattern writes: it costs, and serves nothing that is known"},
	{"unused-accept", Warning, "there is no such finding to accept"},
	{"version", Error, "the file has another version of the format"},
	{"wrong-kind", Error, "a single value stands where a list or map belongs, or the other way round"},
	{"wrong-type", Error, "a value, path or attribute has another type than its place needs"},
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
