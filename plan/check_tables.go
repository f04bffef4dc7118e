package plan

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/tablewright/tablewright/spec"
)

// DynamoDB's limits (docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html and Constraints.html).
const (
	maxItemBytes      = 409_600
	maxPartitionBytes = 2_048
	maxSortBytes      = 1_024
	maxGSIs           = 20 // a quota that AWS raises
	maxLSIs           = 5
	maxIncluded       = 100 // attributes in all include projections of a table
	maxKeyAttributes  = 4
	maxIndexName      = 255
	maxTransactBytes  = 4 << 20
)

var tableName = regexp.MustCompile(`^[a-zA-Z0-9_.-]{3,255}$`)

// checkTables holds every table to DynamoDB's limits.
func (c *compiler) checkTables() {
	for _, t := range c.prog.Tables {
		c.checkTable(t)
	}
}

func (c *compiler) checkTable(t *Schema) {
	path := []string{"tables", t.Name}
	if !tableName.MatchString(t.Name) {
		c.errorf(path, CodeLimit, "3 to 255 of a-z, A-Z, 0-9, _, - and .", "%q cannot be the name of a table", t.Name)
	}
	used := map[string]bool{t.TTL: true}
	gsi, lsi, included := 0, 0, 0
	for _, a := range append([]*Access{t.Base}, t.Indexes...) {
		p := at(path, "key")
		if a.Index != "" {
			p = at(path, "gsi", a.Index)
			gsi++
			if a.Local {
				p = at(path, "lsi", a.Index)
				gsi--
				lsi++
			}
			if !tableName.MatchString(a.Index) {
				c.errorf(p, CodeLimit, "3 to 255 of a-z, A-Z, 0-9, _, - and .", "%q cannot be the name of an index", a.Index)
			}
			if len(a.Partition) < 1 || len(a.Partition) > maxKeyAttributes || len(a.Sort) > maxKeyAttributes {
				c.errorf(p, CodeLimit, "1 to 4 partition and 0 to 4 sort attributes", "%s has %d partition and %d sort attributes", a.Name(), len(a.Partition), len(a.Sort))
			}
			if a.Local && len(a.Sort) != 1 {
				c.errorf(at(p, "sort"), CodeLimit, "one sort attribute", "the local index %s has %d", a.Name(), len(a.Sort))
			}
			c.checkProjection(t, a, p)
			included += len(a.Include)
		}
		seen := map[string]bool{}
		for _, w := range a.keys() {
			used[w.Name] = true
			if seen[w.Name] {
				c.errorf(p, CodeLimit, "", "%s names %s twice in its key", a.Name(), w.Name)
			}
			if len(w.Name) > maxIndexName {
				c.errorf(p, CodeLimit, "at most 255 bytes", "the key attribute %s… of %s is too long a name", w.Name[:20], a.Name())
			}
			seen[w.Name] = true
		}
	}
	for _, w := range t.Attributes {
		if !used[w.Name] {
			c.errorf(at(path, "attributes", w.Name), CodeLimit, "leave it out: only what keys, indexes and ttl name is declared", "no key or index of %s names %s, and DynamoDB refuses definitions that nothing uses", t.Name, w.Name)
		}
	}
	if gsi > maxGSIs {
		c.warnf(at(path, "gsi"), CodeLimit, "raise the quota: Global Secondary Indexes per table", "%s has %d global indexes, and an account starts with %d", t.Name, gsi, maxGSIs)
	}
	if lsi > maxLSIs {
		c.errorf(at(path, "lsi"), CodeLimit, "use global indexes", "%s has %d local indexes, and DynamoDB allows %d", t.Name, lsi, maxLSIs)
	}
	if lsi > 0 && len(t.Base.Sort) == 0 {
		c.errorf(at(path, "lsi"), CodeLimit, "give the table a sort key", "a table without sort key has no local indexes")
	}
	if included > maxIncluded {
		c.errorf(path, CodeLimit, "project all, or fewer names", "the indexes of %s include %d attributes in all, and DynamoDB allows %d", t.Name, included, maxIncluded)
	}
	for _, x := range []struct{ key, have, words string }{
		{"stream", t.Document.Stream, " new-and-old new old keys "}, {"class", t.Document.Class, " standard infrequent-access "},
	} {
		if x.have != "" && !regexp.MustCompile(" "+regexp.QuoteMeta(x.have)+" ").MatchString(x.words) {
			c.errorf(at(path, x.key), CodeSyntax, "one of"+x.words, "%s of %s is %q", x.key, t.Name, x.have)
		}
	}
	if len(t.Kinds) == 0 && len(t.Document.Items) == 0 {
		c.errorf(at(path, "items"), CodeHolds, "", "nothing lies in %s", t.Name)
	}
}

