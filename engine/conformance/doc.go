// Package conformance holds DynamoDB's behaviour as cases that any implementation can be held to: requests, and the
// answers or errors that the service gives, with the page of its documentation or the measurement that says so.
//
//	cases, err := conformance.Cases()
//	for _, c := range cases {
//		if failure := c.Run(ctx, conformance.HTTP("http://127.0.0.1:8000")); failure != nil { … }
//	}
//
// Cases are text files in the folder cases; a line's first character says what it is:
//
//	# why it is so: a page of the developer guide, or who measured it
//	= name of a case; what stands before the first one is done at the beginning of each
//	> Operation {"json": "of the request", "continued": "on lines that begin with a blank"}
//	< {"the": "answer"}, the same JSON apart from the order of members, of sets, and of items that have no order
//	~ {"part": "of the answer"}: members that are not named may be anything; null: there is no such member
//	! Code: message of an error; both wordings of a check that the service words in two ways, with " | " between
//	@ name Member: keep a member of the answer; "$name" in later requests of the case stands for it
//
// Every case makes its own tables, and Run deletes those of the target before it begins.
package conformance
