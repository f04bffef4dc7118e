// Package throttle is a model of how DynamoDB limits what a table or global secondary index takes per second: by what is
// provisioned or, on demand, by what was asked before, and by its partitions, which split. It knows nothing of requests:
// a [Resource] is asked whether an operation on a key may begin (Admit) and told what it consumed (Consume).
//
// Everything is computed from the times and keys it is given; it has no clock, no goroutine and no randomness, so that the
// same calls have the same answers. What is a fact and what is this model's own choice is told in engine/THROTTLING.md.
//
// Read limit.go for buckets and the growth of tables on demand, partition.go for partitions and how they split, and
// resource.go for how the two come together.
package throttle
