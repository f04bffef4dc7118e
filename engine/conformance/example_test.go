package conformance_test

import (
	"context"
	"fmt"

	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/engine/conformance"
)

// Holding an implementation to all cases; conformance.HTTP(url) would be one at an address.
func ExampleCases() {
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
	failed := 0
	for _, c := range cases {
		if err := c.Run(context.Background(), e); err != nil {
			fmt.Println(c.Name, err)
			failed++
		}
	}
	fmt.Println(len(cases) > 200, failed)
	// Output: true 0
}
