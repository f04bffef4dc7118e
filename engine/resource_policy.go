package engine

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/wire"
)

// resource is what a policy belongs to: a table, or one of its streams by its label.
type resource struct{ table, stream string }

// subresource is what may follow a table's name in an ARN.
var subresource = regexp.MustCompile(`^([^/]+)(?:/(index|stream)/([^/]+))?$`)

// resourceOf reads the ARN of what a policy belongs to (texts captured on AWS, 2026-10).
func (e *session) resourceOf(arn string) (r resource, err *wire.Error) {
	arn = e.here(arn)
	part := splitARN(arn)
	switch {
	case part[0] != "arn" || len(part) == 1:
		return r, wire.Invalid(inv + "ARNs must start with 'arn:': " + arn)
	case len(part) < 6 || part[2] != "dynamodb" || !strings.HasPrefix(part[5], "table/"):
		return r, wire.Invalid(inv + "Provided Arn is not a DynamoDB resource arn: " + arn)
	case part[4] != e.options.Account:
		return r, wire.Invalid("This action is only supported by accounts that match the resource owner’s account.")
	case part[1] != "aws" || part[3] != e.region:
		return r, wire.Invalid(inv + "Invalid resource Arn: " + arn)
	}
	m := subresource.FindStringSubmatch(strings.TrimPrefix(part[5], "table/"))
	switch {
	case m == nil:
		return r, wire.Invalid(inv + "Provided Arn is not a DynamoDB resource arn: " + arn)
	case m[2] == "index":
		return r, wire.Invalid(inv + "Invalid resource arn provided, only table or stream is accepted. Provided resource arn: " + arn)
	}
	return resource{table: m[1], stream: m[3]}, nil
}

// protected finds the table that a policy is of, or whose stream it is of.
func (e *session) protected(r resource) (*table, error) {
	t, err := e.settled(r.table)
	if err == nil && r.stream != "" && r.stream != t.def.StreamLabel {
		return nil, wire.NewError(wire.CodeResourceNotFound, "Requested resource not found: Stream: "+r.stream+" not found for Table: "+r.table)
	}
	return t, err
}

const noSuchPolicy = "Resource-based policy not found for the provided ResourceArn: "

// checkRevision holds the policy that there is to the revision that a request expects.
func checkRevision(is *policy, expected *string, r resource) *wire.Error {
	switch {
	case expected == nil:
	case *expected == wire.NoPolicy && is != nil:
		return wire.NewError(wire.CodePolicyNotFound, noSuchPolicy+"Requested policy update expecting none to be present for table "+r.table+
			", but a policy exists with revision id "+is.Revision+".")
	case *expected == wire.NoPolicy:
	case is == nil:
		return wire.NewError(wire.CodePolicyNotFound, noSuchPolicy+"Requested update for policy with revision id "+*expected+
			", but the policy associated to target table "+r.table+" does not exist.")
	case *expected != is.Revision:
		return wire.NewError(wire.CodePolicyNotFound, noSuchPolicy+"Requested update for policy with revision id "+*expected+
			", but the policy associated to target table "+r.table+" has revision id "+is.Revision+".")
	}
	return nil
}

func (e *session) putResourcePolicy(body []byte) ([]byte, error) {
	in, err := wire.DecodeResourcePolicy(body, "PutResourcePolicyInput")
	if err != nil {
		return nil, err
	}
	r, refused := e.resourceOf(in.ResourceARN)
	if refused != nil {
		return nil, refused
	}
	if _, err := e.protected(r); err != nil {
		return nil, err
	}
	actions := tableActions
	if r.stream != "" {
		actions = streamActions
	}
	document, refused := e.parsePolicy(in.Policy, actions)
	if refused != nil {
		return nil, refused
	}
	if !in.Confirm && e.locksOut(document, in.ResourceARN) {
		return nil, wire.NewError(wire.CodeAccessDenied, "The new resource policy will not allow you to update the resource policy in the future.")
	}
	var out wire.ResourcePolicyOutput
	err = e.define(e.id(r.table), func(kv.Writer) (*definition, error) {
		t, err := e.protected(r)
		if err != nil {
			return nil, err
		}
		def := *t.def
		is := def.policy(r.stream)
		if err := checkRevision(is, in.Revision, r); err != nil {
			return nil, err
		}
		if is != nil && is.Document == document { // the same again keeps its revision (captured on AWS)
			out.Revision = is.Revision
			return &def, nil
		}
		out.Revision = e.nextRevision(is)
		def.Policies = slices.DeleteFunc(slices.Clone(def.Policies), func(p policy) bool { return p.Stream == r.stream })
		def.Policies = append(def.Policies, policy{Stream: r.stream, Document: document, Revision: out.Revision})
		return &def, nil
	})
	if err != nil {
		return nil, err
	}
	return out.Append(nil), nil
}

// nextRevision is an id behind that of the policy that there is, also where the clock stands still.
func (e *session) nextRevision(is *policy) string {
	next := e.now().UnixMilli()
	if is != nil {
		if was, err := strconv.ParseInt(is.Revision, 10, 64); err == nil {
			next = max(next, was+1)
		}
	}
	return strconv.FormatInt(next, 10)
}

func (e *session) getResourcePolicy(body []byte) ([]byte, error) {
	in, err := wire.DecodeResourcePolicy(body, "GetResourcePolicyInput")
	if err != nil {
		return nil, err
	}
	r, refused := e.resourceOf(in.ResourceARN)
	if refused != nil {
		return nil, refused
	}
	t, err := e.protected(r)
	if err != nil {
		return nil, err
	}
	p := t.def.policy(r.stream)
	if p == nil {
		return nil, wire.NewError(wire.CodePolicyNotFound, noSuchPolicy+in.ResourceARN)
	}
	out := wire.ResourcePolicyOutput{Policy: p.Document, Revision: p.Revision}
	return out.Append(nil), nil
}

// deleteResourcePolicy answers the revision that it deleted; where there is no policy it has nothing to do.
func (e *session) deleteResourcePolicy(body []byte) ([]byte, error) {
	in, err := wire.DecodeResourcePolicy(body, "DeleteResourcePolicyInput")
	if err != nil {
		return nil, err
	}
	r, refused := e.resourceOf(in.ResourceARN)
	if refused != nil {
		return nil, refused
	}
	if _, err := e.protected(r); err != nil {
		return nil, err
	}
	var out wire.ResourcePolicyOutput
	err = e.define(e.id(r.table), func(kv.Writer) (*definition, error) {
		t, err := e.protected(r)
		if err != nil {
			return nil, err
		}
		def := *t.def
		is := def.policy(r.stream)
		if err := checkRevision(is, in.Revision, r); err != nil {
			return nil, err
		}
		if is != nil {
			out.Revision = is.Revision
		}
		def.Policies = slices.DeleteFunc(slices.Clone(def.Policies), func(p policy) bool { return p.Stream == r.stream })
		return &def, nil
	})
	if err != nil {
		return nil, err
	}
	return out.Append(nil), nil
}
