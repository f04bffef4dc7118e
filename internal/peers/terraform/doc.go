// Package terraform has the tests in which Terraform manages tables of the engine: OpenTofu, and the resources of DynamoDB from
// the AWS provider. Every configuration is applied and then planned again, which has to find nothing to do; what is changed
// aside has to be found and put right.
//
//	make terraform
//
// builds both from Go modules (command build below this folder) and runs the tests. That takes minutes, so that it is no part of
// `make test`, where these tests are skipped. What stays there is TestCalls, which asks again what the provider asks, and
// holds the answers to what of them it reads. testdata/calls-2019.txt is recorded:
//
//	TABLEWRIGHT_TERRAFORM=$PWD/.peers/terraform go test ./internal/peers/terraform -run TestTable/at_once -record
//
// For the provider is of 2019, the last one whose version is one of a Go module. It does not know of classes of tables, protection
// against deletion, limits on demand, warm throughput, several key attributes in an index, insights, destinations or resource
// policies. Its successors do the same calls in the same order for the rest, and wait for the warm throughput of tables and
// indexes, too; testdata/calls-2026.txt has what they ask about all of that, written from their source. After a change of the
// engine that is meant, -record with TestCalls rewrites the answers in both; look at the difference.
package terraform
