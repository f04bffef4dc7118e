// Package iam reads policies of AWS's identity and access management and decides by them: identity policies, which
// belong to a user or role, and resource policies, which belong to a table or stream and name their principals.
//
//	p, err := iam.Parse(text, iam.Resource)
//	switch p.Decide(&iam.Request{Caller: caller, Action: "dynamodb:GetItem", Resource: arn, Context: context}) {
//	case iam.Denied: // by a statement that says so; no other policy can allow it
//	case iam.Allowed:
//	case iam.Silent: // no statement is about it
//	}
//
// The language is that of the IAM User Guide (reference_policies_elements): Effect, Principal and NotPrincipal, Action and
// NotAction, Resource and NotResource with the wildcards * and ?, policy variables such as ${aws:username} with defaults,
// and Condition with the operators for strings, numbers, dates, truth values, binaries, addresses and ARNs, with
// …IfExists, ForAllValues:, ForAnyValue: and Null. What a context key holds is the caller's matter.
//
// Parsing is strict: an element, operator or effect that does not exist is an error, since a misspelt Deny must not pass
// for one that never applies.
package iam
