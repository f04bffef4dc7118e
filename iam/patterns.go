package iam

import (
	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/plan"
)

// OfPatterns is what the named access patterns of tables need, in the order of resources and actions. name is how a declared
// table is called at the service, such as DB.TableName; nil: as it is declared. A pattern that writes to several tables is
// complete if all of them are given. It knows what patterns ask for, not what a program does beside them.
func OfPatterns(name func(declared string) string, tables ...*tablewright.Table) []Need {
	if name == nil {
		name = func(declared string) string { return declared }
	}
	set := map[Need]bool{}
	for _, t := range tables {
		for p := range t.Patterns() {
			o := outline{of: p, table: t, tables: tables, name: name, set: set}
			if p.Operation == "ExecuteStatement" {
				o.add("PartiQLSelect", resource(name(t.Name()), p.Index))
				continue
			}
			for _, s := range p.Plan.Steps {
				o.step(s)
			}
		}
	}
	return sorted(set)
}

// outline goes through what a pattern does.
type outline struct {
	of     tablewright.PatternInfo
	table  *tablewright.Table
	tables []*tablewright.Table
	name   func(string) string
	set    map[Need]bool
}

func (o *outline) add(action, resource string) { o.set[Need{"dynamodb:" + action, resource}] = true }

func (o *outline) step(s plan.Step) {
	switch {
	case s.Get != "":
		o.item("GetItem", s.Get)
	case s.Query != "":
		o.add("Query", resource(o.name(o.table.Name()), o.of.Index))
	case s.Scan != "":
		o.add("Scan", resource(o.name(o.table.Name()), o.of.Index))
	case s.Put != "":
		o.item("PutItem", s.Put)
	case s.Update != "":
		o.item("UpdateItem", s.Update)
	case s.Delete != "":
		o.item("DeleteItem", s.Delete)
	case s.Check != "":
		o.item("ConditionCheckItem", s.Check)
	}
	for _, action := range s.Transact {
		o.step(action)
	}
}

// item adds an action on a kind of item: in the pattern's own table if that has the kind, else in the others that have it.
// What no kind is called is a marker of the pattern's own table.
func (o *outline) item(action, kind string) {
	if has(o.table, kind) {
		o.add(action, resource(o.name(o.table.Name()), ""))
		return
	}
	found := false
	for _, t := range o.tables {
		if has(t, kind) {
			o.add(action, resource(o.name(t.Name()), ""))
			found = true
		}
	}
	if !found {
		o.add(action, resource(o.name(o.table.Name()), ""))
	}
}

func has(t *tablewright.Table, kind string) bool {
	for _, k := range t.Kinds() {
		if k.Name() == kind {
			return true
		}
	}
	return false
}
