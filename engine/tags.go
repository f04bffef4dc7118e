package engine

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/wire"
)

// checkTags holds tags to what the service takes: a key once and not AWS's own.
func checkTags(l []wire.Tag) *wire.Error {
	for i, t := range l {
		switch {
		case t.Key == "" || utf8.RuneCountInString(t.Key) > 128:
			return wire.Invalid("Tag keys must have a length of 1 to 128 characters")
		case utf8.RuneCountInString(t.Value) > 256:
			return wire.Invalid("Tag values must have a length of at most 256 characters")
		case strings.HasPrefix(strings.ToLower(t.Key), "aws:"):
			return wire.NewError("AccessDeniedException", "aws: prefixed tag key names are not allowed for external use.")
		}
		if slices.ContainsFunc(l[:i], func(o wire.Tag) bool { return o.Key == t.Key }) {
			return wire.Invalid("Duplicate tag key: " + t.Key)
		}
	}
	return nil
}

// checkTagCount holds the tags of a table together to their limit (Tagging).
func checkTagCount(l []wire.Tag) *wire.Error {
	if len(l) > 50 {
		return wire.NewError(wire.CodeLimitExceeded, "The number of tags exceeds the limit of 50 of a resource")
	}
	return nil
}

// tagged finds the table of an ARN. One of another service or account is told before one of another Region (captured on
// AWS).
func (e *session) tagged(arn string) (*table, error) {
	if part := strings.Split(arn, ":"); len(part) >= 5 && part[0] == "arn" && (part[2] != "dynamodb" || part[4] != e.options.Account) {
		return nil, wire.NewError("AccessDeniedException", "The resource "+arn+" is not of DynamoDB in this account")
	}
	name, own := strings.CutPrefix(arn, e.arn(""))
	if !own {
		return nil, wire.Invalid("Invalid TableArn: Invalid ResourceArn provided as input " + arn)
	}
	t := e.catalog.Load().byID[e.id(name)]
	if t == nil {
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
	if len(in.Keys) == 0 {
		return nil, wire.Invalid("Atleast one Tag Key needs to be provided as Input.")
	}
	return e.changeTags(in.ResourceARN, func(tags []wire.Tag) ([]wire.Tag, *wire.Error) {
		return slices.DeleteFunc(tags, func(t wire.Tag) bool { return slices.Contains(in.Keys, t.Key) }), nil
	})
}

func (e *session) listTagsOfResource(body []byte) ([]byte, error) {
	in, err := wire.DecodeTags(body, "ListTagsOfResourceInput")
	if err != nil {
		return nil, err
	}
	t, err := e.tagged(in.ResourceARN)
	if err != nil {
		return nil, err
	}
	out := wire.ListTagsOutput{Tags: t.def.Create.Tags}
	if out.Tags == nil {
		out.Tags = []wire.Tag{}
	}
	return out.Append(nil), nil
}
