// Package design turns requirements into the cheapest DynamoDB data model that it finds to serve every access pattern
// within DynamoDB's limits, and reports how far from the cheapest it can be, and why it was chosen.
//
//	found, err := design.Design(ctx, requirements, design.Options{Time: 20 * time.Second})
//	found.Model        // tables, indexes, a plan for every access pattern, and the decisions behind them
//	found.Components   // what each independent part costs, whether that is proven to be the least, else the gap
//
// Requirements that cannot be met end with an [*InfeasibleError]: statements that collide with DynamoDB's limits, and
// what each would have to say instead; what no rule covers with an [*UnsupportedError], for all access patterns at
// once. The same requirements and steps give the same model, byte for byte.
//
// # How it works
//
// Enumeration knows keys but no money, pricing knows one part of a configuration at a time, the search sees prices
// only.
//
//   - Normal form. A read becomes a demand (demand.go): equalities, ranges, an order, filters, what the answer is made of.
//     A write becomes touches (facts.go): what one call does to the entities of each kind.
//   - Candidates. An entity can be stored in several ways, its options (option.go, embed.go, aside.go): under its identity or
//     the keys that reads would like to bind (want.go), in the item collection of another entity, inside its parent's item,
//     with what is written often in a part of its own (split.go), or with others of one period in an item (pack.go).
//     One option for every entity of a component (component.go), the entities that have to be decided together, is a frame
//     (config.go): it has a layout (layout.go), the plans of all writes (write*.go), and for each demand the plans that could
//     serve it (reach*.go), with the indexes that they need (step.go). Where indexes or reads want copies of what lies at the
//     end of ways, writes read it first or write the copies anew (copying.go), or the consumer of a stream does (keeping.go).
//   - Prices. A configuration is a frame with a plan for every demand. Its parts are fragments of the model (piece.go, emit*.go):
//     resolved by package plan and priced by package cost, so that what the search compares is what the finished model costs.
//     There is no arithmetic of units or money in this package. Parts are priced once; configurations share most of them.
//   - Search (search.go). It begins with the simplest configuration there is, every entity under its identity, and changes one
//     thing after another, a plan, an index, how an entity is stored, as long as that makes it better: fewer demands unserved,
//     then no key above its limit, then less money. What is too hot is divided on the way. Where a component has no more than
//     10,000 layouts, all of its configurations are gone through (exact.go), in whole branches where a bound says that they
//     cost more (relax.go), and the cheapest is proven; else the gap to a bound is stated (floor.go).
//   - Limits (limits.go): sizes of items, collections and transactions, and what the hottest keys carry at peak.
//   - The rule of 2 %: of all configurations of a component that cost at most that much more than the cheapest, the one with
//     the fewest points of simplicity is chosen ([Total]).
//   - Reasons. Each decision lists what its alternatives would cost, found from the chosen model outwards (force.go, decide.go,
//     pair.go), and how far each rate may move before another design that was met would be cheaper (sensitivity.go). If nothing
//     is feasible, infeasible.go looks for the statements that collide.
//   - The model (emit.go, emit_plan.go, names.go). What the compiler refuses of it is left out, and the search made again.
//
// A new strategy is a new kind of option, access or act, with requirements under which it wins and under which it loses
// in testdata.
package design
