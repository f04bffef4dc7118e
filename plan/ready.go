package plan

import (
	"fmt"
	"slices"

	"github.com/tablewright/tablewright/capacity"
)

// Index keys of several attributes that data models need again and again. All of them project whole items; Index.Project and
// Include say otherwise. They panic where a key would have more attributes than an index takes
// (docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.DesignPattern.MultiAttributeKeys.html).

// ByTenant is the index of what belongs to a customer of a tenant: tenant and customer are both known in every query, so that
// no tenant's query ever touches another's partition. sort are up to four attributes to sort by.
func ByTenant(tenant, customer string, sort ...string) Index {
	return ready([]string{tenant, customer}, sort)
}

// ByHierarchy is the index of what lies in a hierarchy, such as country, state, city: queries name any number of levels from
// the top. root is the attribute that is always known, levels one to four below it, the highest first.
func ByHierarchy(root string, levels ...string) Index {
	if len(levels) == 0 {
		panic("plan: ByHierarchy: no level below " + root)
	}
	return ready([]string{root}, levels)
}

// ByCategory is the index of what has a category, newest or oldest first: at is the attribute with the time, between are up to
// three attributes that are known before the time matters, such as a status.
func ByCategory(category, at string, between ...string) Index {
	return ready([]string{category}, append(slices.Clone(between), at))
}

func ready(partition, sort []string) Index {
	if len(sort) > capacity.IndexSortKeyParts {
		panic(fmt.Sprintf("plan: %d attributes to sort by: an index takes %d", len(sort), capacity.IndexSortKeyParts))
	}
	return Index{Partition: partition, Sort: sort}
}
