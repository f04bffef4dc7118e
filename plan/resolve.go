package plan

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/internal/near"
	"github.com/tablewright/tablewright/spec"
)

// compiler resolves one model.
type compiler struct {
	m        *Model
	r        *spec.Requirements
	prog     *Program
	problems []Problem
}

func (c *compiler) report(s Severity, path []string, code, remedy, format string, args ...any) {
	c.problems = append(c.problems, Problem{
		Severity: s, Code: code, Path: slices.Clone(path), Remedy: remedy,
		Message: article.ReplaceAllString(fmt.Sprintf(format, args...), "${1}an $2"),
	})
}

// article finds where a message says "a" before the name of an entity that begins with a vowel.
var article = regexp.MustCompile(`(^|\s)a ([AEIOU][a-z])`)

func (c *compiler) errorf(path []string, code, remedy, format string, args ...any) {
	c.report(Error, path, code, remedy, format, args...)
}

func (c *compiler) warnf(path []string, code, remedy, format string, args ...any) {
	c.report(Warning, path, code, remedy, format, args...)
}

// at extends a document path.
func at(path []string, keys ...string) []string {
	return append(slices.Clone(path), keys...)
}

// meant suggests a name for one that does not exist.
func meant(name string, candidates []string) string {
	if n := near.Name(name, candidates); n != "" {
		return "did you mean " + n + "?"
	}
	if len(candidates) > 0 && len(candidates) <= 12 {
		return "there is " + strings.Join(candidates, ", ")
	}
	return ""
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// tables resolves all tables with their indexes, then all items.
func (c *compiler) tables() {
	for i := range c.m.Tables {
		c.table(&c.m.Tables[i])
	}
	// Copies after what they copy: an item may name one of another table.
	for _, copies := range []bool{false, true} {
		for _, t := range c.prog.Tables {
			for _, name := range sortedKeys(t.Document.Items) {
				if it := t.Document.Items[name]; (it.Holds.CopyOf != "") == copies {
					c.item(t, name, it)
				}
			}
		}
	}
	for _, t := range c.prog.Tables {
		slices.SortFunc(t.Kinds, func(a, b *Kind) int { return strings.Compare(a.Name, b.Name) })
	}
}

func (c *compiler) table(d *Table) {
	path := []string{"tables", d.Name}
	if c.prog.Table(d.Name) != nil {
		c.errorf(path, CodeDuplicate, "give each table one name", "two tables are called %s", d.Name)
		return
	}
	t := &Schema{Name: d.Name, Document: d, TTL: d.TTL}
	for _, name := range sortedKeys(d.Attributes) {
		if ty := d.Attributes[name]; ty != S && ty != N && ty != B {
			c.errorf(at(path, "attributes", name), CodeType, "write S, N or B", "%s.%s is %q", d.Name, name, ty)
		}
		t.Attributes = append(t.Attributes, Wire{name, d.Attributes[name]})
	}
	wires := func(path []string, names ...string) []Wire {
		var out []Wire
		for _, n := range names {
			ty, ok := d.Attributes[n]
			if !ok {
				c.errorf(path, CodeUnknown, "declare it under attributes: {"+n+": S}", "%s has no wire attribute %s", d.Name, n)
				ty = S
			}
			out = append(out, Wire{n, ty})
		}
		return out
	}
	var sort []string
	if d.Key.Sort != "" {
		sort = []string{d.Key.Sort}
	}
	t.Base = &Access{Table: t, Project: All, Partition: wires(at(path, "key", "partition"), d.Key.Partition), Sort: wires(at(path, "key", "sort"), sort...)}
	for _, name := range sortedKeys(d.GSI) {
		x, p := d.GSI[name], at(path, "gsi", name)
		t.Indexes = append(t.Indexes, &Access{Table: t, Index: name, Project: projection(x), Include: x.Include,
			Partition: wires(at(p, "partition"), x.Partition...), Sort: wires(at(p, "sort"), x.Sort...)})
	}
	for _, name := range sortedKeys(d.LSI) {
		x, p := d.LSI[name], at(path, "lsi", name)
		t.Indexes = append(t.Indexes, &Access{Table: t, Index: name, Local: true, Project: projection(x), Include: x.Include,
			Partition: t.Base.Partition, Sort: wires(at(p, "sort"), x.Sort...)})
	}
	if d.TTL != "" {
		if w := wires(at(path, "ttl"), d.TTL)[0]; w.Type != N {
			c.errorf(at(path, "ttl"), CodeType, "declare it as N and set it with codec epoch-s", "time to live needs an N attribute, and %s.%s is %s", d.Name, d.TTL, w.Type)
		}
	}
	c.prog.Tables = append(c.prog.Tables, t)
}

func projection(x Index) string {
	if x.Project == "" {
		return All
	}
	return x.Project
}

// item resolves one item of a table. It is left out of the program if its entity or key is not to be found.
func (c *compiler) item(t *Schema, name string, d Item) {
	path := []string{"tables", t.Name, "items", name}
	if c.prog.kinds[name] != nil {
		c.errorf(path, CodeDuplicate, "names of items are unique in the model", "two items are called %s", name)
		return
	}
	k := &Kind{Name: name, Table: t, Document: d, Path: path}
	if !c.holds(k) {
		return
	}
	before := len(c.problems)
	c.shard(k)
	c.stored(k)
	c.embeds(k)
	c.packs(k)
	c.recipes(k)
	c.packed(k)
	c.stamped(k)
	broken := false
	for _, p := range c.problems[before:] {
		broken = broken || p.Severity == Error
	}
	k.index()
	if broken && !k.keyed() {
		return // nothing can be written or found without a key
	}
	c.prog.kinds[name] = k
	t.Kinds = append(t.Kinds, k)
}

// kind finds a kind by the name of its item. One that is there but could not be resolved is reported already.
func (c *compiler) kind(place []string, name string) *Kind {
	k := c.prog.kinds[name]
	if k != nil {
		return k
	}
	for _, t := range c.m.Tables {
		if _, ok := t.Items[name]; ok {
			return nil
		}
	}
	c.errorf(place, CodeUnknown, meant(name, sortedKeys(c.prog.kinds)), "there is no item %s", name)
	return nil
}

// keyed reports whether every attribute of the table's key can be built.
func (k *Kind) keyed() bool {
	for _, w := range k.Table.Base.keys() {
		if k.recipe(w.Name) == nil {
			return false
		}
	}
	return true
}

// keys are the attributes of the key, partition before sort.
func (a *Access) keys() []Wire { return append(slices.Clone(a.Partition), a.Sort...) }
