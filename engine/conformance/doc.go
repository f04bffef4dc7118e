// Package conformance holds DynamoDB's behaviour as cases that any implementation can be held to: requests, and the
// answers or errors that the service gives, with the page of its documentation or the measurement that says so.
//
//	report, err := conformance.Run(ctx, conformance.HTTP("http://127.0.0.1:8000"), conformance.Options{})
//	for _, r := range report.Results {
//		if r.Status != conformance.Passed { fmt.Println(r.Name, r.Detail()) }
//	}
//
// The command tablewright conformance --endpoint URL does the same and prints a table. README.md tells how others fare.
//
// # Targets
//
// A [Target] is whatever takes an operation's JSON and gives its JSON or a *wire.Error: an engine in process, or an
// [Endpoint]. Cases are safe to run beside other data. Their tables get names of their own, which begin with
// "conformance_" and something random; requests are rewritten to them and answers back, names in keys of maps, ARNs,
// PartiQL statements and messages among them, and so are Region and account of ARNs. Only tables that a case has made are
// deleted, at its end. Cases that ask for all tables are done last and alone, and skipped if there were tables before.
//
// A target may take its time: after a table was created or changed a case goes on when it is ACTIVE with all its indexes,
// and after it was deleted when it is gone. With [Options].Settle reads are repeated until they see what was written.
// Throttling of requests that have nothing to do with it is waited out.
//
// # Cases
//
// Cases are text files in the folder cases; a line's first character says what it is:
//
//	# why it is so: a page of the developer guide (API_… of the API reference), or who measured it
//	= name of a case; what stands before the first one is done at the beginning of each
//	> Operation {"json": "of the request", "continued": "on lines that begin with a blank"}
//	< {"the": "answer"}, the same JSON apart from the order of members, of sets, and of items that have no order
//	~ {"part": "of the answer"}: members that are not named may be anything; null: there is no such member
//	! Code: message of an error; both wordings of a check that the service words in two ways, with " | " between
//	^ Header: value of the request of HTTP ("Header:" alone: not sent), its method and path (GET /), or how its body is
//	  packed (gzip, deflate)
//	$ status 404, Header: [a-z]+, body <x/>: the response of HTTP, by patterns for the whole text; crc32: its checksum is
//	  that of the body as it was sent
//	@ name Member: keep a member of the answer; "$name" in later requests of the case stands for it. The member may
//	  be one deeper down, by its path: Table.LatestStreamArn, Shards.0.ShardId
//
// The operation ReadStream is of cases alone: {"StreamArn":"…"} is answered {"Records":[…]}, all that the stream's shards
// hold.
//
// A file begins with comments on what it is about, which are the reason of cases that have none of their own. ARNs in cases
// are of us-east-1 and account 000000000000, whatever the target's are.
//
// # Known differences
//
// [Differences] list the cases that an implementation is known not to pass, with what it answers and why the case is
// right; [Report.Surprises] are what such a list does not tell. testdata/dynamodb-local has DynamoDB Local's, by
// subject.
//
// # Reading the source
//
// parse.go reads cases, play.go does one, names.go keeps its tables apart from others, compare.go holds answers to what is
// expected; suite.go does many, report.go and differences.go are what comes out.
package conformance
