// Command build makes what the tests of package terraform run: OpenTofu, and a provider of AWS with nothing but DynamoDB.
//
//	go run ./internal/peers/terraform/build DIR
//
// Both come as Go modules from the module proxy and are built on the spot; nothing of their sources is kept. OpenTofu is
// built without the backends and key stores of clouds, which are most of its dependencies and are of no use to a table. Of the
// provider, whose resources of all services are one package, only what the resources of DynamoDB reach is taken (trim.go), and
// moved from the Terraform of its time to the plugin SDK of today (provider.go). That makes minutes of hours.
//
// The provider's is the last version that is a module with a version: its repository's major versions after that have no path of
// their own, so that the proxy does not serve them. Package terraform tells what follows from that.
package main
