package engine

import (
	"log/slog"
	"maps"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/internal/near"
)

// insteadActions are operations that no action of that name is asked for, and what is asked for instead (Actions, resources,
// and condition keys for Amazon DynamoDB; ql-iam).
var insteadActions = map[string]string{
	"BatchExecuteStatement": "dynamodb:PartiQLSelect, PartiQLInsert, PartiQLUpdate and PartiQLDelete",
	"ExecuteStatement":      "dynamodb:PartiQLSelect, PartiQLInsert, PartiQLUpdate and PartiQLDelete",
	"ExecuteTransaction":    "dynamodb:PartiQLSelect, PartiQLInsert, PartiQLUpdate and PartiQLDelete",
	"TransactGetItems":      "dynamodb:GetItem",
	"TransactWriteItems":    "dynamodb:PutItem, UpdateItem, DeleteItem and ConditionCheckItem",
}

// warnOfActions logs actions in the policies of keys that no request is ever asked about: IAM takes them, they allow and deny
// nothing.
func (e *Engine) warnOfActions() {
	if len(e.keys) == 0 {
		return
	}
	known := slices.Concat(tableActions, streamActions, slices.Collect(maps.Keys(handlers)), slices.Collect(maps.Keys(laterOperations)),
		[]string{"ListStreams", "DescribeReservedCapacity", "DescribeReservedCapacityOfferings", "PurchaseReservedCapacityOfferings"})
	known = slices.DeleteFunc(known, func(name string) bool { return insteadActions[name] != "" })
	warned := map[[2]string]bool{}
	for _, id := range slices.Sorted(maps.Keys(e.keys)) {
		p := e.keys[id].principal
		for _, action := range p.identity.Unmatched("dynamodb", known) {
			if warned[[2]string{p.ARN, action}] {
				continue
			}
			warned[[2]string{p.ARN, action}] = true
			attrs := []any{slog.String("principal", p.ARN), slog.String("action", action)}
			_, name, _ := strings.Cut(action, ":")
			if instead := insteadActions[name]; instead != "" {
				attrs = append(attrs, slog.String("instead", instead))
			} else if meant := near.Name(name, known); meant != "" {
				attrs = append(attrs, slog.String("meant", "dynamodb:"+meant))
			}
			e.options.Logger.Warn("a policy names an action that does not exist", attrs...)
		}
	}
}
