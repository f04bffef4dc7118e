// Package terraform has the tests in which Terraform manages tables of the engine: OpenTofu, and the resources of DynamoDB from
// the AWS provider. Every configuration is applied and then planned again, which has to find nothing to do; what is changed
// aside has to be found and put right.
//
//	make terraform
//
// builds both from Go modules (command build below this folder) and runs the tests. That takes minutes, so that it is no part of
// `make test`, where these tests are skipped. What stays there is TestCalls, which asks again what the
// provider asked, and compares what of the answers it reads. That is recorded in testdata:
//
//	TABLEWRIGHT_TERRAFORM=$PWD/.peers/terraform go test ./internal/peers/terraform -run TestTable/at_once -record
//
// and package sdk's life of a managed table, which has the settings that came later. For the provider is of 2019, the last one
// whose version is one of a Go module: it does not know of classes of tables, protection against deletion, limits on demand, warm
// throughput, several key attributes in an index, or resource policies. Its successors do the same calls in the same order
// for the rest, and ask after each change for WarmThroughput of the table and of the index, too.
package terraform
