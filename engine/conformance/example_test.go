package conformance_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/engine/conformance"
)

// Holding an implementation to all cases; here it is the engine, behind HTTP as any other would be.
func ExampleRun() {
	e, err := engine.Open("", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	server := httptest.NewServer(e.Handler())
	defer server.Close()
	report, err := conformance.Run(context.Background(), conformance.HTTP(server.URL), conformance.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range report.Results {
		if r.Status != conformance.Passed {
			fmt.Println(r.Name, r.Detail())
		}
	}
	total := report.Total()
	fmt.Println(total.Done() > 500, total.Share())
	// Output: true 1
}

// One case by itself, on a target in the same process.
func ExampleCase_Run() {
	cases, err := conformance.Cases()
	if err != nil {
		fmt.Println(err)
		return
	}
	e, err := engine.Open("", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	for _, c := range cases {
		if c.Name == "put_item: missing key" {
			fmt.Println(c.Run(context.Background(), e))
		}
	}
	// Output: <nil>
}

// What an implementation is known to do otherwise is listed, with the reason why the case is right.
func ExampleReadDifferences() {
	known, err := conformance.ReadDifferences(strings.NewReader(`
put_item: missing key
  got ValidationException: One of the required keys was not given a value
  why captured on AWS (2026): the key is named
`))
	fmt.Println(len(known), known["put_item: missing key"].Got, err)
	// Output: 1 ValidationException: One of the required keys was not given a value <nil>
}
