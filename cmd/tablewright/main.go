// Command tablewright designs, proves, prices and serves DynamoDB data models. `tablewright help` lists what it does.
package main

import "os"

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
