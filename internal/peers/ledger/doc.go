// Package ledger compares what two servers of DynamoDB's protocol answer to the same request, and reads the files in
// which known differences are listed, each with the documentation page or the measurement that decides it.
//
//	ours := ledger.NewAnswer(status, body)
//	for _, d := range ledger.Compare("GetItem", ours, theirs) {
//		if rule := rules.Explain(request, d); rule == nil {
//			t.Error(d)
//		}
//	}
//
// A file of differences has one entry for each:
//
//	Query Scan                                  the operations it is about, or * for all
//	  in     «»"IndexName":"keys"«»             the request's JSON (may be left out)
//	  at     ConsumedCapacity«».CapacityUnits   "error", "status" or the path of a member in the answer
//	  ours   0.5                                what our engine has there; - is nothing
//	  theirs 0                                  what the other has there
//	  why    read-write-operations: …           the page or measurement that decides
//
// An entry may have several theirs, of which any will do. «» stands for any text, «name» for the same text in ours and theirs. A relation of numbers may stand for theirs:
// [the same number], [more], [less], [twice], [half]. Lines that begin with # are comments. A path has no positions of lists:
// "Items[].a.N".
//
// Entries count how often they explain something, so that a test can demand that each still does; but not of those that have
// a line "seldom", which only long runs may meet.
package ledger