// checkProjection checks that an index includes what exists.
func (c *compiler) checkProjection(t *Schema, a *Access, path []string) {
	switch a.Project {
	case All, Keys:
		return
	case Include:
	default:
		c.errorf(at(path, "project"), CodeProjection, "all, keys or {include: [names]}", "%s projects %q", a.Name(), a.Project)
		return
	}
	var names []string
	for _, k := range t.Kinds {
		for _, s := range k.Stored {
			names = append(names, s.Name)
		}
		for _, r := range k.Recipes {
			names = append(names, r.Wire.Name)
		}
		for _, m := range k.Embeds {
			names = append(names, m.Attribute)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	for i, n := range a.Include {
		if !slices.Contains(names, n) {
			c.errorf(at(path, "project", "include", fmt.Sprint(i)), CodeUnknown, meant(n, names), "no item of %s has %s", t.Name, n)
		}
	}
}

// longest is the most bytes a recipe can write, before escapes.
func (r *Recipe) longest() float64 {
	if r.Wire.Type == N {
		return 21
	}
	n := 0.0
	for _, l := range r.Literals {
		n += float64(len(l))
	}
	for _, p := range r.Parts {
		switch {
		case p.codec.width > 0:
			n += float64(p.codec.width)
		case p.Attribute != nil:
			n += p.Attribute.Bytes.Max
		}
	}
	return n
}

// largest is the most bytes an item of the kind can have.
func (k *Kind) largest() float64 {
	total := 0.0
	for _, s := range k.Stored {
		total += float64(len(s.Name)) + s.Attribute.Bytes.Max
	}
	for _, r := range k.Recipes {
		if !r.Native {
			total += float64(len(r.Wire.Name)) + r.longest()
		}
	}
	if k.Stamp != "" {
		total += float64(len(k.Stamp) + StampBytes)
	}
	for _, m := range k.Embeds {
		total += float64(len(m.Attribute)) + 3 + m.most()*m.largestChild()
	}
	if k.Pack != nil {
		total += k.Pack.Most * k.Pack.largest()
	}
	return total
}

// most is the largest number of children inside one parent.
func (m *Embedding) most() float64 {
	if m.As == "value" {
		return 1
	}
	return m.Way.PerParent.Max
}

func (m *Embedding) largestChild() float64 {
	child := 1.0 + 3
	if m.By != nil {
		child += m.NameBytes().Max
	}
	for _, s := range m.Stored {
		child += float64(len(s.Name)) + 1 + s.Attribute.Bytes.Max
	}
	return child
}

// checkSizes holds keys and items to their limits at their maxima.
func (c *compiler) checkSizes(k *Kind) {
	for _, a := range append([]*Access{k.Table.Base}, k.Table.Indexes...) {
		for _, half := range []struct {
			what  string
			wires []Wire
			limit float64
		}{{"partition", a.Partition, maxPartitionBytes}, {"sort", a.Sort, maxSortBytes}} {
			total := 0.0
			for _, w := range half.wires {
				if r := k.recipe(w.Name); r != nil {
					total += r.longest()
				}
			}
			if total > half.limit {
				c.errorf(k.Path, CodeLimit, "use a shorter attribute, or a hash of it", "the %s key of %s in %s can have %.0f bytes, and DynamoDB allows %.0f", half.what, k.Name, a.Name(), total, half.limit)
			}
		}
	}
	size := k.largest()
	local := 0.0
	for _, a := range k.Table.Indexes {
		if in, _ := k.In(a); a.Local && in {
			local += k.entry(a)
		}
	}
	if size+local > maxItemBytes {
		what := fmt.Sprintf("an item of %s can have %.0f bytes", k.Name, size)
		if local > 0 {
			what += fmt.Sprintf(", and %.0f more in local indexes", local)
		}
		c.errorf(k.Path, CodeLimit, "store what is large elsewhere, or the children as items of their own", "%s at its maxima; DynamoDB allows %d", what, maxItemBytes)
	}
}

// entry is the most bytes of an index entry.
func (k *Kind) entry(a *Access) float64 {
	total := 0.0
	for _, s := range k.Stored {
		if a.Projects(s.Name) {
			total += float64(len(s.Name)) + s.Attribute.Bytes.Max
		}
	}
	for _, r := range k.Recipes {
		if !r.Native && a.Projects(r.Wire.Name) {
			total += float64(len(r.Wire.Name)) + r.longest()
		}
	}
	return total
}

// Parts are the items that together hold an entity, in the order of the document: one that holds all of it, or several.
// There are none if it lies in none of its own, only inside its parent's.
func (p *Program) Parts(e *spec.Entity) (out []*Kind) {
	for _, t := range p.Tables {
		for _, k := range t.Kinds {
			if k.Role == EntityItem && k.Entity == e {
				out = append(out, k)
			}
		}
	}
	return out
}

// embeddings lists where an entity lies inside its parent's items.
func (p *Program) embeddings(e *spec.Entity) (out []*Embedding) {
	for _, t := range p.Tables {
		for _, k := range t.Kinds {
			for _, m := range k.Embeds {
				if m.Child == e {
					out = append(out, m)
				}
			}
		}
	}
	return out
}
