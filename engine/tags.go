package engine

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/wire"
)

// Limits of tags (Tagging). Characters are counted, not bytes.
const (
	tagKeyLength   = 128
	tagValueLength = 256
	tagsOfTable    = 50
)

// tagCharacters reports whether a text has only what tags may have: letters, digits and blanks of all scripts and some
// signs (captured on AWS, 2026-10).
func tagCharacters(s string) bool {
	for _, c := range s {
		if !unicode.IsLetter(c) && !unicode.IsNumber(c) && !unicode.Is(unicode.M, c) && !unicode.Is(unicode.Z, c) && !strings.ContainsRune("+-=._:/@", c) {
			return false
		}
	}
	return utf8.ValidString(s)
}

func checkTagKey(key string) *wire.Error {
	if n := utf8.RuneCountInString(key); n == 0 || n > tagKeyLength || !tagCharacters(key) {
		return wire.Invalid("The Tag Key provided is invalid, Key: " + key)
	}
	if strings.HasPrefix(strings.ToLower(key), "aws:") {
		return wire.Invalid("Tag Key cannot be prefixed with aws:, Key: " + key)
	}
	return nil
}

// checkTags holds tags to what the service takes, a key once and none of AWS's own (texts captured on AWS, 2026-10).
func checkTags(l []wire.Tag) *wire.Error {
	for i, t := range l {
		noKey, noValue := t.Absent()
		if noKey {
			return wire.Invalid("The Tag Key provided is invalid, Key: null")
		}
		if err := checkTagKey(t.Key); err != nil {
			return err
		}
		if noValue {
			return wire.Invalid("The Tag Value provided is invalid, Value: null")
		}
		if utf8.RuneCountInString(t.Value) > tagValueLength || !tagCharacters(t.Value) {
			return wire.Invalid("The Tag Value provided is invalid, Value: " + t.Value)
		}
		if slices.ContainsFunc(l[:i], func(o wire.Tag) bool { return o.Key == t.Key }) {
			return wire.Invalid("Duplicate Tag Keys provided as input: Duplicate Tag Key found " + t.Key)
		}
	}
	return nil
}

var errTagCount = wire.Invalid("Number of Tags exceed the current limit for the provided ResourceArn")

// checkTagCount holds the tags of a table together to their limit.
func checkTagCount(l []wire.Tag) *wire.Error {
	if len(l) > tagsOfTable {
		return errTagCount
	}
	return nil
}

// taggedName is the name of the table that an ARN is of. One of another service or account is told before one of another
// Region (captured on AWS).
func (e *session) taggedName(arn string) (string, error) {
	arn = e.here(arn)
	if !strings.HasPrefix(arn, "arn:") {
		return "", wire.Invalid(inv + "ARNs must start with 'arn:': " + arn)
	}
	if part := strings.Split(arn, ":"); len(part) >= 5 && (part[2] != "dynamodb" || part[4] != e.options.Account) {
		return "", wire.NewError(wire.CodeAccessDenied, "Access is denied")
	}
	name, own := strings.CutPrefix(arn, e.arn(""))
	if !own || len(name) < int(capacity.TableNameBytesLeast) {
		return "", wire.Invalid("Invalid TableArn: Invalid ResourceArn provided as input " + arn)
	}
	if _, part, sub := strings.Cut(name, "/"); sub && strings.HasPrefix(part, "index/") {
		return "", wire.Invalid(inv + "Invalid resource arn provided, only table or stream is accepted. Provided resource arn: " + arn)
	}
	return name, nil
}

// tagged finds the table of an ARN.
func (e *session) tagged(arn string) (*table, error) {
	name, err := e.taggedName(arn)
	if err != nil {
		return nil, err
	}
	t := e.find(e.id(name))
	if t == nil || !e.usable(t) || !e.permits(t) {
		return nil, wire.NewError(wire.CodeResourceNotFound, "Requested resource not found: ResourceArn: "+arn+" not found")
	}
	return t, nil
}

// changeTags changes the tags of a table. The answer has no body.
func (e *session) changeTags(arn string, change func([]wire.Tag) ([]wire.Tag, *wire.Error)) ([]byte, error) {
	t, err := e.tagged(arn)
	if err != nil {
		return nil, err
	}
	err = e.define(t.id, func(kv.Writer) (*definition, error) {
		t, err := e.tagged(arn)
		if err != nil {
			return nil, err
		}
		def := *t.def
		tags, refused := change(slices.Clone(def.Create.Tags))
		if refused != nil {
			return nil, refused
		}
		def.Create.Tags = tags
		return &def, nil
	})
	return nil, err
}

func (e *session) tagResource(body []byte) ([]byte, error) {
	in, err := wire.DecodeTags(body, "TagResourceInput")
	if err != nil {
		return nil, err
	}
	if _, err := e.taggedName(in.ResourceARN); err != nil { // before tags (catalogued on AWS by the authors of dynalite)
		return nil, err
	}
	if len(in.Tags) == 0 {
		return nil, wire.Invalid("Atleast one Tag needs to be provided as Input.")
	}
	if err := checkTags(in.Tags); err != nil {
		return nil, err
	}
	return e.changeTags(in.ResourceARN, func(tags []wire.Tag) ([]wire.Tag, *wire.Error) {
		for _, t := range in.Tags {
			if i := slices.IndexFunc(tags, func(o wire.Tag) bool { return o.Key == t.Key }); i >= 0 {
				tags[i] = t
			} else {
				tags = append(tags, t)
			}
		}
		if err := checkTagCount(tags); err != nil {
			return nil, err
		}
		return tags, nil
	})
}

func (e *session) untagResource(body []byte) ([]byte, error) {
	in, err := wire.DecodeTags(body, "UntagResourceInput")
	if err != nil {
		return nil, err
	}
	if _, err := e.taggedName(in.ResourceARN); err != nil {
		return nil, err
	}
	if len(in.Keys) == 0 {
		return nil, wire.Invalid("Atleast one Tag Key needs to be provided as Input.")
	}
	if len(in.Keys) > tagsOfTable {
		return nil, errTagCount
	}
	for _, key := range in.Keys {
		if err := checkTagKey(key); err != nil {
			return nil, err
		}
	}
	return e.changeTags(in.ResourceARN, func(tags []wire.Tag) ([]wire.Tag, *wire.Error) {
		return slices.DeleteFunc(tags, func(t wire.Tag) bool { return slices.Contains(in.Keys, t.Key) }), nil
	})
}

// listTagsOfResource answers all tags: those of a table are one page, and a NextToken is ignored (captured on AWS, 2026-10).
func (e *session) listTagsOfResource(body []byte) ([]byte, error) {
	in, err := wire.DecodeTags(body, "ListTagsOfResourceInput")
	if err != nil {
		return nil, err
	}
	t, err := e.tagged(in.ResourceARN)
	if err != nil {
		return nil, err
	}
	out := wire.ListTagsOutput{Tags: slices.Clone(t.def.Create.Tags)}
	slices.SortFunc(out.Tags, func(a, b wire.Tag) int { return cmp.Compare(a.Key, b.Key) })
	if out.Tags == nil {
		out.Tags = []wire.Tag{}
	}
	return out.Append(nil), nil
}
