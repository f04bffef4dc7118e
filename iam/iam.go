package iam

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// Need is one action on one resource.
type Need struct {
	Action   string // with its service: dynamodb:GetItem
	Resource string // within an account and Region: table/Shop, table/Shop/index/ByCustomer, table/Shop/stream/*; or *
}

// String is the action and the resource.
func (n Need) String() string { return n.Action + " on " + n.Resource }

// Account is where the tables are.
type Account struct {
	Partition string // "": aws; others are aws-cn and aws-us-gov
	Region    string // "": any
	ID        string // "": any
}

// ARN is the name of a Need's resource in an account, as policies have it; "*" stays.
func (a Account) ARN(resource string) string {
	if resource == "*" {
		return resource
	}
	return "arn:" + cmp.Or(a.Partition, "aws") + ":dynamodb:" + cmp.Or(a.Region, "*") + ":" + cmp.Or(a.ID, "*") + ":" + resource
}

// document is a policy; its members are in the order in which people write them.
type document struct {
	Version   string
	Statement []statement
}

type statement struct {
	Effect   string
	Action   []string
	Resource []string
}

// Policy is an identity policy, in IAM's JSON, that allows what is needed and nothing else: a statement for each set of
// resources. The same needs make the same text, in whatever order they are and how often. Without needs it is nil, since a
// policy has a statement.
func Policy(in Account, needs []Need) []byte {
	resources := map[string][]string{} // of an action
	for _, n := range needs {
		if !slices.Contains(resources[n.Action], n.Resource) {
			resources[n.Action] = append(resources[n.Action], n.Resource)
		}
	}
	byResources := map[string]*statement{}
	for action, names := range resources {
		slices.Sort(names)
		id := strings.Join(names, " ")
		s := byResources[id]
		if s == nil {
			s = &statement{Effect: "Allow"}
			for _, name := range names {
				s.Resource = append(s.Resource, in.ARN(name))
			}
			byResources[id] = s
		}
		s.Action = append(s.Action, action)
	}
	if len(byResources) == 0 {
		return nil
	}
	d := document{Version: "2012-10-17"}
	for _, s := range byResources {
		slices.Sort(s.Action)
		d.Statement = append(d.Statement, *s)
	}
	slices.SortFunc(d.Statement, func(a, b statement) int {
		return cmp.Or(slices.Compare(a.Resource, b.Resource), slices.Compare(a.Action, b.Action))
	})
	text, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		panic("iam: " + err.Error()) // texts only
	}
	return text
}

// sorted is a set of needs in the order of resources and actions.
func sorted(set map[Need]bool) []Need {
	all := make([]Need, 0, len(set))
	for n := range set {
		all = append(all, n)
	}
	slices.SortFunc(all, func(a, b Need) int {
		return cmp.Or(strings.Compare(a.Resource, b.Resource), strings.Compare(a.Action, b.Action))
	})
	return all
}
