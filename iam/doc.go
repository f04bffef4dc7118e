// Package iam tells what a program that uses the client has to be allowed, and writes it as a policy of AWS's Identity and
// Access Management that allows no more.
//
// A Recorder is a hook that notes what calls need while tests, or a program for a day, run through it:
//
//	var recorder iam.Recorder
//	db, err := tablewright.Connect(ctx, tablewright.Options{Hooks: []tablewright.Hook{recorder.Hook}})
//	…
//	fmt.Printf("%s\n", iam.Policy(iam.Account{Region: "eu-central-1", ID: "123456789012"}, recorder.Needs()))
//
// OfPatterns tells it of a table's named access patterns without running them.
//
// What an operation needs is often not an action of its own name: the actions of a transaction are asked about one by one,
// statements of PartiQL by their verbs, queries and scans of an index with the index as the resource
// (docs.aws.amazon.com/service-authorization/latest/reference/list_amazondynamodb.html, and the pages
// transaction-apis-iam and ql-iam of the developer guide). docs/iam.md in the repository has what each method of the client
// needs, measured against the engine, which asks policies as the service does.
package iam
