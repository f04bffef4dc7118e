// Package workload says what the figures of requirements mean: it answers how many, how large, how often and how hot,
// for whoever prices models, designs them, or makes data for them. It knows entities, relationships, patterns and
// conditions, and no tables.
//
//	w := workload.New(requirements, workload.Figures{})
//	w.Law(w.Kids(way))                    // children per parent, by rank
//	w.OwnerOf(order, given)               // whose identity equalities name
//	w.Share(condition, order, nil)        // of all orders, those for which it is true
//	w.Range(pattern, order, bound)        // what lies in a range of keys, and what was assumed to say so
//	w.Steps(pattern, order, nil)          // what updates change, from which value to which
//	w.Falls(pattern, action, order, …)    // on which keys writes fall now
//
// # What figures mean
//
//   - Under: a caller that picks a parent meets as many children as the law says for that parent; every parent is as likely,
//     unless the pattern's skew says otherwise: then the largest is the most wanted. A child that picks its parent is one of
//     those children: large parents come by their size.
//   - Results: with conditions, what is stated is what a call finds on average, whatever the skew. What a read says of a test with
//     constants alone is the share of instances that pass it.
//   - Conditions: tests on one attribute exclude each other, tests on different ones are independent. Both ends of a range
//     are one test.
//   - Flows: what is set changes. Of the values of an enum each is entered as often as it is left. A life passes all of its
//     states that anything enters, those of a list one after the other; what leaves several comes from each as often as rates
//     say. What a call leaves out stays as it is.
//   - Arrivals: an optional attribute that updates set with a state alone, and that as many instances have as are in that state or a
//     later one, or a few less, is in no earlier state: nothing that is created has it. What takes an instance back removes it.
//   - Now: what is created is created now. A day, an hour or a date in a key is one key at a time, and all creations of the
//     time fall on it; an entity begins in its first state, so that all creations fall on that.
//   - Skew is about calls: neither a maximum of children nor an average cuts it. What is stored is cut by the maximum.
//
// # Inside
//
// workload.go holds the stated quantities and their laws, owner.go whose instances equalities name, share.go what
// conditions leave, range.go what lies in a range, flow.go what changes, reach.go and heat.go which instances and keys
// calls are about.
package workload
