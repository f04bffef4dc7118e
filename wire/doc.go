// Package wire is DynamoDB's protocol, "DynamoDB JSON 1.0": what requests and answers of each operation consist of, how
// they are read from and written to JSON, and the errors that come back.
//
// There is a file per operation. Its request has a Decode function, which reads a body as strictly as the service does
// and tells what is wrong in the service's order: first text that is no JSON, then members of a wrong type (both a
// SerializationException), then required members, enumerations, lengths and ranges, all of them in one message
// ("2 validation errors detected: …"). What needs the meaning of a request — expressions, keys, tables — is not checked
// here. An answer has an Append method; whole items in it are kept as Raw, their JSON, so that a server passes on what
// it has stored and a client decodes straight into its own types.
//
// An Error is an answer that is an error. errors.Is tells its kind:
//
//	if errors.Is(err, wire.ErrConditionFailed) { … }
//
// Attribute values of a request that are proper in form but not in content (an empty set, a number with too many digits)
// are not refused by Decode, because the service tells them only after other checks: see Attributes and Values.
package wire
