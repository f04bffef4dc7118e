// Package peers starts what the engine and the proofs are compared with: DynamoDB Local, which is Amazon's own stand-in
// for the service, Node.js with the AWS SDK for JavaScript, and Python with boto3 and the AWS CLI.
//
//	./internal/peers/install.sh .peers && . .peers/env
//	go test ./internal/peers/...
//
// install.sh takes the first two from npm; Java 17 and Node.js 20 or later have to be there, and of the system python3-boto3
// and awscli. Tests find what it installed by the
// variables of [LocalFolder] and [NodeModules] and skip, saying why, where they are not set: a machine with nothing but
// Go passes all other tests.
//
// What is compared lives in the packages below:
//
//   - sdk: every operation through the AWS SDKs for Go, JavaScript and Python and the AWS CLI, on the engine's HTTP server.
//   - terraform: the life of tables under Terraform; what it needs is built by make terraform, not by install.sh.
//   - ledger: compares answers, and reads the files of known differences.
//   - differ: the same generated requests to the engine and to DynamoDB Local; testdata/differences.txt there lists
//     every difference, with the page or measurement that decides it.
//   - proofs: the proofs of the examples, run on DynamoDB Local.
//
// The processor time of servers is measured in package engine, also against dynoxide, an emulator in Rust:
//
//	go test -run '^$' -bench AgainstPeers -benchtime 1x ./engine
package peers
