// Package design turns requirements into the cheapest DynamoDB data model that serves every access pattern within
// DynamoDB's limits, and says why it is the cheapest.
//
//	found, err := design.Design(ctx, requirements, design.Options{})
//	found.Model        // tables, indexes, a plan for every access pattern, and the decisions behind them
//	found.Components   // what each independent part costs, and the cheapest that a less simple one would cost
//
// Requirements that cannot be met end with an [*InfeasibleError]: the smallest set of statements that collide, and what
// each would have to say instead. The same requirements give the same model, byte for byte.
//
// # How it works
//
// Enumeration knows keys but no money, pricing knows one configuration at a time, selection sees numbers and needs only.
//
//   - Normal form. A read becomes a demand (demand.go): equalities, ranges, an order, filters, what the answer is made of.
//     A write becomes touches (facts.go): what one call does to the entities of each kind.
//   - Candidates. An entity can be stored in several ways, its options (option.go, embed.go): under its identity or the
//     keys that reads would like to bind (want.go), in the item collection of another entity, inside its parent's item,
//     divided into shards where a key would be too hot (shard.go); what is counted of it in its item or beside it (aside.go).
//     A layout (layout.go) is one option for every entity of a component (component.go), the entities that have to be
//     decided together. In a layout each demand has read plans (reach*.go), which need indexes (step.go); writes have no
//     choice (write*.go).
//   - Prices (price.go, price_write.go) are expectations of rounded units over distributions of sizes and numbers
//     (volume.go, column.go). All arithmetic of units and money is package capacity's.
//   - Selection (case.go, selection.go, search.go): layouts in the order of what they cost at least, and in each a depth
//     first search over the plans, bounded from below. Every complete selection is priced whole (config.go) and held to
//     the hard limits (load.go) before it counts. What is found is proven to be the cheapest.
//   - The rule of 2 %: of all configurations of a component that cost at most that much more than the cheapest, the one with
//     the fewest points of simplicity is chosen ([Total]).
//   - Reasons. Each decision lists what its alternatives would cost with everything else chosen anew (decide.go, pair.go),
//     and how far each rate may move before another design would be chosen (sensitivity.go). If nothing is feasible,
//     infeasible.go looks for the statements that collide.
//   - The model (emit.go, emit_plan.go, names.go).
//
// A new strategy is a new kind of option, access or act, with requirements under which it wins and under which it loses in
// testdata.
package design
