package iam_test

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/iam"
	"github.com/tablewright/tablewright/internal/pages"
)

var update = flag.Bool("update", false, "write the page anew")

// TestPage measures what each call needs and holds docs/iam.md to it.
func TestPage(t *testing.T) {
	all := measured(t)
	pages.Check(t, *update, pages.Generated{"actions": func() (string, error) {
		var b strings.Builder
		b.WriteString("| call | action | resource |\n|---|---|---|\n")
		for _, r := range rows {
			var resources []string
			actions := map[string][]string{} // of a resource
			for _, n := range all[r.call] {
				if actions[n.Resource] == nil {
					resources = append(resources, n.Resource)
				}
				actions[n.Resource] = append(actions[n.Resource], "`"+strings.TrimPrefix(n.Action, "dynamodb:")+"`")
			}
			slices.Sort(resources)
			for i, resource := range resources {
				call := r.call
				if i > 0 {
					call = ""
				}
				slices.Sort(actions[resource])
				fmt.Fprintf(&b, "| %s | %s | `%s` |\n", call, strings.Join(actions[resource], ", "), resource)
			}
		}
		return b.String(), nil
	}, "policy": func() (string, error) {
		return "```json\n" + string(iam.Policy(iam.Account{Region: "eu-central-1", ID: "123456789012"}, iam.OfPatterns(nil, Desk))) + "\n```", nil
	}}, "../docs/iam.md")
}
